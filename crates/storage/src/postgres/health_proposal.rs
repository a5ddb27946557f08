//! Health proposals with the moves that they made.

use async_trait::async_trait;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId, SessionId, Uuid};
use domain::journey::Journey;
use domain::proposal::{Actor, Move};
use service::storage::StorageError;
use service::storage::health_proposals::{
    HealthAct, HealthProposalLine, HealthProposals, ImportEnd, Proposed, Records,
};
use service::storage::jobs::JobKind;
use service::storage::lists::{From, Page, Selection};

use super::column::{
    Value, get, get_id, get_instant, get_optional_id, get_word, id, most as at_most, uuid, values,
};
use super::import::Piece;
use super::list::{FIRST, List};
use super::{Postgres, health_policy, moves};
use crate::rows;
use crate::rows::counted::{Counted, day_number_of};
use crate::rows::health_proposal::{ActRows, Found, MOVES, Row, born};
use crate::seal::Seal;

/// The unique index that lets one proposal be active for a quote and a variant.
const ACTIVE: &str = "health_proposals_active";

/// The list of proposals.
pub(super) const LIST: List = List {
    table: "health_proposals",
    columns: "proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body",
    at: "created_at",
    id: "proposal_id",
    counted: Counted::Proposals,
};

/// What an act counts, as columns of a statement.
#[derive(Default)]
struct Counts {
    kinds: Vec<i16>,
    days: Vec<i32>,
    session_kinds: Vec<i16>,
    sessions: Vec<Uuid>,
}

impl Counts {
    fn add(&mut self, kind: Counted, session: Option<SessionId>, at: domain::date::Timestamp) {
        self.kinds.push(kind as i16);
        self.days.push(day_number_of(at));
        if let Some(session) = session {
            self.session_kinds.push(kind as i16);
            self.sessions.push(id(session));
        }
    }

    fn policy(&mut self, policy: Option<&rows::health_policy::Row>) {
        if let Some(policy) = policy {
            self.add(Counted::Policies, policy.session, policy.issued_at);
        }
    }
}

/// A proposal's columns from one on.
fn columns(row: &tokio_postgres::Row, first: usize) -> Result<Found, StorageError> {
    Ok(Found {
        id: get_id(row, first)?,
        created_at: get_instant(row, first + 1)?,
        changed_at: get_instant(row, first + 2)?,
        status: get_word(HealthProposalStatus::ALL, row, first + 3)?,
        session: get_optional_id(row, first + 4)?,
        insurer_reference: get(row, first + 5)?,
        reason: get(row, first + 6)?,
        body: get(row, first + 7)?,
    })
}

impl Postgres {
    /// The proposal that is active for a quote and a variant.
    async fn active(&self, proposal: &Row) -> Result<Option<ProposalId>, StorageError> {
        let (quote, variant) = proposal.chosen.unwrap_or_default();
        let active = include_str!("../../sql/health_proposals/active.sql");
        let found =
            self.connections.read_one(active, values![uuid(proposal.of), uuid(quote), uuid(variant)]).await?;
        found.map(|row| get_id(&row, 0)).transpose()
    }
}

