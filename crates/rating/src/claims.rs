//! Claims: which papers a claim needs, and within how many days it is settled, by rules of the catalogue (D81).

use domain::claim::{ClaimClocks, ClaimKind};
use domain::language::Text;

/// The rules of claims on policies of a class of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRules {
    /// How a customer claims, in a few sentences.
    pub how: Text,
    /// Within how many days a claim is settled, and the interest on a later payment.
    pub clocks: ClaimClocks,
    /// The kinds of claims that these policies know, each with its papers.
    pub kinds: Vec<ClaimKindRule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimKindRule {
    /// Which.
    pub kind: ClaimKind,
    /// The papers that it needs.
    pub papers: Vec<Paper>,
}

/// A paper that a claim needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// What uploads name it by.
    pub id: String,
    /// What it is called.
    pub name: Text,
    /// Whether nothing is paid without it.
    pub required: bool,
}

impl ClaimRules {
    /// The rule of a kind. `None`: these policies do not pay for it.
    pub fn of(&self, kind: ClaimKind) -> Option<&ClaimKindRule> {
        self.kinds.iter().find(|rule| rule.kind == kind)
    }
}
