//! The engine of a test's store: SQLite, or by `COVERNOTE_TEST_ENGINE` PostgreSQL, or Citus with a
//! coordinator and two workers. `scripts/test` runs the API tests on the first two, and on Citus if it is
//! installed.

use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use covernote::wiring::OsRandom;
use service::clock::{Clock, Random};
use service::storage::Storage;
use storage::postgres::Database;
use storage::snapshot::Snapshot;
use storage::verify::Scope;
use storage::{Keyring, Postgres, Sqlite};

use super::cluster::{Cluster, cluster, spread_by};
use super::relay::Relay;

/// A test's store, for changes that no request can make.
pub enum Engine {
    /// The database file.
    Sqlite(Place<PathBuf>),
    /// The database's name in this process's cluster.
    Postgres(Place<String>),
}

/// Location of a test's store.
pub struct Place<T> {
    at: T,
    /// Whether the test changed the store behind the service.
    is_changed: AtomicBool,
}

impl<T> From<T> for Place<T> {
    fn from(at: T) -> Self {
        Place { at, is_changed: AtomicBool::new(false) }
    }
}

impl<T> Deref for Place<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.at
    }
}

/// A database of the cluster, with the settings of a process.
fn database(name: &str) -> Database {
    let address = cluster().address(name);
    Database { address, connections: 8, pooler: false, reads_standbys: false, unsafe_is_fine: false }
}

impl Engine {
    /// A new store. Its folder has the keyring and, on SQLite, the database.
    pub fn chosen(folder: &Path) -> Self {
        match std::env::var("COVERNOTE_TEST_ENGINE").as_deref() {
            Err(_) | Ok("sqlite") => Engine::Sqlite(folder.join(storage::sqlite::FILE).into()),
            Ok("postgres" | "citus") => Engine::postgres(),
            Ok(other) => {
                panic!("COVERNOTE_TEST_ENGINE is sqlite, postgres or citus, and {other:?} is none of them")
            }
        }
    }

    /// A new store in its own database.
    pub fn postgres() -> Self {
        spread_by(spread);
        Engine::Postgres(cluster().database().into())
    }

    /// The database's address for a program's settings. `None` on SQLite, whose file is in the folder.
    pub fn address(&self) -> Option<String> {
        match self {
            Engine::Sqlite(_) => None,
            Engine::Postgres(name) => Some(cluster().address(name)),
        }
    }

    fn changed(&self) -> &AtomicBool {
        match self {
            Engine::Sqlite(file) => &file.is_changed,
            Engine::Postgres(name) => &name.is_changed,
        }
    }

    /// Whether the test changed the store behind the service.
    pub fn is_changed(&self) -> bool {
        self.changed().load(Ordering::Relaxed)
    }

    /// Every fault that a verification finds.
    pub fn faults(&self, folder: &Path) -> Vec<String> {
        let keyring = Keyring::read(folder.join("keyring").as_path()).expect("a keyring");
        let verified = match self {
            Engine::Sqlite(_) => {
                let store = Snapshot::of_folder(folder, || false).expect("a store");
                store.verify(&keyring, Scope::Everything, &mut |_, _| {}).expect("it opens")
            }
            Engine::Postgres(name) => {
                let database = database(name);
                // On its own thread: it blocks while it waits for the server.
                let verify = || Postgres::verify(&database, &keyring, Scope::Everything, &mut |_, _| {});
                std::thread::scope(|scope| scope.spawn(verify).join()).expect("no panic").expect("it opens")
            }
        };
        verified.faults.iter().map(ToString::to_string).collect()
    }

