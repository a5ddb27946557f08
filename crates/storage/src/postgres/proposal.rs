//! Proposals with the moves that they made.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::line::{LineOfBusiness, ProposalState};
use domain::proposal::{Move, Proposal};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{
    ImportEnd, Moved, ProposalAct, ProposalLine, ProposalOwners, Proposals, Proposed, Records, StorageError,
};

use super::Postgres;
use super::act::Act;
use super::column::{Group, Value, get, get_coded, get_id, get_instant, id, most as at_most, uuid, values};
use super::connections::Connections;
use super::count::Counts;
use super::event::{act_with_events, parts_with_events};
use super::import::{Given, Piece};
use super::kept_response::KeyOutcome;
use super::list::FIRST;
use super::premium::{DrawColumns, Paid};
use super::{event, job, journey, kept_response, moves, policy, tag};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows::counted::day_number_of;
use crate::rows::id_bytes;
use crate::rows::line::StoredLine;
use crate::rows::moves::status;
use crate::rows::position::Listed;
use crate::rows::proposal::{ActRows, Found, Row, imported};
use crate::rows::state_moves::FoundMove;
use crate::rows::tag::TagRow;
use crate::seal::Seal;

/// What an act is about, by which its partner's node is found.
const SUBJECT: &str =
    "(select partner_id from proposals where partner_id = $8 and proposal_id = $9) as subject";

/// Keeps a proposal with what goes with it.
static KEEP: LazyLock<Act> = LazyLock::new(|| {
    Act::of(
        act_with_events!(
            "../../sql/proposals/keep.postgres.sql",
            "../../sql/proposals/goes_with.postgres.sql"
        ),
        parts_with_events!("../../sql/proposals/keep.citus.sql", "../../sql/proposals/goes_with.citus.sql"),
        SUBJECT,
    )
});

/// Moves a proposal with what goes with it.
static MOVE: LazyLock<Act> = LazyLock::new(|| {
    Act::of(
        act_with_events!(
            "../../sql/proposals/move.postgres.sql",
            "../../sql/proposals/goes_with.postgres.sql"
        ),
        parts_with_events!("../../sql/proposals/move.citus.sql", "../../sql/proposals/goes_with.citus.sql"),
        SUBJECT,
    )
});

/// The unique index that lets one proposal be active for a quote and a variant.
const ACTIVE: &str = "proposals_active";

/// A proposal of a line of business.
async fn find<L: StoredLine>(
    connections: &Connections,
    of: PartnerId,
    proposal: ProposalId,
) -> Result<Option<Found>, StorageError> {
    let read = include_str!("../../sql/proposals/read.sql");
    let line = i16::from(L::LINE.code());
    let found = connections.read_one(read, values![id(of), id(proposal), line]).await?;
    found.map(|row| Found::columns(Fields::of(&row))).transpose()
}

/// A new proposal as columns of a statement, but for what names it.
struct Columns<'a> {
    row: &'a Row,
    session: Option<Uuid>,
    quote: Uuid,
    variant: Uuid,
}

impl<'a> Columns<'a> {
    fn of(row: &'a Row) -> Self {
        Columns { row, session: row.session.map(id), quote: uuid(row.quoted.0), variant: uuid(row.quoted.1) }
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        let row = self.row;
        values![
            row.status,
            row.created_at,
            row.changed_at,
            self.session,
            self.quote,
            self.variant,
            row.insurer_reference,
            row.reason,
            row.body,
        ]
        .to_vec()
    }
}

/// What every act of a proposal has, as the first columns of its statement.
struct ActColumns<'a> {
    events: event::Columns<'a>,
    of: Uuid,
    id: Uuid,
    line: i16,
    moves: moves::Columns<'a>,
    policy: policy::Columns<'a>,
    job: job::Columns,
    response: kept_response::Columns<'a>,
    counts: Counts,
    draw: DrawColumns<'a>,
    tags: tag::Columns<'a>,
}

impl<'a> ActColumns<'a> {
    /// Of an act on a proposal; where it is a new one, with its row. `slot` is where the process counts.
    fn of(act: &'a ActRows, of: Uuid, id: Uuid, new: Option<&'a Row>, slot: i16) -> Self {
        let counted = [new.map(|row| row.count), act.policy.as_ref().map(|policy| policy.count)];
        ActColumns {
            events: event::Columns::of(act.events_within()),
            of,
            id,
            line: act.job.kind,
            moves: moves::Columns::of(&act.moves),
            policy: policy::Columns::of(act.policy.as_ref()),
            job: job::Columns::of(&act.job),
            response: kept_response::Columns::of(act.response.as_ref()),
            counts: Counts::of(slot, counted),
            draw: DrawColumns::of(act.premium.as_ref()),
            tags: tag::Columns::of(new.iter().flat_map(|row| &row.tags).chain(policy_tags(act))),
        }
    }
}

impl Group for ActColumns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        [
            self.events.values(),
            values![self.of, self.id, self.line].to_vec(),
            self.moves.values(),
            self.policy.values(),
            self.job.values(),
            self.response.values(),
            self.counts.values(),
            self.draw.values(),
            self.tags.values(),
        ]
        .concat()
    }
}

