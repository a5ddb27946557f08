//! PostgreSQL: the engine for many processes on one database, or for one that speaks its protocol.
//!
//! An act is one statement, which commits by itself: it takes one round trip, and leaves nothing half done whatever
//! fails. Unique indexes and conditions on the row decide between those who come at once; nothing rests on an isolation
//! level above READ COMMITTED, on a replica, or on what a session remembers.

mod act;
mod address;
mod answer;
mod column;
mod connections;
mod embedded_quote;
mod gather;
mod health_policy;
mod health_proposal;
mod health_quote;
mod import;
mod job;
mod journey;
mod key;
mod list;
mod migration;
mod moves;
mod partner;
mod policy;
mod proposal;
mod session;
mod tls;
mod token;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, QuoteId, Uuid};
use domain::partner::Partner;
use domain::policy::{CheckCode, Policy};
use domain::proposal::{Move, Proposal, ProposalStatus};
use domain::quote::{CatalogueHash, EmbeddedQuote};
use service::clock::{Clock, Random};
use service::idempotency::{AnswerKey, KeptAnswer};
use service::keys::{Key, KeyPurpose};
use service::storage::{
    CertificateDocument, Fact, Kept, Moved, Once, PartnerRecord, ProposalAct, ProposalLine, SecretRecord,
    Storage, StorageError, TokenCount,
};

use crate::OpenError;
use crate::keyring::Keyring;
use crate::rows;
use crate::seal::Seal;
use act::Act;
use column::{get, values};
use connections::Connections;
use gather::{AT_ONCE, Gatherer};
use list::Pages;

pub use address::is_postgres;

/// Slots that counts are spread over, so that writers do not wait for each other at one row (D33).
const SLOTS: u8 = 16;

/// Longest that a migration may take, and so the longest wait for another process's.
const MIGRATING: Duration = Duration::from_secs(600);

/// What the operator says about the database. It does not print: a password may stand in its address.
#[derive(Clone)]
pub struct Database {
    /// Its address, such as `postgres://user:password@host:5432/database`.
    pub address: String,
    /// Connections of this process at most, beside the two that quotes are kept on.
    pub connections: usize,
    /// Whether a pooler stands between that gives each transaction to another session.
    pub pooler: bool,
    /// Whether a server is taken that does not keep what it acknowledged.
    pub unsafe_is_fine: bool,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Database(…)")
    }
}

/// A store on a PostgreSQL server.
pub struct Postgres {
    connections: Arc<Connections>,
    embedded_quotes: Gatherer<rows::embedded_quote::Row>,
    health_quotes: Gatherer<rows::health_quote::Row>,
    pages: Lists,
    /// Where this process counts what does not come in groups.
    slot: i16,
    seal: Arc<Seal>,
    keyring: Keyring,
    random: Arc<dyn Random>,
}

/// The statements of each list.
struct Lists {
    quotes: Pages,
    proposals: Pages,
    policies: Pages,
}

impl Postgres {
    /// Opens the store in a database, or makes it there: schema, keys, and the keyring where there is no store yet.
    /// Several processes may do this at once.
    ///
    /// # Errors
    /// [`OpenError::Unfit`] for an address that is none, or a server that does not keep what it acknowledged;
    /// [`OpenError::Keyring`] when the keyring is missing or cannot be used; [`OpenError::Store`] when the server
    /// refuses or is away, or the store was written by a newer program or under another keyring.
    pub async fn open(
        database: &Database,
        keyring: &Path,
        clock: &dyn Clock,
        random: Arc<dyn Random>,
    ) -> Result<Self, OpenError> {
        let (connections, writers) = pools(database)?;
        if !database.unsafe_is_fine {
            judge_durability(&connections).await?;
        }
        let keyring = prepare(&connections, keyring, clock.now(), random.as_ref()).await?;
        let keys = key::open(&connections.read(key::LIST, values![]).await?, &keyring)?;
        let slots = slots(random.as_ref());
        Ok(Postgres {
            connections: Arc::new(connections),
            embedded_quotes: Gatherer::start(writers.clone(), slots),
            health_quotes: Gatherer::start(writers, slots),
            pages: Lists {
                quotes: Pages::of(&health_quote::LIST),
                proposals: Pages::of(&health_proposal::LIST),
                policies: Pages::of(&health_policy::LIST),
            },
            slot: slots[0],
            seal: Arc::new(Seal::new(&keys, random.clone())),
            keyring,
            random,
        })
    }

