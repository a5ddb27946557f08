//! Parses the `eligibility` sections of credit-life products and variants.

use domain::money::Rupees;
use domain::person::DocumentType;
use domain::text::FromText;
use rust_decimal::Decimal;
use toml::de::DeValue;

use crate::between::Between;
use crate::credit_limits::{Limits, SaleTerms};
use crate::parse::ages::{Ages, ages};
use crate::parse::document::Section;
use crate::parse::parsed::{Parsed, between};
use crate::parse::values::{self, ValueError};

/// Highest `cover_up_to`, in percent of the loan.
const HIGHEST_COVER_UP_TO: u32 = 1000;

/// Most people that a certificate may insure. No proposal can name more people.
const MOST_MEMBERS: u32 = 50;

/// Default of `start_within_days`: most days between the sale and the start of cover.
const START_WITHIN_DAYS: u16 = 90;

/// Limits of one section. Keys may be absent or invalid.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParsedLimits {
    age_at_entry: Parsed<Ages>,
    age_at_end: Parsed<u16>,
    cover: Parsed<Between<Rupees>>,
    term_months: Parsed<Between<u32>>,
    members: Parsed<u16>,
    proposer_is_insured: Parsed<bool>,
    cover_up_to: Parsed<Decimal>,
    loan_required: Parsed<bool>,
    term_up_to_loan: Parsed<bool>,
    start_within_days: Parsed<u16>,
    same_quote_many: Parsed<bool>,
    documents: Parsed<Vec<DocumentType>>,
}

impl ParsedLimits {
    /// Parses an `eligibility` section. Without a section, all limits are absent.
    pub(crate) fn of(section: Option<&Section<'_>>) -> Self {
        let Some(section) = section else { return ParsedLimits::default() };
        let age = |value: &DeValue<'_>| values::whole(value, 0, 120).map(|age| age as u16);
        let members = |value: &DeValue<'_>| values::whole(value, 1, MOST_MEMBERS).map(|most| most as u16);
        let days = |value: &DeValue<'_>| values::whole(value, 0, 3650).map(|days| days as u16);
        let proposer = |value: &DeValue<'_>| Ok(values::word(value, &["insured", "anyone"])? == "insured");
        let same_quote = |value: &DeValue<'_>| Ok(values::word(value, &["once", "many"])? == "many");
        let percent = |value: &DeValue<'_>| values::percent(value, HIGHEST_COVER_UP_TO);
        ParsedLimits {
            members: optional(section, "members", members),
            proposer_is_insured: optional(section, "proposer", proposer),
            cover_up_to: optional(section, "cover_up_to", percent),
            loan_required: optional(section, "loan_required", values::flag),
            term_up_to_loan: optional(section, "term_up_to_loan", values::flag),
            start_within_days: optional(section, "start_within_days", days),
            same_quote_many: optional(section, "same_quote", same_quote),
            documents: Parsed::of(section, "documents", parse_documents(section)),
            age_at_entry: ages(section, "age_at_entry"),
            age_at_end: optional(section, "age_at_end", age),
            cover: between(section, "cover", values::amount),
            term_months: between(section, "term_months", |value| values::whole(value, 1, 1200)),
        }
    }

    /// Takes limits that are absent here from `others`.
    pub(crate) fn or(self, others: ParsedLimits) -> Self {
        ParsedLimits {
            members: self.members.or(others.members),
            proposer_is_insured: self.proposer_is_insured.or(others.proposer_is_insured),
            cover_up_to: self.cover_up_to.or(others.cover_up_to),
            loan_required: self.loan_required.or(others.loan_required),
            term_up_to_loan: self.term_up_to_loan.or(others.term_up_to_loan),
            start_within_days: self.start_within_days.or(others.start_within_days),
            same_quote_many: self.same_quote_many.or(others.same_quote_many),
            documents: self.documents.or(others.documents),
            age_at_entry: self.age_at_entry.or(others.age_at_entry),
            age_at_end: self.age_at_end.or(others.age_at_end),
            cover: self.cover.or(others.cover),
            term_months: self.term_months.or(others.term_months),
        }
    }

    /// Keys that the section omits, each with its default in words.
    pub(crate) fn unsaid(&self) -> Vec<(&'static str, &'static str)> {
        let keys = [
            (self.members.is_absent(), "members", "one person is insured"),
            (self.proposer_is_insured.is_absent(), "proposer", "the proposer is the first insured member"),
            (self.cover_up_to.is_absent(), "cover_up_to", "cover may be any multiple of the loan"),
            (self.term_up_to_loan.is_absent(), "term_up_to_loan", "cover may run longer than the loan"),
            (self.start_within_days.is_absent(), "start_within_days", "cover starts within 90 days"),
            (self.documents.is_absent(), "documents", "no document is required"),
        ];
        keys.into_iter().filter(|(absent, ..)| *absent).map(|(_, key, then)| (key, then)).collect()
    }

    /// Conditions of a sale. `None` if one of them is invalid.
    fn sale_terms(&self) -> Option<SaleTerms> {
        let cover_up_to = match self.cover_up_to {
            Parsed::Absent => None,
            Parsed::Value(percent) => Some(percent),
            Parsed::Invalid => return None,
        };
        Some(SaleTerms {
            members: self.members.or_default(|| 1)?,
            proposer_is_insured: self.proposer_is_insured.or_default(|| true)?,
            cover_up_to,
            loan_required: self.loan_required.or_default(|| false)?,
            term_up_to_loan: self.term_up_to_loan.or_default(|| false)?,
            start_within_days: self.start_within_days.or_default(|| START_WITHIN_DAYS)?,
            same_quote_many: self.same_quote_many.or_default(|| false)?,
            joint_life: false,
            documents: self.documents.clone().or_default(Vec::new)?,
        })
    }

    /// Completes the limits of a variant. Reports a limit that neither the variant nor its product has.
    pub(crate) fn finish(self, variant: &Section<'_>) -> Option<Limits> {
        let sale = self.sale_terms();
        let age_at_entry = self.age_at_entry.required("age_at_entry", variant);
        let cover = self.cover.required("cover", variant);
        let term_months = self.term_months.required("term_months", variant);
        let age_at_end = match self.age_at_end {
            Parsed::Absent => None,
            Parsed::Value(age) => Some(age),
            Parsed::Invalid => return None,
        };
        let limits = Limits {
            age_at_entry: age_at_entry?.years,
            least_at_entry: age_at_entry?.least,
            age_at_end,
            cover: cover?,
            term_months: term_months?,
            sale: sale?,
        };
        if let Some(end) = age_at_end.filter(|end| *end < limits.age_at_entry.least) {
            variant.report(
                "eligibility",
                format!("`age_at_end` ({end}) is below the least age at entry: nobody could be covered."),
            );
        }
        Some(limits)
    }
}

/// Parses a key that may be absent.
fn optional<T>(
    section: &Section<'_>,
    key: &str,
    parse: impl FnOnce(&DeValue<'_>) -> Result<T, ValueError>,
) -> Parsed<T> {
    Parsed::of(section, key, section.optional(key, parse))
}

/// Parses kinds of identity documents. The list may be empty.
fn parse_documents(section: &Section<'_>) -> Option<Vec<DocumentType>> {
    let kind = |value: &DeValue<'_>| values::word(value, DocumentType::WORDS);
    let kinds = section.list("documents", kind)?;
    kinds.into_iter().map(|(kind, _)| DocumentType::from_text(kind).ok()).collect()
}
