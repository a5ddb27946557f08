//! Database rows of policies with their certificates.

use std::borrow::Cow;
use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, SessionId};
use domain::line::LineOfBusiness;
use domain::policy::{CheckCode, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use ports::storage::policies::{AnyPolicy, Endorsed, NotedPayment, PolicyAct};
use ports::storage::{CertificateDocument, Identified, Issue, Result};

use super::super::bank_reference::{BankReference, OF_NO_PARTNER};
use super::super::bound::Bound;
use super::super::counted::{Count, Counted, day_number};
use super::super::event::EventRow;
use super::super::line::StoredLine;
use super::super::moves::MoveRow;
use super::super::premium::LedgerRow;
use super::super::state_moves::seal_state_moves;
use super::super::tag::TagRow;
use super::super::{claim, id_bytes, kept_response, short_hash};
use crate::body::PolicyBody;
use crate::codes::{Coded, unknown_code};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::seal::Seal;

const TABLE: &str = "policies";
const CERTIFICATE: &str = "policies.certificate";

/// Version of the first certificate of a policy.
const FIRST_VERSION: u32 = 1;

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
    pub(crate) state: i16,
    pub(crate) changed_at: i64,
    pub(crate) last_day: i32,
    pub(crate) refund_due_on: Option<i32>,
    pub(crate) endorsement_asked_at: Option<i64>,
    pub(crate) renewable_until: Option<i32>,
    pub(crate) count: Count,
    pub(crate) tags: Vec<TagRow>,
    /// When the job that notifies the insurer is due, in microseconds. `None` if no job notifies the insurer.
    pub(crate) tell: Option<i64>,
}

impl Row {
    /// Row of a policy that is being issued, with its certificate.
    pub(crate) fn issued<L: StoredLine>(
        seal: &Seal,
        Issue { policy, certificate, is_told, .. }: &Issue<L>,
    ) -> Result<Self> {
        let certificate = seal.seal(
            CERTIFICATE,
            certificate_bound(policy.partner, policy.id, &policy.number.to_string(), FIRST_VERSION).as_ref(),
            certificate,
        )?;
        let tell = is_told.then(|| seal.due(policy.issued_at));
        Ok(Row { certificate: Some(certificate), tell, ..Row::of(seal, policy)? })
    }

    /// Row of a policy without a certificate, such as an imported one.
    pub(crate) fn of<L: StoredLine>(seal: &Seal, policy: &Policy<L>) -> Result<Self> {
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
            state: policy.state.code().into(),
            changed_at: policy.changed_at.as_microsecond(),
            last_day: day_number(policy.last_day()),
            refund_due_on: policy.refund_due_on().map(day_number),
            endorsement_asked_at: policy.open_endorsement().map(|open| open.asked_at.as_microsecond()),
            renewable_until: policy.renewable_until.map(day_number),
            count: Count { kind: Counted::Policies(L::LINE), session, at },
            tags: TagRow::all(seal, policy.partner, Identified::Policy, id, &policy.identifiers())?,
            tell: None,
        })
    }
}

impl Row {
    /// Changed columns of a policy that got its insurer's number: that number, and the encrypted body.
    pub(crate) fn renumbered<L: StoredLine>(
        seal: &Seal,
        policy: &Policy<L>,
    ) -> Result<(Option<String>, Vec<u8>)> {
        let number = policy.insurer_number.as_ref().map(ToString::to_string);
        Ok((number, seal.seal(TABLE, bound(policy).as_ref(), &L::encode_policy(policy))?))
    }
}

/// Columns of a policy, with the body still encrypted.
pub(crate) struct Found {
    pub(crate) id: PolicyId,
    pub(crate) issued_at: Timestamp,
    pub(crate) session: Option<SessionId>,
    pub(crate) proposal: Option<ProposalId>,
    pub(crate) number: String,
    pub(crate) insurer_number: Option<String>,
    pub(crate) check_hash: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
    pub(crate) state: i16,
    pub(crate) changed_at: Timestamp,
    pub(crate) last_day: i32,
    pub(crate) version: u32,
    pub(crate) document_read_at: Option<Timestamp>,
    pub(crate) line: i16,
}

impl FromRow for Found {
    fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Found {
            id: row.get(0)?,
            issued_at: row.get(1)?,
            session: row.get(2)?,
            proposal: row.get(3)?,
            number: row.get(4)?,
            insurer_number: row.get(5)?,
            check_hash: row.get(6)?,
            body: row.get(7)?,
            state: row.get(8)?,
            changed_at: row.get(9)?,
            last_day: row.get(10)?,
            version: row.get(11)?,
            document_read_at: row.get(12)?,
            line: row.get(13)?,
        })
    }
}

