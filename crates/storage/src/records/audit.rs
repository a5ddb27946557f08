//! Reads and verifies entries of the audit trail.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use domain::approval::Approval;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use ports::acting::Companions;
use ports::storage::audit::{AuditEntry, AuditFilter, AuditHead, AuditQuery, AuditVerified};
use ports::storage::{Audit, KeyedResponse, Result, StorageError};

use super::{approval, kept_response};
use crate::audit::{Companion, Follower, Row, on};
use crate::audit_key::AuditKey;
use crate::fields::{FromRow, values};
use crate::operation::sql;
use crate::store::Store;

/// Number of audit entries that are read and verified at once.
const PAGE: usize = 5000;

/// Most faults that the result of a verification lists.
const MOST_FAULTS: usize = 100;

impl Row {
    fn opened(self, keys: &[AuditKey]) -> AuditEntry {
        let reason = self.opened_reason(keys);
        let Row { slot, number, at, actor, via, action, what, subject, session, request, approval, .. } =
            self;
        let request = request.map(Uuid::from_bytes);
        AuditEntry {
            slot,
            number,
            at,
            actor,
            via,
            action,
            change: what,
            subject,
            session,
            request,
            approval,
            reason,
        }
    }
}

#[async_trait]
impl Audit for Store {
    async fn note(&self, what: &'static str, subject: &str) -> Result<()> {
        Ok(self.act(on(what, subject), (), |(), _| Box::pin(async { Ok(()) })).await?)
    }

    fn companions(
        &self,
        approval: Option<&Approval>,
        response: Option<(PartnerId, &KeyedResponse)>,
    ) -> Result<Companions> {
        let mut all: Vec<Companion> = Vec::new();
        if let Some(ended) = approval {
            all.push(approval::Row::companion(&self.seal, ended)?);
        }
        if let Some((of, response)) = response {
            let row = kept_response::Row::of_response(&self.seal, of, Some(response))?;
            all.extend(row.as_ref().map(kept_response::companion));
        }
        Ok(Arc::new(all))
    }

    async fn audit_entries(&self, query: &AuditQuery, most: usize) -> Result<Vec<AuditEntry>> {
        let rows = match query {
            AuditQuery::Newest => self.newest_entries(most).await,
            AuditQuery::Subject(id) => self.all(sql!("audit/of"), values![id, most], Row::columns).await,
            AuditQuery::Filtered(AuditFilter { subject, actor, action, from, until }) => match subject {
                Some(id) => {
                    let values = values![id, from, until, actor, action, most];
                    self.all(sql!("audit/of_filtered"), values, Row::columns).await
                }
                None => {
                    let values = values![from, until, actor, action, most];
                    self.all(sql!("audit/of_operators"), values, Row::columns).await
                }
            },
            AuditQuery::Slot(slot, after) => {
                self.all(sql!("audit/list"), values![slot, after, most], Row::columns).await
            }
        };
        let keys = self.seal.audit_keys();
        Ok(rows?.into_iter().map(|row| row.opened(&keys)).collect())
    }

    async fn reveals(&self, from: Timestamp, until: Timestamp) -> Result<Vec<(String, u64)>> {
        self.all(sql!("audit/reveals"), values![from, until], FromRow::columns).await
    }

    async fn audit_heads(&self) -> Result<Vec<AuditHead>> {
        let (keys, at) = (self.seal.audit_keys(), self.seal.now());
        let key = keys.last().ok_or_else(|| StorageError::Damaged("the store has no audit key".into()))?;
        let mut heads = Vec::new();
        for (slot, number) in self.audit_ends().await? {
            let Some(hash) = self.first(sql!("audit/hash"), values![slot, number], |row| row.get(0)).await?
            else {
                continue;
            };
            let mut head = AuditHead { slot, number, hash, at, key: key.number, signature: Vec::new() };
            head.signature = key.sign(&head.signed_bytes());
            heads.push(head);
        }
        Ok(heads)
    }

