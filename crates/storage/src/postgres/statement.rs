//! Statements with their files, and insurers' answers to them.

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, StatementId, Uuid};
use domain::policy_state::PolicyState;
use domain::quote::CatalogueHash;
use domain::statement::{Month, Statement};
use service::storage::policies::AnyPolicy;
use service::storage::statements::{
    AnswerKept, ClosedMonth, CommissionPosting, MonthBegun, MonthRun, PartPosition, PolicyEndorsed,
    PolicyMoved, RowAnswer,
};
use service::storage::{NewEvent, Statements, StorageError};

use super::Postgres;
use super::column::{Value, get, get_id, get_instant, id, most as at_most, uuid, values};
use super::transaction::Transaction;
use super::{event, ledger};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows::event::EventRow;
use crate::rows::premium::LedgerRow;
use crate::rows::statement::{AnswerRow, NumberedRow, Row, file_code, open_part, owner, seal_part};

/// Longest time for the parts of a run that was killed to be removed.
const CLEARED_WITHIN: Duration = Duration::from_secs(600);

/// Keeps an answer with the policies that got numbers. `false`: a row was answered before, or a policy was changed.
async fn keep_answer(
    within: &Transaction,
    statement: StatementId,
    answers: &[AnswerRow],
    numbered: &[NumberedRow],
) -> Result<bool, StorageError> {
    let policies: Vec<Uuid> = answers.iter().map(|answer| uuid(answer.policy)).collect();
    let kinds: Vec<i16> = answers.iter().map(|answer| answer.kind).collect();
    let nth: Vec<i16> = answers.iter().map(|answer| answer.nth).collect();
    let answered_at: Vec<i64> = answers.iter().map(|answer| answer.answered_at).collect();
    let accepted: Vec<bool> = answers.iter().map(|answer| answer.accepted).collect();
    let bodies: Vec<&[u8]> = answers.iter().map(|answer| answer.body.as_slice()).collect();
    let add = include_str!("../../sql/statement_answers/add.postgres.sql");
    let (nobody, statement) = (id(owner(None)), id(statement));
    let values = values![nobody, statement, policies, kinds, nth, answered_at, accepted, bodies];
    if within.execute(add, values).await?.rows.len() < answers.len() {
        return Ok(false);
    }
    let of: Vec<Uuid> = numbered.iter().map(|row| id(row.of)).collect();
    let policies: Vec<Uuid> = numbered.iter().map(|row| uuid(row.id)).collect();
    let numbers: Vec<Option<&str>> = numbered.iter().map(|row| row.number.as_deref()).collect();
    let bodies: Vec<&[u8]> = numbered.iter().map(|row| row.body.as_slice()).collect();
    let before: Vec<i32> = numbered.iter().map(|row| row.before as i32).collect();
    let number = include_str!("../../sql/policies/number.postgres.sql");
    let changed = within.execute(number, values![of, policies, numbers, bodies, before]).await?;
    Ok(changed.rows.len() == numbered.len())
}

impl Postgres {
    /// How a month was closed, by its number.
    async fn closed(&self, month: i32) -> Result<Option<ClosedMonth>, StorageError> {
        let read = include_str!("../../sql/statement_months/read.sql");
        let found = self.connections.read_one(read, values![month]).await?;
        let columns = |row: tokio_postgres::Row| {
            let hash = get::<&[u8]>(&row, 1)?.try_into();
            let hash = hash.map_err(|_| StorageError::Damaged("a catalogue's hash has 32 bytes".into()))?;
            Ok(ClosedMonth { at: get_instant(&row, 0)?, catalogue: CatalogueHash(hash) })
        };
        found.map(columns).transpose()
    }

    /// The statements that a statement of SQL finds.
    async fn found_statements(
        &self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<Statement>, StorageError> {
        let rows = self.connections.read(sql, values).await?;
        rows.iter().map(|row| Row::columns(Fields::of(row))?.open(&self.seal)).collect()
    }
}

#[async_trait]
impl Statements for Postgres {
    async fn begin_month(&self, run: MonthRun, at: Timestamp) -> Result<MonthBegun, StorageError> {
        let month = run.month.number();
        // A run that was killed may have left a million rows' parts.
        let within = Transaction::begin_patient(&self.connections, CLEARED_WITHIN).await?;
        let begin = include_str!("../../sql/statement_months/begin.postgres.sql");
        let (run, at) = (Uuid::from_u128(run.number), at.as_microsecond());
        let values = values![month, run, at];
        if within.execute(begin, values).await?.changed > 0 {
            let drop = include_str!("../../sql/statement_parts/drop_of_month.sql");
            within.execute(drop, values![month]).await?;
            within.commit().await?;
            return Ok(MonthBegun::Begun);
        }
        within.undo().await?;
        Ok(MonthBegun::Closed(self.closed(month).await?.map_or(Timestamp::default(), |closed| closed.at)))
    }

