//! Premiums that proposals owe, payments, and the ledger (D63 to D65).
//!
//! Uses `act`.

pub(crate) mod deposit;
pub(crate) mod payment;
pub(crate) mod summary;

use domain::date::{Date, Timestamp};
use domain::id::{InsurerId, ProposalId};
use domain::money::Rupees;
use domain::premium::{
    Books, BooksAct, PaymentReference, Posting, ProposalPremium, REMIT_WITHIN, Settlement,
};
use domain::vocabulary;
use service::error::Error;
use service::storage::StorageError;
use service::storage::premiums::{AccountBalance, LedgerLine, ReceiptLine};

use crate::act::answer::Done;
use crate::act::arguments::read_id;
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::record::{OfPartner, partner_name};
use crate::act::shown::answer;
use crate::act::{About, Act, Allowed, Needed, On, Result, Role, get, post};

/// Most open premiums that are searched for the premiums of one insurer.
const ALL: usize = 100_000;

const READERS: &[Role] = &[Role::Read, Role::Support, Role::Underwriting, Role::Accounts];

input! {
    /// List open premiums, oldest first: due, received, received in a wrong amount, to be remitted or to be
    /// refunded
    struct ListPremiums {
    } with {
        page: PageAsked,
    }
}

impl Act for ListPremiums {
    const ABOUT: About = get("premium.list", "/premiums", READERS);

    type Answer = Done<Premiums>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let open = on.service.premiums.open(self.page.reach()).await?;
        let Listed { records, page } = self.page.of(open, |one| one.proposal.to_string())?;
        Ok(list(on, &records).listing(page, records.len()))
    }
}

input! {
    /// Show the premium of a proposal with all its payments
    struct ShowPremium {
        /// Proposal id, pro_…
        id: ProposalId,
    }
}

impl Act for ShowPremium {
    const ABOUT: About = get("premium.show", "/premiums/{id}", READERS);

    type Answer = Done<PremiumInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id;
        let (of, _) = on.service.operator_proposals.owner(id).await?;
        let premium = on.service.premiums.of_proposal(of, id).await?;
        let receipts = on.service.premiums.receipts_of(of, id).await?;
        let ledger = on.service.premiums.ledger_of(of, id).await?;
        let note = match (&premium, ledger.is_empty()) {
            (None, true) => Some(format!(
                "{id} owes nothing: the proposal was not submitted, or its premium will be drawn from a deposit"
            )),
            (None, false) => Some(format!("the premium of {id} was drawn from a deposit")),
            (Some(_), _) => None,
        };
        let pay_by = match &premium {
            Some(premium) => on.service.premiums.pay_by(premium).await?,
            None => None,
        };
        let done = Done::of(PremiumInFull {
            proposal_id: id,
            pay_by,
            premium: premium.as_ref().map(|premium| PremiumShown::of(on, premium)),
            payments: receipts.into_iter().map(PaymentShown::of).collect(),
            ledger: ledger.into_iter().map(PostingShown::of).collect(),
        });
        Ok(note.into_iter().fold(done, Done::saying))
    }
}

input! {
    /// Settle a payment that differs from the premium: use it for the premium, or refund all of it
    struct SettlePremium {
        /// Proposal id, pro_…
        id: ProposalId,
        /// How to settle the payment; any excess is owed back to the payer
        how: How,
        /// A note for the ledger, such as the number of a ticket
        reference: PaymentReference,
    }
}

impl Act for SettlePremium {
    const ABOUT: About =
        post("premium.settle", "/premiums/{id}/settlement", &[Role::Accounts]).alias("match");

    type Answer = Done<Premiums>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        allowed_by(on, record, |books| books.unsettled > Rupees::ZERO).await
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        money_of(on, self.id, "settlement of the payment", |books| books.unsettled).await
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let how = match self.how {
            How::Apply => Settlement::Apply,
            How::Refund => Settlement::Refund,
        };
        act(on, &[(self.id, BooksAct::Settle(how, Rupees::ZERO))], &self.reference).await
    }
}

input! {
    /// Record that an amount owed back was refunded
    struct RefundPremium {
        /// Proposal id, pro_…
        id: ProposalId,
        /// Refunded amount, in rupees; must be the amount owed back [default: that amount]
        amount: Option<Rupees>,
        /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
        reference: PaymentReference,
    }
}

impl Act for RefundPremium {
    const ABOUT: About = post("premium.refund", "/premiums/{id}/refund", &[Role::Accounts]).irreversible();

    type Answer = Done<Premiums>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        allowed_by(on, record, |books| books.refundable > Rupees::ZERO).await
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        money_of(on, self.id, "refund of the premium", |books| books.refundable).await
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        act(on, &[(self.id, BooksAct::Refund(self.amount))], &self.reference).await
    }
}

