//! Statements of a month: made once, kept with their files, read by partners, answered by insurers (D85 to D87).
//!
//! Uses `access`, `error`, `line`, `partner`, `policy`, `shared`.
//!

mod answer;
mod commission;
mod gst;
mod make;
mod payment;
mod reminder;
mod rows;
mod sheet;

use std::sync::Arc;

use domain::date::Date;
use domain::id::{PartnerId, StatementId, Uuid};
use domain::partner::Partner;
use domain::statement::{FileFormat, Month, Recipient, Statement, StatementFile};
use rating::Catalogue;

pub use answer::{AnswerLine, Answered};
pub use make::Made;
pub use reminder::not_closed;
pub use sheet::{DraftFile, TakeDraft};

use crate::access::signed_address::SignedAddresses;
use crate::error::{Error, Result};
use crate::partner::PartnerService;
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::storage::PartnerRecord;
use crate::storage::statements::PartPosition;

/// Path of the signed download of a file.
pub const DOWNLOAD_PATH: &str = "/v1/statements/files/";

/// Most statements that a partner's list has: a commission statement a month for ten years.
const MOST_OF_A_PARTNER: usize = 120;

/// Bytes that a signed address says before it expires: partner, statement, format.
const ADDRESS_BYTES: usize = 16 + 16 + 1;

/// Makes statements, and shows them.
pub struct StatementService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) addresses: Arc<SignedAddresses>,
}

/// Which live partners earn nothing by what they sell, since a catalogue has no licence of theirs, in a sentence for the operator.
/// `None`: each has one, or insurers owe no commission.
pub fn partners_without_licence(partners: &[PartnerRecord], catalogue: &Catalogue) -> Option<String> {
    let live =
        partners.iter().map(|record| &record.partner).filter(|one| one.enabled && one.sandbox.is_none());
    let earns_nothing = |one: &&Partner| catalogue.commission().earns_nothing(one.id);
    let names: Vec<&str> = live.filter(earns_nothing).map(|one| one.name.as_str()).collect();
    (!names.is_empty())
        .then(|| format!("earn no commission without a licence in commission.toml: {}", names.join(", ")))
}

/// A file of a statement that somebody reads, a part after another.
pub struct StatementDownload {
    pub statement: Statement,
    pub file: StatementFile,
}

impl StatementService {
    /// A partner's own statements, the newest month first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_partner(&self, of: PartnerId) -> Result<Vec<Statement>> {
        Ok(self.shared.storage.statements_of(of, MOST_OF_A_PARTNER).await?)
    }

    /// A statement of a partner.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, of: PartnerId, id: StatementId) -> Result<Statement> {
        let unknown = || Error::Unknown { what: "statement", id: id.to_string() };
        self.shared.storage.statement(of, id).await?.ok_or_else(unknown)
    }

    /// A statement by its number, whoever is told.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn numbered(&self, number: &str) -> Result<Statement> {
        let unknown = || Error::Unknown { what: "statement", id: number.to_owned() };
        self.shared.storage.statement_numbered(number).await?.ok_or_else(unknown)
    }

    /// Which live partners earn nothing by what they sell, in a sentence for the operator. `None`: each has a licence.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn without_licence(&self) -> Result<Option<String>> {
        Ok(partners_without_licence(&self.partners.all().await?, &self.shared.catalogues.running()))
    }

    /// Statements of one month, or of all, the newest month first, each by kind and number; at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_months(&self, month: Option<Month>, most: usize) -> Result<Vec<Statement>> {
        let ever = (Month::of(Date::constant(1900, 1, 1)), Month::of(Date::constant(9999, 1, 1)));
        let (first, last) = month.map_or(ever, |month| (month, month));
        Ok(self.shared.storage.statements_of_months(first, last, most).await?)
    }

    /// A download address of a partner's file, good for 10 minutes from now.
    pub fn signed_address(&self, of: PartnerId, statement: StatementId, format: FileFormat) -> String {
        let mut address = Vec::with_capacity(ADDRESS_BYTES);
        address.extend_from_slice(of.uuid().as_bytes());
        address.extend_from_slice(statement.uuid().as_bytes());
        address.push(FileFormat::ALL.iter().position(|other| *other == format).unwrap_or_default() as u8);
        self.addresses.sign(DOWNLOAD_PATH, address)
    }

    /// What stands behind a signed address.
    ///
    /// # Errors
    /// [`Error::Unknown`] when it was not signed here, [`Error::LinkExpired`] after 10 minutes.
    pub async fn signed(&self, address: &str) -> Result<(PartnerId, StatementDownload)> {
        let bytes = self.addresses.open(address, ADDRESS_BYTES)?;
        let uuid = |from: usize| Uuid::from_slice(&bytes[from..from + 16]).expect("sixteen bytes");
        let of = PartnerId::from_uuid(uuid(0));
        let format = FileFormat::ALL.get(usize::from(bytes[32])).copied().unwrap_or(FileFormat::Csv);
        let statement = self.find(of, StatementId::from_uuid(uuid(16))).await?;
        Ok((of, download(statement, format)?))
    }

    /// A part of a file by its number from 0 on. `None` behind the last one.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn part(
        &self,
        statement: &Statement,
        file: FileFormat,
        number: u32,
    ) -> Result<Option<Vec<u8>>> {
        let of = partner_of(statement.recipient);
        let part = PartPosition { of, statement: statement.id, file, number };
        Ok(self.shared.storage.statement_part(part).await?)
    }
}

/// A file of a statement.
///
/// # Errors
/// [`Error::Unknown`].
pub fn download(statement: Statement, format: FileFormat) -> Result<StatementDownload> {
    let file = statement.files.iter().find(|file| file.format == format).cloned();
    let unknown = || Error::Unknown { what: "file", id: statement.file_name(format) };
    let file = file.ok_or_else(unknown)?;
    Ok(StatementDownload { statement, file })
}

/// The partner whose statement it is, if it is one's.
fn partner_of(recipient: Recipient) -> Option<PartnerId> {
    match recipient {
        Recipient::Partner(partner) => Some(partner),
        Recipient::Insurer(_) | Recipient::Operator => None,
    }
}
