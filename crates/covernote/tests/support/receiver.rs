//! A partner's server that receives events, with scripted answers.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A received message.
#[derive(Debug, Clone)]
pub struct Message {
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Message {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Verifies the message as its receiver does.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let secret = service::access::signing_secret::secret_of(secret).expect("a secret");
        let at: i64 = self.header("webhook-timestamp").parse().expect("seconds");
        let (id, signature) = (self.header("webhook-id"), self.header("webhook-signature"));
        webhooks::signature::verify(&secret, id, at, signature, &self.body, at).is_ok()
    }
}

/// Answer to a message, by the number of messages before: status, further header lines, body.
type Script = Arc<dyn Fn(usize, &Message) -> (u16, &'static str, Vec<u8>) + Send + Sync>;

/// A running receiver.
#[derive(Clone)]
pub struct Receiver {
    pub address: SocketAddr,
    came: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    /// A receiver that answers everything with this status.
    pub async fn answering(status: u16) -> Self {
        Receiver::by(move |_| (status, "", b"seen".to_vec())).await
    }

    /// A receiver with a script, which gets the number of messages before.
    pub async fn by(script: impl Fn(usize) -> (u16, &'static str, Vec<u8>) + Send + Sync + 'static) -> Self {
        Receiver::at(SocketAddr::from(([127, 0, 0, 1], 0)), script).await
    }

    /// A receiver that judges each message and answers with the status.
    pub async fn judging(judge: impl Fn(&Message) -> u16 + Send + Sync + 'static) -> Self {
        let script = move |_: usize, message: &Message| (judge(message), "", Vec::new());
        Receiver::listening(SocketAddr::from(([127, 0, 0, 1], 0)), Arc::new(script)).await
    }

    /// A receiver on a given address, with a script.
    pub async fn at(
        address: SocketAddr,
        script: impl Fn(usize) -> (u16, &'static str, Vec<u8>) + Send + Sync + 'static,
    ) -> Self {
        Receiver::listening(address, Arc::new(move |nth: usize, _: &Message| script(nth))).await
    }

    async fn listening(address: SocketAddr, script: Script) -> Self {
        Receiver::waiting(address, script, Duration::ZERO).await
    }

    async fn waiting(address: SocketAddr, script: Script, wait: Duration) -> Self {
        let listener = TcpListener::bind(address).await.expect("a port");
        let receiver = Receiver { address: listener.local_addr().expect("bound"), came: Arc::default() };
        let of = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(of.clone().serve(stream, script.clone(), wait));
            }
        });
        receiver
    }

    /// A receiver that accepts everything after a wait.
    pub async fn late(wait: Duration) -> Self {
        let script = |_: usize, _: &Message| (200, "", Vec::new());
        Receiver::waiting(SocketAddr::from(([127, 0, 0, 1], 0)), Arc::new(script), wait).await
    }

    /// A receiver that accepts connections, and never answers.
    pub async fn silent() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let receiver = Receiver { address: listener.local_addr().expect("bound"), came: Arc::default() };
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                held.push(stream);
            }
        });
        receiver
    }

    pub fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    /// The received messages, in order.
    pub fn messages(&self) -> Vec<Message> {
        self.came.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Event types of the received messages.
    pub fn types(&self) -> Vec<String> {
        self.messages().iter().map(|one| one.json()["type"].as_str().expect("text").to_owned()).collect()
    }

    /// Waits until this many messages have come.
    pub async fn has(&self, count: usize) -> Vec<Message> {
        for _ in 0..600 {
            let came = self.messages();
            if came.len() >= count {
                return came;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{count} messages were expected, and {:?} came", self.types());
    }

    async fn serve(self, mut stream: TcpStream, script: Script, wait: Duration) {
        let mut read = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let Some(head) = read.windows(4).position(|four| four == b"\r\n\r\n") else {
                match stream.read(&mut chunk).await {
                    Ok(bytes) if bytes > 0 => read.extend_from_slice(&chunk[..bytes]),
                    _ => return,
                }
                continue;
            };
            let text = String::from_utf8(read[..head].to_vec()).expect("a head");
            let header = |line: &str| {
                line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            };
            let headers: HashMap<String, String> = text.lines().skip(1).filter_map(header).collect();
            let length: usize = headers.get("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
            while read.len() < head + 4 + length {
                match stream.read(&mut chunk).await {
                    Ok(bytes) if bytes > 0 => read.extend_from_slice(&chunk[..bytes]),
                    _ => return,
                }
            }
            let body = read[head + 4..head + 4 + length].to_vec();
            read.drain(..head + 4 + length);
            let message = Message { headers, body };
            let nth = {
                let mut came = self.came.lock().unwrap_or_else(PoisonError::into_inner);
                came.push(message.clone());
                came.len() - 1
            };
            let (status, more, answer) = script(nth, &message);
            tokio::time::sleep(wait).await;
            let head = format!("HTTP/1.1 {status} Said\r\n{more}content-length: {}\r\n\r\n", answer.len());
            if stream.write_all(&[head.as_bytes(), &answer].concat()).await.is_err() {
                return;
            }
        }
    }
}
