//! How soon a server answers after it was started, and what memory it takes: on an empty store and on a full one, after a
//! clean stop and after a kill.

use std::time::Instant;

use crate::client::Partner;
use crate::load::closed;
use crate::numbers::{Spread, print};
use crate::overload::FULL;
use crate::server::{Manner, Server};
use crate::{Bench, Fault, setting, step};

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let full: f64 = setting("STORED_QUOTES", 3_000_000.0)?;
    let home = bench.folder.path().join("start");
    let credentials = Partner::register(bench, &home, None)?;
    let (mut stored, mut lines) = (0.0, Vec::new());
    for wanted in [0.0, full] {
        step(&format!("a store of {wanted} quotes"));
        let server = Server::covernote(bench, &home, &Manner::default())?;
        let partner = Partner::of(&server.address, credentials.clone()).await?;
        while stored < wanted {
            stored += closed(bench, &server.address, &partner.quote_request(), bench.connections, 5)
                .await?
                .requests;
        }
        server.stop()?;
        for killed in [false, true] {
            let (mut ready, mut idle, mut loaded) = (Vec::new(), Vec::new(), Vec::new());
            // The first round only leaves the store as the next one is to find it.
            for round in 0..=bench.rounds {
                let begun = Instant::now();
                let server = Server::covernote(bench, &home, &Manner::default())?;
                Partner::is_ready(&server.address).await?;
                let took = begun.elapsed().as_secs_f64() * 1000.0;
                let memory = server.memory();
                let partner = Partner::of(&server.address, credentials.clone()).await?;
                closed(bench, &server.address, &partner.quote_request(), FULL, bench.seconds).await?;
                if round > 0 {
                    ready.push(took);
                    idle.push(memory);
                    loaded.push(server.memory());
                }
                if killed { server.kill()? } else { drop(server.stop()?) }
            }
            let ready = Spread::of(ready);
            lines.push(vec![
                format!("{stored:.0}"),
                if killed { "kill" } else { "clean stop" }.to_owned(),
                format!("{:.0} ({:.0} to {:.0})", ready.median, ready.least, ready.most),
                format!("{:.0}", Spread::of(idle).median),
                format!("{:.0}", Spread::of(loaded).median),
            ]);
        }
    }
    let head = ["quotes stored", "after a", "ready after ms", "RSS MB idle", "RSS MB, every place taken"];
    print(&format!("Start and memory on SQLite, {} rounds", bench.rounds), &head, &lines);
    Ok(())
}
