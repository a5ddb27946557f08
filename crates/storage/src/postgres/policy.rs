//! Policies with their certificates.

use std::sync::Arc;

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::id::{PartnerId, PolicyId, ProposalId, Uuid};
use domain::line::LineOfBusiness;
use domain::period::Period;
use domain::policy::{CheckCode, Policy};
use domain::policy_state::PolicyState;
use domain::proposal::Move;
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::policies::{PolicyAct, PolicyChanged};
use service::storage::{
    AnyPolicies, AnyPolicy, CertificateDocument, Certificates, ImportEnd, Moved, Policies, Records,
    StorageError,
};

use super::column::{Group, Value, get, get_coded, get_id, id, most as at_most, uuid, values};
use super::connections::{Executed, Fault};
use super::count::Counts;
use super::event::act_with_events;
use super::import::{Given, Piece};
use super::kept_response::KeyOutcome;
use super::ledger::LedgerColumns;
use super::list::{FIRST, Pages};
use super::transaction::Transaction;
use super::{Postgres, claim, deposit, event, kept_response, moves, tag};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows::counted::{day_number, day_number_of};
use crate::rows::id_bytes;
use crate::rows::line::StoredLine;
use crate::rows::list::List;
use crate::rows::policy::{
    Change, Found, FoundCertificate, MOVES, PaymentRow, Row, check_hash, open_certificate,
};
use crate::rows::position::Listed;
use crate::rows::state_moves::FoundMove;
use crate::rows::tag::TagRow;
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
    last_days: Vec<i32>,
    renewable_until: Vec<Option<i32>>,
    /// When its insurer is told of it.
    tell: Vec<Option<i64>>,
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
            columns.last_days.push(policy.last_day);
            columns.renewable_until.push(policy.renewable_until);
            columns.tell.push(policy.tell);
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
            self.last_days,
            self.renewable_until,
            self.tell,
        ]
        .to_vec()
    }
}

/// Lets another policy follow one, within the transaction that issues that one. `false`: it was changed meanwhile.
pub(super) async fn renew(within: &Transaction, change: &Change) -> Result<bool, StorageError> {
    let row = &change.row;
    let (of, policy) = (id(row.of), uuid(row.id));
    let (before, after) = (change.before as i32, change.before as i32 + 1);
    let policy = values![of, policy, row.state, row.changed_at, after, row.body, before].to_vec();
    let moves = moves::Columns::of(&change.moves);
    let values = [policy, moves.values()].concat();
    let renew = include_str!("../../sql/policies/renew.postgres.sql");
    Ok(!within.execute(renew, &values).await?.rows.is_empty())
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
        found.map(|row| Found::columns(Fields::of(&row))?.open::<L>(&self.seal, of)).transpose()
    }
}

impl Postgres {
    /// The first policies that a statement finds, whoever's they are.
    async fn of_every_partner(&self, list: &str, most: usize) -> Result<Vec<AnyPolicy>, StorageError> {
        let rows = self.connections.read(list, values![at_most(most)]).await?;
        rows.iter()
            .map(|row| Found::columns(Fields::of(row))?.open_any(&self.seal, get_id(row, 14)?))
            .collect()
    }

    /// Changes a policy that is in the version in which it was seen.
    async fn change_one(&self, change: &Change) -> Result<PolicyChanged, StorageError> {
        let row = &change.row;
        let (of, policy) = (id(row.of), uuid(row.id));
        let (before, after) = (change.before as i32, change.before as i32 + 1);
        let policy =
            values![of, policy, row.state, row.changed_at, after, row.refund_due_on, row.body, before]
                .to_vec();
        let moves = moves::Columns::of(&change.moves);
        let response = kept_response::Columns::of(change.response.as_ref());
        let postings = LedgerColumns::of(&change.postings);
        let claimed = claim::Columns::of(change.claim.as_ref());
        let counts = Counts::of(self.slot, [change.claim.as_ref().and_then(|claim| claim.count)]);
        let endorsed = change.endorsed.as_ref();
        let certificate = endorsed.map(|endorsed| endorsed.certificate.as_slice());
        let (version, at) =
            (endorsed.map(|endorsed| endorsed.version as i32), endorsed.map(|endorsed| endorsed.at));
        let replaced = values![certificate, version, at].to_vec();
        let open = values![row.endorsement_asked_at, row.tell].to_vec();
        let tags = tag::Columns::of(row.tags.iter().filter(|_| endorsed.is_some()));
        let events = event::Columns::of(&change.events);
        let values = [
            events.values(),
            policy,
            moves.values(),
            response.values(),
            postings.values(),
            claimed.values(),
            counts.values(),
            replaced,
            tags.values(),
            open,
        ]
        .concat();
        let update = act_with_events!("../../sql/policies/change.postgres.sql");
        loop {
            let changed = match self.execute_change(update, &values, change).await {
                Ok(Changed::Act(executed)) => Ok(executed),
                Ok(Changed::Paid(other)) => return Ok(PolicyChanged::Paid(other)),
                Err(fault) => Err(fault),
            };
            match self.key_outcome(changed, change.response.as_ref()).await? {
                KeyOutcome::Again => {}
                KeyOutcome::Twin => return Ok(PolicyChanged::Twin),
                KeyOutcome::Done(changed) if !changed.rows.is_empty() => return Ok(PolicyChanged::Done),
                KeyOutcome::Done(_) => {
                    return Ok(match self.lost_or_twin(row.of, change.response.as_ref()).await? {
                        Moved::Twin => PolicyChanged::Twin,
                        Moved::Won | Moved::Lost | Moved::PremiumDue => PolicyChanged::Lost,
                    });
                }
            }
        }
    }
}

