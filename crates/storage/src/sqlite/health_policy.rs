//! Health policies with their certificates.

use async_trait::async_trait;
use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::policy::CheckCode;
use rusqlite::{Connection, OptionalExtension, Params, params};
use service::storage::health_policies::HealthPolicies;
use service::storage::health_proposals::{ImportEnd, Records};
use service::storage::lists::{From, Page, Selection};
use service::storage::{CertificateDocument, StorageError};

use super::list::{self, Listed, Statements};
use super::row::{fault, id, instant, optional_id};
use super::{Sqlite, count, health_proposal};
use crate::rows::counted::Counted;
use crate::rows::health_policy::{Found, Row, open_certificate};
use crate::rows::id_bytes;

/// Inserts a policy and counts it. `false`: its id or number is taken.
pub(super) fn keep(to: &Connection, policy: &Row) -> Result<bool, StorageError> {
    let keep = include_str!("../../sql/health_policies/keep.sqlite.sql");
    let mut keep = to.prepare_cached(keep).map_err(fault)?;
    let values = params![
        id_bytes(policy.of),
        policy.id,
        policy.issued_at.as_microsecond(),
        policy.session.map(id_bytes),
        policy.proposal,
        policy.number,
        policy.insurer_number,
        policy.check,
        policy.body,
        policy.certificate
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(false);
    }
    count::add(to, Counted::Policies, policy.of, policy.session, policy.issued_at)?;
    Ok(true)
}

fn columns_from(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Found> {
    Ok(Found {
        id: id(row, first)?,
        issued_at: instant(row, first + 1)?,
        session: optional_id(row, first + 2)?,
        number: row.get(first + 3)?,
        insurer_number: row.get(first + 4)?,
        body: row.get(first + 5)?,
    })
}

impl Listed for Found {
    const STATEMENTS: Statements = Statements {
        older_of_days: include_str!("../../sql/health_policies/older_of_days.sqlite.sql"),
        newer_of_days: include_str!("../../sql/health_policies/newer_of_days.sqlite.sql"),
        older_of_session: include_str!("../../sql/health_policies/older_of_session.sqlite.sql"),
        newer_of_session: include_str!("../../sql/health_policies/newer_of_session.sqlite.sql"),
    };
    const COUNTED: Counted = Counted::Policies;

    fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        columns_from(row, 0)
    }
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
            found.map(|found| found.open(&self.seal, of)).transpose()
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
        let insurers = include_str!("../../sql/health_policies/read_by_insurer_number.sqlite.sql");
        match self.one_health_policy(of, insurers, values)? {
            Some(policy) => Ok(Some(policy)),
            None => {
                let ours = include_str!("../../sql/health_policies/read_by_number.sqlite.sql");
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
            page.try_map(|found| found.open(&self.seal, of))
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
                Ok((id(row, 0)?, row.get::<_, String>(1)?, row.get::<_, Vec<u8>>(2)?))
            };
            let found = read.query_row(params![id_bytes(of), id_bytes(proposal)], columns).optional();
            let Some((id, number, sealed)) = found.map_err(fault)? else { return Ok(None) };
            open_certificate(&self.seal, id, number, &sealed).map(Some)
        })
    }

    async fn health_policy_by_check(&self, check: CheckCode) -> Result<Option<HealthPolicy>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/health_policies/read_by_check.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| Ok((id(row, 0)?, columns_from(row, 1)?));
            let found = read.query_row([check.0], columns).optional().map_err(fault)?;
            found.map(|(of, found)| found.open(&self.seal, of)).transpose()
        })
    }

    async fn import_health_policies(
        &self,
        records: Records<HealthPolicy>,
    ) -> Result<ImportEnd, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .decide(move |to| health_proposal::import(records, |policy| keep(to, &Row::of(&seal, &policy)?)))
            .await
    }
}
