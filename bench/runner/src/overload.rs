//! Quotes, refusals and latency at three times the load that a server can take.

use crate::client::Partner;
use crate::load::{Answer, told};
use crate::numbers::{Spread, percentile, print};
use crate::server::Manner;
use crate::{Bench, Fault};

/// Number of connections that use all permits of the default concurrency limit.
pub(crate) const FULL: usize = 256;

/// Result of a load that may exceed the server's capacity.
pub(crate) struct Load {
    /// Quotes and refusals per second.
    pub(crate) answered: f64,
    pub(crate) refused: f64,
    /// Latency of quotes in milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Load {
    /// # Errors
    /// If a response is neither a quote nor 503.
    pub(crate) fn of(answers: &[Answer], bench: &Bench) -> Result<Self, Fault> {
        let of = |status: i32| answers.iter().filter(move |answer| answer.status == status);
        if let Some(Answer { status, .. }) =
            answers.iter().find(|answer| ![200, 503].contains(&answer.status))
        {
            return Err(format!("a request under load got status {status}").into());
        }
        let mut times: Vec<u64> = of(200).map(|answer| answer.micros).collect();
        times.sort_unstable();
        let seconds = bench.seconds as f64;
        Ok(Load {
            answered: times.len() as f64 / seconds,
            refused: of(503).count() as f64 / seconds,
            p50: percentile(&times, 0.5) / 1000.0,
            p99: percentile(&times, 0.99) / 1000.0,
        })
    }
}

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let (server, partner) = Partner::on_sqlite(bench, "overload", &Manner::default()).await?;
    let request = partner.quote_request();
    let mut rounds: Vec<[Load; 3]> = Vec::new();
    for _ in 0..bench.rounds {
        let load = async |connections, rate| {
            Load::of(&told(bench, &server.address, &request, connections, rate, bench.seconds).await?, bench)
        };
        let full = load(FULL, None).await?;
        let thrice = load(FULL * 3, None).await?;
        let at_rate = load(FULL * 3, Some(full.answered * 3.0)).await?;
        rounds.push([full, thrice, at_rate]);
    }
    let names = [
        "at the concurrency limit".to_owned(),
        format!("three times the connections, {}", FULL * 3),
        "three times the requests, on as many connections".to_owned(),
    ];
    let lines = names.into_iter().enumerate().map(|(at, name)| {
        let median = |of: fn(&Load) -> f64| Spread::of(rounds.iter().map(|round| of(&round[at]))).median;
        let beside =
            |of: fn(&Load) -> f64| Spread::of(rounds.iter().map(|round| of(&round[at]) / of(&round[0])));
        vec![
            name,
            format!("{:.0}", median(|load| load.answered)),
            format!("{:.0}", median(|load| load.refused)),
            format!("{:.1}", median(|load| load.p50)),
            format!("{:.1}", median(|load| load.p99)),
            beside(|load| load.answered).as_ratio(),
            beside(|load| load.p99).as_ratio(),
        ]
    });
    let head = [
        "load",
        "quotes/s",
        "refused/s",
        "p50 ms",
        "p99 ms",
        "quotes, relative to the first row",
        "p99, relative to the first row",
    ];
    print(
        &format!("Quotes on SQLite beyond capacity, {} rounds", bench.rounds),
        &head,
        &lines.collect::<Vec<_>>(),
    );
    server.stop()?;
    Ok(())
}