    /// Every fault in a backup made now: by the program's own backup on SQLite, by `pg_dump` on PostgreSQL.
    pub fn faults_of_backup(&self, folder: &Path) -> Vec<String> {
        let keyring = Keyring::read(folder.join("keyring").as_path()).expect("a keyring");
        let verified = match self {
            Engine::Sqlite(_) => {
                let store = Snapshot::of_folder(folder, || false).expect("a store");
                let copy = store.copy(&folder.join("backup"), &mut |_, _| {}).expect("copied");
                let copy = copy.snapshot().expect("a store");
                copy.verify(&keyring, Scope::Everything, &mut |_, _| {}).expect("it opens")
            }
            Engine::Postgres(name) => {
                let spare = cluster().database();
                cluster().copy_database(name, &spare);
                let database = database(&spare);
                let verify = || Postgres::verify(&database, &keyring, Scope::Everything, &mut |_, _| {});
                let verified = std::thread::scope(|scope| scope.spawn(verify).join());
                cluster().drop_database(&spare);
                verified.expect("no panic").expect("it opens")
            }
        };
        verified.faults.iter().map(ToString::to_string).collect()
    }

    /// A relay to the PostgreSQL server with this delay.
    pub fn relay(&self, delay: Duration) -> Relay {
        let server = cluster().address("").rsplit_once('@').map(|(_, at)| at.trim_end_matches('/').parse());
        Relay::to(server.expect("a host").expect("an address"), delay)
    }

