//! How each use case is made of the parts that it names.

use std::sync::{Arc, Mutex};

use crate::Settings;
use crate::access::directory::Directory;
use crate::access::idempotency::Idempotency;
use crate::access::key_rotation::KeyService;
use crate::access::partner_clock::PartnerClock;
use crate::access::session::SessionService;
use crate::access::signed_address::SignedAddresses;
use crate::access::status_page::StatusPageService;
use crate::access::token::{SignatureCache, TokenService};
use crate::access::used_tokens::UsedTokens;
use crate::catalogue::Catalogues;
use crate::claim::ClaimService;
use crate::claim::insurer::InsurerClaimService;
use crate::claim::paper::{ClaimPaperService, Turns};
use crate::clock::{Clock, Ids, Random};
use crate::complaint::ComplaintService;
use crate::decision::DecisionService;
use crate::decision::payment::PaymentService;
use crate::decision::premium::PremiumService;
use crate::event::delivery::{DeliveryService, SlowEndpoints};
use crate::event::webhook::WebhookService;
use crate::event::{EventMaker, EventService};
use crate::import::ImportService;
use crate::installation::InstallationService;
use crate::insurer::connections::Connections;
use crate::insurer::credit_pricing::CreditPricing;
use crate::job_signal::JobSignal;
use crate::journey::JourneyService;
use crate::line::sale_rules::SaleRules;
use crate::list::Lists;
use crate::partner::PartnerService;
use crate::partner::request_log::{Noted, RequestLogService};
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
use crate::sandbox::SandboxService;
use crate::statement::StatementService;
use crate::storage::Storage;
use crate::work::Workers;
use crate::work::calendar::CalendarService;
use crate::work::notice::NoticeService;

/// Use cases in which the sandbox plays everybody else.
pub(crate) struct Played<'a> {
    pub(crate) calendar: &'a Arc<CalendarService>,
    pub(crate) proposals: &'a Arc<OperatorProposalService>,
    pub(crate) claims: &'a Arc<ClaimService>,
    pub(crate) policies: &'a Arc<PolicyService>,
    pub(crate) cancellations: &'a Arc<CancellationService>,
    pub(crate) endorsements: &'a Arc<EndorsementService>,
}

/// What use cases are made of.
pub(crate) struct Parts {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) ids: Ids,
    pub(crate) events: EventMaker,
    pub(crate) catalogues: Arc<Catalogues>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) idempotency: Arc<Idempotency>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) connections: Arc<Connections>,
    pub(crate) job_signal: JobSignal,
    pub(crate) used_tokens: Arc<UsedTokens>,
    pub(crate) base_url: Arc<str>,
    pub(crate) settings: Settings,
}

impl Parts {
    fn partner_clock(&self) -> PartnerClock {
        PartnerClock { clock: self.clock.clone(), directory: self.directory.clone() }
    }

    pub(crate) fn installation(&self) -> InstallationService {
        InstallationService {
            storage: self.storage.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            base_url: self.base_url.clone(),
            operator: self.settings.operator.clone(),
        }
    }

