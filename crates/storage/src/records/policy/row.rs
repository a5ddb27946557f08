//! Database rows of policies with their certificates.

use crate::records::row::{ToRow, row};
use std::borrow::Cow;
use std::sync::Arc;

use domain::date::{Date, Timestamp};
use domain::id::{PartnerId, PolicyId, ProposalId, SessionId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::policy::{CheckCode, Cover, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use ports::storage::policies::{Endorsed, NotedPayment, PolicyAct, TransferPart};
use ports::storage::{CertificateDocument, Identified, Issue, Result};

use super::super::bank_reference::{BankReference, OF_NO_PARTNER};
use super::super::bound::Bound;
use super::super::counted::{Count, Counted};
use super::super::event::EventRow;
use super::super::moves::StateMoveRow;
use super::super::premium::{ActRow, LedgerRow};
use super::super::tag::TagRow;
use super::super::{claim, id_bytes, kept_response, short_hash};
use crate::body::{CreditPolicyBody, HealthPolicyBody, PolicyBody, decode, encode};
use crate::fields::{RowFields, Value, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::seal::Seal;

const TABLE: &str = "policies";
const CERTIFICATE: &str = "policies.certificate";

/// Version of the first certificate of a policy.
const FIRST_VERSION: u32 = 1;

row! {
    /// Policy as stored in its row.
    Row in "policies/keep" {
        partner_id: PartnerId,
        policy_id: PolicyId,
        line: LineOfBusiness,
        issued_at: Timestamp,
        session_id: Option<SessionId>,
        proposal_id: Option<ProposalId>,
        number: PolicyNumber,
        insurer_number: Option<PolicyNumber>,
        check_hash: Option<[u8; 16]>,
        state: PolicyState,
        changed_at: Timestamp,
        last_day: Date,
        version: u32,
    } free {
        document_read_at: Option<Timestamp>,
        body: Vec<u8>,
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, policy: &Policy) -> Result<Self> {
        let mut row = Row {
            partner_id: policy.partner,
            policy_id: policy.id,
            line: policy.line(),
            issued_at: policy.issued_at,
            session_id: policy.session,
            proposal_id: policy.proposal,
            number: policy.number.clone(),
            insurer_number: policy.insurer_number.clone(),
            check_hash: policy.check.map(check_hash),
            state: policy.state,
            changed_at: policy.changed_at,
            last_day: policy.last_day(),
            version: policy.version,
            document_read_at: policy.document_read_at,
            body: Vec::new(),
        };
        let body = match &policy.cover {
            Cover::CreditLife(cover) => encode::<CreditPolicyBody<'_>>(&body_of(policy, cover)),
            Cover::Health(cover) => encode::<HealthPolicyBody<'_>>(&body_of(policy, cover.as_ref())),
        };
        row.body = seal.seal(TABLE, &row.bound(), &body)?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Policy> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        Ok(match self.line {
            LineOfBusiness::CreditLife => {
                self.with_body(decode::<CreditPolicyBody<'_>>(&body)?, Cover::CreditLife)
            }
            LineOfBusiness::Health => {
                let cover = |cover| Cover::Health(Box::new(cover));
                self.with_body(decode::<HealthPolicyBody<'_>>(&body)?, cover)
            }
        })
    }

    fn with_body<C: Clone>(self, body: PolicyBody<'_, C>, cover: impl Fn(C) -> Cover) -> Policy {
        Policy {
            id: self.policy_id,
            partner: self.partner_id,
            session: self.session_id,
            proposal: self.proposal_id,
            number: self.number,
            insurer_number: self.insurer_number,
            reference: body.reference,
            check: body.check,
            issued_at: self.issued_at,
            sum_insured: body.sum_insured,
            premium: body.premium,
            state: self.state,
            changed_at: self.changed_at,
            version: self.version,
            document_read_at: self.document_read_at,
            cancellation: body.cancellation.map(Cow::into_owned),
            claims: body.claims.map(Cow::into_owned).unwrap_or_default(),
            endorsements: body.endorsements.map(Cow::into_owned).unwrap_or_default(),
            renewable_until: body.renewable_until,
            renewed_by: body.renewed_by,
            cover: cover(body.cover.into_owned()),
        }
    }
}

fn body_of<'a, C: Clone>(policy: &'a Policy, cover: &'a C) -> PolicyBody<'a, C> {
    PolicyBody {
        sum_insured: policy.sum_insured,
        premium: policy.premium,
        cover: Cow::Borrowed(cover),
        check: policy.check,
        cancellation: policy.cancellation.as_ref().map(Cow::Borrowed),
        claims: (!policy.claims.is_empty()).then_some(Cow::Borrowed(&policy.claims)),
        reference: policy.reference.clone(),
        endorsements: (!policy.endorsements.is_empty()).then_some(Cow::Borrowed(&policy.endorsements)),
        renewable_until: policy.renewable_until,
        renewed_by: policy.renewed_by,
    }
}

/// Policy's row with what is written together with it.
pub(crate) struct PolicyRows {
    pub(crate) row: Row,
    pub(crate) certificate: Option<Vec<u8>>,
    pub(crate) renewable_until: Option<Date>,
    pub(crate) refund_due_on: Option<Date>,
    pub(crate) endorsement_asked_at: Option<Timestamp>,
    pub(crate) count: Count,
    pub(crate) tags: Vec<TagRow>,
    /// When the job that notifies the insurer is due, in microseconds. `None` if no job notifies the insurer.
    pub(crate) tell: Option<i64>,
}

impl PolicyRows {
    /// Rows of a policy that is being issued, with its certificate.
    pub(crate) fn issued(seal: &Seal, Issue { policy, certificate, is_told, .. }: &Issue) -> Result<Self> {
        let bound = certificate_bound(policy.partner, policy.id, policy.number.as_str(), FIRST_VERSION);
        let certificate = Some(seal.seal(CERTIFICATE, &bound, certificate)?);
        let tell = is_told.then(|| seal.due(policy.issued_at));
        Ok(PolicyRows { certificate, tell, ..PolicyRows::of(seal, policy)? })
    }

    /// Rows of a policy without a certificate, such as an imported one.
    pub(crate) fn of(seal: &Seal, policy: &Policy) -> Result<Self> {
        let (kind, id) = (Identified::Policy, id_bytes(policy.id));
        let (session, at) = (policy.session, policy.issued_at);
        Ok(PolicyRows {
            row: Row::of(seal, policy)?,
            certificate: None,
            renewable_until: policy.renewable_until,
            refund_due_on: policy.refund_due_on(),
            endorsement_asked_at: policy.open_endorsement().map(|open| open.asked_at),
            count: Count { kind: Counted::Policies(policy.line()), session, at },
            tags: TagRow::all(seal, policy.partner, kind, id, &policy.identifiers())?,
            tell: None,
        })
    }

    /// Column values of a new policy. `import`: the import that stages it, if any.
    pub(crate) fn values(&self, import: Option<i64>) -> Vec<Value<'_>> {
        [&self.row.values()[..], values![self.certificate, self.renewable_until, import]].concat()
    }
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

row! {
    /// Columns of a certificate that is still encrypted.
    FoundCertificate {
        partner_id: PartnerId,
        policy_id: PolicyId,
        number: PolicyNumber,
        certificate_version: u32,
    } free {
        certificate: Vec<u8>,
        was_read: bool,
        line: LineOfBusiness,
        state: PolicyState,
    }
}

impl FoundCertificate {
    pub(crate) fn open(self, seal: &Seal) -> Result<CertificateDocument> {
        Ok(CertificateDocument {
            bytes: seal.open(CERTIFICATE, &self.bound(), &self.certificate)?,
            number: self.number,
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
    pub(crate) at: Timestamp,
}

impl EndorsedRow {
    fn of(seal: &Seal, policy: &Policy, endorsed: Endorsed<'_>) -> Result<Self> {
        let (number, version) = (policy.number.to_string(), policy.certificate_version());
        let bound = certificate_bound(policy.partner, policy.id, &number, version);
        let certificate = seal.seal(CERTIFICATE, bound.as_ref(), endorsed.certificate)?;
        Ok(EndorsedRow { certificate, version, at: endorsed.at })
    }
}

/// Change of a policy, with all rows that are written in the same transaction.
pub(crate) struct Change {
    /// The policy after the change.
    pub(crate) policy: PolicyRows,
    /// Version of the policy that the change replaces.
    pub(crate) before: u32,
    pub(crate) moves: Vec<StateMoveRow>,
    pub(crate) postings: Vec<LedgerRow>,
    /// Change of the premium of the policy's proposal.
    pub(crate) premium: Option<Box<ActRow>>,
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
    pub(crate) part: Option<TransferPart>,
}

impl PaymentRow {
    fn of(seal: &Seal, payment: &NotedPayment<'_>) -> Result<Self> {
        let plain = payment.reference.as_str();
        Ok(PaymentRow {
            reference: BankReference::new(seal, OF_NO_PARTNER, plain)?,
            candidates: BankReference::candidates(seal, OF_NO_PARTNER, plain),
            paid_for: payment.paid_for.to_owned(),
            part: payment.part,
        })
    }

    /// Stops the operation if another payment has the same bank reference, even if an older key hashed that
    /// one. Parts of one transfer are no other payments.
    pub(crate) async fn is_the_first(&self, to: &mut dyn Operation) -> Result<(), Stop> {
        let [newest, before, unsealed] = &self.candidates;
        let values = values![newest, before, unsealed];
        let columns = |row: RowFields<'_>| {
            Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<Option<Rupees>>(2)?))
        };
        let noted = to.first(sql!("payments/read"), values, columns).await?;
        let is_other = noted.is_some_and(|(paid_for, hash, total)| {
            let is_part = total.is_some() && total == self.part.map(|part| part.total);
            paid_for != self.paid_for && !(is_part && hash == self.reference.hash)
        });
        if is_other { Err(Stop::Guard(Guard::Payment)) } else { Ok(()) }
    }
}

impl Change {
    pub(crate) fn of(seal: &Arc<Seal>, policy: &Policy, act: PolicyAct<'_>) -> Result<Self> {
        let of = policy.partner;
        let next = Policy { version: policy.version + 1, ..policy.clone() };
        Ok(Change {
            policy: PolicyRows { tell: act.tell.map(|at| seal.due(at)), ..PolicyRows::of(seal, &next)? },
            before: policy.version,
            moves: StateMoveRow::all(seal, MOVES, of, policy.id, act.moves)?,
            claim: act.claim.map(|claim| claim::ActRows::of(seal, claim)).transpose()?,
            endorsed: act.endorsed.map(|endorsed| EndorsedRow::of(seal, policy, endorsed)).transpose()?,
            postings: act
                .postings
                .iter()
                .map(|posting| LedgerRow::of_policy(seal, policy, posting))
                .collect::<Result<_>>()?,
            premium: match (act.premium, policy.proposal) {
                (Some(premium), Some(proposal)) => Some(Box::new(ActRow::of(seal, of, proposal, premium)?)),
                _ => None,
            },
            events: EventRow::all(seal, of, act.events)?,
            response: kept_response::Row::of_response(seal, of, act.response)?,
            payment: act.payment.map(|payment| PaymentRow::of(seal, &payment)).transpose()?,
        })
    }
}
