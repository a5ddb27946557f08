//! Rows of health policies with their certificates.

use domain::date::Timestamp;
use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, SessionId};
use domain::policy::PolicyNumber;
use service::storage::health_policies::HealthIssue;
use service::storage::lists::Place;
use service::storage::{CertificateDocument, StorageError};

use super::id_bytes;
use super::place::Placed;
use crate::body::{HealthPolicyBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "health_policies";
pub(crate) const CERTIFICATE: &str = "health_policies.certificate";

/// A policy.
pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) issued_at: Timestamp,
    pub(crate) session: Option<SessionId>,
    pub(crate) proposal: Option<[u8; 16]>,
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) check: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
    pub(crate) certificate: Option<Vec<u8>>,
}

impl Row {
    /// One that is issued now.
    pub(crate) fn issued(
        seal: &Seal,
        HealthIssue { policy, certificate }: &HealthIssue,
    ) -> Result<Self, StorageError> {
        let certificate = seal.seal(CERTIFICATE, &id_bytes(policy.id), certificate)?;
        Ok(Row { certificate: Some(certificate), ..Row::of(seal, policy)? })
    }

    /// One that is brought along, without a certificate of ours.
    pub(crate) fn of(seal: &Seal, policy: &HealthPolicy) -> Result<Self, StorageError> {
        let id = id_bytes(policy.id);
        let issued = policy.issued();
        Ok(Row {
            of: policy.partner,
            id,
            issued_at: policy.issued_at,
            session: policy.session,
            proposal: issued.map(|issued| id_bytes(issued.proposal)),
            number: policy.number.to_string(),
            insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
            check: issued.map(|issued| issued.check.0),
            body: seal.seal(TABLE, &id, &encode(&HealthPolicyBody::of(policy)))?,
            certificate: None,
        })
    }
}

/// A policy's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) id: PolicyId,
    pub(crate) issued_at: Timestamp,
    pub(crate) session: Option<SessionId>,
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Placed for Found {
    fn place(&self) -> Place {
        Place { created_at: self.issued_at, id: self.id.uuid() }
    }
}

impl Found {
    pub(crate) fn open(self, seal: &Seal, of: PartnerId) -> Result<HealthPolicy, StorageError> {
        let body: HealthPolicyBody = decode(&seal.open(TABLE, &id_bytes(self.id), &self.body)?)?;
        Ok(HealthPolicy {
            id: self.id,
            partner: of,
            session: self.session,
            number: PolicyNumber::kept(self.number),
            insurer_number: self.insurer_number.map(PolicyNumber::kept),
            issued_at: self.issued_at,
            status: body.status,
            kind: body.kind,
            sum_insured: body.sum_insured,
            tenure: body.tenure,
            premium: body.premium,
            previous: body.previous,
            proposer: body.proposer,
            members: body.members,
            nominees: body.nominees,
            riders: body.riders,
            origin: body.origin,
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