/// The tags of the policy that an act issues.
fn policy_tags(act: &ActRows) -> impl Iterator<Item = &TagRow> {
    act.policy.iter().flat_map(|policy| &policy.tags)
}

impl Postgres {
    /// The proposal that is active for a quote and a variant.
    async fn active(&self, proposal: &Row) -> Result<Option<ProposalId>, StorageError> {
        let (quote, variant) = proposal.quoted;
        let active = include_str!("../../sql/proposals/active.sql");
        let found =
            self.connections.read_one(active, values![id(proposal.of), uuid(quote), uuid(variant)]).await?;
        found.map(|row| get_id(&row, 0)).transpose()
    }

    async fn keep(&self, row: &Row, act: &ActRows) -> Result<Proposed, StorageError> {
        let goes_with = ActColumns::of(act, id(row.of), uuid(row.id), Some(row), self.slot);
        let (proposal, journey) = (Columns::of(row), journey::Columns::of(act.journey.as_ref()));
        let values = [goes_with.values(), proposal.values(), journey.values()].concat();
        let refused = loop {
            let kept = self.write_act(&KEEP, &values, act).await?;
            match self.key_outcome(kept, act.response.as_ref()).await {
                Ok(KeyOutcome::Again) => {}
                Ok(KeyOutcome::Twin) => return Ok(Proposed::Twin),
                Ok(KeyOutcome::Done(Paid::Due)) => return Ok(Proposed::PremiumDue),
                Ok(KeyOutcome::Done(Paid::RenewedChanged)) => return Ok(Proposed::RenewedChanged),
                Ok(KeyOutcome::Done(Paid::Done(true))) => return Ok(Proposed::New),
                Ok(KeyOutcome::Done(Paid::Done(false))) => break None,
                Err(fault) if fault.is_taken(ACTIVE) => break Some(fault),
                Err(fault) => return Err(fault.into()),
            }
        };
        // Whoever was first may have changed the journey as well: that there is a proposal is the better response.
        match (self.active(row).await?, refused) {
            (Some(active), _) => Ok(Proposed::AlreadyActive(active)),
            (None, None) => Ok(Proposed::JourneyChanged),
            // It was active then and is no longer.
            (None, Some(fault)) => Err(fault.into()),
        }
    }

    async fn move_along(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        from: i16,
        act: &ActRows,
    ) -> Result<Moved, StorageError> {
        let Some(last) = act.moves.last() else { return Ok(Moved::Lost) };
        let goes_with = ActColumns::of(act, id(of), id(proposal), None, self.slot);
        let moved = values![last.to, last.at, act.reason, from, act.job.decides].to_vec();
        let values = [goes_with.values(), moved].concat();
        loop {
            let moved = self.write_act(&MOVE, &values, act).await?;
            match self.key_outcome(moved, act.response.as_ref()).await? {
                KeyOutcome::Again => {}
                KeyOutcome::Twin => return Ok(Moved::Twin),
                KeyOutcome::Done(Paid::Due) => return Ok(Moved::PremiumDue),
                KeyOutcome::Done(Paid::RenewedChanged) => return Ok(Moved::Lost),
                KeyOutcome::Done(Paid::Done(true)) => return Ok(Moved::Won),
                KeyOutcome::Done(Paid::Done(false)) => {
                    return self.lost_or_twin(of, act.response.as_ref()).await;
                }
            }
        }
    }

    /// Who loses a move to a request with its own key is a twin.
    pub(super) async fn lost_or_twin(
        &self,
        of: PartnerId,
        response: Option<&crate::rows::kept_response::Row>,
    ) -> Result<Moved, StorageError> {
        let Some(response) = response else { return Ok(Moved::Lost) };
        let read = include_str!("../../sql/kept_responses/read.sql");
        let found = self
            .connections
            .read_one(read, values![id(of), &response.key[..], response.over_before()])
            .await?;
        Ok(if found.is_some() { Moved::Twin } else { Moved::Lost })
    }
}

#[async_trait]
impl<L: StoredLine> Proposals<L> for Postgres {
    async fn keep_proposal(
        &self,
        proposal: &Proposal<L>,
        act: ProposalAct<'_, L>,
    ) -> Result<Proposed, StorageError> {
        let row = Row::of(&self.seal, proposal)?;
        let act = ActRows::of(&self.seal, proposal.partner, proposal.id, act)?;
        self.keep(&row, &act).await
    }

    async fn move_proposal(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        from: L::Status,
        act: ProposalAct<'_, L>,
    ) -> Result<Moved, StorageError> {
        let act = ActRows::of(&self.seal, of, proposal, act)?;
        self.move_along(of, proposal, from.code().into(), &act).await
    }

