//! Latency of a partner's quotes during a flood of others, compared with similar traffic of a polite client.

mod deliveries;
mod floods;
mod jobs;
mod traffic;
mod uploads;
mod victim;
mod wire;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::client::Partner;
use crate::numbers::{Spread, print};
use crate::server::{Manner, Server, free_address};
use crate::{Bench, Fault, processor, setting, step};
use floods::{Flood, Polite, Scene};
use traffic::Traffic;
use victim::Seen;

/// Length of the traffic before the measurement begins.
const BEFORE: Duration = Duration::from_secs(1);

/// Time for a server to notice that a flood's connections are gone.
const AFTER: Duration = Duration::from_millis(500);

/// Highest allowed 99th percentile during a flood, as a multiple of that beside a polite client. [`MILLIS`] are
/// always allowed.
const TIMES: f64 = 2.0;

/// Milliseconds that the 99th percentile may always reach.
const MILLIS: f64 = 10.0;

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let wanted: String = setting("FLOOD", String::new())?;
    let mut lines = Vec::new();
    let console = free_address()?;
    let with_console = vec![("COVERNOTE_CONSOLE_LISTEN", console.clone())];
    for (folder, settings, has_workers) in [
        ("hostile", with_console, true),
        ("hostile, no workers", vec![("COVERNOTE_WORKERS", "0".to_owned())], false),
    ] {
        let manner = Manner { settings, ..Manner::default() };
        let (server, [partner, other]) = two_partners(bench, folder, None, &manner).await?;
        let scene = Scene { address: server.address.parse()?, other: &other };
        let mut floods = Vec::new();
        match has_workers {
            true => {
                floods.extend(scene.floods().await?);
                floods.extend(scene.floods_of_console(console.parse()?));
            }
            false => floods.push(scene.waiting_pages().await?),
        }
        for flood in floods.iter().filter(|flood| flood.name.contains(&wanted)) {
            step(flood.name);
            lines.push(rounds(bench, &scene, &partner, flood)?);
        }
        server.stop()?;
    }
    let title = format!(
        "A partner's {} quotes per second on SQLite during a flood, {} rounds of {} s; {}",
        victim::RATE,
        bench.rounds,
        bench.seconds,
        processor(),
    );
    let head = [
        "flood",
        "traffic",
        "polite answers/s",
        "alone p99 ms",
        "polite p50 ms",
        "polite p99 ms",
        "flood p50 ms",
        "flood p99 ms",
        "relative to polite",
        "errors, polite",
        "errors, flood",
        "within the limit",
    ];
    print(&title, &head, &lines);
    if "a recommendation behind a thousand".contains(&wanted) {
        jobs::measure(bench).await?;
    }
    if "events beside endpoints that answer late".contains(&wanted) {
        deliveries::measure(bench).await?;
    }
    if "quotes beside uploads".contains(&wanted) {
        uploads::measure(bench).await?;
    }
    Ok(())
}

/// Starts a server with two partners.
async fn two_partners(
    bench: &Bench,
    folder: &str,
    database: Option<&str>,
    manner: &Manner,
) -> Result<(Server, [Partner; 2]), Fault> {
    let home = bench.folder.path().join(folder);
    let (first, second) =
        (Partner::register(bench, &home, database)?, Partner::register(bench, &home, database)?);
    let server = Server::covernote(bench, &home, manner)?;
    let partners = [Partner::of(&server.address, first).await?, Partner::of(&server.address, second).await?];
    Ok((server, partners))
}

