//! Time of a health recommendation from the POST to success. Recommendations run one at a time.

use std::time::Instant;

use crate::client::Partner;
use crate::numbers::{percentile, print};
use crate::server::Manner;
use crate::{Bench, Fault};

/// Number of recommendations that are timed.
const TIMED: usize = 500;

/// Number of recommendations before them, as a warm-up.
const WARMING: usize = 50;

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let (server, partner) = Partner::on_sqlite(bench, "recommendation", &Manner::default()).await?;
    let mut times = Vec::new();
    for number in 0..WARMING + TIMED {
        let begun = Instant::now();
        let quote = partner.recommendation().await?;
        partner.wait_for(&quote).await?;
        if number >= WARMING {
            times.push(begun.elapsed().as_micros() as u64);
        }
    }
    times.sort_unstable();
    let line = [0.5, 0.9, 0.99].map(|part| format!("{:.2}", percentile(&times, part) / 1000.0));
    let title = format!(
        "A recommendation on SQLite from the POST to success, polled without pauses, {TIMED} one after the other"
    );
    print(&title, &["p50 ms", "p90 ms", "p99 ms"], &[line.into()]);
    server.stop()?;
    Ok(())
}
