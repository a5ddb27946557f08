//! Deliveries during kills (D96). Every event soon arrives at a good endpoint, whatever the other endpoints
//! do. No event arrives that is not in the store.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use covernote::wiring::SystemClock;
use domain::date::Timestamp;
use domain::id::Uuid;
use domain::webhook::DeliveryState;
use serde_json::Value;
use service::clock::Clock;

use crate::check::check;
use crate::cluster::Cluster;
use crate::dice::Dice;
use crate::load::Load;
use crate::program::Server;
use crate::site::Site;
use crate::{long, long_or};

/// Deliveries to this machine need an opened network.
const ALLOW: (&str, &str) = ("COVERNOTE_WEBHOOK_ALLOW", "127.0.0.1/32");

/// Most age of an event when it arrives at the good endpoint, for 99 of 100 events.
const SOON: Duration = Duration::from_secs(2);

/// Longest wait for deliveries in progress, once the load has ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time of the first arrival of each event, and its number of arrivals.
type Came = Arc<Mutex<BTreeMap<String, (Duration, u32)>>>;

/// How a receiver reacts to deliveries.
#[derive(Clone, Copy)]
enum Manner {
    /// Accepts everything.
    Good,
    /// Accepts connections, and never answers.
    Slow,
    /// Answers 500.
    Broken,
}

/// A partner's server.
struct Receiver {
    url: String,
    came: Came,
}

impl Receiver {
    fn start(manner: Manner) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/hooks", listener.local_addr().expect("bound"));
        let came = Came::default();
        let noted = came.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let noted = noted.clone();
                std::thread::spawn(move || serve(stream, manner, &noted));
            }
        });
        Receiver { url, came }
    }
}

