//! The list of all actions of the operators' API.

use std::sync::LazyLock;

use crate::act::Action;
use crate::catalogue::PublishCatalogue;
use crate::store::{ExamineStore, VerifyStore};
use crate::today::ListWaiting;
use crate::{
    approval, audit, breach, claim, complaint, deposit, hold, import, key, partner, person, policy, premium,
    proposal, quote, refund, retention, statement, team, webhook,
};

/// All actions, in the order of the OpenAPI document. Each line adds the actions of one command.
pub(crate) static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let mut all = vec![Action::of::<ListWaiting>()];
    partner::PartnerVerb::add_to(&mut all);
    quote::QuoteVerb::add_to(&mut all);
    proposal::ProposalVerb::add_to(&mut all);
    policy::PolicyVerb::add_to(&mut all);
    refund::RefundVerb::add_to(&mut all);
    claim::ClaimVerb::add_to(&mut all);
    complaint::ComplaintVerb::add_to(&mut all);
    person::PersonVerb::add_to(&mut all);
    breach::BreachVerb::add_to(&mut all);
    hold::HoldVerb::add_to(&mut all);
    retention::RetentionVerb::add_to(&mut all);
    premium::PremiumVerb::add_to(&mut all);
    deposit::DepositVerb::add_to(&mut all);
    statement::StatementVerb::add_to(&mut all);
    webhook::WebhookVerb::add_to(&mut all);
    key::KeysVerb::add_to(&mut all);
    audit::AuditVerb::add_to(&mut all);
    team::TeamVerb::add_to(&mut all);
    approval::ApprovalVerb::add_to(&mut all);
    import::ImportVerb::add_to(&mut all);
    // Not a subcommand here: `catalogue reload` first reads the catalogue folder of its own machine.
    all.push(Action::of::<PublishCatalogue>());
    all.extend([Action::of::<VerifyStore>(), Action::of::<ExamineStore>()]);
    all
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::document::Fields;

    #[test]
    fn every_act_has_a_name_and_a_path_of_its_own() {
        let names: BTreeSet<&str> = ACTIONS.iter().map(|action| action.about.name).collect();
        let paths: BTreeSet<String> =
            ACTIONS.iter().map(|action| format!("{:?} {}", action.about.method, action.about.path)).collect();
        assert_eq!((names.len(), paths.len()), (ACTIONS.len(), ACTIONS.len()));
    }

    #[test]
    fn every_name_in_a_path_is_a_field_of_its_act() {
        for action in ACTIONS.iter() {
            let mut schemas = Vec::new();
            (action.schemas)(&mut schemas);
            let schemas = schemas.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
            let fields = Fields::of(&json!((action.schema)()), &schemas);
            for part in action.about.path.split('/').filter_map(|part| part.strip_prefix('{')) {
                let name = part.trim_end_matches('}');
                assert!(fields.all.contains_key(name), "{} has no {name}", action.about.name);
            }
        }
    }
}
