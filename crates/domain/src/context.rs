//! Context data: extra keys and values that a partner sends (interface §4, §5; D21).

use std::fmt;

use crate::date::{BirthDate, CalendarDate, Date, day_month_year};
use crate::money::{PlainAmount, Rupees};
use crate::person::{Gender, Occupation, PersonalLine, PrintedLine};
use crate::text::{FromText, folded, one_line};

/// `context_data`: entries in the order received. Unknown keys are stored and ignored. Values may be
/// personal, so `Debug` prints only `Context(…)`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Context(Vec<ContextEntry>);

/// One key with its values.
#[derive(Clone, PartialEq, Eq)]
pub struct ContextEntry {
    key: String,
    values: Vec<String>,
}

/// Maximum length of a printed value, in characters.
const LONGEST_LINE: usize = 100;

/// Keys of `context_data` that the service understands.
pub mod key {
    /// Loan amount in rupees.
    pub const LOAN_AMOUNT: &str = "loan_amount";
    /// Loan tenure in months.
    pub const LOAN_TENURE: &str = "loan_tenure";
    /// Day of the loan's disbursement.
    pub const DISBURSEMENT_DATE: &str = "disbursement_date";
    /// Name of the lender.
    pub const LENDER: &str = "lender";
    /// Loan account number at the lender.
    pub const LOAN_ACCOUNT: &str = "loan_account_number";
    /// `yes` if the borrower authorised the insurer to pay a claim to the lender first, up to the outstanding
    /// loan.
    pub const CLAIMS_TO_LENDER: &str = "claims_to_lender";
    /// Date of birth of a joint borrower who is also insured (D76).
    pub const JOINT_DATE_OF_BIRTH: &str = "joint_date_of_birth";
    /// Gender of the insured joint borrower.
    pub const JOINT_GENDER: &str = "joint_gender";
    /// Borrower's occupation, for products whose price depends on it (D74).
    pub const OCCUPATION: &str = "occupation";
    /// Whether the borrower uses tobacco: `yes` or `no`.
    pub const TOBACCO: &str = "tobacco";
    /// Catalogue ids of the chosen riders (D77).
    pub const RIDERS: &str = "riders";
    /// How the simulated insurer behaves, for a test partner (D97).
    pub const TEST_INSURER: &str = "test_insurer";
    /// Description of the occupation, if the occupation is `OTHERS`.
    pub const OCCUPATION_OTHER: &str = "occupation_other";
    /// Description of the organization, if the organization is `OTHERS`.
    pub const ORGANIZATION_OTHER: &str = "organization_other";
}

crate::vocabulary! {
    YesOrNo, "yes or no" {
        Yes = "yes",
        No = "no",
    }
}

/// Loan tenure in whole months, parsed from text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoanTenure(pub u32);

impl FromText for LoanTenure {
    const WANTED: &'static str = "a whole number of months";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("text that is not a whole number");
        }
        // Only digits: a number that does not fit is longer than any loan.
        Ok(LoanTenure(text.parse().unwrap_or(u32::MAX)))
    }
}

impl ContextEntry {
    /// Makes an entry. The values must be trimmed already.
    pub fn new(key: impl Into<String>, values: Vec<String>) -> Self {
        ContextEntry { key: key.into(), values }
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// Values of the entry. They may be personal.
    pub fn reveal(&self) -> &[String] {
        &self.values
    }

    /// Whether at least one value is not blank.
    pub fn tells(&self) -> bool {
        self.values.iter().any(|value| !value.trim().is_empty())
    }
}

/// Validates a trimmed value if its key is known. Other values are stored as received (D21).
///
/// # Errors
/// Two descriptions: of the refused value, and of the expected value.
pub fn judge(key: &str, value: &str) -> Result<(), &'static str> {
    fn has_form<T: FromText>(value: &str) -> Result<(), &'static str> {
        let parsed = (!value.is_empty()).then(|| T::from_text(value).ok()).flatten();
        parsed.map(|_| ()).ok_or(T::WANTED)
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
    /// Context of entries. The values of known keys must be validated already.
    pub fn of(entries: Vec<ContextEntry>) -> Self {
        Context(entries)
    }

