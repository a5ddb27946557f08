//! Claim rules of the catalogue: required documents, time limits (D81).

use domain::claim::{ClaimClocks, ClaimKind};
use domain::language::Text;

/// Claim rules for the policies of a class of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRules {
    /// Instructions for customers who want to claim, in a few sentences.
    pub how: Text,
    /// Days within which a claim must be settled, and the interest on a late payment.
    pub clocks: ClaimClocks,
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
    /// Rule for a kind of claim. `None`: these policies do not pay for this kind.
    pub fn of(&self, kind: ClaimKind) -> Option<&ClaimKindRule> {
        self.kinds.iter().find(|rule| rule.kind == kind)
    }
}
