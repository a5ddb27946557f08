//! States of a policy after its sale.

use crate::date::Date;
use crate::proposal::RefusedMove;
use crate::text::vocabulary;

vocabulary! {
    /// State of a policy.
    PolicyState, "one of ISSUED, CANCELLATION_REQUESTED, CANCELLED, LAPSED, EXPIRED, RENEWED, TERMINATED" {
        /// The policy is in force, or will be from its first day.
        Issued = "ISSUED",
        /// A cancellation was requested and is not decided. Cover continues.
        CancellationRequested = "CANCELLATION_REQUESTED",
        /// The policy was cancelled. Final.
        Cancelled = "CANCELLED",
        /// The last day to renew the policy has passed. Final.
        Lapsed = "LAPSED",
        /// The last day of cover has passed.
        Expired = "EXPIRED",
        /// Another policy renewed this one. Cover of this policy continues until its own last day. Final.
        Renewed = "RENEWED",
        /// A paid claim ended the cover of the last insured person. Final.
        Terminated = "TERMINATED",
    }
}

impl PolicyState {
    /// Validates one state change against the allowed transitions (D66).
    ///
    /// # Errors
    /// [`RefusedMove::NoSuchTransition`] if the change is not allowed. A change to the same state is never
    /// allowed.
    pub fn move_to(self, next: Self) -> Result<Self, RefusedMove> {
        use PolicyState::{CancellationRequested, Cancelled, Expired, Issued, Lapsed, Renewed, Terminated};
        match (self, next) {
            (Issued, CancellationRequested | Lapsed | Expired | Renewed | Terminated)
            | (CancellationRequested, Cancelled | Issued | Terminated) => Ok(next),
            (Issued | CancellationRequested | Cancelled | Lapsed | Expired | Renewed | Terminated, _) => {
                Err(RefusedMove::NoSuchTransition { from: self.word(), to: next.word() })
            }
        }
    }

    /// State of the policy on `today`. An issued policy expires after `last_day` and lapses after
    /// `renewable_until`, without a stored change (D66, D91). A policy with an undecided cancellation does
    /// neither, because the cancellation is still decided later.
    #[must_use]
    pub fn on(self, today: Date, last_day: Date, renewable_until: Option<Date>) -> Self {
        match self {
            PolicyState::Issued if renewable_until.is_some_and(|until| today > until) => PolicyState::Lapsed,
            PolicyState::Issued if today > last_day => PolicyState::Expired,
            stands => stands,
        }
    }

    /// Whether a policy in this state has cover during its period.
    pub const fn covers(self) -> bool {
        use PolicyState::{CancellationRequested, Issued, Renewed};
        matches!(self, Issued | CancellationRequested | Renewed)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn only_8_of_the_49_status_changes_of_a_policy_are_allowed() {
        use PolicyState::{CancellationRequested, Cancelled, Expired, Issued, Lapsed, Renewed, Terminated};
        let allowed = [
            (Issued, CancellationRequested),
            (Issued, Lapsed),
            (Issued, Expired),
            (Issued, Renewed),
            (CancellationRequested, Cancelled),
            (CancellationRequested, Issued),
            (Issued, Terminated),
            (CancellationRequested, Terminated),
        ]; // D66, D113
        for from in PolicyState::ALL {
            for to in PolicyState::ALL {
                assert_eq!(from.move_to(*to).is_ok(), allowed.contains(&(*from, *to)), "{from} to {to}");
            }
        }
    }

    #[test]
    fn an_issued_policy_expires_on_the_day_after_its_last_day() {
        let last = date(2027, 11, 19); // D66
        assert_eq!(PolicyState::Issued.on(last, last, None), PolicyState::Issued);
        assert_eq!(PolicyState::Issued.on(date(2027, 11, 20), last, None), PolicyState::Expired);
        assert_eq!(PolicyState::Issued.on(date(2099, 1, 1), last, None), PolicyState::Expired);
        for decided in [PolicyState::CancellationRequested, PolicyState::Cancelled, PolicyState::Renewed] {
            assert_eq!(decided.on(date(2030, 1, 1), last, Some(last)), decided);
        }
    }

    #[test]
    fn a_renewable_policy_lapses_on_the_day_after_its_grace_ends() {
        let (last, until) = (date(2027, 11, 19), date(2027, 12, 19)); // D91
        let on = |day| PolicyState::Issued.on(day, last, Some(until));
        assert_eq!(on(last), PolicyState::Issued);
        assert_eq!(on(date(2027, 11, 20)), PolicyState::Expired);
        assert_eq!(on(until), PolicyState::Expired);
        assert_eq!(on(date(2027, 12, 20)), PolicyState::Lapsed);
    }
}
