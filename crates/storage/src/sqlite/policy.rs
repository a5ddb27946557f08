//! Policies with their certificates.

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::line::LineOfBusiness;
use domain::period::Period;
use domain::policy::{CheckCode, Policy};
use domain::policy_state::PolicyState;
use domain::proposal::Move;
use rusqlite::{Connection, OptionalExtension, Params, params};
use service::storage::jobs::JobKind;
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::policies::{PolicyAct, PolicyChanged};
use service::storage::{
    AnyPolicies, AnyPolicy, CertificateDocument, Certificates, ImportEnd, Policies, Records, StorageError,
};

use super::list;
use super::row::{by, coded, fault, id};
use super::writer::Act;
use super::{Sqlite, claim, count, deposit, event, import, job, kept_response, ledger, tag};
use crate::codes::Coded;
use crate::rows::counted::day_number;
use crate::rows::id_bytes;
use crate::rows::line::StoredLine;
use crate::rows::list::List;
use crate::rows::policy::{
    Change, EndorsedRow, Found, FoundCertificate, MOVES, PaymentRow, Row, check_hash, open_certificate,
};
use crate::rows::position::Listed;
use crate::rows::state_moves::FoundMove;

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
        policy.certificate,
        policy.state,
        policy.changed_at,
        policy.last_day,
        policy.renewable_until
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(false);
    }
    count::add(to, policy.of, policy.count)?;
    tag::add(to, &policy.tags)?;
    tell(to, policy)?;
    Ok(true)
}

/// Begins the job that tells a policy's insurer, where it is told, or makes it due again.
fn tell(to: &Connection, policy: &Row) -> Result<(), StorageError> {
    let kind = JobKind::Notice.code().into();
    policy.tell.map_or(Ok(()), |due| job::begin_anew(to, id_bytes(policy.of), kind, policy.id, due))
}

/// Changes a policy that is in the version in which it was seen.
pub(super) fn change_one(to: &Connection, change: &Change) -> Result<Act<PolicyChanged>, StorageError> {
    if !kept_response::is_first(to, change.response.as_ref())? {
        return Ok(Act::Undo(PolicyChanged::Twin));
    }
    let (row, of) = (&change.row, id_bytes(change.row.of));
    let update = include_str!("../../sql/policies/change.sqlite.sql");
    let mut update = to.prepare_cached(update).map_err(fault)?;
    let values = params![
        row.state,
        row.changed_at,
        change.before + 1,
        row.refund_due_on,
        row.endorsement_asked_at,
        row.body,
        of,
        row.id,
        change.before
    ];
    if update.execute(values).map_err(fault)? == 0 {
        return Ok(Act::Undo(PolicyChanged::Lost));
    }
    if let Some(EndorsedRow { certificate, version, at }) = &change.endorsed {
        let replaced = include_str!("../../sql/replaced_certificates/add.sqlite.sql");
        to.prepare_cached(replaced).map_err(fault)?.execute(params![at, of, row.id]).map_err(fault)?;
        let recertify = include_str!("../../sql/policies/recertify.sqlite.sql");
        let values = params![certificate, version, of, row.id];
        to.prepare_cached(recertify).map_err(fault)?.execute(values).map_err(fault)?;
        tag::add_once(to, &row.tags)?;
    }
    let next = include_str!("../../sql/policy_moves/next_sequence.sqlite.sql");
    let mut next = to.prepare_cached(next).map_err(fault)?;
    let first: i64 = next.query_row(params![of, row.id], |row| row.get(0)).map_err(fault)?;
    let mut add = to.prepare_cached(include_str!("../../sql/policy_moves/add.sqlite.sql")).map_err(fault)?;
    for (sequence, made) in (first..).zip(&change.moves) {
        add.execute(params![of, row.id, sequence, made.at, made.by, made.from, made.to, made.reason])
            .map_err(fault)?;
    }
    ledger::post(to, &change.postings)?;
    for back in change.postings.iter().filter(|posting| posting.deposit.is_some()) {
        deposit::add(to, back.amount, back.insurer, back.deposit.as_deref())?;
    }
    tell(to, row)?;
    if let Some(claim) = &change.claim
        && !claim::keep(to, claim)?
    {
        return Ok(Act::Undo(PolicyChanged::Lost));
    }
    if let Some(PaymentRow { reference, paid_for }) = &change.payment {
        let mut note = to.prepare_cached(include_str!("../../sql/payments/note.sql")).map_err(fault)?;
        if !note.exists(params![reference, paid_for, row.changed_at]).map_err(fault)? {
            let mut read = to.prepare_cached(include_str!("../../sql/payments/read.sql")).map_err(fault)?;
            let other = read.query_row([reference], |row| row.get(0)).map_err(fault)?;
            return Ok(Act::Undo(PolicyChanged::Paid(other)));
        }
    }
    event::note(to, &change.events)?;
    Ok(Act::Keep(PolicyChanged::Done))
}

impl Sqlite {
    /// The first policies that a statement finds, whoever's they are.
    fn of_every_partner(&self, list: &str, most: usize) -> Result<Vec<AnyPolicy>, StorageError> {
        self.readers.read(|from| {
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let columns = by(|row| Ok((row.get(14)?, Found::columns(row)?)));
            let found = list.query_map(params![most as i64], columns).map_err(fault)?;
            found
                .map(|found| {
                    let (of, found) = found.map_err(fault)?;
                    found.open_any(&self.seal, of)
                })
                .collect()
        })
    }

