//! Racing cancellations, endorsements, claims and reads of one policy at three servers. There must be an
//! order in which the same requests, one after another, get the same answers (linearizability).
//!
//! Clients note when each request was sent and when its answer came. The checker looks for the order: a
//! request that was answered before another one was sent comes before it.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use covernote::wiring::SystemClock;
use domain::date::{day_of, start_of_day};
use serde_json::{Value, json};
use service::clock::Clock;
use todc_utils::{Action, History, WGLChecker};

use crate::bodies;
use crate::cluster::Cluster;
use crate::dice::Dice;
use crate::http::{Answer, Connection, Request};
use crate::load::{CLAIMS, POLICIES, PROPOSAL, PROPOSALS, QUOTE, product_of};
use crate::long_or;
use crate::policy_model::{Act, Done, KINDS, OnePolicy, Seen, Terms, Told};
use crate::program::Server;
use crate::site::{Site, address};

/// Number of clients that race for a policy. As many may send the same request with one key.
const CLIENTS: usize = 16;

/// Number of further acts of each client.
const ACTS: usize = 3;

/// Most cover reductions of a policy.
const REDUCTIONS: usize = 4;

/// Cover of every policy in rupees, then the amount of each reduction.
const COVER: usize = 500_000;
const STEP: usize = 100_000;

/// A request with its answer, between two ticks of a counter that all clients share.
#[derive(Debug, Clone)]
struct Noted {
    client: usize,
    sent: u64,
    answered: u64,
    done: Done,
}

/// The servers that the clients call.
struct Scene {
    site: Site,
    addresses: Vec<SocketAddr>,
    /// Kept so that the servers stop with the scene.
    _servers: Mutex<Vec<Server>>,
    token: String,
    ticks: AtomicU64,
}

impl Scene {
    fn with(mut site: Site, servers: usize) -> Scene {
        let servers: Vec<Server> = (0..servers).map(|_| site.server()).collect();
        let token = site.token(&servers[0]);
        let addresses = servers.iter().map(address).collect();
        Scene { site, addresses, _servers: Mutex::new(servers), token, ticks: AtomicU64::new(0) }
    }

    /// Sends a request to one of the servers.
    fn asks(&self, connection: &mut Connection, server: usize, request: &Request) -> Answer {
        let server = self.addresses[server % self.addresses.len()];
        connection.ask(server, Some(&self.token), request).expect("no server is killed here")
    }

    #[track_caller]
    fn payload(&self, connection: &mut Connection, request: &Request) -> Value {
        let answer = self.asks(connection, 0, request);
        assert!((200..300).contains(&answer.status), "{}: {}", request.path, answer.text());
        answer.json()["payload"].take()
    }

    /// Sells a policy of the sample whose premium depends on its cover. The partner decides, or the operator
    /// for an insurer with a rate table. Returns the policy's id.
    fn sells(&self, connection: &mut Connection, operator_decides: bool) -> String {
        let wanted = if operator_decides { "insurer" } else { "partner" };
        let quote = self.payload(connection, &Request::post(QUOTE, &bodies::quote()));
        let is_wanted =
            |item: &&Value| item["is_error"] == false && product_of(item).decision.word() == wanted;
        let items = quote["recommendations"].as_array().expect("items");
        let item = &items.iter().find(is_wanted).expect("one is decided so")["recommendation_id"];
        let body = bodies::proposal(&quote["quote_id"], item, "SUBMITTED");
        let made = self.payload(connection, &Request::post(PROPOSAL, &body));
        let proposal = made["proposal_id"].as_str().expect("an id").to_owned();
        match operator_decides {
            true => assert_eq!(
                self.operator(&["proposal", "decide", &proposal, "--status", "completed"]).0,
                Some(0)
            ),
            false => {
                let path = format!("{PROPOSAL}/{proposal}");
                let request =
                    Request { method: "PATCH", ..Request::post(&path, &json!({ "status": "COMPLETED" })) };
                self.payload(connection, &request);
            }
        }
        let found = self.payload(connection, &Request::get(format!("{PROPOSALS}/{proposal}")));
        found["policy_id"].as_str().expect("an issued one has a policy").to_owned()
    }

