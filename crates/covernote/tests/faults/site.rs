//! The environment of a fault test: a data folder, an engine, a partner with a token, servers as processes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use covernote::wiring::{OsRandom, SystemClock};
use domain::id::{PartnerId, Uuid};
use serde_json::{Value, json};
use service::clock::Random;
use service::storage::Storage;
use storage::postgres::Database;
use storage::{Postgres, Sqlite};
use tokio::runtime::Runtime;

use crate::cluster;
use crate::http::{Connection, Request};
use crate::load::Operator;
use crate::program::{Server, program};

/// A fixed address, so that one token is valid on every port of a server.
pub const BASE_URL: &str = "http://covernote.example";

/// The installation of a fault test.
pub struct Site {
    folder: tempfile::TempDir,
    /// Address of the database, unless it is a file in the data folder.
    database: Option<String>,
    /// Environment variables of every program of the installation.
    environment: BTreeMap<String, String>,
    credentials: Value,
    token: Option<String>,
}

impl Site {
    /// An installation on SQLite, with a partner.
    pub fn sqlite() -> Site {
        Site::at(tempfile::tempdir().expect("a folder"), [])
    }

    /// An installation on a PostgreSQL database, with a partner.
    pub fn postgres(database: &str) -> Site {
        let mut site = Site::without_partner(tempfile::tempdir().expect("a folder"), Some(database), []);
        site.add_partner();
        site
    }

    /// An installation on SQLite in a folder, with a partner. Every program gets these environment variables.
    pub fn at<const N: usize>(folder: tempfile::TempDir, environment: [(&str, String); N]) -> Site {
        let mut site = Site::without_partner(folder, None, environment);
        site.add_partner();
        site
    }

    /// An installation without anything yet.
    pub fn without_partner<const N: usize>(
        folder: tempfile::TempDir,
        database: Option<&str>,
        environment: [(&str, String); N],
    ) -> Site {
        let mut environment: BTreeMap<_, _> =
            environment.map(|(name, value)| (name.to_owned(), value)).into();
        let database = database.map(str::to_owned);
        environment.extend(database.clone().map(|database| ("COVERNOTE_DATABASE".to_owned(), database)));
        Site { folder, database, environment, credentials: Value::Null, token: None }
    }

