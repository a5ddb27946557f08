//! Database rows of complaints.

use crate::records::row::{ToRow, row};
use std::borrow::Cow;

use async_trait::async_trait;
use domain::complaint::Complaint;
use domain::date::{Date, Timestamp};
use domain::id::{ComplaintId, PartnerId, PolicyId};
use ports::storage::{Complaints, Result};

use super::statement::owner;
use crate::audit::on;
use crate::body::{ComplaintBody, decode, encode};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::sql;
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "complaints";

row! {
    /// Complaint as stored in its row. The partner is zero if the complaint names no policy.
    Row in "complaints/add" {
        partner_id: PartnerId,
        complaint_id: ComplaintId,
        created_at: Timestamp,
        policy_id: Option<PolicyId>,
        answer_by: Date,
        answered_on: Option<Date>,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, complaint: &Complaint) -> Result<Self> {
        let mut row = Row {
            partner_id: owner(complaint.partner),
            complaint_id: complaint.id,
            created_at: complaint.created_at,
            policy_id: complaint.policy,
            answer_by: complaint.answer_by,
            answered_on: complaint.answer.as_ref().map(|answer| answer.answered_on),
            body: Vec::new(),
        };
        let body = ComplaintBody {
            kind: complaint.kind,
            received_on: complaint.received_on,
            from: Cow::Borrowed(&complaint.from),
            text: Cow::Borrowed(&complaint.text),
            answer: complaint.answer.as_ref().map(Cow::Borrowed),
        };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Complaint> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        let ComplaintBody { kind, received_on, from, text, answer } = decode(&body)?;
        Ok(Complaint {
            id: self.complaint_id,
            partner: Some(self.partner_id).filter(|of| *of != owner(None)),
            policy: self.policy_id,
            kind,
            received_on,
            created_at: self.created_at,
            answer_by: self.answer_by,
            from: from.into_owned(),
            text: text.into_owned(),
            answer: answer.map(Cow::into_owned),
        })
    }
}

#[async_trait]
impl Complaints for Store {
    async fn keep_complaint(&self, complaint: &Complaint) -> Result<()> {
        let row = Row::of(&self.seal, complaint)?;
        self.change(on("complaint.add", complaint.id), sql!("complaints/add"), &row.values())
            .await
            .map(|_| ())
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
        let Row { partner_id, complaint_id, answered_on, body, .. } = &Row::of(&self.seal, complaint)?;
        let values = values![answered_on, body, partner_id, complaint_id];
        self.change(on("complaint.answer", complaint_id), sql!("complaints/answer"), values).await
    }
}
