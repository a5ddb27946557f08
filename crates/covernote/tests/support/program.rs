//! The built program, run as an operator runs it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// The program in a folder of the test's, with none of this machine's settings.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covernote"));
    command.current_dir(folder);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("COVERNOTE_")) {
        command.env_remove(name);
    }
    command
}

/// Runs the program to its end.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    program(folder).args(arguments).output().expect("the program starts")
}

/// What a command printed on stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// What a command printed on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A server started as a process of its own. It is killed when dropped.
pub struct Server {
    pub child: Child,
    pub base: String,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Server {
    /// Starts `covernote serve` with these arguments on a free port, and waits until it listens.
    pub fn start(folder: &Path, arguments: &[&str]) -> Server {
        let mut command = program(folder);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]).args(arguments);
        Server::spawn(command)
    }

    fn spawn(mut command: Command) -> Server {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (told, lines) = std::sync::mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).for_each(|line| drop(told.send(line)))
        });
        let mut said = Vec::new();
        let base = loop {
            let line = lines.recv_timeout(std::time::Duration::from_secs(30));
            let line = line.unwrap_or_else(|_| panic!("it does not listen; it said {said:#?}"));
            if let Some((_, rest)) = line.split_once(r#""server.address":""#) {
                break format!("http://{}", rest.split('"').next().expect("an address"));
            }
            said.push(line);
        };
        Server { child, base, lines }
    }

    /// What it logged since it was last asked.
    pub fn logged(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.child.id().cast_signed()).expect("a process");
        kill_process(id, signal).expect("it is there");
    }

    /// Kills it as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
