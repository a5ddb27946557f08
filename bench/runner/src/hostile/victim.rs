//! Measured partner: it sends quote requests at a steady rate, whatever others do.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::LocalSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::wire::Connection;
use crate::numbers::percentile;

/// Quote requests per second.
pub(super) const RATE: u32 = 200;

/// Number of connections at the start. It opens more if all of them wait.
const CONNECTIONS: usize = 16;

/// Longest wait for an answer.
const LONGEST: Duration = Duration::from_secs(10);

/// Results of its requests.
#[derive(Default)]
pub(super) struct Seen {
    /// Microseconds of each quote, from its scheduled time to the end of the response.
    times: Vec<u64>,
    /// Number of requests without a quote, by what came instead.
    pub(super) errors: BTreeMap<String, usize>,
}

impl Seen {
    /// Percentile of the times in milliseconds. `part`: from 0 to 1.
    pub(super) fn millis(&self, part: f64) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        percentile(&times, part) / 1000.0
    }
}

/// Sends quote requests for the time `before`, which does not count, and the time `counted`.
pub(super) async fn run(
    address: SocketAddr,
    request: Arc<[u8]>,
    before: Duration,
    counted: Duration,
) -> Seen {
    let mut opened = Vec::new();
    for _ in 0..CONNECTIONS {
        opened.extend(Connection::open(Ipv4Addr::LOCALHOST, address).await);
    }
    let (seen, idle) = (Rc::new(RefCell::new(Seen::default())), Rc::new(RefCell::new(opened)));
    let quotes = LocalSet::new();
    let started = Instant::now();
    let sending = async {
        for number in 0.. {
            let at = started + Duration::from_secs(1) / RATE * number;
            if at > started + before + counted {
                return;
            }
            sleep_until(at).await;
            let (request, idle, seen) = (request.clone(), idle.clone(), seen.clone());
            quotes.spawn_local(async move {
                let known = idle.borrow_mut().pop();
                let asked = timeout(LONGEST, quote(address, known, &request)).await;
                if at < started + before {
                    idle.borrow_mut().extend(asked.ok().and_then(Result::ok));
                    return;
                }
                let mut seen = seen.borrow_mut();
                match asked {
                    Ok(Ok(connection)) => {
                        seen.times.push(at.elapsed().as_micros() as u64);
                        idle.borrow_mut().push(connection);
                    }
                    Ok(Err(error)) => *seen.errors.entry(error).or_default() += 1,
                    Err(_) => *seen.errors.entry("no answer in time".to_owned()).or_default() += 1,
                }
            });
        }
    };
    quotes.run_until(sending).await;
    quotes.await;
    seen.take()
}

/// Gets one quote. Returns the connection, or else what came instead of a quote.
async fn quote(address: SocketAddr, known: Option<Connection>, request: &[u8]) -> Result<Connection, String> {
    let mut connection = match known {
        Some(connection) => connection,
        None => Connection::open(Ipv4Addr::LOCALHOST, address).await.map_err(|fault| fault.to_string())?,
    };
    connection.send(request).await.map_err(|fault| fault.to_string())?;
    match connection.answer().await {
        Ok((200, _)) => Ok(connection),
        Ok((status, _)) => Err(status.to_string()),
        Err(fault) => Err(fault.to_string()),
    }
}
