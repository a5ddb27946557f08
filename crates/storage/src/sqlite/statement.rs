//! Statements with their files, and insurers' answers to them.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, StatementId};
use domain::policy_state::PolicyState;
use domain::quote::CatalogueHash;
use domain::statement::{Month, Statement};
use rusqlite::{Connection, OptionalExtension, Params, params};
use service::storage::policies::AnyPolicy;
use service::storage::statements::{
    AnswerKept, ClosedMonth, CommissionPosting, MonthBegun, MonthRun, PartPosition, PolicyEndorsed,
    PolicyMoved, RowAnswer,
};
use service::storage::{NewEvent, Statements, StorageError};

use super::row::{by, fault, id, instant};
use super::writer::Act;
use super::{Sqlite, event, ledger};
use crate::codes::Coded;
use crate::rows::event::EventRow;
use crate::rows::id_bytes;
use crate::rows::premium::LedgerRow;
use crate::rows::statement::{AnswerRow, NumberedRow, Row, file_code, open_part, owner, seal_part};

/// Executes a statement; how many rows it changed.
fn execute(to: &Connection, statement: &str, values: impl Params) -> Result<usize, StorageError> {
    to.prepare_cached(statement).and_then(|mut statement| statement.execute(values)).map_err(fault)
}

/// How a month was closed, by its number.
fn closed(from: &Connection, month: i32) -> Result<Option<ClosedMonth>, StorageError> {
    let read = include_str!("../../sql/statement_months/read.sql");
    let mut read = from.prepare_cached(read).map_err(fault)?;
    let columns = |row: &rusqlite::Row<'_>| {
        Ok(ClosedMonth { at: instant(row, 0)?, catalogue: CatalogueHash(row.get(1)?) })
    };
    read.query_row(params![month], columns).optional().map_err(fault)
}

/// Keeps an answer with the policies that got numbers.
fn keep_answer(
    to: &Connection,
    statement: StatementId,
    answers: &[AnswerRow],
    numbered: &[NumberedRow],
) -> Result<Act<AnswerKept>, StorageError> {
    let (of, statement) = (id_bytes(owner(None)), id_bytes(statement));
    for answer in answers {
        let add = include_str!("../../sql/statement_answers/add.sqlite.sql");
        let AnswerRow { policy, kind, nth, answered_at, accepted, body } = answer;
        if execute(to, add, params![of, statement, policy, kind, nth, answered_at, accepted, body])? == 0 {
            return Ok(Act::Undo(AnswerKept::Lost));
        }
    }
    for NumberedRow { of, id, number, body, before } in numbered {
        let update = include_str!("../../sql/policies/number.sqlite.sql");
        if execute(to, update, params![number, body, id_bytes(*of), id, before])? == 0 {
            return Ok(Act::Undo(AnswerKept::Lost));
        }
    }
    Ok(Act::Keep(AnswerKept::Done))
}

impl Sqlite {
    /// The statements that a statement of SQL finds.
    fn found_statements(&self, sql: &str, values: impl Params) -> Result<Vec<Statement>, StorageError> {
        self.readers.read(|from| {
            let mut list = from.prepare_cached(sql).map_err(fault)?;
            let found = list.query_map(values, by(Row::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal)).collect()
        })
    }
}

#[async_trait]
impl Statements for Sqlite {
    async fn begin_month(&self, run: MonthRun, at: Timestamp) -> Result<MonthBegun, StorageError> {
        let (month, at) = (run.month.number(), at.as_microsecond());
        self.writer
            .keep(move |to| {
                let begin = include_str!("../../sql/statement_months/begin.sqlite.sql");
                if execute(to, begin, params![month, run.number.to_be_bytes(), at])? > 0 {
                    execute(to, include_str!("../../sql/statement_parts/drop_of_month.sql"), params![month])?;
                    return Ok(MonthBegun::Begun);
                }
                Ok(MonthBegun::Closed(closed(to, month)?.map_or(Timestamp::default(), |closed| closed.at)))
            })
            .await
    }

