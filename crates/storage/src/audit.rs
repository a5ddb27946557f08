//! The audit trail: every operation that acts on a record writes an entry in its own transaction.
//!
//! Entries form chains. Each slot has one chain, whose entries count from 1. An entry's hash covers its
//! columns and the hash before it, keyed with the audit key of the store. So a person who can write to the
//! database but has no keyring cannot forge an entry.
//!
//! SQLite has one slot. On PostgreSQL a transaction takes a slot that no other transaction of its process
//! holds, so that transactions of a process do not wait for each other.

use std::sync::Arc;

use domain::date::Timestamp;
use ports::acting::{Acting, current};
use ports::storage::{Result, StorageError};

use crate::audit_key::{AuditKey, REASON};
use crate::fields::{Owned, RowFields, Value, values};
use crate::operation::Statement;
use crate::seal::Seal;

/// Prefix of the bytes that an entry's hash covers.
const ENTRY: &[u8] = b"covernote.audit.1";

/// Whether the audit trail gets an entry for an operation. Every operation must state this.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// The operation acts on a record, so the audit trail gets an entry.
    Operation {
        /// Name of the operation, such as `policy.change`.
        what: &'static str,
        /// Record on which the operation acts, usually its id.
        subject: String,
    },
    /// The operation only maintains leases, counts, drafts or copies, so the audit trail gets no entry.
    /// docs/operating.md lists such operations.
    Upkeep,
}

/// Value for operations that get no entry in the audit trail.
pub(crate) const UPKEEP: Change = Change::Upkeep;

/// Change that gets an entry in the audit trail: the operation `what` on the record `subject`.
pub(crate) fn on(what: &'static str, subject: impl ToString) -> Change {
    Change::Operation { what, subject: subject.to_string() }
}

/// Refuses a write without an entry in the audit trail if it is part of a rehearsal.
///
/// # Errors
/// [`StorageError::Rehearsed`].
pub(crate) fn refuse_rehearsal() -> Result<()> {
    end_rehearsal(&current())
}

/// Ends a rehearsal before anything is committed.
fn end_rehearsal(acting: &Acting) -> Result<()> {
    if !acting.is_rehearsal() {
        return Ok(());
    }
    acting.note_rehearsed();
    Err(StorageError::Rehearsed)
}

/// Entry of the audit trail that is still to be written.
pub(crate) struct Entry {
    seal: Arc<Seal>,
    acting: Arc<Acting>,
    what: &'static str,
    subject: String,
    companions: Option<Arc<Vec<Companion>>>,
}

/// Statement that must change a row in the transaction of an act ([`ports::acting::Companions`]).
pub(crate) struct Companion {
    pub(crate) statement: Statement<'static>,
    values: Vec<Owned>,
}

impl Companion {
    pub(crate) fn new(statement: Statement<'static>, values: &[Value<'_>]) -> Self {
        Companion { statement, values: Owned::all(values) }
    }

    pub(crate) fn values(&self) -> Vec<Value<'_>> {
        self.values.iter().map(Owned::value).collect()
    }
}

impl Entry {
    /// Entry for a change, made by the current identity. `None` for [`Change::Upkeep`].
    pub(crate) fn of(change: Change, seal: &Arc<Seal>) -> Option<Self> {
        match change {
            Change::Operation { what, subject } => {
                let acting = current();
                let companions = acting.companions().and_then(|rows| rows.downcast().ok());
                Some(Entry { seal: seal.clone(), acting, what, subject, companions })
            }
            Change::Upkeep => None,
        }
    }

