//! Refunds of cancelled and of endorsed policies, which insurers pay to the insured (D69).

use clap::Args;
use domain::money::Rupees;
use domain::refund::OwedRefund;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::on_any_policy;
use service::policy::PolicyShown;
use utoipa::ToSchema;

use crate::act::{About, Act, Needed, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::PaymentMade;
use crate::record::{masked_names, partner_name, policy_id, policy_in_short};

verbs! {
    /// Verbs of `covernote refund`
    RefundVerb {
        List(ListRefunds),
        Paid(PayRefund),
    }
}

/// List refunds that insurers owe for cancelled and endorsed policies, earliest due date first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRefunds {
    /// Most refunds to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListRefunds {
    const ABOUT: About = get("refund.list", "/refunds", &[Role::Read, Role::Support, Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        let refunds = on.service.policies.refunds_owed(self.most).await?;
        let one = |shown: &PolicyShown| {
            let mut printed = policy_in_short(on, shown);
            if let Some((refund, reason, interest)) = owed(shown) {
                printed["refund"] = refund.owed().to_string().into();
                printed["refund_for"] = reason.into();
                printed["refund_due_on"] = refund.due_on.to_string().into();
                printed["interest_today"] = interest.to_string().into();
                printed["late"] = refund.is_late(shown.today).into();
            }
            printed
        };
        let row = |shown: &PolicyShown| {
            let (refund, reason, interest) = owed(shown)?;
            Some(vec![
                shown.policy.id().to_string(),
                masked_names(shown).join(", "),
                partner_name(on, shown.policy.partner()),
                shown.covered.insurer.clone(),
                reason.to_owned(),
                refund.owed().grouped_with_paise(),
                refund.due_on.to_string(),
                if refund.is_late(shown.today) { "LATE".into() } else { String::new() },
                if interest > Rupees::ZERO { interest.grouped_with_paise() } else { String::new() },
            ])
        };
        let all: Vec<Value> = refunds.iter().map(one).collect();
        let head = [
            "policy_id",
            "insured",
            "partner",
            "insurer",
            "reason",
            "refund",
            "due on",
            "",
            "interest today",
        ];
        Ok(Answer::of(json!({ "refunds": all })).table(&head, refunds.iter().filter_map(row)))
    }
}

/// Record that the insurer paid a policy's refund to the insured; if the policy has several refunds, the
/// refund that is due first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct PayRefund {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Payment of the refund
    #[command(flatten)]
    #[serde(flatten)]
    payment: PaymentMade,
}

impl Act for PayRefund {
    const ABOUT: About =
        post("refund.paid", "/policies/{id}/refund-payment", &[Role::Accounts]).irreversible();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let id = policy_id(on, &self.id).await?;
        let policies = &on.service.policies;
        let shown = policies.view(policies.owner(id).await?, id).await?.shown;
        let version = on_any_policy!(&shown.policy, policy => policy.version);
        let refund = owed(&shown).map(|(refund, _, interest)| refund.owed() + interest);
        on.payment(refund, "refund of", id, version).await
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let id = policy_id(on, &self.id).await?;
        let (reference, paid_on, amount) = self.payment.read(on.service.policies.today())?;
        let (refund, paid) = on.service.refunds.paid(id, reference, paid_on, amount).await?;
        let json = json!({
            "policy_id": id.to_string(), "refund": refund.to_string(), "interest": paid.interest.to_string(),
            "reference": paid.reference.as_str(), "paid_on": paid.paid_on.to_string(),
        });
        Ok(Answer::of(json).saying(format!(
            "{id}: {} was refunded on {}, with interest of {}",
            refund.grouped_with_paise(),
            paid.paid_on,
            paid.interest.grouped_with_paise()
        )))
    }
}

/// The policy's refund that is due first, its reason, and the interest owed today.
fn owed(shown: &PolicyShown) -> Option<(&OwedRefund, &'static str, Rupees)> {
    on_any_policy!(&shown.policy, policy => {
        let refund = policy.refund_owed()?;
        let cancelled = policy.cancellation.as_ref().filter(|one| one.confirmed_refund() == Some(refund));
        let endorsed = policy.made_endorsements().find(|made| made.refund.as_ref() == Some(refund));
        let endorsed = endorsed.map(|made| made.change.kind().word());
        let reason = cancelled.map(|cancellation| cancellation.reason.word()).or(endorsed)?;
        Some((refund, reason, refund.interest_on(shown.today)))
    })
}
