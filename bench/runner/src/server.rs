//! Processes of the measured servers.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{Bench, Fault};

/// Settings of a server that differ from the defaults of the benchmarks.
#[derive(Default)]
pub(crate) struct Manner {
    /// Address of its PostgreSQL database. `None` for SQLite in its own folder.
    pub(crate) database: Option<String>,
    /// Whether it writes a log line for each request, which is covernote's default.
    pub(crate) logs: bool,
    /// Microseconds added to each sync.
    pub(crate) slow_sync: Option<u32>,
    /// Other settings, as environment variables.
    pub(crate) settings: Vec<(&'static str, String)>,
}

/// Running server. Dropping it kills the process.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// Folder with its store and log.
    pub(crate) home: PathBuf,
}

impl Server {
    /// Starts covernote in the folder `home`.
    pub(crate) fn covernote(bench: &Bench, home: &Path, manner: &Manner) -> Result<Self, Fault> {
        let address = free_address()?;
        let mut command = Command::new(bench.built.join("covernote"));
        command.args(["serve", "--data", "data", "--listen", &address]);
        // The same for all processes, so that each accepts the tokens of the others.
        command.args(["--base-url", "http://127.0.0.1:1"]);
        command.args(["--log-level", if manner.logs { "info" } else { "warn" }]);
        if let Some(database) = &manner.database {
            command.args(["--database", database]);
        }
        if let Some(micros) = manner.slow_sync {
            command.env("LD_PRELOAD", slow_sync(bench)?).env("SLOW_SYNC_MICROS", micros.to_string());
        }
        for (name, value) in &manner.settings {
            command.env(name, value);
        }
        Server::start(command, home, address)
    }

    /// Starts the ceiling, which always sends `answer`.
    pub(crate) fn ceiling(bench: &Bench, home: &Path, answer: &str) -> Result<Self, Fault> {
        let address = free_address()?;
        fs::create_dir_all(home)?;
        fs::write(home.join("answer"), answer)?;
        let mut command = Command::new(bench.built.join("ceiling"));
        command.args(["answer", &address]);
        Server::start(command, home, address)
    }

    fn start(mut command: Command, home: &Path, address: String) -> Result<Self, Fault> {
        let log = File::create(home.join("log"))?;
        command.current_dir(home).stdout(Stdio::null()).stderr(log);
        let mut server = Server { child: command.spawn()?, address, home: home.to_owned() };
        let begun = Instant::now();
        while TcpStream::connect(&server.address).is_err() {
            if server.child.try_wait()?.is_some() || begun.elapsed() > Duration::from_secs(30) {
                return Err(
                    format!("a server did not start: {}", fs::read_to_string(home.join("log"))?).into()
                );
            }
            sleep(Duration::from_millis(1));
        }
        Ok(server)
    }

    /// CPU time that it has used, in microseconds.
    pub(crate) fn processor_micros(&self) -> f64 {
        processor_micros(self.child.id())
    }

    /// Its resident memory (RSS) in MB.
    pub(crate) fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let kilobytes =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
        kilobytes.and_then(|number| number.parse::<f64>().ok()).map_or(f64::NAN, |number| number / 1024.0)
    }

    /// Empties its log, which would otherwise fill the disk.
    pub(crate) fn forget_log(&self) -> Result<(), Fault> {
        Ok(File::options().write(true).open(self.home.join("log"))?.set_len(0)?)
    }

    /// Stops it with SIGTERM, as an operator would. Returns its folder.
    pub(crate) fn stop(mut self) -> Result<PathBuf, Fault> {
        Command::new("kill").arg(self.child.id().to_string()).status()?;
        let home = self.home.clone();
        if self.child.wait()?.success() {
            return Ok(home);
        }
        Err(format!("a server did not stop cleanly: {}", fs::read_to_string(home.join("log"))?).into())
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(mut self) -> Result<(), Fault> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Address of this machine with a free port.
pub(crate) fn free_address() -> Result<String, Fault> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

/// CPU time of a process in microseconds, including system calls. The system counts it in hundredths of a second.
pub(crate) fn processor_micros(process: u32) -> f64 {
    let line = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The process name comes first, in brackets. It may contain any character.
    let fields: Vec<&str> = line.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|number| number.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) * 10_000.0
}

/// Builds the library that makes syncs slow, unless it is already built. Returns its path.
fn slow_sync(bench: &Bench) -> Result<PathBuf, Fault> {
    let library = bench.folder.path().join("slow_sync.so");
    if !library.exists() {
        let source = bench.files.join("slow_sync.c");
        let built =
            Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).status()?;
        if !built.success() {
            return Err("slow_sync.c does not compile".into());
        }
    }
    Ok(library)
}
