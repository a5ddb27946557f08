//! Serves the same API without keeping any quote, for `bench/run` to measure what storing one costs.
//!
//! `serve_without_storing <data> <listen>` opens the store in the data folder as `covernote serve` does. Bearer, validation,
//! pricing, ids and JSON are the program's own; only the storage call of `POST /v1/embedded/quote` does nothing.
//! `COVERNOTE_*` variables, such as `COVERNOTE_LOG_LEVEL`, hold here too.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::net::TcpListener;
use std::sync::Arc;

use async_trait::async_trait;
use covernote::cli::Flags;
use covernote::failure::Failure;
use covernote::settings::Settings;
use covernote::wiring::{OsRandom, SystemClock, load_catalogue, open_store, service_settings, web_limits};
use domain::claim::{Claim, ClaimDocument, ClaimState};
use domain::complaint::Complaint;
use domain::credit_life::CreditLife;
use domain::date::{Date, Timestamp};
use domain::event::Event;
use domain::health_proposal::Health;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{
    ClaimDocumentId, ClaimId, ComplaintId, EventId, PartnerId, PolicyId, ProposalId, QuoteId, SessionId,
    StatementId, Uuid, WebhookEndpointId,
};
use domain::identifier::Identifier;
use domain::journey::Journey;
use domain::line::{Line, LineOfBusiness};
use domain::partner::Partner;
use domain::period::Period;
use domain::policy::{CheckCode, Policy};
use domain::policy_state::PolicyState;
use domain::premium::{BooksAct, BooksFault, KeptDecision, ProposalPremium, Receipt};
use domain::proposal::{Move, Proposal};
use domain::quote::{CatalogueHash, EmbeddedQuote};
use domain::session::Session;
use domain::statement::{Month, Statement};
use domain::webhook::{Delivery, DeliveryState, EndpointHealth, WebhookEndpoint};
use service::Service;
use service::clock::{Clock, Random};
use service::insurer::NoConnectors;
use service::keys::{Key, KeyPurpose};
use service::storage::calendars::{CalendarMark, DayOfPolicy};
use service::storage::claims::PaperUsage;
use service::storage::jobs::{Job, JobFamily, JobKind, Lease, PutOff};
use service::storage::journeys::OldJourney;
use service::storage::keys::{Renewed, RowProgress};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::notices::Told;
use service::storage::partners::ClockChange;
use service::storage::policies::{PolicyAct, PolicyChanged};
use service::storage::premiums::{
    AccountBalance, DecisionKept, Deposit, DepositChange, DepositChanged, LedgerLine, ReceiptKept,
    ReceiptLine,
};
use service::storage::request_log::RequestBatch;
use service::storage::responses::{IdempotencyKeyHash, StoredResponse};
use service::storage::statements::{
    AnswerKept, ClosedMonth, CommissionPosting, MonthBegun, MonthRun, PartPosition, PolicyEndorsed,
    PolicyMoved, RowAnswer,
};
use service::storage::status_pages::TryLimit;
use service::storage::webhooks::{DeliveryPage, Held, Lane, Sent};
use service::storage::{
    AnyPolicies, AnyPolicy, Calendars, CertificateDocument, Certificates, ClaimPapers, Claims, Complaints,
    Deposits, EmbeddedQuotes, EventPage, EventQuery, Events, Fact, HealthQuotes, Identified,
    IdentifiedRecords, ImportEnd, Installation, Jobs, Journeys, Kept, KeyedResponse, Keys, Moved, NewEvent,
    Notices, PartnerRecord, Partners, Policies, Premiums, ProposalAct, ProposalLine, ProposalOwners,
    Proposals, Proposed, Records, RequestLogs, Responses, SecretRecord, Sessions, Statements, StatusPages,
    Storage, StorageError, TestData, TokenCount, Webhooks,
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
    web::server::serve(app, listener, None, stop).await?;
    Ok(service.installation.close().await?)
}

async fn open_service(settings: &Settings) -> Result<Service, Box<dyn Error>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let catalogue = load_catalogue(&settings.catalogue).map_err(in_words)?;
    let store = open_store(settings, clock.clone(), &random).await.map_err(in_words)?;
    let store = Arc::new(WithoutQuotes(store));
    let settings = service_settings(settings, settings.base_address(), None);
    Ok(Service::open(store, clock, random, Arc::new(NoConnectors), catalogue, settings).await?)
}

/// The store on SQLite, save that quotes are not kept.
struct WithoutQuotes(Arc<dyn Storage>);

