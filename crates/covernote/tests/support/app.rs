//! The service under test.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use covernote::wiring::OsRandom;
use domain::access::{Scope, Scopes};
use domain::credit_life::{EmbeddedProposal, ProposalStatus};
use domain::date::{Date, Timestamp};
use domain::id::{InsurerId, PartnerId};
use domain::language::{Language, Text};
use domain::operator::{Logo, Operator, OperatorKind};
use domain::partner::TOKENS_PER_HOUR;
use domain::proposal::Move;
use domain::text::FromText;
use rating::Files;
use serde_json::{Value, json};
use service::Service;
use service::catalogue::{CatalogueReview, Version};
use service::clock::{Clock, Random};
use service::insurer::{Connectors, Insurer, NoConnectors};
use service::outside::erasure_journal::NoJournal;
use service::outside::paper_scanner::PaperScanner;
use service::partner::{NewPartner, PartnerChange};
use service::proposal::operator::AnyProposal;
use service::retention::Retention;
use service::shared::claim_limits::ClaimLimits;
use service::waiting::WaitingKind;
use tokio::sync::oneshot;
use web::FictionalGateway;
use webhooks::{AddressRules, HttpCarrier};

use super::answer::Answer;
use super::bodies;
use super::engine::Engine;
use super::events;
use super::recorded;
use super::relay::Relay;

/// Longest wait for any event: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A clock that tests set. It starts on 20 November 2026 at 10:00 in Kolkata.
#[derive(Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    pub fn new() -> Self {
        let clock = ManualClock(Arc::default());
        clock.set("2026-11-20T10:00:00+05:30");
        clock
    }

    /// Sets the clock to an instant such as `2026-11-20T10:00:00+05:30`.
    pub fn set(&self, instant: &str) {
        let instant: Timestamp = instant.parse().expect("an instant");
        self.0.store(instant.as_microsecond(), Ordering::SeqCst);
    }

    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_micros()).expect("in range"), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).expect("in range")
    }
}

/// Insurers with scripted answers.
struct StandIns(HashMap<InsurerId, Arc<dyn Insurer>>);

impl Connectors for StandIns {
    fn connect(&self, insurer: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        self.0.get(&insurer.id).cloned()
    }
}

/// A test's changes to the default setup.
pub struct Setup {
    pub catalogue: Files,
    pub connectors: Arc<dyn Connectors>,
    pub limits: web::Limits,
    /// How long records are kept. By default, for ever.
    pub retention: Retention,
    pub insurer_deadline: Duration,
    pub recommendation_deadline: Duration,
    /// Number of jobs that run at once; 0 leaves them all pending.
    pub workers: usize,
    /// Uses PostgreSQL on every engine of the tests, with this delay for each round trip.
    pub distance: Option<Duration>,
    /// The operator who sells the insurance.
    pub operator: Option<Arc<Operator>>,
    /// Whether customers can pay on a page here.
    pub has_gateway: bool,
    /// The virus scanner of claims' papers.
    pub scanner: Option<Arc<dyn PaperScanner>>,
    /// Limits of claims and uploads.
    pub claim_limits: ClaimLimits,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            catalogue: Files::sample(),
            connectors: Arc::new(NoConnectors),
            limits: web::Limits::default(),
            retention: Retention::default(),
            insurer_deadline: Duration::from_secs(2),
            recommendation_deadline: Duration::from_secs(5),
            workers: 16,
            distance: None,
            operator: None,
            has_gateway: true,
            scanner: None,
            claim_limits: CLAIM_LIMITS,
        }
    }
}

/// Limits that no test reaches by accident.
const CLAIM_LIMITS: ClaimLimits = ClaimLimits {
    claims_of_policy: 20,
    claims_of_day: 1000,
    papers_of_claim: 40,
    papers_of_day: 5000,
    mebibytes_of_claim: 40,
    mebibytes_of_policy: 200,
    mebibytes_of_day: 2000,
};

