//! Life of a proposal in every line of business: it is saved, changes its status, is decided, and is read
//! (D28 to D30).
//!
//! Uses `error`, `line`, `list`, `partner`, `policy`, `quote`, `shared`.

pub mod application;
pub mod deposit;
pub mod embedded;
pub mod health;
pub(crate) mod not_kept;
pub mod operator;
pub mod premium_owed;
pub mod read;
pub mod renewal;
pub(crate) mod renewed;

use std::sync::Arc;

use domain::date::{Timestamp, day_of, in_words};
use domain::event::EventType;
use domain::id::{PartnerId, ProposalId};
use domain::journey::Journey;
use domain::line::ProposalState;
use domain::person::PersonalLine;
use domain::policy::{CheckCode, IssueTerms, Policy, PolicyNumber};
use domain::premium::{KeptDecision, PremiumDue};
use domain::proposal::{Actor, Move, Proposal, RefusedMove, Underway};
use domain::sandbox::{TEST_NUMBERS, TestName};
use rating::{Catalogue, PremiumTerms, Product};

use crate::error::{ConflictReason, Error, Fault, Faults, Result};
use crate::line::certificate::Printed;
use crate::line::sale_rules::{EarlierSales, SaleRules};
use crate::line::{SoldLine, asks_insurer, test_name};
use crate::proposal::deposit::DepositService;
use crate::proposal::not_kept::NotKept;
use crate::proposal::premium_owed::owed;
use crate::shared::Shared;
use crate::storage::premiums::{DecisionKept, Draw};
use crate::storage::{
    Issue, KeyedResponse, Moved, NewEvent, PremiumAct, ProposalAct, Proposed, RenewedPolicy,
};
use crate::traces;

/// Most attempts to decide a proposal whose status changes meanwhile. The status can change twice before a
/// decision.
const DECIDE_ATTEMPTS: usize = 4;

/// Most attempts to save a sale while other sales of the same group are saved.
const SALE_ATTEMPTS: usize = 64;

/// Actor of a status change, with the reason.
#[derive(Clone)]
pub(crate) struct Mover {
    pub(crate) by: Actor,
    pub(crate) reason: Option<PersonalLine>,
    /// Insurer's own number of the accepted policy, if known.
    pub(crate) insurer_number: Option<PolicyNumber>,
}

impl Mover {
    /// Actor without a reason, and without an insurer's policy number.
    pub(crate) fn silent(by: Actor) -> Self {
        Mover { by, reason: None, insurer_number: None }
    }
}

/// What is saved together with a proposal and its status changes.
#[derive(Clone, Copy, Default)]
pub(crate) struct KeptWith<'a> {
    /// Journey of the proposal, as it is after the proposal was made.
    pub(crate) journey: Option<&'a Journey>,
    /// Response, if the request has an idempotency key (D36).
    pub(crate) response: Option<&'a KeyedResponse>,
    /// Insurer's own number of the accepted policy, if known.
    pub(crate) insurer_number: Option<&'a PolicyNumber>,
    /// Acceptance that is stored because it waits for the premium.
    pub(crate) accepted: Option<&'a KeptDecision>,
    /// Whether the partner replaced the draft.
    pub(crate) is_replaced: bool,
}

/// Result of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decided {
    Done,
    /// The decision is saved. The policy is issued once the premium is received.
    Waits {
        due: PremiumDue,
        /// Decision that was stored before this one, if any.
        earlier: Option<KeptDecision>,
    },
}

/// Operations on proposals that all lines of business share.
pub struct ProposalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) rules: Arc<SaleRules>,
    pub(crate) deposits: Arc<DepositService>,
}

