//! Records as the partners' API shows them, for operators (D117).

use domain::date::{Timestamp, kolkata_time};
use domain::id::{PartnerId, PolicyId};
use domain::identifier::Reference;
use serde_json::Value;
use service::on_any_policy;
use service::policy::PolicyShown;
use web::api::shown;
use web::error::{Code, Problem};

use crate::act::{On, Result, Role};
use crate::arguments::bad;

/// Most policies that an error lists if several policies have the same number.
const MOST_OF_A_NUMBER: usize = 5;

/// Adds the partner to a record's JSON, and removes the fields `left_out`.
pub(crate) fn for_operator(on: &On, mut shown: Value, partner: PartnerId, left_out: &[&str]) -> Value {
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|name, _| !left_out.contains(&name.as_str()));
        fields.insert("partner_id".to_owned(), partner.to_string().into());
        fields.insert("partner_name".to_owned(), partner_name(on, partner).into());
    }
    shown
}

/// Formats an instant to the minute in Asia/Kolkata, with its offset.
pub(crate) fn minute(at: Timestamp) -> String {
    format!("{} +05:30", kolkata_time(at).strftime("%Y-%m-%d %H:%M"))
}

/// Roles that may read policies.
pub(crate) const POLICY_READERS: &[Role] =
    &[Role::Read, Role::Support, Role::Underwriting, Role::Claims, Role::Accounts, Role::Compliance];

/// Short JSON of a policy, with its partner. Personal data is masked.
pub(crate) fn policy_in_short(on: &On, shown: &PolicyShown) -> Value {
    let partner = shown.policy.partner();
    let mut printed = for_operator(on, shown::policy(shown), partner, &[]);
    printed["reference"] = masked_reference(shown).into();
    printed["insured"] = masked_names(shown).into();
    printed
}

/// Finds the policy that an operator names, by its id or by a number on its documents.
pub(crate) async fn policy_id(on: &On, named: &str) -> Result<PolicyId> {
    let named = named.trim();
    if let Ok(id) = named.parse() {
        return Ok(id);
    }
    let found = on.service.policies.numbered(named, MOST_OF_A_NUMBER).await?;
    match &found[..] {
        [one] => Ok(*one),
        [] => Err(Problem::new(Code::R4040, format!("No policy has the id or the number {named}."))),
        several => {
            let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(bad(format!("Several policies have the number {named}: {}.", ids.join(", "))))
        }
    }
}

/// The name of a partner; its id if the name is not known.
pub(crate) fn partner_name(on: &On, id: PartnerId) -> String {
    on.service.partners.name_of(id).unwrap_or_else(|| id.to_string())
}

/// Names of the insured persons, with each word cut to its first letter.
pub(crate) fn masked_names(shown: &PolicyShown) -> Vec<String> {
    shown.covered.members.iter().map(|member| masked(member.name.reveal())).collect()
}

pub(crate) fn masked(name: &str) -> String {
    let first = |word: &str| word.chars().take(1).chain(['…']).collect::<String>();
    name.split_whitespace().map(first).collect::<Vec<_>>().join(" ")
}

/// The partner's reference of the sale, cut to its last four characters.
pub(crate) fn masked_reference(shown: &PolicyShown) -> Option<String> {
    on_any_policy!(&shown.policy, policy => policy.reference.as_ref()).map(masked_end_of)
}

pub(crate) fn masked_end_of(reference: &Reference) -> String {
    masked_end(reference.reveal())
}

/// Masks a text: returns its last four characters, or at most half of a short text.
fn masked_end(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let hidden = characters.len().saturating_sub(4).max(characters.len().div_ceil(2));
    ['…'].iter().chain(&characters[hidden..]).collect()
}

#[cfg(test)]
mod tests {
    use super::{masked, masked_end};

    #[test]
    fn a_masked_name_has_the_first_letter_of_each_word() {
        assert_eq!(masked("Asha K Rao"), "A… K… R…");
        assert_eq!(masked("आशा राव"), "आ… र…");
    }

    #[test]
    fn of_a_reference_the_end_is_shown_and_never_all_of_it() {
        let ends = ["LN-2026-0001", "12345", "1", ""].map(masked_end);
        assert_eq!(ends, ["…0001", "…45", "…", "…"]);
    }
}
