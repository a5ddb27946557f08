//! Three PostgreSQL nodes under Patroni, with etcd, from the files of `deploy/patroni`. One server has its
//! own network, which can be cut from a node in either direction.
//!
//! If the tests run as root, the nodes have addresses that a network of another namespace can reach.
//! Otherwise they are on loopback, and nothing can be cut.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::address::reserved;
use crate::cluster::{SYSTEM_USER, VERSIONS, home, is_root, postmaster_of, program, run, say};
use crate::frozen::{Frozen, processes};

/// Number of nodes.
const NODES: usize = 3;

/// The password of every role. The cluster exists only for a test.
const PASSWORD: &str = "of-a-test";

/// Longest wait until every node runs and follows.
const WHOLE_WITHIN: Duration = Duration::from_secs(120);

/// Name of the program in Debian's etcd package.
const ETCD: &str = "etcd";

/// Prefix of addresses that exist only on this machine (RFC 2544), another one for each test process.
fn network_of_this_process() -> String {
    let id = std::process::id();
    format!("198.{}.{}", 18 + (id >> 8) % 2, id % 256)
}

/// A network in its own namespace. The nodes listen on its near end.
struct Network {
    name: String,
    prefix: String,
}

impl Network {
    fn start() -> Network {
        let network =
            Network { name: format!("cvnt{}", std::process::id()), prefix: network_of_this_process() };
        let Network { name, prefix } = &network;
        ip(&format!("netns add {name}"));
        ip(&format!("link add {name}h type veth peer name {name}p"));
        ip(&format!("link set {name}p netns {name}"));
        // The first address is the source of the clients' connections, so that packets of a node can be
        // dropped without theirs.
        ip(&format!("addr add {prefix}.254/24 dev {name}h"));
        for node in 0..NODES {
            ip(&format!("addr add {prefix}.{}/24 dev {name}h", node + 1));
        }
        ip(&format!("link set {name}h up"));
        ip(&format!("-n {name} addr add {prefix}.9/24 dev {name}p"));
        ip(&format!("-n {name} link set {name}p up"));
        ip(&format!("-n {name} link set lo up"));
        network
    }

    fn node(&self, node: usize) -> String {
        format!("{}.{}", self.prefix, node + 1)
    }

    /// The address of the processes inside the namespace.
    fn inside(&self) -> String {
        format!("{}.9", self.prefix)
    }

    /// Drops all packets from inside to a node: they go to a hardware address that does not exist.
    fn lose_to(&self, node: usize) {
        let (name, node) = (&self.name, self.node(node));
        ip(&format!("-n {name} neigh replace {node} lladdr 02:00:00:00:00:ff dev {name}p nud permanent"));
    }

    /// Drops all packets from a node to inside.
    fn lose_from(&self, node: usize) {
        ip(&format!("rule add from {} to {} blackhole", self.node(node), self.inside()));
    }

    /// Stops dropping packets.
    fn heal(&self, node: usize) {
        let (name, inside, node) = (&self.name, self.inside(), self.node(node));
        let _ = command(&format!("-n {name} neigh del {node} dev {name}p")).output();
        let _ = command(&format!("rule del from {node} to {inside} blackhole")).output();
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        (0..NODES).for_each(|node| self.heal(node));
        let _ = command(&format!("netns del {}", self.name)).output();
        let _ = command(&format!("link del {}h", self.name)).output();
    }
}

fn command(words: &str) -> Command {
    let mut command = Command::new("ip");
    command.args(words.split(' ')).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn ip(words: &str) {
    run(Command::new("ip").args(words.split(' ')));
}

/// Direction of the lost packets, seen from the server in its own network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    ToThePrimary,
    FromThePrimary,
    BothWays,
}

/// State of a cluster member, as it reports it.
#[derive(Debug)]
struct Member {
    role: String,
    state: String,
}

/// The nodes with etcd.
pub struct Patroni {
    home: tempfile::TempDir,
    network: Option<Network>,
    port: u16,
    apis: Vec<u16>,
    etcd_ports: (u16, u16),
    etcd: Option<Child>,
    watcher: Child,
}

