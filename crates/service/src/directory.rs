//! Partners and keys in memory, read again when the store's revision says that they changed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::Partner;
use subtle::{Choice, ConstantTimeEq};

use crate::keys::{Key, KeyPurpose};
use crate::storage::{PartnerRecord, Storage, StorageError};
use crate::token::TokenKey;

/// What was read at one revision.
pub(crate) struct Known {
    partners: HashMap<PartnerId, Arc<PartnerRecord>>,
    by_client_id: HashMap<String, Arc<PartnerRecord>>,
    keys: Vec<Key>,
    /// Live signing keys by the header that their tokens carry.
    pub(crate) token_keys: HashMap<String, Arc<TokenKey>>,
}

/// The directory of one process.
pub(crate) struct Directory {
    known: ArcSwap<Known>,
    revision: AtomicU64,
}

impl Known {
    async fn read(storage: &dyn Storage, issuer: &str) -> Result<Self, StorageError> {
        let records: Vec<_> = storage.partners().await?.into_iter().map(Arc::new).collect();
        let keys = storage.keys().await?;
        for purpose in KeyPurpose::ALL {
            if !keys.iter().any(|key| key.purpose == *purpose && key.retired_at.is_none()) {
                return Err(StorageError::Damaged(format!("it has no live {} key", purpose.word())));
            }
        }
        let live = keys.iter().filter(|key| key.purpose == KeyPurpose::Signing && key.retired_at.is_none());
        let token_keys = live
            .map(|key| TokenKey::of(key, issuer).map(|key| (key.header().to_owned(), Arc::new(key))))
            .collect::<Result<_, _>>()?;
        Ok(Known {
            partners: records.iter().map(|record| (record.partner.id, record.clone())).collect(),
            by_client_id: records
                .into_iter()
                .map(|record| (record.partner.client_id.clone(), record))
                .collect(),
            keys,
            token_keys,
        })
    }

    pub(crate) fn partner(&self, id: PartnerId) -> Option<&Partner> {
        self.partners.get(&id).map(|record| &record.partner)
    }

    /// The partner of an id or a `client_id`.
    pub(crate) fn partner_named(&self, named: &str) -> Option<PartnerId> {
        let by_id = named.parse().ok().filter(|id| self.partners.contains_key(id));
        by_id.or_else(|| self.by_client_id.get(named).map(|record| record.partner.id))
    }

    /// The enabled partner that these credentials are of. Secrets are compared in constant time (D5).
    pub(crate) fn authenticated(&self, client_id: &str, secret: &[u8; 32]) -> Option<Arc<PartnerRecord>> {
        let record = self.by_client_id.get(client_id);
        let live = record.iter().flat_map(|record| &record.secrets).filter(|kept| kept.revoked_at.is_none());
        let good = live.fold(Choice::from(0), |good, kept| good | kept.hash.ct_eq(secret));
        record.filter(|record| bool::from(good) && record.partner.enabled).cloned()
    }

    /// The newest active key that signs tokens.
    pub(crate) fn signing_key(&self, now: Timestamp) -> Option<&Arc<TokenKey>> {
        let active = self.token_keys.values().filter(|key| key.active_from() <= now);
        let newest = active.max_by_key(|key| key.number());
        newest.or_else(|| self.token_keys.values().min_by_key(|key| key.number()))
    }
}

impl Directory {
    pub(crate) async fn read(storage: &dyn Storage, issuer: &str) -> Result<Self, StorageError> {
        let revision = storage.revision().await?;
        let known = Known::read(storage, issuer).await?;
        Ok(Directory { known: ArcSwap::from_pointee(known), revision: AtomicU64::new(revision) })
    }

    pub(crate) async fn refresh(&self, storage: &dyn Storage, issuer: &str) -> Result<(), StorageError> {
        let revision = storage.revision().await?;
        if revision != self.revision.load(Ordering::Acquire) {
            self.known.store(Arc::new(Known::read(storage, issuer).await?));
            // The revision was looked at first: a change in between is seen the next time.
            self.revision.store(revision, Ordering::Release);
        }
        Ok(())
    }

    pub(crate) fn known(&self) -> arc_swap::Guard<Arc<Known>> {
        self.known.load()
    }

    /// The live key of a purpose that has one at a time.
    pub(crate) fn key(&self, purpose: KeyPurpose) -> Key {
        let known = self.known.load();
        let live = known.keys.iter().filter(|key| key.purpose == purpose && key.retired_at.is_none());
        live.max_by_key(|key| key.number)
            .cloned()
            .expect("a live key of every purpose: checked by Known::read")
    }
}
