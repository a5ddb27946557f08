//! Removes records with personal data, and stores legal holds and withdrawn consents.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::health_proposal::ConsentPurpose;
use domain::id::{PartnerId, ProposalId, SessionId, Uuid};
use domain::person::PersonalLine;
use ports::storage::personal_data::{Erasure, Hold, Known, OldRecords, Outdated, Removed, RemovedKind};
use ports::storage::{PersonalData, Result, StorageError};

use super::bound::Bound;
use super::counted::{Count, Counted, Counts};
use super::proof::prove;
use super::session;
use super::tag::TagRow;
use crate::audit::on;
use crate::engine::Engine;
use crate::fields::{Coded, FromRow, RowFields, Value, day_number, first_id_at, values};
use crate::operation::{Guard, Operation, Statement, Stop, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

/// Label with which the reason of a legal hold is encrypted.
const HOLDS: &str = "holds";

/// Rows to delete with a record: each table with an SQL condition. `$1` is the partner, `$2` the record.
pub(crate) type Parts = &'static [(&'static str, &'static str)];

const OF_HEALTH_QUOTE: Parts = &[
    ("health_outcomes", "quote_id = $2"),
    ("jobs", "kind = 0 and subject_id = $2"),
    ("tags", "subject_id = $2"),
    ("health_quotes", "quote_id = $2"),
];

pub(crate) const OF_PROPOSAL: Parts = &[
    ("moves", "proposal_id = $2"),
    ("status_pages", "proposal_id = $2"),
    ("withdrawn_consents", "proposal_id = $2"),
    ("jobs", "kind in (1, 2, 11, 12) and subject_id = $2"),
    ("tags", "subject_id = $2"),
    ("proposals", "proposal_id = $2"),
];

pub(crate) const OF_POLICY: Parts = &[
    (
        "claim_parts",
        "paper_id in (select paper_id from claim_papers where partner_id = $1 and claim_id in \
         (select claim_id from claims where partner_id = $1 and policy_id = $2))",
    ),
    ("claim_papers", "claim_id in (select claim_id from claims where partner_id = $1 and policy_id = $2)"),
    ("claim_moves", "claim_id in (select claim_id from claims where partner_id = $1 and policy_id = $2)"),
    ("claims", "policy_id = $2"),
    ("replaced_certificates", "policy_id = $2"),
    ("insurer_notices", "policy_id = $2"),
    ("policy_moves", "policy_id = $2"),
    ("jobs", "kind = 30 and subject_id = $2"),
    ("tags", "subject_id = $2"),
    ("policies", "policy_id = $2"),
];

/// SQL subquery for the id of the proposal of the policy `$2`.
const ITS_PROPOSAL: &str = "(select proposal_id from policies where partner_id = $1 and policy_id = $2)";

const OF_COMPLAINT: Parts = &[(
    "complaints",
    "complaint_id = $2 and not exists (select 1 from holds where record_id = complaint_id or record_id = policy_id)",
)];

const OF_JOURNEY: Parts = &[("journeys", "journey_id = $2")];

/// Tags of a record.
pub(crate) const TAGS: Parts = &[("tags", "subject_id = $2")];

/// Index hint for SQLite, which would otherwise scan all rows of the partner.
fn hint(table: &str) -> &'static str {
    if table == "tags" { " indexed by tags_by_subject" } else { "" }
}

/// Statements that delete the parts of a record, for SQLite and PostgreSQL. `record` is `$2`, or a subquery
/// that uses `$2`.
fn deletes(parts: Parts, record: &str) -> impl Iterator<Item = [String; 2]> {
    parts.iter().map(move |(table, condition)| {
        let condition = condition.replace("= $2", &format!("= {record}"));
        [hint(table), ""]
            .map(|hint| format!("delete from {table}{hint} where partner_id = $1 and {condition}"))
    })
}

/// Deletes the parts of records. `sets`: partner and id of each record.
pub(crate) fn delete(to: &mut dyn Operation, parts: Parts, record: &str, sets: &Sets) {
    for [sqlite, postgres] in deletes(parts, record) {
        let statement = Statement { sqlite: &sqlite, postgres: &postgres };
        sets.iter().for_each(|values| to.execute(statement, values));
    }
}