/// What came of the statements of a change.
enum Changed {
    /// What the change itself gave.
    Act(Executed),
    /// The payment's reference paid this before, and nothing was done.
    Paid(String),
}

impl Postgres {
    /// Executes a change of a policy. What others wait at comes last in its transaction: a payment's reference, and a deposit.
    async fn execute_change(
        &self,
        update: &'static str,
        values: &[Value<'_>],
        change: &Change,
    ) -> Result<Changed, Fault> {
        let back = change.postings.iter().find(|posting| posting.deposit.is_some());
        if back.is_none() && change.payment.is_none() {
            return self.connections.write(update, values).await.map(Changed::Act);
        }
        let in_turn = async || {
            let within = Transaction::begin(&self.connections).await?;
            let changed = within.execute(update, values).await?;
            if changed.rows.is_empty() {
                within.undo().await?;
                return Ok(Changed::Act(changed));
            }
            if let Some(PaymentRow { reference, paid_for }) = &change.payment {
                let note = include_str!("../../sql/payments/note.sql");
                let noted = within
                    .execute(note, values![reference.as_str(), paid_for.as_str(), change.row.changed_at])
                    .await?;
                if noted.rows.is_empty() {
                    let read = include_str!("../../sql/payments/read.sql");
                    let other = within.execute(read, values![reference.as_str()]).await?.rows;
                    within.undo().await?;
                    return Ok(Changed::Paid(other.first().map(|row| row.get(0)).unwrap_or_default()));
                }
            }
            if let Some(back) = back {
                deposit::add(&within, back.amount, uuid(back.insurer), back.deposit.as_deref()).await?;
            }
            within.commit().await.map(|()| Changed::Act(changed))
        };
        self.connections.again(in_turn).await
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
        let open = |row: &tokio_postgres::Row| {
            Found::columns(Fields::of(row).from(FIRST))?.open::<L>(&self.seal, of)
        };
        self.pages.policies(L::LINE).read(self, of, which, start, most, open).await
    }

    async fn change_policy(
        &self,
        policy: &Policy<L>,
        act: PolicyAct<'_>,
    ) -> Result<PolicyChanged, StorageError> {
        self.change_one(&Change::of(&self.seal, policy, act)?).await
    }

    async fn import_policies(&self, records: Records<Policy<L>>) -> Result<ImportEnd, StorageError> {
        self.import::<_, GivenPolicies<L>>(records).await
    }
}

#[async_trait]
impl AnyPolicies for Postgres {
    async fn any_policy(&self, of: PartnerId, policy: PolicyId) -> Result<Option<AnyPolicy>, StorageError> {
        let read = include_str!("../../sql/policies/read_any.sql");
        let found = self.connections.read_one(read, values![id(of), id(policy)]).await?;
        found.map(|row| Found::columns(Fields::of(&row))?.open_any(&self.seal, of)).transpose()
    }

