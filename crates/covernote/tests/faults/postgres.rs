//! Several servers on one PostgreSQL database. Servers, the database or their connections fail.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::bodies;
use crate::check::{ALL, check, in_store};
use crate::cluster::{Cluster, say};
use crate::dice::Dice;
use crate::http::{Connection, Request};
use crate::load::{Common, Load, QUOTE, Target, Targets};
use crate::program::Server;
use crate::site::{Site, address};
use crate::{long_or, twins};

/// Writes must succeed again within this time once the database accepts sessions.
const AGAIN: Duration = Duration::from_secs(1);

/// [`AGAIN`] while other tests run. It is less than the 5 s for which a request waits for the database.
const AGAIN_BESIDE_OTHERS: Duration = Duration::from_secs(4);

/// Number of clients.
const CLIENTS: usize = 16;

/// Number of servers.
const SERVERS: usize = 3;

/// Servers, each with the target that clients know.
struct Fleet(Vec<(Server, Arc<Target>)>);

impl Fleet {
    fn start(site: &Site, targets: &Targets) -> Fleet {
        Fleet((0..SERVERS).map(|_| Fleet::another(site, targets)).collect())
    }

    fn another(site: &Site, targets: &Targets) -> (Server, Arc<Target>) {
        let server = site.server();
        let target = targets.open(&server.base);
        (server, target)
    }

