//! Servers for tests, with records of their requests.
#![allow(unreachable_pub, reason = "a test binary")]

use std::collections::VecDeque;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use domain::context::{Context, ContextEntry};
use domain::date::{BirthDate, Date, Timestamp};
use domain::id::VariantId;
use domain::money::{CoverAmount, Rupees};
use domain::person::Gender;
use domain::quote::{PolicyTerm, QuoteRequest};
use insurers::mock::{Behaviour, Mock, MockSettings};
use insurers::{HttpConnectors, SecretFile, Tuning};
use rating::{Authentication, Catalogue, Connector, Files, HttpConnector};
use service::clock::{Clock, Random};
use service::insurer::{Connectors, CreditAsk, Insurer};
use tempfile::TempDir;

/// Deadline of calls in tests that do not test deadlines.
pub const AMPLE: Duration = Duration::from_secs(20);

pub const SECRET: &str = "a-secret-of-more-than-16-characters";

pub const TODAY: Date = Date::constant(2026, 11, 20);

/// Clock that tests set.
pub struct StandingClock(AtomicI64);

impl StandingClock {
    pub fn at_noon() -> Arc<Self> {
        Arc::new(StandingClock(AtomicI64::new(1_795_156_200)))
    }

    pub fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for StandingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::SeqCst)).expect("in range")
    }
}

/// Counts up instead of random bytes. These tests seal nothing.
pub struct Counting(AtomicU64);

impl Random for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.0.fetch_add(1, Ordering::SeqCst) as u8);
    }
}

pub fn random() -> Arc<dyn Random> {
    Arc::new(Counting(AtomicU64::new(0)))
}

/// Sample catalogue, compiled once because that takes long.
pub fn catalogue() -> Arc<Catalogue> {
    static COMPILED: LazyLock<Arc<Catalogue>> =
        LazyLock::new(|| Arc::new(Catalogue::load(&Files::sample()).expect("the sample has no faults")));
    COMPILED.clone()
}

/// Writes a secret that only its owner can read.
pub fn write_secret(path: &Path, text: &str) {
    fs::write(path, text).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("permitted");
}

/// Our side: connectors with a folder of secrets.
pub struct OurSide {
    pub secrets: TempDir,
    pub clock: Arc<StandingClock>,
    pub connectors: HttpConnectors,
}

impl OurSide {
    pub fn new() -> Self {
        OurSide::tuned(Tuning { retry_pause: Duration::from_millis(1), ..Tuning::default() })
    }

    pub fn tuned(tuning: Tuning) -> Self {
        let secrets = tempfile::tempdir().expect("a folder");
        write_secret(&secrets.path().join("secret"), SECRET);
        let clock = StandingClock::at_noon();
        let connectors =
            HttpConnectors::new(secrets.path().into(), clock.clone(), random()).with_tuning(tuning);
        OurSide { secrets, clock, connectors }
    }

    pub fn insurer(&self, url: &str) -> Arc<dyn Insurer> {
        self.insurer_by(http(url))
    }

    pub fn insurer_by(&self, http: HttpConnector) -> Arc<dyn Insurer> {
        let known = catalogue();
        let known = known.insurers().next().expect("the sample has insurers");
        let insurer = rating::Insurer { connector: Connector::Http(http), ..known.clone() };
        self.connectors.connect(&insurer).expect("it is asked over HTTP")
    }
}

/// Connector to a URL, with default values.
pub fn http(url: &str) -> HttpConnector {
    HttpConnector {
        url: url.into(),
        authentication: Authentication::Bearer,
        secret: "secret".into(),
        calls_in_flight: 16,
        notices: true,
    }
}

/// Mock insurer that is served until the test ends.
pub struct Served {
    pub mock: Mock,
    pub url: String,
}

pub fn serve(settings: MockSettings) -> Served {
    serve_by(settings, StandingClock::at_noon())
}

