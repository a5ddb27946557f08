//! The policy: what was issued, and from when to when it covers (D30, D53).

use crate::date::{Date, Timestamp, day_of, last_day_of_cover};
use crate::id::{PartnerId, PolicyId, ProposalId, VariantId};
use crate::money::{Premium, Rupees};
use crate::person::Name;
use crate::proposal::{Proposal, ProposalRequest};
use crate::quote::{CatalogueHash, EmbeddedQuote};
use crate::text::{FromText, one_line};

/// Characters of an insurer's own policy number, at most.
const LONGEST_NUMBER: usize = 100;

/// The number on a policy and its certificate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PolicyNumber(String);

impl PolicyNumber {
    /// The product's prefix, the year of issue, and the policy's own id in groups: unique because the id is.
    pub fn of(prefix: &str, year: i16, id: PolicyId) -> Self {
        let id = id.to_string().to_uppercase();
        let (head, tail) = id.split_at(id.len() - 8);
        let (_, middle) = head.split_at(head.len() - 4);
        PolicyNumber(format!("{prefix}-{year}-{middle}-{}-{}", &tail[..4], &tail[4..]))
    }

    /// A number as it was kept.
    pub fn kept(text: String) -> Self {
        PolicyNumber(text)
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PolicyNumber {
    const WANTED: &'static str = "a policy number of 1 to 100 characters that show on one line";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > LONGEST_NUMBER {
            return Err("longer text");
        }
        if one_line(text, LONGEST_NUMBER).as_deref() != Some(text) {
            return Err("text that does not show on one line");
        }
        Ok(PolicyNumber(text.to_owned()))
    }
}

impl std::fmt::Display for PolicyNumber {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.0)
    }
}

/// 128 random bits that name a certificate to whoever holds it: the QR code's address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CheckCode(pub [u8; 16]);

impl std::fmt::Debug for CheckCode {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("CheckCode(…)")
    }
}

/// From when to when a policy covers, both days included (D53).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverPeriod {
    /// First day.
    pub starts: Date,
    /// Last day.
    pub ends: Date,
}

impl CoverPeriod {
    /// The cover starts on the day of disbursement where that is today or later, else on the day of issue, and
    /// ends `months` months later, the day before (D53). `None` beyond the calendar.
    pub fn of(disbursed: Option<Date>, issued: Date, months: u32) -> Option<Self> {
        let starts = disbursed.filter(|day| *day >= issued).unwrap_or(issued);
        Some(CoverPeriod { starts, ends: last_day_of_cover(starts, months)? })
    }

    /// The period of a policy issued on a day: by the day of disbursement that the proposal tells, else the quote.
    pub fn proposed(request: &ProposalRequest, quote: &EmbeddedQuote, issued: Date) -> Option<Self> {
        let disbursed = request.context.disbursement_date().or(quote.request.context.disbursement_date());
        CoverPeriod::of(disbursed, issued, quote.request.term.as_months())
    }
}

/// An issued policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Its id.
    pub id: PolicyId,
    /// Whose customer it belongs to.
    pub partner: PartnerId,
    /// The proposal it came from.
    pub proposal: ProposalId,
    /// The number on the certificate.
    pub number: PolicyNumber,
    /// The number under which an insurer that decides itself keeps it.
    pub insurer_number: Option<PolicyNumber>,
    /// What the QR code names it by.
    pub check: CheckCode,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// From when to when it covers.
    pub cover: CoverPeriod,
    /// Cover at the start.
    pub sum_insured: Rupees,
    /// Length of the cover, in months.
    pub term_months: u32,
    /// The variant.
    pub variant: VariantId,
    /// The catalogue version whose names and texts it was issued under.
    pub catalogue: CatalogueHash,
    /// What it costs.
    pub premium: Premium,
    /// How the premium is settled (D29).
    pub settlement: String,
    /// The first insured member.
    pub holder: Name,
}

impl Policy {
    /// The policy that completes a proposal. `None` when its cover would run beyond the calendar.
    pub fn issue(
        proposal: &Proposal,
        quote: &EmbeddedQuote,
        terms: IssueTerms,
        at: Timestamp,
    ) -> Option<Policy> {
        let issued = day_of(at);
        let holder = proposal.request.insured_members.first().unwrap_or(&proposal.request.proposer);
        Some(Policy {
            id: terms.id,
            partner: proposal.partner,
            proposal: proposal.id,
            number: PolicyNumber::of(&terms.number_prefix, issued.year(), terms.id),
            insurer_number: terms.insurer_number,
            check: terms.check,
            issued_at: at,
            cover: CoverPeriod::proposed(&proposal.request, quote, issued)?,
            sum_insured: quote.request.cover.amount(),
            term_months: quote.request.term.as_months(),
            variant: proposal.variant,
            catalogue: quote.catalogue,
            premium: proposal.premium,
            settlement: terms.settlement,
            holder: holder.name.clone(),
        })
    }
}

/// What the service and the catalogue add to a proposal to make it a policy.
#[derive(Debug, Clone)]
pub struct IssueTerms {
    /// The new policy's id.
    pub id: PolicyId,
    /// Its check code.
    pub check: CheckCode,
    /// The product's prefix of policy numbers.
    pub number_prefix: String,
    /// The insurer's own number, where it decided.
    pub insurer_number: Option<PolicyNumber>,
    /// How the product's premium is settled (D29).
    pub settlement: String,
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn an_insurers_policy_number_shows_on_one_line() {
        for good in ["M", "MOCK/2026 1", "पॉ-१", &"9".repeat(100)] {
            assert!(PolicyNumber::from_text(good).is_ok(), "{good}"); // D54
        }
        for bad in ["", " ", " M", "M\n1", "M\u{202e}1", &"9".repeat(101)] {
            assert!(PolicyNumber::from_text(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn cover_starts_on_disbursement_unless_that_is_past() {
        let issued = date(2026, 11, 20); // D53
        let starts = |disbursed| CoverPeriod::of(disbursed, issued, 12).expect("in range").starts;
        assert_eq!(starts(None), issued);
        assert_eq!(starts(Some(date(2026, 11, 19))), issued);
        assert_eq!(starts(Some(issued)), issued);
        assert_eq!(starts(Some(date(2026, 12, 1))), date(2026, 12, 1));
    }
}
