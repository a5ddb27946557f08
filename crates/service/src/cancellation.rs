//! Cancellation of policies: what would come back, the request, its confirmation, and the payment of the refund (D68, D69).

use std::sync::Arc;

use domain::cancellation::{Cancellation, CancellationReason, RefundPayment};
use domain::date::{Date, Timestamp, day_of};
use domain::id::{InsurerId, PartnerId, PolicyId};
use domain::line::Line;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::proposal::{Actor, Decision, Move, RefusedMove, Underway};
use rating::{Ending, Product, Refund};

use crate::clock::Clock;
use crate::error::Error;
use crate::idempotency::{Draft, Idempotency, KeptResponse, Outcome};
use crate::line::SoldLine;
use crate::on_any_policy;
use crate::policy::PolicyService;
use crate::storage::policies::{PolicyAct, PolicyChanged, RefundPosting};
use crate::storage::{AnyPolicy, Claims, Kept, Lines};

/// Who asks for a cancellation, and why.
#[derive(Debug, Clone)]
pub struct CancellationAsk {
    /// Why.
    pub reason: CancellationReason,
    /// The day on which the customer received the document, where somebody knows it.
    pub received_on: Option<Date>,
    /// Who asks: the partner, the operator, or the insurer through the operator.
    pub by: Actor,
    /// Why, in the words of who asks.
    pub note: Option<PersonalLine>,
}

/// What would come back of a policy that is cancelled today.
#[derive(Debug, Clone)]
pub struct CancellationQuote {
    /// The policy.
    pub policy: PolicyId,
    /// Why.
    pub reason: CancellationReason,
    /// The last day of cover: today in Asia/Kolkata.
    pub effective_on: Date,
    /// What comes back, and the steps to it.
    pub refund: Refund,
    /// Who confirms it.
    pub confirmed_by: Decision,
}

/// A cancellation that is not kept yet.
pub struct CancellationDraft {
    /// What comes back.
    pub quote: CancellationQuote,
    /// Where the policy stands once it is kept.
    pub state: PolicyState,
    change: PolicyChange,
}

impl Draft for CancellationDraft {
    fn at(&self) -> Timestamp {
        self.change.at
    }
}

/// A policy as it stands after a change that is not kept yet.
struct PolicyChange {
    policy: AnyPolicy,
    moves: Vec<Move<PolicyState>>,
    refund: Option<RefundPosting>,
    at: Timestamp,
}

impl PolicyChange {
    fn of<L: Line>(underway: Underway<Policy<L>>, refund: Option<RefundPosting>) -> Self
    where
        AnyPolicy: From<Policy<L>>,
    {
        let at = underway.at();
        let (policy, moves) = underway.into_parts();
        PolicyChange { policy: policy.into(), moves, refund, at }
    }
}

/// What a product says of a refund once its amount is known.
struct RefundTerms {
    /// Who owes it.
    insurer: InsurerId,
    /// The interest on a late one: basis points a year.
    late_interest: u32,
}

impl RefundTerms {
    fn of(product: &Product) -> Self {
        let late_interest = product.cancellation.as_ref().map_or(0, |rules| rules.late_interest);
        RefundTerms { insurer: product.insurer.id, late_interest }
    }
}

