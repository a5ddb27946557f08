//! Clients that write at once, through whatever becomes of the servers, and note what they were told.
//!
//! What an answer may be while something goes wrong: 2xx, or 503 E5030 with Retry-After, or none where the server was
//! killed, or where it was told to stop before the request had left. Anything else is noted as a fault.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use domain::proposal::ProposalStatus;
use serde_json::{Value, json};

use crate::bodies;
use crate::http::{Answer, Connection, Request, Unanswered};
use crate::journal::{Answered, Journal, Proposed, Recommended, Told, Written};

pub const SESSION: &str = "/v1/business/session";
pub const QUOTE: &str = "/v1/embedded/quote";
pub const PROPOSAL: &str = "/v1/embedded/proposal";
pub const RECOMMENDATION: &str = "/v1/business/health/recommendation";

/// The key of the context entry that holds a record's label.
pub const LABEL: &str = "label";

/// How long a keyed request is sent again and again.
const PATIENCE: Duration = Duration::from_secs(120);

/// The pause after an answer that says "not now".
const PAUSE: Duration = Duration::from_millis(20);

/// A server as clients know it.
pub struct Door {
    address: SocketAddr,
    /// It was killed, or is about to be.
    killed: AtomicBool,
    /// When it was told to stop, or had reason to.
    told: Mutex<Option<Instant>>,
}

impl Door {
    /// From now on any connection to it may break.
    pub fn is_killed(&self) {
        self.killed.store(true, Ordering::SeqCst);
    }

    /// From now on it finishes what it has and takes nothing more.
    pub fn is_told_to_stop(&self) {
        *self.told.lock().expect("unpoisoned") = Some(Instant::now());
    }

    /// Whether a request may have got no answer in this way.
    fn explains(&self, how: &Unanswered) -> bool {
        if self.killed.load(Ordering::SeqCst) {
            return !matches!(how, Unanswered::Silent);
        }
        let Some(told) = *self.told.lock().expect("unpoisoned") else { return false };
        match how {
            Unanswered::Refused | Unanswered::Cut(None) => true,
            Unanswered::Cut(Some(sent)) => sent > &told,
            Unanswered::Torn | Unanswered::Silent => false,
        }
    }
}

/// The servers that clients may go to.
#[derive(Default)]
pub struct Doors(Mutex<Vec<Arc<Door>>>);

impl Doors {
    /// Sends clients to a server, too.
    pub fn open(&self, base: &str) -> Arc<Door> {
        let address = base.strip_prefix("http://").expect("an address").parse().expect("an address");
        let door = Arc::new(Door { address, killed: AtomicBool::new(false), told: Mutex::new(None) });
        self.0.lock().expect("unpoisoned").push(door.clone());
        door
    }

    /// Sends nobody there any more.
    pub fn close(&self, door: &Arc<Door>) {
        self.0.lock().expect("unpoisoned").retain(|open| !Arc::ptr_eq(open, door));
    }

    fn one(&self, number: usize) -> Option<Arc<Door>> {
        let open = self.0.lock().expect("unpoisoned");
        (!open.is_empty()).then(|| open[number % open.len()].clone())
    }
}

/// What clients share.
pub struct Common {
    pub doors: Doors,
    token: String,
    name: String,
    mark: Box<dyn Fn() -> u64 + Send + Sync>,
    acknowledged: AtomicU64,
    away: AtomicU64,
    stop: AtomicBool,
}

impl Common {
    /// Clients whose records' labels begin with a name, who note with each acknowledgement what `mark` gives.
    pub fn new(name: &str, token: &str, mark: impl Fn() -> u64 + Send + Sync + 'static) -> Arc<Common> {
        Arc::new(Common {
            doors: Doors::default(),
            token: token.to_owned(),
            name: name.to_owned(),
            mark: Box::new(mark),
            acknowledged: AtomicU64::new(0),
            away: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        })
    }
}

/// Clients at work.
pub struct Load {
    common: Arc<Common>,
    clients: Vec<JoinHandle<Journal>>,
}

impl Load {
    /// Starts so many clients. Their records' labels begin with the name.
    pub fn start(name: &str, token: &str, clients: usize) -> Load {
        Load::marking(name, token, clients, || 0)
    }

