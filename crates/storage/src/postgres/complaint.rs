//! The register of complaints.

use async_trait::async_trait;
use domain::complaint::Complaint;
use domain::id::ComplaintId;
use service::storage::{Complaints, StorageError};

use super::Postgres;
use super::column::{Value, id, most as at_most, values};
use crate::fields::Fields;
use crate::rows::complaint::Row;

impl Postgres {
    /// The complaints that a statement finds.
    async fn found_complaints(
        &self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<Complaint>, StorageError> {
        let rows = self.connections.read(sql, values).await?;
        rows.iter().map(|row| Row::columns(Fields::of(row))?.open(&self.seal)).collect()
    }
}

#[async_trait]
impl Complaints for Postgres {
    async fn keep_complaint(&self, complaint: &Complaint) -> Result<(), StorageError> {
        let row = Row::of(&self.seal, complaint)?;
        let (of, complaint, policy) = (id(row.of), id(row.id), row.policy.map(id));
        let created_at = row.created_at.as_microsecond();
        let values = values![of, complaint, created_at, policy, row.answer_by, row.answered_on, row.body];
        self.connections.write(include_str!("../../sql/complaints/add.sql"), values).await?;
        Ok(())
    }

    async fn complaint(&self, complaint: ComplaintId) -> Result<Option<Complaint>, StorageError> {
        let read = include_str!("../../sql/complaints/read.sql");
        Ok(self.found_complaints(read, values![id(complaint)]).await?.pop())
    }

    async fn open_complaints(&self, most: usize) -> Result<Vec<Complaint>, StorageError> {
        self.found_complaints(include_str!("../../sql/complaints/open.sql"), values![at_most(most)]).await
    }

    async fn complaints(&self, most: usize) -> Result<Vec<Complaint>, StorageError> {
        self.found_complaints(include_str!("../../sql/complaints/list.sql"), values![at_most(most)]).await
    }

    async fn answer_complaint(&self, complaint: &Complaint) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, complaint)?;
        let answer = include_str!("../../sql/complaints/answer.sql");
        let (of, id) = (id(row.of), id(row.id));
        let values = values![row.answered_on, row.body, of, id];
        Ok(self.connections.write(answer, values).await?.changed > 0)
    }
}
