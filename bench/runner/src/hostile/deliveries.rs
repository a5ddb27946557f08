//! Delay of a partner's events and quotes while another partner's endpoints answer late.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::{beside, two_partners};
use crate::client::{Partner, text};
use crate::numbers::{Spread, print};
use crate::server::Manner;
use crate::{Bench, Fault, processor, step};

/// Number of endpoints of the other partner: the most that a partner may have.
const ENDPOINTS: usize = 10;

/// Number of proposals that it completes. Each has three events for each endpoint.
const PROPOSALS: usize = 80;

/// How long its endpoints take to answer: just below the limit of 15 seconds.
const LATE: Duration = Duration::from_secs(14);

/// Number of the measured partner's proposals whose events are timed, one after the other.
const TIMED: usize = 5;

/// Longest allowed time of an event, from its request to its arrival.
const LIMIT: Duration = Duration::from_secs(2);

pub(super) async fn measure(bench: &Bench) -> Result<(), Fault> {
    step("events beside endpoints that answer late");
    let settings = vec![("COVERNOTE_WEBHOOK_ALLOW", "127.0.0.1/32".to_owned())];
    let manner = Manner { settings, ..Manner::default() };
    let (server, [victim, hog]) = two_partners(bench, "hostile, deliveries", None, &manner).await?;
    let (prompt, received) = receiver(Duration::ZERO).await?;
    endpoint(&victim, &prompt).await?;
    let alone = timed(&victim, &received).await?;
    let address = server.address.parse()?;
    let quote = super::Scene { address, other: &hog }.quote(&victim);
    let idle = beside(address, &quote, None, Duration::from_secs(bench.seconds))?.0.millis(0.99);
    let (late, underway) = receiver(LATE).await?;
    for number in 0..ENDPOINTS {
        endpoint(&hog, &format!("{late}/{number}")).await?;
    }
    for _ in 0..PROPOSALS {
        hog.completed_proposal().await?;
    }
    while underway.load(Ordering::SeqCst) == 0 {
        sleep(Duration::from_millis(10)).await;
    }
    let (mut behind, mut quotes) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        behind.push(timed(&victim, &received).await?);
        quotes.push(beside(address, &quote, None, Duration::from_secs(bench.seconds))?.0.millis(0.99));
    }
    let most = behind.iter().map(|times| times.most).fold(0.0, f64::max);
    let median = Spread::of(behind.iter().map(|times| times.median)).median;
    let quotes = Spread::of(quotes).median;
    let is_within = most <= LIMIT.as_secs_f64() * 1000.0 && quotes <= 2.0 * idle;
    let line = vec![
        format!("{:.0}", alone.median),
        format!("{median:.0}"),
        format!("{most:.0}"),
        format!("{idle:.1}"),
        format!("{quotes:.1}"),
        if is_within { "yes" } else { "NO" }.to_owned(),
    ];
    let title = format!(
        "An event from its request to its arrival, and quotes, beside a partner with {ENDPOINTS} endpoints that answer after {} s, and {} deliveries; SQLite, {} rounds of {TIMED}; {}",
        LATE.as_secs(),
        PROPOSALS * ENDPOINTS * 3,
        bench.rounds,
        processor(),
    );
    let head = [
        "event alone ms",
        "beside ms",
        "most beside ms",
        "quote p99 alone ms",
        "beside ms",
        "within the limits",
    ];
    print(&title, &head, &[line]);
    server.stop().map(|_| ())
}

/// Adds an endpoint of a partner for all types of events.
async fn endpoint(partner: &Partner, url: &str) -> Result<(), Fault> {
    let made = json!({ "url": url, "types": ["*"] }).to_string();
    text(&partner.post("/v1/webhooks/endpoints", made).await?["payload"]["endpoint_id"]).map(|_| ())
}

/// Milliseconds from a request to the arrival of its last event, for [`TIMED`] requests one after the other.
async fn timed(partner: &Partner, received: &AtomicUsize) -> Result<Spread, Fault> {
    let mut times = Vec::new();
    for _ in 0..TIMED {
        let before = received.load(Ordering::SeqCst);
        let begun = Instant::now();
        partner.completed_proposal().await?;
        while received.load(Ordering::SeqCst) < before + 3 {
            if begun.elapsed() > Duration::from_secs(120) {
                return Err("an event did not arrive within two minutes".into());
            }
            sleep(Duration::from_millis(1)).await;
        }
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(Spread::of(times))
}

/// Starts a receiver that accepts one message for each connection, and answers after `wait`. Returns its address
/// and its count of messages.
async fn receiver(wait: Duration) -> Result<(String, Arc<AtomicUsize>), Fault> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/hooks", listener.local_addr()?);
    let received = Arc::new(AtomicUsize::new(0));
    let counted = received.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let counted = counted.clone();
            tokio::spawn(async move {
                // One read gets the whole message: it has only a few hundred bytes.
                let mut message = vec![0; 1 << 16];
                if stream.read(&mut message).await.is_ok_and(|read| read > 0) {
                    counted.fetch_add(1, Ordering::SeqCst);
                    sleep(wait).await;
                    let answer = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
                    // If the sender gave up, this fails.
                    let _ = stream.write_all(answer).await;
                }
            });
        }
    });
    Ok((address, received))
}