impl Patroni {
    /// Starts etcd and the nodes, and waits until two of them follow the third.
    pub fn start() -> Patroni {
        let home = home();
        let watcher = watch(home.path());
        let network = is_root().then(Network::start);
        let ports: Vec<u16> = (0..3 + NODES).map(|_| reserved().port()).collect();
        let mut patroni = Patroni {
            home,
            network,
            port: ports[0],
            apis: ports[3..].to_vec(),
            etcd_ports: (ports[1], ports[2]),
            etcd: None,
            watcher,
        };
        patroni.start_etcd();
        for node in 0..NODES {
            patroni.configure(node);
            patroni.start_node(node);
        }
        patroni.is_whole();
        patroni.say_at_leader("postgres", &format!("create role service login password '{PASSWORD}'"));
        patroni.say_at_leader("postgres", "create database covernote owner service");
        patroni
    }

    fn configure(&self, node: usize) {
        let home = self.home.path().join(format!("node{node}"));
        std::fs::create_dir(&home).expect("a folder");
        let programs = program("postgres");
        assert!(programs.starts_with(VERSIONS), "Debian's");
        let bin = programs.parent().expect("its folder").display().to_string();
        let network =
            self.network.as_ref().map_or("127.0.0.0/8".to_owned(), |own| format!("{}.0/24", own.prefix));
        let text =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/patroni/patroni.yml"));
        let mut text = text.expect("the file of deploy/patroni");
        for (word, value) in [
            ("NODE", format!("node{node}")),
            ("ADDRESS", self.address(node)),
            ("PORT", self.port_of(node).to_string()),
            ("API", self.apis[node].to_string()),
            ("ETCD", format!("127.0.0.1:{}", self.etcd_ports.0)),
            ("HOME", home.display().to_string()),
            ("BIN", bin),
            ("NETWORK", network),
            ("SUPERUSER_PASSWORD", PASSWORD.to_owned()),
            ("REPLICATION_PASSWORD", PASSWORD.to_owned()),
            ("REWIND_PASSWORD", PASSWORD.to_owned()),
            ("WATCHDOG", "\"off\"".to_owned()),
        ] {
            assert!(text.contains(word), "deploy/patroni/patroni.yml has a place for {word}");
            text = text.replace(word, &value);
        }
        std::fs::write(self.settings(node), text).expect("written");
        if is_root() {
            run(Command::new("chown").arg("-R").arg(SYSTEM_USER).arg(&home));
        }
    }

    fn settings(&self, node: usize) -> PathBuf {
        self.home.path().join(format!("node{node}/patroni.yml"))
    }

    fn address(&self, node: usize) -> String {
        self.network.as_ref().map_or("127.0.0.1".to_owned(), |network| network.node(node))
    }

    /// The port of a node. If nodes have their own addresses, all use the same port.
    fn port_of(&self, node: usize) -> u16 {
        if self.network.is_some() { self.port } else { self.port + node as u16 }
    }

    /// The database's address with all nodes, for the service's settings. The service finds the primary.
    pub fn url(&self) -> String {
        let hosts: Vec<String> =
            (0..NODES).map(|node| format!("{}:{}", self.address(node), self.port_of(node))).collect();
        format!("postgres://service:{PASSWORD}@{}/covernote?sslmode=disable", hosts.join(","))
    }

    /// Starts a serving command in the network that can be cut. `None` without root.
    pub fn within_network(&self, serve: &Command) -> Option<Command> {
        let network = self.network.as_ref()?;
        let mut within = Command::new("ip");
        within.args(["netns", "exec", &network.name]).arg(serve.get_program());
        for argument in serve.get_args() {
            if argument == "127.0.0.1:0" {
                within.arg(format!("{}:0", network.inside()));
            } else {
                within.arg(argument);
            }
        }
        for (name, value) in serve.get_envs() {
            match value {
                Some(value) => within.env(name, value),
                None => within.env_remove(name),
            };
        }
        within.current_dir(serve.get_current_dir().expect("the folder of its installation"));
        Some(within)
    }