/// Cancels policies.
pub struct CancellationService {
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) claims: Arc<dyn Claims>,
    pub(crate) lines: Arc<dyn Lines>,
    pub(crate) idempotency: Arc<Idempotency>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl CancellationService {
    /// What would come back of a partner's policy that is cancelled today. Nothing is kept.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] where the policy does not stand so that it can be cancelled;
    /// [`Error::NotCancellable`] where its rules do not allow it for the reason; [`Error::Invalid`].
    pub async fn quote(
        &self,
        of: PartnerId,
        id: PolicyId,
        ask: &CancellationAsk,
    ) -> Result<CancellationQuote, Error> {
        let policy = self.policies.find(of, id).await?;
        let (quote, _) = on_any_policy!(&policy, policy => self.quote_one(policy, ask).await?);
        Ok(quote)
    }

    /// A partner's request to cancel a policy. It is not kept yet. Where nobody else confirms it, it cancels at once.
    ///
    /// # Errors
    /// As of [`CancellationService::quote`]; [`Error::Conflict`] where another amount comes back than `expected`.
    pub async fn request(
        &self,
        of: PartnerId,
        id: PolicyId,
        ask: &CancellationAsk,
        expected: Option<Rupees>,
    ) -> Result<CancellationDraft, Error> {
        let policy = self.policies.find(of, id).await?;
        on_any_policy!(policy, policy => self.request_one(*policy, ask, expected).await)
    }

    async fn request_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
        ask: &CancellationAsk,
        expected: Option<Rupees>,
    ) -> Result<CancellationDraft, Error>
    where
        AnyPolicy: From<Policy<L>>,
    {
        let (quote, terms) = self.quote_one(&policy, ask).await?;
        let total = quote.refund.refund.total();
        if expected.is_some_and(|expected| expected != total) {
            return Err(Error::Conflict(format!(
                "Another refund was expected: {} comes back today. Ask for a new quote.",
                total.grouped_with_paise()
            )));
        }
        let now = self.clock.now();
        let at_once = match quote.confirmed_by {
            Decision::Partner | Decision::StraightThrough => true,
            Decision::Operator | Decision::Insurer => ask.by != Actor::Partner,
        };
        policy.cancellation = Some(Cancellation {
            reason: ask.reason,
            asked_by: ask.by,
            asked_at: now,
            refund: quote.refund.refund,
            due_on: quote.refund.due_on,
            late_interest: terms.late_interest,
            confirmed_at: at_once.then_some(now),
            paid: None,
        });
        let mut underway = Underway::resumed(policy, now);
        let requested = PolicyState::CancellationRequested;
        underway.go(ask.by, requested, ask.note.clone()).map_err(Error::Refused)?;
        let refund = match at_once {
            true => {
                underway.go(ask.by, PolicyState::Cancelled, None).map_err(Error::Refused)?;
                owed(terms.insurer, total, now)
            }
            false => None,
        };
        let state = underway.subject().state;
        Ok(CancellationDraft { quote, state, change: PolicyChange::of(underway, refund) })
    }

    /// Keeps a cancellation, in one transaction with its response where an idempotency key came. Of two racing ones exactly
    /// one wins.
    ///
    /// # Errors
    /// [`Error::Refused`] for the one that lost.
    pub async fn keep(
        &self,
        draft: CancellationDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<CancellationQuote>, Error> {
        let kept = self.change(&draft.change, response.as_ref()).await?;
        self.idempotency.outcome(kept, draft.quote, response).await
    }

    /// The operator confirms or refuses a cancellation that was asked for.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`] where none is open, [`Error::Conflict`] for the confirmation of one since which a
    /// claim was made known (D81).
    pub async fn decide(
        &self,
        id: PolicyId,
        confirms: bool,
        reason: Option<PersonalLine>,
    ) -> Result<PolicyState, Error> {
        let of = self.policies.owner(id).await?;
        let state = if confirms { PolicyState::Cancelled } else { PolicyState::Issued };
        let policy = self.policies.find(of, id).await?;
        let change = on_any_policy!(policy, policy => self.decide_one(*policy, state, reason).await?);
        self.change(&change, None).await?;
        Ok(state)
    }

    async fn decide_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
        state: PolicyState,
        reason: Option<PersonalLine>,
    ) -> Result<PolicyChange, Error>
    where
        AnyPolicy: From<Policy<L>>,
    {
        let now = self.clock.now();
        if policy.state != PolicyState::CancellationRequested {
            let from = policy.state_on(day_of(now)).word();
            return Err(Error::Refused(RefusedMove::NoSuchTransition { from, to: state.word() }));
        }
        let terms = self.terms(&policy).await?;
        let mut refund = None;
        if let Some(cancellation) = policy.cancellation.as_mut().filter(|_| state == PolicyState::Cancelled) {
            let claims = self.claims.claims_on(policy.partner, policy.id).await?;
            if let Some(claim) = claims.iter().find(|claim| claim.created_at >= cancellation.asked_at) {
                return Err(Error::Conflict(format!(
                    "{} was made known after the cancellation was asked for, and something else comes back after a claim: refuse it, and it can be asked for again.",
                    claim.id
                )));
            }
            cancellation.confirmed_at = Some(now);
            refund = owed(terms.insurer, cancellation.refund.total(), now);
        }
        let mut underway = Underway::resumed(policy, now);
        underway.go(Actor::Operator, state, reason).map_err(Error::Refused)?;
        Ok(PolicyChange::of(underway, refund))
    }

    /// Notes that the insurer paid the refund of a cancelled policy. The same reference again changes nothing. `amount` is what
    /// was paid with the interest for paying late, where somebody says it. Gives the payment as it is noted.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Conflict`] where nothing is owed, another payment was noted, or the amount is another.
    pub async fn refund_paid(
        &self,
        id: PolicyId,
        reference: PaymentReference,
        paid_on: Date,
        amount: Option<Rupees>,
    ) -> Result<(Rupees, RefundPayment), Error> {
        let of = self.policies.owner(id).await?;
        let policy = self.policies.find(of, id).await?;
        on_any_policy!(policy, policy => self.refund_paid_one(*policy, reference, paid_on, amount).await)
    }

    async fn refund_paid_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
        reference: PaymentReference,
        paid_on: Date,
        amount: Option<Rupees>,
    ) -> Result<(Rupees, RefundPayment), Error> {
        let conflict = |why: String| Err(Error::Conflict(why));
        let now = self.clock.now();
        let Some(mut cancellation) = policy.cancellation.clone().filter(|one| one.confirmed_at.is_some())
        else {
            return conflict("The policy is not cancelled, so that no refund is owed.".into());
        };
        let refund = cancellation.refund.total();
        if let Some(paid) = cancellation.paid {
            if paid.reference == reference {
                return Ok((refund, paid));
            }
            let earlier = paid.reference.as_str();
            return conflict(format!("The refund was paid before, by {earlier}."));
        }
        if refund == Rupees::ZERO {
            return conflict("Nothing comes back of this policy.".into());
        }
        if paid_on > day_of(now) || paid_on < day_of(cancellation.asked_at) {
            return conflict("A refund is paid on a day from the request until today.".into());
        }
        let interest = cancellation.interest_on(paid_on);
        if amount.is_some_and(|amount| amount != refund + interest) {
            return conflict(format!(
                "{} is owed on that day, {} of it interest, and another amount was named.",
                (refund + interest).grouped_with_paise(),
                interest.grouped_with_paise()
            ));
        }
        let payment = RefundPayment { reference, paid_on, interest };
        cancellation.paid = Some(payment.clone());
        policy.cancellation = Some(cancellation);
        let terms = self.terms(&policy).await?;
        let posting = RefundPosting {
            insurer: terms.insurer,
            posting: Posting {
                entry: Entry::RefundPaid,
                debit: Account::PolicyRefund,
                credit: Account::WithInsurer,
                amount: refund,
            },
            reference: Some(payment.reference.as_str().to_owned()),
            at: now,
        };
        let act = PolicyAct { refund: Some(&posting), ..PolicyAct::default() };
        match L::storage(self.lines.as_ref()).change_policy(&policy, act).await? {
            PolicyChanged::Done => Ok((refund, payment)),
            PolicyChanged::Lost | PolicyChanged::Twin | PolicyChanged::ClaimedBefore => {
                conflict("The policy was changed at the same time. Please look at it again.".into())
            }
        }
    }

    /// What would come back, and the product's terms for it.
    async fn quote_one<L: SoldLine>(
        &self,
        policy: &Policy<L>,
        ask: &CancellationAsk,
    ) -> Result<(CancellationQuote, RefundTerms), Error> {
        let now = self.clock.now();
        let today = day_of(now);
        let state = policy.state_on(today);
        state.move_to(PolicyState::CancellationRequested).map_err(Error::Refused)?;
        let issued = day_of(policy.issued_at);
        if ask.received_on.is_some_and(|day| day < issued || day > today) {
            let message = "A day before the issue or after today was found; the day on which the customer received the document is wanted.";
            return Err(Error::invalid("received_on", message));
        }
        let covered = self.policies.covered(policy).await?;
        let imported =
            || Error::Conflict("The policy was imported: it is cancelled where it was sold.".into());
        let product = self.policies.sold_as(&covered).ok_or_else(imported)?;
        let (Some(rules), Some(starts)) = (&product.cancellation, covered.starts) else {
            return Err(Error::Conflict("Policies of this product are not cancelled here.".into()));
        };
        let ending = Ending {
            premium: policy.premium,
            issued,
            starts,
            ends: policy.last_day(),
            on: today,
            received: ask.received_on.or(policy.document_read_at.map(day_of)).unwrap_or(issued),
            has_claim: !policy.claims.is_empty(),
            cover: (policy.sum_insured, covered.on(today, policy.sum_insured)),
            by_insurer: ask.by == Actor::Insurer,
        };
        let refund = rules.refund(ask.reason, &ending).map_err(Error::NotCancellable)?;
        let quote = CancellationQuote {
            policy: policy.id,
            reason: ask.reason,
            effective_on: today,
            refund,
            confirmed_by: product.decision,
        };
        Ok((quote, RefundTerms::of(&product)))
    }

    /// The terms of the refund of a policy.
    async fn terms<L: SoldLine>(&self, policy: &Policy<L>) -> Result<RefundTerms, Error> {
        let covered = self.policies.covered(policy).await?;
        let lost = || Error::Internal("an imported policy has no refund".into());
        let product = self.policies.sold_as(&covered).ok_or_else(lost)?;
        Ok(RefundTerms::of(&product))
    }

    /// Keeps a change of a policy, with its response where an idempotency key came.
    async fn change(&self, change: &PolicyChange, response: Option<&KeptResponse>) -> Result<Kept, Error> {
        let PolicyChange { policy, moves, refund, at } = change;
        let act = PolicyAct {
            moves,
            refund: refund.as_ref(),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        let changed = on_any_policy!(policy, policy => self.change_one(policy, act).await?);
        let (of, id, to) = on_any_policy!(policy, policy => (policy.partner, policy.id, policy.state));
        match changed {
            PolicyChanged::Done => {
                tracing::info!(partner.id = %of, policy.id = %id, policy.state = %to, "policy {id} moved to {to}");
                Ok(Kept::New)
            }
            PolicyChanged::Twin => Ok(Kept::Twin),
            PolicyChanged::Lost | PolicyChanged::ClaimedBefore => {
                let found = self.policies.find(of, id).await?;
                let from = on_any_policy!(found, found => found.state_on(day_of(*at)));
                let first = moves.first().map_or(to, |first| first.to);
                Err(match from.move_to(first) {
                    // A claim came in between, by which something else comes back.
                    Ok(_) => Error::Conflict(
                        "The policy was changed at the same time. Ask for a new quote.".into(),
                    ),
                    Err(_) => {
                        Error::Refused(RefusedMove::NoSuchTransition { from: from.word(), to: to.word() })
                    }
                })
            }
        }
    }

    async fn change_one<L: SoldLine>(
        &self,
        policy: &Policy<L>,
        act: PolicyAct<'_>,
    ) -> Result<PolicyChanged, Error> {
        Ok(L::storage(self.lines.as_ref()).change_policy(policy, act).await?)
    }
}

/// What the ledger says of a refund that is owed. `None` where nothing comes back.
fn owed(insurer: InsurerId, amount: Rupees, at: Timestamp) -> Option<RefundPosting> {
    let (entry, debit, credit) = (Entry::Cancellation, Account::ReturnedPremium, Account::PolicyRefund);
    let posting = Posting { entry, debit, credit, amount };
    (amount > Rupees::ZERO).then_some(RefundPosting { insurer, posting, reference: None, at })
}
