//! Load of one PostgreSQL node: thirty million quotes in twelve months and three million policies in one
//! month, compared with a million quotes and a hundred thousand policies (D105). The service creates a few
//! records itself, 64 at the end of each day, and only these are read. The others are copies of one row with
//! other ids, times, numbers and look-up values, which no key could open.
//!
//! `COVERNOTE_SIZES=node COVERNOTE_TEST_POSTGRES_FOLDER=/mnt/disk cargo test --workspace --release --test
//! sizes node -- --nocapture` needs 31 GB. Other runs have a thousandth of the records.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use domain::date::Timestamp;
use domain::id::QuoteId;
use domain::identifier::{Identifier, IdentifierKind};
use domain::quote::EmbeddedQuote;
use service::policy::PolicySought;
use service::storage::{Kept, Storage};

use super::{Sale, TOGETHER, id_at};
use crate::support::cluster::{cluster, program};
use crate::support::{App, Setup};

/// Records that the service itself creates at the end of each day of the month.
const GENUINE: u64 = 64;

/// Days of the month in which policies are issued.
const DAYS: u64 = 31;

/// Genuine quotes of each month, which are read.
const QUOTES_READ: u64 = 40;

fn is_long() -> bool {
    std::env::var("COVERNOTE_SIZES").is_ok_and(|how| how == "node")
}

/// Numbers of policies in the smaller and the larger store. There are ten times as many quotes.
fn sizes() -> (u64, u64) {
    if is_long() { (100_000, 3_000_000) } else { (2_400, 7_200) }
}

/// A store of a size, with the quote of which its quotes are copies.
struct Node {
    app: App,
    store: Arc<dyn Storage>,
    sale: Arc<Sale>,
    quote: EmbeddedQuote,
    policies: u64,
}

/// The first instant of a month of 2026, counted from 1.
fn month(number: u64) -> Timestamp {
    format!("2026-{number:02}-01T00:00:00+05:30").parse().expect("an instant")
}

impl Node {
    async fn of(policies: u64) -> Node {
        let app = Setup { distance: Some(Duration::ZERO), ..Setup::default() }.start().await;
        let sale = Arc::new(Sale::of(&app).await);
        let store = app.opens_store().await;
        let quote = app.has_quote().await["quote_id"].as_str().expect("an id").parse().expect("an id");
        let quote = store.embedded_quote(app.partner().id, quote).await.expect("read").expect("there");
        let node = Node { app, store, sale, quote, policies };
        node.fill_quotes().await;
        node.fill_policies().await;
        // The copied rows are on the disk before any measurement.
        for last in ["vacuum analyze", "checkpoint"] {
            node.app.store.says(last).expect("done");
        }
        node
    }

    fn quotes(&self) -> u64 {
        10 * self.policies
    }

    /// The id of a quote by its number in a month. Quotes are at most a second apart.
    fn quote_id(&self, of_month: u64, nth: u64) -> QuoteId {
        id_at(month(of_month) + Duration::from_millis(nth), nth)
    }

    async fn fill_quotes(&self) {
        for first in [1, 5, 9] {
            self.store.make_months(month(first)).await.expect("made");
        }
        let each = self.quotes() / 12;
        for of_month in 1..=12 {
            for nth in 0..QUOTES_READ {
                let quote = EmbeddedQuote { id: self.quote_id(of_month, nth), ..self.quote.clone() };
                assert_eq!(self.store.keep_embedded_quote(&quote, None).await.expect("kept"), Kept::New);
            }
            let begins = month(of_month).as_millisecond();
            let copy = format!(
                "insert into embedded_quotes (partner_id, quote_id, body) \
                 select partner_id, {id}, body from generate_series({QUOTES_READ}, {each} - 1) as nth, \
                 (select * from embedded_quotes where quote_id = '{model}') as model",
                id = sql_id(&format!("{begins} + nth"), "nth"),
                model = self.quote.id.uuid(),
            );
            self.app.store.says(&copy).expect("copied");
        }
    }

    /// The instant at which a policy is issued, by its number.
    fn issued_at(&self, nth: u64) -> Timestamp {
        month(10) + Duration::from_micros(self.step() * nth)
    }

    fn step(&self) -> u64 {
        DAYS * 24 * 60 * 60 * 1_000_000 / self.policies
    }

    /// The last policy number of a day, counted from 1.
    fn last_of_day(&self, day: u64) -> u64 {
        (day * 24 * 60 * 60 * 1_000_000).div_ceil(self.step()) - 1
    }

