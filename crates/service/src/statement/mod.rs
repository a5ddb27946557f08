//! Statements of a month: made once, stored with their files, read by partners, answered by insurers (D85 to
//! D87).
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

/// Most statements in a partner's list: a commission statement each month for ten years.
const MOST_OF_A_PARTNER: usize = 120;

/// Payload bytes of a signed address: partner, statement, file format.
const ADDRESS_BYTES: usize = 16 + 16 + 1;

/// Makes and shows statements.
pub struct StatementService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) addresses: Arc<SignedAddresses>,
}

/// Sentence for the operator that names live partners without a licence in the catalogue, who earn no
/// commission. `None` if every partner has a licence, or insurers owe no commission.
pub fn partners_without_licence(partners: &[PartnerRecord], catalogue: &Catalogue) -> Option<String> {
    let live =
        partners.iter().map(|record| &record.partner).filter(|one| one.enabled && one.sandbox.is_none());
    let earns_nothing = |one: &&Partner| catalogue.commission().earns_nothing(one.id);
    let names: Vec<&str> = live.filter(earns_nothing).map(|one| one.name.as_str()).collect();
    (!names.is_empty())
        .then(|| format!("earn no commission without a licence in commission.toml: {}", names.join(", ")))
}

/// File of a statement, which is read part by part.
pub struct StatementDownload {
    pub statement: Statement,
    pub file: StatementFile,
}

impl StatementService {
    /// Statements of a partner, newest month first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_partner(&self, of: PartnerId) -> Result<Vec<Statement>> {
        Ok(self.shared.storage.statements_of(of, MOST_OF_A_PARTNER).await?)
    }

    /// Statement of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, of: PartnerId, id: StatementId) -> Result<Statement> {
        let unknown = || Error::Unknown { what: "statement", id: id.to_string() };
        self.shared.storage.statement(of, id).await?.ok_or_else(unknown)
    }

    /// Statement by its number, whoever receives it.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn numbered(&self, number: &str) -> Result<Statement> {
        let unknown = || Error::Unknown { what: "statement", id: number.to_owned() };
        self.shared.storage.statement_numbered(number).await?.ok_or_else(unknown)
    }

    /// Sentence for the operator that names live partners without a licence, who earn no commission. `None`
    /// if every partner has a licence.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn without_licence(&self) -> Result<Option<String>> {
        Ok(partners_without_licence(&self.partners.all().await?, &self.shared.catalogues.running()))
    }

    /// Statements of one month or all, newest month first, then by kind and number. At most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_months(&self, month: Option<Month>, most: usize) -> Result<Vec<Statement>> {
        let ever = (Month::of(Date::constant(1900, 1, 1)), Month::of(Date::constant(9999, 1, 1)));
        let (first, last) = month.map_or(ever, |month| (month, month));
        Ok(self.shared.storage.statements_of_months(first, last, most).await?)
    }

    /// Download address of a file of a partner's statement, valid for 10 minutes from now.
    pub fn signed_address(&self, of: PartnerId, statement: StatementId, format: FileFormat) -> String {
        let mut address = Vec::with_capacity(ADDRESS_BYTES);
        address.extend_from_slice(of.uuid().as_bytes());
        address.extend_from_slice(statement.uuid().as_bytes());
        address.push(FileFormat::ALL.iter().position(|other| *other == format).unwrap_or_default() as u8);
        self.addresses.sign(DOWNLOAD_PATH, address)
    }

    /// Statement file of a signed address, with the partner.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the address was not signed here; [`Error::LinkExpired`] after 10 minutes.
    pub async fn signed(&self, address: &str) -> Result<(PartnerId, StatementDownload)> {
        let bytes = self.addresses.open(address, ADDRESS_BYTES)?;
        let uuid = |from: usize| Uuid::from_slice(&bytes[from..from + 16]).expect("sixteen bytes");
        let of = PartnerId::from_uuid(uuid(0));
        let format = FileFormat::ALL.get(usize::from(bytes[32])).copied().unwrap_or(FileFormat::Csv);
        let statement = self.find(of, StatementId::from_uuid(uuid(16))).await?;
        Ok((of, download(statement, format)?))
    }

    /// Part of a statement's file by its number, from 0. `None` after the last part.
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

/// File of a statement in a file format.
///
/// # Errors
/// [`Error::Unknown`] if the statement has no such file.
pub fn download(statement: Statement, format: FileFormat) -> Result<StatementDownload> {
    let file = statement.files.iter().find(|file| file.format == format).cloned();
    let unknown = || Error::Unknown { what: "file", id: statement.file_name(format) };
    let file = file.ok_or_else(unknown)?;
    Ok(StatementDownload { statement, file })
}

/// Partner that receives a statement. `None` if an insurer or the operator receives it.
fn partner_of(recipient: Recipient) -> Option<PartnerId> {
    match recipient {
        Recipient::Partner(partner) => Some(partner),
        Recipient::Insurer(_) | Recipient::Operator => None,
    }
}