    /// Whether there is a store in a database.
    ///
    /// # Errors
    /// As of [`Postgres::open`].
    pub async fn is_there(database: &Database) -> Result<bool, OpenError> {
        let (connections, _) = pools(database)?;
        let is_there = include_str!("../../sql/migrations/is_there.postgres.sql");
        let found = connections.read_one(is_there, values![]).await?;
        Ok(found.map_or(Ok(false), |row| get(&row, 0))?)
    }
}

/// The pool for everything, and the one for records that are kept in groups.
fn pools(database: &Database) -> Result<(Connections, Arc<Connections>), OpenError> {
    let config = address::parse(&database.address).map_err(OpenError::Unfit)?;
    let tls = tls::connector(&config).map_err(OpenError::Unfit)?;
    let pool = |most| Connections::new(config.clone(), tls.clone(), most, !database.pooler);
    Ok((pool(database.connections), Arc::new(pool(AT_ONCE))))
}

/// Refuses a server that would lose what it acknowledged.
async fn judge_durability(connections: &Connections) -> Result<(), OpenError> {
    let settings = include_str!("../../sql/settings/durability.postgres.sql");
    let mut faults = Vec::new();
    for row in connections.read(settings, values![]).await? {
        let (name, value): (String, String) = (get(&row, 0)?, get(&row, 1)?);
        let is_fine = match name.as_str() {
            "synchronous_commit" => ["on", "remote_write", "remote_apply"].contains(&value.as_str()),
            _ => value == "on",
        };
        if !is_fine {
            faults.push(format!("{name} = {value}"));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(OpenError::Unfit(format!(
        "the server would lose what it acknowledged: {}; turn it on there, or set database_unsafe to accept",
        faults.join(", ")
    )))
}

/// Brings the schema up, and makes the keys that are missing, while other processes wait. The keyring is made where
/// there is no key yet: a new one could not open an old store, and would only hide that the right one is missing.
async fn prepare(
    connections: &Connections,
    keyring: &Path,
    now: Timestamp,
    random: &dyn Random,
) -> Result<Keyring, OpenError> {
    migration::make_gate(connections).await.map_err(StorageError::from)?;
    let act = Act::begin(connections).await.map_err(StorageError::from)?.patient(MIGRATING);
    migration::apply(&act, now).await?;
    let found = act.say(key::LIST, values![]).await.map_err(StorageError::from)?.rows;
    let keyring =
        if found.is_empty() { Keyring::read_or_make(keyring, random)? } else { Keyring::read(keyring)? };
    let there = key::open(&found, &keyring)?;
    let missing: Vec<KeyPurpose> = rows::key::missing(&there).collect();
    for purpose in missing {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        key::add(&act, &keyring, random, purpose, secret, now, now).await?;
        act.say(include_str!("../../sql/revision/raise.sql"), values![]).await.map_err(StorageError::from)?;
    }
    act.commit().await.map_err(StorageError::from)?;
    Ok(keyring)
}

/// Slots of this process. Two processes may have the same: then they wait for each other now and then.
fn slots(random: &dyn Random) -> [i16; AT_ONCE] {
    let mut bytes = [0; AT_ONCE];
    random.fill(&mut bytes);
    bytes.map(|byte| i16::from(byte % SLOTS))
}

#[async_trait]
impl Storage for Postgres {
    async fn ready(&self) -> Result<(), StorageError> {
        let touch = include_str!("../../sql/revision/touch.sql");
        self.connections.write(touch, values![]).await?;
        Ok(())
    }

    async fn close(&self) -> Result<(), StorageError> {
        self.connections.close();
        Ok(())
    }

    async fn remember(&self, fact: Fact, value: &str) -> Result<(), StorageError> {
        let remember = include_str!("../../sql/facts/remember.sql");
        self.connections.write(remember, values![fact.word(), value]).await?;
        Ok(())
    }

    async fn remembered(&self, fact: Fact) -> Result<Option<String>, StorageError> {
        let read = include_str!("../../sql/facts/read.sql");
        let found = self.connections.read_one(read, values![fact.word()]).await?;
        found.map(|row| get(&row, 0)).transpose()
    }

    async fn revision(&self) -> Result<u64, StorageError> {
        let found = self.connections.read_one(include_str!("../../sql/revision/read.sql"), values![]).await?;
        let row = found.ok_or_else(|| StorageError::Damaged("the revision is gone".into()))?;
        Ok(get::<i64>(&row, 0)?.unsigned_abs())
    }

    async fn partners(&self) -> Result<Vec<PartnerRecord>, StorageError> {
        self.read_partners().await
    }

    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<(), StorageError> {
        self.add_one_partner(partner, secret).await
    }

    async fn change_partner(&self, partner: &Partner) -> Result<bool, StorageError> {
        self.change_one_partner(partner).await
    }

    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
    ) -> Result<bool, StorageError> {
        self.add_one_secret(of, secret, most).await
    }

    async fn revoke_secret(&self, of: PartnerId, number: u32, at: Timestamp) -> Result<bool, StorageError> {
        self.revoke_one_secret(of, number, at).await
    }

    async fn keys(&self) -> Result<Vec<Key>, StorageError> {
        self.read_keys().await
    }

    async fn add_key(
        &self,
        purpose: KeyPurpose,
        secret: [u8; 32],
        created_at: Timestamp,
        active_from: Timestamp,
        most: usize,
    ) -> Result<Option<Key>, StorageError> {
        self.add_one_key(purpose, secret, created_at, active_from, most).await
    }

    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError> {
        self.retire_one_key(number, at).await
    }

    async fn count_token(
        &self,
        of: PartnerId,
        token: Uuid,
        at: Timestamp,
        limit: u32,
    ) -> Result<TokenCount, StorageError> {
        self.count_one_token(of, token, at, limit).await
    }

    async fn keep_catalogue(
        &self,
        hash: CatalogueHash,
        canonical: &[u8],
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let keep = include_str!("../../sql/catalogues/keep.sql");
        self.connections.write(keep, values![&hash.0[..], canonical, at.as_microsecond()]).await?;
        Ok(())
    }

    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>, StorageError> {
        let read = include_str!("../../sql/catalogues/read.sql");
        let found = self.connections.read_one(read, values![&hash.0[..]]).await?;
        found.map(|row| get(&row, 0)).transpose()
    }

    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        once: Option<&Once>,
    ) -> Result<Kept, StorageError> {
        self.keep_quote(quote, once).await
    }

    async fn embedded_quote(
        &self,
        of: PartnerId,
        id: QuoteId,
    ) -> Result<Option<EmbeddedQuote>, StorageError> {
        self.read_quote(of, id).await
    }

    async fn keep_proposal(&self, proposal: &Proposal, act: ProposalAct<'_>) -> Result<Kept, StorageError> {
        self.keep_new_proposal(proposal, act).await
    }

    async fn proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<Proposal>, StorageError> {
        self.read_proposal(of, id).await
    }

    async fn proposal_with_quote(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<(Proposal, Option<EmbeddedQuote>)>, StorageError> {
        self.read_proposal_with_quote(of, id).await
    }

    async fn partner_of_proposal(&self, id: ProposalId) -> Result<Option<PartnerId>, StorageError> {
        self.read_partner_of(id).await
    }

    async fn proposals(
        &self,
        of: PartnerId,
        status: Option<ProposalStatus>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, StorageError> {
        self.list_proposals(of, status, most).await
    }

    async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: ProposalStatus,
        act: ProposalAct<'_>,
    ) -> Result<Moved, StorageError> {
        self.move_kept_proposal(of, id, from, act).await
    }

    async fn history(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move>, StorageError> {
        self.list_moves(of, id).await
    }

    async fn policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<Policy>, StorageError> {
        self.read_policy(of, id).await
    }

    async fn certificate(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError> {
        self.read_certificate(of, id).await
    }

    async fn policy_by_check(&self, check: CheckCode) -> Result<Option<Policy>, StorageError> {
        self.read_checked_policy(check).await
    }

    async fn kept_answer(
        &self,
        of: PartnerId,
        key: AnswerKey,
        since: Timestamp,
    ) -> Result<Option<KeptAnswer>, StorageError> {
        self.read_answer(of, key, since).await
    }

    async fn forget_answers(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        self.drop_answers(before, most).await
    }
}
