//! The audit trail: every act is an entry in its own transaction.
//!
//! Entries form chains. A slot has one chain, whose entries count from 1; an entry's hash covers its columns and the hash before it, under
//! the audit key of the store, so a person who can write the database but has no keyring cannot make an entry. SQLite has one slot. On PostgreSQL
//! a transaction takes a slot that no other transaction of its process holds, so that none waits for another.

use std::sync::Arc;

use domain::date::Timestamp;
use ports::acting::{Acting, current};
use ports::storage::{Result, StorageError};

use crate::audit_key::{AuditKey, REASON};
use crate::fields::{Fields, Value, values};
use crate::seal::Seal;

/// What the hash of an entry begins with.
const ENTRY: &[u8] = b"covernote.audit.1";

/// What an operation is to the audit trail. Every operation says it.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// An act on a record: it gets an entry.
    Act {
        /// The operation, such as `policy.change`.
        what: &'static str,
        /// The record.
        subject: String,
    },
    /// Not an act: leases, counts, drafts, copies. docs/operating.md lists them.
    Upkeep,
}

/// Not an act.
pub(crate) const UPKEEP: Change = Change::Upkeep;

/// An act on a record.
pub(crate) fn on(what: &'static str, subject: impl ToString) -> Change {
    Change::Act { what, subject: subject.to_string() }
}

/// An entry that is to be written.
pub(crate) struct Entry {
    seal: Arc<Seal>,
    acting: Arc<Acting>,
    what: &'static str,
    subject: String,
}

impl Entry {
    /// The entry of a change, in the name of the current identity.
    pub(crate) fn of(change: Change, seal: &Arc<Seal>) -> Option<Self> {
        match change {
            Change::Act { what, subject } => {
                Some(Entry { seal: seal.clone(), acting: current(), what, subject })
            }
            Change::Upkeep => None,
        }
    }

    /// The entry's row in a slot, behind a link.
    pub(crate) fn row(&self, slot: i16, before: &Link) -> Result<Row> {
        let keys = self.seal.audit_keys();
        let now = self.seal.now();
        let key = keys.iter().rev().find(|key| key.active_from <= now).or(keys.first());
        let key = key.ok_or_else(|| StorageError::Damaged("there is no audit key".into()))?;
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

/// An entry as its row stores it.
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
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self> {
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

    /// The hash that it has behind a hash, over its columns as they lie in the row.
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

    /// The reason, opened.
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

/// The end of a chain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) number: i64,
    pub(crate) hash: [u8; 32],
}

impl Link {
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self> {
        Ok(Link { number: row.get(0)?, hash: row.get(1)? })
    }
}

/// Follows the chain of a slot.
#[derive(Default)]
pub(crate) struct Follower {
    pub(crate) end: Link,
}

impl Follower {
    /// Takes the next entry of the slot: what is wrong with it.
    pub(crate) fn take(&mut self, row: &Row, keys: &[AuditKey]) -> Option<String> {
        let before = std::mem::replace(&mut self.end, Link { number: row.number, hash: row.hash });
        if row.number != before.number + 1 {
            // Behind a gap only the entries after this one prove something.
            return Some(format!("the entries {} to {} are missing", before.number + 1, row.number - 1));
        }
        let key = keys.iter().find(|key| key.number == row.key);
        let is_chained = key.is_some_and(|key| row.hashed(key, &before.hash) == row.hash);
        (!is_chained).then(|| format!("the entry {} was changed or moved", row.number))
    }
}