    /// Context with these entries before those of an earlier context. So these newer values take precedence.
    #[must_use]
    pub fn over(&self, earlier: &Context) -> Context {
        Context(self.0.iter().chain(&earlier.0).cloned().collect())
    }

    pub fn entries(&self) -> &[ContextEntry] {
        &self.0
    }

    /// First value of the key that is not blank.
    pub fn first(&self, key: &str) -> Option<&str> {
        let entries = self.0.iter().filter(|entry| entry.key == key);
        entries.flat_map(|entry| &entry.values).map(String::as_str).find(|value| !value.trim().is_empty())
    }

    pub fn loan_amount(&self) -> Option<Rupees> {
        PlainAmount::from_text(self.first(key::LOAN_AMOUNT)?).ok().map(|amount| amount.0)
    }

    /// Loan tenure in months. `None` if the tenure is missing, or exceeds `u32`.
    pub fn loan_tenure(&self) -> Option<u32> {
        LoanTenure::from_text(self.first(key::LOAN_TENURE)?)
            .ok()
            .map(|months| months.0)
            .filter(|months| *months < u32::MAX)
    }

    /// Lender's name as one line of text.
    pub fn lender(&self) -> Option<String> {
        self.line(key::LENDER)
    }

    /// Loan account number at the lender, as one line of text.
    pub fn loan_account(&self) -> Option<String> {
        self.line(key::LOAN_ACCOUNT)
    }

    /// Whether two contexts name the same loan account. Letter case and invisible characters are ignored (D140).
    pub fn has_loan_account_of(&self, other: &Context) -> bool {
        self.loan_account_folded().is_some_and(|account| other.loan_account_folded() == Some(account))
    }

    /// Loan account number, in the form in which accounts are compared.
    pub fn loan_account_folded(&self) -> Option<String> {
        self.loan_account().map(|account| folded(&account)).filter(|account| !account.is_empty())
    }

    /// Whether the borrower authorised the insurer to pay a claim to the lender first.
    pub fn claims_to_lender(&self) -> bool {
        self.is_yes(key::CLAIMS_TO_LENDER)
    }

    /// First value of the key, as one line that can be printed.
    fn line(&self, key: &str) -> Option<String> {
        one_line(self.first(key)?, LONGEST_LINE)
    }

    /// Context entries for an insured joint borrower, in the form of a quote request.
    pub fn of_joint_life(born: BirthDate, gender: Gender) -> Context {
        let entry = |key: &str, value: String| ContextEntry::new(key, vec![value]);
        Context(vec![
            entry(key::JOINT_DATE_OF_BIRTH, day_month_year(born.reveal())),
            entry(key::JOINT_GENDER, gender.word().to_owned()),
        ])
    }

    /// Date of birth of the insured joint borrower.
    pub fn joint_date_of_birth(&self) -> Option<BirthDate> {
        let born = CalendarDate::from_text(self.first(key::JOINT_DATE_OF_BIRTH)?).ok()?;
        Some(BirthDate::kept(born.0))
    }

    /// Gender of the insured joint borrower.
    pub fn joint_gender(&self) -> Option<Gender> {
        Gender::from_text(self.first(key::JOINT_GENDER)?).ok()
    }

    /// Context entry for the borrower's occupation, in the form of a quote request.
    pub fn of_occupation(occupation: Occupation) -> Context {
        Context(vec![ContextEntry::new(key::OCCUPATION, vec![occupation.word().to_owned()])])
    }

    pub fn occupation(&self) -> Option<Occupation> {
        Occupation::from_text(self.first(key::OCCUPATION)?.trim()).ok()
    }

    /// Whether the borrower uses tobacco, according to the context.
    pub fn tobacco(&self) -> bool {
        self.is_yes(key::TOBACCO)
    }

    fn is_yes(&self, key: &str) -> bool {
        self.first(key).is_some_and(|value| value.trim().eq_ignore_ascii_case(YesOrNo::Yes.word()))
    }

    /// Catalogue ids of the chosen riders: the trimmed values of the first `riders` entry that has a value.
    pub fn riders(&self) -> impl Iterator<Item = &str> {
        let entry = self.0.iter().find(|entry| entry.key == key::RIDERS && entry.tells());
        let values = entry.into_iter().flat_map(|entry| &entry.values);
        values.map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Day of the loan's disbursement.
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
