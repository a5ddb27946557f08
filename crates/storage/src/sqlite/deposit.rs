//! Deposits with insurers. A change is one transaction with its line of the ledger.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::money::Rupees;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::StorageError;
use service::storage::premiums::{Deposit, DepositChange, DepositChanged, Deposits};

use super::Sqlite;
use super::ledger::post;
use super::row::{fault, id};
use super::writer::Act;
use crate::codes::Coded;
use crate::rows::id_bytes;
use crate::rows::premium::{LedgerRow, OPENING, change_of_balance};

#[async_trait]
impl Deposits for Sqlite {
    async fn open_deposit(&self, deposit: &Deposit, at: Timestamp) -> Result<(), StorageError> {
        let deposit = deposit.clone();
        self.writer
            .keep(move |to| {
                let insurer = id_bytes(deposit.insurer);
                let mut open =
                    to.prepare_cached(include_str!("../../sql/deposits/open.sql")).map_err(fault)?;
                let balance = deposit.balance.paise();
                let values = params![insurer, deposit.name, balance, at.as_microsecond()];
                let is_new = open.query_row(values, |_| Ok(())).optional().map_err(fault)?.is_some();
                let opening = DepositChange::opening(&deposit, OPENING, at).filter(|_| is_new);
                if let Some(opening) = opening {
                    post(to, &[LedgerRow::of_deposit(&opening)])?;
                }
                Ok(())
            })
            .await
    }

    async fn deposits(&self) -> Result<Vec<Deposit>, StorageError> {
        self.readers.read(|from| {
            let mut list = from.prepare_cached(include_str!("../../sql/deposits/list.sql")).map_err(fault)?;
            let deposit = |row: &rusqlite::Row<'_>| {
                Ok(Deposit {
                    insurer: id(row, 0)?,
                    name: row.get(1)?,
                    balance: Rupees::from_paise(row.get(2)?),
                })
            };
            let found = list.query_map((), deposit).map_err(fault)?;
            found.collect::<Result<_, _>>().map_err(fault)
        })
    }

    async fn change_deposit(&self, change: &DepositChange) -> Result<DepositChanged, StorageError> {
        let change = change.clone();
        self.writer.decide(move |to| change_deposit(to, &change)).await
    }
}

/// Adds to the balance of a deposit, and has what waits for it tried again: the new balance.
pub(super) fn add(
    to: &Connection,
    by: i64,
    insurer: [u8; 16],
    name: Option<&str>,
) -> Result<i64, StorageError> {
    let mut write = to.prepare_cached(include_str!("../../sql/deposits/change.sql")).map_err(fault)?;
    let balance = write.query_row(params![by, insurer, name], |row| row.get(0)).map_err(fault)?;
    let mut wake = to.prepare_cached(include_str!("../../sql/deposits/wake_waiting.sql")).map_err(fault)?;
    wake.execute(params![insurer, name]).map_err(fault)?;
    Ok(balance)
}

fn change_deposit(to: &Connection, change: &DepositChange) -> Result<Act<DepositChanged>, StorageError> {
    let insurer = id_bytes(change.insurer);
    let mut read = to.prepare_cached(include_str!("../../sql/deposits/read.sqlite.sql")).map_err(fault)?;
    let found = read.query_row(params![insurer, change.name], |row| row.get::<_, i64>(0));
    let Some(balance) = found.optional().map_err(fault)? else {
        return Ok(Act::Undo(DepositChanged::Unknown));
    };
    let mut of_payment = to.prepare_cached(include_str!("../../sql/ledger/of_payment.sql")).map_err(fault)?;
    let line = LedgerRow::of_deposit(change);
    let values = params![line.of, insurer, change.name, change.reference];
    let earlier = of_payment.query_row(values, |row| Ok((row.get::<_, i16>(0)?, row.get::<_, i64>(1)?)));
    if let Some((entry, amount)) = earlier.optional().map_err(fault)? {
        return Ok(Act::Undo(change.again(entry == i16::from(change.posting.entry.code()), amount, balance)));
    }
    let by = change_of_balance(&change.posting);
    // A guarantee covers policies, and no money that is taken out.
    if by < 0 && balance + by < 0 {
        return Ok(Act::Undo(DepositChanged::TooLittle(Rupees::from_paise(balance))));
    }
    let balance = add(to, by, insurer, Some(&change.name))?;
    post(to, &[line])?;
    Ok(Act::Keep(DepositChanged::Done(Rupees::from_paise(balance))))
}
