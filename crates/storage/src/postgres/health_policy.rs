//! Health policies with their certificates.

use async_trait::async_trait;
use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, ProposalId, Uuid};
use domain::policy::CheckCode;
use service::storage::health_policies::HealthPolicies;
use service::storage::health_proposals::{ImportEnd, Records};
use service::storage::lists::{From, Page, Selection};
use service::storage::{CertificateDocument, StorageError};

use super::Postgres;
use super::column::{Value, get, get_id, get_instant, get_optional_id, id, uuid, values};
use super::import::Piece;
use super::list::{FIRST, List};
use crate::rows::counted::{Counted, day_number_of};
use crate::rows::health_policy::{Found, Row, open_certificate};
use crate::seal::Seal;

/// The list of policies.
pub(super) const LIST: List = List {
    table: "health_policies",
    columns: "policy_id, issued_at, session_id, number, insurer_number, body",
    at: "issued_at",
    id: "policy_id",
    counted: Counted::Policies,
};

/// Policies that are issued, as columns of a statement: none or one.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub(super) ids: Vec<Uuid>,
    pub(super) issued_at: Vec<i64>,
    pub(super) sessions: Vec<Option<Uuid>>,
    pub(super) numbers: Vec<&'a str>,
    pub(super) insurer_numbers: Vec<Option<&'a str>>,
    pub(super) checks: Vec<Option<Uuid>>,
    pub(super) bodies: Vec<&'a [u8]>,
    pub(super) certificates: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(policy: Option<&'a Row>) -> Self {
        let mut columns = Columns::default();
        if let Some(policy) = policy {
            columns.ids.push(uuid(policy.id));
            columns.issued_at.push(policy.issued_at.as_microsecond());
            columns.sessions.push(policy.session.map(id));
            columns.numbers.push(&policy.number);
            columns.insurer_numbers.push(policy.insurer_number.as_deref());
            columns.checks.push(policy.check.map(uuid));
            columns.bodies.push(&policy.body);
            columns.certificates.push(policy.certificate.as_deref());
        }
        columns
    }
}

/// A policy's columns from one on.
fn columns(row: &tokio_postgres::Row, first: usize) -> Result<Found, StorageError> {
    Ok(Found {
        id: get_id(row, first)?,
        issued_at: get_instant(row, first + 1)?,
        session: get_optional_id(row, first + 2)?,
        number: get(row, first + 3)?,
        insurer_number: get(row, first + 4)?,
        body: get(row, first + 5)?,
    })
}

impl Postgres {
    /// The one policy that a statement finds.
    async fn one_health_policy(
        &self,
        of: PartnerId,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Option<HealthPolicy>, StorageError> {
        let found = self.connections.read_one(statement, values).await?;
        found.map(|row| columns(&row, 0)?.open(&self.seal, of)).transpose()
    }
}

#[async_trait]
impl HealthPolicies for Postgres {
    async fn health_policy(
        &self,
        of: PartnerId,
        policy: PolicyId,
    ) -> Result<Option<HealthPolicy>, StorageError> {
        let read = include_str!("../../sql/health_policies/read.sql");
        self.one_health_policy(of, read, values![id(of), id(policy)]).await
    }

    async fn health_policy_numbered(
        &self,
        of: PartnerId,
        number: &str,
    ) -> Result<Option<HealthPolicy>, StorageError> {
        // Text here holds any character but this one, so that no number has it.
        if number.contains('\0') {
            return Ok(None);
        }
        let read = include_str!("../../sql/health_policies/read_by_either_number.postgres.sql");
        self.one_health_policy(of, read, values![id(of), number]).await
    }

    async fn health_policy_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<HealthPolicy>, StorageError> {
        let read = include_str!("../../sql/health_policies/read_of_proposal.sql");
        self.one_health_policy(of, read, values![id(of), id(proposal)]).await
    }

    async fn health_policies(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthPolicy>, StorageError> {
        let open = |row: &tokio_postgres::Row| columns(row, FIRST)?.open(&self.seal, of);
        self.pages.policies.read(&self.connections, of, which, from, most, open).await
    }

    async fn health_certificate(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError> {
        let read = include_str!("../../sql/health_policies/read_certificate.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found
            .map(|row| open_certificate(&self.seal, get_id(&row, 0)?, get(&row, 1)?, get(&row, 2)?))
            .transpose()
    }

    async fn health_policy_by_check(&self, check: CheckCode) -> Result<Option<HealthPolicy>, StorageError> {
        let read = include_str!("../../sql/health_policies/read_by_check.sql");
        let found = self.connections.read_one(read, values![uuid(check.0)]).await?;
        found.map(|row| columns(&row, 1)?.open(&self.seal, get_id(&row, 0)?)).transpose()
    }

    async fn import_health_policies(
        &self,
        records: Records<HealthPolicy>,
    ) -> Result<ImportEnd, StorageError> {
        self.import::<_, Policies>(records).await
    }
}

/// A piece of an import, as columns of a statement.
#[derive(Default)]
struct Policies {
    of: Vec<Uuid>,
    ids: Vec<Uuid>,
    issued_at: Vec<i64>,
    sessions: Vec<Option<Uuid>>,
    numbers: Vec<String>,
    insurer_numbers: Vec<Option<String>>,
    bodies: Vec<Vec<u8>>,
    days: Vec<i32>,
}

impl Piece<HealthPolicy> for Policies {
    const STATEMENT: &str = include_str!("../../sql/health_policies/import.postgres.sql");

    fn add(&mut self, seal: &Seal, policy: &HealthPolicy) -> Result<(), StorageError> {
        let row = Row::of(seal, policy)?;
        self.of.push(id(row.of));
        self.ids.push(uuid(row.id));
        self.issued_at.push(row.issued_at.as_microsecond());
        self.sessions.push(row.session.map(id));
        self.numbers.push(row.number);
        self.insurer_numbers.push(row.insurer_number);
        self.bodies.push(row.body);
        self.days.push(day_number_of(row.issued_at));
        Ok(())
    }

    fn values(&self) -> Vec<Value<'_>> {
        use super::column::Column;
        const KIND: i16 = Counted::Policies as i16;
        vec![
            self.of.value(),
            self.ids.value(),
            self.issued_at.value(),
            self.sessions.value(),
            self.numbers.value(),
            self.insurer_numbers.value(),
            self.bodies.value(),
            self.days.value(),
            KIND.value(),
        ]
    }

    fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_ {
        self.of.iter().copied().zip(self.ids.iter().copied())
    }
}
