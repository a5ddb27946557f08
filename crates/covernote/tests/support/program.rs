//! The built program, run as an operator runs it.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Path of the program: the build of this test, or the absolute path in `COVERNOTE_TEST_PROGRAM`.
pub fn built() -> OsString {
    let other = std::env::var_os("COVERNOTE_TEST_PROGRAM");
    other.unwrap_or_else(|| env!("CARGO_BIN_EXE_covernote").into())
}

/// The program in a test's folder, without this machine's settings.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(built());
    without_settings(command.current_dir(folder));
    command
}

/// Removes this machine's settings from a command that runs the program.
pub fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("COVERNOTE_")) {
        command.env_remove(name);
    }
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

/// Checks that the store in a folder's data folder passes verification.
#[track_caller]
pub fn is_sound(folder: &Path) {
    let looked = run(folder, &["backup", "looked-at.db", "--verify"]);
    assert_eq!(looked.status.code(), Some(0), "{}", stderr(&looked));
}

/// A server in its own process. It is killed on drop.
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
        if arguments.contains(&"--demo") {
            command.arg("--empty");
        }
        Server::listening(command)
    }

    /// Starts a command that serves and logs as JSON, and waits until it listens.
    pub fn listening(command: Command) -> Server {
        let mut server = Server::spawned(command);
        let line = server.says(r#""server.address":""#);
        let address = line.split(r#""server.address":""#).nth(1).and_then(|rest| rest.split('"').next());
        server.base = format!("http://{}", address.expect("an address"));
        server
    }

    /// Starts `covernote worker` with these arguments, and waits until it works. It has no address.
    pub fn worker(folder: &Path, arguments: &[&str]) -> Server {
        let mut command = program(folder);
        command.args(["worker", "--log-format", "json"]).args(arguments);
        Server::working(command)
    }

    /// Starts a command that runs jobs and logs as JSON, and waits until it works.
    pub fn working(command: Command) -> Server {
        let server = Server::spawned(command);
        server.says("runs jobs");
        server
    }

    /// Waits until it logs a line with these words. Returns the line.
    pub fn says(&self, words: &str) -> String {
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(std::time::Duration::from_secs(30));
            let line = line.unwrap_or_else(|_| panic!("it does not say {words:?}; it said {said:#?}"));
            if line.contains(words) {
                return line;
            }
            said.push(line);
        }
    }

    /// Starts a command without waiting.
    pub fn spawned(mut command: Command) -> Server {
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
        Server { child, base: String::new(), lines }
    }

    /// Log lines since the last call.
    pub fn logged(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// Log lines since the last call, up to the server's end.
    pub fn logged_to_its_end(&self) -> Vec<String> {
        self.lines.iter().collect()
    }

    /// Peak memory of the server, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
        let kilobytes = line.trim().trim_end_matches("kB").trim();
        kilobytes.parse::<u64>().expect("a number") * 1024
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

/// A mock insurer in its own process. It is killed on drop.
pub struct MockInsurer {
    pub child: Child,
    pub url: String,
}

impl MockInsurer {
    /// Starts `covernote mock-insurer` with these arguments on a free port, and waits until it listens.
    pub fn start(folder: &Path, arguments: &[&str]) -> MockInsurer {
        MockInsurer::start_at(folder, "127.0.0.1:0", arguments)
    }

    /// Starts a mock insurer on a given address.
    pub fn start_at(folder: &Path, address: &str, arguments: &[&str]) -> MockInsurer {
        let mut command = program(folder);
        command.args(["mock-insurer", "--listen", address, "--json"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let told: Value = serde_json::from_str(&line).expect("one JSON object");
        let url = told["url"].as_str().expect("its address").to_owned();
        MockInsurer { child, url }
    }
}

impl Drop for MockInsurer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes the sample catalogue into a folder, with these insurers (named by folder) reached over HTTP, and
/// their shared secret into the data folder. Returns the catalogue's folder.
pub fn catalogue_asking(here: &Path, insurers: &[(&str, &str)]) -> String {
    let sample = rating::Files::sample();
    let files: Vec<(String, Vec<u8>)> = sample
        .paths()
        .map(|path| {
            let content = sample.get(path).expect("listed").to_vec();
            let asked = insurers.iter().find(|(folder, _)| path == format!("insurers/{folder}/insurer.toml"));
            let Some((_, url)) = asked else { return (path.to_owned(), content) };
            let text = String::from_utf8(content).expect("text").replace("connector = \"rate-table\"\n", "");
            let http = format!("\nconnector = \"http\"\n[http]\nurl = \"{url}\"\nauthentication = \"hmac\"\nsecret = \"shared\"\n");
            (path.to_owned(), (text + &http).into_bytes())
        })
        .collect();
    let asked = |(path, _): &&(String, Vec<u8>)| {
        insurers.iter().any(|(folder, _)| path.starts_with(&format!("insurers/{folder}/")))
    };
    assert!(insurers.is_empty() || files.iter().any(|file| asked(&file)), "the sample has no such insurers");
    let folder = here.join("catalogue");
    rating::Files::of(files).expect("plain paths").write_to(&folder).expect("written");
    let secrets = here.join("covernote-data/insurer-secrets");
    std::fs::create_dir_all(&secrets).expect("a folder");
    write_secret(&secrets.join("shared"));
    folder.display().to_string()
}

/// Writes a secret that insurer and service share.
pub fn write_secret(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, "a-secret-of-more-than-16-characters\n").expect("written");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).expect("permitted");
}

impl MockInsurer {
    /// Starts a mock insurer with the secret of [`catalogue_asking`], on an address.
    pub fn sharing(here: &Path, address: &str, arguments: &[&str]) -> MockInsurer {
        write_secret(&here.join("shared"));
        MockInsurer::start_at(here, address, &[&SHARED[..], arguments].concat())
    }
}

/// An address of this machine with any free port.
pub const ANYWHERE: &str = "127.0.0.1:0";

/// Flags that give a mock insurer the shared secret.
const SHARED: [&str; 4] = ["--authentication", "hmac", "--secret-file", "shared"];

/// A partner's token for business requests. It stays valid after restarts on other ports, if every server
/// gets the same `--base-url`.
pub async fn token_of(base: &str, partner: &serde_json::Value) -> String {
    token_for(base, partner, "business").await
}

/// A token of a partner for one scope.
pub async fn token_for(base: &str, partner: &serde_json::Value, scope: &str) -> String {
    let body = serde_json::json!({ "client_id": partner["client_id"], "client_secret": partner["client_secret"], "scopes": [scope] });
    let answer = reqwest::Client::new().post(format!("{base}/v1/auth/token")).json(&body).send().await;
    let answer: serde_json::Value = answer.expect("an answer").json().await.expect("JSON");
    answer["payload"]["access_token"].as_str().expect("a token").to_owned()
}