pub fn serve_by(settings: MockSettings, clock: Arc<StandingClock>) -> Served {
    let mock = Mock::new(catalogue(), settings, clock).expect("a mock insurer");
    let url = listen(mock.router());
    Served { mock, url }
}

pub fn serve_in(behaviour: Behaviour) -> Served {
    serve(MockSettings { behaviour, ..MockSettings::default() })
}

/// Mock insurer that requires the secret of [`OurSide`].
pub fn serve_known(authentication: Authentication, ours: &OurSide) -> Served {
    let file = SecretFile::at(ours.secrets.path().join("secret"));
    let settings = MockSettings { authentication: Some((authentication, file)), ..MockSettings::default() };
    serve_by(settings, ours.clock.clone())
}

/// Serves routes on a free port until the test ends.
pub fn listen(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("possible");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
    tokio::spawn(async move { axum::serve(listener, routes).await });
    url
}

/// Request that a [`Scripted`] server received.
pub struct Heard {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Server with a list of answers. It repeats the last one.
#[derive(Clone)]
pub struct Scripted {
    answers: Arc<Mutex<VecDeque<MadeAnswer>>>,
    pub heard: Arc<Mutex<Vec<Heard>>>,
}

type MadeAnswer = Arc<dyn Fn() -> Response + Send + Sync>;

/// Makes the same answer each time.
pub fn answering<R: IntoResponse>(make: impl Fn() -> R + Send + Sync + 'static) -> MadeAnswer {
    Arc::new(move || make().into_response())
}

/// JSON with status 200.
pub fn json(text: impl Into<String>) -> MadeAnswer {
    let text = text.into();
    answering(move || ([("content-type", "application/json")], text.clone()))
}

impl Scripted {
    pub fn serve(answers: impl IntoIterator<Item = MadeAnswer>) -> (Scripted, String) {
        let scripted =
            Scripted { answers: Arc::new(Mutex::new(answers.into_iter().collect())), heard: Arc::default() };
        let routes = Router::new().fallback(Scripted::answer).with_state(scripted.clone());
        (scripted, listen(routes))
    }

    pub fn times_asked(&self) -> usize {
        self.heard.lock().expect("whole").len()
    }

    async fn answer(State(this): State<Scripted>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
        this.heard.lock().expect("whole").push(Heard { path: uri.path().into(), headers, body });
        let mut answers = this.answers.lock().expect("whole");
        let make = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        make.expect("at least one")()
    }
}

/// Body of this many spaces, without `Content-Length`.
pub fn spaces(count: usize) -> Body {
    let piece = Bytes::from(vec![b' '; 1000]);
    let pieces = std::iter::repeat_n(piece, count / 1000).map(Ok::<_, std::io::Error>);
    Body::from_stream(futures_util::stream::iter(pieces))
}

/// A usual borrower's request.
pub fn borrower() -> QuoteRequest {
    QuoteRequest {
        born: BirthDate::kept(Date::constant(1990, 6, 15)),
        gender: Gender::Female,
        cover: CoverAmount::of(Rupees::whole(500_000)).expect("above zero"),
        term: PolicyTerm::months(24).expect("two years"),
        context: Context::of(vec![ContextEntry::new("loan_amount", vec!["500000".into()])]),
    }
}

/// All credit-life variants of the sample catalogue.
pub fn variants() -> Vec<VariantId> {
    catalogue().all_credit_variants().iter().map(|variant| variant.id).collect()
}

/// Requests the prices of all variants with a long deadline. Returns the number of prices.
pub async fn ask(insurer: &Arc<dyn Insurer>) -> Result<usize, service::insurer::InsurerFault> {
    ask_within(insurer, AMPLE).await
}

pub async fn ask_within(
    insurer: &Arc<dyn Insurer>,
    within: Duration,
) -> Result<usize, service::insurer::InsurerFault> {
    let (request, variants) = (borrower(), variants());
    let ask = CreditAsk { request: &request, variants: &variants, starts: TODAY };
    insurer.price_credit(ask, within).await.map(|outcomes| outcomes.len())
}