#[async_trait]
impl HealthProposals for Postgres {
    async fn keep_health_proposal(
        &self,
        proposal: &HealthProposal,
        act: HealthAct<'_>,
        journey: &Journey,
    ) -> Result<Proposed, StorageError> {
        let row = Row::of(&self.seal, proposal)?;
        let act = ActRows::of(&self.seal, proposal.partner, proposal.id, act)?;
        let journey = rows::journey::Row::of(&self.seal, journey)?;
        let keep = include_str!("../../sql/health_proposals/keep.postgres.sql");
        let moves = moves::Columns::of(&act.moves, |status| status as i16);
        let policy = health_policy::Columns::of(act.policy.as_ref());
        let mut counts = Counts::default();
        counts.add(Counted::Proposals, row.session, row.created_at);
        counts.policy(act.policy.as_ref());
        let refused = match self
            .connections
            .write(
                keep,
                values![
                    uuid(row.of),
                    uuid(row.id),
                    row.status as i16,
                    row.created_at.as_microsecond(),
                    row.changed_at,
                    row.session.map(id),
                    row.chosen.map(|(quote, _)| uuid(quote)),
                    row.chosen.map(|(_, variant)| uuid(variant)),
                    row.insurer_reference,
                    row.reason,
                    row.body,
                    journey.seen_at,
                    journey.version as i32,
                    journey.body,
                    uuid(journey.id),
                    journey.before() as i32,
                    moves.at,
                    moves.by,
                    moves.from,
                    moves.to,
                    moves.reasons,
                    policy.ids,
                    policy.issued_at,
                    policy.sessions,
                    policy.numbers,
                    policy.insurer_numbers,
                    policy.checks,
                    policy.bodies,
                    policy.certificates,
                    JobKind::HealthDecision as i16,
                    act.ask_insurer.iter().map(|due| due.as_microsecond()).collect::<Vec<i64>>(),
                    self.slot,
                    counts.kinds,
                    counts.days,
                    counts.session_kinds,
                    counts.sessions,
                ],
            )
            .await
        {
            Ok(said) if !said.rows.is_empty() => return Ok(Proposed::New),
            Ok(_) => None,
            Err(fault) if fault.is_taken(ACTIVE) => Some(fault),
            Err(fault) => return Err(fault.into()),
        };
        // Whoever was first may have changed the journey as well: that there is a proposal is the better answer.
        match (self.active(&row).await?, refused) {
            (Some(active), _) => Ok(Proposed::AlreadyActive(active)),
            (None, None) => Ok(Proposed::JourneyChanged),
            // It was active then and is no longer.
            (None, Some(fault)) => Err(fault.into()),
        }
    }