    /// Runs a command of the operator. Returns its exit code and its stderr.
    fn operator(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.site.program().args(arguments).output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// The refunds of this kind of policy, measured on a policy that nobody else uses.
    fn terms(&self, operator_decides: bool) -> Terms {
        let mut connection = Connection::default();
        let id = self.sells(&mut connection, operator_decides);
        let mut terms = Terms { operator_decides, comes_back: Vec::new(), reductions: Vec::new() };
        for nth in 1..=REDUCTIONS + 1 {
            terms.comes_back.push(self.comes_back(&mut connection, &id));
            if nth > REDUCTIONS {
                break;
            }
            let quote = Request::post(&format!("{POLICIES}/{id}/endorsement-quote"), &reduction(nth));
            let quote = self.payload(&mut connection, &quote);
            terms.reductions.push(quote["refund"]["total"].as_str().expect("an amount").to_owned());
            let told = self.does(&mut connection, 0, &id, Act::Reduce(nth), None, &terms);
            let wanted = if operator_decides { "REQUESTED" } else { "MADE" };
            assert_eq!(told, Told::Taken(wanted.to_owned()));
            if operator_decides {
                let told = self.does(&mut connection, 0, &id, Act::DecideEndorsement(true), None, &terms);
                assert_eq!(told, Told::Taken("MADE".to_owned()));
            }
        }
        let different: BTreeSet<&String> = terms.comes_back.iter().collect();
        assert_eq!(different.len(), terms.comes_back.len(), "every reduction tells: {terms:?}");
        terms
    }

    fn comes_back(&self, connection: &mut Connection, id: &str) -> String {
        let body = json!({ "reason": "NOT_DISBURSED" });
        let quote =
            self.payload(connection, &Request::post(&format!("{POLICIES}/{id}/cancellation-quote"), &body));
        quote["refund"]["total"].as_str().expect("an amount").to_owned()
    }

    /// Does an act on a policy. Returns the answer.
    fn does(
        &self,
        connection: &mut Connection,
        server: usize,
        id: &str,
        act: Act,
        key: Option<&str>,
        terms: &Terms,
    ) -> Told {
        let path = format!("{POLICIES}/{id}");
        let post = |what: &str, body: &Value| Request::post(&format!("{path}/{what}"), body);
        let request = match act {
            Act::Read => Request::get(path),
            Act::Quote => post("cancellation-quote", &json!({ "reason": "NOT_DISBURSED" })),
            Act::Cancel(reduced) => {
                let body = json!({ "reason": "NOT_DISBURSED", "refund": terms.comes_back[reduced] });
                post("cancellation", &body)
            }
            Act::Contact => {
                let email = format!("asha.{}@example.com", self.ticks.fetch_add(1, Ordering::SeqCst));
                post("endorsement", &json!({ "kind": "CONTACT", "contact": { "email": email } }))
            }
            Act::Reduce(nth) => {
                let mut body = reduction(nth);
                body["refund"] = terms.reductions[nth - 1].as_str().into();
                post("endorsement", &body)
            }
            Act::Claim(kind) => {
                let claimant = json!({ "name": "Ravi Rao", "relation": "SPOUSE", "mobile": "9876543211" });
                let body = json!({
                    "policy_id": id,
                    "kind": KINDS[kind],
                    "event_on": day_of(SystemClock.now()).to_string(),
                    "cause": "An accident",
                    "claimant": claimant,
                });
                Request::post(CLAIMS, &body)
            }
            Act::Decide(confirms) => return self.decides("decide", id, confirms, &["CANCELLED", "ISSUED"]),
            Act::DecideEndorsement(confirms) => {
                return self.decides("decide-endorsement", id, confirms, &["MADE", "REFUSED"]);
            }
        };
        let answer = self.asks(connection, server, &request.keyed(key.map(str::to_owned)));
        told(&answer)
    }

    /// Runs a decision of the operator.
    fn decides(&self, verb: &str, id: &str, confirms: bool, words: &[&str; 2]) -> Told {
        let verdict = if confirms { "confirm" } else { "refuse" };
        let (code, said) = self.operator(&["policy", verb, id, "--verdict", verdict, "--reason", "as drawn"]);
        match code {
            Some(0) => Told::Taken(words[usize::from(!confirms)].to_owned()),
            _ if is_lost(&said) => Told::Lost,
            Some(1) => Told::Refused,
            _ => panic!("{verb}: {code:?} {said}"),
        }
    }

    /// Lets all clients run their scripts on a policy at the same time.
    fn races(&self, id: &str, scripts: &[Vec<(Act, Option<usize>)>], terms: &Arc<Terms>) -> Vec<Noted> {
        let (together, noted) = (Barrier::new(scripts.len()), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for (client, script) in scripts.iter().enumerate() {
                let (together, noted) = (&together, &noted);
                scope.spawn(move || {
                    let mut connection = Connection::default();
                    // The connection is opened before, so that all requests come at the same time.
                    self.asks(&mut connection, client, &Request::get(format!("{POLICIES}/{id}")));
                    together.wait();
                    for (act, key) in script {
                        let name = key.map(|key| format!("{id} {key}"));
                        let sent = self.ticks.fetch_add(1, Ordering::SeqCst);
                        let told = self.does(&mut connection, client, id, *act, name.as_deref(), terms);
                        let answered = self.ticks.fetch_add(1, Ordering::SeqCst);
                        let done = Done { terms: terms.clone(), key: *key, act: *act, told };
                        noted.lock().expect("unpoisoned").push(Noted { client, sent, answered, done });
                    }
                });
            }
        });
        noted.into_inner().expect("unpoisoned")
    }
}

