//! Context data: keys and values that a partner sends along (interface §4, §5; D21).

use std::fmt;

use crate::date::{BirthDate, CalendarDate, Date, day_month_year};
use crate::money::{PlainAmount, Rupees};
use crate::person::{Gender, Occupation, PersonalLine, PrintedLine};
use crate::text::{FromText, one_line};

/// `context_data`: entries in the order they came. Unknown keys are kept and ignored. Its values may be
/// personal, so it prints as `Context(…)`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Context(Vec<ContextEntry>);

/// One key with its values.
#[derive(Clone, PartialEq, Eq)]
pub struct ContextEntry {
    key: String,
    values: Vec<String>,
}

/// Most characters of a value that is printed.
const LONGEST_LINE: usize = 100;

/// Keys that we understand.
pub mod key {
    /// Amount of the loan, in rupees.
    pub const LOAN_AMOUNT: &str = "loan_amount";
    /// Tenure of the loan, in months.
    pub const LOAN_TENURE: &str = "loan_tenure";
    /// The day the loan is disbursed.
    pub const DISBURSEMENT_DATE: &str = "disbursement_date";
    /// Who lends.
    pub const LENDER: &str = "lender";
    /// The number of the loan's account with the lender.
    pub const LOAN_ACCOUNT: &str = "loan_account_number";
    /// `yes` where the borrower has authorised the insurer to pay a claim to the lender first, up to what is owed.
    pub const CLAIMS_TO_LENDER: &str = "claims_to_lender";
    /// The day of birth of a joint borrower who is insured, too (D76).
    pub const JOINT_DATE_OF_BIRTH: &str = "joint_date_of_birth";
    /// The gender of that person.
    pub const JOINT_GENDER: &str = "joint_gender";
    /// The borrower's occupation, for products that price it (D74).
    pub const OCCUPATION: &str = "occupation";
    /// Whether the borrower uses tobacco: `yes` or `no`.
    pub const TOBACCO: &str = "tobacco";
    /// The riders that are wanted beside the cover, by the catalogue's ids (D77).
    pub const RIDERS: &str = "riders";
    /// What becomes of an insurer that a test partner asks (D97).
    pub const TEST_INSURER: &str = "test_insurer";
    /// The occupation that `OTHERS` stands for.
    pub const OCCUPATION_OTHER: &str = "occupation_other";
    /// The organization that `OTHERS` stands for.
    pub const ORGANIZATION_OTHER: &str = "organization_other";
}

crate::vocabulary! {
    /// An answer.
    YesOrNo, "yes or no" {
        /// It is so.
        Yes = "yes",
        /// It is not so.
        No = "no",
    }
}

/// Tenure of a loan in whole months, as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoanTenure(pub u32);

impl FromText for LoanTenure {
    const WANTED: &'static str = "a whole number of months";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("text that is not a whole number");
        }
        // Digits alone: what does not fit is longer than any loan.
        Ok(LoanTenure(text.parse().unwrap_or(u32::MAX)))
    }
}

impl ContextEntry {
    /// An entry as it came, trimmed.
    pub fn new(key: impl Into<String>, values: Vec<String>) -> Self {
        ContextEntry { key: key.into(), values }
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// Its values. They may be personal.
    pub fn reveal(&self) -> &[String] {
        &self.values
    }

    /// Whether any of its values is more than blank.
    pub fn tells(&self) -> bool {
        self.values.iter().any(|value| !value.trim().is_empty())
    }
}

/// Judges a trimmed value by its key: those that we understand have a form, all others are kept as they are (D21).
///
/// # Errors
/// What came, and what is wanted.
pub fn judge(key: &str, value: &str) -> Result<(), (&'static str, &'static str)> {
    fn has_form<T: FromText>(value: &str) -> Result<(), (&'static str, &'static str)> {
        let read = if value.is_empty() { Err("blank text") } else { T::from_text(value) };
        read.map(|_| ()).map_err(|came| (came, T::WANTED))
    }
    match key {
        key::LOAN_AMOUNT => has_form::<PlainAmount>(value),
        key::LOAN_TENURE => has_form::<LoanTenure>(value),
        key::DISBURSEMENT_DATE | key::JOINT_DATE_OF_BIRTH => has_form::<CalendarDate>(value),
        key::JOINT_GENDER => has_form::<Gender>(value),
        key::OCCUPATION => has_form::<Occupation>(value),
        key::TOBACCO => has_form::<YesOrNo>(&value.to_ascii_lowercase()),
        key::CLAIMS_TO_LENDER if !value.is_empty() => has_form::<YesOrNo>(&value.to_ascii_lowercase()),
        key::LENDER | key::LOAN_ACCOUNT if !value.is_empty() => has_form::<PrintedLine>(value),
        key::OCCUPATION_OTHER | key::ORGANIZATION_OTHER if !value.is_empty() => {
            has_form::<PersonalLine>(value)
        }
        _ => Ok(()),
    }
}

impl Context {
    /// The entries as they came, whose known keys were judged.
    pub fn of(entries: Vec<ContextEntry>) -> Self {
        Context(entries)
    }