    /// Statements that the entry's transaction must execute, too.
    pub(crate) fn companions(&self) -> &[Companion] {
        self.companions.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Ends an operation of a rehearsal after all its checks, so that it is undone.
    pub(crate) fn end_rehearsal(&self) -> Result<()> {
        end_rehearsal(&self.acting)
    }

    pub(crate) fn is_rehearsal(&self) -> bool {
        self.acting.is_rehearsal()
    }

    pub(crate) fn acting(&self) -> Arc<Acting> {
        self.acting.clone()
    }

    /// Row of the entry that follows `before` in the chain of a slot.
    pub(crate) fn row(&self, slot: i16, before: &Link) -> Result<Row> {
        let keys = self.seal.audit_keys();
        let now = self.seal.now();
        let key = keys.iter().rev().find(|key| key.active_from <= now).or(keys.first());
        let key = key.ok_or_else(|| StorageError::Damaged("the store has no audit key".into()))?;
        let acting = &self.acting;
        let action = match acting.method {
            "" => acting.action.to_string(),
            method => format!("{method} {}", acting.action),
        };
        let number = before.number + 1;
        let reason = acting.reason.as_ref();
        let reason = reason
            .map(|reason| key.sealing.seal(self.seal.random(), &bound_to(slot, number), reason.as_bytes()));
        let mut row = Row {
            slot,
            number,
            at: now,
            actor: acting.actor().to_string(),
            via: acting.via.word().to_owned(),
            action,
            what: self.what.to_owned(),
            subject: self.subject.clone(),
            session: acting.session.clone(),
            request: acting.request.map(|id| id.into_bytes()),
            approval: acting.approval.get().cloned(),
            reason: reason.transpose()?,
            key: key.number,
            hash: [0; 32],
        };
        row.hash = row.hashed(key, &before.hash);
        acting.note_entry();
        Ok(row)
    }
}

/// Entry of the audit trail, as stored in its row.
pub(crate) struct Row {
    pub(crate) slot: i16,
    pub(crate) number: i64,
    pub(crate) at: Timestamp,
    pub(crate) actor: String,
    pub(crate) via: String,
    pub(crate) action: String,
    pub(crate) what: String,
    pub(crate) subject: String,
    pub(crate) session: Option<String>,
    pub(crate) request: Option<[u8; 16]>,
    pub(crate) approval: Option<String>,
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) key: u32,
    pub(crate) hash: [u8; 32],
}

impl Row {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Row {
            slot: row.get(0)?,
            number: row.get(1)?,
            at: row.get(2)?,
            actor: row.get(3)?,
            via: row.get(4)?,
            action: row.get(5)?,
            what: row.get(6)?,
            subject: row.get(7)?,
            session: row.get(8)?,
            request: row.get(9)?,
            approval: row.get(10)?,
            reason: row.get(11)?,
            key: row.get(12)?,
            hash: row.get(13)?,
        })
    }

    pub(crate) fn values(&self) -> [Value<'_>; 14] {
        let Row { slot, number, at, actor, via, action, what, subject, session, request, approval, .. } =
            self;
        let (reason, key, hash) = (&self.reason, self.key, &self.hash);
        *values![
            slot, number, at, actor, via, action, what, subject, session, request, approval, reason, key,
            hash
        ]
    }

    /// Hash of the entry. It covers the stored columns and the hash of the entry before it.
    pub(crate) fn hashed(&self, key: &AuditKey, before: &[u8; 32]) -> [u8; 32] {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (session, approval) = (text(&self.session), text(&self.approval));
        let reason = self.reason.as_deref().unwrap_or_default();
        let request = self.request.as_ref().map(|id| &id[..]).unwrap_or_default();
        key.hasher.hash(&[
            ENTRY,
            before,
            &self.slot.to_be_bytes(),
            &self.number.to_be_bytes(),
            &self.at.as_microsecond().to_be_bytes(),
            self.actor.as_bytes(),
            self.via.as_bytes(),
            self.action.as_bytes(),
            self.what.as_bytes(),
            self.subject.as_bytes(),
            session.as_bytes(),
            request,
            approval.as_bytes(),
            reason,
        ])
    }

    /// Decrypted reason that the actor gave. `None` if the actor gave none, or if no key decrypts it.
    pub(crate) fn opened_reason(&self, keys: &[AuditKey]) -> Option<String> {
        let key = keys.iter().find(|key| key.number == self.key)?;
        let mut sealed = self.reason.clone()?;
        let opened = key.sealing.open(&bound_to(self.slot, self.number), &mut sealed).ok()?;
        String::from_utf8(opened.to_vec()).ok()
    }
}

fn bound_to(slot: i16, number: i64) -> Vec<u8> {
    [REASON, &slot.to_be_bytes(), &number.to_be_bytes()].concat()
}

/// Last entry of a chain of the audit trail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) number: i64,
    pub(crate) hash: [u8; 32],
}

impl Link {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Link { number: row.get(0)?, hash: row.get(1)? })
    }
}

/// Verifies the audit chain of one slot, entry by entry.
#[derive(Default)]
pub(crate) struct Follower {
    pub(crate) end: Link,
}

impl Follower {
    /// Checks the next entry of the slot. Returns what is wrong with the entry, if anything.
    pub(crate) fn take(&mut self, row: &Row, keys: &[AuditKey]) -> Option<String> {
        let before = std::mem::replace(&mut self.end, Link { number: row.number, hash: row.hash });
        if row.number != before.number + 1 {
            // After a gap, this entry's predecessor is unknown. Only later entries can be checked.
            return Some(format!("audit entries {} to {} are missing", before.number + 1, row.number - 1));
        }
        let key = keys.iter().find(|key| key.number == row.key);
        let is_chained = key.is_some_and(|key| row.hashed(key, &before.hash) == row.hash);
        (!is_chained).then(|| format!("audit entry {} was changed or moved", row.number))
    }
}
