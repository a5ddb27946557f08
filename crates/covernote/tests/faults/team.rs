//! A team at work while its server is killed repeatedly: approvals over the console, complaints, imports, and
//! rotations of keys while contacts of policies change. Every act is done once or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::address::reserved;
use crate::authenticator::{Authenticator, Console};
use crate::bodies::imported_policy;
use crate::check::check_answers;
use crate::cluster::Cluster;
use crate::dice::Dice;
use crate::load::{Load, Operator, WAS_DONE};
use crate::long_or;
use crate::program::{Server, is_sound, stderr};
use crate::site::Site;

/// Exit code of a command that got no answer.
const UNAVAILABLE: i32 = 69;

/// Purposes of keys whose rotation rewrites every row. A rotation of another key only adds a key.
const PURPOSES: [&str; 2] = ["lookup", "data"];

/// Approvals that are underway at once.
const APPROVERS: usize = 8;

/// Time in which the operators need no other confirmation with their passkeys (5 minutes), less a margin.
const CONFIRMED_FOR: Duration = Duration::from_secs(240);

/// Policies in one file.
const POLICIES: u64 = 40;

/// What the team did, and was told.
#[derive(Default)]
struct Done {
    /// Ids of complaints that were added.
    complaints: Mutex<BTreeSet<String>>,
    /// Complaints that were added, but whose command did not learn the id.
    without_id: AtomicU64,
    /// Complaints that may have been added: no process answered for half a minute.
    perhaps: AtomicU64,
    /// Imports whose command ended with 0.
    imports: AtomicU64,
    rotations: Mutex<BTreeMap<&'static str, u64>>,
    contacts: AtomicU64,
    /// Approvals that were granted, each with the name of its operator.
    approvals: Mutex<BTreeMap<String, String>>,
    faults: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl Done {
    fn faults(&self, words: &str, ended: &Output) {
        let code = ended.status.code();
        self.faults.lock().expect("unpoisoned").push(format!("{words}: {code:?} {}", stderr(ended)));
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Repeats a piece of work, with a number, until the load is over.
    fn repeat(self: &Arc<Done>, work: impl Fn(&Done, u64) + Send + 'static) -> std::thread::JoinHandle<()> {
        let done = Arc::clone(self);
        std::thread::spawn(move || {
            (0..).take_while(|_| !done.is_over()).for_each(|number| work(&done, number))
        })
    }
}

fn run(operator: &Operator, words: &[&str]) -> Output {
    let mut command = operator();
    command.args(words).stdin(Stdio::null()).output().expect("it starts")
}

/// A new complaint. The command repeats its request itself if the answer is lost.
fn complain(done: &Done, operator: &Operator) {
    let words = ["complaint", "add", "--kind", "OTHER", "--from", "Asha", "--text", "No answer.", "--json"];
    let ended = run(operator, &words);
    match ended.status.code() {
        Some(0) => {
            let added: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
            let id = added["complaint_id"].as_str().unwrap_or_else(|| panic!("no id: {added}"));
            assert!(done.complaints.lock().expect("unpoisoned").insert(id.to_owned()), "{id} comes twice");
        }
        Some(_) if stderr(&ended).contains(WAS_DONE) => {
            done.without_id.fetch_add(1, Ordering::SeqCst);
        }
        Some(UNAVAILABLE) => {
            done.perhaps.fetch_add(1, Ordering::SeqCst);
        }
        _ => done.faults("complaint add", &ended),
    }
}

/// Rotates a key. A rotation that stopped is continued.
fn rotate(done: &Done, operator: &Operator, purpose: &'static str) {
    loop {
        let ended = run(operator, &["keys", "rotate", purpose]);
        match ended.status.code() {
            Some(0) => {
                *done.rotations.lock().expect("unpoisoned").entry(purpose).or_default() += 1;
                return;
            }
            // It goes on with a request of its own.
            Some(_) if stderr(&ended).contains(WAS_DONE) => {}
            Some(UNAVAILABLE) if !done.is_over() => {}
            Some(UNAVAILABLE) => return,
            _ => return done.faults(purpose, &ended),
        }
    }
}

/// Imports a file of its own until all its policies are there.
fn import(done: &Done, operator: &Operator, partner: &str, folder: &Path, number: u64) {
    let mut policy = imported_policy();
    policy["partner_id"] = json!(partner);
    let mut lines = String::new();
    for at in 0..POLICIES {
        policy["policy_number"] = json!(format!("OLD-{number}-{at}"));
        policy["proposer_details"]["phone"] = json!(format!("9{:09}", number * POLICIES + at));
        lines += &format!("{policy}\n");
    }
    let file = "book.jsonl";
    fs::write(folder.join(file), lines).expect("written");
    loop {
        let ended = run(operator, &["import", "policies", file]);
        match ended.status.code() {
            Some(0) => break,
            // The import whose answer was lost was done.
            Some(_)
                if stderr(&ended).contains("the store already has") || stderr(&ended).contains(WAS_DONE) =>
            {
                break;
            }
            Some(UNAVAILABLE) if !done.is_over() => {}
            Some(UNAVAILABLE) => return,
            _ => return done.faults("import", &ended),
        }
    }
    done.imports.fetch_add(1, Ordering::SeqCst);
}

/// Changes the mobile number of a policy that was sold.
fn change_contact(done: &Done, operator: &Operator, folder: &Path, number: u64) {
    let listed = run(operator, &["policy", "list", "--json", "--status", "ISSUED"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap_or_default();
    let policies = listed["policies"].as_array().cloned().unwrap_or_default();
    let sold: Vec<_> = policies
        .iter()
        .filter(|policy| !policy["policy_number"].to_string().contains("OLD-"))
        .filter_map(|policy| policy["policy_id"].as_str())
        .collect();
    let Some(policy) = sold.get(usize::try_from(number).expect("small") % sold.len().max(1)) else { return };
    let contact = json!({ "kind": "CONTACT", "contact": { "mobile": format!("8{number:09}") } });
    fs::write(folder.join("change.json"), contact.to_string()).expect("written");
    let ended = run(operator, &["policy", "endorse", policy, "--change", "change.json"]);
    match ended.status.code() {
        Some(code) if code == 0 || stderr(&ended).contains(WAS_DONE) => {
            done.contacts.fetch_add(1, Ordering::SeqCst);
        }
        // The partner cancelled or reduced it meanwhile.
        Some(UNAVAILABLE | 1) => {}
        _ => done.faults("policy endorse", &ended),
    }
}

/// Two administrators, signed in at the console.
struct Team {
    base: String,
    meera: String,
    arjun: String,
    signed_in: Instant,
}

impl Team {
    /// Invites both, and lets each enrol a passkey.
    async fn enrol(base: String, operator: &Operator) -> Team {
        let console = Console::at(base.clone());
        let invited = ["Meera", "Arjun"].map(|name| {
            let ended = run(operator, &["operator", "invite", name, "--role", "admin"]);
            assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
            String::from_utf8_lossy(&ended.stdout).trim().to_owned()
        });
        let mut sessions = Vec::new();
        for link in invited {
            let cookie = console.enrols(&link, &mut Authenticator::new(&console)).await;
            sessions.push(cookie.split_once('=').expect("a cookie").1.to_owned());
        }
        let arjun = sessions.pop().expect("two");
        Team { base, meera: sessions.pop().expect("two"), arjun, signed_in: Instant::now() }
    }

    /// Sends a request until it is answered. `None`: the load is over.
    async fn tell(&self, done: &Done, by: &str, path: &str, body: &Value, key: &str) -> Option<(u16, Value)> {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(10)).build().expect("a client");
        while !done.is_over() {
            let request = client.post(format!("{}/operator/v1{path}", self.base)).bearer_auth(by);
            if let Ok(answer) = request.header("idempotency-key", key).json(body).send().await {
                let status = answer.status().as_u16();
                if let Ok(body) = answer.json().await
                    && status != 503
                {
                    return Some((status, body));
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }

    /// Meera invites an administrator, and Arjun approves.
    async fn approve(&self, done: &Done, number: usize) {
        let name = format!("Kiran {number}");
        let invite = json!({ "name": name, "roles": ["admin"] });
        let asked = self.tell(done, &self.meera, "/operators", &invite, &format!("ask-{number}")).await;
        let Some((status, waits)) = asked else { return };
        let Some(id) = waits["approval_id"].as_str().filter(|_| status == 202) else {
            return done.faults.lock().expect("unpoisoned").push(format!("{status} {waits}"));
        };
        let path = format!("/approvals/{id}/approval");
        let granted = self.tell(done, &self.arjun, &path, &json!({}), &format!("grant-{number}")).await;
        if let Some(other) = granted.filter(|(status, _)| !matches!(status, 200 | 409)) {
            return done.faults.lock().expect("unpoisoned").push(format!("{other:?}"));
        }
        // Only the requester gets the link.
        match self.tell(done, &self.meera, "/operators", &invite, &format!("fetch-{number}")).await {
            // After a lost answer: the person is invited already.
            Some((200 | 409, _)) => {
                done.approvals.lock().expect("unpoisoned").insert(id.to_owned(), name);
            }
            // A kill between the use of the approval and the act: it must be requested again.
            Some((202, _)) => {}
            Some(other) => done.faults.lock().expect("unpoisoned").push(format!("{other:?}")),
            None => {}
        }
    }
}

fn json_of(operator: &Operator, words: &[&str]) -> Value {
    let ended = run(operator, words);
    assert_eq!(ended.status.code(), Some(0), "{words:?}: {}", stderr(&ended));
    serde_json::from_slice(&ended.stdout).expect("JSON")
}

/// How often each text of a list's items occurs.
fn occurring(of: &Value, list: &str, field: &str) -> BTreeMap<String, u64> {
    let mut number = BTreeMap::new();
    for item in of[list].as_array().expect("a list") {
        *number.entry(item[field].as_str().expect("text").to_owned()).or_default() += 1;
    }
    number
}

/// Checks at a server that every acknowledged act was done, and none twice.
fn check_team(operator: &Operator, done: &Done) {
    let complaints = json_of(operator, &["complaint", "list", "--all", "--most", "100000", "--json"]);
    let found = occurring(&complaints, "complaints", "complaint_id");
    let acknowledged = done.complaints.lock().expect("unpoisoned");
    let lost: Vec<_> = acknowledged.iter().filter(|id| !found.contains_key(*id)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let least = acknowledged.len() as u64 + done.without_id.load(Ordering::SeqCst);
    let most = least + done.perhaps.load(Ordering::SeqCst);
    assert!((least..=most).contains(&(found.len() as u64)), "{} of {least} to {most}", found.len());
    for number in 0..done.imports.load(Ordering::SeqCst) {
        for at in [0, POLICIES - 1] {
            json_of(operator, &["policy", "show", &format!("OLD-{number}-{at}"), "--json"]);
        }
    }
    let granted = done.approvals.lock().expect("unpoisoned");
    let began = Instant::now();
    loop {
        let there = occurring(&json_of(operator, &["operator", "list", "--json"]), "operators", "name");
        let doubled: Vec<_> = there.iter().filter(|(_, times)| **times > 1).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
        let undone: Vec<_> = granted.iter().filter(|(_, name)| !there.contains_key(*name)).collect();
        if undone.is_empty() {
            return;
        }
        // What a kill left over is done every 15 seconds.
        assert!(began.elapsed() < Duration::from_secs(60), "{undone:?}");
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Kills a server under the load of partners and of a team.
fn kills_at_work(engine: &str, mut site: Site, console: SocketAddr) -> Site {
    let (kills, writes) = long_or((200, 300), (8, 60));
    let serve = |site: &Site| {
        let mut serve = site.serve();
        serve.args(["--config", "console.toml"]);
        Server::listening(serve)
    };
    let settings = format!("console_listen = \"{console}\"\n");
    fs::write(site.folder().join("console.toml"), settings).expect("written");
    let mut server = serve(&site);
    let (runtime, done) = (tokio::runtime::Runtime::new().expect("a runtime"), Arc::new(Done::default()));
    let base = format!("http://localhost:{}", console.port());
    let team = Arc::new(runtime.block_on(Team::enrol(base, &site.operator())));
    let load = Load::start("team", &site.token(&server), 6);
    let mut target = load.targets().open(&server.base);
    let (partner, folder) = (site.partner().to_string(), site.folder().to_owned());
    let [first, second, third, fourth, fifth] = [(); 5].map(|()| site.operator());
    let workers = vec![
        done.repeat(move |done, _| complain(done, &first)),
        done.repeat(move |done, _| complain(done, &second)),
        done.repeat(move |done, number| {
            rotate(done, &third, PURPOSES[usize::try_from(number).expect("small") % PURPOSES.len()]);
        }),
        done.repeat({
            let folder = folder.clone();
            move |done, number| change_contact(done, &fifth, &folder, number)
        }),
        done.repeat(move |done, number| import(done, &fourth, &partner, &folder, number)),
    ];
    let approving: Vec<_> = (0..APPROVERS)
        .map(|first| {
            let (team, done) = (Arc::clone(&team), Arc::clone(&done));
            runtime.spawn(async move {
                for number in (first..).step_by(APPROVERS) {
                    if done.is_over() || team.signed_in.elapsed() > CONFIRMED_FOR {
                        return;
                    }
                    team.approve(&done, number).await;
                }
            })
        })
        .collect();
    let (mut dice, began) = (Dice::new(59), Instant::now());
    for _ in 0..kills {
        load.goes_on_for(writes);
        std::thread::sleep(Duration::from_micros(dice.below(50_000)));
        target.is_killed();
        server.kill();
        load.targets().close(&target);
        server = serve(&site);
        target = load.targets().open(&server.base);
    }
    load.goes_on_for(writes);
    done.is_over.store(true, Ordering::SeqCst);
    workers.into_iter().for_each(|worker| worker.join().expect("no panic"));
    approving.into_iter().for_each(|approving| runtime.block_on(approving).expect("no panic"));
    let (journal, took) = (load.ends(), began.elapsed());
    assert_eq!(*done.faults.lock().expect("unpoisoned"), Vec::<String>::new());
    check_team(&site.operator(), &done);
    for words in [&["verify"][..], &["audit", "verify"]] {
        let ended = run(&site.operator(), words);
        assert_eq!(ended.status.code(), Some(0), "{words:?}: {}", stderr(&ended));
    }
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().expect("it stops").code(), Some(0));
    check_answers(&mut site, &journal);
    let rotations = done.rotations.lock().expect("unpoisoned");
    assert!(!rotations.is_empty(), "no key was rotated");
    assert!(done.contacts.load(Ordering::SeqCst) > 0, "no contact was changed");
    println!(
        "{engine}: {kills} kills in {took:.0?}, {} acknowledged writes of partners, {} complaints, {} approvals, {} imports, {} changed contacts, rotations {:?}: 0 lost, 0 doubled, 0 half",
        journal.acknowledged.len(),
        done.complaints.lock().expect("unpoisoned").len(),
        done.approvals.lock().expect("unpoisoned").len(),
        done.imports.load(Ordering::SeqCst),
        done.contacts.load(Ordering::SeqCst),
        *rotations,
    );
    site
}

#[test]
fn kills_neither_lose_nor_duplicate_nor_split_acts_of_several_operators_on_sqlite() {
    let site = kills_at_work("SQLite", Site::sqlite(), reserved());
    is_sound(site.folder());
}

#[test]
fn kills_neither_lose_nor_duplicate_nor_split_acts_of_several_operators_on_postgresql() {
    let cluster = Cluster::start();
    kills_at_work("PostgreSQL", Site::postgres(&cluster.database("team")), reserved());
}
