//! A command that a partner's developer runs with a demo. Tests read its lines as they come.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::program::program;

/// A command for the demo's test partner, with credentials in environment variables.
pub fn as_test_partner(here: &Path, base: &str, arguments: &[&str]) -> Command {
    as_partner(here, base, ("demo-test", "demo-test-secret"), arguments)
}

/// A command for a partner, with credentials in environment variables.
pub fn as_partner(here: &Path, base: &str, credentials: (&str, &str), arguments: &[&str]) -> Command {
    let mut command = program(here);
    command.args(arguments).args(["--url", base]);
    command.env("CLIENT_ID", credentials.0).env("CLIENT_SECRET", credentials.1);
    command
}

/// A running command. It is killed on drop.
pub struct Running {
    child: Child,
    lines: Receiver<String>,
    messages: Receiver<String>,
}

impl Running {
    pub fn start(mut command: Command) -> Running {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let (out, lines) = channel();
        let (err, messages) = channel();
        let (stdout, stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).for_each(|line| drop(out.send(line)))
        });
        std::thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).for_each(|line| drop(err.send(line)))
        });
        Running { child, lines, messages }
    }

    /// The next line on stdout.
    #[track_caller]
    pub fn line(&self) -> String {
        let line = self.lines.recv_timeout(Duration::from_secs(30));
        line.unwrap_or_else(|_| panic!("no line came; {:?}", self.messages.try_iter().collect::<Vec<_>>()))
    }

    /// The next line on stdout, as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|fault| panic!("{fault}: {line}"))
    }

    /// Waits for a message on stderr with these words.
    #[track_caller]
    pub fn says(&self, words: &str) -> String {
        let mut said = Vec::new();
        while let Ok(line) = self.messages.recv_timeout(Duration::from_secs(30)) {
            if line.contains(words) {
                return line;
            }
            said.push(line);
        }
        panic!("it does not say {words:?}; it said {said:?}");
    }

    /// Asserts that the next message on stderr has these words.
    #[track_caller]
    pub fn says_next(&self, words: &str) {
        let line = self.messages.recv_timeout(Duration::from_secs(30)).expect("a message");
        assert!(line.contains(words), "{line}");
    }

    /// Stops it with SIGINT, as Ctrl-C does. Returns its exit status and the unread lines of stdout.
    pub fn interrupted(mut self) -> (ExitStatus, Vec<String>) {
        let id = Pid::from_raw(self.child.id().cast_signed()).expect("a process");
        kill_process(id, Signal::INT).expect("it is there");
        let ended = self.child.wait().expect("it ends");
        (ended, self.lines.iter().collect())
    }

    /// Waits for its end. Returns its exit status and the unread lines of stdout.
    pub fn ended(mut self) -> (ExitStatus, Vec<String>) {
        let ended = self.child.wait().expect("it ends");
        (ended, self.lines.iter().collect())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