/// Values of statements, one set for each record: the partner and the record's id.
type Sets = Vec<Vec<Value<'static>>>;

/// Finds the records in `sets` that can be removed, subtracts them from the counts, and returns them.
/// PostgreSQL locks their rows, so that two processes never subtract a record twice.
async fn uncount(
    to: &mut dyn Operation,
    statement: Statement<'_>,
    sets: &Sets,
    counts: &mut Counts,
) -> Result<Sets, Stop> {
    let row = |row: RowFields<'_>| {
        let (of, session, at, id): (PartnerId, _, _, Uuid) =
            (row.get(0)?, row.get(3)?, row.get(2)?, row.get(4)?);
        Ok((of, Count { kind: row.get::<Counted>(1)?, session, at }, id))
    };
    let found = to.all_of_each(statement, sets, row, false).await?;
    let mut removable = Vec::with_capacity(found.len());
    for (of, count, id) in found {
        counts.remove(of, count);
        removable.push(values![of, id].to_vec());
    }
    Ok(removable)
}

/// Removes records with all rows that belong to them.
async fn remove(to: &mut dyn Operation, records: &[Removed], at: Timestamp) -> Result<(), Stop> {
    let mut counts = Counts::default();
    for kind in RemovedKind::ALL {
        let of_kind = records.iter().filter(|record| record.kind == *kind);
        let sets: Sets = of_kind.map(|record| values![record.of, record.id].to_vec()).collect();
        if sets.is_empty() {
            continue;
        }
        match kind {
            RemovedKind::HealthQuote => {
                let counted = sql!(locked "personal_data/counted_health_quote");
                let sets = uncount(to, counted, &sets, &mut counts).await?;
                delete(to, OF_HEALTH_QUOTE, "$2", &sets);
            }
            RemovedKind::UnsoldProposal => {
                let counted = sql!(locked "personal_data/counted_proposal");
                let sets = uncount(to, counted, &sets, &mut counts).await?;
                note_removed(to, ("proposals", "proposal_id"), "proposal_id", (*kind, at), &sets);
                delete(to, OF_PROPOSAL, "$2", &sets);
            }
            RemovedKind::Policy => {
                let counted = sql!(locked "personal_data/counted_policy");
                let sets = uncount(to, counted, &sets, &mut counts).await?;
                uncount(to, sql!(locked "personal_data/counted_sold_proposal"), &sets, &mut counts).await?;
                uncount(to, sql!(locked "personal_data/counted_claims"), &sets, &mut counts).await?;
                for id in ["policy_id", "proposal_id"] {
                    note_removed(to, ("policies", "policy_id"), id, (*kind, at), &sets);
                }
                delete(to, OF_PROPOSAL, ITS_PROPOSAL, &sets);
                delete(to, OF_POLICY, "$2", &sets);
            }
            RemovedKind::Complaint => delete(to, OF_COMPLAINT, "$2", &sets),
            RemovedKind::Journey => delete(to, OF_JOURNEY, "$2", &sets),
            // Their metadata is overwritten by [`session::Row::overwrite`].
            RemovedKind::Session => delete(to, TAGS, "$2", &sets),
        }
    }
    counts.write(to);
    Ok(())
}

/// Notes in the table `erased_records` that records are removed. `id`: the column whose ids are noted. The
/// ledger may still contain these ids.
fn note_removed(
    to: &mut dyn Operation,
    (table, key): (&str, &str),
    id: &str,
    (kind, at): (RemovedKind, Timestamp),
    sets: &Sets,
) {
    let statement = format!(
        "insert into erased_records (partner_id, record_id, kind, erased_at) \
         select partner_id, {id}, cast($1 as smallint), cast($2 as bigint) from {table} \
         where partner_id = $3 and {key} = $4 and {id} is not null \
         on conflict (partner_id, record_id) do nothing"
    );
    for values in sets {
        let values = [values![kind.code(), at].as_slice(), values].concat();
        to.execute(Statement::of(&statement), &values);
    }
}

fn bound_hold(id: Uuid, record: &str, at: Timestamp, by: &str) -> Bound {
    Bound::of_partner(id.as_bytes())
        .bytes(Some(record.as_bytes()))
        .number(at.as_microsecond())
        .bytes(Some(by.as_bytes()))
}