    async fn month_closed(&self, month: Month) -> Result<Option<ClosedMonth>, StorageError> {
        self.closed(month.number()).await
    }

    async fn add_statement_part(
        &self,
        run: MonthRun,
        part: PartPosition,
        bytes: &[u8],
    ) -> Result<bool, StorageError> {
        let sealed = seal_part(&self.seal, part, bytes)?;
        let add = include_str!("../../sql/statement_parts/add.postgres.sql");
        let (of, statement) = (id(owner(part.of)), id(part.statement));
        let (file, number) = (file_code(part.file), part.number as i32);
        let (month, run) = (run.month.number(), Uuid::from_u128(run.number));
        let values = values![of, statement, file, number, sealed, month, run];
        Ok(self.connections.write(add, values).await?.changed > 0)
    }

    async fn close_month(
        &self,
        run: MonthRun,
        catalogue: CatalogueHash,
        statements: &[Statement],
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        let rows: Vec<Row> =
            statements.iter().map(|statement| Row::of(&self.seal, statement)).collect::<Result<_, _>>()?;
        let postings = LedgerRow::of_commissions(postings, at);
        let events = EventRow::of_partners(&self.seal, events)?;
        let within = Transaction::begin(&self.connections).await?;
        let close = include_str!("../../sql/statement_months/close.sql");
        let (closed_at, month, run) = (at.as_microsecond(), run.month.number(), Uuid::from_u128(run.number));
        let catalogue = &catalogue.0[..];
        if within.execute(close, values![closed_at, catalogue, month, run]).await?.changed == 0 {
            within.undo().await?;
            return Ok(false);
        }
        for row in &rows {
            let add = include_str!("../../sql/statements/add.sql");
            let (of, statement, made_at) = (id(row.of), id(row.id), row.made_at.as_microsecond());
            let values = values![of, statement, row.month, row.kind, row.number, made_at, row.body];
            within.execute(add, values).await?;
        }
        ledger::post(&within, &postings).await?;
        event::note(&within, &events).await?;
        within.commit().await?;
        Ok(true)
    }

    async fn statements_of_months(
        &self,
        first: Month,
        last: Month,
        most: usize,
    ) -> Result<Vec<Statement>, StorageError> {
        let list = include_str!("../../sql/statements/of_months.sql");
        self.found_statements(list, values![first.number(), last.number(), at_most(most)]).await
    }

    async fn statements_of(&self, of: PartnerId, most: usize) -> Result<Vec<Statement>, StorageError> {
        let list = include_str!("../../sql/statements/of_partner.sql");
        self.found_statements(list, values![id(of), at_most(most)]).await
    }

    async fn statement(
        &self,
        of: PartnerId,
        statement: StatementId,
    ) -> Result<Option<Statement>, StorageError> {
        let read = include_str!("../../sql/statements/read.sql");
        Ok(self.found_statements(read, values![id(of), id(statement)]).await?.pop())
    }

    async fn statement_numbered(&self, number: &str) -> Result<Option<Statement>, StorageError> {
        // Text here holds any character but this one, so that no number has it.
        if number.contains('\0') {
            return Ok(None);
        }
        let read = include_str!("../../sql/statements/numbered.sql");
        Ok(self.found_statements(read, values![number]).await?.pop())
    }

    async fn pay_statement(
        &self,
        paid: &Statement,
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, paid)?;
        let postings = LedgerRow::of_commissions(postings, at);
        let events = EventRow::of_partners(&self.seal, events)?;
        let within = Transaction::begin(&self.connections).await?;
        let pay = include_str!("../../sql/statements/pay.sql");
        let (of, statement) = (id(row.of), id(row.id));
        if within.execute(pay, values![row.paid_at, row.body, of, statement]).await?.changed == 0 {
            within.undo().await?;
            return Ok(false);
        }
        ledger::post(&within, &postings).await?;
        event::note(&within, &events).await?;
        within.commit().await?;
        Ok(true)
    }

    async fn statement_part(&self, part: PartPosition) -> Result<Option<Vec<u8>>, StorageError> {
        let read = include_str!("../../sql/statement_parts/read.sql");
        let (of, statement) = (id(owner(part.of)), id(part.statement));
        let (file, number) = (file_code(part.file), part.number as i32);
        let values = values![of, statement, file, number];
        let found = self.connections.read_one(read, values).await?;
        found.map(|row| open_part(&self.seal, part, get::<&[u8]>(&row, 0)?)).transpose()
    }