    /// These entries before those of an earlier context: what was told last is found first.
    #[must_use]
    pub fn over(&self, earlier: &Context) -> Context {
        Context(self.0.iter().chain(&earlier.0).cloned().collect())
    }

    pub fn entries(&self) -> &[ContextEntry] {
        &self.0
    }

    /// The first value of a key, where it has one that is not blank.
    pub fn first(&self, key: &str) -> Option<&str> {
        let entries = self.0.iter().filter(|entry| entry.key == key);
        entries.flat_map(|entry| &entry.values).map(String::as_str).find(|value| !value.trim().is_empty())
    }

    pub fn loan_amount(&self) -> Option<Rupees> {
        PlainAmount::from_text(self.first(key::LOAN_AMOUNT)?).ok().map(|amount| amount.0)
    }

    /// Tenure of the loan, in months; none where it is longer than can be counted.
    pub fn loan_tenure(&self) -> Option<u32> {
        LoanTenure::from_text(self.first(key::LOAN_TENURE)?)
            .ok()
            .map(|months| months.0)
            .filter(|months| *months < u32::MAX)
    }

    /// Who lends, as a line of text.
    pub fn lender(&self) -> Option<String> {
        self.line(key::LENDER)
    }

    /// The number of the loan's account with the lender, as a line of text.
    pub fn loan_account(&self) -> Option<String> {
        self.line(key::LOAN_ACCOUNT)
    }

    /// Whether the borrower has authorised the insurer to pay a claim to the lender first.
    pub fn claims_to_lender(&self) -> bool {
        self.is_yes(key::CLAIMS_TO_LENDER)
    }

    /// A value that is printed.
    fn line(&self, key: &str) -> Option<String> {
        one_line(self.first(key)?, LONGEST_LINE)
    }

    /// What is told of a joint borrower who is insured, too: as a quote would tell it.
    pub fn of_joint_life(born: BirthDate, gender: Gender) -> Context {
        let entry = |key: &str, value: String| ContextEntry::new(key, vec![value]);
        Context(vec![
            entry(key::JOINT_DATE_OF_BIRTH, day_month_year(born.reveal())),
            entry(key::JOINT_GENDER, gender.word().to_owned()),
        ])
    }

    /// The day of birth of a joint borrower who is insured, too.
    pub fn joint_date_of_birth(&self) -> Option<BirthDate> {
        let born = CalendarDate::from_text(self.first(key::JOINT_DATE_OF_BIRTH)?).ok()?;
        Some(BirthDate::kept(born.0))
    }

    /// The gender of that person.
    pub fn joint_gender(&self) -> Option<Gender> {
        Gender::from_text(self.first(key::JOINT_GENDER)?).ok()
    }

    /// What is told of a borrower's occupation, as a quote would tell it.
    pub fn of_occupation(occupation: Occupation) -> Context {
        Context(vec![ContextEntry::new(key::OCCUPATION, vec![occupation.word().to_owned()])])
    }

    /// The borrower's occupation.
    pub fn occupation(&self) -> Option<Occupation> {
        Occupation::from_text(self.first(key::OCCUPATION)?.trim()).ok()
    }

    /// Whether the borrower is said to use tobacco.
    pub fn tobacco(&self) -> bool {
        self.is_yes(key::TOBACCO)
    }

    fn is_yes(&self, key: &str) -> bool {
        self.first(key).is_some_and(|value| value.trim().eq_ignore_ascii_case(YesOrNo::Yes.word()))
    }

    /// The riders that are wanted: the values of the first entry that names any, in its order, trimmed.
    pub fn riders(&self) -> impl Iterator<Item = &str> {
        let entry = self.0.iter().find(|entry| entry.key == key::RIDERS && entry.tells());
        let values = entry.into_iter().flat_map(|entry| &entry.values);
        values.map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The day the loan is disbursed.
    pub fn disbursement_date(&self) -> Option<Date> {
        CalendarDate::from_text(self.first(key::DISBURSEMENT_DATE)?).ok().map(|date| date.0)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Context(…)")
    }
}

impl fmt::Debug for ContextEntry {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("ContextEntry(…)")
    }
}
