//! Whether a policy can be renewed: asked by those who show it, and by those who quote and renew it (D91).

use domain::date::Date;
use domain::line::Line;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::RefusedMove;
use rating::{NotRenewable, RenewalRules};

use crate::error::{Error, Result};

/// Judges whether a policy can be renewed on a day, by the rules of its product.
///
/// # Errors
/// [`Error::Refused`] by where it stands, [`Error::NotRenewable`] by its days, [`Error::Conflict`] while an endorsement waits: the
/// renewal would be without it.
pub(crate) fn can_be_renewed<L: Line>(policy: &Policy<L>, rules: &RenewalRules, today: Date) -> Result<()> {
    if policy.renewable_until.is_none() {
        return Err(Error::NotRenewable(NotRenewable::NoRules));
    }
    match policy.state_on(today) {
        PolicyState::Issued | PolicyState::Expired => {}
        other => return Err(Error::Refused(RefusedMove::NotRenewable { stands: other.word() })),
    }
    let first = rules.first_day(policy.last_day());
    if today < first {
        return Err(Error::NotRenewable(NotRenewable::TooEarly(first)));
    }
    policy.open_endorsement().map_or(Ok(()), |open| Err(Error::endorsement_waits(open)))
}