/// The body of the nth cover reduction.
fn reduction(nth: usize) -> Value {
    json!({ "kind": "COVER_REDUCTION", "sum_insured": format!("{}.00", COVER - nth * STEP) })
}

fn is_lost(said: &str) -> bool {
    said.contains("changed by another request")
}

/// The content of an answer.
fn told(answer: &Answer) -> Told {
    let object = answer.json();
    let payload = &object["payload"];
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{object}")).to_owned();
    match answer.status {
        200 | 201 if payload["endorsements"].is_array() => Told::Seen(seen(payload)),
        200 | 201 if payload["status"].is_string() => Told::Taken(text(&payload["status"])),
        200 => Told::Amount(text(&payload["refund"]["total"])),
        400 | 409 if is_lost(&answer.text()) => Told::Lost,
        400 | 409 => Told::Refused,
        status => panic!("{status}: {object}"),
    }
}

/// What a read of a policy shows.
fn seen(policy: &Value) -> Seen {
    let of = |name: &str| policy[name].as_array().expect("a list").clone();
    let standing = |word: &str| of("endorsements").iter().filter(|one| one["status"] == word).count();
    let cover = policy["sum_insured"].as_str().expect("an amount");
    let cover: usize = cover.trim_end_matches(".00").parse().expect("whole rupees");
    Seen {
        status: policy["status"].as_str().expect("a word").to_owned(),
        reduced: (COVER - cover) / STEP,
        made: standing("MADE"),
        waiting: standing("REQUESTED"),
        claims: KINDS.map(|kind| of("claims").iter().any(|claim| claim["kind"] == kind)),
    }
}

/// Whether one order explains all requests and answers.
fn has_one_order(noted: &[Noted]) -> bool {
    let mut actions = BTreeMap::new();
    for Noted { client, sent, answered, done } in noted {
        actions.insert(*sent, (*client, Action::Call(done.clone())));
        actions.insert(*answered, (*client, Action::Response(done.clone())));
    }
    WGLChecker::<OnePolicy>::is_linearizable(History::from_actions(actions.into_values().collect()))
}

/// A request that was refused because of another one, although no other one succeeded at the same time.
fn lost_to_nothing(noted: &[Noted]) -> Option<&Noted> {
    let overlaps = |one: &Noted, other: &Noted| one.sent < other.answered && other.sent < one.answered;
    let was_done = |other: &Noted| matches!(other.done.told, Told::Taken(_));
    noted.iter().find(|one| {
        one.done.told == Told::Lost && !noted.iter().any(|other| was_done(other) && overlaps(one, other))
    })
}

