//! What several commands print of a policy.

use serde_json::Value;
use service::on_any_policy;
use service::policy::PolicyShown;
use web::api::shown;

use super::record::for_operator;
use crate::output;

/// A policy in short, with its partner and without personal data.
pub(super) fn to_json(shown: &PolicyShown) -> Value {
    let partner = on_any_policy!(&shown.policy, policy => policy.partner);
    for_operator(shown::policy(shown), partner, &["reference"])
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
