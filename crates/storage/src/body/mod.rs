//! Bodies: what a row holds beside its searched columns, in a compact form with a version.
//!
//! The first byte is the version. Then the fields in the order declared: whole numbers as variable-length
//! quantities, text with its length before it, options and lists likewise, words of the contract as their place
//! in the contract's list. A released version is never changed: a new one is added, and both are read.

mod codec;
mod health;
mod journey;
mod people;
mod records;

pub(crate) use codec::{decode, encode};
pub(crate) use health::{HealthOutcomeBody, HealthQuoteBody, SessionBody};
pub(crate) use journey::{HealthPolicyBody, HealthProposalBody, JourneyBody};
pub(crate) use records::{PolicyBody, ProposalBody, QuoteBody};
