//! Store operations that find records by identifiers of a customer or a sale (D79). The store makes keyed
//! hashes of the identifiers, and stores them with each record.

use async_trait::async_trait;
use domain::id::{PartnerId, Uuid};
use domain::identifier::Identifier;
use domain::line::LineOfBusiness;

use super::Result;

/// Kind of record that has identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identified {
    /// Health quote, by the platform's lead and user ids.
    HealthQuote,
    /// Proposal, by the identifiers of its people and by its reference.
    Proposal(LineOfBusiness),
    /// Policy, by its reference and by claimants. An imported policy also by its people; the people of other
    /// policies are found through the proposal.
    Policy,
    /// Session, by the values of its metadata.
    Session,
}

#[async_trait]
pub trait IdentifiedRecords: Send + Sync {
    /// Records of these partners that have the identifier. For each: its partner and its id. Newest first; at
    /// most `most`.
    async fn identified(
        &self,
        of: &[PartnerId],
        kind: Identified,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<(PartnerId, Uuid)>>;

    /// Makes the hashes of the people of all records, if records of an earlier version lack some. Returns the number
    /// of records. It can be interrupted and repeated.
    async fn index_people(&self) -> Result<u64>;
}
