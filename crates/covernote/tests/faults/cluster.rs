//! A temporary PostgreSQL cluster with failures: restarted at once, unavailable for a while, replaced by its
//! standby, read-only, without free connections.
//!
//! It runs the installed programs, syncs to the disk as in production, and listens on this machine only. It
//! is stopped and removed when it is dropped. If the tests end in another way, a watcher does this.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::address::reserved;
use crate::frozen::Frozen;
use crate::full_disk::SmallDisk;

/// Debian's folder with the programs of each version.
pub const VERSIONS: &str = "/usr/lib/postgresql";

/// The system user that runs PostgreSQL if the tests run as root, because PostgreSQL refuses root.
pub const SYSTEM_USER: &str = "postgres";

/// The role that creates databases.
const OWNER: &str = "postgres";

/// The service's role. It is not a superuser, for whom PostgreSQL reserves connections.
const ROLE: &str = "service";

/// The role of sessions that block the service's.
const EATER: &str = "eater";

/// Most sessions of the cluster, few enough to be used up.
const SESSIONS: usize = 100;

/// Ends all present sessions of the service.
const END_SESSIONS: &str =
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'covernote'";

pub struct Cluster {
    home: tempfile::TempDir,
    port: u16,
    watcher: Child,
}

impl Cluster {
    /// Creates a cluster and starts it.
    pub fn start() -> Cluster {
        Cluster::start_in(home())
    }

    /// Creates a cluster with its tables on a small disk and its log on another disk, and starts it.
    pub fn on_small_disk(megabytes: u32) -> (Cluster, SmallDisk) {
        let home = home();
        let data = home.path().join("data");
        let disk = SmallDisk::mount(&data, megabytes);
        run(Command::new("chown").arg(SYSTEM_USER).arg(&data));
        (Cluster::start_in(home), disk)
    }

    fn start_in(home: tempfile::TempDir) -> Cluster {
        let (data, log) = (home.path().join("data"), home.path().join("wal"));
        let how =
            ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions", "--no-sync", "--username"];
        run(as_server("initdb").arg("-D").arg(&data).arg("-X").arg(&log).args(how).arg(OWNER));
        let cluster = Cluster::begin(home);
        cluster.say("postgres", &format!("create role {ROLE} login; create role {EATER} login"));
        cluster
    }