impl Found {
    /// Columns to which a policy's encrypted body is bound, so that a change of a column is detected.
    fn bound(&self, of: PartnerId) -> Bound {
        Bound::row(of, &id_bytes(self.id))
            .number(self.line)
            .number(self.issued_at.as_microsecond())
            .bytes(self.session.map(id_bytes).as_ref().map(|id| &id[..]))
            .bytes(self.proposal.map(id_bytes).as_ref().map(|id| &id[..]))
            .bytes(Some(self.number.as_bytes()))
            .bytes(self.insurer_number.as_deref().map(str::as_bytes))
            .bytes(self.check_hash.as_ref().map(|hash| &hash[..]))
            .number(self.state)
            .number(self.changed_at.as_microsecond())
            .number(self.last_day)
            .number(self.version)
    }

    /// Decrypts a policy of any line of business.
    pub(crate) fn open_any(self, seal: &Seal, of: PartnerId) -> Result<AnyPolicy> {
        match LineOfBusiness::from_code(u8::try_from(self.line).unwrap_or_default()) {
            Some(LineOfBusiness::CreditLife) => Ok(AnyPolicy::CreditLife(Box::new(self.open(seal, of)?))),
            Some(LineOfBusiness::Health) => Ok(AnyPolicy::Health(Box::new(self.open(seal, of)?))),
            None => Err(unknown_code()),
        }
    }

    pub(crate) fn open<L: StoredLine>(self, seal: &Seal, of: PartnerId) -> Result<Policy<L>> {
        let body = seal.open(TABLE, self.bound(of).as_ref(), &self.body)?;
        let PolicyBody {
            sum_insured,
            premium,
            cover,
            check,
            cancellation,
            claims,
            reference,
            endorsements,
            renewable_until,
            renewed_by,
        } = L::decode_policy(&body)?;
        let state = u8::try_from(self.state).ok().and_then(Coded::from_code).ok_or_else(unknown_code)?;
        Ok(Policy {
            id: self.id,
            partner: of,
            session: self.session,
            proposal: self.proposal,
            number: PolicyNumber::kept(self.number),
            insurer_number: self.insurer_number.map(PolicyNumber::kept),
            reference,
            check,
            issued_at: self.issued_at,
            sum_insured,
            premium,
            state,
            changed_at: self.changed_at,
            version: self.version,
            document_read_at: self.document_read_at,
            cancellation: cancellation.map(Cow::into_owned),
            claims: claims.map(Cow::into_owned).unwrap_or_default(),
            endorsements: endorsements.map(Cow::into_owned).unwrap_or_default(),
            renewable_until,
            renewed_by,
            cover: cover.into_owned(),
        })
    }
}

/// Columns to which a policy's encrypted body is bound, so that a change of a column is detected.
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
        state: policy.state.code().into(),
        changed_at: policy.changed_at,
        last_day: day_number(policy.last_day()),
        version: policy.version,
        document_read_at: None,
        line: L::LINE.code().into(),
    };
    columns.bound(policy.partner)
}

/// Hash by which the policy with a certificate's check code is found. A reader of the database cannot compute
/// the code from the hash.
pub(crate) fn check_hash(check: CheckCode) -> [u8; 16] {
    short_hash(&check.0)
}

/// Columns to which an encrypted certificate is bound, so that a change of a column is detected.
fn certificate_bound(of: PartnerId, policy: PolicyId, number: &str, version: u32) -> Bound {
    Bound::row(of, &id_bytes(policy)).bytes(Some(number.as_bytes())).number(version)
}

/// Columns of a certificate that is still encrypted.
pub(crate) struct FoundCertificate {
    pub(crate) policy: PolicyId,
    pub(crate) number: String,
    pub(crate) version: u32,
    pub(crate) sealed: Vec<u8>,
    pub(crate) was_read: bool,
    pub(crate) line: LineOfBusiness,
    pub(crate) state: PolicyState,
}

impl FoundCertificate {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(FoundCertificate {
            policy: row.get(0)?,
            number: row.get(1)?,
            sealed: row.get(2)?,
            was_read: row.get(3)?,
            line: row.get(4)?,
            state: row.get(5)?,
            version: row.get(6)?,
        })
    }
}

impl FoundCertificate {
    pub(crate) fn open(self, seal: &Seal, of: PartnerId) -> Result<CertificateDocument> {
        let bytes = open_certificate(seal, of, self.policy, &self.number, self.version, &self.sealed)?;
        Ok(CertificateDocument {
            number: PolicyNumber::kept(self.number),
            bytes,
            line: self.line,
            state: self.state,
            was_read: self.was_read,
        })
    }
}

