//! Concurrent clients that write during failures of the servers, with a journal of their answers.
//!
//! Allowed answers during a failure: 2xx, or 503 E5030 with Retry-After, or none if the server was killed or
//! got its stop signal before the request was sent. Any other answer is recorded as a fault.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use covernote::wiring::SystemClock;
use domain::credit_life::ProposalStatus;
use domain::date::day_of;
use domain::premium::PremiumRoute;
use rating::{Catalogue, Files, Product};
use serde_json::{Value, json};
use service::clock::Clock;

use crate::bodies;
use crate::dice::Dice;
use crate::http::{Answer, Connection, Request, Unanswered};
use crate::journal::{
    Acknowledged, Answered, Asked, Claimed, Journal, Proposed, Received, Recommended, Written,
};

pub const SESSION: &str = "/v1/business/session";
pub const QUOTE: &str = "/v1/embedded/quote";
pub const PROPOSAL: &str = "/v1/embedded/proposal";
pub const RECOMMENDATION: &str = "/v1/business/health/recommendation";

pub const PROPOSALS: &str = "/v1/proposals";
pub const POLICIES: &str = "/v1/policies";
pub const CLAIMS: &str = "/v1/claims";
pub const RECEIPTS: &str = "/v1/premiums/receipts";

/// Size of a paper, in bytes. It is received in a few parts.
const PAPER: usize = 200_000;

/// The key of the context entry that holds a record's label.
pub const LABEL: &str = "label";

/// Longest time in which a request with a key is repeated.
const PATIENCE: Duration = Duration::from_secs(120);

/// Exit code of a command that cannot use the store at present.
const AWAY: i32 = 69;

/// What a command says if a kill lost the answer to an act that was done.
pub const WAS_DONE: &str = "This request was done before";

/// The pause after an answer that says "not now".
const PAUSE: Duration = Duration::from_millis(20);

/// A server that clients send requests to.
pub struct Target {
    address: SocketAddr,
    /// Whether it was killed, or will be killed in a moment.
    killed: AtomicBool,
    /// Time of its stop signal, or of another reason to stop.
    stop_sent: Mutex<Option<Instant>>,
}

impl Target {
    /// Records that any connection to the server may break from now on.
    pub fn is_killed(&self) {
        self.killed.store(true, Ordering::SeqCst);
    }

    /// Records that the server finishes its requests in flight from now on, and accepts no new ones.
    pub fn stop_was_sent(&self) {
        *self.stop_sent.lock().expect("unpoisoned") = Some(Instant::now());
    }

    /// Whether this server's state explains a missing answer.
    fn explains(&self, how: &Unanswered) -> bool {
        if self.killed.load(Ordering::SeqCst) {
            return !matches!(how, Unanswered::Silent);
        }
        let Some(stop_sent) = *self.stop_sent.lock().expect("unpoisoned") else { return false };
        match how {
            Unanswered::Refused | Unanswered::Cut(None) => true,
            Unanswered::Cut(Some(sent)) => sent > &stop_sent,
            Unanswered::Torn | Unanswered::Silent => false,
        }
    }
}

/// The servers that clients send requests to.
#[derive(Default)]
pub struct Targets(Mutex<Vec<Arc<Target>>>);

impl Targets {
    /// Adds a server.
    pub fn open(&self, base: &str) -> Arc<Target> {
        let address = base.strip_prefix("http://").expect("an address").parse().expect("an address");
        let target =
            Arc::new(Target { address, killed: AtomicBool::new(false), stop_sent: Mutex::new(None) });
        self.0.lock().expect("unpoisoned").push(target.clone());
        target
    }

    /// Removes a server.
    pub fn close(&self, target: &Arc<Target>) {
        self.0.lock().expect("unpoisoned").retain(|open| !Arc::ptr_eq(open, target));
    }

    fn one(&self, number: usize) -> Option<Arc<Target>> {
        let open = self.0.lock().expect("unpoisoned");
        (!open.is_empty()).then(|| open[number % open.len()].clone())
    }
}

