//! Database rows of partners and their secrets.
//!
//! A list, such as the scopes, is one text column. An encrypted column can be decrypted only if the other
//! columns are unchanged.

use crate::records::row::{ToRow, row};
use std::time::Duration;

use async_trait::async_trait;
use domain::access::{Scope, Scopes};
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::{Partner, Sandbox};
use domain::person::PersonalLine;
use domain::text::FromText;
use ports::storage::partners::ClockChange;
use ports::storage::{NewEvent, PartnerRecord, Partners, Result, SecretRecord, StorageError, TokenCount};

use super::bound::Bound;
use super::event::{self, EventRow};
use super::id_bytes;
use crate::audit::{UPKEEP, on};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::seal::Seal;
use crate::store::Store;

const PARTNERS: &str = "partners";
const SECRETS: &str = "secrets";

/// Columns to which a partner's proof is bound: all columns of the partner. `scopes`: the scopes as written
/// in their column.
fn bound(partner: &Partner, scopes: &str) -> Bound {
    Bound::row(partner.id, &id_bytes(partner.id))
        .bytes(Some(partner.client_id.as_bytes()))
        .bytes(Some(partner.name.as_bytes()))
        .number(partner.enabled)
        .bytes(Some(scopes.as_bytes()))
        .number(partner.legacy_reads)
        .number(partner.attribution)
        .bytes(Some(lines(&partner.origins).as_bytes()))
        .bytes(Some(lines(&partner.return_urls).as_bytes()))
        .number(partner.tokens_per_hour)
        .optional(partner.tokens_ended_at.map(Timestamp::as_microsecond))
        .number(partner.created_at.as_microsecond())
        .number(partner.is_test())
        .number(clock_ahead(partner))
}

/// Column value of a test partner's clock: microseconds ahead of the real time.
pub(crate) fn clock_ahead(partner: &Partner) -> i64 {
    partner.sandbox.map_or(0, |sandbox| i64::try_from(sandbox.ahead.as_micros()).unwrap_or(i64::MAX))
}

/// Sandbox of a test partner, from its columns.
pub(crate) fn sandbox(is_test: bool, ahead: i64) -> Option<Sandbox> {
    // A live partner has no clock. If its column has one, the proof fails.
    (is_test || ahead != 0).then(|| Sandbox { ahead: Duration::from_micros(ahead.unsigned_abs()) })
}

/// Partner with a changed clock. `kept`: column value of the clock before the change.
pub(crate) fn with_clock(partner: &Partner, kept: i64, change: ClockChange) -> Partner {
    let kept = Duration::from_micros(kept.unsigned_abs());
    let ahead = match change {
        ClockChange::Keep => kept,
        ClockChange::Advance(by) => kept.saturating_add(by),
        ClockChange::Reset => Duration::ZERO,
    };
    Partner { sandbox: partner.sandbox.map(|_| Sandbox { ahead }), ..partner.clone() }
}

/// Creates the proof that a program with the keyring wrote a partner's columns. The partner's contacts are encrypted in
/// the proof.
pub(crate) fn prove(seal: &Seal, partner: &Partner, scopes: &str) -> Result<Vec<u8>> {
    let contacts = partner.contacts.as_ref().map_or("", PersonalLine::reveal);
    seal.seal(PARTNERS, bound(partner, scopes).as_ref(), contacts.as_bytes())
}

/// Partner as read, if its proof matches its columns. If not, the row was changed without the keyring: logs
/// an error and returns `None`.
pub(crate) fn proven(seal: &Seal, partner: Partner, scopes: &str, proof: &[u8]) -> Option<Partner> {
    match seal.open(PARTNERS, bound(&partner, scopes).as_ref(), proof) {
        Ok(contacts) => {
            let contacts = String::from_utf8(contacts).ok().filter(|contacts| !contacts.is_empty());
            Some(Partner { contacts: contacts.map(PersonalLine::kept), ..partner })
        }
        Err(fault) => {
            tracing::error!(
                partner.id = %partner.id,
                error.cause = %fault,
                "the row of partner {} was changed without the keyring and is not used",
                partner.id
            );
            None
        }
    }
}

