//! A cluster with automatic failover: Patroni and etcd with three PostgreSQL nodes, for three servers and a
//! worker under load.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::check::check;
use crate::http::{Connection, Request, Unanswered};
use crate::load::{Load, Target};
use crate::long_or;
use crate::patroni::{Lost, Patroni};
use crate::program::Server;
use crate::site::{Site, address};

/// A lost leader is replaced within this time: `ttl` of deploy/patroni, plus the election.
const AGAIN: Duration = Duration::from_secs(20 + 5);

/// Longest duration of a request, whatever the database does.
const LONGEST_REQUEST: Duration = Duration::from_secs(10);

/// Duration of a fault: etcd gone, leader frozen, network cut. It is longer than `ttl`.
const GONE: Duration = Duration::from_secs(30);

/// Repetitions of each fault in the long form.
const OFTEN: usize = 10;

/// Number of clients.
const CLIENTS: usize = 12;

/// The cluster with its servers and clients.
struct Scene {
    patroni: Patroni,
    site: Site,
    servers: Vec<(Server, Arc<Target>)>,
    worker: Server,
    load: Load,
}

impl Scene {
    fn set() -> Scene {
        let patroni = Patroni::start();
        let mut site = Site::postgres(&patroni.url());
        // The server in its own network is reached by other hosts, so it needs `operator.toml`.
        let operator = site.program().args(["operator", "example"]).output().expect("it starts").stdout;
        std::fs::write(site.data().join("operator.toml"), operator).expect("written");
        let first = site.server();
        let token = site.token(&first);
        drop(first);
        let mut work = site.program();
        work.args(["worker", "--log-format", "json"]);
        let worker = Server::working(work);
        let load = Load::with_operator("failover", &token, CLIENTS, site.operator());
        let mut servers = Vec::new();
        for place in 0..3 {
            let serve = site.serve();
            // The last server is in a network that can be cut.
            let within = if place == 2 { patroni.within_network(&serve) } else { None };
            let server = Server::listening(within.unwrap_or(serve));
            let target = load.targets().open(&server.base);
            servers.push((server, target));
        }
        Scene { patroni, site, servers, worker, load }
    }

