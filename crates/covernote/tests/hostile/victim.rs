//! A partner that works during an attack.

use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::Value;

use crate::bodies;
use crate::program::{Server, run, stdout, token_of};

/// A server with a partner that has every scope.
pub struct Scene {
    pub server: Server,
    pub folder: tempfile::TempDir,
    pub partner: Value,
    pub token: String,
    pub client: Client,
}

impl Scene {
    /// Starts a server with additional settings.
    pub async fn start(settings: &str) -> Scene {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("covernote.toml"), settings).expect("written");
        let made = run(folder.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
        let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
        let server = Server::start(folder.path(), &[]);
        let token = token_of(&server.base, &partner).await;
        Scene { server, folder, partner, token, client: Client::new() }
    }

    /// The address on which the server listens.
    pub fn address(&self) -> &str {
        self.server.base.strip_prefix("http://").expect("http")
    }

    /// Requests a quote. Returns the status and the duration.
    pub async fn quote(&self) -> (u16, Duration) {
        let asked = Instant::now();
        let request = self.client.post(format!("{}/v1/embedded/quote", self.server.base));
        let answer = request.bearer_auth(&self.token).json(&bodies::quote()).send().await.expect("an answer");
        let status = answer.status().as_u16();
        answer.bytes().await.expect("a body");
        (status, asked.elapsed())
    }

    /// Whether `/livez` answers over a new connection.
    pub fn is_alive(&self) -> bool {
        let mut connection = crate::wire::Connection::open(self.address());
        connection.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        connection.answer().is_some_and(|answer| answer.status == 200)
    }
}
