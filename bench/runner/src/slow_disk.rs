//! Quotes on a slow disk, where each sync takes 4 ms longer: one transaction for each request, compared with
//! group commits.

use crate::client::Partner;
use crate::load::{Request, told};
use crate::numbers::{Spread, print};
use crate::overload::Load;
use crate::server::{Manner, Server};
use crate::{Bench, Fault};

/// Microseconds added to each sync.
const SLOWER: u32 = 4000;

/// Numbers of connections. With a single connection, each request has its own transaction.
const LOADS: [usize; 3] = [1, 64, 512];

/// Concurrency limit that suffices for all connections, as an operator of such a disk would set it.
const PLACES: &str = "1024";

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let mut lines = Vec::new();
    for (name, settings) in
        [("by default", vec![]), ("requests = 1024", vec![("COVERNOTE_REQUESTS", PLACES.to_owned())])]
    {
        let manner = Manner { slow_sync: Some(SLOWER), settings, ..Manner::default() };
        let (server, partner) = Partner::on_sqlite(bench, &format!("slow-disk, {name}"), &manner).await?;
        let rounds = rounds(bench, &server, &partner.quote_request()).await?;
        for (connections, own) in LOADS.into_iter().zip(&rounds) {
            let ratio = own.iter().zip(&rounds[0]).map(|(own, alone)| own.answered / alone.answered);
            let median = |of: fn(&Load) -> f64| Spread::of(own.iter().map(of)).median;
            lines.push(vec![
                name.to_owned(),
                connections.to_string(),
                format!("{:.0}", median(|load| load.answered)),
                format!("{:.0}", median(|load| load.refused)),
                format!("{:.1}", median(|load| load.p50)),
                format!("{:.1}", median(|load| load.p99)),
                Spread::of(ratio).as_ratio(),
            ]);
        }
        server.stop()?;
    }
    let title = format!("Quotes on SQLite, {} ms added to each sync, {} rounds", SLOWER / 1000, bench.rounds);
    let head = [
        "settings",
        "connections",
        "quotes/s",
        "refused/s",
        "p50 ms",
        "p99 ms",
        "relative to one transaction a request",
    ];
    print(&title, &head, &lines);
    Ok(())
}

async fn rounds(
    bench: &Bench,
    server: &Server,
    request: &Request,
) -> Result<[Vec<Load>; LOADS.len()], Fault> {
    let mut rounds: [Vec<Load>; LOADS.len()] = Default::default();
    for _ in 0..bench.rounds {
        for (connections, rounds) in LOADS.into_iter().zip(&mut rounds) {
            let answers = told(bench, &server.address, request, connections, None, bench.seconds).await?;
            rounds.push(Load::of(&answers, bench)?);
        }
    }
    Ok(rounds)
}