    /// The same, noting with each acknowledgement what `mark` gives when it has been read.
    pub fn marking(
        name: &str,
        token: &str,
        clients: usize,
        mark: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Load {
        let common = Common::new(name, token, mark);
        let begin = |number| {
            let client = Client::new(number, common.clone());
            std::thread::spawn(move || client.work())
        };
        Load { clients: (0..clients).map(begin).collect(), common }
    }

    pub fn doors(&self) -> &Doors {
        &self.common.doors
    }

    /// Writes acknowledged so far.
    pub fn acknowledged(&self) -> u64 {
        self.common.acknowledged.load(Ordering::SeqCst)
    }

    /// Waits until so many more writes are acknowledged.
    #[track_caller]
    pub fn goes_on_for(&self, more: u64) {
        let (enough, started) = (self.acknowledged() + more, Instant::now());
        while self.acknowledged() < enough {
            assert!(started.elapsed() < PATIENCE, "nothing is acknowledged any more");
            assert!(self.clients.iter().all(|client| !client.is_finished()), "a client has given up");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until so many more requests were answered that the store is away.
    #[track_caller]
    pub fn is_refused_for(&self, more: u64) {
        let (enough, started) = (self.common.away.load(Ordering::SeqCst) + more, Instant::now());
        while self.common.away.load(Ordering::SeqCst) < enough {
            assert!(started.elapsed() < PATIENCE, "nothing is refused");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Lets each client finish what it has begun, for which a server must be there.
    pub fn ends(mut self) -> Journal {
        self.common.stop.store(true, Ordering::SeqCst);
        let clients = std::mem::take(&mut self.clients);
        Journal::of_all(clients.into_iter().map(|client| client.join().expect("no panic")).collect())
    }
}

impl Drop for Load {
    /// Where a test fails, its clients must not go on.
    fn drop(&mut self) {
        self.common.stop.store(true, Ordering::SeqCst);
    }
}

/// How a write was answered.
pub enum Outcome {
    Made(Answer),
    /// It is not known to have been done.
    Unknown,
}

/// One client, with a connection and a journal of its own.
pub struct Client {
    number: usize,
    /// Counts on when a server takes no connection, so that the next one is asked.
    turn: usize,
    common: Arc<Common>,
    connection: Connection,
    /// Requests with a key that were done.
    keyed: usize,
    pub journal: Journal,
}

impl Client {
    pub fn new(number: usize, common: Arc<Common>) -> Client {
        let (connection, journal) = (Connection::default(), Journal::default());
        Client { number, turn: number, common, connection, keyed: 0, journal }
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

    /// One customer's way: a session, quotes, a proposal, its moves, a recommendation. Every second one's requests have
    /// keys, and some are noted to be sent once more at the end.
    fn serve_customer(&mut self, customer: usize) {
        let label = format!("{}-{}-{customer}", self.common.name, self.number);
        let keyed = customer.is_multiple_of(2);
        let key = |what: &str| keyed.then(|| format!("{label} {what}"));

        let request = Request::post(SESSION, &json!({ "metadata": { LABEL: label } })).keyed(key("session"));
        let (written, _) = self.write(&label, &request, |answer| answer["session_id"].clone());
        let session = written.told.as_ref().map(|told| told.id.clone());
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

        let mut body = bodies::recommendation();
        body["customer"]["name"] = label.clone().into();
        body["session_id"] = session.clone().map_or(Value::Null, Value::from);
        let request = Request::post(RECOMMENDATION, &body).keyed(key("recommendation"));
        let (written, _) = self.write(&label, &request, |answer| answer["payload"]["quote_id"].clone());
        if let Some(told) = &written.told {
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
        let told = written.told.as_ref().map(|told| (told.id.clone(), told.mark));
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
            for (status, word) in wanted {
                let request = Request {
                    method: "PATCH",
                    ..Request::post(&format!("{PROPOSAL}/{id}"), &json!({ "status": word })).keyed(key(word))
                };
                let answer = self.tell(&request);
                moves.push((status, matches!(answer, Outcome::Made(_)).then(|| (self.common.mark)())));
                // The next one may be refused for a reason of its own.
                if matches!(answer, Outcome::Unknown) {
                    break;
                }
            }
        }
        self.journal.proposals.push(Proposed { written, moves });
    }

    /// Has a record written; its id is where `id` says.
    fn write(
        &mut self,
        label: &str,
        request: &Request,
        id: impl Fn(&Value) -> Value,
    ) -> (Written, Option<Value>) {
        let label = label.to_owned();
        let Outcome::Made(answer) = self.tell(request) else {
            return (Written { label, told: None }, None);
        };
        let mark = (self.common.mark)();
        let answer = answer.json();
        let id = id(&answer).as_str().unwrap_or_else(|| panic!("no id: {answer}")).to_owned();
        (Written { label, told: Some(Told { id, mark }) }, Some(answer))
    }

    /// Sends a request: one with a key again and again until it is done, any other once.
    pub fn tell(&mut self, request: &Request) -> Outcome {
        let started = Instant::now();
        let mut tries = 0;
        loop {
            if started.elapsed() > PATIENCE {
                self.journal.faults.push(format!("{} {} is never done", request.method, request.path));
                return Outcome::Unknown;
            }
            let Some(door) = self.common.doors.one(self.turn) else {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            };
            match self.connection.ask(door.address, Some(&self.common.token), request) {
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
                    self.journal.faults.push(fault);
                    return Outcome::Unknown;
                }
                Err(how) => {
                    if !door.explains(&how) {
                        let Request { method, path, .. } = request;
                        self.journal.faults.push(format!("{method} {path} got no answer: {how:?}"));
                    }
                    // What was never sent can be sent elsewhere, key or not.
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
            // Whatever had to be sent again is asked about once more at the end, and some of the rest.
            if tries > 0 || self.keyed.is_multiple_of(8) {
                self.journal.answered.push(Answered { request: request.clone(), answer: answer.clone() });
            }
        }
        self.common.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

/// A body with a label in its context.
pub fn labelled(mut body: Value, label: &str) -> Value {
    let entry = json!({ "key": LABEL, "values": [label] });
    body["context_data"].as_array_mut().expect("a list").push(entry);
    body
}
