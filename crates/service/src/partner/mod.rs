//! Administration of partners by the operator (D5, D6).
//!
//! Uses `access`, `error`, `shared`.
//!

pub mod request_log;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::access::Scopes;
use domain::event::EventType;
use domain::id::PartnerId;
use domain::partner::{Partner, Sandbox};
use domain::person::PersonalLine;

use crate::access::token::secret_hash;
use crate::error::{Error, Result};
use crate::shared::Shared;
use crate::storage::partners::ClockChange;
use crate::storage::{PartnerRecord, SecretRecord};

/// Most live secrets of a partner, so that one can be replaced without an outage (D5).
pub const LIVE_SECRETS: usize = 2;

/// Data of a new partner.
#[derive(Debug, Clone)]
pub struct NewPartner {
    /// Name that the partner's customers know.
    pub name: String,
    /// Scopes beyond `business.session`.
    pub scopes: Scopes,
    /// Whether the partner may use the deprecated operations that read health proposals and policies (D9).
    pub legacy_reads: bool,
    /// Whether the partner may attribute quotes to another partner or an enterprise (D8).
    pub attribution: bool,
    /// Web origins whose pages may show the hosted journey in a frame.
    pub origins: Vec<String>,
    /// URLs to which the journey may send a customer back.
    pub return_urls: Vec<String>,
    /// Most tokens in any sliding hour (D6).
    pub tokens_per_hour: u32,
    /// Whether the new partner is a test partner, whose policies insure nobody (D97).
    pub is_test: bool,
}

/// Credentials of a partner. They are shown once.
pub struct Credentials {
    pub partner: PartnerId,
    /// API access key of the partner.
    pub client_id: String,
    /// Number of the secret among the partner's secrets.
    pub number: u32,
    /// API secret key of the partner.
    pub client_secret: String,
}

/// Change of a partner's permissions.
#[derive(Debug, Clone, Default)]
pub struct PartnerChange {
    pub name: Option<String>,
    /// Most tokens that the partner gets in any 60 minutes.
    pub tokens_per_hour: Option<u32>,
    /// Whom the operator calls or writes to.
    pub contacts: Option<PersonalLine>,
    pub enabled: Option<bool>,
    /// Scopes to add.
    pub grant: Scopes,
    /// Scopes to remove.
    pub revoke: Scopes,
    /// Whether the partner may use the deprecated read operations. `None` changes nothing.
    pub legacy_reads: Option<bool>,
    pub attribution: Option<bool>,
    /// Whether to refuse the partner's existing tokens for good. Disabling the partner also refuses them.
    pub end_tokens: bool,
    pub add: Addresses,
    /// Addresses to remove.
    pub remove: Addresses,
}

/// Web addresses of a partner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Web origins whose pages may show the hosted journey in a frame.
    pub origins: Vec<String>,
    /// URLs to which the journey may send a customer back.
    pub return_urls: Vec<String>,
}

/// Appends each entry of `add` that the list lacks, then removes the entries of `remove`.
fn change_list(list: &mut Vec<String>, add: &[String], remove: &[String]) {
    for new in add {
        if !list.contains(new) {
            list.push(new.clone());
        }
    }
    list.retain(|known| !remove.contains(known));
}

/// Adds partners, changes them, and gives them secrets.
pub struct PartnerService {
    pub(crate) shared: Arc<Shared>,
}

impl PartnerService {
    /// New client secret: 256 random bits in base64url (D5).
    fn new_secret(&self) -> String {
        let mut bytes = [0; 32];
        self.shared.random.fill(&mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Adds a partner and shows its credentials once.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn add(&self, new: NewPartner) -> Result<Credentials> {
        let id: PartnerId = self.shared.ids.make();
        let mut random = [0; 12];
        self.shared.random.fill(&mut random);
        let client_id = format!("cn_{}", URL_SAFE_NO_PAD.encode(random));
        let client_secret = self.new_secret();
        self.add_with(id, new, &client_id, &client_secret).await?;
        Ok(Credentials { partner: id, client_id, number: 1, client_secret })
    }

    /// Adds a partner with given credentials, for the demo.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn add_with(
        &self,
        id: PartnerId,
        new: NewPartner,
        client_id: &str,
        client_secret: &str,
    ) -> Result<()> {
        let now = self.shared.clock.now();
        let partner = Partner {
            id,
            name: new.name,
            client_id: client_id.to_owned(),
            enabled: true,
            scopes: new.scopes,
            legacy_reads: new.legacy_reads,
            attribution: new.attribution,
            origins: new.origins,
            return_urls: new.return_urls,
            tokens_per_hour: new.tokens_per_hour,
            tokens_ended_at: None,
            contacts: None,
            created_at: now,
            sandbox: new.is_test.then(Sandbox::default),
        };
        let secret = SecretRecord {
            number: 1,
            hash: secret_hash(client_secret),
            added_at: now,
            revoked_at: None,
            tokens_ended: false,
        };
        self.shared.storage.add_partner(&partner, &secret).await?;
        self.shared.directory.refresh().await?;
        Ok(())
    }

    /// Every partner, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn all(&self) -> Result<Vec<PartnerRecord>> {
        let mut records = self.shared.storage.partners().await?;
        records.sort_by_key(|record| record.partner.id);
        Ok(records)
    }

