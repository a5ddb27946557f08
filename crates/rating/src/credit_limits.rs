//! Limits of credit-life variants. Quote requests are checked before a rate is looked up, and sales before
//! cover is promised.

use domain::date::{BirthDate, Date, LeastAge, last_day_of_cover};
use domain::money::Rupees;
use domain::person::DocumentType;
use domain::quote::{NotPriced, QuoteRequest};
use rust_decimal::Decimal;

use crate::between::Between;

/// Ages, cover and term that a variant allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Allowed ages on the first day of cover, in completed years.
    pub age_at_entry: Between<u16>,
    /// Exact least age at entry, if the catalogue gives it in days or months.
    pub least_at_entry: Option<LeastAge>,
    /// Highest age in completed years on the last day of cover. `None`: no limit.
    pub age_at_end: Option<u16>,
    /// Allowed cover amounts at the start.
    pub cover: Between<Rupees>,
    /// Allowed terms of the cover, in months.
    pub term_months: Between<u32>,
    /// Further conditions of a sale.
    pub sale: SaleTerms,
}

/// Conditions of a sale, which apply in addition to the limits of a quote request (D61).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleTerms {
    /// Most people that one certificate insures.
    pub members: u16,
    /// Whether the first insured member must be the proposer.
    pub proposer_is_insured: bool,
    /// Most cover of one person on one loan account, in percent of the loan amount. Applies only if the loan
    /// amount is known. `None`: no limit.
    pub cover_up_to: Option<Decimal>,
    /// Whether a sale must state the amount of the loan.
    pub loan_required: bool,
    /// Whether the term must not exceed the tenure of the loan. Applies only if the tenure is known.
    pub term_up_to_loan: bool,
    /// Most days between the sale and the start of cover.
    pub start_within_days: u16,
    /// Whether two people are priced together (joint life). To insure a second person, the quote must then
    /// contain that person (D76).
    pub joint_life: bool,
    /// Whether a quote's variant may be sold to the same person several times (D140).
    pub same_quote_many: bool,
    /// Kinds of identity documents that each insured member must have.
    pub documents: Vec<DocumentType>,
}

impl Limits {
    /// Checks a request for cover that starts on a day. Returns the age at entry in completed years (D22,
    /// D61).
    ///
    /// # Errors
    /// The first limit that the request breaks, in the order age, cover, term, age at the end.
    pub fn check(&self, request: &QuoteRequest, starts: Date) -> Result<u16, NotPriced> {
        let age = self.age_at_entry(request.born, starts)?;
        if !self.cover.holds(&request.cover.amount()) {
            return Err(NotPriced::Cover { least: self.cover.least, most: self.cover.most });
        }
        let months = request.term.as_months();
        if !self.term_months.holds(&months) {
            return Err(NotPriced::Term { least: self.term_months.least, most: self.term_months.most });
        }
        self.check_age_at_end(request.born, age, starts, months)?;
        Ok(age)
    }

    /// Checks the ages of a person who is insured for `months` from a day. Returns the age at entry in
    /// completed years.
    ///
    /// # Errors
    /// [`NotPriced::Age`], [`NotPriced::AgeFrom`] or [`NotPriced::AgeAtEnd`].
    pub(crate) fn check_ages(&self, born: BirthDate, starts: Date, months: u32) -> Result<u16, NotPriced> {
        let age = self.age_at_entry(born, starts)?;
        self.check_age_at_end(born, age, starts, months)?;
        Ok(age)
    }

    /// Age at entry in completed years, if it is within the limits.
    fn age_at_entry(&self, born: BirthDate, starts: Date) -> Result<u16, NotPriced> {
        let Between { least, most } = self.age_at_entry;
        let age = u16::try_from(born.age_on(starts)).ok().filter(|age| self.age_at_entry.holds(age));
        match self.least_at_entry {
            None => age.ok_or(NotPriced::Age { least, most }),
            Some(exact) => age
                .filter(|_| exact.is_reached(born, starts))
                .ok_or(NotPriced::AgeFrom { least: exact, most }),
        }
    }

    /// Checks the age on the last day of cover. `age` is the age at entry in completed years.
    fn check_age_at_end(
        &self,
        born: BirthDate,
        age: u16,
        starts: Date,
        months: u32,
    ) -> Result<(), NotPriced> {
        let Some(most) = self.age_at_end else { return Ok(()) };
        // Quick path: nobody ages by more than the years begun, so most requests need no calendar.
        if u32::from(age) + months / 12 < u32::from(most) {
            return Ok(());
        }
        let at_end = last_day_of_cover(starts, months).map(|last| born.age_on(last));
        if at_end.is_none_or(|age| age > most as i16) { Err(NotPriced::AgeAtEnd { most }) } else { Ok(()) }
    }
}
