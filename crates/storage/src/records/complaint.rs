//! Database rows of complaints.

use std::borrow::Cow;

use async_trait::async_trait;
use domain::complaint::Complaint;
use domain::date::Timestamp;
use domain::id::{ComplaintId, PartnerId, PolicyId};
use ports::storage::{Complaints, Result};

use super::bound::Bound;
use super::counted::{day_number, numbered_day};
use super::id_bytes;
use super::statement::owner;
use crate::audit::on;
use crate::body::{ComplaintBody, decode, encode};
use crate::fields::{RowFields, values};
use crate::operation::sql;
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "complaints";

/// Complaint as stored in its row. `of` is the partner, or zero if the complaint names no policy.
pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: ComplaintId,
    pub(crate) created_at: Timestamp,
    pub(crate) policy: Option<PolicyId>,
    pub(crate) answer_by: i32,
    pub(crate) answered_on: Option<i32>,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Row {
            of: row.get(0)?,
            id: row.get(1)?,
            created_at: row.get(2)?,
            policy: row.get(3)?,
            answer_by: row.get(4)?,
            answered_on: row.get(5)?,
            body: row.get(6)?,
        })
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, complaint: &Complaint) -> Result<Self> {
        let mut row = Row {
            of: owner(complaint.partner),
            id: complaint.id,
            created_at: complaint.created_at,
            policy: complaint.policy,
            answer_by: day_number(complaint.answer_by),
            answered_on: complaint.answer.as_ref().map(|answer| day_number(answer.answered_on)),
            body: Vec::new(),
        };
        let body = ComplaintBody {
            kind: complaint.kind,
            received_on: complaint.received_on,
            from: Cow::Borrowed(&complaint.from),
            text: Cow::Borrowed(&complaint.text),
            answer: complaint.answer.as_ref().map(Cow::Borrowed),
        };
        row.body = seal.seal(TABLE, row.bound().as_ref(), &encode(&body))?;
        Ok(row)
    }

    fn bound(&self) -> Bound {
        Bound::row(self.of, &id_bytes(self.id))
            .number(self.created_at.as_microsecond())
            .bytes(self.policy.map(id_bytes).as_ref().map(|id| &id[..]))
            .number(self.answer_by)
            .optional(self.answered_on.map(i64::from))
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Complaint> {
        let body = seal.open(TABLE, self.bound().as_ref(), &self.body)?;
        let ComplaintBody { kind, received_on, from, text, answer } = decode(&body)?;
        Ok(Complaint {
            id: self.id,
            partner: Some(self.of).filter(|of| *of != owner(None)),
            policy: self.policy,
            kind,
            received_on,
            created_at: self.created_at,
            answer_by: numbered_day(self.answer_by)?,
            from: from.into_owned(),
            text: text.into_owned(),
            answer: answer.map(Cow::into_owned),
        })
    }
}

#[async_trait]
impl Complaints for Store {
    async fn keep_complaint(&self, complaint: &Complaint) -> Result<()> {
        let Row { of, id, created_at, policy, answer_by, answered_on, body } =
            &Row::of(&self.seal, complaint)?;
        let values = values![of, id, created_at, policy, answer_by, answered_on, body];
        self.change(on("complaint.add", id), sql!("complaints/add"), values).await.map(|_| ())
    }

    async fn complaint(&self, id: ComplaintId) -> Result<Option<Complaint>> {
        self.first(sql!("complaints/read"), values![id], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn open_complaints(&self, most: usize) -> Result<Vec<Complaint>> {
        self.all(sql!("complaints/open"), values![most], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn complaints(&self, most: usize) -> Result<Vec<Complaint>> {
        self.all(sql!("complaints/list"), values![most], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn complaints_about(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Complaint>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.all(sql!("complaints/of_policy"), values![of, policy], open).await
    }

    async fn answer_complaint(&self, complaint: &Complaint) -> Result<bool> {
        let Row { of, id, answered_on, body, .. } = &Row::of(&self.seal, complaint)?;
        let values = values![answered_on, body, of, id];
        self.change(on("complaint.answer", id), sql!("complaints/answer"), values).await
    }
}
