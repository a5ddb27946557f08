//! Partners and keys in memory, read again when the store's revision changes.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::Partner;
use foldhash::fast::RandomState;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use crate::clock::Clock;
use crate::keys::{Hasher, Key, KeyPurpose};
use crate::shared::token_key::TokenKey;
use crate::storage::{Keys, PartnerRecord, Partners, StorageError};

/// Partners and keys, as read at one revision.
pub(crate) struct Known {
    /// Has a fast hash, because every request looks up its partner several times. This hash is safe, because
    /// this service makes the ids, so an attacker cannot choose ids that collide.
    partners: HashMap<PartnerId, Arc<PartnerRecord>, RandomState>,
    by_client_id: HashMap<String, Arc<PartnerRecord>>,
    /// Live keys of each purpose, newest first. Each can compute keyed hashes.
    hashers: HashMap<KeyPurpose, Vec<LiveHasher>>,
    /// Live signing keys, two at most.
    pub(crate) token_keys: Vec<Arc<TokenKey>>,
}

/// Live key that computes keyed hashes.
#[derive(Clone)]
struct LiveHasher {
    /// Time since which the key is used for new hashes.
    active_from: Timestamp,
    hasher: Arc<Hasher>,
}

/// Directory of partners and keys in one process.
pub struct Directory {
    partners: Arc<dyn Partners>,
    keys: Arc<dyn Keys>,
    clock: Arc<dyn Clock>,
    /// Issuer of access tokens: the base URL that partners call.
    issuer: Arc<str>,
    known: ArcSwap<Known>,
    revision: AtomicU64,
}

impl Known {
    async fn read(partners: &dyn Partners, keys: &dyn Keys, issuer: &str) -> Result<Self, StorageError> {
        // Read the keys first, because a record that is read later may be sealed with the newest key.
        let keys = keys.keys().await?;
        let records: Vec<_> = partners.partners().await?.into_iter().map(Arc::new).collect();
        let mut hashers = HashMap::new();
        for purpose in KeyPurpose::ALL {
            let live = keys.iter().filter(|key| key.purpose == *purpose && key.retired_at.is_none());
            let mut live: Vec<&Key> = live.collect();
            if live.is_empty() {
                return Err(StorageError::Damaged(format!("there is no live {} key", purpose.word())));
            }
            live.sort_by_key(|key| Reverse(key.number));
            let hasher =
                |key: &Key| LiveHasher { active_from: key.active_from, hasher: Arc::new(Hasher::of(key)) };
            hashers.insert(*purpose, live.into_iter().map(hasher).collect());
        }
        let live = keys.iter().filter(|key| key.purpose == KeyPurpose::Signing && key.retired_at.is_none());
        let token_keys = live.map(|key| TokenKey::of(key, issuer).map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Known {
            partners: records.iter().map(|record| (record.partner.id, record.clone())).collect(),
            by_client_id: records
                .into_iter()
                .map(|record| (record.partner.client_id.clone(), record))
                .collect(),
            hashers,
            token_keys,
        })
    }

