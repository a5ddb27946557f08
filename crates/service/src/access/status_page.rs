//! Status page of an application, whose address is valid for 90 days.
//!
//! Whoever has the address can open the page, on any device. After the address has expired, a visitor who
//! enters the proposer's date of birth gets a new address. The operator can end all addresses of a proposal
//! at once.

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::date::{BirthDate, Timestamp};
use domain::health_proposal::Health;
use domain::id::{PartnerId, ProposalId, Uuid};

use crate::error::Result;
use crate::keys::{Hasher, KeyPurpose};
use crate::shared::Shared;
use crate::storage::Proposals;
use crate::storage::status_pages::TryLimit;

/// How long the address of a status page is valid.
pub const LIFETIME: Duration = Duration::from_secs(90 * 24 * 3600);

/// Most dates of birth that may be tried for a proposal within [`TRIES_WITHIN`].
const MOST_TRIES: u32 = 5;

/// Period to which [`MOST_TRIES`] applies.
const TRIES_WITHIN: Duration = Duration::from_secs(24 * 3600);

/// Bytes of a status page's code: partner id, proposal id, creation time in microseconds, and half of a keyed
/// hash of these three.
const CODE_BYTES: usize = 16 + 16 + 8 + 16;

/// What the genuine code of a status page leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusAddress {
    /// The code is valid: the status page of this proposal is shown.
    Open(PartnerId, ProposalId),
    /// The code has expired: the visitor is asked for the proposer's date of birth.
    Ended(PartnerId, ProposalId),
}

/// Result of a request for a new status page address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressRenewal {
    /// The date of birth was right. The text is the code of the new address.
    Renewed(String),
    /// The date of birth is not the proposer's.
    Wrong,
    /// Too many dates of birth were tried.
    TooOften,
}

/// Makes and checks the addresses of status pages.
pub struct StatusPageService {
    pub(crate) shared: Arc<Shared>,
}

/// Content of a status page's code whose keyed hash is correct.
struct Code {
    of: PartnerId,
    proposal: ProposalId,
    made_at: Timestamp,
}

impl StatusPageService {
    /// Unguessable code for a new address of a proposal's page.
    pub fn code(&self, of: PartnerId, proposal: ProposalId) -> String {
        let mut bytes = Vec::with_capacity(CODE_BYTES);
        bytes.extend_from_slice(of.uuid().as_bytes());
        bytes.extend_from_slice(proposal.uuid().as_bytes());
        bytes.extend_from_slice(&self.shared.clock.now().as_microsecond().to_be_bytes());
        let mark = mark(&self.shared.directory.hasher(KeyPurpose::Address), &bytes);
        bytes.extend_from_slice(&mark);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// What the code of a status page leads to. `None` if the code is forged, or the operator has ended its
    /// address.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn find(&self, code: &str) -> Result<Option<StatusAddress>> {
        let Some(Code { of, proposal, made_at }) = self.read(code) else { return Ok(None) };
        let ended_at = self.shared.storage.status_page_ended(of, proposal).await?;
        if ended_at.is_some_and(|ended_at| made_at <= ended_at) {
            return Ok(None);
        }
        let is_open = self.shared.clock.now() < made_at + LIFETIME;
        Ok(Some(if is_open { StatusAddress::Open(of, proposal) } else { StatusAddress::Ended(of, proposal) }))
    }

    /// Makes a new address of a proposal's status page if `born` is the proposer's date of birth.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn renew(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        born: BirthDate,
    ) -> Result<AddressRenewal> {
        let now = self.shared.clock.now();
        let limit = TryLimit { most: MOST_TRIES, since: now - TRIES_WITHIN };
        // Count before the check, so that parallel tries are counted too.
        if !self.shared.storage.count_status_page_try(of, proposal, now, limit).await? {
            return Ok(AddressRenewal::TooOften);
        }
        let proposals: &dyn Proposals<Health> = self.shared.storage.as_ref();
        let record = proposals.proposal(of, proposal).await?;
        let made = record.as_ref().and_then(|record| record.application.journey());
        let policy = self.shared.storage.policy_of(of, proposal).await?;
        // An endorsement may have corrected the date of birth: the policy has the corrected one.
        let known = policy.and_then(|policy| Some(policy.cover.health()?.proposer.born));
        let known = known.or(made.map(|made| made.form.proposer.born));
        let is_proposer = known == Some(born);
        Ok(if is_proposer { AddressRenewal::Renewed(self.code(of, proposal)) } else { AddressRenewal::Wrong })
    }

    /// Ends every address of a proposal's status page that exists now.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn end(&self, of: PartnerId, proposal: ProposalId) -> Result<()> {
        Ok(self.shared.storage.end_status_page(of, proposal, self.shared.clock.now()).await?)
    }

    /// Proposal that a genuine code names, even if the code no longer opens the status page.
    pub fn proposal_of(&self, code: &str) -> Option<(PartnerId, ProposalId)> {
        self.read(code).map(|Code { of, proposal, .. }| (of, proposal))
    }

    fn read(&self, code: &str) -> Option<Code> {
        let bytes = URL_SAFE_NO_PAD.decode(code).ok().filter(|bytes| bytes.len() == CODE_BYTES)?;
        let (body, found) = bytes.split_at(CODE_BYTES - 16);
        let is_genuine = |hasher: &Hasher| verify_slices_are_equal(found, &mark(hasher, body)).is_ok();
        if !self.shared.directory.accepts(KeyPurpose::Address, is_genuine) {
            return None;
        }
        let uuid = |part: &[u8]| Uuid::from_slice(part).ok();
        Some(Code {
            of: PartnerId::from_uuid(uuid(&body[..16])?),
            proposal: ProposalId::from_uuid(uuid(&body[16..32])?),
            made_at: Timestamp::from_microsecond(i64::from_be_bytes(body[32..].try_into().ok()?)).ok()?,
        })
    }
}

fn mark(hasher: &Hasher, body: &[u8]) -> [u8; 16] {
    *hasher.hash(&[b"status", body]).first_chunk().expect("a hash is longer than a mark")
}
