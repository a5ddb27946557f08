//! Traffic of others beside a partner: a flood, or similar traffic of a polite client.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use tokio::task::LocalSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::wire::Connection;

/// Address from which others connect. The partner has another one.
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Most connections that a flood holds: just below the limit for one address. Beyond it, the oldest is closed.
const HELD: usize = 1900;

/// Number of connections of a polite client. A flood has as many as it likes.
const POLITE_CONNECTIONS: usize = 64;

/// Time between two bytes that are sent slowly.
const BYTE_INTERVAL: Duration = Duration::from_millis(500);

/// Traffic to send.
#[derive(Clone)]
pub(super) enum Traffic {
    /// New connections at a rate. Each sends `first` at once, then `slowly` byte by byte. It reads nothing and stays
    /// open.
    Held { per_second: u32, first: Vec<u8>, slowly: Vec<u8> },
    /// New connections at a rate. Each sends its requests, reads the responses, and closes.
    Completed { per_second: u32, requests: Vec<u8>, answers: usize },
    /// Connections that send the requests in turn, as fast as they are answered.
    Greedy { connections: usize, requests: Vec<Vec<u8>> },
    /// Requests at a rate, evenly spread.
    Paced { per_second: f64, request: Vec<u8> },
}

/// Sends traffic for the time `length`. Returns how many requests were answered per second.
pub(super) async fn run(traffic: Traffic, address: SocketAddr, length: Duration) -> f64 {
    let until = Instant::now() + length;
    let answered = Rc::new(Cell::new(0_usize));
    let sending = LocalSet::new();
    match traffic {
        Traffic::Held { per_second, first, slowly } => {
            sending.spawn_local(hold(address, per_second, first.into(), slowly.into(), until));
        }
        Traffic::Completed { per_second, requests, answers } => {
            let answered = answered.clone();
            sending.spawn_local(complete(address, per_second, requests.into(), answers, answered, until));
        }
        Traffic::Greedy { connections, requests } => {
            let requests: Rc<[Vec<u8>]> = requests.into();
            for _ in 0..connections {
                let (requests, answered) = (requests.clone(), answered.clone());
                sending.spawn_local(async move {
                    let turns = requests.iter().cycle().map(|request| (&request[..], Instant::now()));
                    exchange(address, turns, &answered, until).await;
                });
            }
        }
        Traffic::Paced { per_second, request } => {
            let request: Rc<[u8]> = request.into();
            let started = Instant::now();
            for number in 0..POLITE_CONNECTIONS {
                let (request, answered) = (request.clone(), answered.clone());
                let at = move |turn: usize| {
                    started
                        + Duration::from_secs_f64((number + turn * POLITE_CONNECTIONS) as f64 / per_second)
                };
                sending.spawn_local(async move {
                    let turns = (0..).map(|turn| (&request[..], at(turn)));
                    exchange(address, turns, &answered, until).await;
                });
            }
        }
    }
    // Requests without an answer at the end are abandoned.
    sending.run_until(sleep_until(until)).await;
    drop(sending);
    answered.get() as f64 / length.as_secs_f64()
}

/// Opens connections at a rate.
async fn at_a_rate<F: Future<Output = ()> + 'static>(per_second: u32, until: Instant, open: impl Fn() -> F) {
    let started = Instant::now();
    for number in 0.. {
        let at = started + Duration::from_secs(1) / per_second * number;
        if at >= until {
            return;
        }
        sleep_until(at).await;
        tokio::task::spawn_local(open());
    }
}

async fn hold(address: SocketAddr, per_second: u32, first: Rc<[u8]>, slowly: Rc<[u8]>, until: Instant) {
    let held = Rc::new(RefCell::new(VecDeque::new()));
    at_a_rate(per_second, until, || {
        let (first, slowly, held) = (first.clone(), slowly.clone(), held.clone());
        async move {
            let begun = tokio::task::spawn_local(async move {
                let Ok(mut connection) = Connection::open(ELSEWHERE, address).await else { return };
                let _ = connection.send(&first).await;
                for byte in slowly.iter() {
                    sleep(BYTE_INTERVAL).await;
                    if connection.send(&[*byte]).await.is_err() {
                        return;
                    }
                }
                // The connection stays open and reads nothing.
                std::future::pending::<()>().await;
                drop(connection);
            });
            held.borrow_mut().push_back(begun.abort_handle());
            if held.borrow().len() > HELD
                && let Some(oldest) = held.borrow_mut().pop_front()
            {
                oldest.abort();
            }
        }
    })
    .await;
}

async fn complete(
    address: SocketAddr,
    per_second: u32,
    requests: Rc<[u8]>,
    answers: usize,
    answered: Rc<Cell<usize>>,
    until: Instant,
) {
    at_a_rate(per_second, until, || {
        let (requests, answered) = (requests.clone(), answered.clone());
        async move {
            let Ok(mut connection) = Connection::open(ELSEWHERE, address).await else { return };
            let _ = connection.send(&requests).await;
            for _ in 0..answers {
                if connection.answer().await.is_ok() {
                    answered.set(answered.get() + 1);
                }
            }
        }
    })
    .await;
}

/// Sends requests one after the other on one connection, each at its time, and reads the responses.
async fn exchange<'a>(
    address: SocketAddr,
    turns: impl Iterator<Item = (&'a [u8], Instant)>,
    answered: &Cell<usize>,
    until: Instant,
) {
    let mut known = None;
    for (request, at) in turns {
        if at >= until {
            return;
        }
        if at > Instant::now() {
            sleep_until(at).await;
        }
        let mut connection = match known.take() {
            Some(connection) => connection,
            None => match Connection::open(ELSEWHERE, address).await {
                Ok(connection) => connection,
                Err(_) => continue,
            },
        };
        if connection.send(request).await.is_ok()
            && let Ok((_, keeps)) = connection.answer().await
        {
            answered.set(answered.get() + 1);
            known = keeps.then_some(connection);
        }
    }
}
