//! A sync of the disk fails (EIO) while the program runs.
//!
//! After that the content of the disk is unknown: the system shows unwritten data as written, and never
//! writes it again. So the server must stop, and the next one must not rely on data that may be in memory
//! only.

use std::time::{Duration, Instant};

use crate::check::check;
use crate::http::{Connection, Request};
use crate::journal::Journal;
use crate::load::Load;
use crate::long_or;
use crate::power_cut::cut;
use crate::program::{Server, stderr};
use crate::shim::Watched;
use crate::site::{address, end_of};
use crate::trace::{Event, read};

const DATABASE: &str = "covernote.db";
const LOG: &str = "covernote.db-wal";

/// First words of the log line about such a stop.
const SAID: &str = "covernote: the store cannot be used: writes could not be saved to the disk";

#[test]
fn a_failed_sync_of_the_log_stops_the_server_and_loses_nothing() {
    stops_and_loses_nothing(LOG);
}

#[test]
fn a_failed_sync_of_the_database_stops_the_server_and_loses_nothing() {
    stops_and_loses_nothing(DATABASE);
}

fn stops_and_loses_nothing(file: &str) {
    let (times, writes, cuts) = long_or((20, 1000, 200), (2, 60, 20));
    let mut watched = Watched::sqlite(None);
    let mut server = watched.site.server();
    let token = watched.site.token(&server);
    let load = Load::marking("sync", &token, 8, watched.mark());
    let mut slowest = Duration::ZERO;
    for _ in 0..times {
        let target = load.targets().open(&server.base);
        load.goes_on_for(writes);
        target.stop_was_sent();
        watched.next_sync_fails(file);
        let ordered = Instant::now();
        while watched.is_still_to_fail(file) {
            assert!(ordered.elapsed() < Duration::from_secs(60), "{file} is not synced any more");
            std::thread::sleep(Duration::from_millis(1));
        }
        target.stop_was_sent();
        slowest = slowest.max(stops(&mut server));
        load.targets().close(&target);
        server = watched.site.server();
    }
    let target = load.targets().open(&server.base);
    load.goes_on_for(writes);
    let journal = load.ends();
    target.is_killed();
    server.kill();
    let images = loses_nothing(&watched, &journal, cuts);
    check(&mut watched.site, &journal);
    println!(
        "SQLite: {times} failed syncs of {file} among {} acknowledged writes: out of rotation within {slowest:.0?}, 0 lost, also in {images} power cuts after that",
        journal.acknowledged.len(),
    );
}

/// Waits until the server is not ready, which takes less than a second, then until it has stopped.
fn stops(server: &mut Server) -> Duration {
    let failed = Instant::now();
    let is_ready = || {
        let answer = Connection::default().ask(address(server), None, &Request::get("/readyz"));
        answer.is_ok_and(|answer| answer.status == 200)
    };
    while is_ready() {
        assert!(failed.elapsed() < Duration::from_secs(1), "it says that it is ready after a failed sync");
        std::thread::sleep(Duration::from_millis(5));
    }
    let out_of_rotation = failed.elapsed();
    assert_eq!(server.child.wait().expect("it stops").code(), Some(69));
    let logged = server.logged_to_its_end();
    assert!(logged.iter().any(|line| line.starts_with(SAID)), "{logged:#?}");
    out_of_rotation
}

/// Checks that no acknowledged record is lost if the power is cut at any point after the first failed sync.
fn loses_nothing(watched: &Watched, journal: &Journal, cuts: usize) -> usize {
    let events = read(&watched.trace);
    let failed = events.iter().find(|noted| matches!(noted.event, Event::FailedSync { .. }));
    let found = cut(watched, journal, cuts, failed.expect("one failed").end, 3);
    let some: Vec<&String> = found.faulty.iter().take(3).collect();
    assert!(some.is_empty(), "{} of {} images: {some:#?}", found.faulty.len(), found.images);
    found.images
}

#[test]
fn a_store_whose_log_cannot_be_synced_at_the_start_is_not_served() {
    let mut watched = Watched::sqlite(None);
    let mut server = watched.site.server();
    let load = Load::start("start", &watched.site.token(&server), 4);
    let target = load.targets().open(&server.base);
    load.goes_on_for(20);
    let journal = load.ends();
    target.is_killed();
    server.kill();
    watched.next_sync_fails(LOG);
    let refused = end_of(watched.site.serve());
    assert_eq!(refused.status.code(), Some(69));
    assert!(stderr(&refused).lines().any(|line| line.starts_with(SAID)), "{}", stderr(&refused));
    check(&mut watched.site, &journal);
}