/// Reads a legal hold from its row, and decrypts its reason.
pub(crate) fn open_hold(row: RowFields<'_>, seal: &Seal) -> Result<Hold> {
    let (id, record, held_at, held_by): (Uuid, String, Timestamp, String) =
        (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let plain = seal.open(HOLDS, bound_hold(id, &record, held_at, &held_by).as_ref(), row.get(4)?)?;
    let reason = String::from_utf8(plain)
        .map_err(|_| StorageError::Damaged("the reason of a legal hold is not UTF-8".into()))?;
    Ok(Hold { record, id, held_at, held_by, reason: PersonalLine::kept(reason) })
}

#[async_trait]
impl PersonalData for Store {
    async fn erase(&self, erasure: &Erasure) -> Result<bool> {
        let change = on("person.erase", erasure.id);
        let mut emptied = Vec::new();
        for record in erasure.records.iter().filter(|record| record.kind == RemovedKind::Session) {
            let (of, id) = (record.of, SessionId::from_uuid(record.id));
            let read =
                self.first(sql!("sessions/read"), values![of, id], |row| row.named("created_at")).await?;
            if let Some(created_at) = read {
                emptied.push(session::Row::emptied(&self.seal, of, id, created_at)?);
            }
        }
        let erased = self.act(change, (erasure.clone(), emptied), |(erasure, emptied), to| {
            Box::pin(async move {
                let noted =
                    to.change(sql!("personal_data/note_erasure"), values![erasure.id, erasure.at]).await?;
                if noted == 0 {
                    return Err(Stop::Guard(Guard::Taken));
                }
                emptied.iter().for_each(|session| session.overwrite(to));
                remove(to, &erasure.records, erasure.at).await
            })
        });
        unless_changed(erased.await)
    }

    async fn erasures_done(&self) -> Result<BTreeSet<Uuid>> {
        let done = self.all(sql!("personal_data/erasures"), values![], |row| row.get(0)).await?;
        Ok(done.into_iter().collect())
    }

    async fn remove_old(&self, records: &[Removed]) -> Result<()> {
        let Some(first) = records.first() else { return Ok(()) };
        let change = on("retention.remove", format!("{} {}", records.len(), first.kind));
        let given = (records.to_vec(), self.seal.now());
        let removed = self
            .act(change, given, |(records, at), to| Box::pin(async move { remove(to, records, *at).await }));
        Ok(removed.await?)
    }

    async fn old_records(
        &self,
        kind: RemovedKind,
        of: PartnerId,
        Outdated { before, day }: Outdated,
        after: Uuid,
        most: usize,
    ) -> Result<OldRecords> {
        let (end, day) = (first_id_at(before), day_number(day));
        let row = |row: RowFields<'_>| Ok((row.get::<Uuid>(0)?, row.get::<bool>(1)?));
        let by_time = values![before, of, after, end, most];
        let looked = match kind {
            RemovedKind::HealthQuote => self.all(sql!("personal_data/old_health_quotes"), by_time, row).await,
            RemovedKind::UnsoldProposal => self.all(sql!("personal_data/old_proposals"), by_time, row).await,
            RemovedKind::Policy => {
                let values = values![day, before, of, after, end, most];
                self.all(sql!("personal_data/old_policies"), values, row).await
            }
            RemovedKind::Complaint => {
                let values = values![day, of, after, end, most];
                self.all(sql!("personal_data/old_complaints"), values, row).await
            }
            // Journeys are removed a day after the customer was last seen, so none are listed here.
            RemovedKind::Journey | RemovedKind::Session => Ok(Vec::new()),
        }?;
        let next = looked.last().filter(|_| looked.len() == most).map(|(id, _)| *id);
        Ok(OldRecords {
            records: looked.into_iter().filter(|(_, can)| *can).map(|(id, _)| id).collect(),
            next,
        })
    }

    async fn settle_removals(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.cut_log().await,
            Engine::Postgres(_) => Ok(()),
        }
    }

    async fn hold(&self, hold: &Hold) -> Result<bool> {
        let Hold { record, id, held_at, held_by, reason } = hold;
        let bound = bound_hold(*id, record, *held_at, held_by);
        let reason = self.seal.seal(HOLDS, bound.as_ref(), reason.reveal().as_bytes())?;
        let values = values![id, record, held_at, held_by, reason];
        self.change(on("hold.set", record), sql!("personal_data/hold"), values).await
    }

    async fn release(&self, record: &str, id: Uuid) -> Result<bool> {
        self.change(on("hold.release", record), sql!("personal_data/release"), values![id]).await
    }

    async fn holds(&self) -> Result<Vec<Hold>> {
        self.all(sql!("personal_data/holds"), values![], |row| open_hold(row, &self.seal)).await
    }

    async fn withdraw_consent(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        purpose: ConsentPurpose,
        at: Timestamp,
    ) -> Result<bool> {
        let bound = Bound::of(values![of, proposal, purpose, at]);
        let proof = prove(&self.seal, "withdrawn_consents", &bound, None)?;
        let values = values![of, proposal, purpose, at, proof];
        self.change(on("consent.withdraw", proposal), sql!("personal_data/withdraw_consent"), values).await
    }

    async fn withdrawn_consents(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<(ConsentPurpose, Timestamp)>> {
        let row = FromRow::columns;
        self.all(sql!("personal_data/withdrawn_consents"), values![of, proposal], row).await
    }

    async fn known_persons(
        &self,
        of: PartnerId,
        (from, until): (Timestamp, Timestamp),
        after: (Uuid, Uuid),
        most: usize,
    ) -> Result<(Vec<Known>, Option<(Uuid, Uuid)>)> {
        let values = values![of, first_id_at(from), first_id_at(until), after.0, after.1, most];
        let row = |row: RowFields<'_>| {
            let row = TagRow::columns(row)?;
            let (kind, by) = row.identifier(&self.seal)?;
            let id = Uuid::from_bytes(row.subject);
            Ok((Known { of, kind, id, by }, (id, Uuid::from_bytes(row.tag))))
        };
        let found = self.all(sql!("personal_data/known_persons"), values, row).await?;
        let next = found.last().filter(|_| found.len() == most).map(|(_, place)| *place);
        Ok((found.into_iter().map(|(known, _)| known).collect(), next))
    }
}

