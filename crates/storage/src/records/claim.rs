//! Database rows of claims, of their documents, and of the parts of documents.

use crate::records::row::{ToRow, row};
use std::borrow::Cow;

use async_trait::async_trait;
use domain::claim::{Claim, ClaimDocument, ClaimState};
use domain::date::{Date, Timestamp};
use domain::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId, SessionId};
use domain::line::LineOfBusiness;
use domain::proposal::Move;
use ports::storage::claims::{ClaimAct, PaperUsage};
use ports::storage::lists::{ListStart, Page, Selection};
use ports::storage::{ClaimPapers, Claims, Identified, Result, StorageError};

use super::bound::Bound;
use super::counted::{Count, Counted, count};
use super::id_bytes;
use super::list::List;
use super::moves::StateMoveRow;
use super::tag::{self, TagRow};
use crate::audit::{UPKEEP, on};
use crate::body::{ClaimBody, PaperBody, decode, encode};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Guard, Operation, Statement, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const TABLE: &str = "claims";
/// Table of a claim's moves (status changes), and the label with which their reasons are encrypted.
pub(crate) const MOVES: &str = "claim_moves";
const PAPERS: &str = "claim_papers";
const PARTS: &str = "claim_parts";

row! {
    /// Claim as stored in its row.
    Row in "claims/keep" {
        partner_id: PartnerId,
        claim_id: ClaimId,
        created_at: Timestamp,
        policy_id: PolicyId,
        line: LineOfBusiness,
        session_id: Option<SessionId>,
        state: ClaimState,
        changed_at: Timestamp,
        version: u32,
        settle_by: Date,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, claim: &Claim) -> Result<Self> {
        let mut row = Row {
            partner_id: claim.partner,
            claim_id: claim.id,
            created_at: claim.created_at,
            policy_id: claim.policy,
            line: claim.line,
            session_id: claim.session,
            state: claim.state,
            changed_at: claim.changed_at,
            version: claim.version,
            settle_by: claim.settle_by(),
            body: Vec::new(),
        };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&ClaimBody::of(claim)))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Claim> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        let body: ClaimBody<'_> = decode(&body)?;
        Ok(Claim {
            id: self.claim_id,
            partner: self.partner_id,
            policy: self.policy_id,
            line: self.line,
            session: self.session_id,
            created_at: self.created_at,
            notice: body.notice.into_owned(),
            member_name: body.member_name.into_owned(),
            state: self.state,
            changed_at: self.changed_at,
            version: self.version,
            wanted: body.wanted.into_owned(),
            clocks: body.clocks,
            investigated: body.investigated,
            approved: body.approved,
            paid: body.paid.map(Cow::into_owned),
            waived: body.waived.map(Cow::into_owned).unwrap_or_default(),
            asked: body.asked.map(Cow::into_owned),
            deducted: body.deducted,
            transfers: body.transfers.map(Cow::into_owned).unwrap_or_default(),
            reference: body.reference.map(Cow::into_owned),
        })
    }
}

/// All rows that are written together with a claim's row.
pub(crate) struct ActRows {
    claim: Row,
    moves: Vec<StateMoveRow>,
    /// Tags of the policy by which the claimant is found, if the claim is new.
    tags: Vec<TagRow>,
    /// What the claim adds to the counts. `None` if the claim is not new.
    count: Option<Count>,
}

impl ActRows {
    pub(crate) fn of(seal: &Seal, ClaimAct { claim, is_new, moves }: ClaimAct<'_>) -> Result<Self> {
        let (session, at) = (claim.session, claim.created_at);
        Ok(ActRows {
            claim: Row::of(seal, claim)?,
            moves: StateMoveRow::all(seal, MOVES, claim.partner, claim.id, moves)?,
            tags: if is_new { tags(seal, claim)? } else { Vec::new() },
            count: is_new.then_some(Count { kind: Counted::Claims, session, at }),
        })
    }
}

row! {
    /// Claim document as stored in its row.
    PaperRow in "claim_papers/begin" {
        partner_id: PartnerId,
        paper_id: ClaimDocumentId,
        claim_id: ClaimId,
        added_at: Timestamp,
        bytes: u64,
        /// Whether all parts of the document are stored.
        is_whole: bool,
    } free {
        body: Vec<u8>,
    }
}