    async fn fill_policies(&self) {
        for day in 1..=DAYS {
            let last = self.last_of_day(day);
            let keep = |nth| self.sale.keep(self.store.as_ref(), nth, self.policies);
            futures_util::future::join_all((last + 1 - GENUINE..=last).map(keep)).await;
        }
        let model = self.sale.policy.id.uuid();
        let of = self.sale.proposal.id.uuid();
        let (begins, step) = (month(10).as_microsecond(), self.step());
        let at = format!("{begins} + nth * {step}");
        let id = sql_id(&format!("({at}) / 1000"), "nth");
        let first_of_day = (1..=DAYS).map(|day| if day == 1 { 0 } else { self.last_of_day(day - 1) + 1 });
        for (day, first) in (1..=DAYS).zip(first_of_day) {
            let numbers = format!(
                "generate_series({first}::bigint, {}::bigint) as nth",
                self.last_of_day(day) - GENUINE
            );
            let copies = [
                format!(
                    "insert into proposals (partner_id, proposal_id, created_at, changed_at, quote_id, variant_id, line, status, body) \
                     select partner_id, {id}, {at}, {at}, gen_random_uuid(), variant_id, line, status, body \
                     from {numbers}, (select * from proposals where proposal_id = '{of}') as model"
                ),
                format!(
                    "insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, sequence) \
                     select partner_id, {id}, line, {at}, moved_by, from_status, to_status, sequence \
                     from {numbers}, (select * from moves where proposal_id = '{of}') as model"
                ),
                format!(
                    "insert into policies (partner_id, policy_id, proposal_id, issued_at, changed_at, check_hash, line, number, body, \
                     certificate, last_day) \
                     select partner_id, {id}, {id}, {at}, {at}, gen_random_uuid(), line, 'COPY-' || nth, body, \
                     decode(repeat('78', 1024), 'hex'), last_day \
                     from {numbers}, (select * from policies where policy_id = '{model}') as model"
                ),
                format!(
                    "insert into tags (partner_id, tag, subject_id, named) \
                     select partner_id, gen_random_uuid(), {id}, named \
                     from {numbers}, (select * from tags where subject_id in ('{of}', '{model}') limit 3) as model"
                ),
                format!(
                    "update day_counts set number = number + {} where day = {} and number > 0",
                    self.last_of_day(day) + 1 - first - GENUINE,
                    20_261_000 + day,
                ),
            ];
            for copy in copies {
                self.app.store.says(&copy).expect("copied");
            }
        }
    }

    /// Reads a page of policies or proposals, the newest of a day first.
    async fn page(&self, noun: &str, verb: &str, day: u64) {
        let path = format!("/v1/{noun}?{verb}_from=2026-10-01&{verb}_to=2026-10-{day:02}&limit=50");
        let answer = self.app.get(&path).await;
        assert_eq!(answer.json()[noun].as_array().map(Vec::len), Some(50), "{path}: {}", answer.text);
    }

    async fn ask(&self, what: Asked, round: u64) {
        let day = 1 + round % DAYS;
        let nth = self.last_of_day(day) - round % GENUINE;
        let reference = format!("LN-{nth}");
        match what {
            Asked::PolicyPage => self.page("policies", "issued", day).await,
            Asked::ProposalPage => self.page("proposals", "created", day).await,
            Asked::PolicyByReference => {
                let answer = self.app.get(&format!("/v1/policies?reference={reference}")).await;
                assert_eq!(answer.json()["policies"].as_array().map(Vec::len), Some(1), "{}", answer.text);
            }
            Asked::Policy => {
                let id: domain::id::PolicyId = id_at(self.issued_at(nth), nth);
                let answer = self.app.get(&format!("/v1/policies/{id}")).await;
                assert_eq!(answer.status, 200, "{}", answer.text);
            }
            Asked::Find => {
                let by = PolicySought::Known(Identifier::of(IdentifierKind::Reference, &reference));
                let found = self.app.service.policies.find_by(None, &by, 10).await.expect("read");
                assert_eq!(found.len(), 1, "{reference}");
            }
            Asked::FindOfNothing => {
                let by = PolicySought::Number("COPY-X".into());
                assert_eq!(self.app.service.policies.find_by(None, &by, 10).await.expect("read").len(), 0);
            }
            Asked::Quote => {
                let id = self.quote_id(1 + round % 12, round % QUOTES_READ);
                let found = self.store.embedded_quote(self.quote.partner, id).await.expect("read");
                assert_eq!(found.map(|quote| quote.id), Some(id));
            }
            Asked::Ready => assert_eq!(self.app.get("/readyz").await.status, 200),
            Asked::KeepQuotes => {
                let keep = |_| async {
                    let quote = EmbeddedQuote { id: self.new_id(), ..self.quote.clone() };
                    self.store.keep_embedded_quote(&quote, None).await.expect("kept")
                };
                futures_util::future::join_all((0..TOGETHER).map(keep)).await;
            }
            Asked::KeepPolicy => {
                // After the last number of the month.
                static NEXT: AtomicU64 = AtomicU64::new(1);
                let nth = self.policies + NEXT.fetch_add(1, Ordering::Relaxed);
                self.sale.keep(self.store.as_ref(), nth, self.policies).await;
            }
        }
    }

    fn new_id(&self) -> QuoteId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let nth = NEXT.fetch_add(1, Ordering::Relaxed);
        id_at(month(11) + Duration::from_hours(20 * 24) + Duration::from_millis(nth), 1 << 40 | nth)
    }
}

/// SQL for an id with this millisecond and number.
fn sql_id(millis: &str, nth: &str) -> String {
    format!(
        "(lpad(to_hex(({millis})::bigint), 12, '0') || '70008' || lpad(to_hex({nth}::bigint), 15, '0'))::uuid"
    )
}