/// Serves one connection.
fn serve(mut stream: TcpStream, manner: Manner, came: &Came) {
    let (mut read, mut chunk) = (Vec::new(), [0; 8192]);
    loop {
        while let Some(body) = next_body(&mut read) {
            let event: Value = serde_json::from_slice(&body).expect("JSON");
            let at: Timestamp = event["timestamp"].as_str().expect("text").parse().expect("an instant");
            let age = SystemClock.now().duration_since(at).try_into().unwrap_or_default();
            let id = event["id"].as_str().expect("an id").to_owned();
            came.lock().expect("unpoisoned").entry(id).or_insert((age, 0)).1 += 1;
            let status = match manner {
                Manner::Good => "204 Taken",
                Manner::Broken => "500 Broken",
                Manner::Slow => {
                    std::thread::sleep(Duration::from_secs(30));
                    return;
                }
            };
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
        match stream.read(&mut chunk) {
            Ok(bytes) if bytes > 0 => read.extend_from_slice(&chunk[..bytes]),
            _ => return,
        }
    }
}

/// Removes the body of the next complete request from `read`, if there is one.
fn next_body(read: &mut Vec<u8>) -> Option<Vec<u8>> {
    let head = read.windows(4).position(|four| four == b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&read[..head]).to_lowercase();
    let length: usize = text.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()?;
    let body = read.get(head + 4..head + 4 + length)?.to_vec();
    read.drain(..head + 4 + length);
    Some(body)
}

/// One endpoint of each manner, for all events. The good one is first.
fn has_endpoints(site: &Site) -> Vec<Receiver> {
    [Manner::Good, Manner::Slow, Manner::Broken]
        .map(|manner| {
            let receiver = Receiver::start(manner);
            let partner = site.partner().to_string();
            let add = ["webhook", "add", "--partner", &partner, "--url", &receiver.url, "--type", "*"];
            let added = site.program().args(add).output().expect("it starts");
            assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
            receiver
        })
        .into()
}

/// Waits until the good endpoint has all events, and compares them with the store. Returns the number of
/// events, how many arrived twice, and the highest age of 99 of 100.
#[track_caller]
fn are_delivered(site: &mut Site, receivers: &[Receiver]) -> (usize, usize, Duration) {
    let server = site.server();
    let good = &receivers[0].came;
    let (mut known, waited) = (usize::MAX, Instant::now());
    // Until nothing came for a while: events held by a killed server come last.
    while waited.elapsed() < PATIENCE {
        let now = good.lock().expect("unpoisoned").len();
        if now == known && waited.elapsed() > Duration::from_secs(5) {
            break;
        }
        known = now;
        std::thread::sleep(Duration::from_secs(2));
    }
    stopped(server);
    let store = site.store();
    let events: BTreeSet<Uuid> = store.ids("events", "event_id").expect("readable").into_iter().collect();
    let came = good.lock().expect("unpoisoned");
    let arrived: BTreeSet<Uuid> =
        came.keys().map(|id| id.parse::<domain::id::EventId>().expect("an id").uuid()).collect();
    let lost: Vec<&Uuid> = events.difference(&arrived).take(5).collect();
    assert!(lost.is_empty(), "{} events never arrived: {lost:?}", events.difference(&arrived).count());
    let made_up: Vec<&Uuid> = arrived.difference(&events).take(5).collect();
    assert!(made_up.is_empty(), "events arrived that are not in the store: {made_up:?}");
    let endpoints = store.wait(store.storage.endpoints(site.partner())).expect("readable");
    let to = (site.partner(), endpoints[0].id);
    let waiting = store.storage.deliveries(to, Some(DeliveryState::Pending), None, 5);
    let waiting = store.wait(waiting).expect("readable").deliveries;
    assert!(waiting.is_empty(), "they arrived, and are not noted: {waiting:#?}");
    let mut ages: Vec<Duration> = came.values().map(|(age, _)| *age).collect();
    ages.sort();
    let twice = came.values().filter(|(_, times)| *times > 1).count();
    (came.len(), twice, ages[ages.len() * 99 / 100])
}

fn stopped(mut server: Server) {
    server.signal(rustix::process::Signal::TERM);
    assert_eq!(server.child.wait().expect("it stops").code(), Some(0));
}

#[test]
fn kills_of_the_server_neither_lose_nor_delay_events() {
    let (kills, writes) = long_or((200, 300), (8, 60));
    let mut site = Site::at(tempfile::tempdir().expect("a folder"), [(ALLOW.0, ALLOW.1.to_owned())]);
    let mut server = site.server();
    let receivers = has_endpoints(&site);
    let load = Load::with_operator("deliveries", &site.token(&server), 16, site.operator());
    let mut dice = Dice::new(3);
    for _ in 0..kills {
        let target = load.targets().open(&server.base);
        load.goes_on_for(writes);
        std::thread::sleep(Duration::from_micros(dice.below(50_000)));
        target.is_killed();
        server.kill();
        load.targets().close(&target);
        server = site.server();
    }
    load.targets().open(&server.base);
    let journal = load.ends();
    drop(server);
    let (arrived, twice, age) = are_delivered(&mut site, &receivers);
    check(&mut site, &journal);
    println!(
        "SQLite: {kills} kills, {arrived} events arrived, {twice} of them more than once, 0 lost, 0 made up; 99 of 100 within {age:.0?}"
    );
    // Only for a release build on a machine without other load.
    assert!(!long() || age <= SOON, "99 of 100 events arrived within {age:?}");
}

#[test]
fn kills_of_one_of_three_servers_neither_lose_nor_delay_events() {
    let (kills, writes) = long_or((200, 300), (6, 60));
    let cluster = Cluster::start();
    let folder = tempfile::tempdir().expect("a folder");
    let environment = [(ALLOW.0, ALLOW.1.to_owned())];
    let mut site = Site::without_partner(folder, Some(&cluster.database("deliveries")), environment);
    site.add_partner();
    let first = site.server();
    let token = site.token(&first);
    let receivers = has_endpoints(&site);
    let load = Load::with_operator("deliveries", &token, 16, site.operator());
    let mut dice = Dice::new(4);
    let mut servers = vec![first, site.server(), site.server()];
    let mut targets: Vec<_> = servers.iter().map(|server| load.targets().open(&server.base)).collect();
    for _ in 0..kills {
        load.goes_on_for(writes);
        std::thread::sleep(Duration::from_micros(dice.below(50_000)));
        let (mut server, target) = (servers.remove(0), targets.remove(0));
        target.is_killed();
        server.kill();
        load.targets().close(&target);
        let again = site.server();
        targets.push(load.targets().open(&again.base));
        servers.push(again);
    }
    let journal = load.ends();
    servers.into_iter().for_each(stopped);
    let (arrived, twice, age) = are_delivered(&mut site, &receivers);
    check(&mut site, &journal);
    println!(
        "PostgreSQL: {kills} kills of one of three, {arrived} events arrived, {twice} of them more than once, 0 lost, 0 made up; 99 of 100 within {age:.0?}"
    );
    // Only for a release build on a machine without other load.
    assert!(!long() || age <= SOON, "99 of 100 events arrived within {age:?}");
}
