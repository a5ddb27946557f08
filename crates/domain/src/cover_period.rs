//! First and last day of a policy's cover.

use crate::date::{Date, last_day_of_cover};

/// First and last day of cover, both included (D53).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverPeriod {
    pub starts: Date,
    pub ends: Date,
}

impl CoverPeriod {
    /// Cover starts on the disbursement day if that is `issued` or later, else on `issued`. Cover lasts
    /// `months` months (D53). `None` if the calendar cannot represent the last day.
    pub fn of(disbursed: Option<Date>, issued: Date, months: u32) -> Option<Self> {
        let starts = disbursed.filter(|day| *day >= issued).unwrap_or(issued);
        Some(CoverPeriod { starts, ends: last_day_of_cover(starts, months)? })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn cover_starts_on_the_disbursement_day_unless_that_day_is_past() {
        let issued = date(2026, 11, 20); // D53
        let starts = |disbursed| CoverPeriod::of(disbursed, issued, 12).expect("in range").starts;
        assert_eq!(starts(None), issued);
        assert_eq!(starts(Some(date(2026, 11, 19))), issued);
        assert_eq!(starts(Some(issued)), issued);
        assert_eq!(starts(Some(date(2026, 12, 1))), date(2026, 12, 1));
    }
}