    pub(crate) fn partners(&self) -> PartnerService {
        PartnerService {
            events: self.events.clone(),
            storage: self.storage.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn event_reads(&self) -> EventService {
        EventService {
            storage: self.storage.clone(),
            deliveries: self.storage.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
        }
    }

    pub(crate) fn webhooks(&self) -> WebhookService {
        WebhookService {
            storage: self.storage.clone(),
            events: self.storage.clone(),
            made: self.events.clone(),
            carrier: self.settings.carrier.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            ids: self.ids.clone(),
            pinging: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn deliveries(&self) -> DeliveryService {
        DeliveryService {
            storage: self.storage.clone(),
            events: self.storage.clone(),
            made: self.events.clone(),
            carrier: self.settings.carrier.clone(),
            body_of: self.settings.event_body,
            clock: self.partner_clock(),
            random: self.random.clone(),
            ids: self.ids.clone(),
            slow: SlowEndpoints::default(),
        }
    }

    pub(crate) fn keys(&self) -> KeyService {
        KeyService {
            storage: self.storage.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
        }
    }

    pub(crate) fn status_pages(&self) -> StatusPageService {
        StatusPageService {
            storage: self.storage.clone(),
            proposals: self.storage.clone(),
            policies: self.storage.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
        }
    }

    pub(crate) fn tokens(&self) -> TokenService {
        TokenService {
            storage: self.storage.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            base_url: self.base_url.clone(),
            signatures: SignatureCache::new(),
            used_tokens: self.used_tokens.clone(),
        }
    }

    pub(crate) fn sessions(&self) -> SessionService {
        SessionService {
            storage: self.storage.clone(),
            idempotency: self.idempotency.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn embedded_quotes(&self) -> EmbeddedQuoteService {
        EmbeddedQuoteService {
            storage: self.storage.clone(),
            idempotency: self.idempotency.clone(),
            catalogues: self.catalogues.clone(),
            pricing: self.credit_pricing(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
            kept_for: self.settings.quotes_kept_for,
        }
    }

    fn credit_pricing(&self) -> Arc<CreditPricing> {
        let deadline = self.settings.insurer_deadline;
        Arc::new(CreditPricing { connections: self.connections.clone(), deadline })
    }

    pub(crate) fn embedded_proposals(
        &self,
        proposals: &Arc<ProposalService>,
        quotes: &Arc<EmbeddedQuoteService>,
        documents: &Arc<PolicyDocumentService>,
    ) -> EmbeddedProposalService {
        EmbeddedProposalService {
            proposals: proposals.clone(),
            quotes: quotes.clone(),
            documents: documents.clone(),
            idempotency: self.idempotency.clone(),
            catalogues: self.catalogues.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
            reference_key: self.settings.reference_key.clone(),
        }
    }

    pub(crate) fn health_quotes(&self) -> HealthQuoteService {
        HealthQuoteService {
            storage: self.storage.clone(),
            identified: self.storage.clone(),
            idempotency: self.idempotency.clone(),
            directory: self.directory.clone(),
            catalogues: self.catalogues.clone(),
            lists: self.lists.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
            job_signal: self.job_signal.clone(),
        }
    }

    pub(crate) fn health_proposals(&self, proposals: &Arc<ProposalService>) -> HealthProposalService {
        HealthProposalService {
            proposals: proposals.clone(),
            storage: self.storage.clone(),
            quotes: self.storage.clone(),
            journeys: self.storage.clone(),
            directory: self.directory.clone(),
            catalogues: self.catalogues.clone(),
            lists: self.lists.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn health_policies(&self) -> HealthPolicyService {
        HealthPolicyService {
            storage: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            lists: self.lists.clone(),
        }
    }

    pub(crate) fn policies(
        &self,
        documents: &Arc<PolicyDocumentService>,
        partners: &Arc<PartnerService>,
    ) -> PolicyService {
        PolicyService {
            any: self.storage.clone(),
            records: self.storage.clone(),
            claims: self.storage.clone(),
            lines: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            documents: documents.clone(),
            partners: partners.clone(),
            lists: self.lists.clone(),
            clock: self.partner_clock(),
        }
    }

    pub(crate) fn request_log(&self) -> RequestLogService {
        RequestLogService {
            storage: self.storage.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            noted: Noted::default(),
        }
    }

    pub(crate) fn sandbox(&self, played: &Played<'_>) -> SandboxService {
        SandboxService {
            storage: self.storage.clone(),
            partners: self.storage.clone(),
            events: self.storage.clone(),
            made: self.events.clone(),
            directory: self.directory.clone(),
            calendar: played.calendar.clone(),
            proposals: played.proposals.clone(),
            claims: played.claims.clone(),
            policies: played.policies.clone(),
            cancellations: played.cancellations.clone(),
            endorsements: played.endorsements.clone(),
            job_signal: self.job_signal.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn calendar(
        &self,
        policies: &Arc<PolicyService>,
        statements: &Arc<StatementService>,
    ) -> CalendarService {
        CalendarService {
            statements: statements.clone(),
            storage: self.storage.clone(),
            policies: policies.clone(),
            catalogues: self.catalogues.clone(),
            directory: self.directory.clone(),
            clock: self.partner_clock(),
            events: self.events.clone(),
        }
    }

    pub(crate) fn cancellations(&self, policies: &Arc<PolicyService>) -> CancellationService {
        CancellationService {
            policies: policies.clone(),
            changes: self.policy_changes(policies),
            idempotency: self.idempotency.clone(),
            clock: self.partner_clock(),
        }
    }

    pub(crate) fn endorsements(&self, policies: &Arc<PolicyService>) -> EndorsementService {
        EndorsementService {
            policies: policies.clone(),
            lines: self.storage.clone(),
            certificates: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            rules: self.sale_rules(),
            changes: self.policy_changes(policies),
            idempotency: self.idempotency.clone(),
            clock: self.partner_clock(),
            operator: self.settings.operator.clone(),
            base_url: self.base_url.clone(),
            reference_key: self.settings.reference_key.clone(),
        }
    }

    pub(crate) fn renewals(
        &self,
        policies: &Arc<PolicyService>,
        partners: &Arc<PartnerService>,
        proposals: &Arc<ProposalService>,
    ) -> RenewalService {
        RenewalService {
            policies: policies.clone(),
            partners: partners.clone(),
            proposals: proposals.clone(),
            any: self.storage.clone(),
            lines: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            rules: self.sale_rules(),
            lists: self.lists.clone(),
            idempotency: self.idempotency.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn refunds(&self, policies: &Arc<PolicyService>) -> RefundService {
        RefundService {
            policies: policies.clone(),
            lines: self.storage.clone(),
            clock: self.partner_clock(),
            events: self.events.clone(),
        }
    }

    fn policy_changes(&self, policies: &Arc<PolicyService>) -> Arc<PolicyChanges> {
        Arc::new(PolicyChanges {
            policies: policies.clone(),
            lines: self.storage.clone(),
            events: self.events.clone(),
        })
    }

    fn sale_rules(&self) -> Arc<SaleRules> {
        Arc::new(SaleRules {
            pricing: self.credit_pricing(),
            connections: self.connections.clone(),
            records: self.storage.clone(),
            lines: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            deadline: self.settings.insurer_deadline,
        })
    }

    pub(crate) fn deposits(&self) -> DepositService {
        DepositService {
            storage: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            clock: self.clock.clone(),
            job_signal: self.job_signal.clone(),
            open: Mutex::default(),
            low: Mutex::default(),
        }
    }

    pub(crate) fn premiums(&self, proposals: &Arc<ProposalService>) -> PremiumService {
        PremiumService {
            events: self.events.clone(),
            proposals: proposals.clone(),
            storage: self.storage.clone(),
            owners: self.storage.clone(),
            jobs: self.storage.clone(),
            clock: self.partner_clock(),
            job_signal: self.job_signal.clone(),
        }
    }

    pub(crate) fn payments(
        &self,
        proposals: &Arc<ProposalService>,
        premiums: &Arc<PremiumService>,
    ) -> PaymentService {
        PaymentService {
            proposals: proposals.clone(),
            premiums: premiums.clone(),
            directory: self.directory.clone(),
            clock: self.partner_clock(),
            gateway: self.settings.gateway.clone(),
        }
    }

    pub(crate) fn proposals(&self, deposits: &Arc<DepositService>) -> ProposalService {
        ProposalService {
            events: self.events.clone(),
            storage: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            clock: self.partner_clock(),
            random: self.random.clone(),
            ids: self.ids.clone(),
            job_signal: self.job_signal.clone(),
            rules: self.sale_rules(),
            premiums: self.storage.clone(),
            deposits: deposits.clone(),
            operator: self.settings.operator.clone(),
            base_url: self.base_url.clone(),
        }
    }

    pub(crate) fn claims(
        &self,
        policies: &Arc<PolicyService>,
        partners: &Arc<PartnerService>,
    ) -> ClaimService {
        ClaimService {
            limits: self.settings.claim_limits,
            events: self.events.clone(),
            storage: self.storage.clone(),
            papers: self.storage.clone(),
            policies: policies.clone(),
            lines: self.storage.clone(),
            partners: partners.clone(),
            lists: self.lists.clone(),
            idempotency: self.idempotency.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn insurer_claims(
        &self,
        claims: &Arc<ClaimService>,
        papers: &Arc<ClaimPaperService>,
        policies: &Arc<PolicyService>,
    ) -> InsurerClaimService {
        InsurerClaimService { claims: claims.clone(), papers: papers.clone(), policies: policies.clone() }
    }

    pub(crate) fn claim_papers(&self, claims: &Arc<ClaimService>) -> ClaimPaperService {
        ClaimPaperService {
            storage: self.storage.clone(),
            claims: claims.clone(),
            scanner: self.settings.scanner.clone(),
            clock: self.partner_clock(),
            ids: self.ids.clone(),
            limits: self.settings.claim_limits,
            turns: Turns::default(),
        }
    }

    fn signed_addresses(&self) -> Arc<SignedAddresses> {
        Arc::new(SignedAddresses {
            directory: self.directory.clone(),
            clock: self.clock.clone(),
            base_url: self.base_url.clone(),
        })
    }

    pub(crate) fn statements(
        &self,
        policies: &Arc<PolicyService>,
        partners: &Arc<PartnerService>,
    ) -> StatementService {
        StatementService {
            events: self.events.clone(),
            storage: self.storage.clone(),
            policies: policies.clone(),
            claims: self.storage.clone(),
            premiums: self.storage.clone(),
            partners: partners.clone(),
            catalogues: self.catalogues.clone(),
            addresses: self.signed_addresses(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn complaints(&self, policies: &Arc<PolicyService>) -> ComplaintService {
        ComplaintService {
            storage: self.storage.clone(),
            policies: policies.clone(),
            catalogues: self.catalogues.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn proposal_reads(&self, proposals: &Arc<ProposalService>) -> ProposalReadService {
        ProposalReadService {
            proposals: proposals.clone(),
            owners: self.storage.clone(),
            policies: self.storage.clone(),
            lines: self.storage.clone(),
            lists: self.lists.clone(),
        }
    }

    pub(crate) fn operator_proposals(
        &self,
        proposals: &Arc<ProposalService>,
        partners: &Arc<PartnerService>,
    ) -> OperatorProposalService {
        OperatorProposalService {
            proposals: proposals.clone(),
            partners: partners.clone(),
            owners: self.storage.clone(),
            lines: self.storage.clone(),
            clock: self.partner_clock(),
        }
    }

    pub(crate) fn documents(&self) -> PolicyDocumentService {
        PolicyDocumentService {
            storage: self.storage.clone(),
            lines: self.storage.clone(),
            addresses: self.signed_addresses(),
            catalogues: self.catalogues.clone(),
            clock: self.partner_clock(),
            base_url: self.base_url.clone(),
            operator: self.settings.operator.clone(),
        }
    }

    pub(crate) fn decisions(
        &self,
        proposals: &Arc<ProposalService>,
        premiums: &Arc<PremiumService>,
    ) -> DecisionService {
        DecisionService {
            proposals: proposals.clone(),
            owners: self.storage.clone(),
            jobs: self.storage.clone(),
            premiums: premiums.clone(),
            connections: self.connections.clone(),
            clock: self.partner_clock(),
            deadline: self.settings.recommendation_deadline,
        }
    }

    pub(crate) fn journeys(
        &self,
        tokens: &Arc<TokenService>,
        sessions: &Arc<SessionService>,
        quotes: &Arc<HealthQuoteService>,
    ) -> JourneyService {
        JourneyService {
            events: self.events.clone(),
            storage: self.storage.clone(),
            tokens: tokens.clone(),
            used_tokens: self.used_tokens.clone(),
            sessions: sessions.clone(),
            quotes: quotes.clone(),
            directory: self.directory.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn explanations(
        &self,
        partners: &Arc<PartnerService>,
        embedded_quotes: &Arc<EmbeddedQuoteService>,
    ) -> ExplanationService {
        ExplanationService {
            partners: partners.clone(),
            embedded_quotes: embedded_quotes.clone(),
            health_quotes: self.storage.clone(),
            catalogues: self.catalogues.clone(),
        }
    }

    fn recommendations(&self) -> RecommendationService {
        RecommendationService {
            clock: self.partner_clock(),
            events: self.events.clone(),
            quotes: self.storage.clone(),
            jobs: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            connections: self.connections.clone(),
            deadline: self.settings.recommendation_deadline,
        }
    }

    pub(crate) fn workers(
        &self,
        decisions: &Arc<DecisionService>,
        premiums: &Arc<PremiumService>,
        notices: NoticeService,
    ) -> Workers {
        Workers {
            storage: self.storage.clone(),
            recommendations: self.recommendations(),
            decisions: decisions.clone(),
            premiums: premiums.clone(),
            notices,
            clock: self.partner_clock(),
            ids: self.ids.clone(),
            job_signal: self.job_signal.clone(),
        }
    }

    pub(crate) fn notices(
        &self,
        policies: &Arc<PolicyService>,
        cancellations: &Arc<CancellationService>,
        endorsements: &Arc<EndorsementService>,
    ) -> NoticeService {
        NoticeService {
            policies: policies.clone(),
            cancellations: cancellations.clone(),
            endorsements: endorsements.clone(),
            any: self.storage.clone(),
            claims: self.storage.clone(),
            lines: self.storage.clone(),
            storage: self.storage.clone(),
            jobs: self.storage.clone(),
            catalogues: self.catalogues.clone(),
            connections: self.connections.clone(),
            clock: self.partner_clock(),
            deadline: self.settings.insurer_deadline,
        }
    }

    pub(crate) fn imports(&self) -> ImportService {
        ImportService { proposals: self.storage.clone(), policies: self.storage.clone() }
    }
}
