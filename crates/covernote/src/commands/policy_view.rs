//! What several commands print of a policy.

use serde_json::{Value, json};
use service::on_any_policy;
use service::policy::PolicyShown;

use crate::output;

/// A policy in short, without personal data.
pub(super) fn to_json(shown: &PolicyShown) -> Value {
    on_any_policy!(&shown.policy, policy => json!({
        "policy_id": policy.id.to_string(), "policy_number": policy.number.as_str(),
        "insurer_policy_number": policy.insurer_number.as_ref().map(|number| number.as_str()),
        "partner_id": policy.partner.to_string(),
        "line": shown.policy.line().word(), "status": shown.state().word(),
        "status_since": shown.state_since().to_string(), "insurer": shown.covered.insurer,
        "product": shown.covered.product_name, "variant": shown.covered.variant_name,
        "issued_at": policy.issued_at.to_string(),
        "cover_starts": shown.covered.starts.map(|day| day.to_string()),
        "cover_ends": policy.last_day().to_string(), "sum_insured": policy.sum_insured.to_string(),
        "premium": policy.premium.total().to_string(),
        "proposal_id": policy.proposal.map(|proposal| proposal.to_string()),
    }))
}

pub(super) fn step_to_json(step: &rating::Step) -> Value {
    json!({
        "step": step.kind.to_string(), "factor": step.factor, "amount": step.exact_amount(),
        "rule": step.location.as_ref().map(ToString::to_string),
    })
}

pub(super) fn print_steps(steps: &[rating::Step]) {
    let row = |step: &rating::Step| {
        vec![
            step.kind.to_string(),
            step.factor.clone(),
            step.exact_amount(),
            step.location.as_ref().map(ToString::to_string).unwrap_or_default(),
        ]
    };
    output::table(&["step", "factor", "amount", "rule"], steps.iter().map(row).collect());
}
