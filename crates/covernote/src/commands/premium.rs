//! `covernote premium`: premiums that proposals owe, payments, and the ledger (D63 to D65).

use domain::date::{Date, day_of};
use domain::id::ProposalId;
use domain::money::Rupees;
use domain::period::IsoDate;
use domain::premium::{BooksAct, Posting, ProposalPremium, REMIT_WITHIN, Settlement};
use domain::proposal::Actor;
use domain::text::FromText;
use serde_json::{Value, json};
use service::Service;
use service::decision::premium::{Payment, Teller};
use service::error::Error;
use service::storage::premiums::{LedgerLine, ReceiptLine};

use super::arguments::{read_amount, read_id, read_reference};
use super::on_service;
use crate::cli::{How, Premium, PremiumVerb};
use crate::failure::{Failure, Result};
use crate::output;

/// Premiums that are looked through for those of an insurer.
const ALL: usize = 100_000;

pub(super) fn run(Premium { verb, flags }: Premium) -> Result<()> {
    on_service(&flags, async |service| match verb {
        PremiumVerb::List { most, json } => {
            list(&service.premiums.open(most).await?, json);
            Ok(())
        }
        PremiumVerb::Show { id, json } => show(&service, read_id("a proposal", &id)?, json).await,
        PremiumVerb::Receive { items, reference, amount, received_on, json } => {
            receive(&service, &items, &reference, amount.as_deref(), received_on.as_deref(), json).await
        }
        PremiumVerb::Settle { id, how, reference, json } => {
            let how = match how {
                How::Apply => Settlement::Apply,
                How::Refund => Settlement::Refund,
            };
            act(&service, &[(read_id("a proposal", &id)?, BooksAct::Settle(how))], &reference, json).await
        }
        PremiumVerb::Refund { id, amount, reference, json } => {
            let amount = amount.map(|amount| read_amount("--amount", &amount)).transpose()?;
            act(&service, &[(read_id("a proposal", &id)?, BooksAct::Refund(amount))], &reference, json).await
        }
        PremiumVerb::Remit { ids, insurer, reference, json } => {
            let acts: Vec<(ProposalId, BooksAct)> = match insurer {
                None => {
                    let ids =
                        ids.iter().map(|id| read_id("a proposal", id)).collect::<Result<Vec<_>, _>>()?;
                    ids.into_iter().map(|id| (id, BooksAct::Remit(None))).collect()
                }
                Some(insurer) => {
                    let insurer = read_id("an insurer", &insurer)?;
                    let open = service.premiums.open(ALL).await?;
                    let of_insurer = open.into_iter().filter(|premium| premium.insurer == insurer);
                    let due = |premium: ProposalPremium| match premium.books.to_remit() {
                        Rupees::ZERO => None,
                        amount => Some((premium.proposal, BooksAct::Remit(Some(amount)))),
                    };
                    of_insurer.filter_map(due).collect()
                }
            };
            if acts.is_empty() {
                return Err(Failure::Failed("nothing is to be remitted to this insurer".into()));
            }
            act(&service, &acts, &reference, json).await
        }
        PremiumVerb::Accounts { json } => accounts(&service, json).await,
    })
}

async fn show(service: &Service, id: ProposalId, as_json: bool) -> Result<()> {
    let (of, _) = service.operator_proposals.owner(id).await?;
    let premium = service.premiums.of_proposal(of, id).await?;
    let receipts = service.premiums.receipts_of(of, id).await?;
    let ledger = service.premiums.ledger_of(of, id).await?;
    if as_json {
        output::json(&json!({
            "proposal_id": id.to_string(), "premium": premium.as_ref().map(to_json),
            "payments": receipts.iter().map(payment_to_json).collect::<Vec<_>>(),
            "ledger": ledger.iter().map(ledger_to_json).collect::<Vec<_>>(),
        }));
        return Ok(());
    }
    match &premium {
        None if ledger.is_empty() => output::data(&format!(
            "{id} owes nothing: it was not submitted, or its premium will be drawn from a deposit"
        )),
        None => output::data(&format!("the premium of {id} was drawn from a deposit")),
        Some(premium) => output::table(HEAD, vec![row(premium)]),
    }
    for line in &receipts {
        let ReceiptLine { reference, received_on, at, by, amount, outcome } = line;
        let amount = amount.grouped_with_paise();
        output::data(&format!("  {at}  {amount} of {received_on}, {reference} by {by}: {outcome}"));
    }
    if !ledger.is_empty() {
        output::data("ledger");
    }
    for LedgerLine { at, posting, reference } in &ledger {
        let Posting { entry, debit, credit, amount } = posting;
        let reference = reference.as_deref().unwrap_or_default();
        output::data(&format!(
            "  {at}  {}  {entry}: {debit} to {credit}  {reference}",
            amount.grouped_with_paise()
        ));
    }
    Ok(())
}

