//! Endorsements of policies (D89).

use std::path::PathBuf;

use clap::Args;
use domain::endorsement::{ChargePayment, Endorsement, EndorsementState};
use domain::money::Rupees;
use domain::proposal::Actor;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::policy::PolicyShown;
use service::policy::endorsement::{EndorsementAsk, EndorsementQuote, EndorsementVerdict};
use service::{Error, on_any_policy};
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, On, Result, Role, get, post};
use crate::answer::Answer;
use crate::arguments::{bad, read_day, read_reason, read_reference};
use crate::cancellation::PolicyVerdict;
use crate::record::{POLICY_READERS, masked_names, minute, partner_name, policy_id, policy_in_short};

/// Change a policy and issue a new certificate; --quote only prints the charge or refund
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndorsePolicy {
    /// Policy id (pol_…) or policy number
    id: String,
    /// JSON file with the change, in the format of the body of endorsement-quote in the partners' API
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    change: PathBuf,
    /// The change, in the format of the partners' API
    #[arg(skip)]
    #[schema(value_type = Object)]
    wanted: Value,
    /// Change nothing; print the charge or refund step by step
    #[arg(long)]
    #[serde(default)]
    quote: bool,
}

impl Act for EndorsePolicy {
    const ABOUT: About =
        post("policy.endorse", "/policies/{id}/endorsements", &[Role::Underwriting, Role::Support]);

    fn read_files(&mut self) -> Result<(), String> {
        let said = |cause: &dyn std::fmt::Display| format!("{}: {cause}", self.change.display());
        let bytes = std::fs::read(&self.change).map_err(|cause| said(&cause))?;
        self.wanted = serde_json::from_slice(&bytes).map_err(|cause| said(&cause))?;
        Ok(())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let change = serde_json::to_vec(&self.wanted).map_err(|cause| bad(cause.to_string()))?;
        let (change, note) =
            web::read_endorsement(&change, on.service.policies.today()).map_err(Error::Invalid)?;
        let ask = EndorsementAsk { change, by: Actor::Operator, note };
        let id = policy_id(on, &self.id).await?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(endorsement(&on.service.endorsements.quote(of, id, &ask).await?, None));
        }
        let draft = on.service.endorsements.request(of, id, &ask, None).await?;
        let (quote, number, state) = (draft.quote.clone(), draft.number, draft.state);
        on.service.endorsements.keep(draft, None).await?.replayed();
        let answer = endorsement(&quote, Some((number, state)));
        Ok(answer.saying(format!("endorsement {number} of {id} is {state}")))
    }
}

/// List policies with an endorsement that waits for confirmation or payment
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListEndorsements {
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListEndorsements {
    const ABOUT: About = get("policy.endorsements", "/endorsements", POLICY_READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(list_endorsements(on, &on.service.policies.endorsements_open(self.most).await?))
    }
}

/// Confirm or refuse the endorsement of a policy that waits for a decision
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideEndorsement {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Whether to confirm or refuse the endorsement
    #[arg(long, value_enum)]
    verdict: PolicyVerdict,
    /// Number of the endorsement, as `policy endorsements` shows it; the command fails if another endorsement
    /// waits now
    #[arg(long, value_name = "N")]
    number: Option<u16>,
    /// Reason of the refusal; required for a refusal
    #[arg(long)]
    reason: Option<String>,
    /// Reference of the payment of the charge, such as the bank's UTR
    #[arg(long, value_name = "REFERENCE")]
    payment: Option<String>,
    /// Day on which the insurer received the payment, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY", requires = "payment")]
    paid_on: Option<String>,
}

impl Act for DecideEndorsement {
    const ABOUT: About =
        post("policy.decide_endorsement", "/policies/{id}/endorsement-decision", &[Role::Underwriting]);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = policy_id(on, &self.id).await?;
        let verdict = match self.verdict {
            PolicyVerdict::Refuse => EndorsementVerdict::Refuse(read_reason(self.reason.as_deref(), true)?),
            PolicyVerdict::Confirm => EndorsementVerdict::Confirm(match self.payment {
                None => None,
                Some(payment) => Some(ChargePayment {
                    reference: read_reference(&payment)?,
                    received_on: match self.paid_on {
                        Some(day) => read_day("--paid-on", &day)?,
                        None => on.service.policies.today(),
                    },
                }),
            }),
        };
        let (number, state) =
            on.service.endorsements.decide(id, self.number, Actor::Operator, verdict).await?;
        let json = json!({ "policy_id": id.to_string(), "number": number, "status": state.word() });
        Ok(Answer::of(json).saying(format!("endorsement {number} of {id} is {state}")))
    }
}

fn list_endorsements(on: &On, waiting: &[PolicyShown]) -> Answer {
    let open = |shown: &PolicyShown| -> Option<Endorsement> {
        on_any_policy!(&shown.policy, policy => policy.open_endorsement().cloned())
    };
    let one = |shown: &PolicyShown| {
        let mut printed = policy_in_short(on, shown);
        printed["endorsement"] = open(shown).as_ref().map(shown::endorsement).into();
        printed
    };
    let json = json!({ "policies": waiting.iter().map(one).collect::<Vec<_>>() });
    let row = |shown: &PolicyShown| {
        let open = open(shown)?;
        let charge = open.charge.total();
        Some(vec![
            shown.policy.id().to_string(),
            masked_names(shown).join(", "),
            partner_name(on, shown.policy.partner()),
            shown.covered.insurer.clone(),
            open.number.to_string(),
            open.change.kind().to_string(),
            minute(open.asked_at),
            open.asked_by.to_string(),
            if charge > Rupees::ZERO { charge.grouped_with_paise() } else { String::new() },
        ])
    };
    Answer::of(json).table(
        &["policy_id", "insured", "partner", "insurer", "number", "kind", "requested", "by", "to be paid"],
        waiting.iter().filter_map(row),
    )
}

/// Answer with the charge or refund of an endorsement. `made`: the number and status of the endorsement, or
/// `None` for a quote only.
fn endorsement(quote: &EndorsementQuote, made: Option<(u16, EndorsementState)>) -> Answer {
    let refund = quote.refund.as_ref();
    let mut json = shown::endorsement_quote(quote);
    if let Some((number, state)) = made {
        json["number"] = number.into();
        json["status"] = state.word().into();
    }
    let mut answer = Answer::of(json).steps(&quote.steps);
    let charge = quote.charge.total();
    let costs = match refund {
        Some(refund) => {
            format!("refund {}, due on {}", refund.amount.total().grouped_with_paise(), refund.due_on)
        }
        None if charge > Rupees::ZERO => format!("{} must be paid first", charge.grouped_with_paise()),
        None => "no charge and no refund".to_owned(),
    };
    answer.data(format!("{costs}: {}", quote.source));
    answer
}
