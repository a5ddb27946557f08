//! Rows of policies with their certificates.

use domain::id::{PartnerId, ProposalId};
use domain::policy::{CheckCode, Policy, PolicyNumber};
use service::storage::{CertificateDocument, Issue, StorageError};

use super::id_bytes;
use crate::body::{PolicyBody, decode, encode};
use crate::seal::Seal;

pub(crate) const TABLE: &str = "policies";
pub(crate) const CERTIFICATE: &str = "policies.certificate";

/// A policy.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) proposal: [u8; 16],
    pub(crate) policy: [u8; 16],
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) check: [u8; 16],
    pub(crate) body: Vec<u8>,
    pub(crate) certificate: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, Issue { policy, certificate }: &Issue) -> Result<Self, StorageError> {
        let body = PolicyBody {
            policy_id: policy.id,
            issued_at: policy.issued_at,
            cover: policy.cover,
            sum_insured: policy.sum_insured,
            term_months: policy.term_months,
            variant: policy.variant,
            catalogue: policy.catalogue,
            premium: policy.premium,
            settlement: policy.settlement.clone(),
            holder: policy.holder.clone(),
        };
        let proposal = id_bytes(policy.proposal);
        Ok(Row {
            of: id_bytes(policy.partner),
            proposal,
            policy: id_bytes(policy.id),
            number: policy.number.to_string(),
            insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
            check: policy.check.0,
            body: seal.seal(TABLE, &proposal, &encode(&body))?,
            certificate: seal.seal(CERTIFICATE, &proposal, certificate)?,
        })
    }
}

/// A policy's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) partner: PartnerId,
    pub(crate) proposal: ProposalId,
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) check: [u8; 16],
    pub(crate) body: Vec<u8>,
}

impl Found {
    pub(crate) fn open(self, seal: &Seal) -> Result<Policy, StorageError> {
        let Found { partner, proposal, number, insurer_number, check, body } = self;
        let body: PolicyBody = decode(&seal.open(TABLE, &id_bytes(proposal), &body)?)?;
        Ok(Policy {
            id: body.policy_id,
            partner,
            proposal,
            number: PolicyNumber::kept(number),
            insurer_number: insurer_number.map(PolicyNumber::kept),
            check: CheckCode(check),
            issued_at: body.issued_at,
            cover: body.cover,
            sum_insured: body.sum_insured,
            term_months: body.term_months,
            variant: body.variant,
            catalogue: body.catalogue,
            premium: body.premium,
            settlement: body.settlement,
            holder: body.holder,
        })
    }
}

/// Opens the certificate of the policy of a proposal.
pub(crate) fn open_certificate(
    seal: &Seal,
    proposal: ProposalId,
    number: String,
    sealed: &[u8],
) -> Result<CertificateDocument, StorageError> {
    let bytes = seal.open(CERTIFICATE, &id_bytes(proposal), sealed)?;
    Ok(CertificateDocument { number: PolicyNumber::kept(number), bytes })
}
