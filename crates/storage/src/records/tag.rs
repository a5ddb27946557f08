//! Database rows of tags: keyed hashes of identifiers, such as a mobile number, by which records are found
//! (D79).
//!
//! Each row also has the encrypted identifier, so that a tag can be computed again with another key without
//! reading the record.

use async_trait::async_trait;
use domain::id::{PartnerId, Uuid};
use domain::identifier::{Identifier, IdentifierKind};
use ports::storage::keys::{Renewed, RowProgress};
use ports::storage::{Identified, IdentifiedRecords, Result, StorageError};

use super::PAGE;
use super::bound::Bound;
use super::id_bytes;
use crate::audit::UPKEEP;
use crate::fields::{Coded, RowFields, unknown_code, values};
use crate::operation::{Operation, sql};
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "tags";

/// Tag of a record: a keyed hash of an identifier, by which the record is found.
pub(crate) struct TagRow {
    pub(crate) of: [u8; 16],
    pub(crate) subject: [u8; 16],
    pub(crate) tag: [u8; 16],
    pub(crate) named: Vec<u8>,
}

impl TagRow {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(TagRow { of: row.get(0)?, subject: row.get(1)?, tag: row.get(2)?, named: row.get(3)? })
    }
}

/// Bytes of which a tag is the hash: code of the record's kind, code of the identifier's kind, and the
/// identifier.
fn made_of(kind: Identified, by: &Identifier) -> Vec<u8> {
    [&[kind.code(), by.kind.code()], by.reveal().as_bytes()].concat()
}

/// Tag from a hash: the first 128 bits.
fn shortened(hash: [u8; 32]) -> [u8; 16] {
    *hash.first_chunk().expect("a hash is longer than a tag")
}

/// Tags that records with an identifier may have, one for each live look-up key.
pub(crate) fn tags(seal: &Seal, kind: Identified, by: &Identifier) -> Vec<[u8; 16]> {
    seal.hashes(&[&made_of(kind, by)]).into_iter().map(shortened).collect()
}

/// Columns to which a tag's encrypted identifier is bound, so that a change of a column is detected. The tag
/// is not among them, because it follows from the identifier.
fn bound(of: &[u8; 16], subject: &[u8; 16]) -> Bound {
    Bound::of_partner(of).bytes(Some(subject))
}

impl TagRow {
    /// Rows with the tags for all identifiers of a record.
    pub(crate) fn all(
        seal: &Seal,
        of: PartnerId,
        kind: Identified,
        subject: [u8; 16],
        identifiers: &[Identifier],
    ) -> Result<Vec<Self>> {
        let of = id_bytes(of);
        let row = |by: &Identifier| {
            let plain = made_of(kind, by);
            let tag = shortened(seal.hash(&[&plain])?);
            Ok(TagRow { of, subject, tag, named: seal.seal(TABLE, bound(&of, &subject).as_ref(), &plain)? })
        };
        identifiers.iter().map(row).collect()
    }

    fn opened(&self, seal: &Seal) -> Result<Vec<u8>> {
        seal.open(TABLE, bound(&self.of, &self.subject).as_ref(), &self.named)
    }

    /// Kind of the tagged record, and the decrypted identifier.
    pub(crate) fn identifier(&self, seal: &Seal) -> Result<(Identified, Identifier)> {
        let plain = self.opened(seal)?;
        let ([of, kind], value) = plain
            .split_first_chunk()
            .ok_or_else(|| StorageError::Damaged("the identifier of a tag is empty".into()))?;
        let coded = Identified::from_code(*of).zip(IdentifierKind::from_code(*kind));
        let (of, kind) = coded.ok_or_else(unknown_code)?;
        Ok((of, Identifier::of(kind, &String::from_utf8_lossy(value))))
    }

    /// Whether the encrypted identifier is `by`. It is not if someone without the keyring exchanged tags.
    pub(crate) fn is_of(&self, seal: &Seal, kind: Identified, by: &Identifier) -> Result<bool> {
        Ok(self.opened(seal)? == made_of(kind, by))
    }

    /// Whether the tag is the hash of the encrypted identifier, by a live key.
    pub(crate) fn is_good(&self, seal: &Seal) -> Result<bool> {
        let plain = self.opened(seal)?;
        Ok(seal.hashes(&[&plain]).into_iter().any(|hash| shortened(hash) == self.tag))
    }

