//! Start time and memory of a server: on an empty and a full store, after a clean stop and after a kill.

use std::time::Instant;

use serde_json::Value;

use crate::client::Partner;
use crate::load::closed;
use crate::numbers::{Spread, print};
use crate::overload::FULL;
use crate::server::{Manner, Server};
use crate::{Bench, Fault, setting, step};

/// Server that is ready.
struct Started {
    server: Server,
    partner: Partner,
    /// Milliseconds from its start until it was ready.
    millis: f64,
    /// Its memory at that time, in MB.
    memory: f64,
}

impl Started {
    async fn on(bench: &Bench, credentials: &Value) -> Result<Self, Fault> {
        let begun = Instant::now();
        let server = Server::covernote(bench, &bench.folder.path().join("start"), &Manner::default())?;
        Partner::is_ready(&server.address).await?;
        let millis = begun.elapsed().as_secs_f64() * 1000.0;
        let memory = server.memory();
        let partner = Partner::of(&server.address, credentials.clone()).await?;
        Ok(Started { server, partner, millis, memory })
    }

    /// Sends quote requests at the concurrency limit. Returns the number of quotes.
    async fn load(&self, bench: &Bench, seconds: u64) -> Result<f64, Fault> {
        let request = self.partner.quote_request();
        Ok(closed(bench, &self.server.address, &request, FULL, seconds).await?.requests)
    }
}

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let full: f64 = setting("STORED_QUOTES", 3_000_000.0)?;
    let credentials = Partner::register(bench, &bench.folder.path().join("start"), None)?;
    let (mut stored, mut lines) = (0.0, Vec::new());
    for wanted in [0.0, full] {
        step(&format!("a store of {wanted} quotes"));
        let filling = Started::on(bench, &credentials).await?;
        while stored < wanted {
            stored += filling.load(bench, 5).await?;
        }
        filling.server.stop()?;
        let mut clean = Vec::new();
        for _ in 0..bench.rounds {
            let started = Started::on(bench, &credentials).await?;
            clean.push([started.millis, started.memory]);
            started.server.stop()?;
        }
        lines.push(line(stored, "clean stop", &clean, None));

        // A kill leaves a long write-ahead log behind.
        let (mut killed, mut loaded) = (Vec::new(), Vec::new());
        for _ in 0..bench.rounds {
            let begun = Started::on(bench, &credentials).await?;
            stored += begun.load(bench, bench.seconds).await?;
            loaded.push(begun.server.memory());
            begun.server.kill()?;
            let started = Started::on(bench, &credentials).await?;
            killed.push([started.millis, started.memory]);
            started.server.stop()?;
        }
        lines.push(line(stored, "kill", &killed, Some(&loaded)));
    }
    let head =
        ["quotes stored", "after a", "ready after ms", "RSS MB idle", "RSS MB at the concurrency limit"];
    print(&format!("Start and memory on SQLite, {} rounds", bench.rounds), &head, &lines);
    Ok(())
}

fn line(stored: f64, after: &str, rounds: &[[f64; 2]], loaded: Option<&[f64]>) -> Vec<String> {
    let spread = |at: usize| Spread::of(rounds.iter().map(|round| round[at]));
    let (ready, idle) = (spread(0), spread(1));
    vec![
        format!("{stored:.0}"),
        after.to_owned(),
        format!("{:.0} ({:.0} to {:.0})", ready.median, ready.least, ready.most),
        format!("{:.0}", idle.median),
        loaded.map_or(String::new(), |loaded| format!("{:.0}", Spread::of(loaded.iter().copied()).median)),
    ]
}