    async fn cut_chains(&self, heads: &[AuditHead]) -> Result<Vec<String>> {
        let keys = self.seal.audit_keys();
        let signed = heads.iter().filter(|head| is_signed(head, &keys));
        let newest: BTreeMap<(i16, i64), &AuditHead> =
            signed.map(|head| ((head.slot, head.number), head)).collect();
        let mut by_slot: BTreeMap<i16, &AuditHead> = BTreeMap::new();
        by_slot.extend(newest.iter().map(|((slot, _), head)| (*slot, *head)));
        let mut faults = Vec::new();
        for (slot, AuditHead { number, hash, at, .. }) in by_slot {
            let found: Option<[u8; 32]> =
                self.first(sql!("audit/hash"), values![slot, number], |row| row.get(0)).await?;
            match found {
                Some(found) if found == *hash => {}
                Some(_) => faults.push(format!("audit slot {slot}: entry {number} is not the same as at {at}")),
                None => faults.push(format!(
                    "audit slot {slot} lacks entry {number} of {at}: its last entries were removed, or an older backup was restored"
                )),
            }
        }
        Ok(faults)
    }

    async fn verify_audit(&self, heads: &[AuditHead]) -> Result<AuditVerified> {
        let keys = self.seal.audit_keys();
        let mut verified = AuditVerified::default();
        let mut by_slot: BTreeMap<i16, Vec<&AuditHead>> = BTreeMap::new();
        for head in heads {
            match is_signed(head, &keys) {
                true => by_slot.entry(head.slot).or_default().push(head),
                false => verified.note(format!(
                    "the given head of audit slot {}, at entry {}, is not signed by this store",
                    head.slot, head.number
                )),
            }
        }
        let ends = self.audit_ends().await?;
        let slots: BTreeSet<i16> =
            ends.iter().map(|(slot, _)| *slot).chain(by_slot.keys().copied()).collect();
        for slot in slots {
            let heads = by_slot.remove(&slot).unwrap_or_default();
            self.verify_slot(slot, &heads, &keys, &mut verified).await?;
        }
        Ok(verified)
    }
}

impl Store {
    /// Slots of the audit trail, each with the number of its last entry.
    async fn audit_ends(&self) -> Result<Vec<(i16, i64)>> {
        self.all(sql!("audit/ends"), values![], FromRow::columns).await
    }

    /// The newest audit entries over all slots, the newest first.
    async fn newest_entries(&self, most: usize) -> Result<Vec<Row>> {
        let mut newest = Vec::new();
        for (slot, end) in self.audit_ends().await? {
            let after = end - i64::try_from(most).unwrap_or(i64::MAX);
            newest.extend(self.all(sql!("audit/list"), values![slot, after, most], Row::columns).await?);
        }
        newest.sort_by_key(|row: &Row| Reverse((row.at, row.slot, row.number)));
        newest.truncate(most);
        Ok(newest)
    }

    async fn verify_slot(
        &self,
        slot: i16,
        heads: &[&AuditHead],
        keys: &[AuditKey],
        verified: &mut AuditVerified,
    ) -> Result<()> {
        let by_number: BTreeMap<i64, &AuditHead> = heads.iter().map(|head| (head.number, *head)).collect();
        let mut chain = Follower::default();
        let mut proven = None;
        loop {
            let page =
                self.all(sql!("audit/list"), values![slot, chain.end.number, PAGE], Row::columns).await?;
            let is_last = page.len() < PAGE;
            for row in page {
                if let Some(fault) = chain.take(&row, keys) {
                    verified.note(format!("audit slot {slot}: {fault}"));
                }
                if let Some(head) = by_number.get(&row.number) {
                    if head.hash == row.hash {
                        proven = Some((row.number, head.at));
                    } else {
                        verified.note(format!(
                            "audit slot {slot}: entry {} is not the same as at {}",
                            row.number, head.at
                        ));
                    }
                }
                verified.entries += 1;
            }
            if is_last {
                break;
            }
        }
        let end = chain.end.number;
        if let Some((number, head)) = by_number.last_key_value().filter(|(number, _)| **number > end) {
            verified.note(format!(
                "audit slot {slot} ends with entry {end}, but had entry {number} at {}: its last entries were removed, or an older backup was restored",
                head.at
            ));
        }
        verified.unproven += (end - proven.map_or(0, |(number, _)| number)).unsigned_abs();
        verified.proven.extend(proven.map(|(number, at)| (slot, number, at)));
        Ok(())
    }
}

/// Whether an audit key of the store signed a head (the last entry of an audit chain).
fn is_signed(head: &AuditHead, keys: &[AuditKey]) -> bool {
    keys.iter().any(|key| {
        let public = UnparsedPublicKey::new(&ED25519, key.public_key());
        key.number == head.key && public.verify(&head.signed_bytes(), &head.signature).is_ok()
    })
}

trait Faults {
    fn note(&mut self, fault: String);
}

impl Faults for AuditVerified {
    fn note(&mut self, fault: String) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}
