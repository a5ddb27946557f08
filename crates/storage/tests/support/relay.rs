//! A slow proxy to a PostgreSQL server, which delays every answer.
//!
//! It counts round trips: how often a client that had an answer sent something again.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// Text of statements that are not counted: workers look for due jobs with them.
const LOOK: &str = "min(due_at)";

pub struct Relay {
    pub port: u16,
    round_trips: Arc<AtomicU64>,
}

/// Recognizes statements that are not counted, by the names under which a connection prepared them.
#[derive(Default)]
struct Looks(Vec<Vec<u8>>);

impl Looks {
    /// Whether a client's bytes, which begin with a message, are about such a statement.
    fn is_look(&mut self, piece: &[u8]) -> bool {
        let mut texts = piece.get(5..).unwrap_or_default().split(|byte| *byte == 0);
        let [first, second] = [(); 2].map(|()| texts.next().unwrap_or_default());
        match piece.first() {
            // Parse: the statement's name and text. Bind: a portal's name and the statement's name.
            Some(b'P') if String::from_utf8_lossy(second).contains(LOOK) => {
                self.0.push(first.to_vec());
                true
            }
            Some(b'B') => self.0.iter().any(|name| name == second),
            _ => false,
        }
    }
}

impl Relay {
    pub fn to(server: SocketAddr, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let round_trips = Arc::new(AtomicU64::new(0));
        let counted = round_trips.clone();
        spawn(move || {
            for client in listener.incoming() {
                let server = TcpStream::connect(server).expect("the server");
                carry(client.expect("a client"), server, delay, counted.clone());
            }
        });
        Relay { port, round_trips }
    }

    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }
}

/// Copies bytes between both ends of a connection, until one of them closes it.
fn carry(mut client: TcpStream, mut server: TcpStream, delay: Duration, round_trips: Arc<AtomicU64>) {
    client.set_nodelay(true).and_then(|()| server.set_nodelay(true)).expect("sockets");
    let has_answer = Arc::new(AtomicBool::new(true));
    let (mut to_server, mut to_client) = (server.try_clone().expect("it"), client.try_clone().expect("it"));
    let heard = has_answer.clone();
    spawn(move || {
        let (mut piece, mut looks) = (vec![0; 1 << 16], Looks::default());
        while let Ok(length @ 1..) = client.read(&mut piece) {
            if heard.swap(false, Ordering::Relaxed) && !looks.is_look(&piece[..length]) {
                round_trips.fetch_add(1, Ordering::Relaxed);
            }
            if to_server.write_all(&piece[..length]).is_err() {
                break;
            }
        }
        let _ = to_server.shutdown(Shutdown::Both);
    });
    let (answer, answers) = mpsc::channel::<(Instant, Vec<u8>)>();
    spawn(move || {
        let mut piece = vec![0; 1 << 16];
        while let Ok(length @ 1..) = server.read(&mut piece) {
            if answer.send((Instant::now() + delay, piece[..length].to_vec())).is_err() {
                break;
            }
        }
    });
    spawn(move || {
        while let Ok((at, mut due)) = answers.recv() {
            sleep(at.saturating_duration_since(Instant::now()));
            // Bytes that arrived right after it are sent together with it.
            due.extend(answers.try_iter().flat_map(|(_, piece)| piece));
            has_answer.store(true, Ordering::Relaxed);
            if to_client.write_all(&due).is_err() {
                break;
            }
        }
        let _ = to_client.shutdown(Shutdown::Both);
    });
}
