//! Rows of policies with their certificates.

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, SessionId};
use domain::policy::{CheckCode, Policy, PolicyNumber};
use service::storage::lists::ListPosition;
use service::storage::{CertificateDocument, Issue, StorageError};

use super::counted::{Count, Counted};
use super::id_bytes;
use super::line::StoredLine;
use super::position::Positioned;
use crate::codes::Coded;
use crate::seal::Seal;

const TABLE: &str = "policies";
pub(crate) const CERTIFICATE: &str = "policies.certificate";

/// A policy.
pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) line: i16,
    pub(crate) issued_at: i64,
    pub(crate) session: Option<SessionId>,
    pub(crate) proposal: Option<[u8; 16]>,
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) check: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
    pub(crate) certificate: Option<Vec<u8>>,
    pub(crate) count: Count,
}

impl Row {
    /// One that is issued now.
    pub(crate) fn issued<L: StoredLine>(
        seal: &Seal,
        Issue { policy, certificate }: &Issue<L>,
    ) -> Result<Self, StorageError> {
        let certificate = seal.seal(CERTIFICATE, &id_bytes(policy.id), certificate)?;
        Ok(Row { certificate: Some(certificate), ..Row::of(seal, policy)? })
    }

    /// One that is brought along, without a certificate of ours.
    pub(crate) fn of<L: StoredLine>(seal: &Seal, policy: &Policy<L>) -> Result<Self, StorageError> {
        let id = id_bytes(policy.id);
        let (session, at) = (policy.session, policy.issued_at);
        Ok(Row {
            of: policy.partner,
            id,
            line: L::LINE.code().into(),
            issued_at: at.as_microsecond(),
            session,
            proposal: policy.proposal.map(id_bytes),
            number: policy.number.to_string(),
            insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
            check: policy.check.map(|check| check.0),
            body: seal.seal(TABLE, &id, &L::encode_policy(policy))?,
            certificate: None,
            count: Count { kind: Counted::Policies(L::LINE), session, at },
        })
    }
}

/// A policy's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) id: PolicyId,
    pub(crate) issued_at: Timestamp,
    pub(crate) session: Option<SessionId>,
    pub(crate) proposal: Option<ProposalId>,
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) check: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
}

impl Positioned for Found {
    fn position(&self) -> ListPosition {
        ListPosition { created_at: self.issued_at, id: self.id.uuid() }
    }
}

impl Found {
    pub(crate) fn open<L: StoredLine>(self, seal: &Seal, of: PartnerId) -> Result<Policy<L>, StorageError> {
        let body = seal.open(TABLE, &id_bytes(self.id), &self.body)?;
        let (sum_insured, premium, cover) = L::decode_policy(&body)?;
        Ok(Policy {
            id: self.id,
            partner: of,
            session: self.session,
            proposal: self.proposal,
            number: PolicyNumber::kept(self.number),
            insurer_number: self.insurer_number.map(PolicyNumber::kept),
            check: self.check.map(CheckCode),
            issued_at: self.issued_at,
            sum_insured,
            premium,
            cover,
        })
    }
}

/// Opens the certificate of a policy.
pub(crate) fn open_certificate(
    seal: &Seal,
    policy: PolicyId,
    number: String,
    sealed: &[u8],
) -> Result<CertificateDocument, StorageError> {
    let bytes = seal.open(CERTIFICATE, &id_bytes(policy), sealed)?;
    Ok(CertificateDocument { number: PolicyNumber::kept(number), bytes })
}