/// Forwards every method named to the store.
macro_rules! forward {
    ($noun:ident { $(fn $method:ident($($name:ident: $kind:ty),*) -> $result:ty;)* }) => {
        #[async_trait]
        impl $noun for WithoutQuotes {
            $(async fn $method(&self, $($name: $kind),*) -> Result<$result, StorageError> {
                self.0.$method($($name),*).await
            })*
        }
    };
    ($noun:ident<$line:ty> { $(fn $method:ident($($name:ident: $kind:ty),*) -> $result:ty;)* }) => {
        #[async_trait]
        impl $noun<$line> for WithoutQuotes {
            $(async fn $method(&self, $($name: $kind),*) -> Result<$result, StorageError> {
                $noun::<$line>::$method(self.0.as_ref(), $($name),*).await
            })*
        }
    };
}

forward! {
    Installation {
        fn ready() -> ();
        fn make_months(at: Timestamp) -> ();
        fn close() -> ();
        fn remember(fact: Fact, value: &str) -> ();
        fn remembered(fact: Fact) -> Option<String>;
        fn keep_catalogue(hash: CatalogueHash, canonical: &[u8], at: Timestamp) -> ();
        fn catalogue(hash: CatalogueHash) -> Option<Vec<u8>>;
        fn newest_catalogue() -> Option<CatalogueHash>;
    }
}

forward! {
    Partners {
        fn revision() -> u64;
        fn partners() -> Vec<PartnerRecord>;
        fn add_partner(partner: &Partner, secret: &SecretRecord) -> ();
        fn change_partner(partner: &Partner, clock: ClockChange) -> bool;
        fn add_secret(of: PartnerId, secret: &SecretRecord, most: usize, event: &NewEvent) -> bool;
        fn revoke_secret(of: PartnerId, number: u32, at: Timestamp, end_tokens: bool, event: &NewEvent) -> bool;
        fn count_token(of: PartnerId, token: Uuid, at: Timestamp, limit: u32) -> TokenCount;
    }
}

