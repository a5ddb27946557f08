//! Premiums that proposals owe, payments, and the ledger (D63 to D65).

use clap::{Args, ValueEnum};
use domain::date::{Date, day_of};
use domain::id::ProposalId;
use domain::money::Rupees;
use domain::period::IsoDate;
use domain::premium::{BooksAct, Posting, ProposalPremium, REMIT_WITHIN, Settlement};
use domain::text::FromText;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::decision::premium::{Payment, Teller};
use service::error::Error;
use service::storage::premiums::{AccountBalance, LedgerLine, ReceiptLine};
use utoipa::ToSchema;

use crate::act::{About, Act, Needed, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{all_or_faults, bad, read_amount, read_id, read_reference};
use crate::record::{minute, partner_name};

/// Most open premiums that are searched for the premiums of one insurer.
const ALL: usize = 100_000;

const READERS: &[Role] = &[Role::Read, Role::Support, Role::Accounts];

verbs! {
    /// Verbs of `covernote premium`
    PremiumVerb {
        List(ListPremiums),
        Show(ShowPremium),
        #[command(visible_alias = "add")]
        Receive(ReceivePayment),
        #[command(visible_alias = "match")]
        Settle(SettlePremium),
        Refund(RefundPremium),
        Remit(RemitPremiums),
        Accounts(ListAccounts),
    }
}

/// List open premiums, oldest first: due, received, received in a wrong amount, to be remitted or to be
/// refunded
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPremiums {
    /// Most premiums to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListPremiums {
    const ABOUT: About = get("premium.list", "/premiums", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(list(on, &on.service.premiums.open(self.most).await?))
    }
}

/// Show the premium of a proposal with all its payments
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPremium {
    /// Proposal id, pro_…
    id: String,
}

impl Act for ShowPremium {
    const ABOUT: About = get("premium.show", "/premiums/{id}", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a proposal", &self.id)?;
        let (of, _) = on.service.operator_proposals.owner(id).await?;
        let premium = on.service.premiums.of_proposal(of, id).await?;
        let receipts = on.service.premiums.receipts_of(of, id).await?;
        let ledger = on.service.premiums.ledger_of(of, id).await?;
        let mut answer = Answer::of(json!({
            "proposal_id": id.to_string(), "premium": premium.as_ref().map(|premium| to_json(on, premium)),
            "payments": receipts.iter().map(payment_to_json).collect::<Vec<_>>(),
            "ledger": ledger.iter().map(ledger_to_json).collect::<Vec<_>>(),
        }));
        match &premium {
            None if ledger.is_empty() => answer.data(format!(
                "{id} owes nothing: the proposal was not submitted, or its premium will be drawn from a deposit"
            )),
            None => answer.data(format!("the premium of {id} was drawn from a deposit")),
            Some(premium) => answer = answer.table(HEAD, [row(on, premium)]),
        }
        for line in &receipts {
            let ReceiptLine { reference, received_on, at, by, amount, outcome } = line;
            let amount = amount.grouped_with_paise();
            answer.data(format!(
                "  {}  {amount} received on {received_on}, reference {reference}, reported by {by}: {outcome}",
                minute(*at)
            ));
        }
        if !ledger.is_empty() {
            answer.data("ledger");
        }
        for LedgerLine { at, posting, reference } in &ledger {
            let Posting { entry, debit, credit, amount } = posting;
            let (amount, reference) = (amount.grouped_with_paise(), reference.as_deref().unwrap_or_default());
            answer.data(format!("  {}  {amount}  {entry}: {debit} to {credit}  {reference}", minute(*at)));
        }
        Ok(answer)
    }
}

/// Record a received payment, for one proposal or for many
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceivePayment {
    /// Proposals, each with its share of the payment, such as pro_…=5900.00
    #[arg(required = true, value_name = "PROPOSAL=AMOUNT")]
    items: Vec<String>,
    /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
    #[arg(long)]
    reference: String,
    /// Total of the payment, in rupees [default: the sum of the shares]
    #[arg(long)]
    amount: Option<String>,
    /// Day of receipt, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    received_on: Option<String>,
}

impl Act for ReceivePayment {
    const ABOUT: About = post("premium.receive", "/payments", &[Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        let payment = self.read(on.service.policies.today())?;
        let told = on.service.premiums.receive(Teller::Operator, payment).await?;
        let outcomes: Vec<(String, String, &str)> = told
            .lines
            .iter()
            .map(|line| (line.proposal.to_string(), line.amount.to_string(), line.outcome.word()))
            .collect();
        let item = |(id, amount, outcome): &(String, String, &str)| json!({ "proposal_id": id, "amount": amount, "outcome": outcome });
        let items: Vec<Value> = outcomes.iter().map(item).collect();
        let mut answer = Answer::of(json!({ "new": told.is_new, "items": items }));
        for (id, amount, outcome) in &outcomes {
            answer.data(format!("{id}  {amount}  {outcome}"));
        }
        if !told.is_new {
            answer.message("this payment was already recorded; nothing has changed");
        }
        Ok(answer)
    }
}

impl ReceivePayment {
    /// Parses the payment from the flags. The error lists every fault.
    fn read(&self, today: Date) -> Result<Payment> {
        let mut faults = Vec::new();
        let lines: Vec<(ProposalId, Rupees)> =
            all_or_faults(self.items.iter().map(|item| read_item(item)), &mut faults);
        let amount =
            all_or_faults(self.amount.iter().map(|amount| read_amount("--amount", amount)), &mut faults);
        let day = self.received_on.iter().map(|day| match IsoDate::from_text(day) {
            Ok(IsoDate(day)) if day <= today => Ok(day),
            _ => Err(bad("--received-on: must be today or an earlier day, written YYYY-MM-DD")),
        });
        let received_on = all_or_faults(day, &mut faults);
        let reference = all_or_faults([read_reference(&self.reference)], &mut faults);
        match reference.into_iter().next() {
            Some(reference) if faults.is_empty() => Ok(Payment {
                reference,
                amount: amount
                    .first()
                    .copied()
                    .unwrap_or_else(|| lines.iter().map(|(_, amount)| *amount).sum()),
                received_on: received_on.first().copied().unwrap_or(today),
                lines,
            }),
            _ => Err(bad(faults.join("\n"))),
        }
    }
}

fn read_item(item: &str) -> Result<(ProposalId, Rupees)> {
    let (id, amount) = item.split_once('=').ok_or_else(|| bad(format!("{item}: must be PROPOSAL=AMOUNT")))?;
    Ok((read_id("a proposal", id)?, read_amount(id, amount)?))
}

/// Settle a payment that differs from the premium: use it for the premium, or refund all of it
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettlePremium {
    /// Proposal id, pro_…
    id: String,
    /// How to settle the payment; any excess is owed back to the payer
    #[arg(long, value_enum)]
    how: How,
    /// A note for the ledger, such as the number of a ticket
    #[arg(long)]
    reference: String,
}

impl Act for SettlePremium {
    const ABOUT: About = post("premium.settle", "/premiums/{id}/settlement", &[Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        let how = match self.how {
            How::Apply => Settlement::Apply,
            How::Refund => Settlement::Refund,
        };
        act(on, &[(read_id("a proposal", &self.id)?, BooksAct::Settle(how))], &self.reference).await
    }
}

/// Record that an amount owed back was refunded
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefundPremium {
    /// Proposal id, pro_…
    id: String,
    /// Refunded amount, in rupees; must be the amount owed back [default: that amount]
    #[arg(long)]
    amount: Option<String>,
    /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
    #[arg(long)]
    reference: String,
}

impl Act for RefundPremium {
    const ABOUT: About = post("premium.refund", "/premiums/{id}/refund", &[Role::Accounts]).irreversible();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let id = read_id("a proposal", &self.id)?;
        let (of, _) = on.service.operator_proposals.owner(id).await?;
        let premium = on.service.premiums.of_proposal(of, id).await?;
        let Some(premium) = premium else { return Ok(None) };
        let amount = Some(premium.books.refundable);
        on.payment(amount, "refund of the premium of", id, premium.changed_at).await
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let amount = self.amount.as_deref().map(|amount| read_amount("--amount", amount)).transpose()?;
        act(on, &[(read_id("a proposal", &self.id)?, BooksAct::Refund(amount))], &self.reference).await
    }
}

/// Record that premiums that you collected were paid to their insurer; they must be paid within 24 hours
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemitPremiums {
    /// Ids of the proposals, pro_…
    #[arg(value_name = "PROPOSAL", required_unless_present = "insurer")]
    #[serde(default)]
    ids: Vec<String>,
    /// Remit every premium that was collected for this insurer, ins_…
    #[arg(long, value_name = "INSURER", conflicts_with = "ids")]
    insurer: Option<String>,
    /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
    #[arg(long)]
    reference: String,
}

impl Act for RemitPremiums {
    const ABOUT: About = post("premium.remit", "/remittances", &[Role::Accounts]).in_steps();

    async fn run(self, on: &On) -> Result<Answer> {
        let acts: Vec<(ProposalId, BooksAct)> = match self.insurer {
            None => {
                let id = |id: &String| Ok((read_id("a proposal", id)?, BooksAct::Remit(None)));
                self.ids.iter().map(id).collect::<Result<_>>()?
            }
            Some(insurer) => {
                let insurer = read_id("an insurer", &insurer)?;
                let open = on.service.premiums.open(ALL).await?;
                let of_insurer = open.into_iter().filter(|premium| premium.insurer == insurer);
                let due = |premium: ProposalPremium| match premium.books.to_remit() {
                    Rupees::ZERO => None,
                    amount => Some((premium.proposal, BooksAct::Remit(Some(amount)))),
                };
                of_insurer.filter_map(due).collect()
            }
        };
        if acts.is_empty() {
            return Err(Error::conflict("no premium is due to be remitted to this insurer".into()).into());
        }
        act(on, &acts, &self.reference).await
    }
}

/// Print the balance of every account of the ledger; their sum is zero
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListAccounts {}

impl Act for ListAccounts {
    const ABOUT: About = get("premium.accounts", "/accounts", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let balances = on.service.premiums.balances().await?;
        let sum: Rupees = balances.iter().map(|account| account.balance).sum();
        let one = |account: &AccountBalance| {
            json!({
                "insurer_id": account.insurer.to_string(), "account": account.account.word(),
                "balance": account.balance.to_string(),
            })
        };
        let row = |account: &AccountBalance| {
            let balance = account.balance.grouped_with_paise();
            vec![account.insurer.to_string(), account.account.word().into(), balance]
        };
        let accounts: Vec<Value> = balances.iter().map(one).collect();
        let rows =
            balances.iter().map(row).chain([vec!["sum".into(), String::new(), sum.grouped_with_paise()]]);
        let json = json!({ "accounts": accounts, "sum": sum.to_string() });
        Ok(Answer::of(json).table(&["insurer_id", "account", "balance"], rows))
    }
}

/// Makes each change of premiums, even if other changes are refused. The answer lists the changed premiums
/// and every refusal.
async fn act(on: &On, acts: &[(ProposalId, BooksAct)], reference: &str) -> Result<Answer> {
    let reference = read_reference(reference)?;
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for (id, act) in acts {
        match on.service.premiums.act(*id, *act, reference.as_str()).await {
            Ok(premium) => changed.push(premium),
            Err(fault @ (Error::Conflict(_) | Error::Unknown { .. })) => {
                refused.push(format!("{id}: {fault}"))
            }
            Err(other) => return Err(other.into()),
        }
    }
    if changed.is_empty() && !refused.is_empty() {
        return Err(Error::conflict(refused.join("\n")).into());
    }
    Ok(list(on, &changed).refusing(refused))
}

fn list(on: &On, premiums: &[ProposalPremium]) -> Answer {
    let json = json!({ "premiums": premiums.iter().map(|premium| to_json(on, premium)).collect::<Vec<_>>() });
    Answer::of(json).table(HEAD, premiums.iter().map(|premium| row(on, premium)))
}

const HEAD: &[&str] = &[
    "proposal_id",
    "partner",
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

fn row(on: &On, premium: &ProposalPremium) -> Vec<String> {
    let books = premium.books;
    let amount = |amount: Rupees| match amount {
        Rupees::ZERO => String::new(),
        amount => amount.grouped_with_paise(),
    };
    let since: Date = day_of(premium.created_at);
    vec![
        premium.proposal.to_string(),
        partner_name(on, premium.partner),
        premium.deposit.clone().unwrap_or_else(|| premium.route.word().into()),
        books.state().word().into(),
        books.due.grouped_with_paise(),
        amount(books.unsettled),
        amount(books.refundable),
        amount(books.to_remit()),
        premium.held_since.map_or_else(String::new, |since| minute(since + REMIT_WITHIN)),
        premium.decision.as_ref().map_or_else(String::new, |decision| decision.by.word().into()),
        since.to_string(),
    ]
}

fn to_json(on: &On, premium: &ProposalPremium) -> Value {
    let books = premium.books;
    json!({
        "proposal_id": premium.proposal.to_string(),
        "partner_id": premium.partner.to_string(),
        "partner_name": partner_name(on, premium.partner),
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
    json!({
        "reference": reference, "received_on": received_on.to_string(), "at": at.to_string(), "by": by.word(), "amount": amount.to_string(),
        "outcome": outcome.word(),
    })
}

/// Settlement of a payment that differs from the premium
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum How {
    /// Take the premium from the payment; the rest is owed back
    Apply,
    /// The whole payment is owed back
    Refund,
}
