//! Rate at which events are delivered to a receiver on this machine, compared with the rate of stored quotes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::client::{Partner, text};
use crate::load::closed;
use crate::numbers::{Spread, print};
use crate::server::Manner;
use crate::{Bench, Fault, processor};

/// Number of completed proposals. Each has three events.
const PROPOSALS: usize = 1600;

/// Numbers of endpoints of the partner. Each endpoint gets every event.
const ENDPOINTS: [usize; 2] = [1, 4];

/// Number of proposals that are made at once.
const AT_ONCE: usize = 16;

/// Longest wait for all deliveries of a round.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let settings = vec![("COVERNOTE_WEBHOOK_ALLOW", "127.0.0.1/32".to_owned())];
    let manner = Manner { settings, ..Manner::default() };
    let (server, partner) = Partner::on_sqlite(bench, "webhooks", &manner).await?;
    // A time before the first proposal, by the server's clock: that of an endpoint.
    let first = partner
        .post("/v1/webhooks/endpoints", json!({ "url": "https://example.com", "types": ["*"] }).to_string())
        .await?;
    let since = text(&first["payload"]["created_at"])?;
    partner.delete(&format!("/v1/webhooks/endpoints/{}", text(&first["payload"]["endpoint_id"])?)).await?;
    for _ in 0..PROPOSALS / AT_ONCE {
        try_join_all((0..AT_ONCE).map(|_| partner.completed_proposal())).await?;
    }
    let events = PROPOSALS / AT_ONCE * AT_ONCE * 3;
    let (url, received) = receiver().await?;
    let request = partner.quote_request();
    closed(bench, &server.address, &request, bench.connections, 1).await?;
    let mut rounds = Vec::new();
    for round in 0..bench.rounds {
        let quotes = closed(bench, &server.address, &request, bench.connections, bench.seconds).await?;
        let mut rates = Vec::new();
        for endpoints in ENDPOINTS {
            let urls: Vec<_> = (0..endpoints).map(|one| format!("{url}/{round}/{one}")).collect();
            rates.push(deliver(&partner, &urls, &since, &received, events).await?);
        }
        rounds.push((quotes.per_second(), rates));
    }
    let quotes = Spread::of(rounds.iter().map(|(quotes, _)| *quotes));
    let lines = ENDPOINTS.iter().enumerate().map(|(place, endpoints)| {
        let rates = Spread::of(rounds.iter().map(|(_, rates)| rates[place]));
        let ratio = Spread::of(rounds.iter().map(|(quotes, rates)| rates[place] / quotes));
        vec![
            endpoints.to_string(),
            format!("{:.0}", rates.median),
            format!("{:.0}", quotes.median),
            ratio.as_ratio(),
        ]
    });
    let title = format!(
        "Events delivered to a receiver on this machine, {events} for each endpoint, compared with stored quotes; SQLite, {} rounds, {}",
        bench.rounds,
        processor()
    );
    print(&title, &["endpoints", "deliveries/s", "quotes/s", "ratio"], &lines.collect::<Vec<_>>());
    server.stop()?;
    Ok(())
}

/// Has every event sent to new endpoints. Returns how many arrived per second.
async fn deliver(
    partner: &Partner,
    urls: &[String],
    since: &str,
    received: &AtomicUsize,
    events: usize,
) -> Result<f64, Fault> {
    let mut paths = Vec::new();
    for url in urls {
        let endpoint = json!({ "url": url, "types": ["*"] }).to_string();
        let made = partner.post("/v1/webhooks/endpoints", endpoint).await?;
        paths.push(format!("/v1/webhooks/endpoints/{}", text(&made["payload"]["endpoint_id"])?));
    }
    received.store(0, Ordering::SeqCst);
    let mut sent = 0;
    for path in &paths {
        let asked = partner.post(&format!("{path}/recover"), json!({ "since": since }).to_string()).await?;
        let of_this = asked["payload"]["deliveries"].as_u64().unwrap_or(0) as usize;
        if of_this < events {
            return Err(format!("only {of_this} of {events} events are sent").into());
        }
        sent += of_this;
    }
    // The time counts from the last moment before the first arrival: workers look at the queue only five times
    // per second. It ends with the last arrival.
    let (asked_at, before) = (Instant::now(), received.load(Ordering::SeqCst));
    let mut begun = asked_at;
    loop {
        let came = received.load(Ordering::SeqCst);
        if came == 0 {
            begun = Instant::now();
        }
        if came >= sent {
            break;
        }
        if asked_at.elapsed() > PATIENCE {
            return Err(format!("{came} of {sent} events arrived in {PATIENCE:?}").into());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let took = begun.elapsed().as_secs_f64();
    for path in &paths {
        partner.delete(path).await?;
    }
    Ok((sent - before) as f64 / took)
}

/// Starts a receiver that accepts every message. Returns its address and its count of messages.
async fn receiver() -> Result<(String, Arc<AtomicUsize>), Fault> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let received = Arc::new(AtomicUsize::new(0));
    let counted = received.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let counted = counted.clone();
            tokio::spawn(async move {
                // An error only means that the connection ended.
                let _ended = take(stream, &counted).await;
            });
        }
    });
    Ok((address, received))
}

/// Reads the messages of a connection, and answers each with 204.
async fn take(stream: TcpStream, received: &AtomicUsize) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        stream.read_exact(&mut vec![0; length]).await?;
        received.fetch_add(1, Ordering::SeqCst);
        stream.get_mut().write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await?;
    }
}
