//! A look at tags: each is of a record that is there, and every record is found by what it is known by.

use domain::id::{Id, Kind, PartnerId, Uuid};
use domain::identifier::Identifier;
use rusqlite::params;
use service::storage::Identified;

use super::{Found, Look};
use crate::rows::{id_bytes, tag};
use crate::sqlite::tag::found as columns;

pub(super) fn tags(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/tags.sql");
    look.rows(
        "tags",
        statement,
        |row| row.get::<_, [u8; 16]>(1).map(|id| Uuid::from_bytes(id).to_string()),
        |row, found| {
            found.must(row.get(4)?, "it is of a record that is not there");
            let good = columns(row)?.is_good(found.seal);
            let good = found.read(good).unwrap_or(true);
            found.must(good, "no key makes it of what is sealed beside it");
            Ok(())
        },
    );
}

impl Found<'_> {
    /// Notes what a record is not found by.
    pub(super) fn must_be_found_by<K: Kind>(
        &mut self,
        of: PartnerId,
        kind: Identified,
        id: Id<K>,
        identifiers: &[Identifier],
    ) -> rusqlite::Result<()> {
        let mut find = self.from.prepare_cached(include_str!("../../../sql/verify/tag.sql"))?;
        for by in identifiers {
            let mut is_found = false;
            for tag in tag::tags(self.seal, kind, by) {
                is_found |= find.exists(params![id_bytes(of), tag, id_bytes(id)])?;
            }
            self.must(is_found, &format!("it is not found by its {}", by.kind));
        }
        Ok(())
    }
}