/// Creates a command of the operator, without its arguments.
pub type Operator = Box<dyn Fn() -> Command + Send + Sync>;

/// What all clients share.
pub struct Common {
    /// If set, some customers pay by a receipt, and refunds are paid.
    operator: Option<Operator>,
    pub targets: Targets,
    token: String,
    name: String,
    mark: Box<dyn Fn() -> u64 + Send + Sync>,
    acknowledged: AtomicU64,
    away: AtomicU64,
    stop: AtomicBool,
}

impl Common {
    /// Common data of clients. Their records' labels begin with `name`. With each acknowledgement, a client
    /// records the value of `mark`.
    pub fn new(name: &str, token: &str, mark: impl Fn() -> u64 + Send + Sync + 'static) -> Arc<Common> {
        Arc::new(Common::of(name, token, Box::new(mark), None))
    }

    fn of(
        name: &str,
        token: &str,
        mark: Box<dyn Fn() -> u64 + Send + Sync>,
        operator: Option<Operator>,
    ) -> Common {
        Common {
            operator,
            targets: Targets::default(),
            token: token.to_owned(),
            name: name.to_owned(),
            mark,
            acknowledged: AtomicU64::new(0),
            away: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }
}

/// Running clients.
pub struct Load {
    common: Arc<Common>,
    clients: Vec<JoinHandle<Journal>>,
}

impl Load {
    /// Starts clients. Their records' labels begin with `name`.
    pub fn start(name: &str, token: &str, clients: usize) -> Load {
        Load::marking(name, token, clients, || 0)
    }

