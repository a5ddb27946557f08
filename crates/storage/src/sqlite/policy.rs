//! Policies with their certificates.

use domain::id::{PartnerId, ProposalId};
use domain::policy::{CheckCode, Policy, PolicyNumber};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{CertificateDocument, Issue, StorageError};

use super::row::{fault, id, id_bytes};
use crate::body::{PolicyBody, decode, encode};
use crate::seal::Seal;

pub(super) const TABLE: &str = "policies";
pub(super) const CERTIFICATE: &str = "policies.certificate";
pub(super) const VERSION: u8 = 1;

/// A policy as it lies in the table.
pub(super) struct Row {
    of: [u8; 16],
    proposal: [u8; 16],
    policy: [u8; 16],
    number: String,
    insurer_number: Option<String>,
    check: [u8; 16],
    body: Vec<u8>,
    certificate: Vec<u8>,
}

impl Row {
    pub(super) fn of(seal: &Seal, Issue { policy, certificate }: &Issue) -> Result<Self, StorageError> {
        let body = PolicyBody {
            policy_id: policy.id,
            issued_at: policy.issued_at,
            cover: policy.cover,
            sum_insured: policy.sum_insured,
            term_months: policy.term_months,
            variant: policy.variant,
            catalogue: policy.catalogue,
            premium: policy.premium,
            settlement: policy.settlement.clone(),
            holder: policy.holder.clone(),
        };
        let proposal = id_bytes(policy.proposal);
        Ok(Row {
            of: id_bytes(policy.partner),
            proposal,
            policy: id_bytes(policy.id),
            number: policy.number.to_string(),
            insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
            check: policy.check.0,
            body: seal.seal(TABLE, &proposal, &encode(VERSION, &body))?,
            certificate: seal.seal(CERTIFICATE, &proposal, certificate)?,
        })
    }
}

pub(super) fn keep(to: &Connection, policy: &Row) -> Result<(), StorageError> {
    let Row { of, proposal, policy, number, insurer_number, check, body, certificate } = policy;
    let mut keep = to.prepare_cached(include_str!("../../sql/policies/keep.sql")).map_err(fault)?;
    let values = params![of, proposal, policy, number, insurer_number, check, body, certificate];
    keep.execute(values).map(|_| ()).map_err(fault)
}

/// A row's columns before its body is opened.
type Found = (PartnerId, ProposalId, String, Option<String>, [u8; 16], Vec<u8>);

fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Found> {
    Ok((id(row, 0)?, id(row, 1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
}

fn open(seal: &Seal, found: Found) -> Result<Policy, StorageError> {
    let (partner, proposal, number, insurer_number, check, sealed) = found;
    let body: PolicyBody = decode(VERSION, &seal.open(TABLE, &id_bytes(proposal), &sealed)?)?;
    Ok(Policy {
        id: body.policy_id,
        partner,
        proposal,
        number: PolicyNumber::kept(number),
        insurer_number: insurer_number.map(PolicyNumber::kept),
        check: CheckCode(check),
        issued_at: body.issued_at,
        cover: body.cover,
        sum_insured: body.sum_insured,
        term_months: body.term_months,
        variant: body.variant,
        catalogue: body.catalogue,
        premium: body.premium,
        settlement: body.settlement,
        holder: body.holder,
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
    found.map(|found| open(seal, found)).transpose()
}

pub(super) fn by_check(
    from: &Connection,
    seal: &Seal,
    check: CheckCode,
) -> Result<Option<Policy>, StorageError> {
    let mut read =
        from.prepare_cached(include_str!("../../sql/policies/read_by_check.sql")).map_err(fault)?;
    let found = read.query_row([check.0], columns).optional().map_err(fault)?;
    found.map(|found| open(seal, found)).transpose()
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
    let bytes = seal.open(CERTIFICATE, &id_bytes(proposal), &sealed)?;
    Ok(Some(CertificateDocument { number: PolicyNumber::kept(number), bytes }))
}