impl Setup {
    /// A few health variants with premiums that are easy to calculate, instead of the sample.
    pub fn health() -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/health_catalogue");
        let catalogue = Files::read(std::path::Path::new(folder)).expect("a catalogue");
        Setup { catalogue, ..Setup::default() }
    }

    /// With a broker as the operator, whom pages, consents and certificates name.
    pub fn sold_by_a_broker(self) -> Self {
        let text = |english: &str, hindi: &str| Text::new(english.into(), [(Language::Hindi, hindi.into())]);
        let operator = Operator {
            name: text("Namoona Broking (fictional)", "नमूना ब्रोकिंग (काल्पनिक)"),
            kind: OperatorKind::Broker,
            licence_number: "FICTIONAL-BROKER-7".into(),
            licence_until: Date::constant(2029, 3, 31),
            licence_grace_days: 0,
            address: text("7 Namoona Marg, Namoonapur 000003", "7 नमूना मार्ग, नमूनापुर 000003"),
            contact: "help@broker.example, 1800 000 0300".into(),
            grievance_officer: text(
                "Asha Namoona, grievance@broker.example",
                "आशा नमूना, grievance@broker.example",
            ),
            privacy_notice: "https://broker.example/privacy".into(),
            terms: "https://broker.example/terms".into(),
            logo: Some(Logo {
                media_type: "image/svg+xml",
                bytes: b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            }),
        };
        Setup { operator: Some(Arc::new(operator)), ..self }
    }

    /// The sample catalogue with the text of one of its files changed.
    pub fn with_edited(path: &str, edit: impl Fn(String) -> String) -> Self {
        Setup::default().edited(path, edit)
    }

    /// The catalogue with the text of one of its files changed.
    pub fn edited(self, path: &str, edit: impl Fn(String) -> String) -> Self {
        let sample = &self.catalogue;
        let paths: Vec<String> = sample.paths().map(str::to_owned).collect();
        assert!(paths.iter().any(|there| there == path), "the sample has {paths:?}");
        let edited = paths.into_iter().map(|there| {
            let text = sample.get(&there).expect("listed").to_vec();
            let text =
                if there == path { edit(String::from_utf8(text).expect("text")).into_bytes() } else { text };
            (there, text)
        });
        Setup { catalogue: Files::of(edited).expect("plain paths"), ..self }
    }

    /// The catalogue with another `[premium]` of a product, which says how its premium reaches the insurer.
    pub fn with_premium(self, path: &str, premium: &str) -> Self {
        self.edited(path, |text| {
            let begin = text.find("[premium]\n").expect("every product has one");
            let end = begin + text[begin..].find("\n\n").expect("another section follows");
            format!("{}[premium]\n{premium}{}", &text[..begin], &text[end..])
        })
    }

    /// Insurers of the catalogue by their folders, reached through scripted stand-ins.
    pub fn asking(mut self, insurers: Vec<(&str, Arc<dyn Insurer>)>) -> Self {
        let mut connected = HashMap::new();
        for (folder, insurer) in insurers {
            let path = format!("insurers/{folder}/insurer.toml");
            let text = String::from_utf8(self.catalogue.get(&path).expect("there").to_vec()).expect("text");
            let id =
                text.lines().find_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"')).expect("an id");
            connected.insert(id.parse().expect("an id"), insurer);
            self = self.edited(&path, |text| {
                text.replace("connector = \"rate-table\"\n", "")
                    + "\nconnector = \"http\"\n[http]\nurl = \"https://insurer.example\"\nauthentication = \"bearer\"\nsecret = \"secret\"\n"
            });
        }
        self.connectors = Arc::new(StandIns(connected));
        self
    }

    pub async fn start(self) -> App {
        App::start_with(self).await
    }
}

/// Rules that allow deliveries to this machine.
fn loopback() -> AddressRules {
    AddressRules::opening(["127.0.0.1/32"]).expect("a network")
}

/// The compiled version of a catalogue's files. Most tests use the same one, which is compiled once.
fn version_of(files: &Files) -> Version {
    static COMPILED: Mutex<Vec<(Vec<u8>, Arc<rating::Catalogue>)>> = Mutex::new(Vec::new());
    let canonical = files.canonical();
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, catalogue)) = compiled.iter().find(|(known, _)| *known == canonical) {
        return Version { catalogue: catalogue.clone(), canonical };
    }
    let version = Version::of(files).unwrap_or_else(|faults| panic!("{faults:?}"));
    compiled.push((version.canonical.clone(), version.catalogue.clone()));
    version
}

