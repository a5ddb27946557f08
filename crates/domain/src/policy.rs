//! The policy, the same in every line of business: what was issued, and from when to when it covers (D30, D53).

use crate::date::{Date, Timestamp, day_of, last_day_of_cover};
use crate::id::{PartnerId, PolicyId, ProposalId, SessionId};
use crate::line::Line;
use crate::money::{Premium, Rupees};
use crate::proposal::Proposal;
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
}

/// A policy of a line of business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy<L: Line> {
    /// Its id.
    pub id: PolicyId,
    /// Whose customer it belongs to.
    pub partner: PartnerId,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// The proposal it came from. `None` for an imported one.
    pub proposal: Option<ProposalId>,
    /// Our number, which stands on the certificate.
    pub number: PolicyNumber,
    /// The number under which the insurer keeps it, where it is another.
    pub insurer_number: Option<PolicyNumber>,
    /// What the QR code of its certificate names it by. `None` for an imported one, which has no certificate of ours.
    pub check: Option<CheckCode>,
    /// When it was issued: by its day in Asia/Kolkata lists find it (D32).
    pub issued_at: Timestamp,
    /// Cover at the start.
    pub sum_insured: Rupees,
    /// What it costs.
    pub premium: Premium,
    /// What the line holds beside this.
    pub cover: L::Cover,
}

impl<L: Line> Policy<L> {
    /// The policy that completes a proposal. `None` when there can be none: see [`Line::cover`].
    pub fn issue(proposal: &Proposal<L>, terms: IssueTerms, at: Timestamp) -> Option<Policy<L>> {
        let issued = day_of(at);
        let (sum_insured, cover) = L::cover(proposal, issued, terms.settlement)?;
        Some(Policy {
            id: terms.id,
            partner: proposal.partner,
            session: proposal.session,
            proposal: Some(proposal.id),
            number: PolicyNumber::of(&terms.number_prefix, issued.year(), terms.id),
            insurer_number: terms.insurer_number,
            check: Some(terms.check),
            issued_at: at,
            sum_insured,
            premium: proposal.premium,
            cover,
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