    /// New tag, computed with the current key. `None` if it is the same as the old tag, or if the identifier
    /// cannot be read.
    pub(crate) fn retagged(self, seal: &Seal, done: &mut Renewed) -> Option<Retagged> {
        let hashed = self.opened(seal).and_then(|plain| seal.hash(&[&plain]));
        match hashed.map(shortened) {
            Ok(now) if now == self.tag => None,
            Ok(now) => Some(Retagged { of: self.of, subject: self.subject, before: self.tag, now }),
            Err(fault) => {
                let subject: String = self.subject.iter().map(|byte| format!("{byte:02x}")).collect();
                done.note_unreadable(format!("{TABLE} {subject}: {}", fault.into_why()));
                None
            }
        }
    }
}

/// Tag that is replaced: `before` by `now`.
pub(crate) struct Retagged {
    pub(crate) of: [u8; 16],
    pub(crate) subject: [u8; 16],
    pub(crate) before: [u8; 16],
    pub(crate) now: [u8; 16],
}

/// Adds the tags of a new record.
pub(crate) fn add(to: &mut dyn Operation, rows: &[TagRow]) {
    for TagRow { of, subject, tag, named } in rows {
        to.execute(sql!("tags/add"), values![of, subject, tag, named]);
    }
}

/// Adds the tags that a record does not have yet.
pub(crate) fn add_once(to: &mut dyn Operation, rows: &[TagRow]) {
    for TagRow { of, subject, tag, named } in rows {
        to.execute(sql!("tags/add_once"), values![of, subject, tag, named]);
    }
}

#[async_trait]
impl IdentifiedRecords for Store {
    async fn identified(
        &self,
        of: &[PartnerId],
        kind: Identified,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<(PartnerId, Uuid)>> {
        // Tags of the oldest key come first. So a record whose tag is replaced meanwhile is found twice, not
        // missed.
        let tags: Vec<_> = tags(&self.seal, kind, by).into_iter().rev().collect();
        let of_tag =
            |tag: [u8; 16]| of.iter().map(move |of| (sql!("tags/find"), values![of, tag, most].to_vec()));
        let reads: Vec<_> = tags.iter().flat_map(|tag| of_tag(*tag)).collect();
        let record = |row: RowFields<'_>| {
            let row = TagRow::columns(row)?;
            let record = (PartnerId::from_uuid(Uuid::from_bytes(row.of)), Uuid::from_bytes(row.subject));
            Ok(row.is_of(&self.seal, kind, by)?.then_some(record))
        };
        let mut records: Vec<_> = self.all_of(&reads, record).await?.into_iter().flatten().collect();
        records.sort_by(|(_, one), (_, other)| other.cmp(one));
        records.dedup();
        records.truncate(most);
        Ok(records)
    }

    async fn index_people(&self) -> Result<u64> {
        self.index_people_of_records().await
    }
}

impl Store {
    /// Replaces tags that were computed with another key than the current one.
    pub(super) async fn make_tags_anew(&self, progress: &mut RowProgress<'_>) -> Result<Renewed> {
        let all = self.number(sql!("keys/count_tagged"), values![]).await?;
        let (mut done, mut after) = (Renewed::default(), [[0; 16]; 3]);
        loop {
            let [of, tag, subject] = after;
            let rows =
                self.all(sql!("keys/tagged"), values![of, tag, subject, PAGE], TagRow::columns).await?;
            let read = rows.len();
            let mut changes = Vec::new();
            for row in rows {
                after = [row.of, row.tag, row.subject];
                changes.extend(row.retagged(&self.seal, &mut done));
            }
            done.rows = all.min(done.rows + read as u64);
            if !changes.is_empty() {
                done.changed += self.replace_tags(changes).await?;
            }
            progress(done.rows, all);
            if read < PAGE {
                return Ok(done);
            }
        }
    }

    async fn replace_tags(&self, rows: Vec<Retagged>) -> Result<u64> {
        let replaced = self.act(UPKEEP, rows, |rows, to| {
            Box::pin(async move {
                for Retagged { of, subject, before, now } in rows {
                    to.execute(sql!("keys/retag"), values![now, of, before, subject]);
                }
                let old = |row: &Retagged| values![row.of, row.before, row.subject].to_vec();
                let sets: Vec<_> = rows.iter().map(old).collect();
                to.finish_changing(sql!("keys/untag"), &sets).await
            })
        });
        Ok(replaced.await?)
    }
}