#[derive(Debug, Clone, Copy)]
enum Asked {
    PolicyPage,
    ProposalPage,
    PolicyByReference,
    Policy,
    Find,
    FindOfNothing,
    Quote,
    Ready,
    KeepQuotes,
    KeepPolicy,
}

const ALL: [(Asked, &str); 10] = [
    (Asked::PolicyPage, "a page of policies by days"),
    (Asked::ProposalPage, "a page of proposals by days"),
    (Asked::PolicyByReference, "policies by reference"),
    (Asked::Policy, "a policy by its id"),
    (Asked::Find, "the operator's find by reference"),
    (Asked::FindOfNothing, "the operator's find of a number that is not there"),
    (Asked::Quote, "a quote by its id, in any of twelve months"),
    (Asked::Ready, "/readyz"),
    (Asked::KeepQuotes, "64 quotes at once"),
    (Asked::KeepPolicy, "a policy with its proposal"),
];

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_reads_searches_and_inserts_work_and_are_timed_on_a_small_and_a_large_node() {
    let (few, many) = sizes();
    let began = Instant::now();
    let nodes = [Node::of(few).await, Node::of(many).await];
    println!("{} and {} quotes, {few} and {many} policies, in {:?}", 10 * few, 10 * many, began.elapsed());
    let size = nodes[1].app.store.texts("select pg_size_pretty(pg_database_size(current_database()))");
    println!("the larger database takes {}", size[0]);
    let rounds = if is_long() { 400 } else { 3 };
    for (what, name) in ALL {
        let mut times = [Vec::new(), Vec::new()];
        // The first rounds are not measured: the server has just started.
        for round in 0..rounds + rounds / 4 {
            for (node, times) in nodes.iter().zip(&mut times) {
                let began = Instant::now();
                node.ask(what, round).await;
                if round >= rounds / 4 {
                    times.push(began.elapsed());
                }
            }
        }
        let [few, many] = times.map(|mut times| median(&mut times));
        println!("{name}: {:.2} ({few:.1?} and {many:.1?})", many.as_secs_f64() / few.as_secs_f64());
    }
    a_backup_is_read_beside_quotes(&nodes[1]).await;
    months_are_dropped_beside_quotes(&nodes[1]).await;
}

/// The longest duration of 64 quotes while something else runs.
async fn longest_of_quotes(node: &Node, is_over: &AtomicBool) -> Duration {
    let mut longest = Duration::ZERO;
    while !is_over.load(Ordering::Relaxed) {
        let began = Instant::now();
        node.ask(Asked::KeepQuotes, 0).await;
        longest = longest.max(began.elapsed());
    }
    longest
}

/// Reads everything in a base backup at full speed, while quotes are stored.
async fn a_backup_is_read_beside_quotes(node: &Node) {
    let mut backup = Command::new(program("pg_basebackup"));
    backup.args(["--format=tar", "--wal-method=none", "--no-manifest", "--checkpoint=fast", "--pgdata=-"]);
    backup.args(["--dbname", &cluster().address("postgres")]).stdout(Stdio::piped()).stderr(Stdio::null());
    let is_over = Arc::new(AtomicBool::new(false));
    let reads = tokio::task::spawn_blocking({
        let is_over = is_over.clone();
        move || {
            let began = Instant::now();
            let mut child = backup.spawn().expect("pg_basebackup");
            let mut out = child.stdout.take().expect("piped");
            let bytes = std::io::copy(&mut out, &mut std::io::sink()).expect("read");
            assert!(child.wait().expect("ended").success());
            is_over.store(true, Ordering::Relaxed);
            (bytes, began.elapsed())
        }
    });
    let (read, longest) = tokio::join!(reads, longest_of_quotes(node, &is_over));
    let (bytes, took) = read.expect("read");
    println!(
        "a base backup of {} MB took {took:.1?}; beside it 64 quotes took {longest:.1?} at most",
        bytes >> 20
    );
    let size = &node.app.store.texts("select pg_database_size(current_database())::text")[0];
    assert!(bytes >= size.parse::<u64>().expect("a number") / 2, "{bytes} of {size}");
}

/// Removes half of a year's quotes while others are stored.
async fn months_are_dropped_beside_quotes(node: &Node) {
    let first_kept: QuoteId = id_at(month(7), 0);
    let older = format!("embedded_quotes where quote_id < '{}'", first_kept.uuid());
    assert!(node.app.store.rows_of(&older) > 0);
    let began = Instant::now();
    let forgets = async {
        while node.store.forget_embedded_quotes(month(7), 500).await.expect("done") {}
        began.elapsed()
    };
    let is_over = AtomicBool::new(false);
    let ends = async {
        let took = forgets.await;
        is_over.store(true, Ordering::Relaxed);
        took
    };
    let (took, longest) = tokio::join!(ends, longest_of_quotes(node, &is_over));
    println!(
        "six months of quotes were removed in {took:.1?}; beside it 64 quotes took {longest:.1?} at most"
    );
    assert_eq!(node.app.store.rows_of(&older), 0);
    // Records derived from the removed quotes are complete.
    node.ask(Asked::Policy, 3).await;
}