input! {
    /// Record that premiums that you collected were paid to their insurer; they must be paid within 24 hours
    struct RemitPremiums {
        /// Ids of the proposals, pro_…
        #[flag(is_positional = true, value = "PROPOSAL", one_of = "premiums")]
        ids: Vec<ProposalId>,
        /// Remit every premium that was collected for this insurer, ins_…
        #[flag(value = "INSURER", one_of = "premiums")]
        insurer: Option<InsurerId>,
        /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
        reference: PaymentReference,
    }
}

impl RemitPremiums {
    /// The premiums to remit. `None` for the amount of a premium of which nothing is to be remitted.
    async fn due(&self, on: &On) -> Result<Vec<(ProposalId, Option<Rupees>)>> {
        let open = on.service.premiums.open(ALL).await?;
        let due = |premium: &ProposalPremium| match premium.books.to_remit() {
            Rupees::ZERO => None,
            amount => Some(amount),
        };
        let of = |id: &ProposalId| open.iter().find(|premium| premium.proposal == *id).and_then(due);
        Ok(match self.insurer {
            None => self.ids.iter().map(|id| (*id, of(id))).collect(),
            Some(insurer) => {
                let of_insurer = open.iter().filter(|premium| premium.insurer == insurer);
                of_insurer.filter_map(|premium| Some((premium.proposal, Some(due(premium)?)))).collect()
            }
        })
    }
}

impl Act for RemitPremiums {
    const ABOUT: About = post("premium.remit", "/remittances", &[Role::Accounts]).in_steps();

    type Answer = Done<Premiums>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let due = self.due(on).await?;
        let amount = due.iter().filter_map(|(_, amount)| *amount).sum();
        let needed = on.money(Some(amount), format!("remittance of {} premiums", due.len())).await?;
        Ok(needed.map(|needed| needed.of(self.reference.as_str(), "").fact("premiums", due.len())))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let due = self.due(on).await?.into_iter();
        let acts: Vec<(ProposalId, BooksAct)> =
            due.map(|(id, amount)| (id, BooksAct::Remit(amount))).collect();
        if acts.is_empty() {
            // The same payment may have been recorded before.
            return Ok(
                list(on, &[]).saying("no premium is due to be remitted to this insurer; nothing was changed")
            );
        }
        act(on, &acts, &self.reference).await
    }
}

input! {
    /// Print the balance of every account of the ledger; their sum is zero
    struct ListAccounts {}
}

impl Act for ListAccounts {
    const ABOUT: About = get("premium.accounts", "/accounts", &[Role::Read, Role::Support, Role::Accounts]);

    type Answer = Done<Accounts>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let balances = on.service.premiums.balances().await?;
        let sum: Rupees = balances.iter().map(|account| account.balance).sum();
        let account = |one: &AccountBalance| LedgerAccount {
            insurer_id: one.insurer,
            account: one.account.word(),
            balance: one.balance,
        };
        Ok(Done::of(Accounts { accounts: balances.iter().map(account).collect(), sum }))
    }
}

/// Whether the premium of the proposal with this id allows an action.
async fn allowed_by(on: &On, proposal: &str, does: impl Fn(&Books) -> bool) -> Result<Allowed> {
    let id = read_id("a proposal", proposal)?;
    let (of, _) = on.service.operator_proposals.owner(id).await?;
    let premium = on.service.premiums.of_proposal(of, id).await?;
    Ok(Allowed::if_so(premium.is_some_and(|premium| does(&premium.books))))
}

/// Approval that a change of a proposal's premium needs.
async fn money_of(
    on: &On,
    id: ProposalId,
    what: &str,
    amount: impl Fn(&Books) -> Rupees,
) -> Result<Option<Needed>> {
    let (of, _) = on.service.operator_proposals.owner(id).await?;
    let Some(premium) = on.service.premiums.of_proposal(of, id).await? else { return Ok(None) };
    let needed = on.money(Some(amount(&premium.books)), format!("{what} of {id}")).await?;
    Ok(needed.map(|needed| {
        needed
            .of(id, premium.changed_at)
            .fact("partner", partner_name(on, of))
            .fact("insurer", premium.insurer)
    }))
}

/// Makes each change of premiums, even if other changes are refused. The answer lists the changed premiums
/// and every refusal.
async fn act(
    on: &On,
    acts: &[(ProposalId, BooksAct)],
    reference: &PaymentReference,
) -> Result<Done<Premiums>> {
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for (id, act) in acts {
        match on.service.premiums.act(*id, *act, reference.as_str()).await {
            Ok(premium) => changed.push(premium),
            Err(fault @ (Error::Conflict(_) | Error::Unknown { .. })) => {
                refused.push(format!("{id}: {fault}"))
            }
            Err(Error::Storage(StorageError::Rehearsed)) => {}
            Err(other) => return Err(other.into()),
        }
    }
    if changed.is_empty() && !refused.is_empty() {
        return Err(Error::conflict(refused.join("\n")).into());
    }
    Ok(list(on, &changed).refusing(refused))
}

