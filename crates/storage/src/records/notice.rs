//! Changes of policies that were already reported to the insurers.

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};
use ports::storage::jobs::Lease;
use ports::storage::notices::Told;
use ports::storage::{Notices, Result};

use super::job;
use crate::audit::UPKEEP;
use crate::fields::{RowFields, values};
use crate::operation::sql;
use crate::store::Store;

fn columns(row: RowFields<'_>) -> Result<Told> {
    Ok(Told {
        issued: row.get(0)?,
        endorsements: row.get(1)?,
        claims: row.get(2)?,
        withdrawn: row.get(3)?,
        cancelled: row.get(4)?,
    })
}

#[async_trait]
impl Notices for Store {
    async fn told(&self, of: PartnerId, policy: PolicyId) -> Result<Told> {
        let read = sql!("insurer_notices/read");
        Ok(self.first(read, values![of, policy], columns).await?.unwrap_or_default())
    }

    async fn keep_told(&self, lease: &Lease, told: Told) -> Result<bool> {
        let kept = self.act(UPKEEP, (*lease, told), |(lease, told), to| {
            Box::pin(async move {
                let Told { issued, endorsements, claims, withdrawn, cancelled } = told;
                let (of, policy) = (lease.job.of, lease.job.subject);
                let values = values![of, policy, issued, endorsements, claims, withdrawn, cancelled];
                to.execute(sql!("insurer_notices/keep"), values);
                job::finish_if_held(to, lease).await
            })
        });
        Ok(kept.await?)
    }
}