/// A payment as the command line says it, or every fault in it.
fn read_payment(
    items: &[String],
    reference: &str,
    amount: Option<&str>,
    received_on: Option<&str>,
    today: Date,
) -> Result<Payment> {
    let lines: Vec<_> = items.iter().map(|item| read_item(item)).collect();
    let amount = amount.map(|amount| read_amount("--amount", amount)).transpose();
    let received_on = match received_on.map(IsoDate::from_text) {
        None => Ok(today),
        Some(Ok(IsoDate(day))) if day <= today => Ok(day),
        Some(_) => {
            Err(Failure::BadData("--received-on: must be a day until today, written YYYY-MM-DD".into()))
        }
    };
    let (reference, mut faults) = (read_reference(reference), Vec::new());
    let lines = lines.into_iter().filter_map(|line| line.map_err(|fault| faults.push(fault)).ok()).collect();
    match (reference, amount, received_on) {
        (Ok(reference), Ok(amount), Ok(received_on)) if faults.is_empty() => {
            let lines: Vec<(ProposalId, Rupees)> = lines;
            let amount = amount.unwrap_or_else(|| lines.iter().map(|(_, amount)| *amount).sum());
            Ok(Payment { reference, amount, received_on, lines })
        }
        (reference, amount, received_on) => {
            faults.extend([reference.err(), amount.err(), received_on.err()].into_iter().flatten());
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Err(Failure::BadData(faults.join("\n")))
        }
    }
}

async fn receive(
    service: &Service,
    items: &[String],
    reference: &str,
    amount: Option<&str>,
    received_on: Option<&str>,
    as_json: bool,
) -> Result<()> {
    let today = service.policies.today();
    let payment = read_payment(items, reference, amount, received_on, today)?;
    let told = service.premiums.receive(Teller::Operator, payment).await?;
    let outcomes =
        told.lines.iter().map(|line| (line.proposal, line.amount.to_string(), line.outcome.word()));
    if as_json {
        let item = |(id, amount, outcome): (ProposalId, String, &str)| json!({ "proposal_id": id.to_string(), "amount": amount, "outcome": outcome });
        output::json(&json!({ "new": told.is_new, "items": outcomes.map(item).collect::<Vec<_>>() }));
        return Ok(());
    }
    for (id, amount, outcome) in outcomes {
        output::data(&format!("{id}  {amount}  {outcome}"));
    }
    if !told.is_new {
        output::message("this payment was noted before; nothing has changed");
    }
    Ok(())
}

fn read_item(item: &str) -> Result<(ProposalId, Rupees)> {
    let (id, amount) =
        item.split_once('=').ok_or_else(|| Failure::BadData(format!("{item}: must be PROPOSAL=AMOUNT")))?;
    Ok((read_id("a proposal", id)?, read_amount(id, amount)?))
}

/// Does each act. One that is refused does not hold up the others: what was done is printed, then every fault.
async fn act(
    service: &Service,
    acts: &[(ProposalId, BooksAct)],
    reference: &str,
    as_json: bool,
) -> Result<()> {
    let reference = read_reference(reference)?;
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for (id, act) in acts {
        match service.premiums.act(*id, *act, reference.as_str()).await {
            Ok(premium) => changed.push(premium),
            Err(fault @ (Error::Conflict(_) | Error::Unknown { .. })) => {
                refused.push(format!("{id}: {fault}"))
            }
            Err(other) => return Err(other.into()),
        }
    }
    if as_json || !changed.is_empty() {
        list(&changed, as_json);
    }
    match refused.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed(refused.join("\n"))),
    }
}

