//! Import of health proposals and policies that an operator sold elsewhere: a whole file or nothing.

use domain::policy::Policy;
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use domain::date::Timestamp;
use domain::health_proposal::HealthProposal;
use domain::id::{Id, Kind, PartnerId, Uuid};

use crate::error::Result;
use crate::shared::Shared;
use crate::storage::{ImportEnd, Records};

/// Imports health proposals and policies.
pub struct ImportService {
    pub(crate) shared: Arc<Shared>,
}

impl ImportService {
    /// Saves imported proposals, all or none.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]; nothing was saved then.
    pub async fn proposals(&self, records: Records<HealthProposal>) -> Result<ImportEnd> {
        Ok(self.shared.storage.import_proposals(records).await?)
    }

    /// Saves imported policies, all or none.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]; nothing was saved then.
    pub async fn policies(&self, records: Records<Policy>) -> Result<ImportEnd> {
        Ok(self.shared.storage.import_policies(records).await?)
    }

    /// Removes the records of imports that were interrupted, for example because their process was killed.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn end_dead(&self) -> Result<()> {
        Ok(self.shared.storage.end_dead_imports().await?)
    }
}

/// Id for a record that has none, derived from its time and content. The same file read again gives the same
/// ids, so that it is refused instead of stored twice.
pub fn id_of_record<K: Kind>(at: Timestamp, of: PartnerId, record: &[u8]) -> Id<K> {
    let mut hasher = Context::new(&SHA256);
    hasher.update(of.uuid().as_bytes());
    hasher.update(record);
    let hash = hasher.finish();
    let half = |from: usize| {
        u64::from_be_bytes(hash.as_ref()[from..from + 8].try_into().expect("SHA-256 is 32 bytes"))
    };
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
    let high = (millis << 16) | 0x7000 | (half(0) & 0xfff);
    Id::from_uuid(Uuid::from_u64_pair(high, (half(8) & (u64::MAX >> 2)) | (0b10 << 62)))
}