    /// Starts the cluster in a folder.
    fn begin(home: tempfile::TempDir) -> Cluster {
        let port = reserved().port();
        let settings = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n\
             max_connections = {SESSIONS}\nshared_buffers = 64MB\nfsync = on\nsynchronous_commit = on\n\
             full_page_writes = on\nwal_level = replica\nhot_standby = on\n"
        );
        let path = home.path().join("data/postgresql.conf");
        let file = std::fs::OpenOptions::new().append(true).open(path);
        file.expect("its settings").write_all(settings.as_bytes()).expect("written");
        let watcher = watch(home.path());
        let cluster = Cluster { home, port, watcher };
        cluster.start_again();
        cluster
    }

    /// The folder that contains all its files.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    fn control(&self) -> Command {
        let mut control = as_server("pg_ctl");
        control.arg("-D").arg(self.home.path().join("data")).arg("-l").arg(self.home.path().join("log"));
        control.args(["-w", "-t", "60"]);
        control
    }

    /// The address of a database, for the service's settings.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{ROLE}@127.0.0.1:{}/{database}", self.port)
    }

    /// The address of a database on this cluster or on another one, whichever is the primary.
    pub fn url_with(&self, other: &Cluster, database: &str) -> String {
        format!("postgres://{ROLE}@127.0.0.1:{},127.0.0.1:{}/{database}", self.port, other.port)
    }

    /// Creates a database, and returns its address.
    pub fn database(&self, name: &str) -> String {
        self.say("postgres", &format!("create database {name} owner {ROLE}"));
        self.url(name)
    }

    /// Executes a statement, and returns its result as text.
    pub fn say(&self, database: &str, statement: &str) -> String {
        say(&self.owners(database), statement)
    }

    fn owners(&self, database: &str) -> String {
        format!("postgres://{OWNER}@127.0.0.1:{}/{database}", self.port)
    }

    fn tell(&self, statement: &str) -> Command {
        psql(&self.owners("postgres"), statement)
    }

    /// Kills all its processes at once, as a crash would, and starts it again. Returns once it accepts
    /// sessions.
    pub fn restart_immediate(&self) {
        self.stop();
        self.start_again();
    }

    /// Kills all its processes at once.
    pub fn stop(&self) {
        run(self.control().args(["-m", "immediate", "stop"]));
    }

    /// Starts it again. Returns once it accepts sessions.
    pub fn start_again(&self) {
        run(self.control().arg("start"));
    }

    /// Creates a synchronous standby: from now on, an acknowledged commit of this cluster is on both.
    pub fn standby(&self) -> Cluster {
        let home = home();
        let primary = format!("host=127.0.0.1 port={} user={OWNER} application_name=standby", self.port);
        let how =
            ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync", "--dbname"];
        run(as_server("pg_basebackup").args(how).arg(primary).arg("-D").arg(home.path().join("data")));
        let standby = Cluster::begin(home);
        self.say("postgres", "alter system set synchronous_standby_names = 'standby'");
        self.say("postgres", "select pg_reload_conf()");
        let asked = Instant::now();
        while self.say("postgres", "select sync_state from pg_stat_replication") != "sync" {
            assert!(asked.elapsed() < Duration::from_secs(30), "the standby does not follow");
            std::thread::sleep(Duration::from_millis(20));
        }
        standby
    }

    /// Stops all its processes, with open sockets, until the returned value is dropped.
    pub fn freeze(&self) -> Frozen {
        Frozen::stop(vec![postmaster_of(&self.home.path().join("data")).expect("it runs")])
    }

    /// Promotes a standby. Returns once it accepts writes.
    pub fn promote(&self) {
        run(self.control().arg("promote"));
    }

    /// Makes all present and future sessions read-only. Ends present sessions, which could wait for a standby
    /// that no longer follows.
    pub fn turn_read_only(&self) {
        self.say("postgres", "alter system set default_transaction_read_only = on");
        self.say("postgres", "select pg_reload_conf()");
        std::thread::sleep(Duration::from_millis(200));
        run(&mut self.tell(END_SESSIONS));
    }

    fn end_sessions(&self) {
        let end =
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'covernote'";
        self.say("postgres", end);
    }

    /// Stops the WAL writer, which would write the log for commits that did not wait for it.
    pub fn hold_log_writer(&self) {
        let pid = self.say("postgres", "select pid from pg_stat_activity where backend_type = 'walwriter'");
        let pid = pid.parse().ok().and_then(Pid::from_raw).expect("a process");
        kill_process(pid, Signal::STOP).expect("it is there");
    }

    /// Stops this standby's WAL receiver, as if its machine hung, until the returned value is dropped.
    pub fn hold_receiver(&self) -> Held {
        let pid = self.say("postgres", "select pid from pg_stat_wal_receiver");
        let pid = pid.parse().ok().and_then(Pid::from_raw).expect("a process");
        kill_process(pid, Signal::STOP).expect("it is there");
        Held(pid)
    }

    /// Limits the number of sessions of the service. -1: no limit.
    fn limit_sessions(&self, most: i32) {
        let asked = Instant::now();
        // Refused while refused clients use the connection slots that are reserved for this role.
        let statement = format!("alter role {ROLE} connection limit {most}");
        while !self.tell(&statement).output().expect("psql").status.success() {
            assert!(asked.elapsed() < Duration::from_secs(30), "the cluster takes no session of its owner");
        }
    }

    /// Takes all sessions that the service does not have yet, until the returned value is dropped.
    pub fn eat_free_connections(&self) -> Eaten {
        let eaten = self.begin_to_eat();
        let free = || {
            let sessions = self.say(
                "postgres",
                "select count(*) from pg_stat_activity where backend_type = 'client backend'",
            );
            // Without the session that asks, which is the owner's and uses a reserved slot.
            self.most_sessions() > sessions.parse::<usize>().expect("a number") - 1
        };
        let asked = Instant::now();
        while free() {
            assert!(asked.elapsed() < Duration::from_secs(30), "the free sessions cannot be taken");
            std::thread::sleep(Duration::from_millis(10));
        }
        eaten
    }

    /// Number of sessions for roles that are not superusers.
    fn most_sessions(&self) -> usize {
        let reserved = self.say("postgres", "show superuser_reserved_connections");
        SESSIONS - reserved.parse::<usize>().expect("a number")
    }

    fn begin_to_eat(&self) -> Eaten {
        let (stop, eaten) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let eater = std::thread::spawn({
            let (stop, eaten, port) = (stop.clone(), eaten.clone(), self.port);
            move || {
                let mut sessions = Vec::new();
                while !stop.load(Ordering::SeqCst) {
                    match session(port) {
                        Some(session) => sessions.push(session),
                        None => std::thread::sleep(Duration::from_millis(1)),
                    }
                    eaten.store(sessions.len(), Ordering::SeqCst);
                }
            }
        });
        Eaten { stop, eaten, eater: Some(eater) }
    }

    /// Takes all sessions that the service could have, also its present ones, until the returned value is
    /// dropped.
    pub fn eat_connections(&self) -> Eaten {
        let (most, eaten) = (self.most_sessions(), self.begin_to_eat());
        // Without this limit, the service could open a new session for each that it loses.
        self.limit_sessions(0);
        let asked = Instant::now();
        while eaten.eaten.load(Ordering::SeqCst) < most {
            assert!(asked.elapsed() < Duration::from_secs(30), "the service's sessions cannot be taken");
            // Sometimes this is refused: a refused client also uses a connection slot for a moment.
            let _ = self.tell(END_SESSIONS).output();
        }
        self.limit_sessions(-1);
        eaten
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.watcher.kill();
        let _ = self.watcher.wait();
        let mut stop = self.control();
        let _ = stop.args(["-m", "immediate", "stop"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// A stopped process. It continues when this is dropped.
pub struct Held(Pid);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::CONT);
    }
}

