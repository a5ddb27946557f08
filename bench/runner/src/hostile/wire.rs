//! HTTP/1.1 on one connection, for clients that misbehave in ways that no library offers.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Connection to a server.
pub(super) struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    /// Connects from the address `from` of this machine.
    pub(super) async fn open(from: Ipv4Addr, to: SocketAddr) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((from, 0).into())?;
        let stream = socket.connect(to).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, unread: Vec::new() })
    }

    pub(super) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Reads a response to its end. Returns its status, and whether the server keeps the connection open.
    pub(super) async fn answer(&mut self) -> io::Result<(u16, bool)> {
        let malformed = || io::Error::from(io::ErrorKind::InvalidData);
        let end = loop {
            if let Some(end) = self.unread.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            self.read_more().await?;
        };
        let head = String::from_utf8_lossy(&self.unread[..end]).to_ascii_lowercase();
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).ok_or_else(malformed)?;
        let keeps = field("connection:") != Some("close");
        let length: usize =
            field("content-length:").and_then(|text| text.parse().ok()).ok_or_else(malformed)?;
        while self.unread.len() < end + length {
            self.read_more().await?;
        }
        self.unread.drain(..end + length);
        Ok((status, keeps))
    }

    async fn read_more(&mut self) -> io::Result<()> {
        if self.stream.read_buf(&mut self.unread).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}