impl ProposalService {
    /// Saves proposal, status changes, policy, certificate and job in one transaction. If the proposal
    /// becomes a policy, the product's rules are checked first. Every change of a proposal is saved here.
    /// `from` is the status in which the proposal was read, `None` for a new proposal.
    pub(crate) async fn record<L: SoldLine>(
        &self,
        underway: &Underway<Proposal<L>>,
        from: Option<L::Status>,
        with: KeptWith<'_>,
    ) -> Result<(), NotKept> {
        for _ in 0..SALE_ATTEMPTS {
            match self.record_if_nothing_is_sold(underway, from, with).await {
                Err(NotKept::SoldMeanwhile) => {}
                other => return other,
            }
        }
        Err(NotKept::SoldMeanwhile)
    }

    /// Like [`ProposalService::record`], but saves nothing if another sale on which the product's rules depend
    /// is saved meanwhile.
    async fn record_if_nothing_is_sold<L: SoldLine>(
        &self,
        underway: &Underway<Proposal<L>>,
        from: Option<L::Status>,
        with: KeptWith<'_>,
    ) -> Result<(), NotKept> {
        let proposal = underway.proposal();
        let catalogue = self.catalogue_of(proposal).await?;
        let mut sales = EarlierSales::default();
        let issue = match proposal.status == L::Status::ISSUED {
            true => {
                let imported = "The proposal was imported. Its policy must be imported too.";
                let catalogue = catalogue.as_deref().ok_or_else(|| Error::conflict(imported.into()))?;
                sales = L::earlier_sales(&self.rules, catalogue, proposal).await?;
                let renewed = self.judge(underway, catalogue, sales.same.take()).await?;
                Some((catalogue, renewed))
            }
            false => None,
        };
        let premium = match &catalogue {
            Some(catalogue) => self.change_of_premium(underway, from, catalogue, with.accepted).await?,
            None => None,
        };
        let issue = match issue {
            Some((catalogue, renewed)) => {
                Some(self.issue(underway, catalogue, with.insurer_number, renewed).await?)
            }
            None => None,
        };
        let asks = match &catalogue {
            // A test partner's proposal always has a job, which simulates the customer and the insurer.
            Some(_) if self.shared.partner_clock.is_test(proposal.partner) => {
                !proposal.status.is_final() && !proposal.status.is_unsubmitted()
            }
            Some(catalogue) => {
                with.accepted.is_none() && asks_insurer(proposal, L::product(catalogue, proposal)?)
            }
            None => false,
        };
        let replaced_at = with.is_replaced.then_some(underway.at());
        let events = self.events_of(underway, issue.as_ref(), with.journey, replaced_at).await?;
        let act = ProposalAct {
            events: &events,
            sales: &sales.counts,
            moves: underway.moves(),
            issue: issue.as_ref(),
            premium: premium.as_ref(),
            ask_insurer: asks.then_some(underway.at()),
            journey: with.journey,
            response: with.response,
            replaced: with.is_replaced.then_some(proposal),
        };
        match self.store(proposal, from, act).await? {
            Proposed::New => Ok(()),
            Proposed::Twin => Err(NotKept::Twin),
            Proposed::AlreadyActive(other) => Err(NotKept::AlreadyActive(other)),
            Proposed::JourneyChanged => Err(NotKept::JourneyChanged),
            Proposed::SoldMeanwhile => Err(NotKept::SoldMeanwhile),
            Proposed::PremiumDue => Err(self.premium_due(proposal, catalogue.as_deref())?.into()),
            Proposed::RenewedChanged => {
                let detail = "The policy was changed by another request. Get a new quote.".to_owned();
                Err(Error::conflict_of(ConflictReason::ChangedMeanwhile, detail).into())
            }
        }
    }