forward! {
    Keys {
        fn keys() -> Vec<Key>;
        fn add_key(
            purpose: KeyPurpose, secret: [u8; 32], created_at: Timestamp, active_from: Timestamp, most: usize
        ) -> Option<Key>;
        fn reseal(progress: &mut RowProgress<'_>) -> Renewed;
        fn retag(progress: &mut RowProgress<'_>) -> Renewed;
        fn rewrap() -> u64;
        fn wrapping_keys() -> BTreeSet<u32>;
        fn retire_key(number: u32, at: Timestamp) -> bool;
    }
}

forward! {
    Responses {
        fn kept_response(of: PartnerId, key: IdempotencyKeyHash, since: Timestamp) -> Option<StoredResponse>;
        fn forget_kept_responses(before: Timestamp, most: usize) -> usize;
    }
}

forward! {
    Sessions {
        fn keep_session(session: &Session, response: Option<&KeyedResponse>) -> Kept;
        fn session(of: PartnerId, id: SessionId) -> Option<Session>;
    }
}

forward! {
    Journeys {
        fn open_journey(journey: &Journey, begins: Option<&Session>) -> bool;
        fn tokens_used(since: Timestamp) -> Vec<Uuid>;
        fn journey(cookie: [u8; 32]) -> Option<Journey>;
        fn journey_opened_by(of: PartnerId, token: Uuid) -> Option<[u8; 32]>;
        fn change_journey(journey: &Journey) -> bool;
        fn old_journeys(before: Timestamp, most: usize) -> Vec<OldJourney>;
        fn forget_journeys(old: &[(OldJourney, Option<NewEvent>)]) -> usize;
    }
}

forward! {
    Jobs {
        fn next_due() -> Option<Timestamp>;
        fn claim_jobs(family: JobFamily, owner: Uuid, now: Timestamp, until: Timestamp, most: usize) -> Vec<Lease>;
        fn renew_leases(leases: &[Lease], until: Timestamp) -> usize;
        fn put_off(lease: &Lease, how: PutOff) -> bool;
        fn hand_back(owner: Uuid, now: Timestamp) -> usize;
        fn free_leases(now: Timestamp) -> usize;
        fn end_job(lease: &Lease) -> bool;
        fn job_for(kind: JobKind, subject: Uuid) -> Option<Job>;
        fn count_jobs() -> Vec<(JobKind, u64)>;
    }
}

forward! {
    Events {
        fn event(of: PartnerId, id: EventId) -> Option<Event>;
        fn events(of: PartnerId, query: &EventQuery) -> EventPage;
        fn add_event(of: PartnerId, event: &NewEvent) -> ();
        fn forget_events(before: Timestamp, most: usize) -> bool;
    }
}

forward! {
    Calendars {
        fn calendar(of: PartnerId) -> Option<CalendarMark>;
        fn begin_calendar(of: PartnerId, mark: &CalendarMark) -> ();
        fn policies_on(of: PartnerId, day: DayOfPolicy, after: Option<PolicyId>, most: usize) -> Vec<AnyPolicy>;
        fn tell_calendar(of: PartnerId, to: &CalendarMark, events: &[NewEvent]) -> bool;
    }
}

forward! {
    RequestLogs {
        fn log_requests(batches: &[RequestBatch]) -> ();
        fn request_batches(of: PartnerId, up_to: Uuid, most: usize) -> Vec<RequestBatch>;
        fn forget_requests(of: PartnerId, before: Timestamp, kept: usize) -> usize;
    }
}

forward! {
    TestData {
        fn hurry_jobs(of: PartnerId, now: Timestamp) -> ();
        fn jobs_at_work(of: PartnerId, now: Timestamp) -> u64;
        fn forget_test_data(of: PartnerId, most: usize) -> usize;
    }
}

forward! {
    Webhooks {
        fn add_endpoint(endpoint: &WebhookEndpoint, most: usize) -> bool;
        fn change_endpoint(endpoint: &WebhookEndpoint, events: &[NewEvent]) -> bool;
        fn remove_endpoint(of: PartnerId, id: WebhookEndpointId) -> bool;
        fn endpoints(of: PartnerId) -> Vec<WebhookEndpoint>;
        fn lanes(now: Timestamp) -> Vec<Lane>;
        fn claim_deliveries(endpoint: (PartnerId, WebhookEndpointId), again: bool, owner: Uuid, now: Timestamp, until: Timestamp, most: usize) -> Vec<Held>;
        fn keep_attempt(held: &Held, sent: &Sent) -> Option<EndpointHealth>;
        fn renew_deliveries(owner: Uuid, until: Timestamp) -> usize;
        fn hand_back_deliveries(owner: Uuid, now: Timestamp) -> usize;
        fn free_deliveries(now: Timestamp) -> usize;
        fn deliver_again(endpoint: (PartnerId, WebhookEndpointId), event: EventId, now: Timestamp) -> ();
        fn ping(endpoint: (PartnerId, WebhookEndpointId), ping: &NewEvent) -> ();
        fn recover_deliveries(endpoint: &WebhookEndpoint, since: Timestamp, now: Timestamp, most: usize) -> usize;
        fn deliveries(endpoint: (PartnerId, WebhookEndpointId), state: Option<DeliveryState>, before: Option<EventId>, most: usize) -> DeliveryPage;
        fn delivery(endpoint: (PartnerId, WebhookEndpointId), event: EventId) -> Option<Delivery>;
        fn forget_deliveries(of: PartnerId, before: Timestamp, most: usize) -> usize;
    }
}

forward! {
    HealthQuotes {
        fn keep_health_quote(quote: &HealthQuote, response: Option<&KeyedResponse>) -> Kept;
        fn health_quote(of: PartnerId, id: QuoteId) -> Option<HealthQuote>;
        fn keep_outcomes(lease: &Lease, ask: usize, outcomes: &[Outcome]) -> bool;
        fn finish_health_quote(lease: &Lease, quote: &HealthQuote, event: &NewEvent) -> bool;
        fn health_quotes(of: PartnerId, which: Selection, start: ListStart, most: usize) -> Page<HealthQuote>;
    }
}

forward! {
    Claims {
        fn claim(of: PartnerId, id: ClaimId) -> Option<Claim>;
        fn claims(of: PartnerId, which: Selection, start: ListStart, most: usize) -> Page<Claim>;
        fn count_claims_since(of: PartnerId, since: Timestamp) -> u64;
        fn claims_on(of: PartnerId, policy: PolicyId) -> Vec<Claim>;
        fn owner_of_claim(id: ClaimId) -> Option<PartnerId>;
        fn open_claims(most: usize) -> Vec<Claim>;
        fn claim_history(of: PartnerId, id: ClaimId) -> Vec<Move<ClaimState>>;
    }
}

forward! {
    ClaimPapers {
        fn begin_paper(of: PartnerId, paper: &ClaimDocument) -> ();
        fn add_part(of: PartnerId, paper: ClaimDocumentId, number: u32, bytes: &[u8]) -> ();
        fn finish_paper(of: PartnerId, paper: &ClaimDocument, most: u64) -> bool;
        fn paper_usage(of: PartnerId, claim: ClaimId, policy: PolicyId, since: Timestamp) -> PaperUsage;
        fn drop_paper(of: PartnerId, paper: ClaimDocumentId) -> ();
        fn forget_unfinished_papers(before: Timestamp, most: usize) -> usize;
        fn papers(of: PartnerId, claim: ClaimId) -> Vec<ClaimDocument>;
        fn paper(of: PartnerId, claim: ClaimId, id: ClaimDocumentId) -> Option<ClaimDocument>;
        fn part(of: PartnerId, paper: ClaimDocumentId, number: u32) -> Option<Vec<u8>>;
    }
}

forward! {
    Complaints {
        fn keep_complaint(complaint: &Complaint) -> ();
        fn complaint(id: ComplaintId) -> Option<Complaint>;
        fn open_complaints(most: usize) -> Vec<Complaint>;
        fn complaints(most: usize) -> Vec<Complaint>;
        fn answer_complaint(complaint: &Complaint) -> bool;
    }
}

forward! {
    Statements {
        fn begin_month(run: MonthRun, at: Timestamp) -> MonthBegun;
        fn add_statement_part(run: MonthRun, part: PartPosition, bytes: &[u8]) -> bool;
        fn add_test_statement(
            statement: &Statement, parts: &[(PartPosition, Vec<u8>)], event: (PartnerId, NewEvent)
        ) -> bool;
        fn close_month(run: MonthRun, catalogue: CatalogueHash, statements: &[Statement], postings: &[CommissionPosting], events: &[(PartnerId, NewEvent)], at: Timestamp) -> bool;
        fn month_closed(month: Month) -> Option<ClosedMonth>;
        fn statements_of_months(first: Month, last: Month, most: usize) -> Vec<Statement>;
        fn statements_of(of: PartnerId, most: usize) -> Vec<Statement>;
        fn statement(of: PartnerId, id: StatementId) -> Option<Statement>;
        fn statement_numbered(number: &str) -> Option<Statement>;
        fn pay_statement(paid: &Statement, postings: &[CommissionPosting], events: &[(PartnerId, NewEvent)], at: Timestamp) -> bool;
        fn statement_part(part: PartPosition) -> Option<Vec<u8>>;
        fn policies_endorsed(
            within: (Timestamp, Timestamp), of: Option<PartnerId>, after: Option<PolicyEndorsed>, most: usize
        ) -> Vec<PolicyEndorsed>;
        fn policies_moved(to: PolicyState, within: (Timestamp, Timestamp), of: Option<PartnerId>, after: Option<PolicyMoved>, most: usize) -> Vec<PolicyMoved>;
        fn keep_answer(statement: StatementId, answers: &[RowAnswer], numbered: &[AnyPolicy], at: Timestamp) -> AnswerKept;
        fn answers(statement: StatementId) -> Vec<RowAnswer>;
    }
}

forward! {
    IdentifiedRecords {
        fn identified(of: &[PartnerId], kind: Identified, by: &Identifier, most: usize) -> Vec<(PartnerId, Uuid)>;
    }
}

forward! {
    ProposalOwners {
        fn owner_of_proposal(id: ProposalId) -> Option<(PartnerId, LineOfBusiness)>;
    }
}

forward! {
    StatusPages {
        fn status_page_ended(of: PartnerId, proposal: ProposalId) -> Option<Timestamp>;
        fn end_status_page(of: PartnerId, proposal: ProposalId, at: Timestamp) -> ();
        fn count_status_page_try(of: PartnerId, proposal: ProposalId, at: Timestamp, limit: TryLimit) -> bool;
    }
}

forward! {
    Certificates {
        fn certificate(of: PartnerId, id: ProposalId) -> Option<CertificateDocument>;
        fn replaced_certificate(of: PartnerId, policy: PolicyId, version: u32) -> Option<Vec<u8>>;
        fn certificate_was_read(of: PartnerId, id: ProposalId, at: Timestamp) -> ();
        fn policy_checked(check: CheckCode) -> Option<(PartnerId, PolicyId, LineOfBusiness)>;
    }
}

forward! {
    Notices {
        fn told(of: PartnerId, policy: PolicyId) -> Told;
        fn keep_told(lease: &Lease, told: Told) -> bool;
    }
}

forward! {
    AnyPolicies {
        fn any_policy(of: PartnerId, id: PolicyId) -> Option<AnyPolicy>;
        fn any_policies(
            of: PartnerId, which: Selection, start: ListStart, most: usize, today: Date
        ) -> Page<AnyPolicy>;
        fn any_policy_of(of: PartnerId, id: ProposalId) -> Option<AnyPolicy>;
        fn policies_of_proposals(of: PartnerId, proposals: &[ProposalId]) -> Vec<(ProposalId, PolicyId)>;
        fn any_policies_numbered(of: &[PartnerId], number: &str, most: usize) -> Vec<AnyPolicy>;
        fn policy_history(of: PartnerId, id: PolicyId) -> Vec<Move<PolicyState>>;
        fn owner_of_policy(id: PolicyId) -> Option<PartnerId>;
        fn renewals_due(
            of: PartnerId,
            ends: Period,
            today: Date,
            after: Option<(Date, PolicyId)>,
            most: usize
        ) -> Vec<AnyPolicy>;
        fn endorsements_open(most: usize) -> Vec<AnyPolicy>;
        fn refunds_owed(most: usize) -> Vec<AnyPolicy>;
    }
}

forward! {
    Premiums {
        fn premium(of: PartnerId, proposal: ProposalId) -> Option<ProposalPremium>;
        fn premiums_of(of: PartnerId, proposals: &[ProposalId]) -> Vec<ProposalPremium>;
        fn open_premiums(most: usize) -> Vec<ProposalPremium>;
        fn receipts_of(of: PartnerId, proposal: ProposalId) -> Vec<ReceiptLine>;
        fn keep_receipts(receipts: &[(Receipt, Vec<NewEvent>)]) -> Vec<ReceiptKept>;
        fn keep_decision(premium: &ProposalPremium, decision: &KeptDecision) -> DecisionKept;
        fn forget_decision(of: PartnerId, proposal: ProposalId, at: Timestamp) -> ();
        fn change_books(
            of: PartnerId, proposal: ProposalId, act: BooksAct, reference: &str, at: Timestamp
        ) -> Option<Result<ProposalPremium, BooksFault>>;
        fn ledger_of(of: PartnerId, proposal: ProposalId) -> Vec<LedgerLine>;
        fn account_balances() -> Vec<AccountBalance>;
    }
}

forward! {
    Deposits {
        fn open_deposit(deposit: &Deposit, at: Timestamp) -> ();
        fn deposits() -> Vec<Deposit>;
        fn change_deposit(change: &DepositChange) -> DepositChanged;
    }
}

/// Forwards the proposals and policies of each line of business.
macro_rules! forward_line {
    ($($line:ty),+) => {
        $(
            forward! {
                Proposals<$line> {
                    fn keep_proposal(proposal: &Proposal<$line>, act: ProposalAct<'_, $line>) -> Proposed;
                    fn move_proposal(
                        of: PartnerId,
                        id: ProposalId,
                        from: <$line as Line>::Status,
                        act: ProposalAct<'_, $line>
                    ) -> Moved;
                    fn proposal(of: PartnerId, id: ProposalId) -> Option<Proposal<$line>>;
                    fn history(of: PartnerId, id: ProposalId) -> Vec<Move<<$line as Line>::Status>>;
                    fn proposals(
                        of: PartnerId, which: Selection, start: ListStart, most: usize
                    ) -> Page<Proposal<$line>>;
                    fn proposal_lines(
                        of: PartnerId, status: Option<<$line as Line>::Status>, most: usize
                    ) -> Vec<ProposalLine>;
                    fn import_proposals(records: Records<Proposal<$line>>) -> ImportEnd;
                }
            }

            forward! {
                Policies<$line> {
                    fn policy(of: PartnerId, id: PolicyId) -> Option<Policy<$line>>;
                    fn policy_numbered(of: PartnerId, number: &str) -> Option<Policy<$line>>;
                    fn policy_of(of: PartnerId, id: ProposalId) -> Option<Policy<$line>>;
                    fn policies(
                        of: PartnerId, which: Selection, start: ListStart, most: usize
                    ) -> Page<Policy<$line>>;
                    fn change_policy(policy: &Policy<$line>, act: PolicyAct<'_>) -> PolicyChanged;
                    fn import_policies(records: Records<Policy<$line>>) -> ImportEnd;
                }
            }
        )+
    };
}

forward_line!(CreditLife, Health);

impl Storage for WithoutQuotes {}

#[async_trait]
impl EmbeddedQuotes for WithoutQuotes {
    async fn keep_embedded_quote(
        &self,
        _quote: &EmbeddedQuote,
        _response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        Ok(Kept::New)
    }

    async fn embedded_quote(
        &self,
        of: PartnerId,
        id: QuoteId,
    ) -> Result<Option<EmbeddedQuote>, StorageError> {
        self.0.embedded_quote(of, id).await
    }

    async fn forget_embedded_quotes(&self, before: Timestamp, most: usize) -> Result<bool, StorageError> {
        self.0.forget_embedded_quotes(before, most).await
    }
}