    /// The same, with the value of `mark` recorded at each acknowledgement.
    pub fn marking(
        name: &str,
        token: &str,
        clients: usize,
        mark: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Load {
        Load::of(Common::new(name, token, mark), clients)
    }

    /// The same as [`Load::start`], with acts of an operator.
    pub fn with_operator(name: &str, token: &str, clients: usize, operator: Operator) -> Load {
        Load::of(Arc::new(Common::of(name, token, Box::new(|| 0), Some(operator))), clients)
    }

    fn of(common: Arc<Common>, clients: usize) -> Load {
        let begin = |number| {
            let client = Client::new(number, common.clone());
            std::thread::spawn(move || client.work())
        };
        Load { clients: (0..clients).map(begin).collect(), common }
    }

    pub fn targets(&self) -> &Targets {
        &self.common.targets
    }

    /// Writes acknowledged so far.
    pub fn acknowledged(&self) -> u64 {
        self.common.acknowledged.load(Ordering::SeqCst)
    }

    /// Waits for this many more acknowledged writes.
    #[track_caller]
    pub fn goes_on_for(&self, more: u64) {
        let (enough, started) = (self.acknowledged() + more, Instant::now());
        while self.acknowledged() < enough {
            assert!(started.elapsed() < PATIENCE, "nothing is acknowledged any more");
            assert!(self.clients.iter().all(|client| !client.is_finished()), "a client has given up");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for this many more answers that the store is unavailable.
    #[track_caller]
    pub fn is_refused_for(&self, more: u64) {
        let (enough, started) = (self.common.away.load(Ordering::SeqCst) + more, Instant::now());
        while self.common.away.load(Ordering::SeqCst) < enough {
            assert!(started.elapsed() < PATIENCE, "nothing is refused");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Lets each client finish its work, which needs a server. Returns the journal.
    pub fn ends(mut self) -> Journal {
        self.common.stop.store(true, Ordering::SeqCst);
        let clients = std::mem::take(&mut self.clients);
        Journal::of_all(clients.into_iter().map(|client| client.join().expect("no panic")).collect())
    }
}

impl Drop for Load {
    /// If a test fails, its clients must stop.
    fn drop(&mut self) {
        self.common.stop.store(true, Ordering::SeqCst);
    }
}

/// The outcome of a write.
pub enum Outcome {
    Made(Answer),
    /// It is unknown whether it was done.
    Unknown,
}

/// One client, with its own connection and journal.
pub struct Client {
    number: usize,
    /// Index of the server to ask. It increases if a server accepts no connection.
    turn: usize,
    common: Arc<Common>,
    connection: Connection,
    dice: Dice,
    /// Number of completed requests with a key.
    keyed: usize,
    pub journal: Journal,
}

impl Client {
    pub fn new(number: usize, common: Arc<Common>) -> Client {
        let (connection, journal) = (Connection::default(), Journal::default());
        let dice = Dice::new(number as u64);
        Client { number, turn: number, common, connection, dice, keyed: 0, journal }
    }

    fn work(mut self) -> Journal {
        for customer in 0.. {
            if self.common.stop.load(Ordering::SeqCst) || self.journal.faults.len() > 100 {
                break;
            }
            self.serve_customer(customer);
        }
        self.journal
    }

    /// One customer's requests: a session, quotes, a proposal with its moves, the policy's later changes, a
    /// recommendation. Every second customer's requests have keys, and some of those are repeated at the end.
    fn serve_customer(&mut self, customer: usize) {
        let label = format!("{}-{}-{customer}", self.common.name, self.number);
        let keyed = customer.is_multiple_of(2);
        let key = |what: &str| keyed.then(|| format!("{label} {what}"));

        let request = Request::post(SESSION, &json!({ "metadata": { LABEL: label } })).keyed(key("session"));
        let (written, _) = self.write(&label, &request, |answer| answer["session_id"].clone());
        let session = written.acknowledged.as_ref().map(|told| told.id.clone());
        self.journal.sessions.push(written);

        let mut proposable = None;
        for number in 0..2 {
            let label = format!("{label} quote {number}");
            let request = Request::post(QUOTE, &labelled(bodies::quote(), &label)).keyed(key(&label));
            let (written, answer) =
                self.write(&label, &request, |answer| answer["payload"]["quote_id"].clone());
            self.journal.quotes.push(written);
            proposable = answer.or(proposable);
        }
        if let Some(quote) = proposable {
            self.propose(&label, customer, &quote["payload"], &key);
        }
        if customer % 8 == 5 && self.common.operator.is_some() {
            self.collect(&format!("{label} collected"), &key);
        }

        let mut body = bodies::recommendation();
        body["customer"]["name"] = label.clone().into();
        body["session_id"] = session.clone().map_or(Value::Null, Value::from);
        let request = Request::post(RECOMMENDATION, &body).keyed(key("recommendation"));
        let (written, _) = self.write(&label, &request, |answer| answer["payload"]["quote_id"].clone());
        if let Some(told) = &written.acknowledged {
            self.tell(&Request::get(format!("{RECOMMENDATION}/{}", told.id)));
        }
        self.journal.recommendations.push(Recommended { written, session });
    }

    fn propose(&mut self, label: &str, customer: usize, quote: &Value, key: &dyn Fn(&str) -> Option<String>) {
        let draft = customer.is_multiple_of(3);
        let submission = if draft { "DRAFT" } else { "SUBMITTED" };
        let first = &quote["recommendations"][0]["recommendation_id"];
        let body = labelled(bodies::proposal(&quote["quote_id"], first, submission), label);
        let request = Request::post(PROPOSAL, &body).keyed(key("proposal"));
        let (written, _) = self.write(label, &request, |answer| answer["payload"]["proposal_id"].clone());
        let told = written.acknowledged.as_ref().map(|told| (told.id.clone(), told.mark));
        let begun = if draft { ProposalStatus::Draft } else { ProposalStatus::Pending };
        let mut moves = vec![(begun, told.as_ref().map(|(_, mark)| *mark))];
        if let Some((id, _)) = told {
            let mut wanted = Vec::new();
            if draft {
                wanted.push((ProposalStatus::Pending, "PENDING"));
            }
            if customer % 4 < 2 {
                wanted.push((ProposalStatus::Completed, "COMPLETED"));
            }
            let mut sold = false;
            for (status, word) in wanted {
                let request = Request {
                    method: "PATCH",
                    ..Request::post(&format!("{PROPOSAL}/{id}"), &json!({ "status": word })).keyed(key(word))
                };
                let answer = self.tell(&request);
                moves.push((status, matches!(answer, Outcome::Made(_)).then(|| (self.common.mark)())));
                sold = status == ProposalStatus::Completed && matches!(answer, Outcome::Made(_));
                // After an unknown outcome, the next move may be refused for another reason.
                if matches!(answer, Outcome::Unknown) {
                    break;
                }
            }
            if sold {
                self.goes_on_after_the_sale(label, customer, &id, key);
            }
        }
        self.journal.proposals.push(Proposed { written, moves });
    }

    /// Sells a cover whose premium the partner collects: reports a receipt, then the operator decides.
    fn collect(&mut self, label: &str, key: &dyn Fn(&str) -> Option<String>) {
        let request = Request::post(QUOTE, &labelled(bodies::quote_of_months(60), label)).keyed(key(label));
        let (written, answer) = self.write(label, &request, |answer| answer["payload"]["quote_id"].clone());
        self.journal.quotes.push(written);
        let Some(quote) = answer else { return };
        let quote = &quote["payload"];
        let items = quote["recommendations"].as_array().expect("items");
        let item = items.iter().find(|item| is_collected(item)).expect("one is paid by receipts");
        let body =
            labelled(bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED"), label);
        let request = Request::post(PROPOSAL, &body).keyed(key(&format!("{label} proposal")));
        let (written, _) = self.write(label, &request, |answer| answer["payload"]["proposal_id"].clone());
        let told = written.acknowledged.as_ref().map(|told| (told.id.clone(), told.mark));
        let mut moves = vec![(ProposalStatus::Pending, told.as_ref().map(|(_, mark)| *mark))];
        if let Some((proposal, _)) = told {
            let reference = format!("UTR-{proposal}");
            let mark = self.receive(&reference, &proposal, &item["total_premium"]);
            self.journal.receipts.push(Received { proposal: proposal.clone(), reference, mark });
            if mark.is_some() {
                let decided = self.orders(&["proposal", "decide", &proposal, "--status", "completed"], false);
                moves.push((ProposalStatus::Completed, decided));
            }
        }
        self.journal.proposals.push(Proposed { written, moves });
    }

    /// Reports the payment of a premium until it is acknowledged. A repeat changes nothing.
    fn receive(&mut self, reference: &str, proposal: &str, due: &Value) -> Option<u64> {
        let today = day_of(SystemClock.now());
        let body = json!({
            "reference": reference,
            "amount": due,
            "received_on": format!("{:02}/{:02}/{}", today.day(), today.month(), today.year()),
            "items": [{ "proposal_id": proposal, "amount": due }],
        });
        let (started, faults) = (Instant::now(), self.journal.faults.len());
        while started.elapsed() < PATIENCE && self.journal.faults.len() == faults {
            if let Outcome::Made(_) = self.tell(&Request::post(RECEIPTS, &body)) {
                return Some((self.common.mark)());
            }
        }
        None
    }

    /// Runs a command of the operator until it succeeds, and returns the mark. `killed`: kills the first run
    /// at a random moment.
    fn orders(&mut self, words: &[&str], mut killed: bool) -> Option<u64> {
        let (started, mut is_repeated) = (Instant::now(), false);
        let said = loop {
            let operator = self.common.operator.as_ref().expect("there is one");
            let mut command = operator();
            command.args(words).stdout(Stdio::null()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("it starts");
            if std::mem::take(&mut killed) {
                std::thread::sleep(Duration::from_micros(self.dice.below(60_000)));
                child.kill().expect("killed, or ended before");
                child.wait().expect("it ended");
                continue;
            }
            let output = child.wait_with_output().expect("its output");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            // A decision whose answer was lost is refused if it is repeated.
            let was_done =
                said.contains(WAS_DONE) || is_repeated && said.contains("from COMPLETED to COMPLETED");
            match output.status.code() {
                _ if was_done => return Some((self.common.mark)()),
                Some(0) => {
                    self.journal.acknowledged.push(Instant::now());
                    self.common.acknowledged.fetch_add(1, Ordering::SeqCst);
                    return Some((self.common.mark)());
                }
                Some(AWAY) if started.elapsed() < PATIENCE => {
                    is_repeated = true;
                    std::thread::sleep(PAUSE);
                }
                _ => break said,
            }
        };
        self.journal.notes_fault(format!("{}: {said}", words.join(" ")));
        None
    }

    /// Changes the policy: some policies get less cover; some have a claim with a paper, the others are
    /// cancelled.
    fn goes_on_after_the_sale(
        &mut self,
        label: &str,
        customer: usize,
        proposal: &str,
        key: &dyn Fn(&str) -> Option<String>,
    ) {
        let Some(found) = self.answered(&Request::get(format!("{PROPOSALS}/{proposal}"))) else { return };
        let policy =
            format!("{POLICIES}/{}", found["policy_id"].as_str().expect("an issued one has a policy"));
        if customer.is_multiple_of(2) {
            self.endorse(&policy, key);
        }
        let Some(found) = self.answered(&Request::get(policy.clone())) else { return };
        if customer % 8 < 4 { self.claim(label, &found, key) } else { self.cancel(&policy, &found, key) }
    }

    fn claim(&mut self, label: &str, policy: &Value, key: &dyn Fn(&str) -> Option<String>) {
        let body = json!({
            "policy_id": policy["policy_id"],
            "kind": "DEATH",
            "event_on": policy["cover_starts"],
            "cause": label,
            "claimant": { "name": "Ravi Rao", "relation": "SPOUSE", "mobile": "9876543211" },
        });
        let request = Request::post(CLAIMS, &body).keyed(key("claim"));
        let (written, _) = self.write(label, &request, |answer| answer["payload"]["claim_id"].clone());
        let mut paper = None;
        if let Some(told) = &written.acknowledged {
            let request = Request::upload(&format!("{CLAIMS}/{}/documents", told.id), paper_of(label));
            let (uploaded, _) =
                self.write(label, &request, |answer| answer["payload"]["document_id"].clone());
            paper = uploaded.acknowledged;
        }
        self.journal.claims.push(Claimed { written, paper });
    }

    fn endorse(&mut self, path: &str, key: &dyn Fn(&str) -> Option<String>) {
        let mut body = json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" });
        let quote = Request::post(&format!("{path}/endorsement-quote"), &body);
        let Some(quote) = self.answered(&quote) else { return };
        body["refund"] = quote["refund"]["total"].clone();
        let request = Request::post(&format!("{path}/endorsement"), &body).keyed(key("endorsement"));
        let answer = self.tell(&request);
        let mark = matches!(answer, Outcome::Made(_)).then(|| (self.common.mark)());
        let policy = quote["policy_id"].as_str().expect("an id").to_owned();
        self.journal.endorsements.push(Asked { policy, mark });
    }

    fn cancel(&mut self, path: &str, policy: &Value, key: &dyn Fn(&str) -> Option<String>) {
        let reason = json!({ "reason": "NOT_DISBURSED" });
        let quote = Request::post(&format!("{path}/cancellation-quote"), &reason);
        let Some(quote) = self.answered(&quote) else { return };
        let body = json!({ "reason": "NOT_DISBURSED", "refund": quote["refund"]["total"] });
        let request = Request::post(&format!("{path}/cancellation"), &body).keyed(key("cancellation"));
        let answer = self.tell(&request);
        let mark = matches!(answer, Outcome::Made(_)).then(|| (self.common.mark)());
        let policy = policy["policy_id"].as_str().expect("an id").to_owned();
        self.journal.cancellations.push(Asked { policy: policy.clone(), mark });
        if mark.is_some() && self.common.operator.is_some() {
            let killed = self.dice.percent(50);
            let reference = format!("UTR-{policy}");
            let mark = self.orders(&["refund", "paid", &policy, "--reference", &reference], killed);
            self.journal.refunds.push(Asked { policy, mark });
        }
    }

    /// The payload of a successful answer, if any.
    fn answered(&mut self, request: &Request) -> Option<Value> {
        match self.tell(request) {
            Outcome::Made(answer) => Some(answer.json()["payload"].take()),
            Outcome::Unknown => None,
        }
    }

    /// Writes a record. `id` finds the record's id in the answer.
    fn write(
        &mut self,
        label: &str,
        request: &Request,
        id: impl Fn(&Value) -> Value,
    ) -> (Written, Option<Value>) {
        let label = label.to_owned();
        let Outcome::Made(answer) = self.tell(request) else {
            return (Written { label, acknowledged: None }, None);
        };
        let mark = (self.common.mark)();
        let answer = answer.json();
        let id = id(&answer).as_str().unwrap_or_else(|| panic!("no id: {answer}")).to_owned();
        (Written { label, acknowledged: Some(Acknowledged { id, mark }) }, Some(answer))
    }

    /// Sends a request. With a key it is repeated until it is done, otherwise it is sent once.
    pub fn tell(&mut self, request: &Request) -> Outcome {
        let started = Instant::now();
        let mut tries = 0;
        loop {
            if started.elapsed() > PATIENCE {
                self.journal.notes_fault(format!("{} {} is never done", request.method, request.path));
                return Outcome::Unknown;
            }
            let Some(target) = self.common.targets.one(self.turn) else {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            };
            let asked = Instant::now();
            let answer = self.connection.ask(target.address, Some(&self.common.token), request);
            self.journal.slowest = self.journal.slowest.max(asked.elapsed());
            match answer {
                Ok(answer) if (200..300).contains(&answer.status) => {
                    self.note_done(request, &answer, tries);
                    return Outcome::Made(answer);
                }
                Ok(answer) if answer.is_away() => {
                    self.journal.away.push(Instant::now());
                    self.common.away.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(PAUSE);
                }
                Ok(answer) => {
                    let Request { method, path, .. } = request;
                    let fault = format!("{method} {path}: {} {}", answer.status, answer.text());
                    self.journal.notes_fault(fault);
                    return Outcome::Unknown;
                }
                Err(how) => {
                    if !target.explains(&how) {
                        let Request { method, path, .. } = request;
                        self.journal.notes_fault(format!("{method} {path} got no answer: {how:?}"));
                    }
                    // A request that was not sent can be sent to another server, with or without a key.
                    if matches!(how, Unanswered::Refused) {
                        self.turn += 1;
                        std::thread::sleep(Duration::from_millis(1));
                        continue;
                    }
                    self.journal.cut += 1;
                }
            }
            if request.key.is_none() {
                return Outcome::Unknown;
            }
            tries += 1;
        }
    }

    fn note_done(&mut self, request: &Request, answer: &Answer, tries: u32) {
        if request.method == "GET" {
            return;
        }
        self.journal.acknowledged.push(Instant::now());
        self.journal.retried += usize::from(tries > 0);
        if request.key.is_some() {
            self.keyed += 1;
            // Requests that were repeated are checked again at the end, with some of the others.
            if tries > 0 || self.keyed.is_multiple_of(8) {
                self.journal.answered.push(Answered { request: request.clone(), answer: answer.clone() });
            }
        }
        self.common.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

/// The bytes of a claim's paper.
pub fn paper_of(label: &str) -> String {
    format!("%PDF-1.7\n{label}\n{}", "x".repeat(PAPER))
}

/// Whether the partner collects the premium of a priced item.
fn is_collected(item: &Value) -> bool {
    item["is_error"] == false && product_of(item).premium.route() == PremiumRoute::Partner
}

/// The product of a priced item, in the sample catalogue.
pub fn product_of(item: &Value) -> &'static Product {
    static SAMPLE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::load(&Files::sample()).expect("the sample"));
    let id = item["variant_id"].as_str().expect("an id").parse().expect("an id");
    &SAMPLE.credit_variant(id).expect("of the sample").product
}

/// A body with a label in its context data.
pub fn labelled(mut body: Value, label: &str) -> Value {
    let entry = json!({ "key": LABEL, "values": [label] });
    body["context_data"].as_array_mut().expect("a list").push(entry);
    body
}
