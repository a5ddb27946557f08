//! The register of complaints.

use async_trait::async_trait;
use domain::complaint::Complaint;
use domain::id::ComplaintId;
use rusqlite::{Params, params};
use service::storage::{Complaints, StorageError};

use super::Sqlite;
use super::row::{by, fault};
use crate::rows::complaint::Row;
use crate::rows::id_bytes;

impl Sqlite {
    /// The complaints that a statement finds.
    fn found_complaints(&self, sql: &str, values: impl Params) -> Result<Vec<Complaint>, StorageError> {
        self.readers.read(|from| {
            let mut list = from.prepare_cached(sql).map_err(fault)?;
            let found = list.query_map(values, by(Row::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal)).collect()
        })
    }
}

#[async_trait]
impl Complaints for Sqlite {
    async fn keep_complaint(&self, complaint: &Complaint) -> Result<(), StorageError> {
        let row = Row::of(&self.seal, complaint)?;
        self.writer
            .keep(move |to| {
                let add = include_str!("../../sql/complaints/add.sql");
                let values = params![
                    id_bytes(row.of),
                    id_bytes(row.id),
                    row.created_at.as_microsecond(),
                    row.policy.map(id_bytes),
                    row.answer_by,
                    row.answered_on,
                    row.body
                ];
                to.prepare_cached(add).and_then(|mut add| add.execute(values)).map_err(fault)?;
                Ok(())
            })
            .await
    }

    async fn complaint(&self, id: ComplaintId) -> Result<Option<Complaint>, StorageError> {
        let read = include_str!("../../sql/complaints/read.sql");
        Ok(self.found_complaints(read, params![id_bytes(id)])?.pop())
    }

    async fn open_complaints(&self, most: usize) -> Result<Vec<Complaint>, StorageError> {
        self.found_complaints(include_str!("../../sql/complaints/open.sql"), params![most as i64])
    }

    async fn complaints(&self, most: usize) -> Result<Vec<Complaint>, StorageError> {
        self.found_complaints(include_str!("../../sql/complaints/list.sql"), params![most as i64])
    }

    async fn answer_complaint(&self, complaint: &Complaint) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, complaint)?;
        self.writer
            .keep(move |to| {
                let answer = include_str!("../../sql/complaints/answer.sql");
                let values = params![row.answered_on, row.body, id_bytes(row.of), id_bytes(row.id)];
                let changed =
                    to.prepare_cached(answer).and_then(|mut answer| answer.execute(values)).map_err(fault)?;
                Ok(changed > 0)
            })
            .await
    }
}
