//! Cancellations of policies (D66 to D68), and corrections of the insurer's number.

use domain::cancellation::CancellationReason;
use domain::date::Date;
use domain::id::PolicyId;
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use domain::vocabulary;
use service::policy::cancellation::{CancellationAsk, CancellationQuote};
use web::api::CancellationQuoteShown;

use crate::act::answer::Done;
use crate::act::fields::{PolicyName, needed_reason};
use crate::act::input::{input, texts};
use crate::act::personal_sight::says_why;
use crate::act::shown::{Api, answer};
use crate::act::{About, Act, Allowed, On, Result, Role, post};
use crate::policy::standing;

input! {
    /// Cancel a policy as of today; --quote only prints the refund
    struct CancelPolicy {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// Reason of the cancellation
        reason: CancellationReason,
        /// Day on which the customer received the policy document, YYYY-MM-DD [default: day of its first
        /// download, or of the policy's issue if it was never downloaded]
        received_on: Option<Date>,
        /// The insurer cancels the policy; required for FRAUD, MISSTATEMENT and
        /// PAYMENT_BOUNCED
        for_insurer: bool,
        /// A note for the history of the policy
        note: Option<PersonalLine>,
        /// Change nothing; print the refund step by step
        #[flag(is_preview = true)]
        quote: bool,
    }
}

impl Act for CancelPolicy {
    const ABOUT: About =
        post("policy.cancel", "/policies/{id}/cancellation", &[Role::Underwriting, Role::Support])
            .irreversible();

    type Answer = Done<CancellationMade>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let state = standing(on, record).await?.state();
        Ok(Allowed::if_so(state.move_to(PolicyState::CancellationRequested).is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let ask = CancellationAsk {
            reason: self.reason,
            received_on: self.received_on,
            by: if self.for_insurer { Actor::Insurer } else { Actor::Operator },
            note: self.note,
        };
        let id = self.id.find(on).await?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(cancellation(&on.service.cancellations.quote(of, id, &ask).await?, None));
        }
        let draft = on.service.cancellations.request(of, id, &ask, None).await?;
        let (quote, state) = (draft.quote.clone(), draft.state);
        on.service.cancellations.keep(draft, None).await?.saved()?;
        Ok(cancellation(&quote, Some(state)).saying(format!("{id} is {state}")))
    }
}

input! {
    /// Confirm or refuse a requested cancellation
    struct DecideCancellation {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// Whether to confirm or refuse the cancellation
        verdict: PolicyVerdict,
        /// Reason of the decision, for the history of the policy; required for a refusal
        reason: Option<PersonalLine>,
    }
}

impl Act for DecideCancellation {
    const ABOUT: About =
        post("policy.decide", "/policies/{id}/cancellation-decision", &[Role::Underwriting]).irreversible();

    type Answer = Done<PolicyChanged>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let state = standing(on, record).await?.state();
        Ok(Allowed::if_so(state.move_to(PolicyState::Cancelled).is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id.find(on).await?;
        let confirms = self.verdict == PolicyVerdict::Confirm;
        let reason = needed_reason(self.reason, !confirms)?;
        let state = on.service.cancellations.decide(id, None, Actor::Operator, confirms, reason).await?;
        Ok(Done::of(PolicyChanged { policy_id: id, status: state }).saying(format!("{id} is {state}")))
    }
}

input! {
    /// Correct the insurer's number of a policy; the reason is in the audit trail
    struct CorrectNumber {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// The insurer's right number
        number: PolicyNumber,
        /// Why the earlier number is wrong
        reason: String,
    }
}

impl Act for CorrectNumber {
    const ABOUT: About =
        post("policy.number", "/policies/{id}/insurer-number", &[Role::Underwriting, Role::Accounts]);

    type Answer = Done<NumberCorrected>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        says_why(&self.reason, "why the earlier number is wrong")?;
        let id = self.id.find(on).await?;
        on.service.changes.correct_number(id, self.number.clone()).await?;
        let note = format!("{id} now has the insurer's number {}", self.number);
        Ok(Done::of(NumberCorrected { policy_id: id, insurer_policy_number: self.number }).saying(note))
    }
}

answer! {
    /// A policy whose insurer's number was corrected
    struct NumberCorrected {
        /// Id of the policy
        policy_id: PolicyId,
        /// The insurer's number
        insurer_policy_number: PolicyNumber,
    }
}

/// Answer with the refund of a cancellation. `status`: the policy's new status, or `None` for a quote only.
fn cancellation(quote: &CancellationQuote, status: Option<PolicyState>) -> Done<CancellationMade> {
    Done::of(CancellationMade { status, quote: Api(CancellationQuoteShown::of(quote)) })
}

answer! {
    /// A cancellation, or the quote of one
    struct CancellationMade {
        /// New status of the policy; null: nothing was changed
        status: Option<PolicyState>,
    } with {
        quote: Api<CancellationQuoteShown>,
    }
}

answer! {
    /// A changed policy
    struct PolicyChanged {
        /// Id of the policy
        policy_id: PolicyId,
        /// Status of the policy
        status: PolicyState,
    }
}

vocabulary! {
    /// Decision on a cancellation or an endorsement
    PolicyVerdict, "one of confirm, refuse" {
        /// Make the requested cancellation or endorsement
        Confirm = "confirm",
        /// Refuse the request: the policy continues unchanged
        Refuse = "refuse",
    }
}

texts!(PolicyVerdict);
