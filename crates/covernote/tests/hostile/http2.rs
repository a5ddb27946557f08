//! A TLS server with HTTP/2 clients of a library.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Request;
use h2::SendStream;
use h2::client::{ResponseFuture, SendRequest};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::bodies;
use crate::program::{Server, run, stdout};
use crate::tls::make_certificate;

/// A TLS server with a partner that has every scope.
pub struct Scene {
    pub server: Server,
    pub folder: tempfile::TempDir,
    pub partner: Value,
    pub token: String,
    pub config: Arc<ClientConfig>,
}

/// A client with its own connection.
#[derive(Clone)]
pub struct Client {
    sender: SendRequest<Bytes>,
}

/// A response's status with its body.
pub type Answer = Result<(u16, Vec<u8>), h2::Error>;

impl Scene {
    /// Starts a server with additional settings.
    pub async fn start(settings: &str) -> Scene {
        let folder = tempfile::tempdir().expect("a folder");
        make_certificate(folder.path(), "own");
        let settings = format!("{settings}\ntls_certificate = 'own.pem'\ntls_key = 'own.key'\n");
        std::fs::write(folder.path().join("covernote.toml"), settings).expect("written");
        let made = run(folder.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
        let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
        let server = Server::start(folder.path(), &[]);
        let config = trusting(&folder.path().join("own.pem"));
        let mut scene = Scene { server, folder, partner, token: String::new(), config };
        scene.token = scene.token_of(&scene.partner, "business").await;
        scene
    }

    /// A token of a partner for one scope.
    pub async fn token_of(&self, partner: &Value, scope: &str) -> String {
        let body = serde_json::json!({
            "client_id": partner["client_id"], "client_secret": partner["client_secret"], "scopes": [scope],
        });
        let request = request("POST", "/v1/auth/token", &[("content-type", "application/json")]);
        let (_, answer) = self.client().await.send(request, body.to_string()).await.expect("an answer");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        answer["payload"]["access_token"].as_str().expect("a token").to_owned()
    }

    /// The address on which the server listens.
    pub fn address(&self) -> &str {
        self.server.base.strip_prefix("http://").expect("an address")
    }

    pub async fn client(&self) -> Client {
        let socket = TcpStream::connect(self.address()).await.expect("it listens");
        socket.set_nodelay(true).expect("set");
        let name = ServerName::try_from("localhost").expect("a name");
        let stream = TlsConnector::from(self.config.clone()).connect(name, socket).await.expect("TLS");
        let (sender, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        tokio::spawn(connection);
        Client { sender }
    }

    /// Requests quotes over its own connection until it is ended. Each must be answered with 200.
    pub async fn victim(&self) -> Victim {
        let (client, token) = (self.client().await, self.token.clone());
        let (stop, mut stopped) = tokio::sync::oneshot::channel();
        let quotes = tokio::spawn(async move {
            let mut quotes = 0;
            while stopped.try_recv().is_err() {
                let (status, body) = client.quote(&token).await.expect("an answer");
                assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
                quotes += 1;
            }
            quotes
        });
        Victim { stop, quotes }
    }

    /// Most memory of the server so far, in megabytes.
    pub fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.child.id()));
        let status = status.expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
        line.trim().split(' ').next().and_then(|text| text.parse::<u64>().ok()).expect("a number") / 1024
    }
}

/// A partner that requests quotes, one after the other.
pub struct Victim {
    stop: tokio::sync::oneshot::Sender<()>,
    quotes: JoinHandle<usize>,
}

impl Victim {
    /// Ends it, and returns its number of quotes. None may have failed.
    pub async fn end(self) -> usize {
        let _ = self.stop.send(());
        self.quotes.await.expect("every quote was answered with 200")
    }
}

impl Client {
    pub async fn send(&self, request: Request<()>, body: impl Into<Bytes>) -> Answer {
        let body = body.into();
        let mut sender = self.sender.clone().ready().await?;
        let (answer, mut sending) = sender.send_request(request, body.is_empty())?;
        if !body.is_empty() {
            sending.send_data(body, true)?;
        }
        read(answer.await?).await
    }

    /// Starts a request without its body.
    pub async fn begin(
        &self,
        request: Request<()>,
    ) -> Result<(ResponseFuture, SendStream<Bytes>), h2::Error> {
        let mut sender = self.sender.clone().ready().await?;
        sender.send_request(request, false)
    }

    /// Sends a request, and its body after a wait.
    pub async fn send_late(&self, request: Request<()>, wait: Duration, body: impl Into<Bytes>) -> Answer {
        let (answer, mut sending) = self.begin(request).await?;
        tokio::time::sleep(wait).await;
        // The server may have ended the stream already.
        let _ = sending.send_data(body.into(), true);
        read(answer.await?).await
    }

    pub async fn quote(&self, token: &str) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers = [("content-type", "application/json"), ("authorization", &bearer)];
        self.send(request("POST", "/v1/embedded/quote", &headers), bodies::quote().to_string()).await
    }
}

pub fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder().method(method).uri(format!("https://localhost{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).expect("a request")
}

async fn read(answer: axum::http::Response<h2::RecvStream>) -> Answer {
    let status = answer.status().as_u16();
    let mut body = answer.into_body();
    let mut bytes = Vec::new();
    while let Some(data) = body.data().await {
        let data = data?;
        body.flow_control().release_capacity(data.len())?;
        bytes.extend_from_slice(&data);
    }
    Ok((status, bytes))
}

fn trusting(certificate: &Path) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).expect("a certificate")).expect("added");
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Arc::new(config)
}
