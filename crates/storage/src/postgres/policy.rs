//! Policies with their certificates.

use domain::id::{PartnerId, ProposalId, Uuid};
use domain::policy::{CheckCode, Policy};
use service::storage::{CertificateDocument, StorageError};
use tokio_postgres::Row as Found;

use super::Postgres;
use super::column::{get, get_id, id, uuid, values};
use crate::rows::policy::{self, Row, open_certificate};

/// Policies as columns of a statement: none or one.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub(super) ids: Vec<Uuid>,
    pub(super) numbers: Vec<&'a str>,
    pub(super) insurer_numbers: Vec<Option<&'a str>>,
    pub(super) checks: Vec<Uuid>,
    pub(super) bodies: Vec<&'a [u8]>,
    pub(super) certificates: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(policy: Option<&'a Row>) -> Self {
        let mut columns = Columns::default();
        if let Some(policy) = policy {
            columns.ids.push(uuid(policy.policy));
            columns.numbers.push(&policy.number);
            columns.insurer_numbers.push(policy.insurer_number.as_deref());
            columns.checks.push(uuid(policy.check));
            columns.bodies.push(&policy.body);
            columns.certificates.push(&policy.certificate);
        }
        columns
    }
}

fn columns(row: &Found) -> Result<policy::Found, StorageError> {
    Ok(policy::Found {
        partner: get_id(row, 0)?,
        proposal: get_id(row, 1)?,
        number: get(row, 2)?,
        insurer_number: get(row, 3)?,
        check: get::<Uuid>(row, 4)?.into_bytes(),
        body: get(row, 5)?,
    })
}

impl Postgres {
    pub(super) async fn read_policy(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Policy>, StorageError> {
        let read = include_str!("../../sql/policies/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map(|row| columns(&row)?.open(&self.seal)).transpose()
    }

    pub(super) async fn read_checked_policy(&self, check: CheckCode) -> Result<Option<Policy>, StorageError> {
        let read = include_str!("../../sql/policies/read_by_check.sql");
        let found = self.connections.read_one(read, values![uuid(check.0)]).await?;
        found.map(|row| columns(&row)?.open(&self.seal)).transpose()
    }

    pub(super) async fn read_certificate(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError> {
        let read = include_str!("../../sql/policies/read_certificate.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map(|row| open_certificate(&self.seal, proposal, get(&row, 0)?, get(&row, 1)?)).transpose()
    }
}