/// A running covernote. It stops when dropped.
pub struct App {
    pub base: String,
    pub clock: ManualClock,
    pub service: Arc<Service>,
    pub folder: tempfile::TempDir,
    /// The app's store, for changes that no request can make.
    pub store: Engine,
    /// The same store, as the service uses it.
    pub storage: Arc<dyn service::storage::Storage>,
    /// The delayed connection to the PostgreSQL server, if any.
    pub relay: Option<Relay>,
    /// The gateway on whose page customers pay.
    pub gateway: Arc<FictionalGateway>,
    client: reqwest::Client,
    partner: Partner,
    _stop: oneshot::Sender<()>,
    _stop_working: oneshot::Sender<()>,
    _stop_delivering: oneshot::Sender<()>,
}

impl Drop for App {
    /// Checks that the store passes verification, and that every event matches the OpenAPI document and is
    /// numbered without a gap. Events are checked on SQLite only, where reading needs no runtime; on
    /// PostgreSQL the same tests cause the same events.
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if matches!(self.store, Engine::Sqlite(_)) {
            let told = events::all(&self.service, self.storage.as_ref());
            let told = futures_util::future::FutureExt::now_or_never(told).expect("SQLite answers at once");
            told.iter().for_each(events::is_as_described);
            let begun: Timestamp = "2026-11-20T04:30:00Z".parse().expect("an instant");
            let kept = service::event::KEPT_FOR.try_into().expect("30 days");
            events::are_counted_without_gaps(&told, self.clock.now().duration_since(begun) < kept);
        }
        if self.store.is_changed() {
            return;
        }
        assert_eq!(self.store.faults(self.folder.path()), [""; 0], "the store fails its verification");
    }
}

/// Another server on the same store. It drains when it is dropped.
pub struct Server {
    pub base: String,
    _stop: oneshot::Sender<()>,
}

/// A partner of the app with every scope, and a token for them.
#[derive(Clone)]
pub struct Partner {
    pub id: PartnerId,
    pub client_id: String,
    pub client_secret: String,
    pub token: String,
}

impl App {
    pub async fn start() -> App {
        App::start_with(Setup::default()).await
    }

