//! Renewal rules of the catalogue: the period in which a policy can be renewed (D91).

use std::fmt;

use domain::date::{Date, days_before, in_words};

/// Renewal rules for the policies of a class of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenewalRules {
    /// Numbers of days before the last day of cover on which a renewal reminder is due. Descending, never
    /// empty. The policy can be renewed from the first reminder on.
    pub notice_days: Vec<u16>,
    /// Days after the last day of cover in which the policy can still be renewed. The customer then keeps the
    /// waiting periods that have already passed. Can be zero.
    pub grace_days: u16,
    /// Legal source of the rules, as text.
    pub source: String,
}

/// Why a policy cannot be renewed. `Display` prints a sentence for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRenewable {
    /// The product has no renewal rules.
    NoRules,
    /// The current catalogue no longer has the variant.
    NotSold,
    /// It is too early. The policy can be renewed from this day.
    TooEarly(Date),
    /// The plan is no longer offered to these people, for this reason.
    NotOffered(String),
}

impl fmt::Display for NotRenewable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRenewable::NoRules => to.write_str("Policies of this product cannot be renewed here."),
            NotRenewable::NotSold => {
                to.write_str("The plan is not sold any more: the insurer offers another plan.")
            }
            NotRenewable::TooEarly(first) => {
                write!(to, "The policy can be renewed from {} on.", in_words(*first))
            }
            NotRenewable::NotOffered(why) => write!(to, "The policy cannot be renewed unchanged. {why}"),
        }
    }
}

impl RenewalRules {
    /// Most days of grace that a catalogue may allow after the last day of cover.
    pub const LONGEST_GRACE: u16 = 90;

    /// First day on which a policy can be renewed. `last_day` is the policy's last day of cover.
    pub fn first_day(&self, last_day: Date) -> Date {
        let most = self.notice_days.first().copied().unwrap_or(0);
        days_before(last_day, most).unwrap_or(last_day)
    }

    /// The latest reminder that is due on the day `on`. Reminders are named by their number of days before
    /// the last day of cover. `None` before the first reminder and after the last day.
    pub fn notice(&self, last_day: Date, on: Date) -> Option<u16> {
        let has_come = |days: &&u16| days_before(last_day, **days).is_some_and(|day| day <= on);
        self.notice_days.iter().rev().find(has_come).copied().filter(|_| on <= last_day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i16, month: i8, day: i8) -> Date {
        Date::constant(year, month, day)
    }

    #[test]
    fn the_renewal_notice_is_the_latest_one_that_is_due() {
        let rules = RenewalRules { notice_days: vec![45, 30, 15, 1], grace_days: 30, source: "x".into() };
        let last = date(2027, 11, 19);
        assert_eq!(rules.first_day(last), date(2027, 10, 5));
        for (on, notice) in [
            (date(2027, 10, 4), None),
            (date(2027, 10, 5), Some(45)),
            (date(2027, 10, 19), Some(45)),
            (date(2027, 10, 20), Some(30)),
            (date(2027, 11, 4), Some(15)),
            (date(2027, 11, 17), Some(15)),
            (date(2027, 11, 18), Some(1)),
            (last, Some(1)),
            (date(2027, 11, 20), None),
        ] {
            assert_eq!(rules.notice(last, on), notice, "{on}"); // D91
        }
    }
}
