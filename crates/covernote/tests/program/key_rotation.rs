//! `covernote keys rotate` and `covernote keyring` with a running server, killed at any moment (D4, D59).

use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::Client;
use serde_json::Value;

use crate::support::bodies;
use crate::support::cluster::cluster;
use crate::support::engine::Engine;
use crate::support::program::{Server, is_sound, program, run, stderr, stdout, token_of};

/// Number of kills of a rotation.
const KILLS: u64 = 20;

/// Number of quotes before the first rotation.
const QUOTES: u64 = 3000;

/// A folder with its store, or with a database.
struct Place {
    here: tempfile::TempDir,
    engine: Engine,
}

impl Place {
    fn sqlite() -> Place {
        let here = tempfile::tempdir().expect("a folder");
        let engine = Engine::Sqlite(here.path().join("covernote-data").join(storage::sqlite::FILE).into());
        Place { here, engine }
    }

    fn postgres() -> Place {
        Place { here: tempfile::tempdir().expect("a folder"), engine: Engine::postgres() }
    }

    fn path(&self) -> &Path {
        self.here.path()
    }

    fn database(&self) -> String {
        match &self.engine {
            Engine::Sqlite(_) => "sqlite".to_owned(),
            Engine::Postgres(name) => cluster().address(name),
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(self.path(), &[arguments, &["--database", &self.database()]].concat())
    }

    #[track_caller]
    fn does(&self, arguments: &[&str]) -> Output {
        let done = self.run(arguments);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", stderr(&done));
        done
    }

    fn server(&self) -> Server {
        let database = self.database();
        Server::start(self.path(), &["--database", &database, "--base-url", "http://covernote.example"])
    }

    fn partner(&self) -> Value {
        let made = self.does(&["partner", "create", "A Lender", "--scope", "business", "--json"]);
        serde_json::from_str(&stdout(&made)).expect("credentials")
    }

    /// Number of quotes by the key that sealed them.
    fn sealed_by(&self) -> Vec<String> {
        let number = match self.engine {
            Engine::Sqlite(_) => "lower(hex(substr(body, 2, 4)))",
            Engine::Postgres(_) => "encode(substr(body, 2, 4), 'hex')",
        };
        let counts =
            format!("select {number} || ' ' || count(*) from embedded_quotes group by {number} order by 1");
        self.engine.texts(&counts)
    }
}

/// Sends quotes, one after another, until it is told to stop. Counts stored quotes in `kept`, and returns the
/// number of refused ones.
async fn quotes(base: String, token: String, stop: Arc<AtomicBool>, kept: Arc<AtomicU64>) -> u64 {
    let client = Client::new();
    let mut refused = 0;
    while !stop.load(Ordering::Relaxed) {
        let sent =
            client.post(format!("{base}/v1/embedded/quote")).bearer_auth(&token).json(&bodies::quote());
        match sent.send().await.expect("an answer").status().as_u16() {
            200 => drop(kept.fetch_add(1, Ordering::Relaxed)),
            _ => refused += 1,
        }
    }
    refused
}

/// Rotates keys under load, while the command is killed again and again.
async fn survives_kills(place: &Place) {
    let partner = place.partner();
    let server = place.server();
    let token = token_of(&server.base, &partner).await;
    let (stop, kept) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let clients: Vec<_> = (0..4)
        .map(|_| tokio::spawn(quotes(server.base.clone(), token.clone(), stop.clone(), kept.clone())))
        .collect();
    while kept.load(Ordering::Relaxed) < QUOTES {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut were_between = 0;
    for kill in 0..KILLS {
        let database = place.database();
        let mut rotation = program(place.path())
            .args(["keys", "rotate", "data", "--database", &database])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // The first rotation waits ten seconds, until every process knows the key.
        let patience = if place.sealed_by().len() == 1 { 10_000 } else { 0 };
        tokio::time::sleep(Duration::from_millis(patience + 60 + kill * 37 % 400)).await;
        let _ = rotation.kill();
        rotation.wait().expect("gone");
        were_between += u64::from(place.sealed_by().len() > 1);
    }
    assert!(were_between > KILLS / 4, "the kills came too late or too early to matter: {were_between}");
    place.does(&["keys", "rotate", "data"]);
    stop.store(true, Ordering::Relaxed);
    for client in clients {
        assert_eq!(client.await.expect("no panic"), 0, "a quote was refused meanwhile");
    }
    let done = place.does(&["keys", "rotate", "data", "--json"]);
    let done: Value = serde_json::from_str(&stdout(&done)).expect("JSON");
    assert_eq!(done["unreadable"], 0, "{done}");
    let all = kept.load(Ordering::Relaxed);
    let number = done["number"].as_u64().expect("a number");
    assert_eq!(place.sealed_by(), [format!("{number:08x} {all}")], "every quote is under the newest key");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_of_the_data_key_under_load_survives_twenty_kills_on_sqlite() {
    let place = Place::sqlite();
    survives_kills(&place).await;
    is_sound(place.path());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_of_the_data_key_under_load_survives_twenty_kills_on_postgresql() {
    survives_kills(&Place::postgres()).await;
}

#[tokio::test]
async fn the_key_of_the_keyring_can_be_replaced_while_a_server_runs() {
    for place in [Place::sqlite(), Place::postgres()] {
        let partner = place.partner();
        let server = place.server();
        let token = token_of(&server.base, &partner).await;
        let refused = place.run(&["keyring", "remove", "1"]);
        assert_eq!(refused.status.code(), Some(1), "the store needs it");
        place.does(&["keyring", "add"]);
        let state = || {
            let list = place.does(&["keyring", "list", "--json"]);
            let list: Value = serde_json::from_str(&stdout(&list)).expect("JSON");
            list["keys"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|key| key["in_use"] == true)
                .collect::<Vec<_>>()
        };
        assert_eq!(state(), [true, false]);
        place.does(&["keyring", "rewrap"]);
        assert_eq!(state(), [false, true]);
        place.does(&["keyring", "remove", "1"]);
        assert_eq!(state(), [true]);
        // The server reads the keyring again, and sees later changes.
        let other: Value = place.partner();
        let within = std::time::Instant::now();
        let authenticated = async |partner: &Value| {
            let body = serde_json::json!({
                "client_id": partner["client_id"], "client_secret": partner["client_secret"], "scopes": ["business"],
            });
            let sent = Client::new().post(format!("{}/v1/auth/token", server.base)).json(&body).send().await;
            sent.expect("an answer").status().as_u16()
        };
        while authenticated(&other).await != 200 {
            assert!(within.elapsed() < Duration::from_secs(5), "the server does not know the new partner");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let quote = Client::new().post(format!("{}/v1/embedded/quote", server.base)).bearer_auth(&token);
        assert_eq!(quote.json(&bodies::quote()).send().await.expect("an answer").status(), 200);
    }
}

#[tokio::test]
async fn the_keyring_can_be_read_from_an_environment_variable_or_a_command() {
    let here = tempfile::tempdir().expect("a folder");
    let fresh = stdout(&run(here.path(), &["keyring", "new"]));
    assert!(fresh.starts_with("covernote keyring 1\nwrap 1 "), "{fresh}");
    std::fs::write(here.path().join("secret-store"), &fresh).expect("written");
    let create = |keyring: &str| {
        let mut command = program(here.path());
        command.args(["partner", "create", "A Lender", "--keyring", keyring]).env("SECRET_KEYRING", &fresh);
        command.output().expect("it runs")
    };
    for keyring in ["env:SECRET_KEYRING", "command:cat secret-store"] {
        let made = create(keyring);
        assert_eq!(made.status.code(), Some(0), "{keyring}: {}", stderr(&made));
    }
    assert!(!here.path().join("covernote-data/keyring").exists(), "no file is made");
    for (keyring, words) in [
        ("env:NO_SUCH_KEYRING", "NO_SUCH_KEYRING"),
        ("command:echo never-shown >&2; false", "exit status: 1"),
        ("command:echo nonsense", "line 1"),
    ] {
        let refused = create(keyring);
        assert_eq!(refused.status.code(), Some(78), "{keyring}: {}", stderr(&refused));
        assert!(stderr(&refused).contains(words), "{}", stderr(&refused));
    }
    let refused = run(here.path(), &["keyring", "add", "--keyring", "command:cat secret-store"]);
    assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
    let findings = run(here.path(), &["doctor", "--keyring", "command:cat secret-store"]);
    assert!(stdout(&findings).contains("age in days: data 0"), "{}", stdout(&findings));
}
