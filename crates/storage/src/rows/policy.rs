//! Rows of policies with their certificates.

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, SessionId};
use domain::policy::{CheckCode, Policy, PolicyNumber};
use service::storage::lists::ListPosition;
use service::storage::{CertificateDocument, Issue, StorageError};

use super::bound::Bound;
use super::counted::{Count, Counted};
use super::line::StoredLine;
use super::position::Positioned;
use super::{id_bytes, short_hash};
use crate::body::PolicyBody;
use crate::codes::Coded;
use crate::seal::Seal;

const TABLE: &str = "policies";
const CERTIFICATE: &str = "policies.certificate";

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
    pub(crate) check_hash: Option<[u8; 16]>,
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
        let certificate = seal.seal(
            CERTIFICATE,
            certificate_bound(policy.partner, policy.id, &policy.number.to_string()).as_ref(),
            certificate,
        )?;
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
            check_hash: policy.check.map(check_hash),
            body: seal.seal(TABLE, bound(policy).as_ref(), &L::encode_policy(policy))?,
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
    pub(crate) check_hash: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
}

impl Positioned for Found {
    fn position(&self) -> ListPosition {
        ListPosition { created_at: self.issued_at, id: self.id.uuid() }
    }
}

impl Found {
    /// What a policy is bound to.
    fn bound(&self, of: PartnerId, line: i16) -> Bound {
        Bound::row(of, &id_bytes(self.id))
            .number(line)
            .number(self.issued_at.as_microsecond())
            .bytes(self.session.map(id_bytes).as_ref().map(|id| &id[..]))
            .bytes(self.proposal.map(id_bytes).as_ref().map(|id| &id[..]))
            .bytes(Some(self.number.as_bytes()))
            .bytes(self.insurer_number.as_deref().map(str::as_bytes))
            .bytes(self.check_hash.as_ref().map(|hash| &hash[..]))
    }

    pub(crate) fn open<L: StoredLine>(self, seal: &Seal, of: PartnerId) -> Result<Policy<L>, StorageError> {
        let bound = self.bound(of, L::LINE.code().into());
        let body = seal.open(TABLE, bound.as_ref(), &self.body)?;
        let PolicyBody { sum_insured, premium, cover, check } = L::decode_policy(&body)?;
        Ok(Policy {
            id: self.id,
            partner: of,
            session: self.session,
            proposal: self.proposal,
            number: PolicyNumber::kept(self.number),
            insurer_number: self.insurer_number.map(PolicyNumber::kept),
            check,
            issued_at: self.issued_at,
            sum_insured,
            premium,
            cover: cover.into_owned(),
        })
    }
}

/// What a policy is bound to.
fn bound<L: StoredLine>(policy: &Policy<L>) -> Bound {
    let columns = Found {
        id: policy.id,
        issued_at: policy.issued_at,
        session: policy.session,
        proposal: policy.proposal,
        number: policy.number.to_string(),
        insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
        check_hash: policy.check.map(check_hash),
        body: Vec::new(),
    };
    columns.bound(policy.partner, L::LINE.code().into())
}

/// What a policy is found by whose certificate has a check code: who reads the database learns no code.
pub(crate) fn check_hash(check: CheckCode) -> [u8; 16] {
    short_hash(&check.0)
}

/// What a certificate is bound to.
fn certificate_bound(of: PartnerId, policy: PolicyId, number: &str) -> Bound {
    Bound::row(of, &id_bytes(policy)).bytes(Some(number.as_bytes()))
}

/// Opens the certificate of a policy.
pub(crate) fn open_certificate(
    seal: &Seal,
    of: PartnerId,
    policy: PolicyId,
    number: String,
    sealed: &[u8],
) -> Result<CertificateDocument, StorageError> {
    let bytes = seal.open(CERTIFICATE, certificate_bound(of, policy, &number).as_ref(), sealed)?;
    Ok(CertificateDocument { number: PolicyNumber::kept(number), bytes })
}
