//! Rows of tags: keyed hashes of identifiers, by which records are found (D79). Beside each lies what it was made of, sealed,
//! so that it can be made anew under another key without its record.

use domain::id::PartnerId;
use domain::identifier::Identifier;
use service::storage::keys::Renewed;
use service::storage::{Identified, StorageError};

use super::bound::Bound;
use super::id_bytes;
use crate::codes::Coded;
use crate::fields::Fields;
use crate::seal::Seal;

const TABLE: &str = "tags";

/// A tag of a record.
pub(crate) struct TagRow {
    pub(crate) of: [u8; 16],
    pub(crate) subject: [u8; 16],
    pub(crate) tag: [u8; 16],
    pub(crate) named: Vec<u8>,
}

impl TagRow {
    /// A tag's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(TagRow { of: row.get(0)?, subject: row.get(1)?, tag: row.get(2)?, named: row.get(3)? })
    }
}

/// What a tag is made of: the codes of the kind of record and of the kind of identifier, then its value.
fn made_of(kind: Identified, by: &Identifier) -> Vec<u8> {
    [&[kind.code(), by.kind.code()], by.reveal().as_bytes()].concat()
}

/// The part of a hash that is kept: 128 bits.
fn shortened(hash: [u8; 32]) -> [u8; 16] {
    *hash.first_chunk().expect("a hash is longer than a tag")
}

/// The tags that a record may have for an identifier, by every live key.
pub(crate) fn tags(seal: &Seal, kind: Identified, by: &Identifier) -> Vec<[u8; 16]> {
    seal.hashes(&[&made_of(kind, by)]).into_iter().map(shortened).collect()
}

/// What a tag is bound to. Not to its hash, which follows from what is sealed.
fn bound(of: &[u8; 16], subject: &[u8; 16]) -> Bound {
    Bound::of_partner(of).bytes(Some(subject))
}

impl TagRow {
    /// The tags of a record.
    pub(crate) fn all(
        seal: &Seal,
        of: PartnerId,
        kind: Identified,
        subject: [u8; 16],
        identifiers: &[Identifier],
    ) -> Result<Vec<Self>, StorageError> {
        let of = id_bytes(of);
        let row = |by: &Identifier| {
            let plain = made_of(kind, by);
            let tag = shortened(seal.hash(&[&plain])?);
            Ok(TagRow { of, subject, tag, named: seal.seal(TABLE, bound(&of, &subject).as_ref(), &plain)? })
        };
        identifiers.iter().map(row).collect()
    }

    fn opened(&self, seal: &Seal) -> Result<Vec<u8>, StorageError> {
        seal.open(TABLE, bound(&self.of, &self.subject).as_ref(), &self.named)
    }

    /// Whether it is of an identifier. A tag that was put beside another record without the keys is not.
    pub(crate) fn is_of(&self, seal: &Seal, kind: Identified, by: &Identifier) -> Result<bool, StorageError> {
        Ok(self.opened(seal)? == made_of(kind, by))
    }

    /// Whether some live key makes its tag of what is sealed beside it.
    pub(crate) fn is_good(&self, seal: &Seal) -> Result<bool, StorageError> {
        let plain = self.opened(seal)?;
        Ok(seal.hashes(&[&plain]).into_iter().any(|hash| shortened(hash) == self.tag))
    }

    /// Its tag by the key that is used now, where that is another one.
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

/// A tag that is to be replaced.
pub(crate) struct Retagged {
    pub(crate) of: [u8; 16],
    pub(crate) subject: [u8; 16],
    pub(crate) before: [u8; 16],
    pub(crate) now: [u8; 16],
}
