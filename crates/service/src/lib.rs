//! The use cases of covernote, and the traits they need from outside.
//!
//! This crate knows no status code, database engine or page. Time and randomness are parameters.

pub mod access;
pub mod audit;
pub mod catalogue;
pub mod claim;
pub mod complaint;
pub mod decision;
pub mod error;
pub mod event;
pub mod import;
pub mod installation;
pub mod insurer;
pub mod journey;
pub mod line;
pub mod list;
pub mod outside;
pub mod partner;
pub mod person;
pub mod policy;
pub mod proposal;
pub mod quote;
pub mod retention;
pub mod sandbox;
pub mod shared;
pub mod statement;
pub mod team;
pub mod waiting;
pub mod work;
pub mod work_item;

pub use ports::{acting, clock, keys, storage, traces};

use std::sync::{Arc, Mutex};

use crate::access::key_rotation::KeyService;
use crate::access::session::SessionService;
use crate::access::signed_address::SignedAddresses;
use crate::access::status_page::StatusPageService;
use crate::access::token::{SignatureCache, TokenService};
use crate::audit::AuditService;
use crate::claim::ClaimService;
use crate::claim::insurer::InsurerClaimService;
use crate::claim::paper::{ClaimPaperService, Turns};
use crate::clock::{Clock, Random};
use crate::complaint::ComplaintService;
use crate::decision::DecisionService;
use crate::decision::payment::PaymentService;
use crate::decision::premium::PremiumService;
use crate::event::EventService;
use crate::event::delivery::{DeliveryService, SlowEndpoints};
use crate::event::webhook::WebhookService;
use crate::import::ImportService;
use crate::installation::InstallationService;
use crate::insurer::Connectors;
use crate::journey::JourneyService;
use crate::line::credit_pricing::CreditPricing;
use crate::line::sale_rules::SaleRules;
use crate::list::Lists;
use crate::partner::PartnerService;
use crate::partner::request_log::{Noted, RequestLogService};
use crate::person::PersonService;
use crate::person::correction::CorrectionService;
use crate::policy::PolicyService;
use crate::policy::cancellation::CancellationService;
use crate::policy::change::PolicyChanges;
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
use crate::quote::recommendation::RecommendationService;
use crate::retention::RetentionService;
use crate::sandbox::SandboxService;
use crate::shared::Shared;
use crate::statement::StatementService;
use crate::storage::Storage;
use crate::team::TeamService;
use crate::team::approval::ApprovalService;
use crate::waiting::WaitingService;
use crate::work::Workers;
use crate::work::calendar::CalendarService;
use crate::work::notice::NoticeService;
use crate::work_item::WorkItemService;

pub use crate::access::token::Caller;
pub use crate::error::{Conflict, ConflictReason, Error, Fault, Faults};
pub use crate::shared::settings::Settings;

