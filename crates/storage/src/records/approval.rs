//! Database rows of approvals.

use crate::records::row::{ToRow, row};
use async_trait::async_trait;
use domain::approval::{Approval, ApprovalState};
use domain::date::Timestamp;
use domain::id::ApprovalId;
use ports::storage::{Approvals, Result};

use crate::audit::{Companion, on};
use crate::body::{ApprovalBody, decode, encode};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::sql;
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "approvals";

row! {
    /// Approval as stored in its row.
    Row in "approvals/add" {
        approval_id: ApprovalId,
        subject: String,
        expires_at: Timestamp,
        state: ApprovalState,
        version: u32,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    /// Statement that ends an approval together with its act.
    pub(crate) fn companion(seal: &Seal, ended: &Approval) -> Result<Companion> {
        let Row { approval_id, state, version, body, .. } = Row::next(seal, ended)?;
        Ok(Companion::new(sql!("approvals/change"), values![state, version, body, approval_id]))
    }

    /// Row for the next version of an approval.
    fn next(seal: &Seal, approval: &Approval) -> Result<Self> {
        let Approval {
            id,
            act,
            path,
            body,
            subject,
            subject_version,
            what,
            facts,
            asked_by,
            asked_at,
            expires_at,
            state,
            decided,
            reason,
            version,
        } = approval.clone();
        let facts = (!facts.is_empty()).then_some(facts);
        let body = ApprovalBody {
            act,
            path,
            body,
            subject_version,
            what,
            asked_by,
            asked_at,
            decided,
            reason,
            facts,
        };
        let (approval_id, version) = (id, version + 1);
        let mut row = Row { approval_id, subject, expires_at, state, version, body: Vec::new() };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Approval> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        let body: ApprovalBody = decode(&body)?;
        Ok(Approval {
            id: self.approval_id,
            act: body.act,
            path: body.path,
            body: body.body,
            subject: self.subject,
            subject_version: body.subject_version,
            what: body.what,
            facts: body.facts.unwrap_or_default(),
            asked_by: body.asked_by,
            asked_at: body.asked_at,
            expires_at: self.expires_at,
            state: self.state,
            decided: body.decided,
            reason: body.reason,
            version: self.version,
        })
    }
}

#[async_trait]
impl Approvals for Store {
    async fn keep_approval(&self, approval: &Approval) -> Result<bool> {
        let row = Row::next(&self.seal, approval)?;
        match row.version {
            1 => self.change(on("approval.ask", approval.id), sql!("approvals/add"), &row.values()).await,
            _ => {
                let values = values![row.state, row.version, row.body, row.approval_id];
                self.change(on("approval.decide", approval.id), sql!("approvals/change"), values).await
            }
        }
    }

    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>> {
        self.first(sql!("approvals/read"), values![id], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn approvals(
        &self,
        state: ApprovalState,
        subject: Option<&str>,
        after: Timestamp,
        most: usize,
    ) -> Result<Vec<Approval>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        match subject {
            Some(subject) => self.all(sql!("approvals/of"), values![subject, state, after, most], open).await,
            None => self.all(sql!("approvals/list"), values![state, after, most], open).await,
        }
    }

    async fn forget_approvals(&self, before: Timestamp, most: usize) -> Result<usize> {
        Ok(self.write(sql!("approvals/forget"), values![before, most]).await? as usize)
    }
}