    async fn start_with(setup: Setup) -> App {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = ManualClock::new();
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        let (engine, relay) = match setup.distance {
            None => (Engine::chosen(folder.path()), None),
            Some(distance) => {
                let engine = Engine::postgres();
                let relay = engine.relay(distance);
                (engine, Some(relay))
            }
        };
        let clocks: Arc<dyn Clock> = Arc::new(clock.clone());
        let store = match &relay {
            None => engine.open(folder.path(), clocks, random.clone()).await,
            Some(relay) => engine.open_through(relay, folder.path(), clocks, random.clone()).await,
        };
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("bound"));
        let gateway = Arc::new(FictionalGateway::at(format!("{base}/demo/pay"), random.as_ref()));
        let settings = service::Settings {
            base_url: base.as_str().into(),
            operator: setup.operator,
            gateway: setup.has_gateway.then(|| gateway.clone() as _),
            carrier: Arc::new(HttpCarrier::new(loopback())),
            event_body: web::event::body,
            scanner: setup.scanner,
            claim_limits: setup.claim_limits,
            reference_key: "loan_account_number".into(),
            catalogue_review: CatalogueReview::default(),
            retention: setup.retention,
            erasures: Arc::new(NoJournal),
            insurer_deadline: setup.insurer_deadline,
            recommendation_deadline: setup.recommendation_deadline,
        };
        let version = version_of(&setup.catalogue);
        let clocks = Arc::new(clock.clone());
        let service = Service::open(store.clone(), clocks, random, setup.connectors, version, settings).await;
        let service = Arc::new(service.expect("opens"));
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            let _ = stopped.await;
        };
        let (stop_working, stopped_working) = oneshot::channel::<()>();
        tokio::spawn(Arc::clone(&service.workers).work(setup.workers, async {
            let _ = stopped_working.await;
        }));
        let (stop_delivering, stopped_delivering) = oneshot::channel::<()>();
        if setup.workers > 0 {
            tokio::spawn(Arc::clone(&service.deliveries).deliver(async {
                let _ = stopped_delivering.await;
            }));
        }
        let site = web::JourneySite::at(&base).expect("loopback");
        let web = web::App::new(service.clone(), setup.limits, Some(site));
        tokio::spawn(web::server::serve(web, listener, None, stopped));
        let client = reqwest::Client::builder().pool_max_idle_per_host(64).build().expect("a client");
        let partner = Partner {
            id: PartnerId::new(),
            client_id: String::new(),
            client_secret: String::new(),
            token: String::new(),
        };
        let mut app = App {
            base,
            clock,
            service,
            folder,
            store: engine,
            storage: store,
            relay,
            gateway,
            client,
            partner,
            _stop: stop,
            _stop_working: stop_working,
            _stop_delivering: stop_delivering,
        };
        app.partner = app.new_partner("Test Lender").await;
        app
    }

    /// Every event of a partner in the store, oldest first, with those that the API no longer returns.
    pub async fn kept_events(&self, of: PartnerId) -> Vec<domain::event::Event> {
        events::of(self.storage.as_ref(), of).await.expect("readable")
    }

    /// Opens the store as another process would, without a service.
    pub async fn opens_store(&self) -> Arc<dyn service::storage::Storage> {
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        self.store.open(self.folder.path(), Arc::new(self.clock.clone()), random).await
    }

    /// Another process on the same store, with its own catalogue and its own memory.
    pub async fn another_process(&self, catalogue: &Files) -> Arc<Service> {
        self.another_process_with(catalogue, CatalogueReview::default()).await
    }

    pub async fn another_process_with(&self, catalogue: &Files, review: CatalogueReview) -> Arc<Service> {
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        let store = self.store.open(self.folder.path(), Arc::new(self.clock.clone()), random.clone()).await;
        let settings = service::Settings {
            base_url: self.base.as_str().into(),
            operator: None,
            gateway: Some(self.gateway.clone()),
            carrier: Arc::new(HttpCarrier::new(loopback())),
            event_body: web::event::body,
            scanner: None,
            claim_limits: CLAIM_LIMITS,
            reference_key: "loan_account_number".into(),
            catalogue_review: review,
            retention: Retention::default(),
            erasures: Arc::new(NoJournal),
            insurer_deadline: Duration::from_secs(2),
            recommendation_deadline: Duration::from_secs(5),
        };
        let (clock, version) = (Arc::new(self.clock.clone()), version_of(catalogue));
        let opened = Service::open(store, clock, random, Arc::new(NoConnectors), version, settings);
        Arc::new(opened.await.expect("opens"))
    }

    /// Serves another process's service over HTTP until it is dropped.
    pub fn serves(&self, service: Arc<Service>) -> Server {
        self.serves_with(service, None)
    }

    /// Serves this service with the demo's page for the default partner, until it is dropped.
    pub fn serves_demo(&self) -> Server {
        let (client_id, client_secret) = (self.partner.client_id.clone(), self.partner.client_secret.clone());
        let demo = web::journey::Demo {
            client_id,
            client_secret,
            test_client_id: "test-lender".into(),
            test_client_secret: "test-lender-secret".into(),
            gateway: self.gateway.clone(),
        };
        self.serves_with(self.service.clone(), Some(demo))
    }

    fn serves_with(&self, service: Arc<Service>, demo: Option<web::journey::Demo>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("bound"));
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            let _ = stopped.await;
        };
        let site = web::JourneySite { demo, ..web::JourneySite::at(&base).expect("loopback") };
        let web = web::App::new(service, web::Limits::default(), Some(site));
        tokio::spawn(web::server::serve(web, listener, None, stopped));
        Server { base, _stop: stop }
    }

    /// The default partner of requests.
    pub fn partner(&self) -> &Partner {
        &self.partner
    }

    /// Makes another partner the default partner. Returns the previous one.
    pub fn asks_as(&mut self, partner: Partner) -> Partner {
        std::mem::replace(&mut self.partner, partner)
    }

    /// Another partner with every scope.
    pub async fn new_partner(&self, name: &str) -> Partner {
        self.new_partner_with(name, Scopes::all(), TOKENS_PER_HOUR).await
    }

    /// A test partner with every scope (D97).
    pub async fn new_test_partner(&self) -> Partner {
        self.add_partner("A sandbox", Scopes::all(), TOKENS_PER_HOUR, true).await
    }

    pub async fn new_partner_with(&self, name: &str, scopes: Scopes, tokens_per_hour: u32) -> Partner {
        self.add_partner(name, scopes, tokens_per_hour, false).await
    }

    async fn add_partner(&self, name: &str, scopes: Scopes, tokens_per_hour: u32, is_test: bool) -> Partner {
        let new = NewPartner {
            name: name.into(),
            scopes,
            legacy_reads: true,
            attribution: false,
            origins: Vec::new(),
            return_urls: Vec::new(),
            tokens_per_hour,
            is_test,
        };
        let credentials = self.service.partners.add(new).await.expect("added");
        let mut partner = Partner {
            id: credentials.partner,
            client_id: credentials.client_id,
            client_secret: credentials.client_secret,
            token: String::new(),
        };
        if scopes.grants(domain::access::Scope::Business) {
            partner.token = self.token_of(&partner, &["business"]).await;
        }
        partner
    }

    /// A fresh token of a partner with these scopes.
    pub async fn token_of(&self, partner: &Partner, scopes: &[&str]) -> String {
        let answer = self.ask_token(partner, scopes).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"]["access_token"].as_str().expect("a token").to_owned()
    }

    pub async fn ask_token(&self, partner: &Partner, scopes: &[&str]) -> Answer {
        let body = json!({ "client_id": partner.client_id, "client_secret": partner.client_secret, "scopes": scopes });
        self.post_without_bearer("/v1/auth/token", body).await
    }

    /// The default partner with a new token, for use after a move of the clock.
    pub async fn refreshed(&self) -> Partner {
        let token = self.token_of(&self.partner, &["business"]).await;
        Partner { token, ..self.partner.clone() }
    }

    /// Sets the clock, and gets a new token for the default partner, whose old one may have expired.
    pub async fn set_clock(&mut self, instant: &str) {
        self.clock.set(instant);
        self.partner = self.refreshed().await;
    }

    /// Prices new quotes with another catalogue.
    pub async fn runs_catalogue(&self, files: &Files) {
        let version = Version::of(files).unwrap_or_else(|faults| panic!("{faults:?}"));
        self.service.shared.catalogues.run(version).await.expect("runs");
    }

    /// Changes a partner's permissions, as the operator.
    pub async fn change(&self, partner: &Partner, change: PartnerChange) {
        self.service.partners.change(&partner.client_id, &change).await.expect("changed");
    }

    pub fn scopes(words: &[&str]) -> Scopes {
        words.iter().map(|word| Scope::from_text(word).expect("a scope")).collect()
    }

    // Requests. A path begins with a slash.

    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = method.parse().expect("a method");
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let request = request.build().expect("a request");
        let asked = recorded::Asked::of(&request, &self.base);
        let answer = Answer::of(self.client.execute(request).await.expect("an answer")).await;
        asked.record(&answer);
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).bearer_auth(&self.partner.token)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request("POST", path).bearer_auth(&self.partner.token).json(&body)).await
    }

    /// Posts a body as text, for values that [`Value`] cannot represent.
    pub async fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let request = self.request("POST", path).bearer_auth(&self.partner.token);
        self.send(request.header("content-type", "application/json").body(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(self.request("PATCH", path).bearer_auth(&self.partner.token).json(&body)).await
    }

    /// Records of the waiting work of a kind.
    pub async fn waits(&self, kind: WaitingKind) -> Vec<String> {
        let all = self.service.waiting.all().await.expect("read").into_iter();
        all.filter(|one| one.kind == kind).map(|one| one.record).collect()
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.request("PUT", path).bearer_auth(&self.partner.token).json(&body)).await
    }

    pub async fn get_without_bearer(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await
    }

    pub async fn post_without_bearer(&self, path: &str, body: Value) -> Answer {
        self.send(self.request("POST", path).json(&body)).await
    }

    /// Sends a request of a partner other than the default one.
    pub async fn as_partner(
        &self,
        partner: &Partner,
        method: &str,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let request = self.request(method, path).bearer_auth(&partner.token);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        self.send(request).await
    }

    // Records that tests need.

    /// The payload of a quote for an ordinary borrower.
    pub async fn has_quote(&self) -> Value {
        let answer = self.post("/v1/embedded/quote", bodies::quote()).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"].clone()
    }

    /// The body of a proposal of the quote's cheapest recommendation, whose product the partner decides.
    pub async fn has_proposal_body(&self, status: &str) -> Value {
        let quote = self.has_quote().await;
        bodies::proposal(&quote["quote_id"], &quote["recommendations"][0]["recommendation_id"], status)
    }

    /// The body of a proposal for a variant with this kind of decision: partner, operator, insurer,
    /// straight-through.
    pub async fn has_proposal_body_decided_by(&self, decision: &str, status: &str) -> Value {
        let quote = self.has_quote().await;
        let catalogue = self.service.shared.catalogues.running();
        let recommendations = quote["recommendations"].as_array().expect("a list");
        let recommendation = recommendations.iter().find(|item| {
            let variant = item["variant_id"].as_str().expect("an id").parse().expect("an id");
            let variant = catalogue.credit_variant(variant).expect("of the catalogue");
            item["is_error"] == false && variant.product.decision.word() == decision
        });
        let recommendation = recommendation.unwrap_or_else(|| panic!("no variant is decided by {decision}"));
        bodies::proposal(&quote["quote_id"], &recommendation["recommendation_id"], status)
    }

    /// The id of a proposal with this status.
    pub async fn has_proposal(&self, status: &str) -> String {
        let submission = if status == "DRAFT" { "DRAFT" } else { "SUBMITTED" };
        let answer = self.post("/v1/embedded/proposal", self.has_proposal_body(submission).await).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let id = answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        if matches!(status, "COMPLETED" | "REJECTED") {
            let answer =
                self.patch(&format!("/v1/embedded/proposal/{id}"), json!({ "status": status })).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
        id
    }

    /// The stored embedded proposal with all its moves.
    pub async fn found_proposal(&self, id: &str) -> (EmbeddedProposal, Vec<Move<ProposalStatus>>) {
        match self.service.operator_proposals.find(id.parse().expect("an id")).await.expect("there") {
            AnyProposal::CreditLife(proposal, moves) => (*proposal, moves),
            AnyProposal::Health(..) => panic!("{id} is a health proposal"),
        }
    }

    /// A proposal's status.
    pub async fn status_of(&self, id: &str) -> String {
        let answer = self.get(&format!("/v1/embedded/proposal/{id}/status")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"]["status"].as_str().expect("a status").to_owned()
    }

    /// The path and query of a completed proposal's fresh download address.
    pub async fn download_path(&self, id: &str) -> String {
        let answer = self.get(&format!("/v1/embedded/proposal/{id}/status")).await;
        let address = answer.json()["payload"]["policy_url"].as_str().expect("an address").to_owned();
        address.strip_prefix(&self.base).expect("on this server").to_owned()
    }

    /// The id of a health quote for a request.
    pub async fn has_health_quote(&self, body: Value) -> String {
        self.has_health_quote_of(&self.partner, body).await
    }

    /// The id of a health quote of a partner.
    pub async fn has_health_quote_of(&self, partner: &Partner, body: Value) -> String {
        let answer = self.as_partner(partner, "POST", "/v1/business/health/recommendation", Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"]["quote_id"].as_str().expect("an id").to_owned()
    }

    /// The present recommendation of a health quote.
    pub async fn recommendation(&self, id: &str) -> Value {
        let answer = self.get(&format!("/v1/business/health/recommendation/{id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"].clone()
    }

    /// The recommendation of a health quote, once it is ready.
    pub async fn finished_recommendation(&self, id: &str) -> Value {
        self.eventually("the job is finished", async || {
            let job = self.recommendation(id).await;
            (job["status"] == "success").then_some(job)
        })
        .await
    }

    /// The id of a session of a partner.
    pub async fn has_session_of(&self, partner: &Partner) -> String {
        let answer = self.as_partner(partner, "POST", "/v1/business/session", Some(json!({}))).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["session_id"].as_str().expect("an id").to_owned()
    }

    /// The id of a session.
    pub async fn has_session(&self) -> String {
        self.has_session_of(&self.partner).await
    }

    // Jobs, and waiting for them.

    /// Starts more workers, which run to the end of the test.
    pub fn works(&self, most: usize) {
        tokio::spawn(Arc::clone(&self.service.workers).work(most, std::future::pending()));
    }

    /// Polls until `look` returns a value.
    pub async fn eventually<T>(&self, what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            assert!(tokio::time::Instant::now() < deadline, "it never comes that {what}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Asserts that no job is left.
    pub async fn has_no_job_left(&self) {
        self.eventually("no job is left", async || (self.rows_of("jobs") == 0).then_some(())).await;
    }

    /// Number of rows in a table of the store.
    pub fn rows_of(&self, table: &str) -> i64 {
        self.store.rows_of(table)
    }
}
