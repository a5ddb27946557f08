//! Tags: keyed hashes by which records are found.

use async_trait::async_trait;
use domain::id::{PartnerId, Uuid};
use domain::identifier::Identifier;
use service::storage::keys::{Renewed, RowProgress};
use service::storage::{Identified, IdentifiedRecords, StorageError};

use super::Postgres;
use super::column::{Group, Value, id, most as at_most, uuid, values};
use crate::fields::Fields;
use crate::resealing::{PAGE, SealedRows};
use crate::rows::tag::{Retagged, TagRow, tags};

/// Tags as columns of a statement.
#[derive(Default)]
pub(super) struct Columns<'a> {
    of: Vec<Uuid>,
    subjects: Vec<Uuid>,
    tags: Vec<Uuid>,
    named: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(rows: impl IntoIterator<Item = &'a TagRow>) -> Self {
        let mut columns = Columns::default();
        for row in rows {
            columns.of.push(uuid(row.of));
            columns.subjects.push(uuid(row.subject));
            columns.tags.push(uuid(row.tag));
            columns.named.push(&row.named);
        }
        columns
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.of, self.subjects, self.tags, self.named].to_vec()
    }
}

#[async_trait]
impl IdentifiedRecords for Postgres {
    async fn identified(
        &self,
        of: &[PartnerId],
        kind: Identified,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<(PartnerId, Uuid)>, StorageError> {
        let of: Vec<Uuid> = of.iter().map(|of| id(*of)).collect();
        let find = include_str!("../../sql/tags/find.postgres.sql");
        let mut records = Vec::new();
        // The oldest key first: a record that gets its new tag meanwhile is found twice, and not never.
        for tag in tags(&self.seal, kind, by).into_iter().rev() {
            for row in self.connections.read(find, values![of, uuid(tag), at_most(most)]).await? {
                let row = TagRow::columns(Fields::of(&row))?;
                if row.is_of(&self.seal, kind, by)? {
                    records.push((PartnerId::from_uuid(uuid(row.of)), uuid(row.subject)));
                }
            }
        }
        records.sort_by(|(_, one), (_, other)| other.cmp(one));
        records.dedup();
        records.truncate(most);
        Ok(records)
    }
}

impl Postgres {
    /// Makes the tags anew that another key than the one of now has made.
    pub(super) async fn make_tags_anew(
        &self,
        progress: &mut RowProgress<'_>,
    ) -> Result<Renewed, StorageError> {
        let all = SealedRows::count(self, include_str!("../../sql/keys/count_tagged.sql")).await?;
        let (mut done, mut after) = (Renewed::default(), [Uuid::nil(); 3]);
        loop {
            let page = include_str!("../../sql/keys/tagged.sql");
            let [of, tag, subject] = after;
            let rows = self.connections.read(page, values![of, tag, subject, PAGE as i64]).await?;
            let mut changes = Vec::new();
            for row in &rows {
                let row = TagRow::columns(Fields::of(row))?;
                after = [row.of, row.tag, row.subject].map(uuid);
                changes.extend(row.retagged(&self.seal, &mut done));
            }
            done.rows = all.min(done.rows + rows.len() as u64);
            if !changes.is_empty() {
                done.changed += self.replace_tags(&changes).await?;
            }
            progress(done.rows, all);
            if rows.len() < PAGE {
                return Ok(done);
            }
        }
    }

    async fn replace_tags(&self, rows: &[Retagged]) -> Result<u64, StorageError> {
        let column = |of: fn(&Retagged) -> [u8; 16]| rows.iter().map(|row| uuid(of(row))).collect::<Vec<_>>();
        let (of, subjects) = (column(|row| row.of), column(|row| row.subject));
        let (before, now) = (column(|row| row.before), column(|row| row.now));
        let retag = include_str!("../../sql/keys/retag.postgres.sql");
        Ok(self.connections.write(retag, values![of, subjects, before, now]).await?.changed)
    }
}
