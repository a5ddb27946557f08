//! Interface of the store: one trait per kind of record, joined in [`Storage`].
//!
//! Each method is one operation in one transaction. This module uses `keys`.

pub mod approvals;
pub mod audit;
pub mod calendars;
pub mod claims;
pub mod complaints;
pub mod embedded_quotes;
pub mod events;
pub mod health_quotes;
pub mod identified;
pub mod imports;
pub mod installation;
pub mod jobs;
pub mod journeys;
pub mod keys;
pub mod lists;
pub mod notices;
pub mod partners;
pub mod personal_data;
pub mod policies;
pub mod premiums;
pub mod proposals;
pub mod request_log;
pub mod responses;
pub mod sessions;
pub mod statements;
pub mod status_pages;
pub mod team;
pub mod test_data;
pub mod webhooks;
pub mod work_items;

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use thiserror::Error;

pub use approvals::Approvals;
pub use audit::Audit;
pub use calendars::Calendars;
pub use claims::{CHUNK, ClaimAct, ClaimPapers, Claims};
pub use complaints::Complaints;
pub use embedded_quotes::EmbeddedQuotes;
pub use events::{EventPage, EventQuery, Events, NewEvent};
pub use health_quotes::HealthQuotes;
pub use identified::{Identified, IdentifiedRecords};
pub use imports::{ImportEnd, Imports, Records};
pub use installation::{Fact, Installation, StoreServer};
pub use jobs::Jobs;
pub use journeys::Journeys;
pub use keys::Keys;
pub use notices::Notices;
pub use partners::{PartnerRecord, Partners, SecretRecord, TokenCount};
pub use personal_data::PersonalData;
pub use policies::{CertificateDocument, Certificates, Policies};
pub use premiums::{Deposits, PremiumAct, Premiums};
pub use proposals::{
    Issue, Moved, ProposalAct, ProposalLine, ProposalOwners, Proposals, Proposed, RenewedPolicy, SaleCount,
    Sales,
};
pub use request_log::RequestLogs;
pub use responses::{Kept, KeyedResponse, Responses};
pub use sessions::Sessions;
pub use statements::Statements;
pub use status_pages::StatusPages;
pub use team::Team;
pub use test_data::TestData;
pub use webhooks::Webhooks;
pub use work_items::WorkItems;

/// Result of a store operation.
pub type Result<T, E = StorageError> = std::result::Result<T, E>;

/// Why a store operation failed.
#[derive(Debug, Clone, Error)]
pub enum StorageError {
    /// The store is unavailable, full, locked or overloaded, or a newer program wrote the record (D56). A
    /// retry may succeed. Nothing was done, unless the response to a commit was lost.
    #[error("storage is unavailable: {0}")]
    Away(String),
    /// A record cannot be read: it is damaged, or sealed with another key.
    #[error("storage is damaged: {0}")]
    Damaged(String),
    /// The store refused an inconsistent change, such as a second policy with the same number.
    #[error("storage refused the operation: {0}")]
    Refused(String),
    /// All checks of the operation passed, and it was undone, because it was only a rehearsal
    /// ([`crate::acting::Acting::rehearsal`]).
    #[error("the operation was only rehearsed")]
    Rehearsed,
}

impl StorageError {
    /// The text of the reason, without the kind of error.
    pub fn into_why(self) -> String {
        match self {
            StorageError::Away(why) | StorageError::Damaged(why) | StorageError::Refused(why) => why,
            StorageError::Rehearsed => StorageError::Rehearsed.to_string(),
        }
    }
}

/// Store operations for proposals of all lines of business.
pub trait Lines: Proposals<CreditLife> + Proposals<Health> {}

impl<S: Proposals<CreditLife> + Proposals<Health>> Lines for S {}

/// A complete store. All engines behave alike: the tests in `storage/tests/contract` define the behaviour.
pub trait Storage:
    Installation
    + Audit
    + Team
    + Approvals
    + WorkItems
    + Partners
    + Keys
    + Responses
    + Sessions
    + Journeys
    + Jobs
    + EmbeddedQuotes
    + Events
    + Webhooks
    + HealthQuotes
    + IdentifiedRecords
    + Imports
    + ProposalOwners
    + Sales
    + StatusPages
    + Policies
    + Certificates
    + Calendars
    + RequestLogs
    + TestData
    + PersonalData
    + Claims
    + ClaimPapers
    + Statements
    + Notices
    + Complaints
    + Premiums
    + Deposits
    + Lines
{
}
