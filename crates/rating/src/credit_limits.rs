//! Limits of credit-life variants, which a request must keep before any rate is looked up, and a sale before cover is
//! promised.

use domain::date::{BirthDate, Date, LeastAge, last_day_of_cover};
use domain::money::Rupees;
use domain::person::DocumentType;
use domain::quote::{NotPriced, QuoteRequest};
use rust_decimal::Decimal;

use crate::between::Between;

/// Whom a variant covers, for how much and how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Age in completed years on the day on which cover starts.
    pub age_at_entry: Between<u16>,
    /// The least age at entry, where it is not in whole years.
    pub least_at_entry: Option<LeastAge>,
    /// Greatest age in completed years on the last day of cover.
    pub age_at_end: Option<u16>,
    /// Cover at the start.
    pub cover: Between<Rupees>,
    /// Length of the cover in months.
    pub term_months: Between<u32>,
    /// What is asked of a sale beside these.
    pub sale: SaleTerms,
}

/// What a variant asks of a sale beside its limits (D61).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleTerms {
    /// The most people that one certificate insures.
    pub members: u16,
    /// Whether the proposer must be the first insured member.
    pub proposer_is_insured: bool,
    /// The most cover of one person on one loan account, in percent of the loan, if the loan is told. `None`: any.
    pub cover_up_to: Option<Decimal>,
    /// Whether cover is sold only for a loan whose amount is told.
    pub loan_required: bool,
    /// Whether cover may not run longer than the loan, where the loan's tenure is told.
    pub term_up_to_loan: bool,
    /// Days ahead in which cover may start.
    pub start_within_days: u16,
    /// Whether two people are priced together, so that a second one must have been quoted (D76).
    pub joint_life: bool,
    /// Kinds of documents that each insured member must have.
    pub documents: Vec<DocumentType>,
}

impl Limits {
    /// Checks a request for cover that starts on a day. Gives the age at entry in completed years (D22, D61).
    ///
    /// # Errors
    /// The first limit that the request exceeds: age, cover, term, age at the end.
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

    /// Checks the ages of somebody who is insured for so many months, from a day on. Gives the age at entry in completed
    /// years.
    ///
    /// # Errors
    /// [`NotPriced::Age`], [`NotPriced::AgeFrom`], [`NotPriced::AgeAtEnd`].
    pub(crate) fn check_ages(&self, born: BirthDate, starts: Date, months: u32) -> Result<u16, NotPriced> {
        let age = self.age_at_entry(born, starts)?;
        self.check_age_at_end(born, age, starts, months)?;
        Ok(age)
    }

    /// The age at entry in completed years.
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

    /// `age` is the age at entry.
    fn check_age_at_end(
        &self,
        born: BirthDate,
        age: u16,
        starts: Date,
        months: u32,
    ) -> Result<(), NotPriced> {
        let Some(most) = self.age_at_end else { return Ok(()) };
        // Nobody grows older by more than the years begun: for most the calendar need not be asked.
        if u32::from(age) + months / 12 < u32::from(most) {
            return Ok(());
        }
        let at_end = last_day_of_cover(starts, months).map(|last| born.age_on(last));
        if at_end.is_none_or(|age| age > most as i16) { Err(NotPriced::AgeAtEnd { most }) } else { Ok(()) }
    }
}