    async fn health_proposal(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<HealthProposal>, StorageError> {
        let read = include_str!("../../sql/health_proposals/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map(|row| columns(&row, 0)?.open(&self.seal, of)).transpose()
    }

    async fn partner_of_health_proposal(
        &self,
        proposal: ProposalId,
    ) -> Result<Option<PartnerId>, StorageError> {
        let read = include_str!("../../sql/health_proposals/partner_of.sql");
        let found = self.connections.read_one(read, values![id(proposal)]).await?;
        found.map(|row| get_id(&row, 0)).transpose()
    }

    async fn health_proposals(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthProposal>, StorageError> {
        let open = |row: &tokio_postgres::Row| columns(row, FIRST)?.open(&self.seal, of);
        self.pages.proposals.read(&self.connections, of, which, from, most, open).await
    }

    async fn health_proposal_lines(
        &self,
        of: PartnerId,
        status: Option<HealthProposalStatus>,
        most: usize,
    ) -> Result<Vec<HealthProposalLine>, StorageError> {
        let list = include_str!("../../sql/health_proposals/list.sql");
        let status = status.map(|status| status as i16);
        let rows = self.connections.read(list, values![id(of), status, at_most(most)]).await?;
        let line = |row: &tokio_postgres::Row| {
            Ok(HealthProposalLine {
                id: get_id(row, 0)?,
                partner: of,
                status: get_word(HealthProposalStatus::ALL, row, 1)?,
                created_at: get_instant(row, 2)?,
                changed_at: get_instant(row, 3)?,
            })
        };
        rows.iter().map(line).collect()
    }

    async fn move_health_proposal(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        from: HealthProposalStatus,
        act: HealthAct<'_>,
    ) -> Result<bool, StorageError> {
        let Some(last) = act.moves.last() else { return Ok(false) };
        let (to, at) = (last.to, last.at);
        let act = ActRows::of(&self.seal, of, proposal, act)?;
        let move_along = include_str!("../../sql/health_proposals/move.postgres.sql");
        let moves = moves::Columns::of(&act.moves, |status| status as i16);
        let policy = health_policy::Columns::of(act.policy.as_ref());
        let mut counts = Counts::default();
        counts.policy(act.policy.as_ref());
        Ok(!self
            .connections
            .write(
                move_along,
                values![
                    id(of),
                    id(proposal),
                    to as i16,
                    at.as_microsecond(),
                    act.reason,
                    from as i16,
                    moves.at,
                    moves.by,
                    moves.from,
                    moves.to,
                    moves.reasons,
                    policy.ids,
                    policy.issued_at,
                    policy.sessions,
                    policy.numbers,
                    policy.insurer_numbers,
                    policy.checks,
                    policy.bodies,
                    policy.certificates,
                    JobKind::HealthDecision as i16,
                    act.ask_insurer.iter().map(|due| due.as_microsecond()).collect::<Vec<i64>>(),
                    act.ask_insurer.is_none() && act.decides(),
                    self.slot,
                    counts.kinds,
                    counts.days,
                    counts.session_kinds,
                    counts.sessions,
                ],
            )
            .await?
            .rows
            .is_empty())
    }

    async fn health_history(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<Move<HealthProposalStatus>>, StorageError> {
        let list = include_str!("../../sql/health_moves/list.sql");
        let rows = self.connections.read(list, values![id(of), id(proposal)]).await?;
        let made =
            |row| moves::columns(HealthProposalStatus::ALL, row)?.open(&self.seal, MOVES, of, proposal);
        rows.iter().map(made).collect()
    }

    async fn import_health_proposals(
        &self,
        records: Records<HealthProposal>,
    ) -> Result<ImportEnd, StorageError> {
        self.import::<_, Proposals>(records).await
    }
}

/// A piece of an import, as columns of a statement.
#[derive(Default)]
struct Proposals {
    of: Vec<Uuid>,
    ids: Vec<Uuid>,
    statuses: Vec<i16>,
    created_at: Vec<i64>,
    changed_at: Vec<i64>,
    sessions: Vec<Option<Uuid>>,
    insurer_references: Vec<Option<String>>,
    reasons: Vec<Option<Vec<u8>>>,
    bodies: Vec<Vec<u8>>,
    days: Vec<i32>,
    by: Vec<i16>,
    move_reasons: Vec<Option<Vec<u8>>>,
}

impl Piece<HealthProposal> for Proposals {
    const STATEMENT: &str = include_str!("../../sql/health_proposals/import.postgres.sql");

    fn add(&mut self, seal: &Seal, proposal: &HealthProposal) -> Result<(), StorageError> {
        let row = Row::of(seal, proposal)?;
        let act = HealthAct { moves: &[born(proposal)], ..HealthAct::default() };
        let act = ActRows::of(seal, proposal.partner, proposal.id, act)?;
        let born = act.moves.into_iter().next();
        self.of.push(uuid(row.of));
        self.ids.push(uuid(row.id));
        self.statuses.push(row.status as i16);
        self.created_at.push(row.created_at.as_microsecond());
        self.changed_at.push(row.changed_at);
        self.sessions.push(row.session.map(id));
        self.insurer_references.push(row.insurer_reference);
        self.reasons.push(row.reason);
        self.bodies.push(row.body);
        self.days.push(day_number_of(row.created_at));
        self.by.push(born.as_ref().map_or(Actor::Operator, |born| born.by) as i16);
        self.move_reasons.push(born.and_then(|born| born.reason));
        Ok(())
    }

    fn values(&self) -> Vec<Value<'_>> {
        use super::column::Column;
        const KIND: i16 = Counted::Proposals as i16;
        vec![
            self.of.value(),
            self.ids.value(),
            self.statuses.value(),
            self.created_at.value(),
            self.changed_at.value(),
            self.sessions.value(),
            self.insurer_references.value(),
            self.reasons.value(),
            self.bodies.value(),
            self.days.value(),
            self.by.value(),
            self.move_reasons.value(),
            KIND.value(),
        ]
    }

    fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_ {
        self.of.iter().copied().zip(self.ids.iter().copied())
    }
}
