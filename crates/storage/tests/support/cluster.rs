//! A throw-away PostgreSQL cluster, with a database for each test.
//!
//! The first test of a process starts it from the installed programs, and all tests share it. It is in memory
//! if `/dev/shm` is large enough, syncs like a real one, and listens only on this machine. A watcher stops
//! and removes it when the process ends for any reason.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[path = "address.rs"]
pub mod address;

use self::address::reserved;

/// Folder where Debian installs the programs, which need not be on the path.
const FOLDER: &str = "/usr/lib/postgresql";

/// Environment variable: folder with another server's programs, to be used if it is set.
const OTHER: &str = "COVERNOTE_TEST_POSTGRES";

/// Environment variable: folder for the cluster, such as one on a disk with more room than the memory.
const PLACE: &str = "COVERNOTE_TEST_POSTGRES_FOLDER";

/// User that runs the server if the tests run as root, which PostgreSQL refuses.
const USER: &str = "postgres";

/// Bytes that a cluster may need. Containers often have very little memory for files.
const ENOUGH: u64 = 6 << 30;

/// Running cluster.
pub struct Cluster {
    folder: PathBuf,
    port: u16,
    /// Ports of the Citus workers, if the cluster is a coordinator of Citus.
    workers: Vec<u16>,
}

/// Spreads the tables of a new store in the database at an address. A store without keys is the same for
/// every test, so this is done once and each test gets a copy.
pub type Spread = fn(&str);

/// Database that all others are copied from, if tables are spread.
const TEMPLATE: &str = "spread_template";

static SPREAD: OnceLock<Spread> = OnceLock::new();

/// Whether the tests run on Citus.
pub fn is_citus() -> bool {
    std::env::var("COVERNOTE_TEST_ENGINE").as_deref() == Ok("citus")
}

/// Sets how tables are spread. Call it before the first use of the cluster.
pub fn spread_by(spread: Spread) {
    let _ = SPREAD.set(spread);
}

/// Port of PgBouncer in front of this process's cluster. Few sessions serve many clients, one transaction
/// each, so that no two statements can rely on the same session.
fn pooler() -> u16 {
    static POOLER: OnceLock<u16> = OnceLock::new();
    *POOLER.get_or_init(|| cluster().start_pooler())
}

/// The one cluster of this process.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(Cluster::start)
}

impl Cluster {
    fn start() -> Self {
        let memory = Path::new("/dev/shm");
        let home = match std::env::var_os(PLACE) {
            Some(named) => PathBuf::from(named),
            None if room_in(memory) >= ENOUGH => memory.to_owned(),
            None => std::env::temp_dir(),
        };
        let folder =
            tempfile::Builder::new().prefix("covernote-postgres-").tempdir_in(home).expect("a folder").keep();
        if is_root() {
            run(Command::new("chown").arg(USER).arg(&folder));
        }
        let libraries = if is_citus() { "citus,pg_stat_statements" } else { "pg_stat_statements" };
        let port = start_node(&folder, "data", libraries);
        let workers = if is_citus() { vec!["worker_1", "worker_2"] } else { vec![] };
        let workers = workers.into_iter().map(|name| start_node(&folder, name, libraries)).collect();
        let cluster = Cluster { folder, port, workers };
        for port in cluster.nodes() {
            cluster.say_to(port, "postgres", "create extension pg_stat_statements");
        }
        cluster
    }

    /// Creates a database with a spread store that has no keys yet. It then refuses connections, because a
    /// copy needs the database unused, and Citus keeps sessions in every database.
    fn make_template(&self) {
        self.make_with_citus(TEMPLATE);
        SPREAD.get().expect("the test binary says how tables are spread")(&self.address(TEMPLATE));
        self.say(TEMPLATE, "delete from keys");
        for port in self.nodes() {
            self.say_to(port, "postgres", &format!("alter database {TEMPLATE} allow_connections false"));
        }
        for port in self.nodes() {
            let end = format!(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{TEMPLATE}'"
            );
            self.say_to(port, "postgres", &end);
        }
    }

