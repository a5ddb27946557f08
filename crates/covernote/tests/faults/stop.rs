//! Stops (SIGTERM) under load.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::check::check;
use crate::load::Load;
use crate::long_or;
use crate::site::Site;

#[test]
fn a_server_stopped_under_load_answers_every_received_request_and_exits_0() {
    let (stops, writes) = long_or((50, 1000), (5, 60));
    let mut site = Site::sqlite();
    let mut server = site.server();
    let load = Load::start("stop", &site.token(&server), 16);
    let mut slowest = Duration::ZERO;
    for _ in 0..stops {
        let target = load.targets().open(&server.base);
        load.goes_on_for(writes);
        target.stop_was_sent();
        let told = Instant::now();
        server.signal(Signal::TERM);
        assert_eq!(server.child.wait().expect("it stops").code(), Some(0));
        slowest = slowest.max(told.elapsed());
        load.targets().close(&target);
        server = site.server();
    }
    load.targets().open(&server.base);
    let journal = load.ends();
    drop(server);
    check(&mut site, &journal);
    assert!(journal.away.is_empty(), "nothing is refused meanwhile");
    println!(
        "SQLite: {stops} stops, {} acknowledged writes, {} requests left too late to be taken: 0 failed; stopped within {slowest:.0?}",
        journal.acknowledged.len(),
        journal.cut,
    );
}
