//! Claim rules of the catalogue: required documents, time limits (D81).

use domain::claim::{ClaimClocks, ClaimKind};
use domain::date::Date;
use domain::language::Text;

use crate::dated_rates::LateInterest;

/// Claim rules for the policies of a class of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRules {
    /// Instructions for customers who want to claim, in a few sentences.
    pub how: Text,
    /// Days within which a claim must be settled.
    pub settle_within_days: u16,
    /// The same if the insurer has the claim investigated.
    pub investigated_within_days: u16,
    /// Interest on a late payment, by the day of the notice.
    pub late_interest: LateInterest,
    /// Kinds of claims that these policies pay for, with the documents that each kind needs.
    pub kinds: Vec<ClaimKindRule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimKindRule {
    pub kind: ClaimKind,
    pub papers: Vec<Paper>,
}

/// Document that a customer must upload for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// Id by which uploads name the document.
    pub id: String,
    pub name: Text,
    /// Whether a claim is paid only if this document is there.
    pub required: bool,
}

impl ClaimRules {
    /// Time limits and interest of a claim of which notice is given on a day.
    pub fn clocks_on(&self, day: Date) -> ClaimClocks {
        ClaimClocks {
            settle_within_days: self.settle_within_days,
            investigated_within_days: self.investigated_within_days,
            late_interest: self.late_interest.on(day),
        }
    }

    /// Rule for a kind of claim. `None`: these policies do not pay for this kind.
    pub fn of(&self, kind: ClaimKind) -> Option<&ClaimKindRule> {
        self.kinds.iter().find(|rule| rule.kind == kind)
    }
}
