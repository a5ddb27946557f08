//! Policies with their certificates.

use std::sync::Arc;

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId, ProposalId, Uuid};
use domain::line::LineOfBusiness;
use domain::policy::{CheckCode, Policy};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{CertificateDocument, Certificates, ImportEnd, Policies, Records, StorageError};

use super::Postgres;
use super::column::{Group, Value, get, get_coded, get_id, get_instant, get_optional_id, id, uuid, values};
use super::import::{Given, Piece};
use super::list::FIRST;
use crate::codes::Coded;
use crate::rows::counted::day_number_of;
use crate::rows::line::StoredLine;
use crate::rows::policy::{Found, Row, check_hash, open_certificate};
use crate::seal::Seal;

/// Policies that are issued, as columns of a statement: none or one.
#[derive(Default)]
pub(super) struct Columns<'a> {
    ids: Vec<Uuid>,
    issued_at: Vec<i64>,
    sessions: Vec<Option<Uuid>>,
    numbers: Vec<&'a str>,
    insurer_numbers: Vec<Option<&'a str>>,
    check_hashes: Vec<Option<Uuid>>,
    bodies: Vec<&'a [u8]>,
    certificates: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(policy: Option<&'a Row>) -> Self {
        let mut columns = Columns::default();
        if let Some(policy) = policy {
            columns.ids.push(uuid(policy.id));
            columns.issued_at.push(policy.issued_at);
            columns.sessions.push(policy.session.map(id));
            columns.numbers.push(&policy.number);
            columns.insurer_numbers.push(policy.insurer_number.as_deref());
            columns.check_hashes.push(policy.check_hash.map(uuid));
            columns.bodies.push(&policy.body);
            columns.certificates.push(policy.certificate.as_deref());
        }
        columns
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![
            self.ids,
            self.issued_at,
            self.sessions,
            self.numbers,
            self.insurer_numbers,
            self.check_hashes,
            self.bodies,
            self.certificates,
        ]
        .to_vec()
    }
}

/// A policy's columns from one on.
fn columns(row: &tokio_postgres::Row, first: usize) -> Result<Found, StorageError> {
    Ok(Found {
        id: get_id(row, first)?,
        issued_at: get_instant(row, first + 1)?,
        session: get_optional_id(row, first + 2)?,
        proposal: get_optional_id(row, first + 3)?,
        number: get(row, first + 4)?,
        insurer_number: get(row, first + 5)?,
        check_hash: get::<Option<Uuid>>(row, first + 6)?.map(Uuid::into_bytes),
        body: get(row, first + 7)?,
    })
}

impl Postgres {
    /// The one policy that a statement finds.
    async fn one_policy<L: StoredLine>(
        &self,
        of: PartnerId,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Option<Policy<L>>, StorageError> {
        let found = self.connections.read_one(statement, values).await?;
        found.map(|row| columns(&row, 0)?.open::<L>(&self.seal, of)).transpose()
    }
}

#[async_trait]
impl<L: StoredLine> Policies<L> for Postgres {
    async fn policy(&self, of: PartnerId, policy: PolicyId) -> Result<Option<Policy<L>>, StorageError> {
        let read = include_str!("../../sql/policies/read.sql");
        self.one_policy(of, read, values![id(of), id(policy), i16::from(L::LINE.code())]).await
    }

    async fn policy_numbered(&self, of: PartnerId, number: &str) -> Result<Option<Policy<L>>, StorageError> {
        // Text here holds any character but this one, so that no number has it.
        if number.contains('\0') {
            return Ok(None);
        }
        let read = include_str!("../../sql/policies/read_by_either_number.postgres.sql");
        self.one_policy(of, read, values![id(of), i16::from(L::LINE.code()), number]).await
    }

    async fn policy_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Policy<L>>, StorageError> {
        let read = include_str!("../../sql/policies/read_of_proposal.sql");
        self.one_policy(of, read, values![id(of), id(proposal), i16::from(L::LINE.code())]).await
    }

    async fn policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Policy<L>>, StorageError> {
        let open = |row: &tokio_postgres::Row| columns(row, FIRST)?.open::<L>(&self.seal, of);
        self.pages.policies(L::LINE).read(&self.connections, of, which, start, most, open).await
    }

    async fn import_policies(&self, records: Records<Policy<L>>) -> Result<ImportEnd, StorageError> {
        self.import::<_, GivenPolicies<L>>(records).await
    }
}

#[async_trait]
impl Certificates for Postgres {
    async fn certificate(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError> {
        let read = include_str!("../../sql/policies/read_certificate.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found
            .map(|row| open_certificate(&self.seal, of, get_id(&row, 0)?, get(&row, 1)?, get(&row, 2)?))
            .transpose()
    }

    async fn policy_checked(
        &self,
        check: CheckCode,
    ) -> Result<Option<(PartnerId, PolicyId, LineOfBusiness)>, StorageError> {
        let read = include_str!("../../sql/policies/checked.sql");
        let found = self.connections.read_one(read, values![uuid(check_hash(check))]).await?;
        found.map(|row| Ok((get_id(&row, 0)?, get_id(&row, 1)?, get_coded(&row, 2)?))).transpose()
    }
}

/// A piece of an import, as columns of a statement.
struct GivenPolicies<L> {
    given: Given<L>,
    issued_at: Vec<i64>,
    sessions: Vec<Option<Uuid>>,
    numbers: Vec<String>,
    insurer_numbers: Vec<Option<String>>,
    bodies: Vec<Vec<u8>>,
    days: Vec<i32>,
}

impl<L: StoredLine> Default for GivenPolicies<L> {
    fn default() -> Self {
        GivenPolicies {
            given: Given::default(),
            issued_at: Vec::new(),
            sessions: Vec::new(),
            numbers: Vec::new(),
            insurer_numbers: Vec::new(),
            bodies: Vec::new(),
            days: Vec::new(),
        }
    }
}

impl<L: StoredLine> Piece<Policy<L>> for GivenPolicies<L> {
    const STATEMENT: &str = include_str!("../../sql/policies/import.postgres.sql");

    fn add(&mut self, seal: &Arc<Seal>, policy: &Policy<L>) -> Result<(), StorageError> {
        let row = Row::of(seal, policy)?;
        self.given.add(row.of, row.id, row.count.kind);
        self.issued_at.push(row.issued_at);
        self.sessions.push(row.session.map(id));
        self.numbers.push(row.number);
        self.insurer_numbers.push(row.insurer_number);
        self.bodies.push(row.body);
        self.days.push(day_number_of(row.count.at));
        Ok(())
    }

    fn values(&self) -> Vec<Value<'_>> {
        let records = values![
            self.issued_at,
            self.sessions,
            self.numbers,
            self.insurer_numbers,
            self.bodies,
            self.days,
        ];
        [self.given.keys_as_values(), records.to_vec(), self.given.line_and_kind()].concat()
    }

    fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_ {
        self.given.keys()
    }
}