row! {
    /// Partner's secret as stored in its row.
    SecretRow in "secrets/add" {
        partner_id: PartnerId,
        number: u32,
        added_at: Timestamp,
        revoked_at: Option<Timestamp>,
        tokens_ended: bool,
    } free {
        /// Encrypted SHA-256 of the secret.
        hash: Vec<u8>,
    }
}

/// Reads a partner from a row. `None` if its columns were changed without the keyring.
pub(crate) fn columns(row: RowFields<'_>, seal: &Seal) -> Result<Option<Partner>> {
    let scopes: &str = row.get(4)?;
    let partner = Partner {
        id: row.get(0)?,
        client_id: row.get(1)?,
        name: row.get(2)?,
        enabled: row.get(3)?,
        scopes: of_words(scopes),
        legacy_reads: row.get(5)?,
        attribution: row.get(6)?,
        origins: of_lines(row.get(7)?),
        return_urls: of_lines(row.get(8)?),
        tokens_per_hour: row.get(9)?,
        tokens_ended_at: row.get(10)?,
        created_at: row.get(11)?,
        contacts: None,
        sandbox: sandbox(row.get(13)?, row.get(14)?),
    };
    Ok(proven(seal, partner, scopes, row.get(12)?))
}

impl SecretRow {
    pub(crate) fn of(seal: &Seal, of: PartnerId, secret: &SecretRecord) -> Result<Self> {
        let SecretRecord { number, hash, added_at, revoked_at, tokens_ended } = *secret;
        let mut row =
            SecretRow { partner_id: of, number, added_at, revoked_at, tokens_ended, hash: Vec::new() };
        row.hash = seal.seal(SECRETS, &row.bound(), &hash)?;
        Ok(row)
    }

    /// # Errors
    /// [`StorageError::Damaged`] if a column was changed after the hash was encrypted.
    pub(crate) fn open(self, seal: &Seal) -> Result<SecretRecord> {
        let hash = seal.open(SECRETS, &self.bound(), &self.hash)?.try_into();
        let hash =
            hash.map_err(|_| StorageError::Damaged("the hash of a secret is not 32 bytes long".into()))?;
        let SecretRow { number, added_at, revoked_at, tokens_ended, .. } = self;
        Ok(SecretRecord { number, hash, added_at, revoked_at, tokens_ended })
    }

    /// Decrypted secret record. If its row is damaged, logs an error and returns `None`.
    pub(crate) fn open_good(self, seal: &Seal) -> Option<SecretRecord> {
        let (of, number) = (self.partner_id, self.number);
        match self.open(seal) {
            Ok(secret) => Some(secret),
            Err(fault) => {
                tracing::error!(
                    partner.id = %of,
                    error.cause = %fault,
                    "secret {number} of partner {of} was changed or added without the keyring and is not used"
                );
                None
            }
        }
    }
}

/// Secret after it is revoked. `None` if it was already revoked in this way.
pub(crate) fn revoked(secret: &SecretRecord, at: Timestamp, end_tokens: bool) -> Option<SecretRecord> {
    let changed = SecretRecord {
        revoked_at: secret.revoked_at.or(Some(at)),
        tokens_ended: secret.tokens_ended || end_tokens,
        ..secret.clone()
    };
    (changed != *secret).then_some(changed)
}

/// Text with the addresses, one per line.
pub(crate) fn lines(addresses: &[String]) -> String {
    addresses.join("\n")
}

/// Reads addresses, one per line.
pub(crate) fn of_lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Reads the scopes in a column. Scopes that this program does not know are skipped.
pub(crate) fn of_words(text: &str) -> Scopes {
    text.split(' ').filter_map(|word| Scope::from_text(word).ok()).collect()
}

/// Text that replaces the scopes in a column. Unknown scopes in the column (`kept`) are preserved, because a
/// newer program wrote them.
pub(crate) fn scopes_beside(scopes: &Scopes, kept: &str) -> String {
    let newer = kept.split(' ').filter(|word| !word.is_empty() && Scope::from_text(word).is_err());
    let known = scopes.to_string();
    let all: Vec<&str> = known.split(' ').filter(|word| !word.is_empty()).chain(newer).collect();
    all.join(" ")
}

