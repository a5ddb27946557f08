//! Database rows of approvals.

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalState};
use domain::date::Timestamp;
use domain::id::ApprovalId;
use ports::storage::{Approvals, Result};

use super::bound::Bound;
use super::id_bytes;
use crate::audit::{Companion, on};
use crate::body::{ApprovalBody, decode, encode};
use crate::codes::Coded;
use crate::fields::{RowFields, values};
use crate::operation::sql;
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "approvals";

/// Approval as stored in its row.
pub(crate) struct Row {
    id: ApprovalId,
    subject: String,
    expires_at: Timestamp,
    state: ApprovalState,
    version: u32,
    body: Vec<u8>,
}

impl Row {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        let (id, subject, expires_at) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Row { id, subject, expires_at, state: row.get(3)?, version: row.get(4)?, body: row.get(5)? })
    }

    /// Statement that ends an approval together with its act.
    pub(crate) fn companion(seal: &Seal, ended: &Approval) -> Result<Companion> {
        let Row { id, state, version, body, .. } = Row::next(seal, ended)?;
        Ok(Companion::new(sql!("approvals/change"), values![state.code(), version, body, id]))
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
            asked_by,
            asked_at,
            expires_at,
            state,
            decided,
            reason,
            version,
        } = approval.clone();
        let body =
            ApprovalBody { act, path, body, subject_version, what, asked_by, asked_at, decided, reason };
        let mut row = Row { id, subject, expires_at, state, version: version + 1, body: Vec::new() };
        row.body = seal.seal(TABLE, row.bound().as_ref(), &encode(&body))?;
        Ok(row)
    }

    fn bound(&self) -> Bound {
        let of = Bound::of_partner(&id_bytes(self.id)).bytes(Some(self.subject.as_bytes()));
        of.number(self.expires_at.as_microsecond()).number(self.state.code()).number(self.version)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Approval> {
        let body = seal.open(TABLE, self.bound().as_ref(), &self.body)?;
        let body: ApprovalBody = decode(&body)?;
        Ok(Approval {
            id: self.id,
            act: body.act,
            path: body.path,
            body: body.body,
            subject: self.subject,
            subject_version: body.subject_version,
            what: body.what,
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
        let Row { id, subject, expires_at, state, version, body } = Row::next(&self.seal, approval)?;
        let state = state.code();
        if version == 1 {
            let values = values![id, subject, expires_at, state, version, body];
            return self.change(on("approval.ask", id), sql!("approvals/add"), values).await;
        }
        let values = values![state, version, body, id];
        self.change(on("approval.decide", id), sql!("approvals/change"), values).await
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
        let state = state.code();
        match subject {
            Some(subject) => self.all(sql!("approvals/of"), values![subject, state, after, most], open).await,
            None => self.all(sql!("approvals/list"), values![state, after, most], open).await,
        }
    }

    async fn forget_approvals(&self, before: Timestamp, most: usize) -> Result<usize> {
        Ok(self.write(sql!("approvals/forget"), values![before, most]).await? as usize)
    }
}