    /// Partners whose records an operator's list shows: the named partner, or every partner except test
    /// partners.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub(crate) async fn of_list(&self, named: Option<&str>) -> Result<Vec<PartnerId>> {
        Ok(match named {
            Some(named) => vec![self.find(named).await?.partner.id],
            None => self.live().await?.into_iter().map(|record| record.partner.id).collect(),
        })
    }

    /// Every partner except test partners, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn live(&self) -> Result<Vec<PartnerRecord>> {
        let mut records = self.all().await?;
        records.retain(|record| !record.partner.is_test());
        Ok(records)
    }

    /// Name of a partner, without reading the store.
    pub fn name_of(&self, id: PartnerId) -> Option<String> {
        self.shared.directory.partner(id).map(|partner| partner.name)
    }

    /// Partner by its id or `client_id`.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, named: &str) -> Result<PartnerRecord> {
        let records = self.shared.storage.partners().await?;
        let found = records
            .into_iter()
            .find(|record| record.partner.id.to_string() == named || record.partner.client_id == named);
        found.ok_or_else(|| Error::Unknown { what: "partner", id: named.to_owned() })
    }

    /// Changes a partner. Running servers apply the change within 5 seconds.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn change(&self, named: &str, change: &PartnerChange) -> Result<Partner> {
        let mut partner = self.find(named).await?.partner;
        partner.enabled = change.enabled.unwrap_or(partner.enabled);
        partner.tokens_per_hour = change.tokens_per_hour.unwrap_or(partner.tokens_per_hour);
        partner.contacts = change.contacts.clone().or(partner.contacts.take());
        if let Some(name) = &change.name {
            partner.name.clone_from(name);
        }
        if change.end_tokens || change.enabled == Some(false) {
            partner.tokens_ended_at = Some(self.shared.clock.now());
        }
        partner.legacy_reads = change.legacy_reads.unwrap_or(partner.legacy_reads);
        partner.attribution = change.attribution.unwrap_or(partner.attribution);
        partner.scopes = change.grant.iter().fold(partner.scopes, Scopes::and);
        partner.scopes = change.revoke.iter().fold(partner.scopes, Scopes::without);
        change_list(&mut partner.origins, &change.add.origins, &change.remove.origins);
        change_list(&mut partner.return_urls, &change.add.return_urls, &change.remove.return_urls);
        if !self.shared.storage.change_partner(&partner, ClockChange::Keep).await? {
            return Err(Error::Unknown { what: "partner", id: named.to_owned() });
        }
        self.shared.directory.refresh().await?;
        Ok(partner)
    }

    /// Adds a second secret, so that the partner can switch to it without an outage (D5).
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if two secrets are live already.
    pub async fn add_secret(&self, named: &str) -> Result<Credentials> {
        let record = self.find(named).await?;
        let number = record.secrets.iter().map(|secret| secret.number).max().unwrap_or(0) + 1;
        let client_secret = self.new_secret();
        let secret = SecretRecord {
            number,
            hash: secret_hash(&client_secret),
            added_at: self.shared.clock.now(),
            revoked_at: None,
            tokens_ended: false,
        };
        let of = record.partner.id;
        let event = self.shared.events().of_secret(EventType::CredentialAdded, of, number, secret.added_at);
        if !self.shared.storage.add_secret(of, &secret, LIVE_SECRETS, &event).await? {
            return Err(Error::conflict("the partner already has two live secrets; revoke one first".into()));
        }
        self.shared.directory.refresh().await?;
        Ok(Credentials {
            partner: record.partner.id,
            client_id: record.partner.client_id,
            number,
            client_secret,
        })
    }

    /// Revokes a secret, so that no new tokens are issued for it. Tokens that were issued for the secret stay
    /// valid until they expire. If `end_tokens` is set, they are refused within 5 seconds (D5).
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn revoke_secret(&self, named: &str, number: u32, end_tokens: bool) -> Result<()> {
        let record = self.find(named).await?;
        let now = self.shared.clock.now();
        let of = record.partner.id;
        let event = self.shared.events().of_secret(EventType::CredentialRevoked, of, number, now);
        if !self.shared.storage.revoke_secret(of, number, now, end_tokens, &event).await? {
            return Err(Error::Unknown { what: "live secret", id: number.to_string() });
        }
        Ok(self.shared.directory.refresh().await?)
    }
}
