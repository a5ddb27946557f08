//! Records as the partners' API shows them, for operators (D117).

use domain::date::{Timestamp, kolkata_time};
use domain::id::PartnerId;
use serde_json::Value;
use service::on_any_policy;
use service::policy::PolicyShown;
use web::api::shown;

use crate::act::Role;

/// A record as the API shows it, with its partner, and without fields that are not for every operator.
pub(crate) fn for_operator(mut shown: Value, partner: PartnerId, left_out: &[&str]) -> Value {
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|name, _| !left_out.contains(&name.as_str()));
        fields.insert("partner_id".to_owned(), partner.to_string().into());
    }
    shown
}

/// An instant to the minute, in Kolkata.
pub(crate) fn minute(at: Timestamp) -> String {
    kolkata_time(at).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Who may read policies.
pub(crate) const POLICY_READERS: &[Role] =
    &[Role::Read, Role::Support, Role::Underwriting, Role::Claims, Role::Accounts, Role::Compliance];

/// A policy in short, with its partner and without personal data.
pub(crate) fn policy_in_short(shown: &PolicyShown) -> Value {
    let partner = on_any_policy!(&shown.policy, policy => policy.partner);
    for_operator(shown::policy(shown), partner, &["reference"])
}
