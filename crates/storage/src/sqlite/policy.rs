//! Policies with their certificates.

use domain::id::{PartnerId, ProposalId};
use domain::policy::{CheckCode, Policy};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{CertificateDocument, StorageError};

use super::row::{fault, id};
use crate::rows::id_bytes;
use crate::rows::policy::{Found, Row, open_certificate};
use crate::seal::Seal;

pub(super) fn keep(to: &Connection, policy: &Row) -> Result<(), StorageError> {
    let Row { of, proposal, policy, number, insurer_number, check, body, certificate } = policy;
    let mut keep = to.prepare_cached(include_str!("../../sql/policies/keep.sqlite.sql")).map_err(fault)?;
    let values = params![of, proposal, policy, number, insurer_number, check, body, certificate];
    keep.execute(values).map(|_| ()).map_err(fault)
}

fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found {
        partner: id(row, 0)?,
        proposal: id(row, 1)?,
        number: row.get(2)?,
        insurer_number: row.get(3)?,
        check: row.get(4)?,
        body: row.get(5)?,
    })
}

pub(super) fn read(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    proposal: ProposalId,
) -> Result<Option<Policy>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/policies/read.sql")).map_err(fault)?;
    let found =
        read.query_row(params![id_bytes(of), id_bytes(proposal)], columns).optional().map_err(fault)?;
    found.map(|found| found.open(seal)).transpose()
}

pub(super) fn by_check(
    from: &Connection,
    seal: &Seal,
    check: CheckCode,
) -> Result<Option<Policy>, StorageError> {
    let mut read =
        from.prepare_cached(include_str!("../../sql/policies/read_by_check.sql")).map_err(fault)?;
    let found = read.query_row([check.0], columns).optional().map_err(fault)?;
    found.map(|found| found.open(seal)).transpose()
}

pub(super) fn certificate(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    proposal: ProposalId,
) -> Result<Option<CertificateDocument>, StorageError> {
    let mut read =
        from.prepare_cached(include_str!("../../sql/policies/read_certificate.sql")).map_err(fault)?;
    let columns = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?));
    let found =
        read.query_row(params![id_bytes(of), id_bytes(proposal)], columns).optional().map_err(fault)?;
    let Some((number, sealed)) = found else { return Ok(None) };
    open_certificate(seal, proposal, number, &sealed).map(Some)
}
