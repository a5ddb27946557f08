//! Renewals: from when on and until when a policy can be renewed, by rules of the catalogue (D91).

use std::fmt;

use domain::date::{Date, days_before, in_words};

/// The rules by which policies of a class of cover are renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenewalRules {
    /// How many days before the last day of cover a renewal is called to mind: the most first, at least one. From the first of
    /// them on the policy can be renewed.
    pub notice_days: Vec<u16>,
    /// Days after the last day of cover within which a renewal keeps the waiting periods that were served. May be nought.
    pub grace_days: u16,
    /// Where the rules come from.
    pub source: String,
}

/// Why a policy is not renewed. Its `Display` is a sentence for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRenewable {
    /// These products have no rules for it.
    NoRules,
    /// The running catalogue does not have its variant any more.
    NotSold,
    /// It is too early: it can be renewed from this day on.
    TooEarly(Date),
    /// The plan is not offered to these people any more, for this reason.
    NotOffered(String),
}

impl fmt::Display for NotRenewable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRenewable::NoRules => to.write_str("Policies of this product are not renewed here."),
            NotRenewable::NotSold => {
                to.write_str("Its plan is not sold any more: its insurer offers another one.")
            }
            NotRenewable::TooEarly(first) => {
                write!(to, "The policy can be renewed from {} on.", in_words(*first))
            }
            NotRenewable::NotOffered(why) => write!(to, "The policy is not renewed by itself. {why}"),
        }
    }
}

impl RenewalRules {
    /// The most days of grace that there can be.
    pub const LONGEST_GRACE: u16 = 90;

    /// The first day on which a policy can be renewed that covers up to a day.
    pub fn first_day(&self, last_day: Date) -> Date {
        let most = self.notice_days.first().copied().unwrap_or(0);
        days_before(last_day, most).unwrap_or(last_day)
    }

    /// The notice that has come for a policy on a day: the least of those days before its last one that are over. `None` before
    /// the first notice, and after the last day.
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
    fn the_notice_is_the_last_one_that_has_come() {
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
