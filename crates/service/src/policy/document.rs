//! Addresses of a certificate: the signed download (D30), and the public page that checks it.

use std::sync::Arc;

use domain::date::{Date, day_of, in_words};
use domain::id::{PartnerId, PolicyId, ProposalId, Uuid};
use domain::policy::{CheckCode, CoverPeriod, Policy, PolicyNumber};
use domain::policy_state::PolicyState;

use crate::access::signed_address::SignedAddresses;
use crate::error::{Error, Result};
use crate::line::certificate::Printed;
use crate::line::{Genuine, SoldLine, by_line, genuine};
use crate::shared::Shared;
use crate::storage::CertificateDocument;

/// Path of the signed download.
pub const DOWNLOAD_PATH: &str = "/v1/embedded/policy/";

/// Payload bytes of a signed address: partner and proposal.
const ADDRESS_BYTES: usize = 16 + 16;

/// Facts of a certificate for the public check page. The page shows only the initials of the policyholder.
#[derive(Debug)]
pub struct GenuineCertificate {
    /// Policy number on the certificate.
    pub number: PolicyNumber,
    pub insurer: String,
    pub product: String,
    /// Initials of the policyholder.
    pub initials: String,
    pub cover: CoverPeriod,
    /// State of the cover today.
    pub standing: Standing,
    /// Whether the certificate is a specimen of a test partner, which insures nobody (D97).
    pub is_specimen: bool,
    /// How a customer makes a claim, if the catalogue says it.
    pub how_to_claim: Option<String>,
    /// Insurer's contact for claims.
    pub claims_contact: String,
}

/// State of a policy's cover on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The cover has not started yet.
    Ahead,
    /// The cover is in force.
    Running,
    /// The cover has ended.
    Ended,
    /// The policy was cancelled on this day.
    Cancelled(Date),
    /// A paid claim ended the cover of the policy's last insured person on this day.
    Terminated(Date),
    /// The cover has ended, and the policy can no longer be renewed.
    Lapsed,
    /// The cover is in force or has not started, and another policy follows it.
    RunningRenewed,
    /// The cover has ended, and another policy followed it.
    EndedRenewed,
}

/// Signs the addresses of certificates, and opens them.
pub struct PolicyDocumentService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) addresses: Arc<SignedAddresses>,
}

impl PolicyDocumentService {
    /// Download address of a proposal's certificate, valid for 10 minutes.
    pub fn signed_address(&self, of: PartnerId, id: ProposalId) -> String {
        self.addresses.sign(DOWNLOAD_PATH, [of.uuid().as_bytes(), id.uuid().as_bytes().as_slice()].concat())
    }

    /// Certificate of a signed address, with its partner and proposal. If the policy was cancelled or
    /// terminated, a mark on the certificate says so. Otherwise its dates say when cover ends (D66). The
    /// first download is recorded.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the address was not signed here; [`Error::LinkExpired`] after 10 minutes.
    pub async fn download(&self, address: &str) -> Result<(PartnerId, ProposalId, CertificateDocument)> {
        let unknown = || Error::Unknown { what: "document", id: String::new() };
        let bytes = self.addresses.open(address, ADDRESS_BYTES)?;
        let uuid = |from: usize| Uuid::from_slice(&bytes[from..from + 16]).expect("sixteen bytes");
        let (of, id) = (PartnerId::from_uuid(uuid(0)), ProposalId::from_uuid(uuid(16)));
        let document = self.shared.storage.certificate(of, id).await?.ok_or_else(unknown)?;
        // A valid address must give the document even if the store cannot be written.
        if !document.was_read
            && let Err(fault) =
                self.shared.storage.certificate_was_read(of, id, self.shared.partner_clock.now(of)).await
        {
            tracing::warn!(proposal.id = %id, "the first download of the certificate of {id} could not be recorded: {fault}");
        }
        Ok((of, id, self.of_its_state(of, id, document).await?))
    }

