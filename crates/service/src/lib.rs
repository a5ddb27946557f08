//! The use cases of covernote, and the traits they need from outside.
//!
//! Nothing here knows a status code, a database engine or a page. Time and randomness are handed in.

pub mod access;
pub mod catalogue;
pub mod claim;
pub mod clock;
pub mod complaint;
pub mod decision;
pub mod error;
pub mod event;
pub mod import;
pub mod installation;
pub mod insurer;
pub mod journey;
pub mod keys;
pub mod line;
pub mod list;
pub mod partner;
pub mod policy;
pub mod proposal;
pub mod quote;
pub mod sandbox;
pub mod statement;
pub mod work;

pub mod storage;
pub mod thread_number;

mod job_signal;
mod parts;

use std::sync::Arc;
use std::time::Duration;

use domain::event::Event;
use domain::operator::Operator;

use crate::access::directory::Directory;
use crate::access::idempotency::Idempotency;
use crate::access::key_rotation::KeyService;
use crate::access::partner_clock::PartnerClock;
use crate::access::session::SessionService;
use crate::access::status_page::StatusPageService;
use crate::access::token::{LIFETIME, TokenService};
use crate::access::used_tokens::UsedTokens;
use crate::catalogue::Catalogues;
use crate::claim::ClaimService;
use crate::claim::insurer::InsurerClaimService;
use crate::claim::paper::{ClaimPaperService, PaperScanner};
use crate::clock::{Clock, Ids, Random};
use crate::complaint::ComplaintService;
use crate::decision::DecisionService;
use crate::decision::payment::PaymentService;
use crate::decision::payment_gateway::PaymentGateway;
use crate::decision::premium::PremiumService;
use crate::event::carrier::Carrier;
use crate::event::delivery::DeliveryService;
use crate::event::webhook::WebhookService;
use crate::event::{EventMaker, EventService};
use crate::import::ImportService;
use crate::installation::InstallationService;
use crate::insurer::Connectors;
use crate::insurer::connections::Connections;
use crate::job_signal::JobSignal;
use crate::journey::JourneyService;
use crate::list::Lists;
use crate::partner::PartnerService;
use crate::partner::request_log::RequestLogService;
use crate::parts::{Parts, Played};
use crate::policy::PolicyService;
use crate::policy::cancellation::CancellationService;
use crate::policy::document::PolicyDocumentService;
use crate::policy::endorsement::EndorsementService;
use crate::policy::health::HealthPolicyService;
use crate::policy::refund::RefundService;
use crate::proposal::ProposalService;
use crate::proposal::deposit::DepositService;
use crate::proposal::embedded::EmbeddedProposalService;
use crate::proposal::health::HealthProposalService;
use crate::proposal::operator::OperatorProposalService;
use crate::proposal::read::ProposalReadService;
use crate::proposal::renewal::RenewalService;
use crate::quote::embedded::EmbeddedQuoteService;
use crate::quote::explanation::ExplanationService;
use crate::quote::health::HealthQuoteService;
use crate::sandbox::SandboxService;
use crate::statement::StatementService;
use crate::storage::Storage;
use crate::work::Workers;
use crate::work::calendar::CalendarService;

pub use crate::access::token::Caller;
pub use crate::error::{Error, Fault, Faults};

/// What an operator sets about the use cases.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that partners call, without a slash at its end: issuer and audience of tokens, and the
    /// start of signed addresses.
    pub base_url: String,
    /// Who runs this service and sells the insurance, where that is known.
    pub operator: Option<Arc<Operator>>,
    /// The payment gateway, where the operator has one.
    pub gateway: Option<Arc<dyn PaymentGateway>>,
    /// What carries events to partners' endpoints.
    pub carrier: Arc<dyn Carrier>,
    /// What is sent of an event.
    pub event_body: fn(&Event, bool) -> Vec<u8>,
    /// What scans the papers of claims, where the operator has a scanner.
    pub scanner: Option<Arc<dyn PaperScanner>>,
    /// How much may be claimed and uploaded (D112).
    pub claim_limits: claim::limits::ClaimLimits,
    /// The key of a proposal's context data whose value is the partner's own reference of the sale (D79).
    pub reference_key: Arc<str>,
    /// How long quotes of credit protection are kept; for ever where nothing is said (D105).
    pub quotes_kept_for: Option<Duration>,
    /// Longest wait for an insurer before its items become `is_error` (D22).
    pub insurer_deadline: Duration,
    /// Longest wait for an insurer in a job, before its variants are left out (D17).
    pub recommendation_deadline: Duration,
}

