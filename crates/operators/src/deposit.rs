//! Advance deposits with insurers (D63).

use clap::Args;
use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::Entry;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::proposal::deposit::DepositView;
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, read_amount, read_id, read_reference};

verbs! {
    /// Verbs of `covernote deposit`
    DepositVerb {
        #[command(visible_alias = "show")]
        List(ListDeposits),
        TopUp(TopUpDeposit),
        Withdraw(WithdrawDeposit),
    }
}

/// List the advance deposits: money with insurers from which the premiums of policies are paid
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDeposits {}

impl Act for ListDeposits {
    const ABOUT: About = get("deposit.list", "/deposits", &[Role::Read, Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        let deposits = on.service.deposits.list().await?;
        let one = |deposit: &DepositView| {
            json!({
                "deposit": deposit.name, "insurer_id": deposit.insurer.to_string(),
                "insurer": deposit.insurer_name, "balance": deposit.balance.to_string(),
                "guaranteed": deposit.guaranteed, "warn_below": deposit.warn_below.map(|least| least.to_string()),
                "low": deposit.is_low(),
            })
        };
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
        let all: Vec<Value> = deposits.iter().map(one).collect();
        let head = ["deposit", "insurer", "balance", "guaranteed", "warn below", ""];
        Ok(Answer::of(json!({ "deposits": all })).table(&head, deposits.iter().map(row)))
    }
}

/// Record money paid into a deposit; proposals that wait because the deposit was too low are retried at once
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct TopUpDeposit {
    /// Payment into the deposit
    #[command(flatten)]
    #[serde(flatten)]
    payment: DepositPayment,
}

impl Act for TopUpDeposit {
    const ABOUT: About = post("deposit.top_up", "/deposits/{name}/top-ups", &[Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        self.payment.change(on, Entry::TopUp).await
    }
}

/// Record money taken out of a deposit
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct WithdrawDeposit {
    /// Payment out of the deposit
    #[command(flatten)]
    #[serde(flatten)]
    payment: DepositPayment,
}

impl Act for WithdrawDeposit {
    const ABOUT: About =
        post("deposit.withdraw", "/deposits/{name}/withdrawals", &[Role::Accounts]).irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        self.payment.change(on, Entry::Withdrawal).await
    }
}

/// A payment into a deposit or out of it
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub(crate) struct DepositPayment {
    /// Name of the deposit, as `deposit list` prints it
    name: String,
    /// Amount, in rupees
    #[arg(long)]
    amount: String,
    /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
    #[arg(long)]
    reference: String,
    /// Insurer id, ins_…; required if several insurers have a deposit of this name
    #[arg(long)]
    insurer: Option<String>,
}

impl DepositPayment {
    async fn change(&self, on: &On, entry: Entry) -> Result<Answer> {
        let name = &self.name;
        let amount = read_amount("--amount", &self.amount)?;
        let reference = read_reference(&self.reference)?;
        let insurer = self.insurer.as_deref().map(|id| read_id("an insurer", id)).transpose()?;
        let deposits = on.service.deposits.list().await?.into_iter();
        let named: Vec<InsurerId> = deposits
            .filter(|deposit| {
                deposit.name == *name && insurer.is_none_or(|insurer| insurer == deposit.insurer)
            })
            .map(|deposit| deposit.insurer)
            .collect();
        let [insurer] = named[..] else {
            return Err(bad(match named.len() {
                0 => format!("there is no deposit {name}: `covernote deposit list` prints all"),
                _ => format!("several insurers have a deposit {name}: give --insurer"),
            }));
        };
        let balance = on.service.deposits.change(insurer, name, entry, amount, reference.as_str()).await?;
        let json = json!({
            "insurer_id": insurer.to_string(), "deposit": name, "balance": balance.to_string(),
        });
        Ok(Answer::of(json)
            .saying(format!("the balance of deposit {name} is {}", balance.grouped_with_paise())))
    }
}