    /// Newest certificate of a policy, as its partner downloads it.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an imported policy, which has none.
    pub async fn newest(&self, of: PartnerId, id: PolicyId) -> Result<Vec<u8>> {
        let unknown = || Error::Unknown { what: "certificate", id: id.to_string() };
        let policy = self.shared.storage.policy(of, id).await?.ok_or_else(unknown)?;
        let proposal = policy.proposal.ok_or_else(unknown)?;
        let document = self.shared.storage.certificate(of, proposal).await?.ok_or_else(unknown)?;
        Ok(self.of_its_state(of, proposal, document).await?.bytes)
    }

    async fn of_its_state(
        &self,
        of: PartnerId,
        id: ProposalId,
        document: CertificateDocument,
    ) -> Result<CertificateDocument> {
        by_line!(document.line, L => self.marked::<L>(of, id, document).await)
    }

    /// Certificate with a mark, if its policy was cancelled or terminated. The certificate is rendered again
    /// from the same facts. A certificate of another policy shows when its cover ends.
    async fn marked<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
        document: CertificateDocument,
    ) -> Result<CertificateDocument> {
        let (ended, because) = match document.state {
            PolicyState::Cancelled => ("Cancelled", ""),
            PolicyState::Terminated => ("Terminated", ", after a claim"),
            _ => return Ok(document),
        };
        let storage = &self.shared.storage;
        let Some(policy) = storage.policy_of(of, id).await? else { return Ok(document) };
        let proposal = L::storage(storage.as_ref()).proposal(of, id).await?;
        let Some(proposal) = proposal else { return Ok(document) };
        let Some(catalogue) = policy.cover.catalogue() else { return Ok(document) };
        let catalogue = self.shared.catalogues.version(catalogue).await?;
        let printed = Printed {
            base_url: &self.shared.settings.base_url,
            operator: self.shared.settings.operator.as_deref(),
            is_specimen: self.shared.partner_clock.is_test(of),
        };
        let on = in_words(day_of(policy.changed_at));
        let mark = format!("{ended} on {on}{because}: there is no cover.");
        let certificate =
            ::certificate::Certificate { mark, ..L::certificate(&policy, &proposal, &catalogue, &printed)? };
        Ok(CertificateDocument { bytes: crate::line::certificate::render(certificate).await?, ..document })
    }

    /// Facts of the certificate whose QR code has this check code. `None` if the code belongs to no policy.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn check(&self, check: CheckCode) -> Result<Option<GenuineCertificate>> {
        let Some((of, id)) = self.shared.storage.policy_checked(check).await? else { return Ok(None) };
        let Some(policy) = self.shared.storage.policy(of, id).await? else { return Ok(None) };
        let Some(catalogue) = policy.cover.catalogue() else { return Ok(None) };
        let catalogue = self.shared.catalogues.version(catalogue).await?;
        let Some(Genuine { product, initials, period }) = genuine(&policy.cover, &catalogue)? else {
            return Ok(None);
        };
        Ok(Some(GenuineCertificate {
            insurer: product.insurer.name.clone(),
            product: product.name.clone(),
            initials,
            how_to_claim: product.claims.as_ref().map(|rules| rules.how.english().to_owned()),
            claims_contact: product.insurer.claims_contact.clone(),
            is_specimen: self.shared.partner_clock.is_test(of),
            standing: standing_of(&policy, period, self.shared.partner_clock.today(of)),
            cover: period,
            number: policy.number,
        }))
    }
}

/// State of a policy's cover on a day, for the check page.
fn standing_of(policy: &Policy, cover: CoverPeriod, today: Date) -> Standing {
    let moved_on = day_of(policy.changed_at);
    match policy.state_on(today) {
        PolicyState::Cancelled => Standing::Cancelled(moved_on),
        PolicyState::Terminated => Standing::Terminated(moved_on),
        PolicyState::Lapsed => Standing::Lapsed,
        PolicyState::Renewed if today > cover.ends => Standing::EndedRenewed,
        PolicyState::Renewed => Standing::RunningRenewed,
        PolicyState::Expired => Standing::Ended,
        PolicyState::Issued | PolicyState::CancellationRequested if today < cover.starts => Standing::Ahead,
        PolicyState::Issued | PolicyState::CancellationRequested if today > cover.ends => Standing::Ended,
        PolicyState::Issued | PolicyState::CancellationRequested => Standing::Running,
    }
}
