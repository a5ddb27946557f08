//! Whose records a breach concerns: for the notices to persons and to the Data Protection Board (DPDP Rules, rule 7).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, QuoteId, Uuid};
use domain::identifier::Identifier;

use super::PersonService;
use crate::error::{Error, Result};
use crate::keys::KeyPurpose;
use crate::storage::Identified;
use crate::storage::personal_data::Known;

/// Tags that are read at once: more than a record has.
const PAGE: usize = 1000;

/// What could be opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct BreachScope {
    /// A data key of the store: it could open every record that was made before its end.
    pub key: Option<u32>,
    /// The records of a partner.
    pub partner: Option<PartnerId>,
    /// Records that were made from then on.
    pub from: Option<Timestamp>,
    /// Records that were made before.
    pub until: Option<Timestamp>,
}

/// A record that could be opened, with how its person is reached.
#[derive(Debug, Clone)]
pub struct OpenedRecord {
    pub partner: PartnerId,
    /// Its id with the prefix.
    pub record: String,
    pub known_by: Vec<Identifier>,
}

/// Records that could be opened, partner by partner and in the order in which they were made, a page after another.
pub struct OpenedPages {
    persons: Arc<PersonService>,
    made: (Timestamp, Timestamp),
    /// The partners that are left, the present one last.
    partners: Vec<PartnerId>,
    after: (Uuid, Uuid),
}

impl PersonService {
    /// The records in a scope that name a person.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a key that is not a data key of the store.
    pub async fn opened_by(self: Arc<Self>, scope: BreachScope) -> Result<OpenedPages> {
        let mut until = scope.until.unwrap_or(Timestamp::MAX);
        if let Some(number) = scope.key {
            let keys = self.shared.storage.keys().await?;
            let mut keys = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
            let key = keys.find(|key| key.number == number).ok_or_else(|| {
                Error::conflict(format!("{number} is not a data key: 'covernote keys list' shows them."))
            })?;
            until = key.retired_at.map_or(until, |retired_at| until.min(retired_at));
        }
        let mut partners = self.shared.directory.partner_ids();
        partners.retain(|of| scope.partner.is_none_or(|partner| partner == *of));
        let made = (scope.from.unwrap_or(Timestamp::UNIX_EPOCH), until);
        Ok(OpenedPages { persons: self, made, partners, after: START })
    }
}

/// Before every tag.
const START: (Uuid, Uuid) = (Uuid::nil(), Uuid::nil());

impl OpenedPages {
    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn next(&mut self) -> Result<Option<Vec<OpenedRecord>>> {
        let Some(of) = self.partners.last().copied() else { return Ok(None) };
        let storage = &self.persons.shared.storage;
        let (known, next) = storage.known_persons(of, self.made, self.after, PAGE).await?;
        let mut records: BTreeMap<Uuid, OpenedRecord> = BTreeMap::new();
        for Known { kind, id, by, .. } in known {
            let new = || OpenedRecord { partner: of, record: named(kind, id), known_by: Vec::new() };
            records.entry(id).or_insert_with(new).known_by.push(by);
        }
        match next {
            Some((last, _)) => {
                // More of the last record may follow: the next page has all of it.
                records.remove(&last);
                self.after = (last, Uuid::nil());
            }
            None => {
                self.partners.pop();
                self.after = START;
            }
        }
        Ok(Some(records.into_values().collect()))
    }
}

fn named(kind: Identified, id: Uuid) -> String {
    match kind {
        Identified::HealthQuote => QuoteId::from_uuid(id).to_string(),
        Identified::Proposal(_) => ProposalId::from_uuid(id).to_string(),
        Identified::Policy => PolicyId::from_uuid(id).to_string(),
    }
}
