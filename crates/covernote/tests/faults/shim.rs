//! The shim: a preloaded C library that records what the program does to its files, or makes syncs fail.
//!
//! The program itself has no setting that weakens durability, not even for a test. So the test changes the
//! layer below the program. That also shows the real system calls, whichever library makes them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::site::Site;

/// A site whose programs run with the shim.
pub struct Watched {
    pub site: Site,
    /// Record of what the programs did to files of the data folder.
    pub trace: PathBuf,
    fail: PathBuf,
    _library: tempfile::TempDir,
}

impl Watched {
    /// A new site, recorded from its first file on. Syncs of files whose names end with `swallowed` are
    /// suppressed.
    pub fn sqlite(swallowed: Option<&str>) -> Watched {
        let mut watched = Watched::without_partner(swallowed.unwrap_or_default(), Duration::ZERO);
        watched.site.add_partner();
        watched
    }

    /// A new site on a slow disk: each write and sync of the database takes `delay` longer.
    pub fn on_a_slow_disk(delay: Duration) -> Watched {
        let mut watched = Watched::without_partner("", delay);
        watched.site.add_partner();
        watched
    }

    fn without_partner(swallowed: &str, delay: Duration) -> Watched {
        let (folder, library) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let shim = library.path().join("shim.so");
        build(&shim);
        let (trace, fail) = (library.path().join("trace"), library.path().join("fail"));
        // The folder as the program knows it, without symbolic links.
        let data = folder.path().canonicalize().expect("there").join("covernote-data");
        let shown = |path: &Path| path.display().to_string();
        let environment = [
            ("LD_PRELOAD", shown(&shim)),
            ("FAULTS_FOLDER", shown(&data)),
            ("FAULTS_TRACE", shown(&trace)),
            ("FAULTS_FAIL", shown(&fail)),
            ("FAULTS_SWALLOW", swallowed.to_owned()),
            ("FAULTS_SLOW", delay.as_micros().to_string()),
        ];
        let site = Site::without_partner(folder, None, environment);
        Watched { site, trace, fail, _library: library }
    }

    /// Makes the next sync of a file of the data folder fail.
    pub fn next_sync_fails(&self, file: &str) {
        std::fs::write(self.order(file), "").expect("written");
    }

    /// Whether a requested failure of a sync has not happened yet.
    pub fn is_still_to_fail(&self, file: &str) -> bool {
        self.order(file).exists()
    }

    fn order(&self, file: &str) -> PathBuf {
        PathBuf::from(format!("{}.{file}", self.fail.display()))
    }

    /// Length of the trace. Whatever was acknowledged before is in it up to this point.
    pub fn mark(&self) -> impl Fn() -> u64 + Send + Sync + use<> {
        let trace = self.trace.clone();
        move || std::fs::metadata(&trace).expect("a trace").len()
    }
}

fn build(shim: &Path) {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/shim.c");
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-shared", "-fPIC", "-pthread", "-o"]).arg(shim).arg(source).arg("-ldl");
    let built = cc.output().expect("a C compiler is required: install build-essential");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
