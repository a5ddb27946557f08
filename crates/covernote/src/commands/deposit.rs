//! `covernote deposit`: advance deposits with insurers (D63).

use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::Entry;
use serde_json::json;
use service::Service;
use service::proposal::deposit::DepositView;

use super::arguments::{read_amount, read_id, read_reference};
use super::on_service;
use crate::cli::{Deposit, DepositPayment, DepositVerb};
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(Deposit { verb, flags }: Deposit) -> Result<()> {
    on_service(&flags, async |service| match verb {
        DepositVerb::List { json } => {
            list(&service.deposits.list().await?, json);
            Ok(())
        }
        DepositVerb::TopUp(payment) => change(&service, Entry::TopUp, payment).await,
        DepositVerb::Withdraw(payment) => change(&service, Entry::Withdrawal, payment).await,
    })
}

async fn change(service: &Service, entry: Entry, payment: DepositPayment) -> Result<()> {
    let DepositPayment { name, amount, reference, insurer, json } = payment;
    let amount = read_amount("--amount", &amount)?;
    let reference = read_reference(&reference)?;
    let insurer = insurer.as_deref().map(|id| read_id("an insurer", id)).transpose()?;
    let named: Vec<InsurerId> = service
        .deposits
        .list()
        .await?
        .into_iter()
        .filter(|deposit| deposit.name == name && insurer.is_none_or(|insurer| insurer == deposit.insurer))
        .map(|deposit| deposit.insurer)
        .collect();
    let [insurer] = named[..] else {
        return Err(Failure::BadData(match named.len() {
            0 => format!("there is no deposit {name}: `covernote deposit list` prints them"),
            _ => format!("several insurers have a deposit {name}: --insurer says which"),
        }));
    };
    let balance = service.deposits.change(insurer, &name, entry, amount, reference.as_str()).await?;
    if json {
        output::json(&json!({
            "insurer_id": insurer.to_string(), "deposit": name, "balance": balance.to_string(),
        }));
    }
    output::message(&format!("the deposit {name} has {}", balance.grouped_with_paise()));
    Ok(())
}

fn list(deposits: &[DepositView], as_json: bool) {
    if as_json {
        let deposit = |deposit: &DepositView| {
            json!({
                "deposit": deposit.name, "insurer_id": deposit.insurer.to_string(),
                "insurer": deposit.insurer_name, "balance": deposit.balance.to_string(),
                "guaranteed": deposit.guaranteed, "warn_below": deposit.warn_below.map(|least| least.to_string()),
                "low": deposit.is_low(),
            })
        };
        output::json(&json!({ "deposits": deposits.iter().map(deposit).collect::<Vec<_>>() }));
        return;
    }
    let row = |deposit: &DepositView| {
        let warn = deposit.warn_below.filter(|least| *least > Rupees::ZERO);
        vec![
            deposit.name.clone(),
            deposit.insurer_name.clone().unwrap_or_else(|| deposit.insurer.to_string()),
            deposit.balance.grouped_with_paise(),
            if deposit.guaranteed { "yes".into() } else { "no".into() },
            warn.map_or_else(String::new, Rupees::grouped),
            if deposit.is_low() { "LOW".into() } else { String::new() },
        ]
    };
    output::table(
        &["deposit", "insurer", "balance", "guaranteed", "warn below", ""],
        deposits.iter().map(row).collect(),
    );
}
