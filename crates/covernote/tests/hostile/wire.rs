//! HTTP/1.1 byte by byte, for clients that no library can simulate.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

pub struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// Whether the server says that it closes the connection.
    pub fn closes(&self) -> bool {
        self.head.to_ascii_lowercase().contains("connection: close")
    }
}

impl Connection {
    pub fn open(address: &str) -> Connection {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        stream.set_nodelay(true).expect("set");
        Connection { stream, unread: Vec::new() }
    }

    /// Sends bytes. `false` if the server has closed the connection.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// The next response. `None` if the connection ends before its end.
    pub fn answer(&mut self) -> Option<Answer> {
        let head = loop {
            if let Some(end) = self.unread.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                let head: Vec<u8> = self.unread.drain(..end + 4).collect();
                break String::from_utf8(head).ok()?;
            }
            self.read_more()?;
        };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        while self.unread.len() < length? {
            self.read_more()?;
        }
        let body = self.unread.drain(..length?).collect();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head, body })
    }

    /// Whether the server ends the connection within this time, whatever it still sends.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        self.stream.set_read_timeout(Some(time)).expect("set");
        let mut rest = [0; 64 * 1024];
        loop {
            match self.stream.read(&mut rest) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(fault) => {
                    return !matches!(
                        fault.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    );
                }
            }
        }
    }

    fn read_more(&mut self) -> Option<()> {
        let mut bytes = [0; 16 * 1024];
        let length = self.stream.read(&mut bytes).ok().filter(|length| *length > 0)?;
        self.unread.extend_from_slice(&bytes[..length]);
        Some(())
    }
}
