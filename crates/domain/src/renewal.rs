//! Renewal of a policy by another policy of the same plan (D91).
//!
//! Waiting periods that were served under earlier policies count.

use jiff::Unit;

use crate::date::Date;
use crate::id::PolicyId;
use crate::policy_number::PolicyNumber;

/// Data about the old policy, in the proposal or policy that renews it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// Policy that is renewed.
    pub policy: PolicyId,
    pub number: PolicyNumber,
    /// Insurer's own number of the old policy, if it differs from `number`.
    pub insurer_number: Option<PolicyNumber>,
    /// Certificate version from which the insured people were copied. If the policy is endorsed later, this
    /// renewal is refused.
    pub certificate_version: u32,
    /// Last day of cover of the old policy.
    pub ended: Date,
    /// First day of the first policy in the unbroken chain of renewals.
    pub covered_since: Date,
}

impl Renewal {
    /// First day of cover if the renewal is issued on `issued`: the day after the old policy ends, or
    /// `issued` if that is later. Days between the two policies are not covered.
    pub fn starts(&self, issued: Date) -> Date {
        let next = self.ended.tomorrow().unwrap_or(self.ended);
        next.max(issued)
    }
}

/// Completed months of a waiting period from `covered_since` to `on`.
pub fn months_served(covered_since: Date, on: Date) -> u16 {
    let months =
        covered_since.until((Unit::Month, on)).map(|span| span.get_years() as i32 * 12 + span.get_months());
    months.ok().and_then(|months| u16::try_from(months).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::id::Uuid;

    #[test]
    fn a_renewal_starts_the_day_after_the_earlier_policy_or_on_its_later_issue_day() {
        let ended = date(2027, 11, 19); // D91
        let renewal = Renewal {
            policy: PolicyId::from_uuid(Uuid::nil()),
            number: PolicyNumber::kept("A/1".into()),
            insurer_number: None,
            certificate_version: 1,
            ended,
            covered_since: date(2026, 11, 20),
        };
        for (issued, starts) in [
            (date(2027, 10, 5), date(2027, 11, 20)),
            (ended, date(2027, 11, 20)),
            (date(2027, 11, 20), date(2027, 11, 20)),
            (date(2027, 12, 19), date(2027, 12, 19)),
        ] {
            assert_eq!(renewal.starts(issued), starts, "{issued}");
        }
    }

    #[test]
    fn a_month_of_a_waiting_period_is_served_on_the_same_day_of_the_next_month() {
        let since = date(2026, 11, 20);
        for (on, served) in [
            (date(2026, 11, 20), 0),
            (date(2026, 12, 19), 0),
            (date(2026, 12, 20), 1),
            (date(2027, 11, 20), 12),
            (date(2029, 11, 19), 35),
            (date(2029, 11, 20), 36),
            (date(2026, 1, 1), 0),
        ] {
            assert_eq!(months_served(since, on), served, "{on}");
        }
    }
}