    /// Creates an empty database with Citus that knows its workers.
    pub fn make_with_citus(&self, name: &str) {
        for port in self.nodes() {
            self.say_to(port, "postgres", &format!("create database {name}"));
            self.say_to(port, name, "create extension citus");
        }
        self.say(name, &format!("select citus_set_coordinator_host('127.0.0.1', {})", self.port));
        for worker in &self.workers {
            self.say(name, &format!("select citus_add_node('127.0.0.1', {worker})"));
        }
    }

    /// Ports of all nodes.
    fn nodes(&self) -> impl Iterator<Item = u16> {
        std::iter::once(self.port).chain(self.workers.iter().copied())
    }

    fn start_pooler(&self) -> u16 {
        let (path, port) = (self.folder.join("pgbouncer.ini"), reserved().port());
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={} user=covernote\n\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 1000\n\
             logfile = {}\n",
            self.port,
            self.folder.join("pgbouncer.log").display(),
        );
        std::fs::write(&path, settings).expect("written");
        let mut pgbouncer = as_server_at(Path::new("/usr/sbin/pgbouncer"));
        pgbouncer.arg("-q").arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        stop_with_this_process(&mut pgbouncer);
        for _ in 0..200 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return port;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("PgBouncer does not come up; scripts/test installs it");
    }

    /// Address of a database through PgBouncer.
    pub fn pooled_address(&self, database: &str) -> String {
        format!("postgres://covernote@127.0.0.1:{}/{database}", pooler())
    }

    /// Makes the server accept TLS too. Returns the file of the authority that signed its certificate.
    pub fn speaks_tls(&self) -> PathBuf {
        let made = self.folder.join("tls");
        std::fs::create_dir(&made).expect("a folder");
        let (authority, key, certificate) =
            (made.join("authority.pem"), made.join("server.key"), made.join("server.pem"));
        let openssl = |arguments: &[&str]| {
            run(Command::new("openssl").args(arguments).current_dir(&made));
        };
        openssl(&[
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "authority.key",
            "-out",
            "authority.pem",
            "-subj",
            "/CN=Test authority",
            "-days",
            "2",
        ]);
        openssl(&[
            "req",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "server.key",
            "-out",
            "server.csr",
            "-subj",
            "/CN=test",
        ]);
        std::fs::write(made.join("names"), "subjectAltName = IP:127.0.0.1\n").expect("written");
        openssl(&[
            "x509",
            "-req",
            "-in",
            "server.csr",
            "-CA",
            "authority.pem",
            "-CAkey",
            "authority.key",
            "-CAcreateserial",
            "-extfile",
            "names",
            "-out",
            "server.pem",
            "-days",
            "2",
        ]);
        if is_root() {
            run(Command::new("chown").arg(USER).args([&key, &certificate]));
        }
        run(Command::new("chmod").arg("600").arg(&key));
        for (name, value) in [("ssl_cert_file", &certificate), ("ssl_key_file", &key)] {
            self.say("postgres", &format!("alter system set {name} = '{}'", value.display()));
        }
        self.say("postgres", "alter system set ssl = on");
        self.say("postgres", "select pg_reload_conf()");
        authority
    }

    /// Number of transactions that the workers of a database committed in two phases.
    pub fn two_phase_commits_in(&self, database: &str) -> u64 {
        let count = format!(
            "select coalesce(sum(calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid \
             where datname = '{database}' and query ilike 'prepare transaction%'"
        );
        let on = |port: &u16| self.say_to(*port, "postgres", &count).parse::<u64>().expect("a number");
        self.workers.iter().map(on).sum()
    }

    /// Number of statements executed in a database, without those whose text contains one of `aside`.
    pub fn statements_in(&self, database: &str, aside: &[&str]) -> u64 {
        let aside: String = aside.iter().map(|text| format!(" and query not like '%{text}%'")).collect();
        let said = self.say(
            "postgres",
            &format!(
                "select coalesce(sum(calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid \
                 where datname = '{database}'{aside}"
            ),
        );
        said.parse().expect("a number")
    }

    pub fn address(&self, database: &str) -> String {
        address(self.port, database)
    }

    /// Creates a database and returns its name. It is empty, or has a spread store without content.
    pub fn database(&self) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        static TEMPLATE_MADE: OnceLock<()> = OnceLock::new();
        let template = if is_citus() {
            TEMPLATE_MADE.get_or_init(|| self.make_template());
            TEMPLATE
        } else {
            "template1"
        };
        for port in self.nodes() {
            self.say_to(port, "postgres", &format!("create database {name} template {template}"));
        }
        name
    }

    /// Restores a dump of one database into another, empty one.
    pub fn copy_database(&self, from: &str, to: &str) {
        self.load(to, &self.dump(from));
    }

    /// A dump of a database, as SQL.
    pub fn dump(&self, database: &str) -> Vec<u8> {
        let dump = Command::new(program("pg_dump")).args(["--no-owner", &self.address(database)]).output();
        let dump = dump.expect("pg_dump starts");
        assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
        dump.stdout
    }

    /// Loads a dump into an empty database.
    pub fn load(&self, to: &str, dump: &[u8]) {
        let mut psql = psql(&self.address(to), "");
        psql.args(["--file", "-"]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut psql = psql.spawn().expect("psql starts");
        psql.stdin.take().expect("piped").write_all(dump).expect("restored");
        assert!(psql.wait().expect("psql ends").success(), "the dump is not restored");
    }

    /// Drops a database even if it is in use, without waiting.
    pub fn drop_database(&self, name: &str) {
        for port in self.nodes() {
            let mut psql = psql(&address(port, "postgres"), &format!("drop database {name} with (force)"));
            psql.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            if let Ok(child) = psql.spawn() {
                std::mem::forget(child);
            }
        }
    }

    /// Executes statements in a database. Returns their output as text.
    pub fn say(&self, database: &str, statements: &str) -> String {
        run(&mut self.psql(database, statements))
    }

    fn say_to(&self, port: u16, database: &str, statements: &str) -> String {
        run(&mut psql(&address(port, database), statements))
    }

    /// Executes statements in a database that may refuse them.
    pub fn try_say(&self, database: &str, statements: &str) -> Result<String, String> {
        let said = self.psql(database, statements).stdin(Stdio::null()).output().expect("psql");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if said.status.success() { Ok(text(&said.stdout)) } else { Err(text(&said.stderr)) }
    }

    /// Executes a statement in a database. Returns its output as bytes.
    pub fn bytes(&self, database: &str, statement: &str) -> Vec<u8> {
        let said = self.psql(database, statement).stdin(Stdio::null()).output().expect("psql");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        said.stdout
    }

    fn psql(&self, database: &str, statements: &str) -> Command {
        psql(&self.address(database), statements)
    }
}

