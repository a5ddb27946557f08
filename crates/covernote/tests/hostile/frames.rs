//! HTTP/2 frame by frame over TLS, for clients that no library can simulate.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, StreamOwned};

pub const HEADERS: u8 = 0x1;
pub const RST_STREAM: u8 = 0x3;
pub const SETTINGS: u8 = 0x4;
pub const PING: u8 = 0x6;
pub const WINDOW_UPDATE: u8 = 0x8;
pub const CONTINUATION: u8 = 0x9;

pub const END_STREAM: u8 = 0x1;
pub const END_HEADERS: u8 = 0x4;
const ACK: u8 = 0x1;

/// The first bytes of every HTTP/2 client.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A TLS connection to the server that negotiated HTTP/2.
pub struct Connection {
    stream: StreamOwned<ClientConnection, TcpStream>,
    unread: Vec<u8>,
}

pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("short").to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// Header fields in HPACK, each as a literal without indexing.
pub fn fields(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).ok().filter(|length| *length < 127).expect("short"));
            block.extend(text.as_bytes());
        }
    }
    block
}

/// The pseudo-header fields of each request.
pub fn request<'a>(method: &'a str, path: &'a str) -> [(&'a str, &'a str); 4] {
    [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
}

impl Connection {
    pub fn open(config: &Arc<ClientConfig>, address: &str) -> Connection {
        let socket = TcpStream::connect(address).expect("it listens");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        socket.set_write_timeout(Some(Duration::from_secs(20))).expect("set");
        socket.set_nodelay(true).expect("set");
        let name = ServerName::try_from("localhost").expect("a name");
        let tls = ClientConnection::new(config.clone(), name).expect("a client");
        let mut connection = Connection { stream: StreamOwned::new(tls, socket), unread: Vec::new() };
        assert!(connection.send(&[PREFACE, &frame(SETTINGS, 0, 0, &[])].concat()));
        assert!(connection.send(&frame(SETTINGS, ACK, 0, &[])));
        assert_eq!(connection.stream.conn.alpn_protocol(), Some(&b"h2"[..]));
        connection
    }

    /// Sends bytes. `false` if the server has closed the connection.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok() && self.stream.flush().is_ok()
    }

    /// Waits until the server has read everything. `false` if it closes the connection instead.
    pub fn is_read(&mut self) -> bool {
        self.send(&frame(PING, 0, 0, b"are you?"))
            && loop {
                match self.frame() {
                    Some((PING, ACK)) => break true,
                    Some(_) => {}
                    None => break false,
                }
            }
    }

    /// Whether the server ends the connection, whatever it still sends. After the end of TLS, the socket may
    /// end a moment later.
    pub fn ends(&mut self) -> bool {
        while self.frame().is_some() {}
        loop {
            match self.stream.sock.read(&mut [0; 1024]) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(fault) => return !matches!(fault.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
            }
        }
    }

    /// Kind and flags of the next frame. `None` if the connection ends first, or after a long silence.
    fn frame(&mut self) -> Option<(u8, u8)> {
        loop {
            if let [first, second, third, kind, flags, ..] = self.unread[..] {
                let end = 9 + u32::from_be_bytes([0, first, second, third]) as usize;
                if self.unread.len() >= end {
                    self.unread.drain(..end);
                    return Some((kind, flags));
                }
            }
            let mut bytes = [0; 16 * 1024];
            let length = self.stream.read(&mut bytes).ok().filter(|length| *length > 0)?;
            self.unread.extend_from_slice(&bytes[..length]);
        }
    }
}
