//! Cancellation of policies: refund quote, request, confirmation (D68, D69).

use std::sync::Arc;

use domain::cancellation::{Cancellation, CancellationReason};
use domain::claim::{Claim, ClaimState};
use domain::date::{Date, Timestamp, day_of};
use domain::id::{ClaimId, PartnerId, PolicyId};
use domain::money::{Premium, Rupees};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::{Entry, PremiumRoute};
use domain::proposal::{Actor, Decision, RefusedMove, Underway};
use domain::refund::OwedRefund;
use rating::{Ending, Refund};

use crate::error::{ConflictReason, Error, Result};
use crate::policy::PolicyService;
use crate::policy::change::{PolicyChange, PolicyChanges};
use crate::policy::refund::RefundTerms;
use crate::shared::Shared;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::premiums::PremiumAct;

/// Request to cancel a policy.
#[derive(Debug, Clone)]
pub struct CancellationAsk {
    pub reason: CancellationReason,
    /// Day on which the customer received the policy document, if known.
    pub received_on: Option<Date>,
    /// Actor who requests the cancellation: the partner, the operator, or the insurer through the operator.
    pub by: Actor,
    /// Reason in the requester's words.
    pub note: Option<PersonalLine>,
}

/// Refund of a policy if it is cancelled today.
#[derive(Debug, Clone)]
pub struct CancellationQuote {
    pub policy: PolicyId,
    pub reason: CancellationReason,
    /// Last day of cover: today in Asia/Kolkata.
    pub effective_on: Date,
    /// Refund with the steps of its calculation.
    pub refund: Refund,
    pub confirmed_by: Decision,
}

/// Cancellation that is not saved yet.
pub struct CancellationDraft {
    pub quote: CancellationQuote,
    /// State of the policy after the cancellation is saved.
    pub state: PolicyState,
    change: PolicyChange,
}

impl Draft for CancellationDraft {
    fn at(&self) -> Timestamp {
        self.change.at
    }
}

pub struct CancellationService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) changes: Arc<PolicyChanges>,
}

impl CancellationService {
    /// Refund of a partner's policy if it is cancelled today. Nothing is saved.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if the policy's state does not allow a cancellation;
    /// [`Error::NotCancellable`] if the product's rules do not allow it for this reason; [`Error::Conflict`]
    /// if its claims do not allow a full refund; [`Error::Invalid`].
    pub async fn quote(
        &self,
        of: PartnerId,
        id: PolicyId,
        ask: &CancellationAsk,
    ) -> Result<CancellationQuote> {
        let policy = self.policies.find(of, id).await?;
        let (quote, _) = self.quote_one(&policy, ask).await?;
        Ok(quote)
    }

    /// Requests the cancellation of a partner's policy without saving it. If no confirmation is required, the
    /// policy is cancelled at once.
    ///
    /// # Errors
    /// The errors of [`CancellationService::quote`]; [`Error::Conflict`] if the refund differs from
    /// `expected`.
    pub async fn request(
        &self,
        of: PartnerId,
        id: PolicyId,
        ask: &CancellationAsk,
        expected: Option<Rupees>,
    ) -> Result<CancellationDraft> {
        let policy = self.policies.find(of, id).await?;
        self.request_one(policy, ask, expected).await
    }

    async fn request_one(
        &self,
        mut policy: Policy,
        ask: &CancellationAsk,
        expected: Option<Rupees>,
    ) -> Result<CancellationDraft> {
        let (quote, terms) = self.quote_one(&policy, ask).await?;
        let total = quote.refund.refund.total();
        if expected.is_some_and(|expected| expected != total) {
            return Err(Error::conflict_of(
                ConflictReason::AmountChanged,
                format!(
                    "The refund differs from the expected one: today it is {}. Get a new quote.",
                    total.grouped_with_paise()
                ),
            ));
        }
        let now = self.shared.partner_clock.now(policy.partner);
        let at_once = match quote.confirmed_by {
            Decision::Partner | Decision::StraightThrough => true,
            Decision::Operator | Decision::Insurer => ask.by != Actor::Partner,
        };
        let before = policy.clone();
        let bounced = match ask.reason {
            CancellationReason::PaymentBounced => Some(self.bounced(&policy, total).await?),
            _ => None,
        };
        let refund = OwedRefund {
            amount: quote.refund.refund,
            due_on: quote.refund.due_on,
            late_interest: quote.refund.late_interest,
            paid: None,
            to_deposit: terms.to_deposit(&policy, total),
            bounced,
        };
        let is_test = self.shared.partner_clock.is_test(policy.partner);
        let postings = match at_once {
            true => terms.postings(Entry::Cancellation, &refund, is_test, now),
            false => Vec::new(),
        };
        policy.cancellation = Some(Cancellation {
            reason: ask.reason,
            asked_by: ask.by,
            asked_at: now,
            refund,
            confirmed_at: at_once.then_some(now),
            claimed_since: None,
        });
        if at_once {
            refuse_open_endorsement(&mut policy, now);
        }
        let mut underway = Underway::resumed(policy, now);
        let requested = PolicyState::CancellationRequested;
        underway.go(ask.by, requested, ask.note.clone()).map_err(Error::Refused)?;
        if at_once {
            underway.go(ask.by, PolicyState::Cancelled, None).map_err(Error::Refused)?;
        }
        let state = underway.subject().state;
        let mut change = PolicyChange::of(&self.shared.events(), &before, underway, postings);
        change.premium = bounced.map(|bounced| PremiumAct::Bounce(bounced, now));
        Ok(CancellationDraft { quote, state, change })
    }