fn address(port: u16, database: &str) -> String {
    format!("postgres://covernote@127.0.0.1:{port}/{database}")
}

fn psql(address: &str, statements: &str) -> Command {
    let mut psql = Command::new(program("psql"));
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address]);
    psql.args(["-c", statements]);
    psql
}

/// Creates a server in the cluster's folder and starts it. Returns its port.
fn start_node(folder: &Path, name: &str, libraries: &str) -> u16 {
    let (data, log) = (folder.join(name), folder.join(format!("{name}.log")));
    let initdb = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--username=covernote"];
    run(as_server("initdb").arg("-D").arg(&data).args(initdb));
    // Each of hundreds of databases has its own statements. If there are more than the limit, counts are
    // lost.
    let mut settings = format!(
        "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 400\n\
         shared_buffers = 128MB\nshared_preload_libraries = '{libraries}'\n\
         pg_stat_statements.max = 250000\nlogging_collector = off\n\
         jit = off\nautovacuum_naptime = 5s\n"
    );
    if is_citus() {
        // Citus needs a session for each database that is used.
        settings += "max_prepared_transactions = 400\nmax_worker_processes = 200\nwal_level = logical\n\
                     citus.node_conninfo = 'sslmode=disable'\ncitus.enable_statistics_collection = off\n";
    }
    append(&data.join("postgresql.conf"), &settings);
    let start = |port: u16| {
        let mut start = as_server("pg_ctl");
        start.arg("-D").arg(&data).arg("-l").arg(&log).args(["-w", "-t", "60", "-o", &format!("-p {port}")]);
        start.arg("start").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        start.status().is_ok_and(|status| status.success())
    };
    // Another process may take the port before the server does.
    let port = (0..5).map(|_| reserved().port()).find(|port| start(*port)).unwrap_or_else(|| {
        panic!("PostgreSQL does not start: {}", std::fs::read_to_string(&log).unwrap_or_default())
    });
    watch(folder, &data);
    port
}

