//! Power cuts at many points of a run under load, with every possible state of the unsynced writes.
//!
//! The program runs with the shim, which records its writes and syncs. The test rebuilds the files as a power
//! cut may leave them (`trace.rs`), and opens the program's own store on them. Such a test could pass without
//! detecting anything, so there is a control run that must lose writes: the same program, while the shim
//! suppresses its syncs of the write-ahead log, so that commits return before they are on the disk. That is
//! what `synchronous = normal` does (which would still sync before a checkpoint, so that it loses writes but
//! damages nothing), without a setting of the product for it.

use std::path::Path;

use crate::check::in_store;
use crate::dice::Dice;
use crate::journal::Journal;
use crate::load::Load;
use crate::long_or;
use crate::shim::Watched;
use crate::site::Store;
use crate::trace::{Disk, Event, Noted, read};

/// The write-ahead log.
const LOG: &str = "covernote.db-wal";

/// Runs the program with the shim under load, until it is killed.
fn run(watched: &mut Watched, writes: u64) -> Journal {
    let site = &mut watched.site;
    let mut server = site.server();
    let token = site.token(&server);
    let load = Load::marking("power", &token, 8, watched.mark());
    let target = load.targets().open(&server.base);
    load.goes_on_for(writes);
    let journal = load.ends();
    target.is_killed();
    server.kill();
    journal.has_no_faults();
    journal
}

/// Results of the images of one run.
#[derive(Default)]
pub struct Found {
    pub images: usize,
    /// Images in which an acknowledged record was missing, or a record was incomplete.
    pub faulty: Vec<String>,
}

/// Cuts the power at several points of a trace after `from`, and checks the files that each leaves.
pub fn cut(watched: &Watched, journal: &Journal, cuts: usize, from: u64, seed: u64) -> Found {
    let events = read(&watched.trace);
    let first = events.iter().position(|noted| noted.end > from).expect("events");
    let mut dice = Dice::new(seed);
    let mut points: Vec<usize> = (0..cuts)
        .map(|_| first + usize::try_from(dice.below((events.len() - first) as u64)).expect("an index"))
        .collect();
    points.sort_unstable();
    let (mut disk, mut found, mut points) =
        (Disk::default(), Found::default(), points.into_iter().peekable());
    for (place, Noted { event, end }) in events.iter().enumerate() {
        disk.apply(event);
        while points.next_if_eq(&place).is_some() {
            found.images += 1;
            let folder = tempfile::tempdir().expect("a folder");
            disk.leave(folder.path(), &mut dice);
            let faults = faults_of(folder.path(), watched, journal, *end);
            if !faults.is_empty() {
                let (some, of) = (&faults[..faults.len().min(5)], events.len());
                found
                    .faulty
                    .push(format!("cut at event {place} of {of}, {} faults: {some:#?}", faults.len()));
            }
        }
    }
    found
}

fn faults_of(folder: &Path, watched: &Watched, journal: &Journal, by: u64) -> Vec<String> {
    let store = match Store::sqlite(folder) {
        Ok(store) => store,
        Err(fault) => return vec![format!("the store does not open: {fault}")],
    };
    let mut faults = in_store(&store, watched.site.partner(), journal, by);
    drop(store);
    let database = rusqlite::Connection::open(folder.join(storage::sqlite::FILE)).expect("the store");
    let said = database.query_row("pragma integrity_check", (), |row| row.get::<_, String>(0));
    if said.as_deref() != Ok("ok") {
        faults.push(format!("integrity_check: {said:?}"));
    }
    faults
}

#[test]
fn no_power_cut_loses_an_acknowledged_write() {
    let (runs, writes, cuts) = long_or((20, 2000, 500), (1, 500, 120));
    let (mut images, mut writes_done, mut syncs) = (0, 0, 0);
    for run_number in 0..runs {
        let mut watched = Watched::sqlite(None);
        let journal = run(&mut watched, writes);
        let found = cut(&watched, &journal, cuts, 0, run_number);
        let some: Vec<&String> = found.faulty.iter().take(3).collect();
        assert!(some.is_empty(), "{} of {} images: {some:#?}", found.faulty.len(), found.images);
        images += found.images;
        writes_done += journal.acknowledged.len();
        let events = read(&watched.trace);
        syncs += events.iter().filter(|noted| matches!(noted.event, Event::Sync { .. })).count();
    }
    println!(
        "SQLite: {images} power cuts among {writes_done} acknowledged writes and {syncs} syncs: 0 lost, 0 half"
    );
}

#[test]
fn the_checker_detects_losses_of_a_store_without_log_syncs() {
    let (writes, cuts) = long_or((2000, 500), (300, 60));
    let mut watched = Watched::sqlite(Some(LOG));
    let journal = run(&mut watched, writes);
    let found = cut(&watched, &journal, cuts, 0, 7);
    let lost = found.faulty.iter().filter(|said| said.contains("is lost")).count();
    assert!(lost > 0, "none of {} images lost anything: the test of power cuts is blind", found.images);
    println!(
        "SQLite, its log's syncs swallowed: {lost} of {} power cuts lose acknowledged writes",
        found.images
    );
}