    /// Waits until every server accepts writes, within a time.
    #[track_caller]
    fn is_ready_within(&self, time: Duration) {
        let asked = Instant::now();
        for (server, _) in &self.0 {
            while !is_ready(server) {
                assert!(asked.elapsed() < time, "a server is not ready again: {:#?}", server.logged());
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }

    #[track_caller]
    fn is_not_ready(&self) {
        for (server, _) in &self.0 {
            assert!(!is_ready(server), "a server says that it is ready without its database");
        }
    }
}

fn is_ready(server: &Server) -> bool {
    let answer = Connection::default().ask(address(server), None, &Request::get("/readyz"));
    let answer = answer.expect("the server is there");
    assert!(answer.status == 200 || answer.is_away(), "{} {}", answer.status, answer.text());
    answer.status == 200
}

/// A cluster with a database, three servers and clients.
struct Scene {
    cluster: Cluster,
    site: Site,
    fleet: Fleet,
    load: Load,
}

impl Scene {
    fn set(name: &str) -> Scene {
        let cluster = Cluster::start();
        let site = Site::postgres(&cluster.database("covernote"));
        Scene::with(name, cluster, site)
    }

    fn with(name: &str, cluster: Cluster, mut site: Site) -> Scene {
        let first = site.server();
        let token = site.token(&first);
        drop(first);
        let load = Load::with_operator(name, &token, CLIENTS, site.operator());
        let fleet = Fleet::start(&site, load.targets());
        Scene { cluster, site, fleet, load }
    }

    /// Checks that soon after a moment writes succeed again and every server is ready. Returns the time until
    /// the first write.
    #[track_caller]
    fn goes_on_from(&self, moment: Instant) -> Duration {
        let soon = long_or(AGAIN, AGAIN_BESIDE_OTHERS);
        let acknowledged = self.load.acknowledged();
        while self.load.acknowledged() == acknowledged {
            assert!(moment.elapsed() < soon, "the database is back, and nothing is written");
            std::thread::sleep(Duration::from_millis(1));
        }
        let again = moment.elapsed();
        self.fleet.is_ready_within(soon);
        again
    }

    /// Ends the load, and checks everything. Returns the numbers of acknowledged writes, and of writes
    /// refused because the store was unavailable.
    #[track_caller]
    fn ends(mut self) -> (usize, usize) {
        let journal = self.load.ends();
        drop(self.fleet);
        check(&mut self.site, &journal);
        drop(self.cluster);
        (journal.acknowledged.len(), journal.away.len())
    }
}

#[test]
fn kills_of_one_of_three_servers_neither_lose_nor_duplicate_nor_split_records() {
    let (kills, writes) = long_or((200, 1000), (9, 60));
    let mut scene = Scene::set("kill");
    let mut dice = Dice::new(1);
    let started = Instant::now();
    for kill in 0..kills {
        scene.load.goes_on_for(writes);
        std::thread::sleep(Duration::from_micros(dice.below(50_000)));
        let place = kill as usize % SERVERS;
        let (server, target) = &mut scene.fleet.0[place];
        target.is_killed();
        server.kill();
        scene.load.targets().close(target);
        scene.load.goes_on_for(1);
        scene.fleet.0[place] = Fleet::another(&scene.site, scene.load.targets());
    }
    let took = started.elapsed();
    let (acknowledged, away) = scene.ends();
    assert_eq!(away, 0, "the database is there");
    println!(
        "PostgreSQL: {kills} kills of one of {SERVERS} servers, {acknowledged} acknowledged writes in {took:.0?}: 0 lost, 0 doubled, 0 half"
    );
}

#[test]
fn one_of_three_servers_stopped_under_load_answers_every_received_request_and_exits_0() {
    let (stops, writes) = long_or((50, 1000), (6, 60));
    let mut scene = Scene::set("stop");
    for stop in 0..stops {
        scene.load.goes_on_for(writes);
        let place = stop as usize % SERVERS;
        let (server, target) = &mut scene.fleet.0[place];
        target.stop_was_sent();
        server.signal(Signal::TERM);
        assert_eq!(server.child.wait().expect("it stops").code(), Some(0));
        scene.load.targets().close(target);
        scene.fleet.0[place] = Fleet::another(&scene.site, scene.load.targets());
    }
    let (acknowledged, away) = scene.ends();
    assert_eq!(away, 0, "nothing is refused meanwhile");
    println!(
        "PostgreSQL: {stops} stops of one of {SERVERS} servers, {acknowledged} acknowledged writes: 0 failed"
    );
}

#[test]
fn repeated_database_crashes_lose_no_acknowledged_write() {
    let (crashes, writes) = long_or((50, 1000), (4, 60));
    let scene = Scene::set("crash");
    let mut slowest = Duration::ZERO;
    for _ in 0..crashes {
        scene.load.goes_on_for(writes);
        scene.cluster.restart_immediate();
        slowest = slowest.max(scene.goes_on_from(Instant::now()));
    }
    let (acknowledged, away) = scene.ends();
    assert!(away > 0, "nothing was refused: there was no crash");
    println!(
        "PostgreSQL: {crashes} crashes of the database, {acknowledged} acknowledged writes, {away} answered E5030: 0 lost, 0 doubled, 0 half; writing again within {slowest:.0?}"
    );
}

#[test]
fn the_checker_detects_losses_of_a_database_without_durable_commits() {
    // Control for all other tests: if writes are acknowledged before they are on the disk, a crash loses
    // them.
    let cluster = Cluster::start();
    let url = cluster.database("covernote");
    cluster.say("postgres", "alter system set synchronous_commit = off");
    cluster.say("postgres", "alter system set wal_buffers = '64MB'");
    cluster.restart_immediate();
    let accepted = [("COVERNOTE_DATABASE_UNSAFE", "accept".to_owned())];
    let folder = tempfile::tempdir().expect("a folder");
    let mut site = Site::without_partner(folder, Some(&url), accepted);
    site.add_partner();
    let server = site.server();
    let load = Load::start("careless", &site.token(&server), CLIENTS);
    // The partner is on the disk before anything is lost. After that, acknowledged writes must not reach the
    // disk, so the WAL writer, which would write them page by page, is stopped.
    cluster.say("postgres", "checkpoint");
    cluster.hold_log_writer();
    load.targets().open(&server.base);
    load.goes_on_for(200);
    cluster.stop();
    let acknowledged = load.acknowledged();
    cluster.start_again();
    cluster.say("postgres", "alter system reset synchronous_commit");
    cluster.say("postgres", "select pg_reload_conf()");
    let journal = load.ends();
    drop(server);
    let faults = in_store(&site.store(), site.partner(), &journal, ALL);
    let lost = faults.iter().filter(|fault| fault.contains("is lost")).count();
    assert!(lost > 0, "{acknowledged} writes were acknowledged before they were kept, and none is missed");
    println!(
        "PostgreSQL, acknowledging before it keeps: {lost} of {acknowledged} acknowledged writes are lost in a crash"
    );
}

#[test]
fn requests_get_e5030_while_the_database_is_unavailable_and_succeed_afterwards() {
    let (times, gone) = long_or((5, Duration::from_secs(10)), (1, Duration::ZERO));
    let scene = Scene::set("gone");
    let mut slowest = Duration::ZERO;
    for _ in 0..times {
        scene.load.goes_on_for(200);
        scene.cluster.stop();
        scene.load.is_refused_for(CLIENTS as u64);
        std::thread::sleep(gone);
        scene.fleet.is_not_ready();
        scene.cluster.start_again();
        slowest = slowest.max(scene.goes_on_from(Instant::now()));
    }
    let (acknowledged, away) = scene.ends();
    assert!(away > 0, "nothing was refused");
    println!(
        "PostgreSQL: {times} times gone, {acknowledged} acknowledged writes, {away} answered E5030: 0 lost; writing again within {slowest:.0?}"
    );
}

#[test]
fn a_promoted_standby_has_every_acknowledged_write() {
    let times = long_or(10, 1);
    let (mut slowest, mut acknowledged) = (Duration::ZERO, 0);
    for _ in 0..times {
        let primary = Cluster::start();
        primary.database("covernote");
        let standby = primary.standby();
        let site = Site::postgres(&primary.url_with(&standby, "covernote"));
        let scene = Scene::with("standby", primary, site);
        scene.load.goes_on_for(long_or(2000, 200));
        scene.cluster.turn_read_only();
        standby.promote();
        slowest = slowest.max(scene.goes_on_from(Instant::now()));
        scene.load.goes_on_for(long_or(2000, 200));
        acknowledged += scene.ends().0;
    }
    println!(
        "PostgreSQL: {times} times a standby took over, {acknowledged} acknowledged writes: 0 lost; writing again within {slowest:.0?}"
    );
}

#[test]
fn a_repeated_request_is_not_acknowledged_while_the_standby_lacks_its_commit() {
    // If somebody cancels the wait of a commit for its standby, others see the commit. A stored answer in it
    // would then be replayed, and be lost with the primary.
    let primary = Cluster::start();
    let mut site = Site::postgres(&primary.database("covernote"));
    let standby = primary.standby();
    let server = site.server();
    let token = site.token(&server);
    let key = "one-and-the-same";
    let request = Request::post(QUOTE, &bodies::quote()).keyed(Some(key.to_owned()));
    let mut connection = Connection::default();
    let mut ask = || connection.ask(address(&server), Some(&token), &request).expect("an answer");
    // The command that created the partner has a stored answer, too.
    let kept = |cluster: &Cluster| -> u32 {
        cluster.say("covernote", "select count(*) from kept_responses").parse().expect("a number")
    };
    let before = kept(&primary);
    let held = standby.hold_receiver();
    for _ in 0..3 {
        let answer = ask();
        assert!(answer.is_away(), "acknowledged: {} {}", answer.status, answer.text());
    }
    assert_eq!(kept(&standby), before);
    drop(held);
    let asked = Instant::now();
    let answer = loop {
        let answer = ask();
        if answer.status == 200 || answer.status == 201 {
            break answer;
        }
        assert!(answer.is_away() && asked.elapsed() < Duration::from_secs(30), "{}", answer.text());
    };
    assert_eq!(kept(&standby), before + 1);
    assert_eq!(ask().json(), answer.json());
}

#[test]
fn requests_get_e5030_while_the_database_has_no_free_session() {
    let times = long_or(10, 1);
    let scene = Scene::set("eaten");
    let mut slowest = Duration::ZERO;
    for _ in 0..times {
        scene.load.goes_on_for(200);
        let eaten = scene.cluster.eat_connections();
        scene.load.is_refused_for(CLIENTS as u64);
        scene.fleet.is_not_ready();
        drop(eaten);
        slowest = slowest.max(scene.goes_on_from(Instant::now()));
    }
    let (acknowledged, away) = scene.ends();
    assert!(away > 0, "nothing was refused");
    println!(
        "PostgreSQL: {times} times no session free, {acknowledged} acknowledged writes, {away} answered E5030: 0 lost; writing again within {slowest:.0?}"
    );
}

/// Whether a server answers a quote with 200. Otherwise the store must be unavailable.
fn quotes(server: &Server, token: &str) -> bool {
    let asked = Request::post(QUOTE, &bodies::quote());
    let answer =
        Connection::default().ask(address(server), Some(token), &asked).expect("the server is there");
    assert!(answer.status == 200 || answer.is_away(), "{} {}", answer.status, answer.text());
    answer.status == 200
}

/// Checks that a server says within a second that it is not ready.
#[track_caller]
fn is_taken_out(server: &Server) {
    let asked = Instant::now();
    while is_ready(server) {
        assert!(asked.elapsed() < Duration::from_secs(1), "it says that it is ready, and keeps no quote");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a server is ready. Then it must be able to store a quote.
#[track_caller]
fn recovers(server: &Server, token: &str) {
    let asked = Instant::now();
    while !is_ready(server) {
        assert!(asked.elapsed() < Duration::from_secs(10), "it is not ready again: {:#?}", server.logged());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(quotes(server, token), "it is ready, and keeps no quote: {:#?}", server.logged());
}

#[test]
fn a_server_is_not_ready_while_it_has_no_database_session_for_quotes() {
    let cluster = Cluster::start();
    let mut site = Site::postgres(&cluster.database("covernote"));
    let server = site.server();
    let token = site.token(&server);
    // The sessions for everything except quotes are open already.
    let eaten = cluster.eat_free_connections();
    assert!(!quotes(&server, &token), "a quote was kept without a session for it");
    is_taken_out(&server);
    drop(eaten);
    recovers(&server, &token);
    // The same happens if the server had sessions for quotes and lost them.
    let eaten = cluster.eat_connections();
    assert!(!quotes(&server, &token), "a quote was kept without a session for it");
    is_taken_out(&server);
    drop(eaten);
    // The sessions come back by themselves, also if nobody asks for readiness.
    let asked = Instant::now();
    while !quotes(&server, &token) {
        assert!(asked.elapsed() < Duration::from_secs(5), "the sessions for quotes do not come back");
    }
    recovers(&server, &token);
}

#[test]
fn a_server_is_not_ready_while_the_disk_of_its_database_is_full() {
    let (cluster, disk) = Cluster::on_small_disk(128);
    let mut site = Site::postgres(&cluster.database("covernote"));
    let server = site.server();
    let token = site.token(&server);
    recovers(&server, &token);
    disk.fill();
    let filled = Instant::now();
    // Some quotes still fit into existing pages.
    while quotes(&server, &token) {
        assert!(filled.elapsed() < Duration::from_secs(60), "the disk is not full");
    }
    is_taken_out(&server);
    disk.empty();
    recovers(&server, &token);
}

#[test]
fn servers_that_start_simultaneously_on_an_empty_database_create_only_one_schema() {
    let times = long_or(50, 5);
    let cluster = Cluster::start();
    for time in 0..times {
        let name = format!("empty_{time}");
        let url = cluster.database(&name);
        let site = Site::without_partner(tempfile::tempdir().expect("a folder"), Some(&url), []);
        let starting: Vec<_> = (0..SERVERS)
            .map(|_| {
                let serve = site.serve();
                std::thread::spawn(move || Server::listening(serve))
            })
            .collect();
        for server in starting {
            assert!(is_ready(&server.join().expect("it listens")));
        }
        let twice =
            "select count(*) from (select name from migrations group by name having count(*) > 1) as twice";
        assert_eq!(say(&url, twice), "0", "a migration was applied twice");
        let keys =
            "select count(*) from (select purpose from keys group by purpose having count(*) > 1) as twice";
        assert_eq!(say(&url, keys), "0", "a key was made twice");
    }
    println!(
        "PostgreSQL: {times} times {SERVERS} servers began at once on an empty database: one schema, all ready"
    );
}

#[test]
fn the_limit_of_100_tokens_per_hour_holds_across_four_servers() {
    // D6
    let cluster = Cluster::start();
    let site = Site::postgres(&cluster.database("covernote"));
    let servers: Vec<Server> = (0..4).map(|_| site.server()).collect();
    let credentials = site.credentials();
    let body =
        json!({ "client_id": credentials["client_id"], "client_secret": credentials["client_secret"] });
    let request = Request::post("/v1/auth/token", &body);
    let asking: Vec<_> = (0..16)
        .map(|number| {
            let (request, server) = (request.clone(), address(&servers[number % servers.len()]));
            std::thread::spawn(move || {
                let mut connection = Connection::default();
                let ask = |_| connection.ask(server, None, &request).expect("an answer");
                (0..25).map(ask).collect::<Vec<_>>()
            })
        })
        .collect();
    let answers: Vec<_> = asking.into_iter().flat_map(|asking| asking.join().expect("no panic")).collect();
    let given = answers.iter().filter(|answer| answer.status == 200).count();
    let refused =
        answers.iter().filter(|answer| answer.status == 429 && answer.header("retry-after").is_some());
    assert_eq!((given, refused.count()), (100, 300));
}

#[test]
fn only_one_of_sixteen_simultaneous_equal_requests_to_three_servers_is_executed() {
    let keys = long_or(1000, 120);
    let cluster = Cluster::start();
    let mut site = Site::postgres(&cluster.database("covernote"));
    let first = site.server();
    let common = Common::new("twins", &site.token(&first), || 0);
    drop(first);
    let fleet = Fleet::start(&site, &common.targets);
    let journal = twins::send(&common, keys, || std::thread::sleep(Duration::from_millis(10)));
    assert!(journal.away.is_empty());
    drop(fleet);
    check(&mut site, &journal);
    println!(
        "PostgreSQL: {keys} keys, each sent by 16 at once to {SERVERS} servers: one record each, and its answer to all"
    );
}