/// The use cases, each with what it needs and nothing else. One per process, shared by all requests.
pub struct Service {
    /// The store as a whole, the address and the time.
    pub installation: InstallationService,
    /// Partners and keys in memory.
    pub directory: Arc<Directory>,
    /// The running catalogue and its older versions.
    pub catalogues: Arc<Catalogues>,
    /// Kept responses.
    pub idempotency: Arc<Idempotency>,
    /// Partners as the operator keeps them.
    pub partners: Arc<PartnerService>,
    /// The store's keys.
    pub keys: KeyService,
    /// Access tokens.
    pub tokens: Arc<TokenService>,
    /// Tokens that opened a journey.
    pub used_tokens: Arc<UsedTokens>,
    /// Sessions.
    pub sessions: Arc<SessionService>,
    /// Quotes of credit life.
    pub embedded_quotes: Arc<EmbeddedQuoteService>,
    /// Proposals of credit life.
    pub embedded_proposals: EmbeddedProposalService,
    /// Health quotes.
    pub health_quotes: Arc<HealthQuoteService>,
    /// Health proposals.
    pub health_proposals: HealthProposalService,
    /// Health policies.
    pub health_policies: HealthPolicyService,
    /// Policies of every line.
    pub policies: Arc<PolicyService>,
    /// What comes by the calendar.
    pub calendar: Arc<CalendarService>,
    /// Cancellation of policies.
    pub cancellations: Arc<CancellationService>,
    /// Endorsement of policies.
    pub endorsements: Arc<EndorsementService>,
    /// Renewal of policies.
    pub renewals: RenewalService,
    /// Refunds that insurers owe to the insured.
    pub refunds: RefundService,
    /// Claims on policies of every line.
    pub claims: Arc<ClaimService>,
    /// Events.
    pub events: EventService,
    /// Endpoints to which events are delivered.
    pub webhooks: WebhookService,
    /// The deliveries of this process.
    pub deliveries: Arc<DeliveryService>,
    /// Papers of claims.
    pub claim_papers: Arc<ClaimPaperService>,
    /// Claims as their insurers see them.
    pub insurer_claims: InsurerClaimService,
    /// The register of complaints.
    pub complaints: ComplaintService,
    /// Statements of months.
    pub statements: Arc<StatementService>,
    /// Proposals of every line.
    pub proposals: Arc<ProposalService>,
    /// Proposals of every line as their partners read them.
    pub proposal_reads: ProposalReadService,
    /// Proposals as the operator finds and decides them.
    pub operator_proposals: Arc<OperatorProposalService>,
    /// What test partners have beside everybody's.
    pub sandbox: SandboxService,
    /// The log of partners' requests.
    pub request_log: RequestLogService,
    /// Certificates.
    pub documents: Arc<PolicyDocumentService>,
    /// Premiums of proposals and the payments for them.
    pub premiums: Arc<PremiumService>,
    /// Payments of customers on a gateway's page.
    pub payments: PaymentService,
    /// Advance deposits with insurers.
    pub deposits: Arc<DepositService>,
    /// Decisions of insurers.
    pub decisions: Arc<DecisionService>,
    /// Journeys.
    pub journeys: JourneyService,
    /// Pages with the status of applications.
    pub status_pages: StatusPageService,
    /// Explanations of quotes.
    pub explanations: ExplanationService,
    /// Imports.
    pub imports: ImportService,
    /// The workers of this process.
    pub workers: Arc<Workers>,
}