    /// Creates the partner, and the store if there is none yet.
    pub fn add_partner(&mut self) {
        let made =
            self.program().args(["partner", "create", "A Lender", "--scope", "business", "--json"]).output();
        let made = made.expect("it starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        self.credentials = serde_json::from_slice(&made.stdout).expect("credentials");
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn data(&self) -> PathBuf {
        self.folder().join("covernote-data")
    }

    pub fn partner(&self) -> PartnerId {
        self.credentials["partner_id"].as_str().expect("an id").parse().expect("an id")
    }

    /// The program, set up for this installation.
    pub fn program(&self) -> Command {
        let mut program = program(self.folder());
        program.envs(&self.environment);
        program
    }

    /// Creates commands of the program for this installation, for use in other threads.
    pub fn operator(&self) -> Operator {
        let (folder, environment) = (self.folder().to_owned(), self.environment.clone());
        Box::new(move || {
            let mut program = program(&folder);
            program.envs(&environment);
            program
        })
    }

    /// The command that starts a server.
    pub fn serve(&self) -> Command {
        let mut serve = self.program();
        serve.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--base-url", BASE_URL]);
        // A line for each request would never be read.
        serve.args(["--log-level", "warn,covernote=info"]);
        // The long form makes more claims than a partner's daily limit (D112).
        for limit in ["CLAIMS_PER_DAY", "PAPERS_PER_DAY", "PAPER_MIB_PER_DAY"] {
            serve.env(format!("COVERNOTE_{limit}"), "1000000");
        }
        serve
    }

    /// A server that listens.
    pub fn server(&self) -> Server {
        Server::listening(self.serve())
    }

    /// The partner's token, valid on every server of this installation.
    pub fn token(&mut self, server: &Server) -> String {
        if let Some(token) = &self.token {
            return token.clone();
        }
        let credentials = &self.credentials;
        let body = json!({ "client_id": credentials["client_id"], "client_secret": credentials["client_secret"], "scopes": ["business"] });
        let request = Request::post("/v1/auth/token", &body);
        let answer = Connection::default().ask(address(server), None, &request).expect("an answer").json();
        let token = answer["payload"]["access_token"].as_str().expect("a token").to_owned();
        self.token.insert(token).clone()
    }

    /// The credentials of its partner.
    pub fn credentials(&self) -> &Value {
        &self.credentials
    }

    /// The store of this installation. No server may use it.
    pub fn store(&self) -> Store {
        match &self.database {
            None => Store::sqlite(&self.data()).expect("the store opens"),
            Some(database) => Store::postgres(database, &self.data()),
        }
    }
}

/// Runs a command that must end soon by itself.
#[track_caller]
pub fn end_of(mut command: Command) -> Output {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let started = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if started.elapsed() > Duration::from_secs(30) {
            child.kill().expect("killed");
            let said = child.wait_with_output().expect("gone");
            panic!("it goes on: {}", String::from_utf8_lossy(&said.stderr));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("its output")
}

/// The address on which a server listens.
pub fn address(server: &Server) -> std::net::SocketAddr {
    server.base.strip_prefix("http://").expect("an address").parse().expect("an address")
}

/// Reads every id in a column of a table.
type Ids = dyn Fn(&str, &str) -> Result<Vec<Uuid>, String>;

/// A store that is opened without a server, with direct access to its tables.
pub struct Store {
    runtime: Runtime,
    pub storage: Arc<dyn Storage>,
    ids: Box<Ids>,
}

impl Store {
    /// The store in a data folder.
    ///
    /// # Errors
    /// The reason why it does not open.
    pub fn sqlite(data: &Path) -> Result<Store, String> {
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        let opened = Sqlite::open(data, &data.join("keyring"), Arc::new(SystemClock), random);
        let path = data.join(storage::sqlite::FILE);
        let ids = move |table: &str, column: &str| {
            let read = || -> rusqlite::Result<Vec<[u8; 16]>> {
                let database = rusqlite::Connection::open(&path)?;
                let mut found = database.prepare(&format!("select {column} from {table}"))?;
                found.query_map((), |row| row.get(0))?.collect()
            };
            let found = read().map_err(|fault| format!("{table} cannot be read: {fault}"))?;
            Ok(found.into_iter().map(Uuid::from_bytes).collect())
        };
        Ok(Store {
            runtime: runtime(),
            storage: Arc::new(opened.map_err(|fault| fault.to_string())?),
            ids: Box::new(ids),
        })
    }

    /// The store in a PostgreSQL database, with the keyring in a data folder.
    fn postgres(address: &str, data: &Path) -> Store {
        let runtime = runtime();
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        let database = Database {
            address: address.to_owned(),
            connections: 4,
            pooler: false,
            reads_standbys: false,
            unsafe_is_fine: false,
        };
        let keyring = data.join("keyring");
        let opened = runtime.block_on(Postgres::open(&database, &keyring, Arc::new(SystemClock), random));
        // If there are several hosts, the primary.
        let joined = if address.contains('?') { '&' } else { '?' };
        let address = format!("{address}{joined}target_session_attrs=read-write");
        let ids = move |table: &str, column: &str| {
            let found = cluster::say(&address, &format!("select {column} from {table}"));
            Ok(found.lines().map(|id| Uuid::parse_str(id).expect("a UUID")).collect())
        };
        Store { runtime, storage: Arc::new(opened.expect("the store opens")), ids: Box::new(ids) }
    }

    /// Runs a future on the store's runtime.
    pub fn wait<T>(&self, asked: impl Future<Output = T>) -> T {
        self.runtime.block_on(asked)
    }

    /// Every id in a column, with duplicates.
    ///
    /// # Errors
    /// The part of the store that cannot be read.
    pub fn ids(&self, table: &str, column: &str) -> Result<Vec<Uuid>, String> {
        (self.ids)(table, column)
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}
