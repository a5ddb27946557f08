//! Why a proposal or a change of its status was not saved.

use domain::id::ProposalId;

use crate::error::{ConflictReason, Error, Result};
use crate::storage::{Kept, StorageError};

/// Why nothing was saved.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// Another request with the same idempotency key was saved first (D36).
    Twin,
    /// Another proposal, with this id, is active for the same quote and variant (S4090).
    AlreadyActive(ProposalId),
    /// The journey was changed by another request meanwhile.
    JourneyChanged,
    /// Other sales on which the product's rules depend were saved meanwhile.
    SoldMeanwhile,
    /// Any other error.
    Failed(Error),
}

impl From<Error> for NotKept {
    fn from(fault: Error) -> Self {
        NotKept::Failed(fault)
    }
}

impl From<StorageError> for NotKept {
    fn from(fault: StorageError) -> Self {
        NotKept::Failed(fault.into())
    }
}

impl From<NotKept> for Error {
    fn from(why: NotKept) -> Self {
        match why {
            NotKept::Twin => Error::conflict_of(
                ConflictReason::MadeBefore,
                "An identical request was already answered.".into(),
            ),
            NotKept::AlreadyActive(other) => Error::conflict_of(
                ConflictReason::MadeBefore,
                format!("Another proposal for the same quote is active: {other}."),
            ),
            NotKept::JourneyChanged => Error::conflict_of(
                ConflictReason::ChangedMeanwhile,
                "The journey was changed by another request.".into(),
            ),
            NotKept::SoldMeanwhile => Error::conflict_of(
                ConflictReason::ChangedMeanwhile,
                "Other policies were sold on the same loan or quote meanwhile. Please try again.".into(),
            ),
            NotKept::Failed(fault) => fault,
        }
    }
}

impl NotKept {
    /// Result of saving. If another request with the same idempotency key was saved first, that is no error.
    ///
    /// # Errors
    /// Why nothing was saved, except for another request with the same key.
    pub(crate) fn or_twin(kept: Result<(), NotKept>) -> Result<Kept> {
        match kept {
            Ok(()) => Ok(Kept::New),
            Err(NotKept::Twin) => Ok(Kept::Twin),
            Err(why) => Err(why.into()),
        }
    }
}