#[cfg(test)]
mod tests {
    use domain::line::LineOfBusiness;
    use ports::storage::jobs::JobKind;
    use rusqlite::Connection;

    use super::*;
    use crate::migrations::on_sqlite;

    #[test]
    fn no_removal_statement_scans_all_records_of_a_partner() {
        let store = Connection::open_in_memory().expect("a store");
        for migration in on_sqlite() {
            store.execute_batch(migration.statements).expect(migration.name);
        }
        let all = [
            (OF_HEALTH_QUOTE, "$2"),
            (OF_PROPOSAL, "$2"),
            (OF_PROPOSAL, ITS_PROPOSAL),
            (OF_POLICY, "$2"),
            (OF_COMPLAINT, "$2"),
            (OF_JOURNEY, "$2"),
        ];
        for [statement, _] in all.iter().flat_map(|(parts, record)| deletes(parts, record)) {
            let mut plan = store.prepare(&format!("explain query plan {statement}")).expect(&statement);
            let steps = plan.query_map(["", ""], |row| row.get::<_, String>(3)).expect("steps");
            for step in steps.map(Result::unwrap_or_default) {
                let is_whole = step.contains("SCAN") || step.ends_with("(partner_id=?)");
                assert!(!is_whole, "{statement}: {step}");
            }
        }
    }

    #[test]
    fn the_job_kinds_of_removed_records_have_the_codes_in_the_sql() {
        let code = |kind: JobKind| kind.code();
        let of_lines = |kind: fn(LineOfBusiness) -> JobKind| {
            LineOfBusiness::ALL.iter().map(move |line| code(kind(*line)))
        };
        let of_proposal: Vec<u8> = of_lines(JobKind::Decision).chain(of_lines(JobKind::Premium)).collect();
        assert_eq!((code(JobKind::Recommendation), &of_proposal[..]), (0, &[1, 2, 11, 12][..]));
        assert_eq!(code(JobKind::Notice), 30);
    }
}
