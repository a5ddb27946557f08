//! Verifies tags (hashes by which records are found): each must have its record, and every record must have
//! the tags of its identifiers.

use domain::id::{Id, Kind, PartnerId};
use domain::identifier::Identifier;
use ports::storage::{Fact, Identified, Result};

use super::{Look, VerifiedRow, numbered};
use crate::fields::Value;
use crate::records::id_bytes;
use crate::records::tag::{self, TagRow};

pub(super) fn tags(look: &mut Look<'_>) {
    let name = numbered("subject_id");
    look.rows("tags", include_str!("../../sql/verify/tags.sql"), name, |row, found| {
        found.there("its record", row.get(4)?);
        let is_good = TagRow::columns(row)?.is_good(found.seal);
        if found.read(is_good) == Some(false) {
            found.fault("tag", "the hash of the encrypted identifier", "another hash");
        }
        Ok(())
    });
}

/// First version of the schema whose records have tags of all their people, or the fact that they lack some.
const PEOPLE_INDEXED_SINCE: i32 = 14;

impl VerifiedRow<'_> {
    /// Checks that a record has a tag for each of its identifiers, so that it can be found by them.
    pub(super) fn must_be_found_by<K: Kind>(
        &mut self,
        of: PartnerId,
        kind: Identified,
        id: Id<K>,
        identifiers: &[Identifier],
    ) -> Result<()> {
        if identifiers.is_empty() {
            return Ok(());
        }
        let tags: Vec<Vec<[u8; 16]>> = identifiers.iter().map(|by| tag::tags(self.seal, kind, by)).collect();
        let (of, id) = (id_bytes(of), id_bytes(id));
        let values = [&of, &id].into_iter().chain(tags.iter().flatten());
        let values: Vec<Value<'_>> = values.map(|bytes| Value::Id(*bytes)).collect();
        let wanted: Vec<String> = (3..=values.len()).map(|number| format!("${number}")).collect();
        let find = include_str!("../../sql/verify/tags_of_record.sql").replace("{tags}", &wanted.join(", "));
        let mut there: Vec<[u8; 16]> = Vec::new();
        self.from.find(&find, &values, &mut |row| row.get(0).map(|tag| there.push(tag)))?;
        if tags.iter().any(|tags| !tags.iter().any(|tag| there.contains(tag))) && self.lacks_people()? {
            return Ok(());
        }
        for (by, tags) in identifiers.iter().zip(&tags) {
            self.there(
                &format!("tag of the record's {}", by.kind),
                tags.iter().any(|tag| there.contains(tag)),
            );
        }
        Ok(())
    }

    /// Whether the server has not made the tags of older records yet.
    fn lacks_people(&mut self) -> Result<bool> {
        Ok(self.schema < PEOPLE_INDEXED_SINCE || self.remembers(Fact::PeopleToIndex)?)
    }
}
