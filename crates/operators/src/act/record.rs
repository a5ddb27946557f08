//! Records as the partners' API shows them, for operators (D117).

use domain::id::{PartnerId, PolicyId};
use service::policy::PolicyShown;
use web::api::PolicySummary;
use web::error::{Code, Problem};
use web::sight::{Masked, Sight};

use crate::act::arguments::bad;
pub(crate) use crate::act::print::minute;
use crate::act::shown::{Api, answer};
use crate::act::{On, Result, Role};

/// Most policies that an error lists if several policies have the same number.
const MOST_OF_A_NUMBER: usize = 5;

answer! {
    /// The partner of a record
    struct OfPartner {
        /// Id of the partner: `par_…`
        partner_id: PartnerId,
        /// Name of the partner
        #[shown(label = "partner")]
        partner_name: String,
    }
}

impl OfPartner {
    pub(crate) fn of(on: &On, partner: PartnerId) -> Self {
        OfPartner { partner_id: partner, partner_name: partner_name(on, partner) }
    }
}

/// Roles that may read policies and proposals.
pub(crate) const POLICY_READERS: &[Role] =
    &[Role::Read, Role::Support, Role::Underwriting, Role::Claims, Role::Accounts, Role::Compliance];

answer! {
    /// A policy in short, with its partner
    struct PolicyOfPartner {
        /// Names of the insured persons
        insured: Vec<Masked>,
    } with {
        policy: Api<PolicySummary>,
        of: OfPartner,
    }
}

impl PolicyOfPartner {
    /// The policy, with masked personal data.
    pub(crate) fn of(on: &On, shown: &PolicyShown) -> Self {
        PolicyOfPartner::seen(on, shown, &Sight::Masked)
    }

    /// The policy, as the receiver may see it.
    pub(crate) fn seen(on: &On, shown: &PolicyShown, sight: &Sight<'_>) -> Self {
        PolicyOfPartner {
            insured: insured(shown, sight),
            policy: Api(PolicySummary::of(shown, sight)),
            of: OfPartner::of(on, shown.policy.partner),
        }
    }
}

/// Names of the insured persons.
pub(crate) fn insured(shown: &PolicyShown, sight: &Sight<'_>) -> Vec<Masked> {
    shown.covered.members.iter().map(|member| sight.name("members", &member.name)).collect()
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
