//! Tags: keyed hashes by which records are found.

use async_trait::async_trait;
use domain::id::{PartnerId, Uuid};
use domain::identifier::Identifier;
use rusqlite::{Connection, params};
use service::storage::keys::{Renewed, RowProgress};
use service::storage::{Identified, IdentifiedRecords, StorageError};

use super::Sqlite;
use super::row::{self, fault};
use crate::resealing::PAGE;
use crate::rows::id_bytes;
use crate::rows::tag::{Retagged, TagRow, tags};

/// Adds the tags of a new record.
pub(super) fn add(to: &Connection, rows: &[TagRow]) -> Result<(), StorageError> {
    insert(to, include_str!("../../sql/tags/add.sqlite.sql"), rows)
}

/// Adds those tags of a record that it does not have.
pub(super) fn add_once(to: &Connection, rows: &[TagRow]) -> Result<(), StorageError> {
    insert(to, include_str!("../../sql/tags/add_once.sqlite.sql"), rows)
}

fn insert(to: &Connection, add: &str, rows: &[TagRow]) -> Result<(), StorageError> {
    let mut add = to.prepare_cached(add).map_err(fault)?;
    for TagRow { of, subject, tag, named } in rows {
        add.execute(params![of, subject, tag, named]).map_err(fault)?;
    }
    Ok(())
}

#[async_trait]
impl IdentifiedRecords for Sqlite {
    async fn identified(
        &self,
        of: &[PartnerId],
        kind: Identified,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<(PartnerId, Uuid)>, StorageError> {
        let tags = tags(&self.seal, kind, by);
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let find = include_str!("../../sql/tags/find.sqlite.sql");
            let mut find = moment.prepare_cached(find).map_err(fault)?;
            let mut records = Vec::new();
            for of in of {
                for tag in &tags {
                    let rows =
                        find.query_map(params![id_bytes(*of), tag, most as i64], row::by(TagRow::columns));
                    for row in rows.map_err(fault)? {
                        let row = row.map_err(fault)?;
                        if row.is_of(&self.seal, kind, by)? {
                            records.push((*of, Uuid::from_bytes(row.subject)));
                        }
                    }
                }
            }
            records.sort_by(|(_, one), (_, other)| other.cmp(one));
            records.truncate(most);
            Ok(records)
        })
    }
}

/// A page of tags after one of them.
fn page(from: &Connection, [of, tag, subject]: [[u8; 16]; 3]) -> rusqlite::Result<Vec<TagRow>> {
    let mut page = from.prepare_cached(include_str!("../../sql/keys/tagged.sql"))?;
    page.query_map(params![of, tag, subject, PAGE as i64], row::by(TagRow::columns))?.collect()
}

fn replace(to: &Connection, rows: &[Retagged]) -> rusqlite::Result<u64> {
    let mut retag = to.prepare_cached(include_str!("../../sql/keys/retag.sqlite.sql"))?;
    let mut changed = 0;
    for Retagged { of, subject, before, now } in rows {
        changed += retag.execute(params![now, of, before, subject])? as u64;
    }
    Ok(changed)
}

impl Sqlite {
    /// Makes the tags anew that another key than the one of now has made.
    pub(super) async fn make_tags_anew(
        &self,
        progress: &mut RowProgress<'_>,
    ) -> Result<Renewed, StorageError> {
        let count = include_str!("../../sql/keys/count_tagged.sql");
        let all: i64 =
            self.readers.read(|from| from.query_row(count, (), |row| row.get(0)).map_err(fault))?;
        let all = all.unsigned_abs();
        let (mut done, mut after) = (Renewed::default(), [[0; 16]; 3]);
        loop {
            let rows = self.readers.read(|from| page(from, after).map_err(fault))?;
            let read = rows.len();
            let mut changes = Vec::new();
            for row in rows {
                after = [row.of, row.tag, row.subject];
                changes.extend(row.retagged(&self.seal, &mut done));
            }
            done.rows = all.min(done.rows + read as u64);
            if !changes.is_empty() {
                done.changed += self.writer.keep(move |to| replace(to, &changes).map_err(fault)).await?;
            }
            progress(done.rows, all);
            if read < PAGE {
                return Ok(done);
            }
        }
    }
}