    /// The one policy that a statement finds.
    fn one_policy<L: StoredLine>(
        &self,
        of: PartnerId,
        statement: &str,
        values: impl Params,
    ) -> Result<Option<Policy<L>>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(statement).map_err(fault)?;
            let found = read.query_row(values, by(Found::columns)).optional().map_err(fault)?;
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
            let page =
                list::page::<Found>(&moment, &self.seal, &List::policies(L::LINE), of, &which, start, most)?;
            page.try_map(|found| found.open::<L>(&self.seal, of))
        })
    }

    async fn change_policy(
        &self,
        policy: &Policy<L>,
        act: PolicyAct<'_>,
    ) -> Result<PolicyChanged, StorageError> {
        let change = Change::of(&self.seal, policy, act)?;
        self.writer.decide(move |to| change_one(to, &change)).await
    }

    async fn import_policies(&self, records: Records<Policy<L>>) -> Result<ImportEnd, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .decide(move |to| import::all(records, |policy| insert(to, &Row::of(&seal, &policy)?)))
            .await
    }
}

#[async_trait]
impl AnyPolicies for Sqlite {
    async fn any_policy(&self, of: PartnerId, policy: PolicyId) -> Result<Option<AnyPolicy>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/policies/read_any.sql")).map_err(fault)?;
            let found =
                read.query_row(params![id_bytes(of), id_bytes(policy)], by(Found::columns)).optional();
            found.map_err(fault)?.map(|found| found.open_any(&self.seal, of)).transpose()
        })
    }

    async fn any_policy_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<AnyPolicy>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/policies/read_any_of_proposal.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let found =
                read.query_row(params![id_bytes(of), id_bytes(proposal)], by(Found::columns)).optional();
            found.map_err(fault)?.map(|found| found.open_any(&self.seal, of)).transpose()
        })
    }

    async fn policies_of_proposals(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<(ProposalId, PolicyId)>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/policies/of_proposals.sqlite.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let mut found = Vec::new();
            for proposal in proposals {
                let columns = |row: &rusqlite::Row<'_>| Ok((id(row, 0)?, id(row, 1)?));
                let values = params![id_bytes(of), id_bytes(*proposal)];
                found.extend(read.query_row(values, columns).optional().map_err(fault)?);
            }
            Ok(found)
        })
    }

    async fn any_policies_numbered(
        &self,
        of: &[PartnerId],
        number: &str,
        most: usize,
    ) -> Result<Vec<AnyPolicy>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/policies/numbered.sqlite.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let mut policies = Vec::new();
            for of in of {
                let values = params![id_bytes(*of), number, most as i64];
                for found in read.query_map(values, by(Found::columns)).map_err(fault)? {
                    policies.push(found.map_err(fault)?.open_any(&self.seal, *of)?);
                }
            }
            policies.sort_by_key(|policy| std::cmp::Reverse(policy.position()));
            policies.truncate(most);
            Ok(policies)
        })
    }

    async fn any_policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
        today: Date,
    ) -> Result<Page<AnyPolicy>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let list = List::any_policies(which.state(), today);
            let page = list::page::<Found>(&moment, &self.seal, &list, of, &which, start, most)?;
            page.try_map(|found| found.open_any(&self.seal, of))
        })
    }

    async fn policy_history(
        &self,
        of: PartnerId,
        policy: PolicyId,
    ) -> Result<Vec<Move<PolicyState>>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/policy_moves/list.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(policy)];
            let found = list.query_map(values, by(FoundMove::columns)).map_err(fault)?;
            found.map(|made| made.map_err(fault)?.open(&self.seal, MOVES, of, id_bytes(policy))).collect()
        })
    }

    async fn owner_of_policy(&self, policy: PolicyId) -> Result<Option<PartnerId>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/policies/owner_of.sql")).map_err(fault)?;
            read.query_row(params![id_bytes(policy)], |row| id(row, 0)).optional().map_err(fault)
        })
    }

    async fn endorsements_open(&self, most: usize) -> Result<Vec<AnyPolicy>, StorageError> {
        self.of_every_partner(include_str!("../../sql/policies/endorsements_open.sql"), most)
    }

    async fn renewals_due(
        &self,
        of: PartnerId,
        ends: Period,
        today: Date,
        after: Option<(Date, PolicyId)>,
        most: usize,
    ) -> Result<Vec<AnyPolicy>, StorageError> {
        let (day, last) = after.map_or((0, [0; 16]), |(day, last)| (day_number(day), id_bytes(last)));
        self.readers.read(|from| {
            let list = include_str!("../../sql/policies/renewals_due.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let (first, until, today) = (day_number(ends.first), day_number(ends.last), day_number(today));
            let values = params![id_bytes(of), first, until, day, last, today, most as i64];
            let found = list.query_map(values, by(Found::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open_any(&self.seal, of)).collect()
        })
    }

    async fn refunds_owed(&self, most: usize) -> Result<Vec<AnyPolicy>, StorageError> {
        self.of_every_partner(include_str!("../../sql/policies/refunds_owed.sql"), most)
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
            let found = read
                .query_row(params![id_bytes(of), id_bytes(proposal)], by(FoundCertificate::columns))
                .optional();
            found.map_err(fault)?.map(|found| found.open(&self.seal, of)).transpose()
        })
    }

    async fn replaced_certificate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        version: u32,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/replaced_certificates/read.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let found = read.query_row(params![id_bytes(of), id_bytes(policy), version], columns).optional();
            let found: Option<(String, Vec<u8>)> = found.map_err(fault)?;
            let open = |(number, sealed): (String, Vec<u8>)| {
                open_certificate(&self.seal, of, policy, &number, version, &sealed)
            };
            found.map(open).transpose()
        })
    }

    async fn certificate_was_read(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let was_read = include_str!("../../sql/policies/certificate_was_read.sql");
        let values = (at.as_microsecond(), id_bytes(of), id_bytes(proposal));
        self.writer.keep(move |to| to.execute(was_read, values).map(|_| ()).map_err(fault)).await
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
