//! The certificate's two addresses: the signed download (D30) and the check that anyone may make.

use std::sync::Arc;

use domain::credit_life::CreditLife;
use domain::date::{Date, day_of, in_words};
use domain::health_proposal::Health;
use domain::id::{PartnerId, PolicyId, ProposalId, Uuid};
use domain::line::{Line, LineOfBusiness};
use domain::policy::{CheckCode, CoverPeriod, Policy, PolicyNumber};
use domain::policy_state::PolicyState;

use crate::access::signed_address::SignedAddresses;
use crate::error::{Error, Result};
use crate::line::certificate::Printed;
use crate::line::{Genuine, SoldLine};
use crate::on_any_policy;
use crate::shared::Shared;
use crate::storage::CertificateDocument;

/// Path of the signed download.
pub const DOWNLOAD_PATH: &str = "/v1/embedded/policy/";

/// Bytes that an address says before it expires: partner and proposal.
const ADDRESS_BYTES: usize = 16 + 16;

/// What the check page shows a stranger: no more than the holder's initials.
#[derive(Debug)]
pub struct GenuineCertificate {
    /// The number on the certificate.
    pub number: PolicyNumber,
    pub insurer: String,
    pub product: String,
    /// Initials of the first insured member.
    pub initials: String,
    /// From when to when it covers.
    pub cover: CoverPeriod,
    /// Whether the cover runs today.
    pub standing: Standing,
    /// Whether it is a specimen: nobody is insured by it (D97).
    pub is_specimen: bool,
    /// How a customer claims, where the catalogue says it.
    pub how_to_claim: Option<String>,
    /// Whom to call for a claim: the insurer's contact.
    pub claims_contact: String,
}

/// Where today lies in a policy's cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The cover is still to start.
    Ahead,
    /// The cover runs.
    Running,
    /// The cover has ended.
    Ended,
    /// The policy was cancelled on this day.
    Cancelled(Date),
    /// A paid claim ended the cover of its last life, on this day.
    Terminated(Date),
    /// The cover has ended, and so has the time in which the policy could be renewed.
    Lapsed,
    /// The cover runs, or is still to start, and another policy follows it.
    RunningRenewed,
    /// The cover has ended, and another policy followed it.
    EndedRenewed,
}

/// Signs the addresses of certificates, and shows what stands behind them.
pub struct PolicyDocumentService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) addresses: Arc<SignedAddresses>,
}

impl PolicyDocumentService {
    /// A download address of a proposal's certificate, good for 10 minutes from now.
    pub fn signed_address(&self, of: PartnerId, id: ProposalId) -> String {
        self.addresses.sign(DOWNLOAD_PATH, [of.uuid().as_bytes(), id.uuid().as_bytes().as_slice()].concat())
    }

    /// The certificate behind a signed address, with the proposal that it is of. If the policy was cancelled or terminated, a
    /// mark on it says so; its own dates say when it ends (D66). The first download is noted.
    ///
    /// # Errors
    /// [`Error::Unknown`] when it was not signed here, [`Error::LinkExpired`] after 10 minutes.
    pub async fn download(&self, address: &str) -> Result<(PartnerId, ProposalId, CertificateDocument)> {
        let unknown = || Error::Unknown { what: "document", id: String::new() };
        let bytes = self.addresses.open(address, ADDRESS_BYTES)?;
        let uuid = |from: usize| Uuid::from_slice(&bytes[from..from + 16]).expect("sixteen bytes");
        let (of, id) = (PartnerId::from_uuid(uuid(0)), ProposalId::from_uuid(uuid(16)));
        let document = self.shared.storage.certificate(of, id).await?.ok_or_else(unknown)?;
        // Whoever holds the address gets the document even where nothing can be written.
        if !document.was_read
            && let Err(fault) =
                self.shared.storage.certificate_was_read(of, id, self.shared.partner_clock.now(of)).await
        {
            tracing::warn!(proposal.id = %id, "the first download of the certificate of {id} could not be noted: {fault}");
        }
        Ok((of, id, self.of_its_state(of, id, document).await?))
    }

    /// The newest certificate of a policy, as its partner downloads it.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an imported policy, which has none.
    pub async fn newest(&self, of: PartnerId, id: PolicyId) -> Result<Vec<u8>> {
        let unknown = || Error::Unknown { what: "certificate", id: id.to_string() };
        let policy = self.shared.storage.any_policy(of, id).await?.ok_or_else(unknown)?;
        let proposal = on_any_policy!(policy, policy => policy.proposal).ok_or_else(unknown)?;
        let document = self.shared.storage.certificate(of, proposal).await?.ok_or_else(unknown)?;
        Ok(self.of_its_state(of, proposal, document).await?.bytes)
    }

    async fn of_its_state(
        &self,
        of: PartnerId,
        id: ProposalId,
        document: CertificateDocument,
    ) -> Result<CertificateDocument> {
        match document.line {
            LineOfBusiness::CreditLife => self.marked::<CreditLife>(of, id, document).await,
            LineOfBusiness::Health => self.marked::<Health>(of, id, document).await,
        }
    }

    /// The certificate with a mark if its policy was cancelled or terminated: drawn anew from the same facts. Every other ends by
    /// its own dates.
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
        let lines = L::storage(self.shared.storage.as_ref());
        let (policy, proposal) = (lines.policy_of(of, id).await?, lines.proposal(of, id).await?);
        let (Some(policy), Some(proposal)) = (policy, proposal) else { return Ok(document) };
        let Some(catalogue) = L::catalogue_of_policy(&policy) else { return Ok(document) };
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

    /// What a certificate's QR code shows. `None` for every code that names none.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn check(&self, check: CheckCode) -> Result<Option<GenuineCertificate>> {
        let Some((of, id, line)) = self.shared.storage.policy_checked(check).await? else { return Ok(None) };
        match line {
            LineOfBusiness::CreditLife => self.genuine_certificate::<CreditLife>(of, id).await,
            LineOfBusiness::Health => self.genuine_certificate::<Health>(of, id).await,
        }
    }

    async fn genuine_certificate<L: SoldLine>(
        &self,
        of: PartnerId,
        id: PolicyId,
    ) -> Result<Option<GenuineCertificate>> {
        let Some(policy) = L::storage(self.shared.storage.as_ref()).policy(of, id).await? else {
            return Ok(None);
        };
        let Some(catalogue) = L::catalogue_of_policy(&policy) else { return Ok(None) };
        let catalogue = self.shared.catalogues.version(catalogue).await?;
        let Some(Genuine { product, initials, period }) = L::genuine(&policy, &catalogue)? else {
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

/// Where a policy stands on a day, in the words of its page.
fn standing_of<L: Line>(policy: &Policy<L>, cover: CoverPeriod, today: Date) -> Standing {
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