    /// Part of a full refund that the payer's bank took back.
    async fn bounced(&self, policy: &Policy, refund: Rupees) -> Result<Rupees> {
        let premium = match policy.proposal {
            Some(proposal) => self.shared.storage.premium(policy.partner, proposal).await?,
            None => None,
        };
        match premium {
            Some(premium) if premium.route != PremiumRoute::Deposit => {
                Ok(refund.min(policy.sold_terms().premium.total()))
            }
            _ => Err(Error::conflict_of(
                ConflictReason::NotOffered,
                "A deposit paid the premium of this policy: its payment cannot bounce.".into(),
            )),
        }
    }

    /// Saves a cancellation, in one transaction with its response if the request has an idempotency key. If
    /// two cancellations of a policy arrive at once, only one is saved.
    ///
    /// # Errors
    /// [`Error::Refused`] for the cancellation that was not saved.
    pub async fn keep(
        &self,
        draft: CancellationDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<CancellationQuote>> {
        let kept = self.changes.keep(&draft.change, response.as_ref()).await?;
        self.shared.idempotency.outcome(kept, draft.quote, response).await
    }

    /// Confirms or refuses the open cancellation of a policy, for the operator or the insurer. If `asked_at`
    /// is given, it must be the time of that request.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if no cancellation is open; [`Error::Conflict`] if another
    /// cancellation is open, or a claim since the request does not allow the confirmation (D81).
    pub async fn decide(
        &self,
        id: PolicyId,
        asked_at: Option<Timestamp>,
        by: Actor,
        confirms: bool,
        reason: Option<PersonalLine>,
    ) -> Result<PolicyState> {
        let of = self.policies.owner(id).await?;
        let state = if confirms { PolicyState::Cancelled } else { PolicyState::Issued };
        let policy = self.policies.find(of, id).await?;
        let open = policy.cancellation.as_ref().map(|one| one.asked_at);
        if asked_at.is_some_and(|asked_at| open != Some(asked_at)) {
            return Err(Error::conflict_of(
                ConflictReason::ChangedMeanwhile,
                "Another cancellation of the policy was requested meanwhile.".into(),
            ));
        }
        let change = self.decide_one(policy, by, state, reason).await?;
        self.changes.keep(&change, None).await?;
        Ok(state)
    }

    async fn decide_one(
        &self,
        mut policy: Policy,
        by: Actor,
        state: PolicyState,
        reason: Option<PersonalLine>,
    ) -> Result<PolicyChange> {
        let now = self.shared.partner_clock.now(policy.partner);
        if policy.state != PolicyState::CancellationRequested {
            let from = policy.state_on(day_of(now)).word();
            return Err(Error::Refused(RefusedMove::NoSuchTransition { from, to: state.word() }));
        }
        let terms = self.terms(&policy).await?;
        if let Some(asked) = policy.cancellation.as_ref().filter(|_| state == PolicyState::Cancelled) {
            judge_claims(
                &policy,
                &self.policies.claims_on(&policy).await?,
                (asked.reason, asked.refund.amount),
                Some(asked),
            )?;
        }
        let before = policy.clone();
        let mut postings = Vec::new();
        if let Some(cancellation) = policy.cancellation.as_mut().filter(|_| state == PolicyState::Cancelled) {
            cancellation.confirmed_at = Some(now);
            let is_test = self.shared.partner_clock.is_test(policy.partner);
            postings = terms.postings(Entry::Cancellation, &cancellation.refund, is_test, now);
            refuse_open_endorsement(&mut policy, now);
        }
        let mut underway = Underway::resumed(policy, now);
        underway.go(by, state, reason).map_err(Error::Refused)?;
        Ok(PolicyChange::of(&self.shared.events(), &before, underway, postings))
    }

    /// Refund of a policy, with its product's refund terms.
    async fn quote_one(
        &self,
        policy: &Policy,
        ask: &CancellationAsk,
    ) -> Result<(CancellationQuote, RefundTerms)> {
        let now = self.shared.partner_clock.now(policy.partner);
        let today = day_of(now);
        let state = policy.state_on(today);
        state.move_to(PolicyState::CancellationRequested).map_err(Error::Refused)?;
        let issued = day_of(policy.issued_at);
        if ask.received_on.is_some_and(|day| day < issued || day > today) {
            let message = "Must be the day on which the customer received the document: from the day of issue until today.";
            return Err(Error::invalid("received_on", message));
        }
        let covered = self.policies.covered(policy).await?;
        let imported = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "The policy was imported. Cancel it where it was sold.".into(),
            )
        };
        let product = self.policies.sold_as(&covered).ok_or_else(imported)?;
        let (Some(rules), Some(starts)) = (&product.cancellation, covered.starts) else {
            return Err(Error::conflict_of(
                ConflictReason::NotOffered,
                "Policies of this product cannot be cancelled here.".into(),
            ));
        };
        let claims = self.policies.claims_on(policy).await?;
        let ending = Ending {
            premium: policy.premium,
            retained: policy.retained(),
            issued,
            starts,
            ends: policy.last_day(),
            on: today,
            received: ask.received_on.or(policy.document_read_at.map(day_of)).unwrap_or(issued),
            has_claim: claims.iter().any(|claim| claim.state.counts()),
            cover: (policy.sum_insured, covered.on(today, policy.sum_insured)),
            by_insurer: ask.by == Actor::Insurer,
            covered_since: policy.renews().map(|renewal| renewal.covered_since),
        };
        let refund = rules.refund(ask.reason, &ending).map_err(Error::NotCancellable)?;
        judge_claims(policy, &claims, (ask.reason, refund.refund), None)?;
        let quote = CancellationQuote {
            policy: policy.id,
            reason: ask.reason,
            effective_on: today,
            refund,
            confirmed_by: product.decision,
        };
        Ok((quote, RefundTerms::of(&product)))
    }

    /// Rules of a policy's product for refunds.
    async fn terms(&self, policy: &Policy) -> Result<RefundTerms> {
        let covered = self.policies.covered(policy).await?;
        let lost = || Error::Internal("an imported policy has no refund".into());
        let product = self.policies.sold_as(&covered).ok_or_else(lost)?;
        Ok(RefundTerms::of(&product))
    }
}

