//! Deposits with insurers. A deposit's change and the ledger line for it are written in one operation.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::InsurerId;
use domain::money::Rupees;
use ports::storage::Result;
use ports::storage::premiums::{Deposit, DepositChange, DepositChanged, Deposits};

use super::bank_reference::BankReference;
use super::id_bytes;
use super::premium::{LedgerRow, OPENING, change_of_balance, post, prove_deposit};
use crate::audit::on;
use crate::fields::{Coded, RowFields, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::seal::Seal;
use crate::store::Store;

/// Changes the balance of a deposit, after all other statements. Then reschedules the jobs of proposals that
/// wait for money in the deposit, so that they run at once. The balance changes first, so that a proposal
/// that began to wait meanwhile is included.
pub(crate) fn add_last(to: &mut dyn Operation, by: i64, insurer: InsurerId, name: Option<&str>) {
    to.execute_last(sql!("deposits/change"), values![by, insurer, name], Some(Guard::Premium));
    to.execute_last(sql!("deposits/wake_waiting"), values![insurer, name], None);
}

async fn change_deposit(
    to: &mut dyn Operation,
    seal: &Seal,
    change: &DepositChange,
) -> Result<DepositChanged, Stop> {
    let DepositChange { insurer, name, reference, posting, .. } = change;
    let balance = to.first(sql!(locked "deposits/read"), values![insurer, name], |row| row.get(0)).await?;
    let Some(balance): Option<i64> = balance else { return Ok(DepositChanged::Unknown) };
    let line = LedgerRow::of_deposit(seal, change)?;
    let [newest, before, unsealed] = BankReference::candidates(seal, id_bytes(line.partner_id), reference);
    let values = values![line.partner_id, insurer, name, newest, before, unsealed];
    let columns = |row: RowFields<'_>| Ok((row.get::<i16>(0)?, row.get::<i64>(1)?));
    if let Some((entry, amount)) = to.first(sql!("ledger/of_payment"), values, columns).await? {
        to.undo();
        return Ok(change.again(entry == i16::from(posting.entry.code()), amount, balance));
    }
    let by = change_of_balance(posting);
    // The insurer's guarantee covers premiums of policies, not withdrawals.
    if by < 0 && balance + by < 0 {
        to.undo();
        return Ok(DepositChanged::TooLittle(Rupees::from_paise(balance)));
    }
    post(to, &[line]);
    add_last(to, by, *insurer, Some(name));
    Ok(DepositChanged::Done(Rupees::from_paise(balance + by)))
}

#[async_trait]
impl Deposits for Store {
    async fn open_deposit(&self, deposit: &Deposit, at: Timestamp) -> Result<()> {
        let opened = self.act(
            on("deposit.open", deposit.insurer),
            (self.seal.clone(), deposit.clone(), at),
            |(seal, deposit, at), to| {
                Box::pin(async move {
                    let proof = prove_deposit(seal, deposit.insurer, &deposit.name, false)?;
                    let values = values![deposit.insurer, deposit.name, deposit.balance, at, proof];
                    let is_new = to.change(sql!("deposits/open"), values).await? > 0;
                    if let Some(opening) = DepositChange::opening(deposit, OPENING, *at).filter(|_| is_new) {
                        post(to, &[LedgerRow::of_deposit(seal, &opening)?]);
                    }
                    Ok(())
                })
            },
        );
        Ok(opened.await?)
    }

    async fn deposits(&self) -> Result<Vec<Deposit>> {
        let deposit = |row: RowFields<'_>| {
            let balance = Rupees::from_paise(row.get(2)?);
            Ok(Deposit { insurer: row.get(0)?, name: row.get(1)?, balance })
        };
        self.all(sql!("deposits/list"), values![], deposit).await
    }

    async fn change_deposit(&self, change: &DepositChange) -> Result<DepositChanged> {
        let changed = self.act(
            on("deposit.change", change.insurer),
            (self.seal.clone(), change.clone()),
            |(seal, change), to| Box::pin(change_deposit(to, seal, change)),
        );
        Ok(changed.await?)
    }
}