/// Partners with their secrets. Leaves out partners and secrets that were changed without the keyring.
pub(crate) fn records(
    seal: &Seal,
    partners: Vec<Option<Partner>>,
    secrets: Vec<SecretRow>,
) -> Vec<PartnerRecord> {
    let record = |partner| PartnerRecord { partner, secrets: Vec::new() };
    let mut records: Vec<PartnerRecord> = partners.into_iter().flatten().map(record).collect();
    for secret in secrets {
        // Secrets are read after partners, so a secret's partner may be missing here. It is read next time,
        // because adding it raised the revision.
        if let Some(record) = records.iter_mut().find(|record| record.partner.id == secret.partner_id) {
            record.secrets.extend(secret.open_good(seal));
        }
    }
    records
}

/// Raises the revision, a counter of changes of partners, secrets and keys, so that every process notices the
/// change. Such changes run one after another, because each locks the revision's row until it commits.
pub(crate) fn raise_revision(to: &mut dyn Operation) {
    to.execute(sql!("revision/raise"), values![]);
}

fn insert_secret(to: &mut dyn Operation, secret: &SecretRow) {
    to.execute(sql!("secrets/add"), &secret.values());
}

/// Length of the sliding hour in which tokens are counted (D6), in microseconds.
const HOUR: i64 = 3_600_000_000;

/// Times at which a partner's tokens of the last hour were issued, in order. In a row, each time takes 8
/// bytes.
struct Issued(Vec<i64>);

impl Issued {
    fn read(bytes: &[u8]) -> Self {
        let (instants, _) = bytes.as_chunks::<8>();
        Issued(instants.iter().map(|at| i64::from_le_bytes(*at)).collect())
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|at| at.to_le_bytes()).collect()
    }
}

/// Counts a token. Processes that count for the same partner wait for each other at its row. If two processes
/// add the row at once, the second one fails because of its version.
async fn count_token(
    to: &mut dyn Operation,
    of: PartnerId,
    at: Timestamp,
    limit: u32,
) -> Result<TokenCount, Stop> {
    let now = at.as_microsecond();
    let columns = |row: RowFields<'_>| Ok((Issued::read(row.get(0)?), row.get(1)?));
    let found = to.first(sql!(locked "token_counts/read"), values![of], columns).await?;
    let (mut issued, version): (Issued, i64) = found.unwrap_or((Issued(Vec::new()), 0));
    issued.0.retain(|issued| *issued > now - HOUR);
    let free_at = issued.0.iter().min().unwrap_or(&now) + HOUR;
    let free_at = Timestamp::from_microsecond(free_at)
        .map_err(|_| StorageError::Damaged("the time of a counted token is out of range".into()))?;
    if issued.0.len() >= limit as usize {
        return Ok(TokenCount::Exhausted { free_at });
    }
    issued.0.push(now);
    to.require(sql!("token_counts/keep"), values![of, issued.bytes(), version + 1], Guard::Version);
    let left = limit.saturating_sub(u32::try_from(issued.0.len()).unwrap_or(u32::MAX));
    Ok(TokenCount::Counted { left, free_at })
}

#[async_trait]
impl Partners for Store {
    async fn revision(&self) -> Result<u64> {
        self.number(sql!("revision/read"), values![]).await
    }

    async fn partners(&self) -> Result<Vec<PartnerRecord>> {
        let partners = self.all(sql!("partners/list"), values![], |row| columns(row, &self.seal)).await?;
        let secrets = self.all(sql!("secrets/list"), values![], SecretRow::columns).await?;
        Ok(records(&self.seal, partners, secrets))
    }

    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<()> {
        let proof = prove(&self.seal, partner, &partner.scopes.to_string())?;
        let given = (partner.clone(), proof, SecretRow::of(&self.seal, partner.id, secret)?);
        let added = self.act(on("partner.add", partner.id), given, |(partner, proof, secret), to| {
            Box::pin(async move {
                raise_revision(to);
                let (scopes, origins) = (partner.scopes.to_string(), lines(&partner.origins));
                let return_urls = lines(&partner.return_urls);
                let values = values![
                    partner.id,
                    partner.client_id,
                    partner.name,
                    partner.enabled,
                    scopes,
                    partner.legacy_reads,
                    partner.attribution,
                    origins,
                    return_urls,
                    partner.tokens_per_hour,
                    partner.tokens_ended_at,
                    partner.created_at,
                    proof,
                    partner.is_test(),
                    clock_ahead(partner),
                ];
                to.execute(sql!("partners/add"), values);
                insert_secret(to, secret);
                Ok(())
            })
        });
        Ok(added.await?)
    }