    async fn any_policy_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<AnyPolicy>, StorageError> {
        let read = include_str!("../../sql/policies/read_any_of_proposal.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map(|row| Found::columns(Fields::of(&row))?.open_any(&self.seal, of)).transpose()
    }

    async fn policies_of_proposals(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<(ProposalId, PolicyId)>, StorageError> {
        if proposals.is_empty() {
            return Ok(Vec::new());
        }
        let proposals: Vec<Uuid> = proposals.iter().map(|proposal| id(*proposal)).collect();
        let read = include_str!("../../sql/policies/of_proposals.postgres.sql");
        let rows = self.connections.read(read, values![id(of), proposals]).await?;
        rows.iter().map(|row| Ok((get_id(row, 0)?, get_id(row, 1)?))).collect()
    }

    async fn any_policies_numbered(
        &self,
        of: &[PartnerId],
        number: &str,
        most: usize,
    ) -> Result<Vec<AnyPolicy>, StorageError> {
        // Text here holds any character but this one, so that no number has it.
        if number.contains('\0') {
            return Ok(Vec::new());
        }
        let of: Vec<Uuid> = of.iter().map(|of| id(*of)).collect();
        let read = self.connections.choose(
            include_str!("../../sql/policies/numbered.postgres.sql"),
            include_str!("../../sql/policies/numbered.citus.sql"),
        );
        let rows = self.connections.read(read, values![of, number, at_most(most)]).await?;
        rows.iter()
            .map(|row| Found::columns(Fields::of(row))?.open_any(&self.seal, get_id(row, 14)?))
            .collect()
    }

    async fn any_policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
        today: Date,
    ) -> Result<Page<AnyPolicy>, StorageError> {
        let open =
            |row: &tokio_postgres::Row| Found::columns(Fields::of(row).from(FIRST))?.open_any(&self.seal, of);
        let pages = Pages::of(List::any_policies(which.state(), today));
        pages.read(self, of, which, start, most, open).await
    }

    async fn policy_history(
        &self,
        of: PartnerId,
        policy: PolicyId,
    ) -> Result<Vec<Move<PolicyState>>, StorageError> {
        let list = include_str!("../../sql/policy_moves/list.sql");
        let rows = self.connections.read(list, values![id(of), id(policy)]).await?;
        let open = |row: &tokio_postgres::Row| {
            FoundMove::columns(Fields::of(row))?.open(&self.seal, MOVES, of, id_bytes(policy))
        };
        rows.iter().map(open).collect()
    }

    async fn owner_of_policy(&self, policy: PolicyId) -> Result<Option<PartnerId>, StorageError> {
        let read = include_str!("../../sql/policies/owner_of.sql");
        let found = self.connections.read_one(read, values![id(policy)]).await?;
        found.map(|row| get_id(&row, 0)).transpose()
    }

    async fn endorsements_open(&self, most: usize) -> Result<Vec<AnyPolicy>, StorageError> {
        self.of_every_partner(include_str!("../../sql/policies/endorsements_open.sql"), most).await
    }

    async fn renewals_due(
        &self,
        of: PartnerId,
        ends: Period,
        today: Date,
        after: Option<(Date, PolicyId)>,
        most: usize,
    ) -> Result<Vec<AnyPolicy>, StorageError> {
        let list = include_str!("../../sql/policies/renewals_due.sql");
        let (day, last) = after.map_or((0, Uuid::nil()), |(day, last)| (day_number(day), id(last)));
        let (first, until, today) = (day_number(ends.first), day_number(ends.last), day_number(today));
        let (of_partner, most) = (id(of), at_most(most));
        let values = values![of_partner, first, until, day, last, today, most];
        let rows = self.connections.read(list, values).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.open_any(&self.seal, of)).collect()
    }

    async fn refunds_owed(&self, most: usize) -> Result<Vec<AnyPolicy>, StorageError> {
        self.of_every_partner(include_str!("../../sql/policies/refunds_owed.sql"), most).await
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
        found.map(|row| FoundCertificate::columns(Fields::of(&row))?.open(&self.seal, of)).transpose()
    }

    async fn replaced_certificate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        version: u32,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let read = include_str!("../../sql/replaced_certificates/read.sql");
        let nth = i32::try_from(version).unwrap_or(i32::MAX);
        let found = self.connections.read_one(read, values![id(of), id(policy), nth]).await?;
        let open = |row: tokio_postgres::Row| {
            let (number, sealed): (String, Vec<u8>) = (get(&row, 0)?, get(&row, 1)?);
            open_certificate(&self.seal, of, policy, &number, version, &sealed)
        };
        found.map(open).transpose()
    }

    async fn certificate_was_read(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let was_read = include_str!("../../sql/policies/certificate_was_read.sql");
        self.connections.write(was_read, values![at.as_microsecond(), id(of), id(proposal)]).await?;
        Ok(())
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
    states: Vec<i16>,
    last_days: Vec<i32>,
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
            states: Vec::new(),
            last_days: Vec::new(),
        }
    }
}

impl<L: StoredLine> Piece<Policy<L>> for GivenPolicies<L> {
    const STATEMENT: &str = include_str!("../../sql/policies/import.postgres.sql");

    fn add(&mut self, seal: &Arc<Seal>, policy: &Policy<L>) -> Result<(), StorageError> {
        let row = Row::of(seal, policy)?;
        self.given.add(row.of, row.id, row.count.kind, row.tags);
        self.issued_at.push(row.issued_at);
        self.sessions.push(row.session.map(id));
        self.numbers.push(row.number);
        self.insurer_numbers.push(row.insurer_number);
        self.bodies.push(row.body);
        self.days.push(day_number_of(row.count.at));
        self.states.push(row.state);
        self.last_days.push(row.last_day);
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
            self.states,
            self.last_days,
        ];
        [self.given.keys_as_values(), records.to_vec(), self.given.line_and_kind()].concat()
    }

    fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_ {
        self.given.keys()
    }

    fn tags(&self) -> &[TagRow] {
        self.given.tags()
    }
}