/// Refuses a full refund of a policy with a claim, an avoidance before its open claims are decided, and a refund
/// that a claim has changed since the request (D114). `asked` is the cancellation that waits for confirmation, if any.
fn judge_claims(
    policy: &Policy,
    claims: &[Claim],
    (reason, refund): (CancellationReason, Premium),
    asked: Option<&Cancellation>,
) -> Result<()> {
    let conflict = |why: String| Err(Error::conflict(why));
    let since =
        policy.claims.iter().skip_while(|id| Some(**id) != asked.and_then(|asked| asked.claimed_since));
    let since: Vec<ClaimId> = since.copied().collect();
    let counting = || claims.iter().filter(|claim| claim.state.counts());
    let is_full = policy.is_full_refund(refund);
    if let Some(paid) = counting().find(|claim| is_full && claim.state == ClaimState::Paid) {
        return conflict(format!("The premium is not refunded in full, because claim {} was paid.", paid.id));
    }
    let open = counting().find(|claim| claim.state.is_open());
    if let Some(open) = open.filter(|_| policy.is_avoided_by(reason, refund)) {
        let why = match is_full {
            true => "The premium would be refunded in full, as if there had never been cover.",
            false => "After a cancellation for fraud, there never was cover.",
        };
        return conflict(format!("{why} Settle or withdraw claim {} first.", open.id));
    }
    if let Some(made) = counting().find(|claim| since.contains(&claim.id)) {
        return conflict(format!(
            "Claim {} was reported after the cancellation was requested and changes the refund. Refuse the cancellation; it can be requested again.",
            made.id
        ));
    }
    let ended_since = |claim: &&Claim| {
        let is_of_then = !since.contains(&claim.id) && !claim.state.counts();
        is_of_then && asked.is_some_and(|asked| claim.changed_at > asked.asked_at)
    };
    match claims.iter().find(ended_since).filter(|_| counting().next().is_none()) {
        Some(ended) => conflict(format!(
            "Claim {} was rejected or withdrawn after the cancellation was requested, which changes the refund. Refuse the cancellation; it can be requested again.",
            ended.id
        )),
        None => Ok(()),
    }
}

/// Refuses the open endorsement, if any, because the policy ends.
pub(crate) fn refuse_open_endorsement(policy: &mut Policy, at: Timestamp) {
    if let Some(open) = policy.endorsements.iter_mut().find(|endorsement| endorsement.is_open()) {
        open.refuse(Actor::Service, at, None);
    }
}
