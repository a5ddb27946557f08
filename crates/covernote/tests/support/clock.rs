//! A server with a clock that tests move.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use domain::date::Timestamp;
use service::clock::Clock;
use system::SystemClock;

use super::program::{Server, program};

/// The clock of a server: a file with the seconds to add to the machine's clock.
pub struct MovedClock(File);

impl MovedClock {
    /// Starts a demo server whose clock is ahead of the machine's by this many seconds.
    pub fn serve(folder: &Path, ahead: i64) -> (MovedClock, Server) {
        let mut command = program(folder);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--demo", "--empty"]);
        let clock = MovedClock::of(&mut command, folder, ahead);
        (clock, Server::listening(command))
    }

    /// Gives a command a clock that is ahead of the machine's by this many seconds. Its files are in `folder`.
    pub fn of(command: &mut Command, folder: &Path, ahead: i64) -> MovedClock {
        let (library, path) = (folder.join("clock.so"), folder.join("clock"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/clock.c");
        let compiled = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(source)
            .arg("-ldl")
            .status();
        assert!(compiled.expect("cc is installed").success());
        fs::write(&path, "").expect("written");
        let clock = MovedClock(File::options().write(true).open(&path).expect("there"));
        clock.set(ahead);
        command.env("LD_PRELOAD", library).env("MOVED_CLOCK", path);
        clock
    }

    /// Sets how many seconds the clock is ahead.
    pub fn set(&self, ahead: i64) {
        self.0.write_all_at(format!("{ahead:+012}").as_bytes(), 0).expect("written");
    }
}

/// Seconds from now to 10:00 in India on a day.
pub fn morning(day: &str) -> i64 {
    let at: Timestamp = format!("{day}T10:00:00+05:30").parse().expect("a day");
    at.as_second() - SystemClock.now().as_second()
}