    fn live_hashers(&self, purpose: KeyPurpose) -> &[LiveHasher] {
        self.hashers.get(&purpose).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn partner(&self, id: PartnerId) -> Option<&Partner> {
        self.record(id).map(|record| &record.partner)
    }

    pub(crate) fn record(&self, id: PartnerId) -> Option<&PartnerRecord> {
        self.partners.get(&id).map(Arc::as_ref)
    }

    /// Partner by its id or `client_id`.
    pub(crate) fn partner_named(&self, named: &str) -> Option<PartnerId> {
        let by_id = named.parse().ok().filter(|id| self.partners.contains_key(id));
        by_id.or_else(|| self.by_client_id.get(named).map(|record| record.partner.id))
    }

    /// Enabled partner with these credentials, and the number of the secret. Secrets are compared in constant
    /// time (D5).
    pub(crate) fn authenticated(
        &self,
        client_id: &str,
        secret: &[u8; 32],
    ) -> Option<(Arc<PartnerRecord>, u32)> {
        let record = self.by_client_id.get(client_id);
        let live = record.iter().flat_map(|record| &record.secrets).filter(|kept| kept.revoked_at.is_none());
        let number = live
            .fold(0, |number, kept| u32::conditional_select(&number, &kept.number, kept.hash.ct_eq(secret)));
        record.filter(|record| number > 0 && record.partner.enabled).map(|record| (record.clone(), number))
    }

    /// Key that signed the tokens with this header.
    pub(crate) fn token_key(&self, header: &str) -> Option<&Arc<TokenKey>> {
        self.token_keys.iter().find(|key| key.header() == header)
    }

    /// Newest active key that signs tokens. If no key is active yet, the oldest one.
    pub(crate) fn signing_key(&self, now: Timestamp) -> Option<&Arc<TokenKey>> {
        let active = self.token_keys.iter().filter(|key| key.active_from() <= now);
        let newest = active.max_by_key(|key| key.number());
        newest.or_else(|| self.token_keys.iter().min_by_key(|key| key.number()))
    }
}

impl Directory {
    pub(crate) async fn open(
        partners: Arc<dyn Partners>,
        keys: Arc<dyn Keys>,
        clock: Arc<dyn Clock>,
        issuer: Arc<str>,
    ) -> Result<Self, StorageError> {
        let revision = partners.revision().await?;
        let known = Known::read(partners.as_ref(), keys.as_ref(), &issuer).await?;
        let (known, revision) = (ArcSwap::from_pointee(known), AtomicU64::new(revision));
        Ok(Directory { partners, keys, clock, issuer, known, revision })
    }

    /// Reads partners and keys again if they have changed. This is called every 2 seconds, so that all
    /// processes know a disabled partner or a revoked scope within 5 seconds.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be reached; earlier data stays in use.
    pub async fn refresh(&self) -> Result<(), StorageError> {
        let revision = self.partners.revision().await?;
        if revision != self.revision.load(Ordering::Acquire) {
            let known = Known::read(self.partners.as_ref(), self.keys.as_ref(), &self.issuer).await?;
            self.known.store(Arc::new(known));
            // The revision was read before the data, so that the next call sees a change in between.
            self.revision.store(revision, Ordering::Release);
        }
        Ok(())
    }

    /// Partner by its id, as this process knows it now.
    pub fn partner(&self, id: PartnerId) -> Option<Partner> {
        self.known().partner(id).cloned()
    }

    /// Partner by its id or `client_id`.
    pub fn partner_named(&self, named: &str) -> Option<PartnerId> {
        self.known().partner_named(named)
    }

    pub fn partner_ids(&self) -> Vec<PartnerId> {
        self.known().partners.keys().copied().collect()
    }

    pub(crate) fn known(&self) -> arc_swap::Guard<Arc<Known>> {
        self.known.load()
    }

    /// Hasher for new hashes of a purpose.
    pub(crate) fn hasher(&self, purpose: KeyPurpose) -> Arc<Hasher> {
        let known = self.known.load();
        let live = known.live_hashers(purpose);
        match live {
            // Most stores have one key for each purpose, and need no clock here.
            [only] => only.hasher.clone(),
            _ => {
                let now = self.clock.now();
                let active = live.iter().find(|live| live.active_from <= now).or(live.last());
                active
                    .map(|live| live.hasher.clone())
                    .expect("a live key of every purpose: checked by Known::read")
            }
        }
    }

    /// Hashers of a purpose whose hashes are accepted, newest first.
    pub(crate) fn hashers(&self, purpose: KeyPurpose) -> Vec<Arc<Hasher>> {
        self.known.load().live_hashers(purpose).iter().map(|live| live.hasher.clone()).collect()
    }

    /// Whether any accepted key of a purpose makes this hash. `is_it` compares the hash of one key, and must
    /// do so in constant time.
    pub(crate) fn accepts(&self, purpose: KeyPurpose, is_it: impl Fn(&Hasher) -> bool) -> bool {
        self.known.load().live_hashers(purpose).iter().any(|live| is_it(&live.hasher))
    }
}
