//! Check whether a policy can be renewed, for views of policies, renewal quotes and renewals (D91).

use domain::date::Date;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::RefusedMove;
use rating::{NotRenewable, RenewalRules};

use crate::error::{Error, Result};

/// Checks whether a policy can be renewed on a day, by its product's rules.
///
/// # Errors
/// [`Error::NotRenewable`] if policies of the product cannot be renewed, or the day is too early;
/// [`Error::Refused`] if the policy's state does not allow a renewal, such as after the last day to renew it;
/// [`Error::Conflict`] while an endorsement waits, because the renewal would lack it.
pub(crate) fn can_be_renewed(policy: &Policy, rules: &RenewalRules, today: Date) -> Result<()> {
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