impl PaperRow {
    pub(crate) fn of(seal: &Seal, of: PartnerId, paper: &ClaimDocument, is_whole: bool) -> Result<Self> {
        let ClaimDocument { id: paper_id, claim: claim_id, added_at, bytes, media, hash, .. } = *paper;
        let mut row =
            PaperRow { partner_id: of, paper_id, claim_id, added_at, bytes, is_whole, body: Vec::new() };
        let body = PaperBody { paper: paper.paper.clone(), media, hash };
        row.body = seal.seal(PAPERS, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<ClaimDocument> {
        let body = seal.open(PAPERS, &self.bound(), &self.body)?;
        let PaperBody { paper, media, hash } = decode(&body)?;
        let PaperRow { paper_id: id, claim_id: claim, added_at, bytes, .. } = self;
        Ok(ClaimDocument { id, claim, added_at, paper, media, bytes, hash })
    }
}

/// Columns to which an encrypted part of a claim document is bound, so that a change of a column is detected.
fn part_bound(of: PartnerId, paper: ClaimDocumentId, number: u32) -> Bound {
    Bound::row(of, &id_bytes(paper)).number(number)
}

pub(crate) fn seal_part(
    seal: &Seal,
    of: PartnerId,
    paper: ClaimDocumentId,
    number: u32,
    bytes: &[u8],
) -> Result<Vec<u8>> {
    seal.seal(PARTS, part_bound(of, paper, number).as_ref(), bytes)
}

pub(crate) fn open_part(
    seal: &Seal,
    of: PartnerId,
    paper: ClaimDocumentId,
    number: u32,
    sealed: &[u8],
) -> Result<Vec<u8>> {
    seal.open(PARTS, part_bound(of, paper, number).as_ref(), sealed)
}

/// Writes a claim with its moves (status changes), and counts the claim if it is new. The caller has already
/// changed the claim's policy, which fails if another request changed it. The previous version of the program
/// changes only the claim.
pub(crate) fn keep(to: &mut dyn Operation, ActRows { claim, moves, tags, count: counted }: &ActRows) {
    to.require(sql!("claims/keep"), &claim.values(), Guard::Version);
    for made in moves {
        made.add(to, sql!("claim_moves/add"));
    }
    tag::add_once(to, tags);
    count(to, claim.partner_id, counted.as_slice());
}

/// Tags of a claim's policy by which its claimant is found.
pub(crate) fn tags(seal: &Seal, claim: &Claim) -> Result<Vec<TagRow>> {
    let (of, policy) = (claim.partner, id_bytes(claim.policy));
    TagRow::all(seal, of, Identified::Policy, policy, &claim.notice.claimant.identifiers())
}

/// Removes an unfinished document of a claim, then its parts. The document's row comes first, because it
/// shows whether the document was finished meanwhile.
fn drop_paper(to: &mut dyn Operation, of: PartnerId, paper: ClaimDocumentId) {
    to.execute(sql!("claim_papers/drop"), values![of, paper]);
    to.execute(sql!("claim_parts/drop"), values![of, paper]);
}

#[async_trait]
impl Claims for Store {
    async fn claim(&self, of: PartnerId, id: ClaimId) -> Result<Option<Claim>> {
        self.first(sql!("claims/read"), values![of, id], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn claims(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Claim>> {
        let page: Page<Row> = self.page(&List::claims(), of, which, start, most).await?;
        page.try_map(|found| found.open(&self.seal))
    }

    async fn count_claims_since(&self, of: PartnerId, since: Timestamp) -> Result<u64> {
        self.number(sql!("claims/count_since"), values![of, since]).await
    }

    async fn claims_on(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Claim>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.all(sql!("claims/of_policy"), values![of, policy], open).await
    }

    async fn owner_of_claim(&self, claim: ClaimId) -> Result<Option<PartnerId>> {
        self.first(sql!("claims/owner_of"), values![claim], |row| row.get(0)).await
    }

    async fn open_claims(&self, most: usize) -> Result<Vec<Claim>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.all(sql!("claims/open"), values![most], open).await
    }

    async fn claim_history(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<Move<ClaimState>>> {
        let open = |row: RowFields<'_>| StateMoveRow::columns(row)?.open(&self.seal, MOVES);
        self.all(sql!("claim_moves/list"), values![of, claim], open).await
    }
}

#[async_trait]
impl ClaimPapers for Store {
    async fn begin_paper(&self, of: PartnerId, paper: &ClaimDocument) -> Result<()> {
        let row = PaperRow::of(&self.seal, of, paper, false)?;
        self.write(sql!("claim_papers/begin"), &row.values()).await.map(|_| ())
    }

    async fn add_part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32, bytes: &[u8]) -> Result<()> {
        let sealed = seal_part(&self.seal, of, paper, number, bytes)?;
        let values = values![of, paper, number, sealed];
        self.engine.write(sql!("claim_parts/add"), values, true).await.map(|_| ())
    }

    async fn finish_paper(&self, of: PartnerId, paper: &ClaimDocument, most: u64) -> Result<bool> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let finished = self.act(
            on("claim_paper.keep", paper.id),
            (of, PaperRow::of(&self.seal, of, paper, true)?, most),
            |(of, row, most), to| {
                Box::pin(async move {
                    let room = values![row.bytes, of, row.claim_id, most];
                    to.require(sql!("claims/add_paper"), room, Guard::Version);
                    let whole = values![row.bytes, row.body, of, row.paper_id];
                    to.require(sql!("claim_papers/finish"), whole, Guard::Version);
                    Ok(())
                })
            },
        );
        unless_changed(finished.await)
    }

    async fn paper_usage(
        &self,
        of: PartnerId,
        claim: ClaimId,
        policy: PolicyId,
        since: Timestamp,
    ) -> Result<PaperUsage> {
        let usage = |row: RowFields<'_>| {
            Ok(PaperUsage {
                papers_of_claim: row.get(0)?,
                bytes_of_claim: row.get(1)?,
                bytes_of_policy: row.get(2)?,
                papers_of_day: row.get(3)?,
                bytes_of_day: row.get(4)?,
            })
        };
        let found = self.first(sql!("claim_papers/usage"), values![of, claim, policy, since], usage).await?;
        found.ok_or_else(|| StorageError::Damaged("counting a claim's documents returned no row".into()))
    }

    async fn drop_paper(&self, of: PartnerId, paper: ClaimDocumentId) -> Result<()> {
        let dropped = self.act(UPKEEP, (of, paper), |(of, paper), to| {
            Box::pin(async move {
                drop_paper(to, *of, *paper);
                Ok(())
            })
        });
        Ok(dropped.await?)
    }

    async fn forget_unfinished_papers(&self, before: Timestamp, most: usize) -> Result<usize> {
        let unfinished: Statement<'_> = sql!(by engine "claim_papers/unfinished");
        let found: Vec<(PartnerId, ClaimDocumentId)> =
            self.all(unfinished, values![before, most], FromRow::columns).await?;
        let number = found.len();
        let dropped = self.act(UPKEEP, found, |found, to| {
            Box::pin(async move {
                found.iter().for_each(|(of, paper)| drop_paper(to, *of, *paper));
                Ok(())
            })
        });
        dropped.await?;
        Ok(number)
    }

    async fn papers(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<ClaimDocument>> {
        let open = |row: RowFields<'_>| PaperRow::columns(row)?.open(&self.seal);
        self.all(sql!("claim_papers/list"), values![of, claim], open).await
    }

    async fn paper(
        &self,
        of: PartnerId,
        claim: ClaimId,
        id: ClaimDocumentId,
    ) -> Result<Option<ClaimDocument>> {
        let open = |row: RowFields<'_>| PaperRow::columns(row)?.open(&self.seal);
        self.first(sql!("claim_papers/read"), values![of, id, claim], open).await
    }

    async fn part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32) -> Result<Option<Vec<u8>>> {
        let open = |row: RowFields<'_>| open_part(&self.seal, of, paper, number, row.get(0)?);
        self.first(sql!("claim_parts/read"), values![of, paper, number], open).await
    }
}