    async fn add_statement_part(
        &self,
        run: MonthRun,
        part: PartPosition,
        bytes: &[u8],
    ) -> Result<bool, StorageError> {
        let sealed = seal_part(&self.seal, part, bytes)?;
        self.writer
            .keep(move |to| {
                let add = include_str!("../../sql/statement_parts/add.sqlite.sql");
                let values = params![
                    id_bytes(owner(part.of)),
                    id_bytes(part.statement),
                    file_code(part.file),
                    part.number,
                    sealed,
                    run.month.number(),
                    run.number.to_be_bytes()
                ];
                Ok(execute(to, add, values)? > 0)
            })
            .await
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
        self.writer
            .decide(move |to| {
                let close = include_str!("../../sql/statement_months/close.sql");
                let (closed, number) = (at.as_microsecond(), run.number.to_be_bytes());
                if execute(to, close, params![closed, catalogue.0, run.month.number(), number])? == 0 {
                    return Ok(Act::Undo(false));
                }
                for row in &rows {
                    let add = include_str!("../../sql/statements/add.sql");
                    let (of, made_at) = (id_bytes(row.of), row.made_at.as_microsecond());
                    let values =
                        params![of, id_bytes(row.id), row.month, row.kind, row.number, made_at, row.body];
                    execute(to, add, values)?;
                }
                ledger::post(to, &postings)?;
                event::note(to, &events)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn month_closed(&self, month: Month) -> Result<Option<ClosedMonth>, StorageError> {
        self.readers.read(|from| closed(from, month.number()))
    }

    async fn statements_of_months(
        &self,
        first: Month,
        last: Month,
        most: usize,
    ) -> Result<Vec<Statement>, StorageError> {
        let list = include_str!("../../sql/statements/of_months.sql");
        self.found_statements(list, params![first.number(), last.number(), most as i64])
    }

    async fn statements_of(&self, of: PartnerId, most: usize) -> Result<Vec<Statement>, StorageError> {
        let list = include_str!("../../sql/statements/of_partner.sql");
        self.found_statements(list, params![id_bytes(of), most as i64])
    }

    async fn statement(&self, of: PartnerId, id: StatementId) -> Result<Option<Statement>, StorageError> {
        let read = include_str!("../../sql/statements/read.sql");
        Ok(self.found_statements(read, params![id_bytes(of), id_bytes(id)])?.pop())
    }

    async fn statement_numbered(&self, number: &str) -> Result<Option<Statement>, StorageError> {
        let read = include_str!("../../sql/statements/numbered.sql");
        Ok(self.found_statements(read, params![number])?.pop())
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
        self.writer
            .decide(move |to| {
                let pay = include_str!("../../sql/statements/pay.sql");
                if execute(to, pay, params![row.paid_at, row.body, id_bytes(row.of), id_bytes(row.id)])? == 0
                {
                    return Ok(Act::Undo(false));
                }
                ledger::post(to, &postings)?;
                event::note(to, &events)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn statement_part(&self, part: PartPosition) -> Result<Option<Vec<u8>>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/statement_parts/read.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let (of, file) = (id_bytes(owner(part.of)), file_code(part.file));
            let values = params![of, id_bytes(part.statement), file, part.number];
            let sealed: Option<Vec<u8>> =
                read.query_row(values, |row| row.get(0)).optional().map_err(fault)?;
            sealed.map(|sealed| open_part(&self.seal, part, &sealed)).transpose()
        })
    }

    async fn add_test_statement(
        &self,
        statement: &Statement,
        parts: &[(PartPosition, Vec<u8>)],
        event: (PartnerId, NewEvent),
    ) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, statement)?;
        let sealed =
            |(part, bytes): &(PartPosition, Vec<u8>)| Ok((*part, seal_part(&self.seal, *part, bytes)?));
        let parts: Vec<_> = parts.iter().map(sealed).collect::<Result<_, StorageError>>()?;
        let events = EventRow::of_partners(&self.seal, &[event])?;
        self.writer
            .decide(move |to| {
                let add = include_str!("../../sql/statements/add_once.sql");
                let (of, made_at) = (id_bytes(row.of), row.made_at.as_microsecond());
                let values =
                    params![of, id_bytes(row.id), row.month, row.kind, row.number, made_at, row.body];
                if execute(to, add, values)? == 0 {
                    return Ok(Act::Undo(false));
                }
                for (part, sealed) in &parts {
                    let add = include_str!("../../sql/statement_parts/add_of_test.sql");
                    execute(
                        to,
                        add,
                        params![of, id_bytes(row.id), file_code(part.file), part.number, sealed],
                    )?;
                }
                event::note(to, &events)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn policies_moved(
        &self,
        to: PolicyState,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyMoved>,
        most: usize,
    ) -> Result<Vec<PolicyMoved>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/policy_moves/moved.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            // Behind every move of the microsecond before.
            let (at, partner, policy) = match after {
                Some(moved) => (moved.at.as_microsecond(), id_bytes(moved.partner), id_bytes(moved.policy)),
                None => (within.0.as_microsecond() - 1, [0xff; 16], [0xff; 16]),
            };
            let over = within.1.as_microsecond();
            let values = params![to.code(), over, at, partner, policy, of.map(id_bytes), most as i64];
            let moved = |row: &rusqlite::Row<'_>| {
                Ok(PolicyMoved { at: instant(row, 0)?, partner: id(row, 1)?, policy: id(row, 2)? })
            };
            list.query_map(values, moved).map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
        })
    }

    async fn policies_endorsed(
        &self,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyEndorsed>,
        most: usize,
    ) -> Result<Vec<PolicyEndorsed>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/replaced_certificates/replaced.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            // Behind everything of the microsecond before.
            let (at, partner, policy, nth) = match after {
                Some(PolicyEndorsed { moved, nth }) => {
                    (moved.at.as_microsecond(), id_bytes(moved.partner), id_bytes(moved.policy), nth.into())
                }
                None => (within.0.as_microsecond() - 1, [0xff; 16], [0xff; 16], i32::MAX),
            };
            let over = within.1.as_microsecond();
            let values = params![over, at, partner, policy, nth, of.map(id_bytes), most as i64];
            let endorsed = |row: &rusqlite::Row<'_>| {
                let moved = PolicyMoved { at: instant(row, 0)?, partner: id(row, 1)?, policy: id(row, 2)? };
                Ok(PolicyEndorsed { moved, nth: row.get(3)? })
            };
            list.query_map(values, endorsed).map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
        })
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
        self.writer.decide(move |to| keep_answer(to, statement, &answers, &numbered)).await
    }

    async fn answers(&self, statement: StatementId) -> Result<Vec<RowAnswer>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/statement_answers/list.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let values = params![id_bytes(owner(None)), id_bytes(statement)];
            let found = list.query_map(values, by(AnswerRow::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal, statement)).collect()
        })
    }
}
