//! Cancellations of policies (D66 to D68).

use clap::{Args, ValueEnum};
use domain::cancellation::CancellationReason;
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::policy::cancellation::{CancellationAsk, CancellationQuote};
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, On, Result, Role, post};
use crate::answer::Answer;
use crate::arguments::{read, read_day, read_reason};
use crate::record::policy_id;

/// Cancel a policy as of today; --quote only prints the refund
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelPolicy {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Reason of the cancellation
    #[arg(long, value_enum, ignore_case = true)]
    reason: Reason,
    /// Day on which the customer received the policy document, YYYY-MM-DD [default: day of its first
    /// download, or of the policy's issue if it was never downloaded]
    #[arg(long, value_name = "DAY")]
    received_on: Option<String>,
    /// The insurer cancels the policy; required for FRAUD and MISSTATEMENT
    #[arg(long)]
    #[serde(default)]
    for_insurer: bool,
    /// A note for the history of the policy
    #[arg(long)]
    note: Option<String>,
    /// Change nothing; print the refund step by step
    #[arg(long)]
    #[serde(default)]
    quote: bool,
}

impl Act for CancelPolicy {
    const ABOUT: About =
        post("policy.cancel", "/policies/{id}/cancellation", &[Role::Underwriting, Role::Support])
            .irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let ask = CancellationAsk {
            reason: reason_of(self.reason),
            received_on: self.received_on.as_deref().map(|day| read_day("--received-on", day)).transpose()?,
            by: if self.for_insurer { Actor::Insurer } else { Actor::Operator },
            note: self.note.as_deref().map(|text| read("--note", text)).transpose()?,
        };
        let id = policy_id(on, &self.id).await?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(cancellation(&on.service.cancellations.quote(of, id, &ask).await?, None));
        }
        let draft = on.service.cancellations.request(of, id, &ask, None).await?;
        let (quote, state) = (draft.quote.clone(), draft.state);
        on.service.cancellations.keep(draft, None).await?.replayed();
        Ok(cancellation(&quote, Some(state)).saying(format!("{id} is {state}")))
    }
}

/// Confirm or refuse a requested cancellation
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideCancellation {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Whether to confirm or refuse the cancellation
    #[arg(long, value_enum)]
    verdict: PolicyVerdict,
    /// Reason of the decision, for the history of the policy; required for a refusal
    #[arg(long)]
    reason: Option<String>,
}

impl Act for DecideCancellation {
    const ABOUT: About =
        post("policy.decide", "/policies/{id}/cancellation-decision", &[Role::Underwriting]).irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let id = policy_id(on, &self.id).await?;
        let confirms = self.verdict == PolicyVerdict::Confirm;
        let reason = read_reason(self.reason.as_deref(), !confirms)?;
        let state = on.service.cancellations.decide(id, None, Actor::Operator, confirms, reason).await?;
        let json = json!({ "policy_id": id.to_string(), "status": state.word() });
        Ok(Answer::of(json).saying(format!("{id} is {state}")))
    }
}

/// Answer with the refund of a cancellation. `state`: the policy's new status, or `None` for a quote only.
fn cancellation(quote: &CancellationQuote, state: Option<PolicyState>) -> Answer {
    let refund = quote.refund.refund;
    let mut json = shown::cancellation_quote(quote);
    if let Some(state) = state {
        json["status"] = state.word().into();
    }
    let mut answer = Answer::of(json).steps(&quote.refund.steps);
    answer.data(format!(
        "\nrefund {}, due on {}: {}",
        refund.total().grouped_with_paise(),
        quote.refund.due_on,
        quote.refund.source
    ));
    answer
}

/// Reason of a cancellation
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Reason {
    /// The customer returns the policy within the free-look period
    FreeLook,
    /// The borrower cancelled the loan in its cooling-off period
    LoanCoolingOff,
    /// The loan was repaid early
    LoanForeclosed,
    /// The loan was never disbursed
    NotDisbursed,
    /// The customer no longer wants the policy
    Customer,
    /// The same cover was sold twice
    Duplicate,
    /// The policy was mis-sold
    MisSale,
    /// A statement of the customer was wrong, without fraud
    Misstatement,
    /// Fraud against the insurer
    Fraud,
}

const fn reason_of(reason: Reason) -> CancellationReason {
    match reason {
        Reason::FreeLook => CancellationReason::FreeLook,
        Reason::LoanCoolingOff => CancellationReason::LoanCoolingOff,
        Reason::LoanForeclosed => CancellationReason::LoanForeclosed,
        Reason::NotDisbursed => CancellationReason::NotDisbursed,
        Reason::Customer => CancellationReason::Customer,
        Reason::Duplicate => CancellationReason::Duplicate,
        Reason::MisSale => CancellationReason::MisSale,
        Reason::Misstatement => CancellationReason::Misstatement,
        Reason::Fraud => CancellationReason::Fraud,
    }
}

/// Decision on a cancellation or an endorsement
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PolicyVerdict {
    /// Make the requested cancellation or endorsement
    Confirm,
    /// Refuse the request: the policy continues unchanged
    Refuse,
}