    /// Longest time without an acknowledged write, from now until `is_over` and a hundred more writes.
    #[track_caller]
    fn longest_gap(&self, is_over: impl Fn() -> bool) -> Duration {
        let begun = Instant::now();
        let (mut last, mut count) = (begun, self.load.acknowledged());
        let mut longest = Duration::ZERO;
        let mut enough = None;
        let mut asked = begun;
        loop {
            let now = self.load.acknowledged();
            if now > count {
                longest = longest.max(last.elapsed());
                (last, count) = (Instant::now(), now);
            }
            if enough.is_some_and(|enough| count >= enough) {
                return longest;
            }
            if enough.is_none() && asked.elapsed() > Duration::from_millis(200) {
                enough = is_over().then_some(count + 100);
                asked = Instant::now();
            }
            assert!(
                last.elapsed() < Duration::from_secs(90),
                "nothing is written any more; the servers said: {:#?}",
                self.servers.iter().map(|(server, _)| server.logged()).collect::<Vec<_>>()
            );
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// A server's answer to `/readyz`.
    fn says(&self, place: usize) -> Result<u16, Unanswered> {
        let answer =
            Connection::default().ask(address(&self.servers[place].0), None, &Request::get("/readyz"));
        answer.map(|answer| answer.status)
    }

    /// Waits until every server and every node works again.
    #[track_caller]
    fn is_whole(&self) {
        self.patroni.is_whole();
        let asked = Instant::now();
        for place in 0..self.servers.len() {
            loop {
                let said = self.says(place);
                if matches!(said, Ok(200)) {
                    break;
                }
                let logged = self.servers[place].0.logged();
                assert!(asked.elapsed() < AGAIN, "server {place} is not ready again: {said:?}, {logged:#?}");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// Ends the load, and checks everything. Returns the figures of the run.
    #[track_caller]
    fn ends(mut self) -> String {
        let journal = self.load.ends();
        drop(self.servers);
        drop(self.worker);
        check(&mut self.site, &journal);
        assert!(
            journal.slowest < long_or(LONGEST_REQUEST, 3 * LONGEST_REQUEST),
            "a request took {:.1?}",
            journal.slowest
        );
        format!(
            "{} acknowledged writes, {} answered E5030: 0 lost, 0 doubled, 0 half; the slowest request {:.1?}",
            journal.acknowledged.len(),
            journal.away.len(),
            journal.slowest
        )
    }
}

/// A fault of the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Switchover,
    PostgresKilled,
    LeaderKilled,
    LeaderFrozen,
    EtcdGoneWithFailsafe,
    EtcdGoneWithoutFailsafe,
    StandbyGone,
    StandbyFrozen,
    Cut(Lost),
}

impl Fault {
    const ALL: [Fault; 11] = [
        Fault::Switchover,
        Fault::PostgresKilled,
        Fault::LeaderKilled,
        Fault::LeaderFrozen,
        Fault::EtcdGoneWithFailsafe,
        Fault::EtcdGoneWithoutFailsafe,
        Fault::StandbyGone,
        Fault::StandbyFrozen,
        Fault::Cut(Lost::ToThePrimary),
        Fault::Cut(Lost::FromThePrimary),
        Fault::Cut(Lost::BothWays),
    ];

    /// Causes the fault, then repairs it. Returns the longest time without an acknowledged write.
    #[track_caller]
    fn happen(self, scene: &mut Scene) -> Duration {
        let leader = scene.patroni.leader().expect("a leader");
        let begun = Instant::now();
        let another_leads = |patroni: &Patroni| patroni.leader().is_some_and(|now| now != leader);
        let gap = match self {
            Fault::Switchover => std::thread::scope(|scope| {
                let switching = scope.spawn(|| scene.patroni.switch_over());
                scene.longest_gap(|| switching.is_finished() && another_leads(&scene.patroni))
            }),
            Fault::PostgresKilled => {
                scene.patroni.kill_postgres(leader);
                scene.longest_gap(|| scene.patroni.leader().is_some())
            }
            Fault::LeaderKilled => {
                scene.patroni.kill_node(leader);
                let gap = scene.longest_gap(|| another_leads(&scene.patroni));
                scene.patroni.start_node(leader);
                gap
            }
            Fault::LeaderFrozen => {
                let frozen = scene.patroni.freeze(leader);
                let gap = scene.longest_gap(|| begun.elapsed() > GONE && another_leads(&scene.patroni));
                drop(frozen);
                gap
            }
            Fault::EtcdGoneWithFailsafe => {
                scene.patroni.kill_etcd();
                let gap = scene.longest_gap(|| begun.elapsed() > GONE);
                scene.patroni.start_etcd();
                gap
            }
            Fault::EtcdGoneWithoutFailsafe => {
                scene.patroni.set_failsafe(false);
                scene.patroni.kill_etcd();
                std::thread::sleep(GONE);
                assert_eq!(scene.patroni.leader(), None, "a leader that nobody can know of gave up");
                scene.patroni.start_etcd();
                let gap = scene.longest_gap(|| scene.patroni.leader().is_some());
                scene.patroni.set_failsafe(true);
                gap
            }
            Fault::StandbyGone => {
                let standby = scene.patroni.synchronous_standby();
                scene.patroni.kill_node(standby);
                let gap = scene.longest_gap(|| begun.elapsed() > Duration::from_secs(10));
                scene.patroni.start_node(standby);
                gap
            }
            Fault::StandbyFrozen => {
                let frozen = scene.patroni.freeze(scene.patroni.synchronous_standby());
                let gap = scene.longest_gap(|| begun.elapsed() > GONE);
                drop(frozen);
                gap
            }
            Fault::Cut(lost) => {
                scene.patroni.cut(leader, lost);
                let gap = scene.longest_gap(|| begun.elapsed() > Duration::from_secs(15));
                let said = scene.says(2);
                assert!(matches!(said, Ok(503)), "the server that is cut off says so: {said:?}");
                scene.patroni.heal(leader);
                gap
            }
        };
        scene.is_whole();
        gap
    }

    fn is_possible(self, scene: &Scene) -> bool {
        !matches!(self, Fault::Cut(_)) || scene.patroni.has_network()
    }
}

#[test]
fn a_cluster_that_fails_over_by_itself_loses_no_acknowledged_write() {
    let faults: Vec<Fault> = match std::env::var("COVERNOTE_FAULT") {
        Ok(name) => Fault::ALL.into_iter().filter(|fault| format!("{fault:?}").contains(&name)).collect(),
        Err(_) => long_or(
            Fault::ALL.to_vec(),
            vec![Fault::Switchover, Fault::LeaderKilled, Fault::Cut(Lost::BothWays)],
        ),
    };
    assert!(!faults.is_empty(), "COVERNOTE_FAULT names none of {:?}", Fault::ALL);
    let mut scene = Scene::set();
    let mut lines = Vec::new();
    for fault in faults {
        if !fault.is_possible(&scene) {
            println!("NOT CHECKED: {fault:?}: only root can have a network of its own");
            continue;
        }
        let mut gaps = Vec::new();
        for _ in 0..long_or(OFTEN, 1) {
            scene.load.goes_on_for(100);
            let gap = fault.happen(&mut scene);
            println!("{fault:?}: nothing written for {gap:.1?}");
            // Beside other tests an election takes longer. Only the long form, which runs alone, checks the
            // exact time.
            assert!(gap < long_or(AGAIN, 3 * AGAIN), "{fault:?}: nothing written for {gap:.1?}");
            gaps.push(gap);
        }
        gaps.sort();
        let (median, most) = (gaps[gaps.len() / 2], gaps[gaps.len() - 1]);
        lines.push(format!("| {fault:?} | {} | {median:.1?} | {most:.1?} |", gaps.len()));
    }
    let ended = scene.ends();
    println!(
        "Patroni: {ended}\n| fault | times | median without a write | longest |\n|---|---|---|---|\n{}",
        lines.join("\n")
    );
}