/// Sessions that block others. They end when this is dropped.
pub struct Eaten {
    stop: Arc<AtomicBool>,
    /// Number of blocking sessions.
    eaten: Arc<AtomicUsize>,
    eater: Option<JoinHandle<()>>,
}

impl Drop for Eaten {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(eater) = self.eater.take() {
            let _ = eater.join();
        }
    }
}

/// An idle session, or `None` if no slot is free.
fn session(port: u16) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let asked = format!("user\0{EATER}\0database\0postgres\0application_name\0eater\0\0");
    let length = u32::try_from(asked.len() + 8).expect("short");
    let version: u32 = 3 << 16;
    stream.write_all(&[&length.to_be_bytes(), &version.to_be_bytes(), asked.as_bytes()].concat()).ok()?;
    // Z: the session is ready. E: no slot is free, which may be reported after the authentication.
    loop {
        let mut head = [0; 5];
        stream.read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes(head[1..].try_into().expect("4 bytes"));
        stream.read_exact(&mut vec![0; length as usize - 4]).ok()?;
        match head[0] {
            b'Z' => return Some(stream),
            b'E' => return None,
            _ => {}
        }
    }
}

/// The main process of the server on a data folder, if one runs.
pub fn postmaster_of(data: &Path) -> Option<Pid> {
    let text = std::fs::read_to_string(data.join("postmaster.pid")).ok()?;
    Pid::from_raw(text.lines().next()?.parse().ok()?)
}

/// Executes a statement on the database at an address, and returns its result as text.
pub fn say(address: &str, statement: &str) -> String {
    run(&mut psql(address, statement))
}

fn psql(address: &str, statement: &str) -> Command {
    let mut psql = Command::new(program("psql"));
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, "-d", address]);
    psql
}

/// A folder that belongs to the server's user.
pub fn home() -> tempfile::TempDir {
    let home = tempfile::Builder::new().prefix("covernote-postgres-").tempdir().expect("a folder");
    if is_root() {
        run(Command::new("chown").arg(SYSTEM_USER).arg(home.path()));
    }
    home
}

/// Stops a cluster and removes its folder once this process is gone, for whatever reason.
fn watch(home: &Path) -> Child {
    let mut stop = as_server("pg_ctl");
    stop.arg("-D").arg(home.join("data")).args(["-m", "immediate", "stop"]);
    let words = std::iter::once(stop.get_program()).chain(stop.get_args());
    let stop: Vec<String> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
    let script = format!(
        "while kill -0 {} 2>/dev/null; do sleep 0.5; done; {}; rm -rf '{}'",
        std::process::id(),
        stop.join(" "),
        home.display(),
    );
    let mut watcher = Command::new("setsid");
    watcher.args(["sh", "-c", &script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    watcher.spawn().expect("a watcher")
}

/// A program of PostgreSQL, run by a user that it accepts.
fn as_server(name: &str) -> Command {
    as_system_user(program(name))
}

/// A program, run by the server's user.
pub fn as_system_user(program: impl AsRef<OsStr>) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", SYSTEM_USER, "--"]).arg(program).current_dir("/");
    command
}

/// The newest installed program of this name.
pub fn program(name: &str) -> PathBuf {
    let versions = std::fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions
        .filter_map(|version| Some((number(&version.path())?, version.path().join("bin").join(name))))
        .filter(|(_, program)| program.exists())
        .max();
    let (_, program) = newest.unwrap_or_else(|| {
        panic!("PostgreSQL is required: {VERSIONS}/*/bin/{name} is missing; install the package postgresql")
    });
    program
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

pub fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|cause| panic!("{command:?}: {cause}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    assert!(output.status.success(), "{command:?}: {} {}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_standby_has_every_write_that_its_primary_acknowledged() {
    let primary = Cluster::start();
    let (database, standby) = (primary.database("facts"), primary.standby());
    say(&database, "create table facts (number int)");
    for number in 0..20 {
        say(&database, &format!("insert into facts values ({number})"));
    }
    primary.turn_read_only();
    standby.promote();
    let both = primary.url_with(&standby, "facts");
    assert_eq!(
        say(&format!("{both}?target_session_attrs=read-write"), "insert into facts values (20) returning 1"),
        "1"
    );
    assert_eq!(say(&standby.url("facts"), "select count(*) from facts"), "21");
    assert_eq!(say(&database, "select count(*) from facts"), "20");
    primary.restart_immediate();
    assert_eq!(say(&database, "select count(*) from facts"), "20");
}
