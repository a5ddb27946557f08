//! Records that a breach concerns, for notices to persons and to the Data Protection Board (DPDP Rules, rule
//! 7).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, QuoteId, SessionId, Uuid};
use domain::identifier::Identifier;

use super::PersonService;
use crate::error::{Error, Result};
use crate::keys::KeyPurpose;
use crate::storage::Identified;
use crate::storage::personal_data::Known;

/// Search tags that are read at once. No record has so many tags.
const PAGE: usize = 1000;

/// Records that could have been opened in a breach.
#[derive(Debug, Clone, Copy, Default)]
pub struct BreachScope {
    /// Only records that this data key could open: every record made before the key was retired.
    pub key: Option<u32>,
    /// Only records of this partner.
    pub partner: Option<PartnerId>,
    /// Only records made at this time or later.
    pub from: Option<Timestamp>,
    /// Only records made before this time.
    pub until: Option<Timestamp>,
}

/// Record that could be opened in a breach, with the contact data of its person.
#[derive(Debug, Clone)]
pub struct OpenedRecord {
    pub partner: PartnerId,
    /// Id of the record with its prefix.
    pub record: String,
    pub known_by: Vec<Identifier>,
}

/// Pages of the records that could be opened in a breach, by partner, oldest first.
pub struct OpenedPages {
    persons: Arc<PersonService>,
    made: (Timestamp, Timestamp),
    /// Partners whose records remain to be read. The current partner is last.
    partners: Vec<PartnerId>,
    after: (Uuid, Uuid),
}

impl PersonService {
    /// Records in a scope that name a person, as pages.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a key that is not a data key of the store.
    pub async fn opened_by(self: Arc<Self>, scope: BreachScope) -> Result<OpenedPages> {
        let mut until = scope.until.unwrap_or(Timestamp::MAX);
        if let Some(number) = scope.key {
            let keys = self.shared.storage.keys().await?;
            let mut keys = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
            let key = keys.find(|key| key.number == number).ok_or_else(|| {
                Error::conflict(format!(
                    "{number} is not the number of a data key: 'covernote keys list' shows them."
                ))
            })?;
            until = key.retired_at.map_or(until, |retired_at| until.min(retired_at));
        }
        let mut partners = self.shared.directory.partner_ids();
        partners.retain(|of| scope.partner.is_none_or(|partner| partner == *of));
        let made = (scope.from.unwrap_or(Timestamp::UNIX_EPOCH), until);
        Ok(OpenedPages { persons: self, made, partners, after: START })
    }
}

/// Start position, before every search tag.
const START: (Uuid, Uuid) = (Uuid::nil(), Uuid::nil());

impl OpenedPages {
    /// Next page. `None` after the last page.
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
                // More tags of the last record may follow, so this record goes to the next page.
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
        Identified::Session => SessionId::from_uuid(id).to_string(),
    }
}
