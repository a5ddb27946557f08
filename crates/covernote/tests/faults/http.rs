//! One HTTP/1.1 connection with keep-alive, which reports how far an unanswered request came.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longest wait for an answer. The program's own deadline is 30 seconds.
const PATIENCE: Duration = Duration::from_secs(45);

const JSON: &str = "application/json";

/// A request that can be sent again unchanged.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: &'static str,
    pub path: String,
    pub key: Option<String>,
    /// The media type of the body.
    pub media: &'static str,
    pub body: String,
}

impl Request {
    pub fn get(path: impl Into<String>) -> Request {
        Request { method: "GET", path: path.into(), key: None, media: JSON, body: String::new() }
    }

    pub fn post(path: &str, body: &Value) -> Request {
        Request { method: "POST", path: path.into(), key: None, media: JSON, body: body.to_string() }
    }

    /// An upload of a PDF with these bytes.
    pub fn upload(path: &str, body: String) -> Request {
        Request { method: "POST", path: path.into(), key: None, media: "application/pdf", body }
    }

    /// The same request with an idempotency key, if any.
    pub fn keyed(self, key: Option<String>) -> Request {
        Request { key, ..self }
    }

    fn bytes(&self, token: Option<&str>) -> Vec<u8> {
        let Request { method, path, media, body, .. } = self;
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: covernote.example\r\n");
        if let Some(token) = token {
            text += &format!("Authorization: Bearer {token}\r\n");
        }
        if let Some(key) = &self.key {
            text += &format!("Idempotency-Key: {key}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Type: {media}\r\nContent-Length: {}\r\n", body.len());
        }
        text += "\r\n";
        [text.as_bytes(), body.as_bytes()].concat()
    }
}

/// An HTTP response that arrived completely.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|fault| panic!("{fault}: {}", self.text()))
    }

    /// Whether the store is unavailable: E5030 with `Retry-After`.
    pub fn is_away(&self) -> bool {
        self.status == 503
            && self.header("retry-after").is_some_and(|wait| wait.parse::<u32>().is_ok())
            && serde_json::from_slice::<Value>(&self.body).is_ok_and(|object| object["type"] == "E5030")
    }
}

/// Reasons why a request got no answer.
#[derive(Debug)]
pub enum Unanswered {
    /// The connection was refused: nothing was sent.
    Refused,
    /// The connection ended before the first byte of an answer. The time at which the request was sent
    /// completely, if it was.
    Cut(Option<Instant>),
    /// The connection ended in the middle of the answer.
    Torn,
    /// No answer arrived within the limit.
    Silent,
}

/// A connection to the server of the last request.
#[derive(Default)]
pub struct Connection {
    open: Option<(SocketAddr, TcpStream)>,
}

impl Connection {
    /// Sends a request and reads its answer.
    ///
    /// # Errors
    /// [`Unanswered`] without an answer. The next request then opens another connection.
    pub fn ask(
        &mut self,
        server: SocketAddr,
        token: Option<&str>,
        request: &Request,
    ) -> Result<Answer, Unanswered> {
        let kept = self.open.take().filter(|(at, _)| *at == server);
        let mut stream = match kept {
            Some((_, stream)) => stream,
            None => connect(server)?,
        };
        if stream.write_all(&request.bytes(token)).is_err() {
            return Err(Unanswered::Cut(None));
        }
        let answer = read(&mut stream, Instant::now())?;
        if !answer.header("connection").is_some_and(|said| said.eq_ignore_ascii_case("close")) {
            self.open = Some((server, stream));
        }
        Ok(answer)
    }
}

fn connect(server: SocketAddr) -> Result<TcpStream, Unanswered> {
    let stream = TcpStream::connect(server).map_err(|_| Unanswered::Refused)?;
    stream.set_nodelay(true).expect("a socket");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    Ok(stream)
}

fn read(stream: &mut TcpStream, sent: Instant) -> Result<Answer, Unanswered> {
    let mut bytes = Vec::new();
    let mut whole = None;
    let mut piece = [0; 16 * 1024];
    loop {
        if whole.is_none()
            && let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n")
        {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
            let answer = Answer { status, head, body: Vec::new() };
            let length = answer.header("content-length").and_then(|length| length.parse::<usize>().ok());
            whole = Some((end + 4 + length.unwrap_or(0), end + 4, answer));
        }
        if let Some((end, body, answer)) = &whole
            && bytes.len() >= *end
        {
            return Ok(Answer { body: bytes[*body..*end].to_vec(), ..answer.clone() });
        }
        match stream.read(&mut piece) {
            Ok(0) if bytes.is_empty() => return Err(Unanswered::Cut(Some(sent))),
            Ok(0) => return Err(Unanswered::Torn),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(fault) => {
                return Err(match fault.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => Unanswered::Silent,
                    _ if bytes.is_empty() => Unanswered::Cut(Some(sent)),
                    _ => Unanswered::Torn,
                });
            }
        }
    }
}
