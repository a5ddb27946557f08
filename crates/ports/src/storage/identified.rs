//! What the use cases need of a store to find records by what a customer or a sale is known by (D79). The store keeps keyed
//! hashes of identifiers beside each record, and makes them itself.

use async_trait::async_trait;
use domain::id::{PartnerId, Uuid};
use domain::identifier::Identifier;
use domain::line::LineOfBusiness;

use super::Result;

/// A kind of record that is found by identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identified {
    /// A health quote, by the partner's lead and user.
    HealthQuote,
    /// A proposal of a line, by its people and its reference.
    Proposal(LineOfBusiness),
    /// A policy, by its reference. An imported one also by its holder: others are found by their proposal.
    Policy,
}

/// Records of a store by their identifiers.
#[async_trait]
pub trait IdentifiedRecords: Send + Sync {
    /// The records of some partners that bear an identifier: whose they are, and their ids. The newest first; at most `most`.
    async fn identified(
        &self,
        of: &[PartnerId],
        kind: Identified,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<(PartnerId, Uuid)>>;
}