/// Measures polite traffic and flood in turn. Returns a row of the table.
fn rounds(bench: &Bench, scene: &Scene<'_>, partner: &Partner, flood: &Flood) -> Result<Vec<String>, Fault> {
    let quote = scene.quote(partner);
    let measure = |traffic: Option<Traffic>| {
        let at = flood.at.unwrap_or(scene.address);
        let seen = beside_at(
            scene.address,
            &quote,
            traffic.map(|traffic| (traffic, at)),
            Duration::from_secs(bench.seconds),
        );
        thread::sleep(AFTER);
        seen
    };
    let alone = measure(None)?.0.millis(0.99);
    // This first flood shows how many requests the polite client must send.
    let (_, mut per_second) = measure(Some(flood.hostile.clone()))?;
    let (mut polite, mut hostile, mut polite_rates, mut rates) = (vec![], vec![], vec![], vec![]);
    for _ in 0..bench.rounds {
        let traffic = match &flood.polite {
            Polite::Same(traffic) => Some(traffic.clone()),
            Polite::Evenly(request) => Some(Traffic::Paced { per_second, request: request.clone() }),
            Polite::Nothing => None,
        };
        let (mut seen, answered) = measure(traffic)?;
        polite.push(seen);
        polite_rates.push(answered);
        (seen, per_second) = measure(Some(flood.hostile.clone()))?;
        hostile.push(seen);
        rates.push(per_second);
    }
    let spread = |seen: &[Seen], part| Spread::of(seen.iter().map(|seen| seen.millis(part)));
    let (of_polite, of_flood) = (spread(&polite, 0.99), spread(&hostile, 0.99));
    let shown = |spread: Spread| format!("{:.1} ({:.1} to {:.1})", spread.median, spread.least, spread.most);
    let ratios = hostile.iter().zip(&polite).map(|(flood, polite)| flood.millis(0.99) / polite.millis(0.99));
    let errors = errors(&hostile);
    let is_within = of_flood.median <= MILLIS.max(TIMES * of_polite.median)
        && hostile.iter().all(|seen| seen.errors.is_empty());
    Ok(vec![
        flood.name.to_owned(),
        traffic(&flood.hostile, Spread::of(rates).median),
        format!("{:.0}", Spread::of(polite_rates).median),
        format!("{alone:.1}"),
        format!("{:.1}", spread(&polite, 0.5).median),
        shown(of_polite),
        format!("{:.1}", spread(&hostile, 0.5).median),
        shown(of_flood),
        Spread::of(ratios).as_ratio(),
        self::errors(&polite),
        errors,
        if is_within { "yes" } else { "NO" }.to_owned(),
    ])
}

/// Measures the partner's quotes beside some traffic; each has its own thread. Also returns how many of the
/// traffic's requests were answered per second.
fn beside(
    address: SocketAddr,
    quote: &[u8],
    traffic: Option<Traffic>,
    counted: Duration,
) -> Result<(Seen, f64), Fault> {
    beside_at(address, quote, traffic.map(|traffic| (traffic, address)), counted)
}

/// Like [`beside`], with traffic that may go to another address.
fn beside_at(
    address: SocketAddr,
    quote: &[u8],
    traffic: Option<(Traffic, SocketAddr)>,
    counted: Duration,
) -> Result<(Seen, f64), Fault> {
    let quote: Arc<[u8]> = quote.into();
    let seen = in_a_thread(move || victim::run(address, quote, BEFORE, counted));
    let run = traffic.map(|(traffic, at)| in_a_thread(move || traffic::run(traffic, at, BEFORE + counted)));
    let seen = seen.join().map_err(|_| "the partner panicked")??;
    let per_second = match run {
        Some(run) => run.join().map_err(|_| "the traffic panicked")??,
        None => 0.0,
    };
    Ok((seen, per_second))
}

/// Runs a client in its own thread, so that it does not wait for others.
fn in_a_thread<T: Send + 'static, F: Future<Output = T>>(
    client: impl FnOnce() -> F + Send + 'static,
) -> JoinHandle<io::Result<T>> {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(client()))
    })
}

fn errors(rounds: &[Seen]) -> String {
    let all = rounds.iter().flat_map(|seen| &seen.errors);
    let shown: Vec<String> = all.map(|(error, times)| format!("{times} x {error}")).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// Description of a flood's size.
fn traffic(traffic: &Traffic, answered: f64) -> String {
    match traffic {
        Traffic::Held { per_second, .. } | Traffic::Completed { per_second, .. } => {
            format!("{per_second} connections/s")
        }
        Traffic::Greedy { connections, .. } => format!("{connections} connections, {answered:.0} answers/s"),
        Traffic::Paced { per_second, .. } => format!("{per_second:.0} requests/s"),
    }
}