impl Service {
    /// Opens the service on a store: keeps a server's own catalogue there, and reads partners and keys.
    ///
    /// # Errors
    /// [`storage::StorageError`] when the store is away or damaged.
    pub async fn open(
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        connectors: Arc<dyn Connectors>,
        catalogue: impl Into<catalogue::CatalogueChoice>,
        settings: Settings,
    ) -> Result<Self, storage::StorageError> {
        let base_url: Arc<str> = settings.base_url.as_str().into();
        let catalogues = Arc::new(Catalogues::open(storage.clone(), clock.clone(), catalogue.into()).await?);
        let directory =
            Directory::open(storage.clone(), storage.clone(), clock.clone(), base_url.clone()).await?;
        let directory = Arc::new(directory);
        let idempotency =
            Idempotency { storage: storage.clone(), directory: directory.clone(), clock: clock.clone() };
        let connections = Connections {
            connectors,
            catalogues: catalogues.clone(),
            clock: PartnerClock { clock: clock.clone(), directory: directory.clone() },
        };
        Ok(Service::of(&Parts {
            ids: Ids::new(clock.clone(), random.clone()),
            events: EventMaker::new(Ids::new(clock.clone(), random.clone())),
            idempotency: Arc::new(idempotency),
            lists: Arc::new(Lists { directory: directory.clone() }),
            connections: Arc::new(connections),
            job_signal: JobSignal::default(),
            used_tokens: Arc::new(UsedTokens::new(
                storage.clone(),
                clock.clone(),
                Duration::from_secs(LIFETIME.unsigned_abs()),
            )),
            storage,
            clock,
            random,
            catalogues,
            directory,
            base_url,
            settings,
        }))
    }

    fn of(parts: &Parts) -> Self {
        let partners = Arc::new(parts.partners());
        let tokens = Arc::new(parts.tokens());
        let sessions = Arc::new(parts.sessions());
        let embedded_quotes = Arc::new(parts.embedded_quotes());
        let health_quotes = Arc::new(parts.health_quotes());
        let documents = Arc::new(parts.documents());
        let policies = Arc::new(parts.policies(&documents, &partners));
        let claims = Arc::new(parts.claims(&policies, &partners));
        let claim_papers = Arc::new(parts.claim_papers(&claims));
        let deposits = Arc::new(parts.deposits());
        let proposals = Arc::new(parts.proposals(&deposits));
        let premiums = Arc::new(parts.premiums(&proposals));
        let decisions = Arc::new(parts.decisions(&proposals, &premiums));
        let cancellations = Arc::new(parts.cancellations(&policies));
        let endorsements = Arc::new(parts.endorsements(&policies));
        let statements = Arc::new(parts.statements(&policies, &partners));
        let calendar = Arc::new(parts.calendar(&policies, &statements));
        let operator_proposals = Arc::new(parts.operator_proposals(&proposals, &partners));
        let notices = parts.notices(&policies, &cancellations, &endorsements);
        let workers = Arc::new(parts.workers(&decisions, &premiums, notices));
        Service {
            installation: parts.installation(),
            keys: parts.keys(),
            embedded_proposals: parts.embedded_proposals(&proposals, &embedded_quotes, &documents),
            health_proposals: parts.health_proposals(&proposals),
            health_policies: parts.health_policies(),
            cancellations: cancellations.clone(),
            endorsements: endorsements.clone(),
            calendar: calendar.clone(),
            renewals: parts.renewals(&policies, &partners, &proposals),
            refunds: parts.refunds(&policies),
            insurer_claims: parts.insurer_claims(&claims, &claim_papers, &policies),
            claim_papers,
            complaints: parts.complaints(&policies),
            statements,
            events: parts.event_reads(),
            webhooks: parts.webhooks(),
            deliveries: Arc::new(parts.deliveries()),
            claims: claims.clone(),
            policies: policies.clone(),
            proposal_reads: parts.proposal_reads(&proposals),
            request_log: parts.request_log(),
            sandbox: parts.sandbox(&Played {
                calendar: &calendar,
                proposals: &operator_proposals,
                claims: &claims,
                policies: &policies,
                cancellations: &cancellations,
                endorsements: &endorsements,
            }),
            operator_proposals,
            journeys: parts.journeys(&tokens, &sessions, &health_quotes),
            status_pages: parts.status_pages(),
            explanations: parts.explanations(&partners, &embedded_quotes),
            imports: parts.imports(),
            payments: parts.payments(&proposals, &premiums),
            workers,
            directory: parts.directory.clone(),
            catalogues: parts.catalogues.clone(),
            idempotency: parts.idempotency.clone(),
            used_tokens: parts.used_tokens.clone(),
            partners,
            tokens,
            sessions,
            embedded_quotes,
            health_quotes,
            documents,
            proposals,
            decisions,
            premiums,
            deposits,
        }
    }
}
