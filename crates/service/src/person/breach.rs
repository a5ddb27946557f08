//! Whose records a breach concerns: for the notices to persons and to the Data Protection Board (DPDP Rules, rule 7).

use std::collections::BTreeMap;

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, QuoteId, Uuid};
use domain::identifier::Identifier;

use super::PersonService;
use crate::error::{Error, Result};
use crate::storage::Identified;
use ports::keys::KeyPurpose;

/// Tags that are read at once.
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

impl PersonService {
    /// The records in a scope that name a person, in the order in which they were made; partner by partner.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a key that is not a data key of the store.
    pub async fn opened_by(&self, scope: BreachScope) -> Result<Vec<OpenedRecord>> {
        let from = scope.from.unwrap_or(Timestamp::UNIX_EPOCH);
        let mut until = scope.until.unwrap_or(Timestamp::MAX);
        if let Some(number) = scope.key {
            let keys = self.shared.storage.keys().await?;
            let mut keys = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
            let Some(key) = keys.find(|key| key.number == number) else {
                return Err(Error::Conflict(format!(
                    "{number} is not a data key: 'covernote keys list' shows them."
                )));
            };
            until = key.retired_at.map_or(until, |retired_at| until.min(retired_at));
        }
        let mut all = Vec::new();
        for of in self.shared.directory.partner_ids() {
            if scope.partner.is_none_or(|partner| partner == of) {
                all.extend(self.opened_of(of, (from, until)).await?);
            }
        }
        Ok(all)
    }

    async fn opened_of(&self, of: PartnerId, made: (Timestamp, Timestamp)) -> Result<Vec<OpenedRecord>> {
        let mut records: BTreeMap<Uuid, OpenedRecord> = BTreeMap::new();
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let (known, next) = self.shared.storage.known_persons(of, made, after, PAGE).await?;
            for known in known {
                let named = || match known.kind {
                    Identified::HealthQuote => QuoteId::from_uuid(known.id).to_string(),
                    Identified::Proposal(_) => ProposalId::from_uuid(known.id).to_string(),
                    Identified::Policy => PolicyId::from_uuid(known.id).to_string(),
                };
                let record = records.entry(known.id);
                let record = record.or_insert_with(|| OpenedRecord {
                    partner: of,
                    record: named(),
                    known_by: Vec::new(),
                });
                record.known_by.push(known.by);
            }
            match next {
                Some(next) => after = next,
                None => return Ok(records.into_values().collect()),
            }
        }
    }
}