fn list(on: &On, premiums: &[ProposalPremium]) -> Done<Premiums> {
    Done::of(Premiums { premiums: premiums.iter().map(|premium| PremiumShown::of(on, premium)).collect() })
}

answer! {
    /// Premiums of a list
    struct Premiums {
        /// Premiums, in the order of the list
        #[shown(columns = ["proposal_id", "partner_name", "route", "deposit", "state", "due", "unsettled", "refundable", "to_remit", "remit_by", "accepted_by", "created_at"])]
        premiums: Vec<PremiumShown>,
    }
}

answer! {
    /// The premium of a proposal
    struct PremiumShown {
        /// Id of the proposal
        proposal_id: ProposalId,
        /// Insurer of the premium
        insurer_id: InsurerId,
        /// How the premium reaches the insurer
        route: &'static str,
        /// Deposit that pays it
        deposit: Option<String>,
        /// State
        state: &'static str,
        /// Amount of the premium
        due: Rupees,
        /// Received amount that is not settled
        unsettled: Rupees,
        /// Received amount
        received: Rupees,
        /// Amount that was used for the premium
        applied: Rupees,
        /// Amount that is owed back
        #[shown(label = "owed back")]
        refundable: Rupees,
        /// Amount that was refunded
        refunded: Rupees,
        /// Amount that must be paid to the insurer
        to_remit: Rupees,
        /// When it must be paid to the insurer
        remit_by: Option<Timestamp>,
        /// Who accepted the proposal
        accepted_by: Option<&'static str>,
        /// When the premium became due
        #[shown(label = "since")]
        created_at: Timestamp,
        /// When it last changed
        changed_at: Timestamp,
    } with {
        of: OfPartner,
    }
}

impl PremiumShown {
    fn of(on: &On, premium: &ProposalPremium) -> Self {
        let books = premium.books;
        PremiumShown {
            proposal_id: premium.proposal,
            insurer_id: premium.insurer,
            route: premium.route.word(),
            deposit: premium.deposit.clone(),
            state: books.state().word(),
            due: books.due,
            unsettled: books.unsettled,
            received: books.received,
            applied: books.applied,
            refundable: books.refundable,
            refunded: books.refunded,
            to_remit: books.to_remit(),
            remit_by: premium.held_since.map(|since| since + REMIT_WITHIN),
            accepted_by: premium.decision.as_ref().map(|decision| decision.by.word()),
            created_at: premium.created_at,
            changed_at: premium.changed_at,
            of: OfPartner::of(on, premium.partner),
        }
    }
}

answer! {
    /// The premium of a proposal with all its payments
    struct PremiumInFull {
        /// Id of the proposal
        proposal_id: ProposalId,
        /// The premium; null: nothing is owed
        premium: Option<PremiumShown>,
        /// Last day on which an accepted proposal can be paid
        pay_by: Option<Date>,
        /// Payments
        payments: Vec<PaymentShown>,
        /// Postings in the ledger
        ledger: Vec<PostingShown>,
    }
}

answer! {
    /// A received payment
    struct PaymentShown {
        /// Reference of the payment
        reference: String,
        /// Day of receipt
        received_on: Date,
        /// When it was recorded
        at: Timestamp,
        /// Who reported it
        by: &'static str,
        /// Amount
        amount: Rupees,
        /// What became of it
        outcome: &'static str,
    }
}

impl PaymentShown {
    fn of(line: ReceiptLine) -> Self {
        let ReceiptLine { reference, received_on, at, by, amount, outcome } = line;
        PaymentShown { reference, received_on, at, by: by.word(), amount, outcome: outcome.word() }
    }
}

answer! {
    /// A posting in the ledger
    struct PostingShown {
        /// When it was made
        at: Timestamp,
        /// Entry
        entry: &'static str,
        /// Account that is debited
        debit: &'static str,
        /// Account that is credited
        credit: &'static str,
        /// Amount
        amount: Rupees,
        /// Reference
        reference: Option<String>,
    }
}

impl PostingShown {
    fn of(LedgerLine { at, posting, reference }: LedgerLine) -> Self {
        let Posting { entry, debit, credit, amount } = posting;
        PostingShown {
            at,
            entry: entry.word(),
            debit: debit.word(),
            credit: credit.word(),
            amount,
            reference,
        }
    }
}

answer! {
    /// Balances of the ledger's accounts
    struct Accounts {
        /// Accounts
        accounts: Vec<LedgerAccount>,
        /// Sum of all balances, which is zero
        sum: Rupees,
    }
}

answer! {
    /// Balance of an account
    struct LedgerAccount {
        /// Insurer of the account
        insurer_id: InsurerId,
        /// Account
        account: &'static str,
        /// Balance
        balance: Rupees,
    }
}

vocabulary! {
    /// Settlement of a payment that differs from the premium
    How, "one of apply, refund" {
        /// Take the premium from the payment; the rest is owed back
        Apply = "apply",
        /// The whole payment is owed back
        Refund = "refund",
    }
}

texts!(How);