async fn accounts(service: &Service, as_json: bool) -> Result<()> {
    let balances = service.premiums.balances().await?;
    let sum: Rupees = balances.iter().map(|account| account.balance).sum();
    if as_json {
        let account = |account: &service::storage::premiums::AccountBalance| {
            json!({
                "insurer_id": account.insurer.to_string(), "account": account.account.word(),
                "balance": account.balance.to_string(),
            })
        };
        output::json(&json!({
            "accounts": balances.iter().map(account).collect::<Vec<_>>(), "sum": sum.to_string(),
        }));
    } else {
        let row = |account: &service::storage::premiums::AccountBalance| {
            vec![
                account.insurer.to_string(),
                account.account.word().into(),
                account.balance.grouped_with_paise(),
            ]
        };
        let mut rows: Vec<Vec<String>> = balances.iter().map(row).collect();
        rows.push(vec!["sum".into(), String::new(), sum.grouped_with_paise()]);
        output::table(&["insurer_id", "account", "balance"], rows);
    }
    Ok(())
}

const HEAD: &[&str] = &[
    "proposal_id",
    "route",
    "state",
    "due",
    "unsettled",
    "owed back",
    "to remit",
    "remit by",
    "accepted by",
    "since",
];

fn row(premium: &ProposalPremium) -> Vec<String> {
    let books = premium.books;
    let amount = |amount: Rupees| match amount {
        Rupees::ZERO => String::new(),
        amount => amount.grouped_with_paise(),
    };
    let since: Date = day_of(premium.created_at);
    vec![
        premium.proposal.to_string(),
        premium.deposit.clone().unwrap_or_else(|| premium.route.word().into()),
        books.state().word().into(),
        books.due.grouped_with_paise(),
        amount(books.unsettled),
        amount(books.refundable),
        amount(books.to_remit()),
        premium.held_since.map_or_else(String::new, |since| (since + REMIT_WITHIN).to_string()),
        premium.decision.as_ref().map_or_else(String::new, |decision| decision.by.word().into()),
        since.to_string(),
    ]
}

fn list(premiums: &[ProposalPremium], as_json: bool) {
    if as_json {
        output::json(&json!({ "premiums": premiums.iter().map(to_json).collect::<Vec<_>>() }));
        return;
    }
    output::table(HEAD, premiums.iter().map(row).collect());
}

/// A premium for programs.
pub(super) fn to_json(premium: &ProposalPremium) -> Value {
    let books = premium.books;
    json!({
        "proposal_id": premium.proposal.to_string(),
        "partner_id": premium.partner.to_string(),
        "insurer_id": premium.insurer.to_string(),
        "route": premium.route.word(),
        "deposit": premium.deposit,
        "state": books.state().word(),
        "due": books.due.to_string(),
        "unsettled": books.unsettled.to_string(),
        "received": books.received.to_string(),
        "applied": books.applied.to_string(),
        "refundable": books.refundable.to_string(),
        "refunded": books.refunded.to_string(),
        "to_remit": books.to_remit().to_string(),
        "remit_by": premium.held_since.map(|since| (since + REMIT_WITHIN).to_string()),
        "accepted_by": premium.decision.as_ref().map(|decision| decision.by.word()),
        "created_at": premium.created_at.to_string(),
        "changed_at": premium.changed_at.to_string(),
    })
}

fn ledger_to_json(line: &LedgerLine) -> Value {
    let LedgerLine { at, posting: Posting { entry, debit, credit, amount }, reference } = line;
    json!({
        "at": at.to_string(), "entry": entry.word(), "debit": debit.word(), "credit": credit.word(),
        "amount": amount.to_string(), "reference": reference,
    })
}

fn payment_to_json(line: &ReceiptLine) -> Value {
    let ReceiptLine { reference, received_on, at, by, amount, outcome } = line;
    let by: Actor = *by;
    json!({
        "reference": reference, "received_on": received_on.to_string(), "at": at.to_string(), "by": by.word(), "amount": amount.to_string(),
        "outcome": outcome.word(),
    })
}
