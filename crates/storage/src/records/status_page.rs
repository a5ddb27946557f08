//! Database rows for the pages that show applicants the status of their proposal.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use ports::storage::status_pages::TryLimit;
use ports::storage::{Result, StatusPages};

use crate::fields::values;
use crate::operation::sql;
use crate::store::Store;

#[async_trait]
impl StatusPages for Store {
    async fn status_page_ended(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<Timestamp>> {
        let ended = self.first(sql!("status_pages/ended"), values![of, proposal], |row| row.get(0)).await?;
        Ok(ended.flatten())
    }

    async fn end_status_page(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()> {
        self.write(sql!("status_pages/end"), values![of, proposal, at]).await.map(|_| ())
    }

    async fn count_status_page_try(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
        TryLimit { most, since }: TryLimit,
    ) -> Result<bool> {
        let values = values![of, proposal, at, since, most];
        Ok(self.write(sql!("status_pages/count_try"), values).await? > 0)
    }
}