    /// Opens the store as a process does that connects through a relay.
    pub async fn open_through(
        &self,
        relay: &Relay,
        folder: &Path,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Arc<dyn Storage> {
        let Engine::Postgres(name) = self else { panic!("SQLite has no server") };
        let address = format!("postgres://covernote@127.0.0.1:{}/{}", relay.port, &**name);
        let database = Database { address, ..database(name) };
        let opened = Postgres::open(&database, &folder.join("keyring"), clock, random).await;
        Arc::new(opened.expect("a store"))
    }

    /// Opens the store as a process does.
    pub async fn open(
        &self,
        folder: &Path,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Arc<dyn Storage> {
        let keyring = folder.join("keyring");
        match self {
            Engine::Sqlite(_) => Arc::new(Sqlite::open(folder, &keyring, clock, random).expect("a store")),
            Engine::Postgres(name) => {
                Arc::new(Postgres::open(&database(name), &keyring, clock, random).await.expect("a store"))
            }
        }
    }

    /// Records that the test writes what the service never would, so that the store need not pass
    /// verification.
    pub fn is_changed_by_the_test(&self) {
        self.changed().store(true, Ordering::Relaxed);
    }

    /// Executes statements on the store without the service.
    pub fn says(&self, statements: &str) -> Result<(), String> {
        self.is_changed_by_the_test();
        match self {
            Engine::Sqlite(file) => {
                let store = rusqlite::Connection::open(&**file).expect("the store");
                store.execute_batch(statements).map_err(|fault| fault.to_string())
            }
            Engine::Postgres(name) => cluster().try_say(name, statements).map(|_| ()),
        }
    }

    /// The rows of a query, each column as text.
    pub fn texts(&self, statement: &str) -> Vec<String> {
        match self {
            Engine::Sqlite(path) => {
                let store = rusqlite::Connection::open(&**path).expect("the store");
                let mut read = store.prepare(statement).expect("a statement");
                let rows = read.query_map((), |row| {
                    let value: rusqlite::types::Value = row.get(0)?;
                    Ok(match value {
                        rusqlite::types::Value::Integer(number) => number.to_string(),
                        rusqlite::types::Value::Text(text) => text,
                        other => format!("{other:?}"),
                    })
                });
                rows.expect("rows").map(|text| text.expect("text")).collect()
            }
            Engine::Postgres(name) => cluster().say(name, statement).lines().map(str::to_owned).collect(),
        }
    }

    /// Number of rows of a table, or of a table with a condition.
    pub fn rows_of(&self, table: &str) -> i64 {
        let counted = self.texts(&format!("select count(*) from {table}"));
        counted[0].parse().expect("a number")
    }

    /// Number of counted token generations.
    pub fn tokens(&self) -> i64 {
        let counted =
            self.texts("select cast(coalesce(sum(length(issued) / 8), 0) as text) from token_counts");
        counted[0].parse().expect("a number")
    }

    /// Every table of the store.
    pub fn tables(&self) -> Vec<String> {
        match self {
            Engine::Sqlite(_) => {
                self.texts("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
            }
            Engine::Postgres(_) => self.texts(
                "select relname::text from pg_class where relnamespace = 'public'::regnamespace \
                 and relkind in ('r', 'p') and not relispartition",
            ),
        }
    }

    /// The columns of a table.
    pub fn columns_of(&self, table: &str) -> Vec<String> {
        self.texts(&match self {
            Engine::Sqlite(_) => format!("select name from pragma_table_info('{table}')"),
            Engine::Postgres(_) => {
                format!("select column_name from information_schema.columns where table_name = '{table}'")
            }
        })
    }

    /// An expression for an id that no row has.
    pub fn new_id(&self) -> &'static str {
        match self {
            Engine::Sqlite(_) => "randomblob(16)",
            Engine::Postgres(_) => "gen_random_uuid()",
        }
    }

    /// Damages every body of a table, so that no key opens it.
    pub fn damages(&self, table: &str) {
        let bytes = match self {
            Engine::Sqlite(_) => "x'00112233'",
            Engine::Postgres(_) => "'\\x00112233'",
        };
        self.says(&format!("update {table} set body = {bytes}")).expect("damaged");
    }

    /// Blocks all writes until the returned value is dropped.
    pub fn locks(&self) -> Locked {
        match self {
            Engine::Sqlite(path) => {
                let store = rusqlite::Connection::open(&**path).expect("the store");
                store.execute_batch("begin immediate").expect("locked");
                Locked::Sqlite(store)
            }
            Engine::Postgres(name) => {
                let tables = cluster().say(
                    name,
                    "select string_agg(quote_ident(tablename), ', ') from pg_tables where schemaname = 'public'",
                );
                Locked::Postgres(Session::with(
                    &cluster().address(name),
                    &format!("begin; lock table {tables} in share row exclusive mode;"),
                ))
            }
        }
    }

    /// All bytes of the store.
    pub fn bytes(&self, folder: &Path) -> Vec<u8> {
        let mut bytes = Vec::new();
        let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
        for path in files.filter(|path| path.is_file()) {
            bytes.extend(std::fs::read(path).expect("readable"));
        }
        if let Engine::Postgres(name) = self {
            for table in self.tables() {
                bytes.extend(
                    cluster().bytes(name, &format!("copy (select * from {table}) to stdout (format binary)")),
                );
            }
        }
        assert!(!bytes.is_empty());
        bytes
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Engine::Postgres(name) = self {
            cluster().drop_database(name);
        }
    }
}

/// Creates a store in a Citus database, and distributes its tables.
fn spread(address: &str) {
    let address = address.to_owned();
    let spread = async {
        let database =
            Database { address, connections: 4, pooler: false, reads_standbys: false, unsafe_is_fine: false };
        let folder = tempfile::tempdir().expect("a folder");
        let clock = Arc::new(super::app::ManualClock::new());
        let made =
            Postgres::open(&database, &folder.path().join("keyring"), clock, Arc::new(OsRandom::default()))
                .await;
        drop(made.expect("a store"));
        Postgres::spread(&database, 4).await.expect("spread");
    };
    let run = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(spread)
    };
    std::thread::scope(|scope| scope.spawn(run).join().expect("spread"));
}

/// Locks all writes to the store until it is dropped.
pub enum Locked {
    Sqlite(rusqlite::Connection),
    Postgres(Session),
}

impl Drop for Locked {
    fn drop(&mut self) {
        match self {
            Locked::Sqlite(store) => store.execute_batch("rollback").expect("free"),
            Locked::Postgres(session) => session.end(),
        }
    }
}

/// An open session with the server.
pub struct Session(Child);

impl Session {
    /// Opens a session, executes statements, and waits until they are done.
    fn with(address: &str, statements: &str) -> Self {
        let mut psql = Command::new(super::cluster::program("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address]);
        let mut child =
            psql.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("psql");
        let input = child.stdin.as_mut().expect("piped");
        writeln!(input, "{statements}\n\\echo done").expect("said");
        let mut said = [0; 4];
        let output = child.stdout.as_mut().expect("piped");
        std::io::Read::read_exact(output, &mut said).expect("done");
        assert_eq!(&said, b"done");
        Session(child)
    }

    fn end(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().expect("ended");
    }
}
