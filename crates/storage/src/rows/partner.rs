//! Rows of partners and their secrets: lists of words are kept in one column each, and what is sealed opens only beside
//! the other columns.

use std::time::Duration;

use domain::access::{Scope, Scopes};
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::{Partner, Sandbox};
use domain::text::FromText;
use service::storage::partners::ClockChange;
use service::storage::{PartnerRecord, SecretRecord, StorageError};

use super::bound::Bound;
use super::id_bytes;
use crate::fields::Fields;
use crate::seal::Seal;

const PARTNERS: &str = "partners";
const SECRETS: &str = "secrets";

/// What the proof of a partner is bound to: every column, with the scopes as they are written.
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

/// The column of a test partner's clock: microseconds ahead of the time.
pub(crate) fn clock_ahead(partner: &Partner) -> i64 {
    partner.sandbox.map_or(0, |sandbox| i64::try_from(sandbox.ahead.as_micros()).unwrap_or(i64::MAX))
}

/// What a test partner has, by its columns.
pub(crate) fn sandbox(is_test: bool, ahead: i64) -> Option<Sandbox> {
    // A live partner has no clock: one that has is not as it was proven.
    (is_test || ahead != 0).then(|| Sandbox { ahead: Duration::from_micros(ahead.unsigned_abs()) })
}

/// A partner with its clock changed from where the store has it.
pub(crate) fn with_clock(partner: &Partner, kept: i64, change: ClockChange) -> Partner {
    let kept = Duration::from_micros(kept.unsigned_abs());
    let ahead = match change {
        ClockChange::Keep => kept,
        ClockChange::Advance(by) => kept.saturating_add(by),
        ClockChange::Reset => Duration::ZERO,
    };
    Partner { sandbox: partner.sandbox.map(|_| Sandbox { ahead }), ..partner.clone() }
}

/// Makes the proof that a partner's columns were written by somebody who has the keyring.
pub(crate) fn prove(seal: &Seal, partner: &Partner, scopes: &str) -> Result<Vec<u8>, StorageError> {
    seal.seal(PARTNERS, bound(partner, scopes).as_ref(), &[])
}

/// A partner as it was read, if its proof is good. A bad one is damage: it is logged, and the partner is left out.
pub(crate) fn proven(seal: &Seal, partner: Partner, scopes: &str, proof: &[u8]) -> Option<Partner> {
    match seal.open(PARTNERS, bound(&partner, scopes).as_ref(), proof) {
        Ok(_) => Some(partner),
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

/// A secret as it lies in its row.
pub(crate) struct SecretRow {
    pub(crate) number: u32,
    /// SHA-256 of the secret, sealed.
    pub(crate) hash: Vec<u8>,
    pub(crate) added_at: Timestamp,
    pub(crate) revoked_at: Option<Timestamp>,
    pub(crate) tokens_ended: bool,
}

impl SecretRow {
    /// A secret's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(SecretRow {
            number: row.get(1)?,
            hash: row.get(2)?,
            added_at: row.get(3)?,
            revoked_at: row.get(4)?,
            tokens_ended: row.get(5)?,
        })
    }
}

/// A partner's columns. `None`: they were changed without the keyring.
pub(crate) fn columns(row: Fields<'_>, seal: &Seal) -> Result<Option<Partner>, StorageError> {
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
        sandbox: sandbox(row.get(13)?, row.get(14)?),
    };
    Ok(proven(seal, partner, scopes, row.get(12)?))
}

impl SecretRow {
    pub(crate) fn of(seal: &Seal, of: PartnerId, secret: &SecretRecord) -> Result<Self, StorageError> {
        let SecretRecord { number, hash, added_at, revoked_at, tokens_ended } = secret.clone();
        let mut row = SecretRow { number, hash: Vec::new(), added_at, revoked_at, tokens_ended };
        row.hash = seal.seal(SECRETS, row.bound(of).as_ref(), &hash)?;
        Ok(row)
    }

    /// What a secret's hash is bound to.
    fn bound(&self, of: PartnerId) -> Bound {
        Bound::of_partner(&id_bytes(of))
            .number(self.number)
            .number(self.added_at.as_microsecond())
            .optional(self.revoked_at.map(Timestamp::as_microsecond))
            .number(self.tokens_ended)
    }

    /// # Errors
    /// [`StorageError::Damaged`] if a column is not what it was sealed with.
    pub(crate) fn open(self, seal: &Seal, of: PartnerId) -> Result<SecretRecord, StorageError> {
        let hash = seal.open(SECRETS, self.bound(of).as_ref(), &self.hash)?;
        let hash = hash.try_into();
        let hash = hash.map_err(|_| StorageError::Damaged("a secret's hash has not 32 bytes".into()))?;
        let SecretRow { number, added_at, revoked_at, tokens_ended, .. } = self;
        Ok(SecretRecord { number, hash, added_at, revoked_at, tokens_ended })
    }

    /// The secret, unless it is damaged: then it is logged and left out.
    pub(crate) fn open_good(self, seal: &Seal, of: PartnerId) -> Option<SecretRecord> {
        let number = self.number;
        match self.open(seal, of) {
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

/// A secret as it is once it is revoked; `None` if nothing changes.
pub(crate) fn revoked(secret: &SecretRecord, at: Timestamp, end_tokens: bool) -> Option<SecretRecord> {
    let changed = SecretRecord {
        revoked_at: secret.revoked_at.or(Some(at)),
        tokens_ended: secret.tokens_ended || end_tokens,
        ..secret.clone()
    };
    (changed != *secret).then_some(changed)
}

/// Addresses, one a line.
pub(crate) fn lines(addresses: &[String]) -> String {
    addresses.join("\n")
}

/// The addresses in a column.
pub(crate) fn of_lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The scopes in a column. One that this program does not know is one that it cannot grant.
pub(crate) fn of_words(text: &str) -> Scopes {
    text.split(' ').filter_map(|word| Scope::from_text(word).ok()).collect()
}

/// Scopes as they are written over those in a column: words that this program does not know are a newer program's, and
/// stay.
pub(crate) fn scopes_beside(scopes: &Scopes, kept: &str) -> String {
    let newer = kept.split(' ').filter(|word| !word.is_empty() && Scope::from_text(word).is_err());
    let known = scopes.to_string();
    let all: Vec<&str> = known.split(' ').filter(|word| !word.is_empty()).chain(newer).collect();
    all.join(" ")
}

/// The partners with their secrets. What was changed without the keyring is left out.
pub(crate) fn records(
    seal: &Seal,
    partners: Vec<Option<Partner>>,
    secrets: Vec<(PartnerId, SecretRow)>,
) -> Vec<PartnerRecord> {
    let record = |partner| PartnerRecord { partner, secrets: Vec::new() };
    let mut records: Vec<PartnerRecord> = partners.into_iter().flatten().map(record).collect();
    for (of, secret) in secrets {
        // The secrets may be newer than the partners: who is not among these is read at the next look, as the revision tells.
        if let Some(record) = records.iter_mut().find(|record| record.partner.id == of) {
            record.secrets.extend(secret.open_good(seal, of));
        }
    }
    records
}
