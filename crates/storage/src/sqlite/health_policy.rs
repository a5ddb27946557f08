//! Health policies with their certificates.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, ProposalId, SessionId};
use domain::policy::{CheckCode, PolicyNumber};
use rusqlite::{Connection, OptionalExtension, Params, params};
use service::storage::health_policies::{HealthIssue, HealthPolicies};
use service::storage::health_proposals::{ImportEnd, Records};
use service::storage::lists::{From, Page, Place, Selection};
use service::storage::{CertificateDocument, StorageError};

use super::count::Counted;
use super::list::{self, Listed, Statements};
use super::row::{fault, id, id_bytes, instant, optional_id};
use super::{Sqlite, count, health_proposal};
use crate::body::{HealthPolicyBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "health_policies";
pub(super) const CERTIFICATE: &str = "health_policies.certificate";
const VERSION: u8 = 1;

/// A policy as it lies in the table.
pub(super) struct Row {
    of: PartnerId,
    id: [u8; 16],
    issued_at: Timestamp,
    session: Option<SessionId>,
    proposal: Option<[u8; 16]>,
    number: String,
    insurer_number: Option<String>,
    check: Option<[u8; 16]>,
    body: Vec<u8>,
    certificate: Option<Vec<u8>>,
}

impl Row {
    /// One that is issued now.
    pub(super) fn issued(
        seal: &Seal,
        HealthIssue { policy, certificate }: &HealthIssue,
    ) -> Result<Self, StorageError> {
        let certificate = seal.seal(CERTIFICATE, &id_bytes(policy.id), certificate)?;
        Ok(Row { certificate: Some(certificate), ..Row::of(seal, policy)? })
    }

    fn of(seal: &Seal, policy: &HealthPolicy) -> Result<Self, StorageError> {
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
            body: seal.seal(TABLE, &id, &encode(VERSION, &HealthPolicyBody::of(policy)))?,
            certificate: None,
        })
    }

    /// Inserts it and counts it. `false`: its id or number is taken.
    pub(super) fn keep(&self, to: &Connection) -> Result<bool, StorageError> {
        let mut keep =
            to.prepare_cached(include_str!("../../sql/health_policies/keep.sql")).map_err(fault)?;
        let values = params![
            id_bytes(self.of),
            self.id,
            self.issued_at.as_microsecond(),
            self.session.map(id_bytes),
            self.proposal,
            self.number,
            self.insurer_number,
            self.check,
            self.body,
            self.certificate
        ];
        if keep.execute(values).map_err(fault)? == 0 {
            return Ok(false);
        }
        count::add(to, Counted::Policies, self.of, self.session, self.issued_at)?;
        Ok(true)
    }
}

/// A row's columns before its body is opened.
pub(super) struct Found {
    id: PolicyId,
    issued_at: Timestamp,
    session: Option<SessionId>,
    number: String,
    insurer_number: Option<String>,
    body: Vec<u8>,
}

impl Found {
    fn columns_from(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Self> {
        Ok(Found {
            id: id(row, first)?,
            issued_at: instant(row, first + 1)?,
            session: optional_id(row, first + 2)?,
            number: row.get(first + 3)?,
            insurer_number: row.get(first + 4)?,
            body: row.get(first + 5)?,
        })
    }
}

impl Listed for Found {
    const STATEMENTS: Statements = Statements {
        older_of_days: include_str!("../../sql/health_policies/older_of_days.sql"),
        newer_of_days: include_str!("../../sql/health_policies/newer_of_days.sql"),
        older_of_session: include_str!("../../sql/health_policies/older_of_session.sql"),
        newer_of_session: include_str!("../../sql/health_policies/newer_of_session.sql"),
    };
    const COUNTED: Counted = Counted::Policies;

    fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Found::columns_from(row, 0)
    }

    fn place(&self) -> Place {
        Place { created_at: self.issued_at, id: self.id.uuid() }
    }
}

pub(super) fn open(seal: &Seal, of: PartnerId, found: Found) -> Result<HealthPolicy, StorageError> {
    let body: HealthPolicyBody = decode(VERSION, &seal.open(TABLE, &id_bytes(found.id), &found.body)?)?;
    Ok(HealthPolicy {
        id: found.id,
        partner: of,
        session: found.session,
        number: PolicyNumber::kept(found.number),
        insurer_number: found.insurer_number.map(PolicyNumber::kept),
        issued_at: found.issued_at,
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

impl Sqlite {
    /// The one policy that a statement finds.
    fn one_health_policy(
        &self,
        of: PartnerId,
        statement: &str,
        values: impl Params,
    ) -> Result<Option<HealthPolicy>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(statement).map_err(fault)?;
            let found = read.query_row(values, Found::columns).optional().map_err(fault)?;
            found.map(|found| open(&self.seal, of, found)).transpose()
        })
    }
}

#[async_trait]
impl HealthPolicies for Sqlite {
    async fn health_policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<HealthPolicy>, StorageError> {
        let read = include_str!("../../sql/health_policies/read.sql");
        self.one_health_policy(of, read, params![id_bytes(of), id_bytes(id)])
    }

    async fn health_policy_numbered(
        &self,
        of: PartnerId,
        number: &str,
    ) -> Result<Option<HealthPolicy>, StorageError> {
        let values = params![id_bytes(of), number];
        let insurers = include_str!("../../sql/health_policies/read_by_insurer_number.sql");
        match self.one_health_policy(of, insurers, values)? {
            Some(policy) => Ok(Some(policy)),
            None => {
                let ours = include_str!("../../sql/health_policies/read_by_number.sql");
                self.one_health_policy(of, ours, values)
            }
        }
    }

    async fn health_policy_of(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<HealthPolicy>, StorageError> {
        let read = include_str!("../../sql/health_policies/read_of_proposal.sql");
        self.one_health_policy(of, read, params![id_bytes(of), id_bytes(id)])
    }

    async fn health_policies(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthPolicy>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let page = list::page::<Found>(&moment, of, which, from, most)?;
            page.try_map(|found| open(&self.seal, of, found))
        })
    }

    async fn health_certificate(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/health_policies/read_certificate.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| {
                Ok((row.get::<_, [u8; 16]>(0)?, row.get::<_, String>(1)?, row.get::<_, Vec<u8>>(2)?))
            };
            let found = read.query_row(params![id_bytes(of), id_bytes(proposal)], columns).optional();
            let Some((id, number, sealed)) = found.map_err(fault)? else { return Ok(None) };
            let bytes = self.seal.open(CERTIFICATE, &id, &sealed)?;
            Ok(Some(CertificateDocument { number: PolicyNumber::kept(number), bytes }))
        })
    }

    async fn health_policy_by_check(&self, check: CheckCode) -> Result<Option<HealthPolicy>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/health_policies/read_by_check.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| Ok((id(row, 0)?, Found::columns_from(row, 1)?));
            let found = read.query_row([check.0], columns).optional().map_err(fault)?;
            found.map(|(of, found)| open(&self.seal, of, found)).transpose()
        })
    }

    async fn import_health_policies(
        &self,
        records: Records<HealthPolicy>,
    ) -> Result<ImportEnd, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .decide(move |to| health_proposal::import(records, |policy| Row::of(&seal, &policy)?.keep(to)))
            .await
    }
}
