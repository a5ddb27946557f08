//! Latency of quotes on SQLite at half of the maximum rate.

use crate::client::Partner;
use crate::load::{Answer, closed, told};
use crate::numbers::{Spread, percentile, print};
use crate::server::Manner;
use crate::{Bench, Fault};

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let (server, partner) = Partner::on_sqlite(bench, "half-load", &Manner::default()).await?;
    let request = partner.quote_request();
    let mut rounds = Vec::new();
    closed(bench, &server.address, &request, bench.connections, 1).await?;
    for _ in 0..bench.rounds {
        let most = closed(bench, &server.address, &request, bench.connections, bench.seconds).await?;
        let rate = most.per_second() / 2.0;
        let answers =
            told(bench, &server.address, &request, bench.connections, Some(rate), bench.seconds).await?;
        if let Some(Answer { status, .. }) = answers.iter().find(|answer| answer.status != 200) {
            return Err(format!("a request at half load got status {status}").into());
        }
        let mut times: Vec<u64> = answers.iter().map(|answer| answer.micros).collect();
        times.sort_unstable();
        let at = |part| percentile(&times, part) / 1000.0;
        rounds.push([
            most.per_second(),
            times.len() as f64 / bench.seconds as f64,
            at(0.5),
            at(0.99),
            at(0.999),
        ]);
    }
    let median = |at: usize| Spread::of(rounds.iter().map(|round| round[at]));
    let [most, rate, p50, p99, p999] = [0, 1, 2, 3, 4].map(median);
    let line = vec![
        format!("{:.0}", most.median),
        format!("{:.0}", rate.median),
        format!("{:.2}", p50.median),
        format!("{:.2} ({:.2} to {:.2})", p99.median, p99.least, p99.most),
        format!("{:.2}", p999.median),
    ];
    let title =
        format!("A quote on SQLite at half load, {} connections, {} rounds", bench.connections, bench.rounds);
    print(&title, &["most req/s", "req/s", "p50 ms", "p99 ms", "p99.9 ms"], &[line]);
    server.stop()?;
    Ok(())
}
