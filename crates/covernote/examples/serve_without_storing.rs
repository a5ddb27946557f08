//! Serves the same API without keeping any quote, for `bench/run` to measure what storing one costs.
//!
//! `serve_without_storing <data> <listen>` opens the store in the data folder as `covernote serve` does. Bearer, validation,
//! pricing, ids and JSON are the program's own; only the storage call of `POST /v1/embedded/quote` does nothing.
//! `COVERNOTE_*` variables, such as `COVERNOTE_LOG_LEVEL`, hold here too.

use std::env;
use std::error::Error;
use std::net::TcpListener;
use std::sync::Arc;

use async_trait::async_trait;
use covernote::cli::Flags;
use covernote::failure::Failure;
use covernote::settings::Settings;
use covernote::wiring::{OsRandom, SystemClock, load_catalogue, open_store, service_settings, web_limits};
use domain::date::Timestamp;
use domain::health_policy::HealthPolicy;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, PolicyId, ProposalId, QuoteId, SessionId, Uuid};
use domain::journey::Journey;
use domain::partner::Partner;
use domain::policy::{CheckCode, Policy};
use domain::proposal::{Move, Proposal, ProposalStatus};
use domain::quote::{CatalogueHash, EmbeddedQuote};
use domain::session::Session;
use service::Service;
use service::clock::{Clock, Random};
use service::idempotency::{AnswerKey, KeptAnswer};
use service::insurer::NoConnectors;
use service::keys::{Key, KeyPurpose};
use service::storage::health_proposals::{HealthAct, HealthProposalLine, ImportEnd, Proposed, Records};
use service::storage::health_quotes::{Tag, TagKind, Tagged, Tags};
use service::storage::jobs::{Job, JobKind, Lease, PutOff};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{
    CertificateDocument, Fact, HealthPolicies, HealthProposals, HealthQuotes, Jobs, Journeys, Kept, Moved,
    Once, PartnerRecord, ProposalAct, ProposalLine, SecretRecord, Sessions, Storage, StorageError,
    TokenCount,
};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};
use web::App;

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(data), Some(listen), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: serve_without_storing <data> <listen>".into());
    };
    let flags = Flags { data: Some(data), ..Flags::default() };
    let mut settings = Settings::read(&flags, Vec::new(), Settings::environment()).map_err(in_words)?;
    settings.listen = listen;
    log_like_the_program(&settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(settings))
}

fn in_words(failure: Failure) -> String {
    failure.to_string()
}

/// JSON lines on stderr, as the program writes them where no terminal is.
fn log_like_the_program(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let filter: Targets = settings.log_level.parse()?;
    let lines = fmt::layer().with_writer(std::io::stderr).json().flatten_event(true);
    registry().with(lines.with_filter(filter)).init();
    Ok(())
}

async fn serve(settings: Settings) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(&settings.listen)?;
    let mut terminations = signal(SignalKind::terminate())?;
    let service = Arc::new(open_service(&settings).await?);
    let app = App::new(service.clone(), web_limits(&settings), None);
    let stop = async move {
        terminations.recv().await;
    };
    web::server::serve(app, listener, stop).await?;
    Ok(service.close().await?)
}

async fn open_service(settings: &Settings) -> Result<Service, Box<dyn Error>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let catalogue = load_catalogue(&settings.catalogue).map_err(in_words)?;
    let store = open_store(settings, clock.as_ref(), &random).await.map_err(in_words)?;
    let store = Arc::new(WithoutQuotes(store));
    let settings = service_settings(settings, settings.base_address());
    Ok(Service::open(store, clock, random, Arc::new(NoConnectors), catalogue, settings).await?)
}

/// The store on SQLite, save that quotes are not kept.
struct WithoutQuotes(Arc<dyn Storage>);

/// Passes every act named on to the store.
macro_rules! pass_on {
    ($noun:ident { $(fn $act:ident($($name:ident: $kind:ty),*) -> $result:ty;)* }) => {
        #[async_trait]
        impl $noun for WithoutQuotes {
            $(async fn $act(&self, $($name: $kind),*) -> Result<$result, StorageError> {
                self.0.$act($($name),*).await
            })*
        }
    };
}

pass_on! {
    Jobs {
        fn next_due() -> Option<Timestamp>;
        fn claim_jobs(owner: Uuid, now: Timestamp, until: Timestamp, most: usize) -> Vec<Lease>;
        fn renew_leases(leases: &[Lease], until: Timestamp) -> usize;
        fn put_off(lease: &Lease, how: PutOff) -> bool;
        fn hand_back(owner: Uuid, now: Timestamp) -> usize;
        fn free_leases(now: Timestamp) -> usize;
        fn end_job(lease: &Lease) -> bool;
        fn job_for(kind: JobKind, subject: Uuid) -> Option<Job>;
        fn count_jobs() -> Vec<u64>;
    }
}

pass_on! {
    HealthQuotes {
        fn keep_health_quote(quote: &HealthQuote, tags: Tags, once: Option<&Once>) -> Kept;
        fn health_quote(of: PartnerId, id: QuoteId) -> Option<HealthQuote>;
        fn keep_outcomes(lease: &Lease, ask: usize, outcomes: &[Outcome]) -> bool;
        fn finish_health_quote(lease: &Lease, quote: &HealthQuote) -> bool;
        fn health_quotes(of: PartnerId, which: Selection, from: From, most: usize) -> Page<HealthQuote>;
        fn tagged_quotes(kind: TagKind, tag: Tag, most: usize) -> Vec<Tagged>;
    }
}

