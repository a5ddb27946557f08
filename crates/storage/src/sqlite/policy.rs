//! Policies with their certificates.

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::line::LineOfBusiness;
use domain::policy::{CheckCode, Policy};
use rusqlite::{Connection, OptionalExtension, Params, params};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{CertificateDocument, Certificates, ImportEnd, Policies, Records, StorageError};

use super::list::{self, Listed};
use super::row::{coded, fault, id, instant, optional_id};
use super::{Sqlite, count, import};
use crate::codes::Coded;
use crate::rows::id_bytes;
use crate::rows::line::StoredLine;
use crate::rows::list::List;
use crate::rows::policy::{Found, Row, check_hash, open_certificate};

/// Inserts a policy and counts it. `false`: its id or number is taken, or its proposal has a policy.
pub(super) fn insert(to: &Connection, policy: &Row) -> Result<bool, StorageError> {
    let mut keep = to.prepare_cached(include_str!("../../sql/policies/keep.sqlite.sql")).map_err(fault)?;
    let values = params![
        id_bytes(policy.of),
        policy.id,
        policy.line,
        policy.issued_at,
        policy.session.map(id_bytes),
        policy.proposal,
        policy.number,
        policy.insurer_number,
        policy.check_hash,
        policy.body,
        policy.certificate
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(false);
    }
    count::add(to, policy.of, policy.count)?;
    Ok(true)
}

impl Listed for Found {
    fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Found {
            id: id(row, 0)?,
            issued_at: instant(row, 1)?,
            session: optional_id(row, 2)?,
            proposal: optional_id(row, 3)?,
            number: row.get(4)?,
            insurer_number: row.get(5)?,
            check_hash: row.get(6)?,
            body: row.get(7)?,
        })
    }
}

impl Sqlite {
    /// The one policy that a statement finds.
    fn one_policy<L: StoredLine>(
        &self,
        of: PartnerId,
        statement: &str,
        values: impl Params,
    ) -> Result<Option<Policy<L>>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(statement).map_err(fault)?;
            let found = read.query_row(values, Found::columns).optional().map_err(fault)?;
            found.map(|found| found.open::<L>(&self.seal, of)).transpose()
        })
    }
}

#[async_trait]
impl<L: StoredLine> Policies<L> for Sqlite {
    async fn policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<Policy<L>>, StorageError> {
        let read = include_str!("../../sql/policies/read.sql");
        self.one_policy(of, read, params![id_bytes(of), id_bytes(id), L::LINE.code()])
    }

    async fn policy_numbered(&self, of: PartnerId, number: &str) -> Result<Option<Policy<L>>, StorageError> {
        let values = params![id_bytes(of), L::LINE.code(), number];
        let insurers = include_str!("../../sql/policies/read_by_insurer_number.sqlite.sql");
        match self.one_policy(of, insurers, values)? {
            Some(policy) => Ok(Some(policy)),
            None => {
                let ours = include_str!("../../sql/policies/read_by_number.sqlite.sql");
                self.one_policy(of, ours, values)
            }
        }
    }

    async fn policy_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Policy<L>>, StorageError> {
        let read = include_str!("../../sql/policies/read_of_proposal.sql");
        self.one_policy(of, read, params![id_bytes(of), id_bytes(proposal), L::LINE.code()])
    }

    async fn policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Policy<L>>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let page = list::page::<Found>(&moment, &List::policies(L::LINE), of, which, start, most)?;
            page.try_map(|found| found.open::<L>(&self.seal, of))
        })
    }

    async fn import_policies(&self, records: Records<Policy<L>>) -> Result<ImportEnd, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .decide(move |to| import::all(records, |policy| insert(to, &Row::of(&seal, &policy)?)))
            .await
    }
}

#[async_trait]
impl Certificates for Sqlite {
    async fn certificate(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/policies/read_certificate.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| {
                Ok((id(row, 0)?, row.get::<_, String>(1)?, row.get::<_, Vec<u8>>(2)?))
            };
            let found = read.query_row(params![id_bytes(of), id_bytes(proposal)], columns).optional();
            let Some((id, number, sealed)) = found.map_err(fault)? else { return Ok(None) };
            open_certificate(&self.seal, of, id, number, &sealed).map(Some)
        })
    }

    async fn policy_checked(
        &self,
        check: CheckCode,
    ) -> Result<Option<(PartnerId, PolicyId, LineOfBusiness)>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/policies/checked.sql")).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| Ok((id(row, 0)?, id(row, 1)?, coded(row, 2)?));
            read.query_row([check_hash(check)], columns).optional().map_err(fault)
        })
    }
}
