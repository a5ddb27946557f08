//! Advance deposits with insurers (D63).

use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::{Entry, PaymentReference};
use service::proposal::deposit::DepositView;

use crate::act::answer::Done;
use crate::act::arguments::fault;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, Needed, On, Result, Role, get, post};

input! {
    /// List the advance deposits: money with insurers from which the premiums of policies are paid
    struct ListDeposits {}
}

impl Act for ListDeposits {
    const ABOUT: About = get("deposit.list", "/deposits", &[Role::Read, Role::Accounts]).alias("show");

    type Answer = Done<Deposits>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let deposits = on.service.deposits.list().await?;
        Ok(Done::of(Deposits { deposits: deposits.into_iter().map(DepositShown::of).collect() }))
    }
}

answer! {
    /// The advance deposits
    struct Deposits {
        /// Deposits by name
        #[shown(columns = ["deposit", "insurer", "balance", "guaranteed", "warn_below", "low"])]
        deposits: Vec<DepositShown>,
    }
}

answer! {
    /// An advance deposit at an insurer
    struct DepositShown {
        /// Name of the deposit
        deposit: String,
        /// Insurer that holds the deposit
        insurer_id: InsurerId,
        /// Name of the insurer, if the running catalogue has it
        insurer: Option<String>,
        /// Balance
        balance: Rupees,
        /// Whether the insurer guarantees cover beyond the balance
        guaranteed: bool,
        /// Balance below which the service warns
        warn_below: Option<Rupees>,
        /// Whether the balance is below it
        low: bool,
    }
}

impl DepositShown {
    fn of(deposit: DepositView) -> Self {
        let low = deposit.is_low();
        let DepositView { insurer, insurer_name, name, balance, guaranteed, warn_below } = deposit;
        DepositShown {
            deposit: name,
            insurer_id: insurer,
            insurer: insurer_name,
            balance,
            guaranteed,
            warn_below,
            low,
        }
    }
}

answer! {
    /// A changed deposit
    struct DepositChanged {
        /// Insurer that holds the deposit
        insurer_id: InsurerId,
        /// Name of the deposit
        deposit: String,
        /// Balance after the change
        balance: Rupees,
    }
}

input! {
    /// Record money paid into a deposit; proposals that wait because the deposit was too low are retried at once
    struct TopUpDeposit {} with {
        payment: DepositPayment,
    }
}

impl Act for TopUpDeposit {
    const ABOUT: About = post("deposit.top_up", "/deposits/{name}/top-ups", &[Role::Accounts]);

    type Answer = Done<DepositChanged>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        self.payment.needs_approval(on, "top-up").await
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        self.payment.change(on, Entry::TopUp).await
    }
}

input! {
    /// Record money taken out of a deposit
    struct WithdrawDeposit {} with {
        payment: DepositPayment,
    }
}

impl Act for WithdrawDeposit {
    const ABOUT: About =
        post("deposit.withdraw", "/deposits/{name}/withdrawals", &[Role::Accounts]).irreversible();

    type Answer = Done<DepositChanged>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        self.payment.needs_approval(on, "withdrawal").await
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        self.payment.change(on, Entry::Withdrawal).await
    }
}

input! {
    /// A payment into a deposit or out of it
    struct DepositPayment {
        /// Name of the deposit, as `deposit list` prints it
        #[flag(is_positional = true)]
        name: String,
        /// Amount, in rupees
        amount: Rupees,
        /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
        reference: PaymentReference,
        /// Insurer id, ins_…; required if several insurers have a deposit of this name
        insurer: Option<InsurerId>,
    }
}

impl DepositPayment {
    async fn needs_approval(&self, on: &On, what: &str) -> Result<Option<Needed>> {
        let insurer = self.insurer(on).await?;
        let needed = on.money(Some(self.amount), format!("{what} of the deposit {}", self.name)).await?;
        let record = format!("{insurer} {}", self.name);
        Ok(needed.map(|needed| needed.of(record, "").fact("insurer_of_deposit", insurer)))
    }

    /// Insurer of the deposit.
    async fn insurer(&self, on: &On) -> Result<InsurerId> {
        let DepositPayment { name, insurer, .. } = self;
        let deposits = on.service.deposits.list().await?.into_iter();
        let named: Vec<InsurerId> = deposits
            .filter(|deposit| {
                deposit.name == *name && insurer.is_none_or(|insurer| insurer == deposit.insurer)
            })
            .map(|deposit| deposit.insurer)
            .collect();
        match named[..] {
            [insurer] => Ok(insurer),
            [] => Err(fault(
                "name",
                "No insurer has a deposit of this name. 'covernote deposit list' prints all.",
            )),
            _ => Err(fault("insurer", "Several insurers have a deposit of this name: give one of them.")),
        }
    }

    async fn change(self, on: &On, entry: Entry) -> Result<Done<DepositChanged>> {
        let insurer = self.insurer(on).await?;
        let DepositPayment { name, amount, reference, .. } = self;
        let balance = on.service.deposits.change(insurer, &name, entry, amount, reference.as_str()).await?;
        let note = format!("the balance of deposit {name} is {}", balance.grouped_with_paise());
        Ok(Done::of(DepositChanged { insurer_id: insurer, deposit: name, balance }).saying(note))
    }
}