pass_on! {
    HealthProposals {
        fn keep_health_proposal(proposal: &HealthProposal, act: HealthAct<'_>, journey: &Journey) -> Proposed;
        fn health_proposal(of: PartnerId, id: ProposalId) -> Option<HealthProposal>;
        fn partner_of_health_proposal(id: ProposalId) -> Option<PartnerId>;
        fn health_proposals(of: PartnerId, which: Selection, from: From, most: usize) -> Page<HealthProposal>;
        fn health_proposal_lines(
            of: PartnerId, status: Option<HealthProposalStatus>, most: usize
        ) -> Vec<HealthProposalLine>;
        fn move_health_proposal(
            of: PartnerId, id: ProposalId, from: HealthProposalStatus, act: HealthAct<'_>
        ) -> bool;
        fn health_history(of: PartnerId, id: ProposalId) -> Vec<Move<HealthProposalStatus>>;
        fn import_health_proposals(records: Records<HealthProposal>) -> ImportEnd;
    }
}

pass_on! {
    HealthPolicies {
        fn health_policy(of: PartnerId, id: PolicyId) -> Option<HealthPolicy>;
        fn health_policy_numbered(of: PartnerId, number: &str) -> Option<HealthPolicy>;
        fn health_policy_of(of: PartnerId, id: ProposalId) -> Option<HealthPolicy>;
        fn health_policies(of: PartnerId, which: Selection, from: From, most: usize) -> Page<HealthPolicy>;
        fn health_certificate(of: PartnerId, id: ProposalId) -> Option<CertificateDocument>;
        fn health_policy_by_check(check: CheckCode) -> Option<HealthPolicy>;
        fn import_health_policies(records: Records<HealthPolicy>) -> ImportEnd;
    }
}

pass_on! {
    Journeys {
        fn open_journey(journey: &Journey, begins: Option<&Session>) -> bool;
        fn journey(cookie: [u8; 32]) -> Option<Journey>;
        fn journey_opened_by(of: PartnerId, token: Uuid) -> Option<[u8; 32]>;
        fn change_journey(journey: &Journey) -> bool;
        fn forget_journeys(before: Timestamp, most: usize) -> usize;
    }
}

pass_on! {
    Sessions {
        fn keep_session(session: &Session, once: Option<&Once>) -> Kept;
        fn session(of: PartnerId, id: SessionId) -> Option<Session>;
    }
}

/// Passes every act named on to the store; the one that is not named does nothing.
macro_rules! pass_on_all_but_quotes {
    ($(fn $act:ident($($name:ident: $kind:ty),*) -> $result:ty;)*) => {
        #[async_trait]
        impl Storage for WithoutQuotes {
            $(async fn $act(&self, $($name: $kind),*) -> Result<$result, StorageError> {
                self.0.$act($($name),*).await
            })*

            async fn keep_embedded_quote(
                &self,
                _quote: &EmbeddedQuote,
                _once: Option<&Once>,
            ) -> Result<Kept, StorageError> {
                Ok(Kept::New)
            }
        }
    };
}

pass_on_all_but_quotes! {
    fn ready() -> ();
    fn close() -> ();
    fn remember(fact: Fact, value: &str) -> ();
    fn remembered(fact: Fact) -> Option<String>;
    fn revision() -> u64;
    fn partners() -> Vec<PartnerRecord>;
    fn add_partner(partner: &Partner, secret: &SecretRecord) -> ();
    fn change_partner(partner: &Partner) -> bool;
    fn add_secret(of: PartnerId, secret: &SecretRecord, most: usize) -> bool;
    fn revoke_secret(of: PartnerId, number: u32, at: Timestamp) -> bool;
    fn keys() -> Vec<Key>;
    fn add_key(
        purpose: KeyPurpose, secret: [u8; 32], created_at: Timestamp, active_from: Timestamp, most: usize
    ) -> Option<Key>;
    fn retire_key(number: u32, at: Timestamp) -> bool;
    fn count_token(of: PartnerId, token: Uuid, at: Timestamp, limit: u32) -> TokenCount;
    fn keep_catalogue(hash: CatalogueHash, canonical: &[u8], at: Timestamp) -> ();
    fn catalogue(hash: CatalogueHash) -> Option<Vec<u8>>;
    fn embedded_quote(of: PartnerId, id: QuoteId) -> Option<EmbeddedQuote>;
    fn keep_proposal(proposal: &Proposal, act: ProposalAct<'_>) -> Kept;
    fn proposal(of: PartnerId, id: ProposalId) -> Option<Proposal>;
    fn proposal_with_quote(of: PartnerId, id: ProposalId) -> Option<(Proposal, Option<EmbeddedQuote>)>;
    fn partner_of_proposal(id: ProposalId) -> Option<PartnerId>;
    fn proposals(of: PartnerId, status: Option<ProposalStatus>, most: usize) -> Vec<ProposalLine>;
    fn move_proposal(of: PartnerId, id: ProposalId, from: ProposalStatus, act: ProposalAct<'_>) -> Moved;
    fn history(of: PartnerId, id: ProposalId) -> Vec<Move>;
    fn policy_of(of: PartnerId, id: ProposalId) -> Option<Policy>;
    fn certificate(of: PartnerId, id: ProposalId) -> Option<CertificateDocument>;
    fn policy_by_check(check: CheckCode) -> Option<Policy>;
    fn kept_answer(of: PartnerId, key: AnswerKey, since: Timestamp) -> Option<KeptAnswer>;
    fn forget_answers(before: Timestamp, most: usize) -> usize;
}
