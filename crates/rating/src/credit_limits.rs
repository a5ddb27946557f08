//! Limits: whom a variant covers, for how much and how long, judged before any rate is looked up.

use domain::date::{Date, last_day_of_cover};
use domain::money::Rupees;
use domain::quote::{NotPriced, QuoteRequest};

use crate::between::Between;

/// Whom a variant covers, for how much and how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Age in completed years on the day of the quote.
    pub age_at_entry: Between<u16>,
    /// Greatest age in completed years on the last day of cover, counted from the day of the quote.
    pub age_at_end: Option<u16>,
    /// Cover at the start.
    pub cover: Between<Rupees>,
    /// Length of the cover in months.
    pub term_months: Between<u32>,
}

impl Limits {
    /// The age at entry, when all is within the limits (D22).
    ///
    /// # Errors
    /// The first limit that is overstepped: age, cover, term, age at the end.
    pub fn judge(&self, request: &QuoteRequest, on: Date) -> Result<u16, NotPriced> {
        let Between { least, most } = self.age_at_entry;
        let age = u16::try_from(request.born.age_on(on)).ok().filter(|age| self.age_at_entry.holds(age));
        let age = age.ok_or(NotPriced::Age { least, most })?;
        if !self.cover.holds(&request.cover.amount()) {
            return Err(NotPriced::Cover { least: self.cover.least, most: self.cover.most });
        }
        let months = request.term.as_months();
        if !self.term_months.holds(&months) {
            return Err(NotPriced::Term { least: self.term_months.least, most: self.term_months.most });
        }
        if let Some(most) = self.age_at_end {
            let at_end = last_day_of_cover(on, months).map(|last| request.born.age_on(last));
            if at_end.is_none_or(|age| age > most as i16) {
                return Err(NotPriced::AgeAtEnd { most });
            }
        }
        Ok(age)
    }
}