/// Decrypts the certificate of a policy.
pub(crate) fn open_certificate(
    seal: &Seal,
    of: PartnerId,
    policy: PolicyId,
    number: &str,
    version: u32,
    sealed: &[u8],
) -> Result<Vec<u8>> {
    seal.open(CERTIFICATE, certificate_bound(of, policy, number, version).as_ref(), sealed)
}

/// Table of a policy's moves (status changes), and the label with which their reasons are encrypted.
pub(crate) const MOVES: &str = "policy_moves";

/// Certificate that replaces the previous one after an endorsement.
pub(crate) struct EndorsedRow {
    pub(crate) certificate: Vec<u8>,
    pub(crate) version: u32,
    pub(crate) at: i64,
}

impl EndorsedRow {
    fn of<L: StoredLine>(seal: &Seal, policy: &Policy<L>, endorsed: Endorsed<'_>) -> Result<Self> {
        let (number, version) = (policy.number.to_string(), policy.certificate_version());
        let bound = certificate_bound(policy.partner, policy.id, &number, version);
        let certificate = seal.seal(CERTIFICATE, bound.as_ref(), endorsed.certificate)?;
        Ok(EndorsedRow { certificate, version, at: endorsed.at.as_microsecond() })
    }
}

/// Change of a policy, with all rows that are written in the same transaction.
pub(crate) struct Change {
    /// The policy after the change.
    pub(crate) row: Row,
    /// Version of the policy that the change replaces.
    pub(crate) before: u32,
    pub(crate) moves: Vec<MoveRow>,
    pub(crate) postings: Vec<LedgerRow>,
    pub(crate) claim: Option<claim::ActRows>,
    pub(crate) endorsed: Option<EndorsedRow>,
    pub(crate) events: Vec<EventRow>,
    pub(crate) response: Option<kept_response::Row>,
    pub(crate) payment: Option<PaymentRow>,
}

/// Payment of a claim or refund. No other payment may use its bank reference.
pub(crate) struct PaymentRow {
    pub(crate) reference: BankReference,
    /// Values that the same reference may have in the row of another payment: two hashes, or the plain text.
    pub(crate) candidates: [String; 3],
    pub(crate) paid_for: String,
}

impl PaymentRow {
    fn of(seal: &Seal, payment: &NotedPayment<'_>) -> Result<Self> {
        let plain = payment.reference.as_str();
        Ok(PaymentRow {
            reference: BankReference::new(seal, OF_NO_PARTNER, plain)?,
            candidates: BankReference::candidates(seal, OF_NO_PARTNER, plain),
            paid_for: payment.paid_for.to_owned(),
        })
    }

    /// Stops the operation if another payment has the same bank reference, even if an older key hashed that
    /// one.
    pub(crate) async fn is_the_first(&self, to: &mut dyn Operation) -> Result<(), Stop> {
        let [newest, before, unsealed] = &self.candidates;
        let values = values![newest, before, unsealed];
        let noted: Option<String> = to.first(sql!("payments/read"), values, |row| row.get(0)).await?;
        noted.filter(|other| *other != self.paid_for).map_or(Ok(()), |_| Err(Stop::Guard(Guard::Payment)))
    }
}

impl Change {
    pub(crate) fn of<L: StoredLine>(
        seal: &Arc<Seal>,
        policy: &Policy<L>,
        act: PolicyAct<'_>,
    ) -> Result<Self> {
        let of = policy.partner;
        let next = Policy { version: policy.version + 1, ..policy.clone() };
        Ok(Change {
            row: Row { tell: act.tell.map(|at| seal.due(at)), ..Row::of(seal, &next)? },
            before: policy.version,
            moves: seal_state_moves(seal, MOVES, of, id_bytes(policy.id), act.moves)?,
            claim: act.claim.map(|claim| claim::ActRows::of(seal, claim)).transpose()?,
            endorsed: act.endorsed.map(|endorsed| EndorsedRow::of(seal, policy, endorsed)).transpose()?,
            postings: act
                .postings
                .iter()
                .map(|posting| LedgerRow::of_policy(seal, policy, posting))
                .collect::<Result<_>>()?,
            events: EventRow::all(seal, of, act.events)?,
            response: kept_response::Row::of_response(seal, of, act.response)?,
            payment: act.payment.map(|payment| PaymentRow::of(seal, &payment)).transpose()?,
        })
    }
}
