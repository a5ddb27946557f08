//! Renewal: a policy that follows another one of the same plan, with the waiting periods that were served before it (D91).

use jiff::Unit;

use crate::date::Date;
use crate::id::PolicyId;
use crate::policy_number::PolicyNumber;

/// What a proposal and a policy keep of the policy that they renew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// The policy before.
    pub policy: PolicyId,
    pub number: PolicyNumber,
    /// The number under which the insurer keeps it, where it is another.
    pub insurer_number: Option<PolicyNumber>,
    /// The version of its certificate of which the people were taken: one that was endorsed since is not renewed by it.
    pub certificate_version: u32,
    /// Last day of its cover.
    pub ended: Date,
    /// The first day of the first policy of those that follow each other.
    pub covered_since: Date,
}

impl Renewal {
    /// First day of the cover of a renewal that is issued on a day: the day after the policy before, else the day of issue. In
    /// between nobody is covered.
    pub fn starts(&self, issued: Date) -> Date {
        let next = self.ended.tomorrow().unwrap_or(self.ended);
        next.max(issued)
    }
}

/// Completed months of a waiting period from the first day of cover until a day.
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
    fn a_renewal_follows_without_a_break_or_begins_when_it_is_issued() {
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
    fn months_are_served_from_day_to_day() {
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