/// The requests as text, in the order in which they were sent.
fn in_order(noted: &[Noted]) -> String {
    let mut noted = noted.to_vec();
    noted.sort_by_key(|one| one.sent);
    let line = |one: &Noted| {
        let Done { act, key, told, .. } = &one.done;
        format!("{:>4}..{:<4} client {:>2} {act:?} {key:?}: {told:?}", one.sent, one.answered, one.client)
    };
    noted.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Every act of a client.
const ANY: &[Act] = &[
    Act::Read,
    Act::Read,
    Act::Quote,
    Act::Cancel(0),
    Act::Cancel(1),
    Act::Contact,
    Act::Contact,
    Act::Reduce(1),
    Act::Reduce(2),
    Act::Reduce(3),
    Act::Claim(0),
    Act::Claim(1),
];

/// Further acts of the operator.
const OF_OPERATOR: &[Act] =
    &[Act::Decide(true), Act::Decide(false), Act::DecideEndorsement(true), Act::DecideEndorsement(false)];

/// The same request of sixteen twins. Afterwards each continues with other acts.
const TWINS: &[Option<Act>] = &[None, Some(Act::Cancel(0)), Some(Act::Claim(0)), Some(Act::Reduce(1))];

/// The clients' scripts for the nth policy.
fn scripts(nth: usize, any: &[Act], operator_decides: bool) -> Vec<Vec<(Act, Option<usize>)>> {
    let mut dice = Dice::new(nth as u64);
    let mut one_of = |acts: &[Act]| acts[dice.below(acts.len() as u64) as usize];
    let twin = TWINS[nth % TWINS.len()].filter(|act| any.contains(act));
    let script = |client: usize| {
        let is_operator = operator_decides && client < 2;
        let first = twin.filter(|_| !is_operator).map(|act| (act, Some(0)));
        let acts = if is_operator { OF_OPERATOR } else { any };
        let rest: Vec<_> = (0..ACTS).map(|_| (one_of(acts), None)).collect();
        first.into_iter().chain(rest).collect()
    };
    (0..CLIENTS).map(script).collect()
}

/// Number of policies for one measurement of refunds, which depend on the day.
const POLICIES_OF_A_DAY: usize = 25;

/// Longest duration of the races for these policies.
const LONGEST: Duration = Duration::from_secs(60);

/// Figures of a run.
#[derive(Default)]
struct Counts {
    policies: usize,
    requests: usize,
    taken: usize,
    lost: usize,
}

impl Counts {
    fn add(&mut self, more: &Counts) {
        self.policies += more.policies;
        self.requests += more.requests;
        self.taken += more.taken;
        self.lost += more.lost;
    }
}

/// Races for several policies. Stops at the first policy whose requests have no order, and returns them as
/// text.
fn race(scene: &Scene, terms: &Arc<Terms>, policies: Range<usize>, any: &[Act]) -> Result<Counts, String> {
    let (mut connection, mut counts) = (Connection::default(), Counts::default());
    let operator_decides = terms.operator_decides;
    for nth in policies {
        let id = scene.sells(&mut connection, operator_decides);
        let noted = scene.races(&id, &scripts(nth, any, operator_decides), terms);
        if !has_one_order(&noted) {
            return Err(format!("no order explains\n{}", in_order(&noted)));
        }
        if let Some(lost) = lost_to_nothing(&noted) {
            return Err(format!("{:?} lost to nothing\n{}", lost.done.act, in_order(&noted)));
        }
        let of = |wanted: fn(&Told) -> bool| noted.iter().filter(|one| wanted(&one.done.told)).count();
        counts.policies += 1;
        counts.requests += noted.len();
        counts.taken += of(|told| matches!(told, Told::Taken(_)));
        counts.lost += of(|told| *told == Told::Lost);
    }
    Ok(counts)
}

/// Waits until after midnight in Kolkata if it is near, because refunds depend on the day.
fn waits_out_midnight() {
    let left = || {
        let now = SystemClock.now();
        let tomorrow = day_of(now).tomorrow().ok().and_then(start_of_day);
        Duration::try_from(tomorrow.expect("a day").duration_since(now)).expect("it is to come")
    };
    if left() < LONGEST {
        std::thread::sleep(left() + Duration::from_secs(1));
    }
}

/// Races for policies that the partner decides, then for policies that the operator decides.
#[track_caller]
fn has_one_order_always(engine: &str, scene: &Scene) {
    for (operator_decides, who) in [(false, "the partner"), (true, "the operator")] {
        let mut all = Counts::default();
        let policies = long_or(500, 12);
        for first in (0..policies).step_by(POLICIES_OF_A_DAY) {
            waits_out_midnight();
            let terms = Arc::new(scene.terms(operator_decides));
            let next = policies.min(first + POLICIES_OF_A_DAY);
            let counts = race(scene, &terms, first..next, ANY).unwrap_or_else(|fault| panic!("{fault}"));
            all.add(&counts);
        }
        let Counts { policies, requests, taken, lost } = all;
        println!(
            "{engine}, {who} decides: {requests} racing requests for {policies} policies, {taken} done, {lost} lost to another: each policy's have one order"
        );
    }
}

#[test]
fn simultaneous_requests_for_a_policy_at_three_servers_are_linearizable() {
    let cluster = Cluster::start();
    let scene = Scene::with(Site::postgres(&cluster.database("covernote")), 3);
    has_one_order_always("PostgreSQL", &scene);
}

#[test]
fn simultaneous_requests_for_a_policy_on_sqlite_are_linearizable() {
    let scene = Scene::with(Site::sqlite(), 1);
    has_one_order_always("SQLite", &scene);
}

/// A trigger that sometimes undoes an acknowledged change.
const FORGETFUL: &str = "create function forgets() returns trigger language plpgsql as $$ begin
    if pg_trigger_depth() = 1 and random() < 0.1 then
        update policies set version = old.version, body = old.body, certificate = old.certificate,
            certificate_version = old.certificate_version
         where policy_id = old.policy_id;
    end if;
    return null; end $$;
    create trigger forgets after update on policies for each row execute function forgets()";

#[test]
fn the_linearizability_checker_detects_a_store_that_loses_a_change() {
    let cluster = Cluster::start();
    let scene = Scene::with(Site::postgres(&cluster.database("covernote")), 3);
    let terms = Arc::new(scene.terms(false));
    cluster.say("covernote", FORGETFUL);
    // No act that writes a move or a certificate: the store would refuse their numbers a second time.
    let any = [Act::Read, Act::Quote, Act::Claim(0), Act::Claim(1)];
    let found = race(&scene, &terms, 0..100, &any);
    assert!(found.is_err_and(|why| why.contains("no order")), "a lost change is not found");
}

#[test]
fn the_linearizability_checker_detects_a_stale_read_and_a_doubled_cancellation() {
    let terms =
        Arc::new(Terms { operator_decides: false, comes_back: vec!["1.00".into()], reductions: Vec::new() });
    let seen = |status: &str| {
        let nothing = Seen { status: status.into(), reduced: 0, made: 0, waiting: 0, claims: [false; 2] };
        Told::Seen(nothing)
    };
    let noted = |client, sent, answered, act, told| {
        let done = Done { terms: terms.clone(), key: None, act, told };
        Noted { client, sent, answered, done }
    };
    let cancelled = noted(0, 1, 3, Act::Cancel(0), Told::Taken("CANCELLED".into()));
    let during = noted(1, 2, 4, Act::Read, seen("ISSUED"));
    let after = noted(1, 5, 6, Act::Read, seen("ISSUED"));
    assert!(has_one_order(&[cancelled.clone(), during.clone()]));
    assert!(!has_one_order(&[cancelled.clone(), during, after]));
    let twice = noted(1, 2, 4, Act::Cancel(0), Told::Taken("CANCELLED".into()));
    assert!(!has_one_order(&[cancelled, twice]), "it is cancelled once");
    let lost = noted(0, 1, 2, Act::Cancel(0), Told::Lost);
    assert!(lost_to_nothing(&[lost]).is_some());
}
