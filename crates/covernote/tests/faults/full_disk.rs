//! The disk is full for a while.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::check::check;
use crate::http::{Connection, Request};
use crate::load::{Load, PROPOSAL, RECOMMENDATION};
use crate::long_or;
use crate::site::{Site, address};

/// Writes must succeed again within this time once there is space. The short form runs beside other tests, so
/// it allows more.
const AGAIN: Duration = Duration::from_secs(2);
const AGAIN_BESIDE_OTHERS: Duration = Duration::from_secs(30);

/// Number of refused writes, and of reads, while the disk is full.
const MEANWHILE: u64 = 15;

/// A small temporary file system, unmounted on drop.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    pub(crate) fn mount(at: &Path, megabytes: u32) -> SmallDisk {
        fs::create_dir(at).expect("a folder");
        let options = format!("size={megabytes}m,mode=700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "faults"]).arg(at).output();
        let mounted = mounted.expect("mount is installed");
        let why = String::from_utf8_lossy(&mounted.stderr);
        assert!(mounted.status.success(), "this test mounts a small file system, which is refused: {why}");
        SmallDisk(at.to_owned())
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Fills the file system.
    pub(crate) fn fill(&self) {
        let mut file = File::options().create(true).append(true).open(self.filler()).expect("a file");
        for size in [1 << 16, 1 << 12, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    pub(crate) fn empty(&self) {
        fs::remove_file(self.filler()).expect("removed");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Tells a reader to end, also if the test fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Runs the test again in a new user namespace, where users other than root may mount.
pub(crate) fn again_where_mounting_is_allowed(test: &str) {
    let this = std::env::current_exe().expect("a test");
    let mut again = Command::new("unshare");
    again.args(["--user", "--map-root-user", "--mount", "--"]).arg(this);
    let done = again.args([test, "--exact", "--nocapture", "--test-threads", "1"]).status();
    assert!(
        done.expect("unshare is installed").success(),
        "the test failed in its own mount namespace; as root it needs none"
    );
}

const NAME: &str =
    "full_disk::a_server_on_a_full_disk_answers_reads_and_refuses_writes_with_e5030_until_space_is_free";

#[test]
fn a_server_on_a_full_disk_answers_reads_and_refuses_writes_with_e5030_until_space_is_free() {
    if !rustix::process::geteuid().is_root() {
        return again_where_mounting_is_allowed(NAME);
    }
    let (times, writes, megabytes) = long_or((20, 300, 256), (2, 60, 24));
    let folder = tempfile::tempdir().expect("a folder");
    let disk = SmallDisk::mount(&folder.path().join("covernote-data"), megabytes);
    let mut site = Site::at(folder, []);
    let server = site.server();
    let (token, at) = (site.token(&server), address(&server));
    let get = |connection: &mut Connection, path: &str| {
        connection.ask(at, Some(&token), &Request::get(path)).expect("an answer")
    };
    let mut connection = Connection::default();

    // Records to read, written while there was space.
    let before = Load::start("before", &token, 4);
    before.targets().open(&server.base);
    before.goes_on_for(60);
    let before = before.ends();
    let id_of =
        |written: &crate::journal::Written| written.acknowledged.as_ref().expect("acknowledged").id.clone();
    let proposal = id_of(&before.proposals[0].written);
    let recommendation = id_of(&before.recommendations[0].written);
    let reads = [
        format!("{PROPOSAL}/{proposal}/status"),
        format!("{RECOMMENDATION}/{recommendation}"),
        "/v1/business/health/quotes?limit=20&end_date=2199-01-01".to_owned(),
        "/livez".to_owned(),
    ];

    let load = Load::start("full", &token, 8);
    load.targets().open(&server.base);
    let (full, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let (mut slowest, read) = (Duration::ZERO, AtomicU64::new(0));
    let again = long_or(AGAIN, AGAIN_BESIDE_OTHERS);
    std::thread::scope(|scope| {
        let ends = Ends(&done);
        let reader = scope.spawn(|| {
            let mut connection = Connection::default();
            while !done.load(Ordering::SeqCst) {
                for path in &reads {
                    let answer = get(&mut connection, path);
                    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
                    read.fetch_add(u64::from(full.load(Ordering::SeqCst)), Ordering::SeqCst);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        for _ in 0..times {
            load.goes_on_for(writes);
            disk.fill();
            let filled = Instant::now();
            while get(&mut connection, "/readyz").status == 200 {
                assert!(filled.elapsed() < Duration::from_secs(60), "the disk is full, and it is ready");
                disk.fill();
                std::thread::sleep(Duration::from_millis(5));
            }
            full.store(true, Ordering::SeqCst);
            let enough = read.load(Ordering::SeqCst) + MEANWHILE;
            load.is_refused_for(MEANWHILE);
            while read.load(Ordering::SeqCst) < enough {
                assert!(!reader.is_finished(), "the reader has given up");
                std::thread::sleep(Duration::from_millis(1));
            }
            full.store(false, Ordering::SeqCst);
            disk.empty();
            let (room, acknowledged) = (Instant::now(), load.acknowledged());
            while load.acknowledged() == acknowledged {
                assert!(room.elapsed() < again, "there is room, and nothing is written");
                std::thread::sleep(Duration::from_millis(1));
            }
            slowest = slowest.max(room.elapsed());
            while get(&mut connection, "/readyz").status != 200 {
                assert!(room.elapsed() < again, "there is room, and it is not ready");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        drop(ends);
        reader.join().expect("no panic");
    });
    let journal = load.ends();
    drop(server);
    let (refused, read) = (journal.away.len(), read.into_inner());
    let acknowledged = journal.acknowledged.len();
    check(&mut site, &crate::journal::Journal::of_all(vec![before, journal]));
    println!(
        "SQLite: {times} times a full disk, {acknowledged} acknowledged writes, {refused} answered E5030, {read} reads meanwhile all 200: 0 lost; writing again within {slowest:.0?} of there being room"
    );
}
