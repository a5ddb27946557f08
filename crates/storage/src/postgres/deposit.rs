//! Deposits with insurers. A change is one transaction with its line of the ledger.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::Uuid;
use domain::money::Rupees;
use service::storage::StorageError;
use service::storage::premiums::{Deposit, DepositChange, DepositChanged, Deposits};

use super::Postgres;
use super::column::{get, get_id, id, uuid, values};
use super::connections::{Executed, Fault};
use super::ledger::post;
use super::transaction::Transaction;
use crate::codes::Coded;
use crate::rows::premium::{LedgerRow, OPENING, change_of_balance};

/// Adds to the balance of a deposit, and has what waits for it tried again: the row with the new balance.
pub(super) async fn add(
    within: &Transaction,
    by: i64,
    insurer: Uuid,
    name: Option<&str>,
) -> Result<Executed, Fault> {
    let write = include_str!("../../sql/deposits/change.sql");
    let changed = within.execute(write, values![by, insurer, name]).await?;
    within.execute(include_str!("../../sql/deposits/wake_waiting.sql"), values![insurer, name]).await?;
    Ok(changed)
}

#[async_trait]
impl Deposits for Postgres {
    async fn open_deposit(&self, deposit: &Deposit, at: Timestamp) -> Result<(), StorageError> {
        let within = Transaction::begin(&self.connections).await?;
        let (insurer, balance) = (id(deposit.insurer), deposit.balance.paise());
        let opened_at = at.as_microsecond();
        let open = include_str!("../../sql/deposits/open.sql");
        let values = values![insurer, deposit.name, balance, opened_at];
        let is_new = !within.execute(open, values).await?.rows.is_empty();
        let opening = DepositChange::opening(deposit, OPENING, at).filter(|_| is_new);
        if let Some(opening) = opening {
            post(&within, &[LedgerRow::of_deposit(&opening)]).await?;
        }
        Ok(within.commit().await?)
    }

    async fn deposits(&self) -> Result<Vec<Deposit>, StorageError> {
        let rows = self.connections.read(include_str!("../../sql/deposits/list.sql"), values![]).await?;
        let deposit = |row: &tokio_postgres::Row| {
            Ok(Deposit {
                insurer: get_id(row, 0)?,
                name: get(row, 1)?,
                balance: Rupees::from_paise(get(row, 2)?),
            })
        };
        rows.iter().map(deposit).collect()
    }

    async fn change_deposit(&self, change: &DepositChange) -> Result<DepositChanged, StorageError> {
        let within = Transaction::begin(&self.connections).await?;
        let insurer = id(change.insurer);
        let read = include_str!("../../sql/deposits/read.postgres.sql");
        let found = within.execute(read, values![insurer, change.name]).await?.rows;
        let Some(row) = found.first() else { return Ok(DepositChanged::Unknown) };
        let balance: i64 = get(row, 0)?;
        let of_payment = include_str!("../../sql/ledger/of_payment.sql");
        let line = LedgerRow::of_deposit(change);
        let nobody = uuid(line.of);
        let earlier =
            within.execute(of_payment, values![nobody, insurer, change.name, change.reference]).await?;
        if let Some(row) = earlier.rows.first() {
            let same_entry = get::<i16>(row, 0)? == i16::from(change.posting.entry.code());
            let again = change.again(same_entry, get(row, 1)?, balance);
            within.undo().await?;
            return Ok(again);
        }
        let by = change_of_balance(&change.posting);
        // A guarantee covers policies, and no money that is taken out.
        if by < 0 && balance + by < 0 {
            within.undo().await?;
            return Ok(DepositChanged::TooLittle(Rupees::from_paise(balance)));
        }
        let changed = add(&within, by, insurer, Some(&change.name)).await?.rows;
        let balance = changed.first().map_or(Ok(balance + by), |row| get(row, 0))?;
        post(&within, &[line]).await?;
        within.commit().await?;
        Ok(DepositChanged::Done(Rupees::from_paise(balance)))
    }
}