    async fn add_test_statement(
        &self,
        statement: &Statement,
        parts: &[(PartPosition, Vec<u8>)],
        event: (PartnerId, NewEvent),
    ) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, statement)?;
        let events = EventRow::of_partners(&self.seal, &[event])?;
        let within = Transaction::begin(&self.connections).await?;
        let add = include_str!("../../sql/statements/add_once.sql");
        let (of, statement, made_at) = (id(row.of), id(row.id), row.made_at.as_microsecond());
        let values = values![of, statement, row.month, row.kind, row.number, made_at, row.body];
        if within.execute(add, values).await?.changed == 0 {
            within.undo().await?;
            return Ok(false);
        }
        for (part, bytes) in parts {
            let sealed = seal_part(&self.seal, *part, bytes)?;
            let add = include_str!("../../sql/statement_parts/add_of_test.sql");
            let (file, number) = (file_code(part.file), part.number as i32);
            within.execute(add, values![of, statement, file, number, sealed]).await?;
        }
        event::note(&within, &events).await?;
        within.commit().await?;
        Ok(true)
    }

    async fn policies_moved(
        &self,
        to: PolicyState,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyMoved>,
        most: usize,
    ) -> Result<Vec<PolicyMoved>, StorageError> {
        let list = include_str!("../../sql/policy_moves/moved.sql");
        // Behind every move of the microsecond before.
        let (at, partner, policy) = match after {
            Some(moved) => (moved.at.as_microsecond(), id(moved.partner), id(moved.policy)),
            None => (within.0.as_microsecond() - 1, Uuid::max(), Uuid::max()),
        };
        let (state, over) = (i16::from(to.code()), within.1.as_microsecond());
        let rows = self
            .connections
            .read(list, values![state, over, at, partner, policy, of.map(id), at_most(most)])
            .await?;
        let moved = |row: &tokio_postgres::Row| {
            Ok(PolicyMoved { at: get_instant(row, 0)?, partner: get_id(row, 1)?, policy: get_id(row, 2)? })
        };
        rows.iter().map(moved).collect()
    }

    async fn policies_endorsed(
        &self,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyEndorsed>,
        most: usize,
    ) -> Result<Vec<PolicyEndorsed>, StorageError> {
        let list = include_str!("../../sql/replaced_certificates/replaced.sql");
        // Behind everything of the microsecond before.
        let (at, partner, policy, nth) = match after {
            Some(PolicyEndorsed { moved, nth }) => {
                (moved.at.as_microsecond(), id(moved.partner), id(moved.policy), i32::from(nth))
            }
            None => (within.0.as_microsecond() - 1, Uuid::max(), Uuid::max(), i32::MAX),
        };
        let over = within.1.as_microsecond();
        let rows = self
            .connections
            .read(list, values![over, at, partner, policy, nth, of.map(id), at_most(most)])
            .await?;
        let endorsed = |row: &tokio_postgres::Row| {
            let moved =
                PolicyMoved { at: get_instant(row, 0)?, partner: get_id(row, 1)?, policy: get_id(row, 2)? };
            let nth = u16::try_from(get::<i32>(row, 3)?).unwrap_or(u16::MAX);
            Ok(PolicyEndorsed { moved, nth })
        };
        rows.iter().map(endorsed).collect()
    }

    async fn keep_answer(
        &self,
        statement: StatementId,
        answers: &[RowAnswer],
        numbered: &[AnyPolicy],
        at: Timestamp,
    ) -> Result<AnswerKept, StorageError> {
        let row = |answer| AnswerRow::of(&self.seal, statement, answer, at);
        let answers: Vec<AnswerRow> = answers.iter().map(row).collect::<Result<_, _>>()?;
        let numbered: Vec<NumberedRow> =
            numbered.iter().map(|policy| NumberedRow::of(&self.seal, policy)).collect::<Result<_, _>>()?;
        let within = Transaction::begin(&self.connections).await?;
        Ok(match keep_answer(&within, statement, &answers, &numbered).await? {
            true => within.commit().await.map(|()| AnswerKept::Done)?,
            false => within.undo().await.map(|()| AnswerKept::Lost)?,
        })
    }

    async fn answers(&self, statement: StatementId) -> Result<Vec<RowAnswer>, StorageError> {
        let list = include_str!("../../sql/statement_answers/list.sql");
        let rows = self.connections.read(list, values![id(owner(None)), id(statement)]).await?;
        let open = |row: &tokio_postgres::Row| {
            let answer = AnswerRow {
                policy: get::<Uuid>(row, 0)?.into_bytes(),
                kind: get(row, 1)?,
                nth: get(row, 2)?,
                answered_at: get(row, 3)?,
                accepted: get(row, 4)?,
                body: get(row, 5)?,
            };
            answer.open(&self.seal, statement)
        };
        rows.iter().map(open).collect()
    }
}