    pub fn start_etcd(&mut self) {
        let (client, peer) = self.etcd_ports;
        let (client, peer) = (format!("http://127.0.0.1:{client}"), format!("http://127.0.0.1:{peer}"));
        let mut etcd = Command::new(ETCD);
        etcd.arg("--data-dir").arg(self.home.path().join("etcd"));
        etcd.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
        etcd.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
        etcd.args(["--initial-cluster", &format!("default={peer}")]);
        etcd.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.etcd = Some(etcd.spawn().expect("etcd is installed: the package etcd-server"));
    }

    pub fn kill_etcd(&mut self) {
        let mut etcd = self.etcd.take().expect("it runs");
        etcd.kill().expect("killed");
        etcd.wait().expect("gone");
    }

    /// Starts Patroni on a node, as its systemd unit does after it ended.
    pub fn start_node(&self, node: usize) {
        let log = std::fs::File::options().create(true).append(true).open(self.home.path().join("log"));
        let log = log.expect("a log");
        let mut patroni = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", SYSTEM_USER, "--", "patroni"]);
            command
        } else {
            Command::new("patroni")
        };
        patroni.arg(self.settings(node)).current_dir("/").stdin(Stdio::null());
        patroni.stdout(log.try_clone().expect("a log")).stderr(log);
        let mut child = patroni.spawn().expect("Patroni is installed: the package patroni");
        // Waits for the ended process, so that it does not remain as a zombie.
        std::thread::spawn(move || child.wait());
    }

    /// The main process of PostgreSQL on a node.
    fn postmaster(&self, node: usize) -> Option<Pid> {
        postmaster_of(&self.home.path().join(format!("node{node}/data")))
    }

    /// Patroni on a node, with its parent processes.
    fn keepers(&self, node: usize) -> Vec<Pid> {
        let settings = self.settings(node).display().to_string();
        processes().filter(|(_, words, _)| words.contains(&settings)).map(|(pid, _, _)| pid).collect()
    }

    /// Kills only PostgreSQL on a node. Patroni starts it again.
    pub fn kill_postgres(&self, node: usize) {
        kill_process(self.postmaster(node).expect("it runs"), Signal::KILL).expect("killed");
    }

    /// Kills everything on a node, as if its machine were gone.
    pub fn kill_node(&self, node: usize) {
        let all = [self.keepers(node), self.postmaster(node).into_iter().collect()].concat();
        for pid in all {
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    /// Stops everything on a node, with open sockets, until the returned value is dropped.
    pub fn freeze(&self, node: usize) -> Frozen {
        let mut all = self.keepers(node);
        all.push(self.postmaster(node).expect("it runs"));
        Frozen::stop(all)
    }

    /// Cuts the server's own network from a node.
    pub fn cut(&self, node: usize, lost: Lost) {
        let network = self.network.as_ref().expect("asked of root alone");
        if lost != Lost::FromThePrimary {
            network.lose_to(node);
        }
        if lost != Lost::ToThePrimary {
            network.lose_from(node);
        }
    }

    pub fn heal(&self, node: usize) {
        self.network.as_ref().expect("asked of root alone").heal(node);
    }

    /// Sends a request to a node's API. `None` if it does not answer.
    fn ask(&self, node: usize, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let address = format!("{}:{}", self.address(node), self.apis[node]);
        let mut stream = TcpStream::connect_timeout(&address.parse().ok()?, Duration::from_secs(1)).ok()?;
        // The answer to a switchover comes when it is done.
        let patience = if method == "GET" { Duration::from_secs(2) } else { Duration::from_secs(60) };
        stream.set_read_timeout(Some(patience)).ok()?;
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let head =
            format!("{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(body).unwrap_or_else(|_| json!(body))))
    }

    /// The members of the cluster, as seen by a node.
    fn members(&self, seen_by: usize) -> Option<Vec<Member>> {
        let (_, answer) = self.ask(seen_by, "GET", "/cluster", &Value::Null)?;
        let text = |member: &Value, name: &str| member[name].as_str().unwrap_or_default().to_owned();
        let member = |node: usize| {
            let named = format!("node{node}");
            let found =
                answer["members"].as_array()?.iter().find(|member| member["name"] == named.as_str())?;
            Some(Member { role: text(found, "role"), state: text(found, "state") })
        };
        (0..NODES).map(member).collect()
    }

    /// The node that says it is the primary.
    pub fn leader(&self) -> Option<usize> {
        (0..NODES).find(|node| {
            self.ask(*node, "GET", "/primary", &Value::Null).is_some_and(|(status, _)| status == 200)
        })
    }

    /// The synchronous standby, which must confirm each commit.
    pub fn synchronous_standby(&self) -> usize {
        let asked = Instant::now();
        loop {
            let members = self.leader().and_then(|leader| self.members(leader));
            if let Some(node) =
                members.and_then(|all| all.iter().position(|member| member.role == "sync_standby"))
            {
                return node;
            }
            assert!(asked.elapsed() < WHOLE_WITHIN, "there is no synchronous standby");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until there is a leader and the other nodes follow it, one of them synchronously.
    #[track_caller]
    pub fn is_whole(&self) {
        let asked = Instant::now();
        let is_whole = |members: &[Member]| {
            let count = |role: &str| members.iter().filter(|member| member.role == role).count();
            let follows = |member: &Member| {
                member.role == "leader" || matches!(member.state.as_str(), "running" | "streaming")
            };
            members.iter().all(follows) && count("leader") == 1 && count("sync_standby") == 1
        };
        loop {
            let leader = self.leader();
            let members = leader.and_then(|leader| self.members(leader));
            if members.as_ref().is_some_and(|members| is_whole(members)) {
                let following = "select count(*) from pg_stat_replication where state = 'streaming'";
                if self.say_at_leader("postgres", following) == (NODES - 1).to_string() {
                    return;
                }
            }
            assert!(
                asked.elapsed() < WHOLE_WITHIN,
                "not every node follows: leader {leader:?}, {members:#?}\n{}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// The last log lines of Patroni and PostgreSQL.
    fn log(&self) -> String {
        let text = std::fs::read_to_string(self.home.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }

    /// Makes another node the leader, as an operator does before maintenance.
    pub fn switch_over(&self) {
        let (leader, to) = (self.leader().expect("a leader"), self.synchronous_standby());
        let wanted = json!({ "leader": format!("node{leader}"), "candidate": format!("node{to}") });
        let answer = self.ask(leader, "POST", "/switchover", &wanted);
        assert!(answer.as_ref().is_some_and(|(status, _)| *status == 200), "{answer:?}");
    }

    /// Whether a leader without etcd continues if it reaches every other node.
    pub fn set_failsafe(&self, on: bool) {
        let leader = self.leader().expect("a leader");
        let answer = self.ask(leader, "PATCH", "/config", &json!({ "failsafe_mode": on }));
        assert!(answer.as_ref().is_some_and(|(status, _)| *status == 200), "{answer:?}");
        // Every node reads it in its next round.
        std::thread::sleep(Duration::from_secs(12));
    }

    /// Executes a statement on the leader.
    pub fn say_at_leader(&self, database: &str, statement: &str) -> String {
        let leader = self.leader().expect("a leader");
        let address = format!(
            "postgres://postgres:{PASSWORD}@{}:{}/{database}?sslmode=disable",
            self.address(leader),
            self.port_of(leader)
        );
        say(&address, statement)
    }

    /// Whether a server can be cut from its database on this machine.
    pub fn has_network(&self) -> bool {
        self.network.is_some()
    }
}

impl Drop for Patroni {
    fn drop(&mut self) {
        let _ = self.watcher.kill();
        let _ = self.watcher.wait();
        if let Some(mut etcd) = self.etcd.take() {
            let _ = etcd.kill();
            let _ = etcd.wait();
        }
        for node in 0..NODES {
            self.kill_node(node);
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Ends every process with the folder in its command line, and removes the folder and the network, once this
/// process is gone for whatever reason.
fn watch(home: &Path) -> Child {
    let script = format!(
        "while kill -0 {0} 2>/dev/null; do sleep 0.5; done; pkill -KILL -f '{1}/'; sleep 1; pkill -KILL -f '{1}/'; \
         ip netns del cvnt{0}; ip link del cvnt{0}h; rm -rf '{1}'",
        std::process::id(),
        home.display(),
    );
    let mut watcher = Command::new("setsid");
    watcher.args(["sh", "-c", &script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    watcher.spawn().expect("a watcher")
}
