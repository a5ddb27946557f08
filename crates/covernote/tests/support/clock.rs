//! A server whose clock a file moves, by Debian's libfaketime.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::{Server, program};

/// The clock of a server.
pub struct MovedClock(PathBuf);

impl MovedClock {
    /// A server of the demo whose clock stands as `text` says: `@2026-11-20 10:00:00`, or an offset such as `+7200s`.
    pub fn serve(folder: &Path, text: &str) -> (MovedClock, Server) {
        let clock = MovedClock(folder.join("clock"));
        clock.set(text);
        let mut command = program(folder);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--demo"]);
        command.env("LD_PRELOAD", library()).env("FAKETIME_TIMESTAMP_FILE", &clock.0);
        command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let server = Server::listening(command);
        (clock, server)
    }

    /// Moves the clock.
    pub fn set(&self, text: &str) {
        let written = self.0.with_extension("new");
        fs::write(&written, format!("{text}\n")).expect("written");
        fs::rename(written, &self.0).expect("moved");
    }
}

fn library() -> PathBuf {
    let folders = fs::read_dir("/usr/lib").expect("a folder").flatten().map(|entry| entry.path());
    let library = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|path| path.exists());
    library.expect("Debian's package libfaketime is installed: scripts/test does that")
}