    /// Saves a change of a proposal, then wakes the workers for its jobs.
    async fn store<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        from: Option<L::Status>,
        act: ProposalAct<'_, L>,
    ) -> Result<Proposed> {
        let storage = L::storage(self.shared.storage.as_ref());
        let (of, id, to) = (proposal.partner, proposal.id, proposal.status);
        traces::remember(id.uuid());
        if let Some(issue) = &act.issue {
            traces::remember(issue.policy.id.uuid());
        }
        let recorded = match from {
            None => storage.keep_proposal(proposal, act).await?,
            Some(from) => match storage.move_proposal(of, id, from, act).await? {
                Moved::Won => Proposed::New,
                Moved::Twin => Proposed::Twin,
                Moved::PremiumDue => Proposed::PremiumDue,
                Moved::SoldMeanwhile => Proposed::SoldMeanwhile,
                Moved::Lost => return Err(self.lost::<L>(of, id, from, to).await),
            },
        };
        if recorded == Proposed::New {
            self.shared.job_signal.wake_workers();
            let done = if from.is_none() { "was created and is" } else { "moved to" };
            tracing::info!(partner.id = %of, proposal.id = %id, proposal.line = %L::LINE, proposal.status = %to, "proposal {id} {done} {to}");
        }
        Ok(recorded)
    }

    /// Events for a change of a proposal: about the proposal, its policy and the policy that it renews.
    async fn events_of<L: SoldLine>(
        &self,
        underway: &Underway<Proposal<L>>,
        issue: Option<&Issue>,
        journey: Option<&Journey>,
        replaced_at: Option<Timestamp>,
    ) -> Result<Vec<NewEvent>> {
        let (proposal, moves) = (underway.proposal(), underway.moves());
        let policy = issue.map(|issue| &issue.policy);
        let mut events = self.shared.events().of_proposal(proposal, moves, policy, replaced_at);
        events.extend(journey.map(|journey| {
            self.shared.events().of_journey(EventType::JourneyApplied, journey, underway.at())
        }));
        if let Some(RenewedPolicy { policy: after, moves }) = issue.and_then(|issue| issue.renewed.as_deref())
        {
            let before = self.shared.storage.policy(after.partner, after.id).await?;
            let before = before.as_ref().unwrap_or(after);
            events.extend(self.shared.events().of_policy(before, after, moves, underway.at()));
        }
        Ok(events)
    }

    /// Change of the owed premium that a status change causes (D63). The premium is owed once the proposal is
    /// submitted. When the policy is issued, it is drawn from the deposit, or the received money is used. If
    /// the proposal ends without a policy, the received money is owed back.
    async fn change_of_premium<L: SoldLine>(
        &self,
        underway: &Underway<Proposal<L>>,
        from: Option<L::Status>,
        catalogue: &Catalogue,
        accepted: Option<&KeptDecision>,
    ) -> Result<Option<PremiumAct>> {
        let (proposal, at) = (underway.proposal(), underway.at());
        let product = L::product(catalogue, proposal)?;
        let status = proposal.status;
        let deposit = match &product.premium {
            // Deposits have no money for a test partner's proposal.
            PremiumTerms::Deposit { .. } if self.shared.partner_clock.is_test(proposal.partner) => {
                return Ok(None);
            }
            PremiumTerms::Deposit { deposit, .. } => Some(deposit),
            PremiumTerms::Link { .. } | PremiumTerms::Here | PremiumTerms::Partner => None,
        };
        let is_submitted_now = !status.is_unsubmitted() && from.is_none_or(L::Status::is_unsubmitted);
        Ok(match (deposit, from) {
            (Some(terms), _) if status == L::Status::ISSUED => {
                let insurer = product.insurer.id;
                let guaranteed = self.deposits.ensure_open(insurer, terms).await?;
                let (deposit, amount) = (terms.name.clone(), proposal.premium.total());
                Some(PremiumAct::Draw(Draw { insurer, deposit, amount, guaranteed, at }))
            }
            // Nobody can have paid for a proposal that did not exist.
            (None, None) if status == L::Status::ISSUED => {
                return Err(self.premium_due(proposal, Some(catalogue))?);
            }
            (None, Some(_)) if status == L::Status::ISSUED => {
                // The store checks this again when it saves the policy. The check here avoids a certificate
                // for an unpaid policy.
                let premium = self.shared.storage.premium(proposal.partner, proposal.id).await?;
                if premium.is_none_or(|mut premium| premium.books.issue().is_err()) {
                    return Err(self.premium_due(proposal, Some(catalogue))?);
                }
                Some(PremiumAct::Apply(at))
            }
            (None, Some(_)) if status.is_final() => Some(PremiumAct::Release(at)),
            (None, _) if is_submitted_now && !status.is_final() => {
                Some(PremiumAct::Owe(Box::new(owed(proposal, product, at, accepted.cloned()))))
            }
            (Some(_), _) if !status.is_final() => accepted.map(|accepted| {
                PremiumAct::Owe(Box::new(owed(proposal, product, at, Some(accepted.clone()))))
            }),
            _ => None,
        })
    }

    /// Error for a policy that is not issued because its premium was not received.
    fn premium_due<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        catalogue: Option<&Catalogue>,
    ) -> Result<Error> {
        let catalogue =
            catalogue.ok_or_else(|| Error::Internal("an imported proposal owes no premium".into()))?;
        let route = L::product(catalogue, proposal)?.premium.route();
        Ok(Error::PremiumDue(PremiumDue { due: proposal.premium.total(), route }))
    }

    /// Saves an acceptance that waits for the premium. `None` if the premium was received meanwhile, or the
    /// proposal was decided.
    async fn keep_acceptance<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
        mover: &Mover,
        due: PremiumDue,
    ) -> Result<Option<Decided>> {
        let proposal = self.find::<L>(of, id).await?;
        let catalogue = self.catalogue_of(&proposal).await?;
        let Some(catalogue) = catalogue.filter(|_| !proposal.status.is_final()) else { return Ok(None) };
        let now = self.shared.partner_clock.now(of);
        let decision = KeptDecision {
            by: mover.by,
            at: now,
            reason: mover.reason.clone(),
            insurer_number: mover.insurer_number.clone(),
        };
        let premium = owed(&proposal, L::product(&catalogue, &proposal)?, now, None);
        let earlier = match self.shared.storage.keep_decision(&premium, &decision).await? {
            DecisionKept::Kept => {
                tracing::info!(partner.id = %of, proposal.id = %id, "proposal {id} was accepted and waits for its premium");
                None
            }
            DecisionKept::Already(earlier) => Some(earlier),
            DecisionKept::Overtaken => return Ok(None),
        };
        Ok(Some(Decided::Waits { due, earlier }))
    }

    /// Error for a status change that another one has overtaken. The error names the proposal's current
    /// status.
    async fn lost<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: L::Status,
        to: L::Status,
    ) -> Error {
        match L::storage(self.shared.storage.as_ref()).proposal(of, id).await {
            Err(fault) => fault.into(),
            Ok(found) => {
                Error::Refused(RefusedMove::between(found.map_or(from, |proposal| proposal.status), to))
            }
        }
    }

    /// Checks by the product's rules whether the policy of a proposal may be issued. Returns the policy that
    /// the proposal renews, if any, as it is before the renewal. `second_sale`: fault if this person already
    /// bought from the same quote and variant (D140).
    ///
    /// # Errors
    /// [`Error::AgainstRules`] if the rules do not allow the policy; [`Error::InsurerUnavailable`].
    async fn judge<L: SoldLine>(
        &self,
        underway: &Underway<Proposal<L>>,
        catalogue: &Catalogue,
        second_sale: Option<Fault>,
    ) -> Result<Option<Policy>> {
        let by = underway.moves().last().map_or(Actor::Service, |last| last.by);
        let (proposal, on) = (underway.proposal(), day_of(underway.at()));
        let mut broken = L::broken_rules(&self.rules, catalogue, proposal, on, by).await?;
        broken.0.extend(second_sale);
        if self.shared.partner_clock.is_test(proposal.partner) && by != Actor::Operator {
            broken.0.extend(referred_in_sandbox(proposal));
        }
        if !broken.0.is_empty() {
            return Err(Error::AgainstRules(broken));
        }
        let renewed = self.renewed(proposal, underway.at()).await?;
        renewed.map_err(|why| Error::AgainstRules(Faults::one("policy", why)))
    }

    /// Makes the policy of a checked proposal with its certificate, without saving it. Every policy is made
    /// here.
    ///
    /// # Errors
    /// [`Error::Internal`] if the cover or the certificate cannot be made.
    async fn issue<L: SoldLine>(
        &self,
        underway: &Underway<Proposal<L>>,
        catalogue: &Catalogue,
        insurer_number: Option<&PolicyNumber>,
        renewed: Option<Policy>,
    ) -> Result<Issue> {
        let proposal = underway.proposal();
        let product = L::product(catalogue, proposal)?;
        let mut check = [0; 16];
        self.shared.random.fill(&mut check);
        let terms = IssueTerms {
            id: self.shared.ids.make(),
            check: CheckCode(check),
            number_prefix: match self.shared.partner_clock.is_test(proposal.partner) {
                true => format!("{TEST_NUMBERS}-{}", product.policy_number_prefix),
                false => product.policy_number_prefix.clone(),
            },
            insurer_number: insurer_number.cloned(),
            settlement: self.settlement(proposal, product).await?,
            grace_days: product.renewals.as_ref().map(|rules| rules.grace_days),
        };
        let policy = Policy::issue(proposal, terms, underway.at());
        let policy = policy.ok_or_else(|| Error::Internal("cover would end after the year 9999".into()))?;
        let printed = Printed {
            base_url: &self.shared.settings.base_url,
            operator: self.shared.settings.operator.as_deref(),
            is_specimen: self.shared.partner_clock.is_test(proposal.partner),
        };
        let certificate = L::certificate(&policy, proposal, catalogue, &printed)?;
        let certificate = crate::line::certificate::render(certificate).await?;
        let renewed = renewed.map(|renewed| {
            let by = underway.moves().last().map_or(Actor::Service, |issued| issued.by);
            let moved = renewed.renewed(policy.id, by, underway.at()).map_err(Error::Refused)?;
            let (policy, moves) = moved.into_parts();
            Ok::<_, Error>(Box::new(RenewedPolicy { policy, moves }))
        });
        let renewed = renewed.transpose()?;
        Ok(Issue { policy, certificate, is_told: self.shared.catalogues.is_told(&product.insurer), renewed })
    }

    /// Sentence for the certificate about how the premium was paid, with the day and reference of the payment, if
    /// any. It never tells the customer to pay, because a policy is issued only after its premium was received.
    async fn settlement<L: SoldLine>(&self, proposal: &Proposal<L>, product: &Product) -> Result<String> {
        let words = product.settlement.english().trim_end();
        if matches!(product.premium, PremiumTerms::Deposit { .. }) {
            return Ok(words.to_owned());
        }
        let paid = self.shared.storage.receipts_of(proposal.partner, proposal.id).await?;
        let paid = paid.iter().max_by_key(|line| line.at);
        let paid =
            paid.map(|line| format!("Paid on {}, reference {}.", in_words(line.received_on), line.reference));
        let words = product.settlement_paid.as_deref().or(paid.is_none().then_some(words));
        Ok([words, paid.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" "))
    }

    /// The catalogue version of a proposal. `None` for an imported proposal.
    pub(crate) async fn catalogue_of<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
    ) -> Result<Option<Arc<Catalogue>>> {
        match L::catalogue_of(proposal) {
            Some(hash) => self.shared.catalogues.version(hash).await.map(Some),
            None => Ok(None),
        }
    }

    /// Decides an undecided proposal, with all the status changes that this takes. If a proposal is accepted
    /// before its premium is received, the acceptance is saved. The receipt of the premium then issues the
    /// policy.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`]; [`Error::Conflict`] for the acceptance of an imported
    /// proposal.
    pub(crate) async fn decide<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
        decision: L::Status,
        mover: &Mover,
    ) -> Result<Decided> {
        let mut attempts = 0;
        loop {
            let proposal = self.find::<L>(of, id).await?;
            let refused = RefusedMove::between(proposal.status, decision);
            let steps = proposal.status.way_to(decision).ok_or(Error::Refused(refused))?;
            attempts += 1;
            match self.move_along(proposal, &steps, mover).await {
                // The proposal's status changed meanwhile. The next attempt checks whether it is still
                // undecided.
                Err(Error::Refused(_)) if attempts < DECIDE_ATTEMPTS => {}
                Err(Error::PremiumDue(due)) => match self.keep_acceptance::<L>(of, id, mover, due).await? {
                    Some(waits) => return Ok(waits),
                    None if attempts < DECIDE_ATTEMPTS => {}
                    None => return Err(Error::PremiumDue(due)),
                },
                other => return other.map(|()| Decided::Done),
            }
        }
    }

    /// Changes a proposal's status in several steps, in one transaction.
    pub(crate) async fn move_along<L: SoldLine>(
        &self,
        proposal: Proposal<L>,
        steps: &[L::Status],
        mover: &Mover,
    ) -> Result<()> {
        let from = proposal.status;
        let now = self.shared.partner_clock.now(proposal.partner);
        let mut underway = Underway::resumed(proposal, now);
        for (step, next) in (1..).zip(steps) {
            let reason = if step == steps.len() { mover.reason.clone() } else { None };
            underway.go(mover.by, *next, reason).map_err(Error::Refused)?;
        }
        let with = KeptWith { insurer_number: mover.insurer_number.as_ref(), ..KeptWith::default() };
        Ok(self.record(&underway, Some(from), with).await?)
    }

    /// Proposal of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find<L: SoldLine>(&self, of: PartnerId, id: ProposalId) -> Result<Proposal<L>> {
        self.find_if_any(of, id).await?.ok_or_else(|| unknown_proposal(id))
    }

    /// Status of a partner's proposal.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub(crate) async fn status<L: SoldLine>(&self, of: PartnerId, id: ProposalId) -> Result<L::Status> {
        let status = L::storage(self.shared.storage.as_ref()).proposal_status(of, id).await?;
        status.ok_or_else(|| unknown_proposal(id))
    }

    /// Proposal of a partner, if it exists.
    pub(crate) async fn find_if_any<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<Proposal<L>>> {
        Ok(L::storage(self.shared.storage.as_ref()).proposal(of, id).await?)
    }

    /// Every status change of a partner's proposal, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn history<L: SoldLine>(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move<L::Status>>> {
        Ok(L::storage(self.shared.storage.as_ref()).history(of, id).await?)
    }

    /// Policy that was issued for a proposal, if any.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<Policy>> {
        Ok(self.shared.storage.policy_of(of, id).await?)
    }
}

/// Why the sandbox leaves a test partner's proposal to a person. The proposer's first name selects this.
fn referred_in_sandbox<L: SoldLine>(proposal: &Proposal<L>) -> Option<Fault> {
    let message = match test_name(proposal)? {
        TestName::Refer => {
            "The sandbox leaves proposals of proposers with this first name undecided. Decide the proposal with POST /v1/sandbox/proposals/{proposal_id}/decide."
        }
        TestName::Reject => "The sandbox rejects every proposer with this first name.",
        TestName::Late | TestName::Short => return None,
    };
    Some(Fault { field: "proposer.first_name".into(), message: message.into() })
}

pub(crate) fn unknown_proposal(id: ProposalId) -> Error {
    Error::Unknown { what: "proposal", id: id.to_string() }
}

/// Logs that a proposal waits for the operator, because the product's rules do not allow its policy.
pub(crate) fn note_referred(id: ProposalId, broken: &Faults) {
    let rules: Vec<&str> = broken.0.iter().map(|fault| fault.message.as_str()).collect();
    tracing::warn!(proposal.id = %id, "proposal {id} waits for the operator: {}", rules.join(" "));
}