/// Makes the struct of all use cases and the function that wires them. Each line names a use case, the use
/// cases that it calls, and its state in memory. The called use cases must be on earlier lines.
macro_rules! use_cases {
    ($($(#[$doc:meta])* $name:ident: $of:ident { $($field:ident $(= $value:expr)?),* },)*) => {
        /// All use cases. Each process has one `Service`, which all requests share.
        pub struct Service {
            /// State that every use case needs.
            pub shared: Arc<Shared>,
            $($(#[$doc])* pub $name: Arc<$of>,)*
        }

        impl Service {
            fn of(shared: Arc<Shared>) -> Self {
                $(let $name = Arc::new($of {
                    shared: shared.clone(),
                    $($field: use_cases!(@ $field $(= $value)?),)*
                });)*
                Service { shared, $($name,)* }
            }
        }
    };
    (@ $field:ident) => { $field.clone() };
    (@ $field:ident = $value:expr) => { $value };
}

use_cases! {
    /// Condition of the store, the base URL, and the time.
    installation: InstallationService {},
    /// Administration of partners.
    partners: PartnerService {},
    /// Keys of the store.
    keys: KeyService {},
    audit: AuditService {},
    team: TeamService {},
    /// Operators' actions that wait for a second operator.
    approvals: ApprovalService { team },
    tokens: TokenService { signatures = SignatureCache::new() },
    sessions: SessionService {},
    lists: Lists {},
    addresses: SignedAddresses {},
    /// Prices of credit life.
    pricing: CreditPricing {},
    /// Rules that every sale must meet.
    rules: SaleRules { pricing },
    /// Quotes of credit life.
    embedded_quotes: EmbeddedQuoteService { pricing },
    health_quotes: HealthQuoteService { lists },
    explanations: ExplanationService { partners, embedded_quotes },
    /// Certificates of policies.
    documents: PolicyDocumentService { addresses },
    /// Policies of every line of business.
    policies: PolicyService { documents, partners, lists },
    /// Personal data: reports, corrections, erasures.
    persons: PersonService { policies },
    /// Retention periods and legal holds.
    retention: RetentionService {},
    health_policies: HealthPolicyService { lists },
    changes: PolicyChanges { policies },
    cancellations: CancellationService { policies, changes },
    endorsements: EndorsementService { policies, rules, changes },
    /// Corrections of personal data in policies.
    corrections: CorrectionService { endorsements },
    /// Refunds that insurers owe to the insured.
    refunds: RefundService { policies },
    /// Claims on policies of every line of business.
    claims: ClaimService { policies, partners, lists },
    claim_papers: ClaimPaperService { claims, turns = Turns::default() },
    /// Insurers' access to claims.
    insurer_claims: InsurerClaimService { claims, policies, papers = claim_papers.clone() },
    complaints: ComplaintService { policies },
    /// Monthly statements.
    statements: StatementService { policies, partners, addresses },
    /// Advance deposits with insurers.
    deposits: DepositService { open = Mutex::default(), low = Mutex::default() },
    /// Proposals of every line of business.
    proposals: ProposalService { rules, deposits },
    /// Proposals of credit life.
    embedded_proposals: EmbeddedProposalService { proposals, documents, quotes = embedded_quotes.clone() },
    health_proposals: HealthProposalService { proposals, lists },
    /// Partners' view of proposals of every line of business.
    proposal_reads: ProposalReadService { proposals, lists },
    /// The operator's view of proposals, with decisions.
    operator_proposals: OperatorProposalService { proposals, partners },
    renewals: RenewalService { policies, partners, proposals, rules, lists },
    /// Premiums of proposals and the payments for them.
    premiums: PremiumService { proposals },
    /// Payments of customers on a gateway's page.
    payments: PaymentService { proposals, premiums },
    /// Decisions of insurers.
    decisions: DecisionService { proposals, premiums },
    journeys: JourneyService { tokens, sessions, quotes = health_quotes.clone() },
    /// Pages with the status of applications.
    status_pages: StatusPageService {},
    events: EventService {},
    /// Endpoints to which events are delivered.
    webhooks: WebhookService { pinging = tokio::sync::Mutex::default() },
    /// Deliveries of events by this process.
    deliveries: DeliveryService { slow = SlowEndpoints::default() },
    request_log: RequestLogService { noted = Noted::default() },
    imports: ImportService {},
    /// Tasks that wait for a person.
    waiting: WaitingService { partners, policies, statements, renewals, premiums, proposals = proposal_reads.clone(), sales = proposals.clone() },
    /// What the team notes about these tasks.
    work_items: WorkItemService {},
    /// Work that is due by the calendar.
    calendar: CalendarService { policies, statements },
    /// Notices to insurers.
    notices: NoticeService { policies, cancellations, endorsements },
    /// Recommendations of health quotes.
    recommendations: RecommendationService {},
    /// Workers of this process.
    workers: Workers { recommendations, decisions, premiums, notices },
    /// Functions for test partners only.
    sandbox: SandboxService { calendar, claims, policies, cancellations, endorsements, proposals = operator_proposals.clone() },
}

impl Service {
    /// Opens the service on a store: saves a server's own catalogue, then reads partners and keys.
    ///
    /// # Errors
    /// [`storage::StorageError`] if the store cannot be reached or is damaged.
    pub async fn open(
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        connectors: Arc<dyn Connectors>,
        catalogue: impl Into<catalogue::CatalogueChoice>,
        settings: Settings,
    ) -> Result<Self, storage::StorageError> {
        let shared = Shared::open(storage, clock, random, connectors, catalogue.into(), settings).await?;
        Ok(Service::of(Arc::new(shared)))
    }
}
