//! Payments of premiums: recorded, and taken back (D63, D155).

use domain::date::Date;
use domain::id::ProposalId;
use domain::money::Rupees;
use domain::premium::{PaidAmount, PaymentReference};
use domain::text::FromText;
use service::decision::premium::{LineOutcome, Payment, Teller};

use super::allowed_by;
use crate::act::answer::Done;
use crate::act::arguments::fault;
use crate::act::input::{input, texts};
use crate::act::personal_sight::says_why;
use crate::act::shown::answer;
use crate::act::{About, Act, Allowed, Needed, On, Result, Role, post};

input! {
    /// Record a received payment, for one proposal or for many
    struct ReceivePayment {
        /// Proposals, each with its share of the payment, such as pro_…=5900.00
        #[flag(is_positional = true, value = "PROPOSAL=AMOUNT", is_required = true)]
        items: Vec<Share>,
        /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
        reference: PaymentReference,
        /// Total of the payment, in rupees [default: the sum of the shares]
        amount: Option<Rupees>,
        /// Day of receipt, YYYY-MM-DD [default: today]
        received_on: Option<Date>,
    }
}

impl Act for ReceivePayment {
    const ABOUT: About = post("premium.receive", "/payments", &[Role::Accounts]).alias("add");

    type Answer = Done<PaymentReceived>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let shares = self.items.iter().map(|Share(_, amount)| *amount);
        let amount = self.amount.unwrap_or_else(|| shares.sum());
        let what = match &self.items[..] {
            [Share(id, _)] => format!("receipt for {id}"),
            several => format!("receipt for {} proposals", several.len()),
        };
        let needed = on.money(Some(amount), what).await?;
        Ok(needed.map(|needed| needed.of(self.reference.as_str(), "").fact("proposals", self.items.len())))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let today = on.service.policies.today();
        let ReceivePayment { items, reference, amount, received_on } = self;
        if received_on.is_some_and(|day| day > today) {
            return Err(fault("received_on", "Must be today or an earlier day."));
        }
        let lines: Vec<(ProposalId, Rupees)> =
            items.into_iter().map(|Share(id, amount)| (id, amount)).collect();
        let payment = Payment {
            reference,
            amount: amount.unwrap_or_else(|| lines.iter().map(|(_, amount)| *amount).sum()),
            received_on: received_on.unwrap_or(today),
            lines,
        };
        let told = on.service.premiums.receive(Teller::Operator, payment).await?;
        let item = |line: &LineOutcome| PaymentOutcome {
            proposal_id: line.proposal,
            amount: line.amount,
            outcome: line.outcome.word(),
        };
        let done =
            Done::of(PaymentReceived { new: told.is_new, items: told.lines.iter().map(item).collect() });
        Ok(match told.is_new {
            true => done,
            false => done.saying("this payment was already recorded; nothing has changed"),
        })
    }
}

/// A share of a payment, written as `PROPOSAL=AMOUNT`.
pub(crate) struct Share(ProposalId, Rupees);

impl FromText for Share {
    const WANTED: &'static str = "a proposal with its share, such as pro_…=5900.00";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let (id, amount) = text.split_once('=').ok_or("text without =")?;
        let id = id.trim().parse().map_err(|_| "text without the id of a proposal")?;
        PaidAmount::from_text(amount.trim()).map(|PaidAmount(amount)| Share(id, amount))
    }
}

input! {
    /// Reverse a payment that was recorded by mistake or that the bank took back, before a policy is issued
    struct ReversePayment {
        /// Id of a proposal that it was recorded for, pro_…
        id: ProposalId,
        /// Reference of the payment; all its proposals owe their premiums again
        reference: PaymentReference,
        /// Why the payment is reversed
        reason: String,
    }
}

impl Act for ReversePayment {
    const ABOUT: About = post("premium.reverse", "/premiums/{id}/reversal", &[Role::Accounts]).irreversible();

    type Answer = Done<PaymentReversed>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        allowed_by(on, record, |books| books.received > Rupees::ZERO).await
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        says_why(&self.reason, "why the payment is reversed")?;
        let lines = on.service.premiums.payment(self.id, self.reference.as_str()).await?;
        let amount = lines.iter().map(|(_, amount)| *amount).sum();
        let needed =
            on.money(Some(amount), format!("reversal of the payment {}", self.reference.as_str())).await?;
        let proposals = lines.iter().map(|(proposal, _)| proposal.to_string()).collect::<Vec<_>>().join(", ");
        Ok(needed.map(|needed| {
            needed
                .of(self.id, self.reference.as_str())
                .fact("proposals", proposals)
                .fact("reason", &self.reason)
        }))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let reversed = on.service.premiums.reverse(self.id, &self.reference).await?;
        let is_new = reversed.is_some();
        let item = |(proposal, amount): &(ProposalId, Rupees)| PaymentOutcome {
            proposal_id: *proposal,
            amount: *amount,
            outcome: "reversed",
        };
        let done = Done::of(PaymentReversed {
            new: is_new,
            items: reversed.unwrap_or_default().iter().map(item).collect(),
        });
        Ok(match is_new {
            true => done,
            false => done.saying("this payment was already reversed; nothing has changed"),
        })
    }
}

answer! {
    /// A recorded payment
    struct PaymentReceived {
        /// Whether it was not recorded before
        #[shown(hidden = true)]
        new: bool,
        /// What became of each share
        items: Vec<PaymentOutcome>,
    }
}

answer! {
    /// A reversed payment
    struct PaymentReversed {
        /// Whether it was not reversed before
        #[shown(hidden = true)]
        new: bool,
        /// The shares that are owed again
        items: Vec<PaymentOutcome>,
    }
}

answer! {
    /// What became of a share of a payment
    struct PaymentOutcome {
        /// Proposal of the share
        proposal_id: ProposalId,
        /// Amount of the share
        amount: Rupees,
        /// What became of it
        outcome: &'static str,
    }
}

texts!(Share);