    async fn proposal(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal<L>>, StorageError> {
        let found = find::<L>(&self.connections, of, proposal).await?;
        found.map(|found| found.open::<L>(&self.seal, of)).transpose()
    }

    async fn proposal_status(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<L::Status>, StorageError> {
        let found = find::<L>(&self.connections, of, proposal).await?;
        found.map(|found| found.status::<L>(&self.seal, of)).transpose()
    }

    async fn history(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<Move<L::Status>>, StorageError> {
        let list = include_str!("../../sql/moves/list.sql");
        let line = i16::from(L::LINE.code());
        let rows = self.connections.read(list, values![id(of), id(proposal), line]).await?;
        rows.iter()
            .map(|row| {
                crate::rows::moves::open::<L>(FoundMove::columns(Fields::of(row))?, &self.seal, of, proposal)
            })
            .collect()
    }

    async fn proposals(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Proposal<L>>, StorageError> {
        let open = |row: &tokio_postgres::Row| {
            Found::columns(Fields::of(row).from(FIRST))?.open::<L>(&self.seal, of)
        };
        self.pages.proposals(L::LINE).read(self, of, which, start, most, open).await
    }

    async fn proposal_lines(
        &self,
        of: PartnerId,
        wanted: Option<L::Status>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, StorageError> {
        let list = include_str!("../../sql/proposals/list.sql");
        let wanted = wanted.map(|wanted| i16::from(wanted.code()));
        let line = i16::from(L::LINE.code());
        let rows = self.connections.read(list, values![id(of), line, wanted, at_most(most)]).await?;
        let found = |row: &tokio_postgres::Row| {
            Ok(ProposalLine {
                id: get_id(row, 0)?,
                line: L::LINE,
                partner: of,
                status: status::<L>(get(row, 1)?)?.word(),
                created_at: get_instant(row, 2)?,
                changed_at: get_instant(row, 3)?,
            })
        };
        rows.iter().map(found).collect()
    }

    async fn import_proposals(&self, records: Records<Proposal<L>>) -> Result<ImportEnd, StorageError> {
        self.import::<_, GivenProposals<L>>(records).await
    }
}

#[async_trait]
impl ProposalOwners for Postgres {
    async fn owner_of_proposal(
        &self,
        proposal: ProposalId,
    ) -> Result<Option<(PartnerId, LineOfBusiness)>, StorageError> {
        let read = include_str!("../../sql/proposals/owner_of.sql");
        let found = self.connections.read_one(read, values![id(proposal)]).await?;
        found.map(|row| Ok((get_id(&row, 0)?, get_coded(&row, 1)?))).transpose()
    }
}

/// A piece of an import, as columns of a statement.
struct GivenProposals<L> {
    given: Given<L>,
    statuses: Vec<i16>,
    created_at: Vec<i64>,
    changed_at: Vec<i64>,
    sessions: Vec<Option<Uuid>>,
    quotes: Vec<Uuid>,
    variants: Vec<Uuid>,
    insurer_references: Vec<Option<String>>,
    reasons: Vec<Option<Vec<u8>>>,
    bodies: Vec<Vec<u8>>,
    days: Vec<i32>,
    by: Vec<i16>,
    move_reasons: Vec<Option<Vec<u8>>>,
}

impl<L: StoredLine> Default for GivenProposals<L> {
    fn default() -> Self {
        GivenProposals {
            given: Given::default(),
            statuses: Vec::new(),
            created_at: Vec::new(),
            changed_at: Vec::new(),
            sessions: Vec::new(),
            quotes: Vec::new(),
            variants: Vec::new(),
            insurer_references: Vec::new(),
            reasons: Vec::new(),
            bodies: Vec::new(),
            days: Vec::new(),
            by: Vec::new(),
            move_reasons: Vec::new(),
        }
    }
}

impl<L: StoredLine> Piece<Proposal<L>> for GivenProposals<L> {
    const STATEMENT: &str = include_str!("../../sql/proposals/import.postgres.sql");

    fn add(&mut self, seal: &Arc<Seal>, proposal: &Proposal<L>) -> Result<(), StorageError> {
        let row = Row::of(seal, proposal)?;
        let moves = [imported(proposal)];
        let act = ActRows::of(seal, proposal.partner, proposal.id, ProposalAct::<L>::of(&moves))?;
        let Some(born) = act.moves.into_iter().next() else { return Ok(()) };
        self.given.add(row.of, id_bytes(proposal.id), row.count.kind, row.tags);
        self.statuses.push(row.status);
        self.created_at.push(row.created_at);
        self.changed_at.push(row.changed_at);
        self.sessions.push(row.session.map(id));
        self.quotes.push(uuid(row.quoted.0));
        self.variants.push(uuid(row.quoted.1));
        self.insurer_references.push(row.insurer_reference);
        self.reasons.push(row.reason);
        self.bodies.push(row.body);
        self.days.push(day_number_of(row.count.at));
        self.by.push(born.by);
        self.move_reasons.push(born.reason);
        Ok(())
    }

    fn values(&self) -> Vec<Value<'_>> {
        let records = values![
            self.statuses,
            self.created_at,
            self.changed_at,
            self.sessions,
            self.insurer_references,
            self.reasons,
            self.bodies,
            self.days,
            self.by,
            self.move_reasons,
            self.quotes,
            self.variants,
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