    async fn change_partner(&self, partner: &Partner, clock: ClockChange) -> Result<bool> {
        let changed = self.act(
            on("partner.change", partner.id),
            (self.seal.clone(), partner.clone(), clock),
            |(seal, partner, clock), to| {
                Box::pin(async move {
                    raise_revision(to);
                    let columns = |row: RowFields<'_>| Ok((row.get::<String>(0)?, row.get::<i64>(1)?));
                    let kept = to.first(sql!("partners/kept"), values![partner.id], columns).await?;
                    let Some((kept, ahead)) = kept else {
                        to.undo();
                        return Ok(false);
                    };
                    let scopes = scopes_beside(&partner.scopes, &kept);
                    let partner = &with_clock(partner, ahead, *clock);
                    let (origins, return_urls) = (lines(&partner.origins), lines(&partner.return_urls));
                    let proof = prove(seal, partner, &scopes)?;
                    let values = values![
                        partner.name,
                        partner.enabled,
                        scopes,
                        partner.legacy_reads,
                        partner.attribution,
                        origins,
                        return_urls,
                        partner.tokens_per_hour,
                        partner.tokens_ended_at,
                        proof,
                        clock_ahead(partner),
                        partner.id,
                    ];
                    to.execute(sql!("partners/change"), values);
                    Ok(true)
                })
            },
        );
        Ok(changed.await?)
    }

    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
        event: &NewEvent,
    ) -> Result<bool> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(event))?;
        let given = (of, SecretRow::of(&self.seal, of, secret)?, most, events);
        let added = self.act(on("secret.add", of), given, |(of, secret, most, events), to| {
            Box::pin(async move {
                raise_revision(to);
                let live: Option<u64> =
                    to.first(sql!("secrets/count_live"), values![of], |row| row.get(0)).await?;
                if live.unwrap_or_default() >= *most as u64 {
                    to.undo();
                    return Ok(false);
                }
                insert_secret(to, secret);
                event::note(to, events);
                Ok(true)
            })
        });
        Ok(added.await?)
    }

    async fn revoke_secret(
        &self,
        of: PartnerId,
        number: u32,
        at: Timestamp,
        end_tokens: bool,
        event: &NewEvent,
    ) -> Result<bool> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(event))?;
        let given = (self.seal.clone(), of, number, at, end_tokens, events);
        let done = self.act(on("secret.end", of), given, |(seal, of, number, at, end_tokens, events), to| {
            Box::pin(async move {
                raise_revision(to);
                let open = |row: RowFields<'_>| SecretRow::columns(row)?.open(seal);
                let found = to.first(sql!("secrets/read"), values![of, number], open).await?;
                let Some(changed) = found.and_then(|found| revoked(&found, *at, *end_tokens)) else {
                    to.undo();
                    return Ok(false);
                };
                let SecretRow { hash, revoked_at, tokens_ended, .. } = SecretRow::of(seal, *of, &changed)?;
                let values = values![hash, revoked_at, tokens_ended, of, number];
                to.execute(sql!("secrets/revoke"), values);
                event::note(to, events);
                Ok(true)
            })
        });
        Ok(done.await?)
    }

    async fn count_token(&self, of: PartnerId, at: Timestamp, limit: u32) -> Result<TokenCount> {
        let count = || {
            self.act(UPKEEP, (of, at, limit), |(of, at, limit), to| {
                Box::pin(count_token(to, *of, *at, *limit))
            })
        };
        match count().await {
            // Another process counted the first token meanwhile, so now there is a row to lock.
            Err(Stop::Guard(Guard::Version)) => Ok(count().await?),
            counted => Ok(counted?),
        }
    }
}