/// Stops the cluster and removes its folder after this process has ended for any reason.
fn watch(folder: &Path, data: &Path) {
    let stop = format!(
        "{stop} -D '{data}' -m immediate stop; rm -rf '{folder}'",
        stop = shown(&as_server("pg_ctl")),
        data = data.display(),
        folder = folder.display(),
    );
    once_this_process_is_gone(&stop);
}

fn once_this_process_is_gone(command: &str) {
    let me = std::process::id();
    let wait = format!("while kill -0 {me} 2>/dev/null; do sleep 0.2; done; {command}");
    let mut watcher = Command::new("setsid");
    watcher.args(["sh", "-c", &wait]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The watcher is not awaited, because it waits for this process.
    std::mem::forget(watcher.spawn().expect("a watcher"));
}

/// Starts a program that is killed after this process has ended.
fn stop_with_this_process(command: &mut Command) {
    let child =
        command.spawn().unwrap_or_else(|cause| panic!("{command:?}: {cause}; scripts/test installs it"));
    once_this_process_is_gone(&format!("pkill -P {0}; kill {0}", child.id()));
    std::mem::forget(child);
}

/// Command for a program of the server, run as the user that it allows.
fn as_server(name: &str) -> Command {
    as_server_at(&program(name))
}

fn as_server_at(path: &Path) -> Command {
    if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", USER, "--"]).arg(path).current_dir("/");
        command
    } else {
        Command::new(path)
    }
}

fn shown(command: &Command) -> String {
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(command.get_program().to_string_lossy().into_owned())
        .chain(arguments)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Path of a server's program: from the folder in the environment, else of the newest installed server.
pub fn program(name: &str) -> PathBuf {
    if let Some(other) = std::env::var_os(OTHER) {
        let folder = PathBuf::from(other);
        assert!(
            folder.join("postgres").exists(),
            "{OTHER} is {}, where there is no server",
            folder.display()
        );
        let path = folder.join(name);
        if path.exists() {
            return path;
        }
    }
    let versions = std::fs::read_dir(FOLDER).into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            let path = version.path().join("bin").join(name);
            path.exists().then_some((number, path))
        })
        .collect();
    found.sort();
    match found.pop() {
        Some((_, path)) => path,
        None => {
            panic!("PostgreSQL is not installed: there is no {FOLDER}/*/bin/{name}; scripts/test installs it")
        }
    }
}

/// Free bytes in a folder, or 0 if there is no such folder.
fn room_in(folder: &Path) -> u64 {
    let told = Command::new("df").args(["--output=avail", "-B1"]).arg(folder).output();
    let told = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default();
    told.lines().last().and_then(|line| line.trim().parse().ok()).unwrap_or(0)
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0)
}

/// Appends to a file that belongs to the server's user.
fn append(path: &Path, text: &str) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("the settings");
    file.write_all(text.as_bytes()).expect("written");
}

fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|cause| panic!("{command:?}: {cause}"));
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
