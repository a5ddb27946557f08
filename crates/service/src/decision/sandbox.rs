//! Simulation of test partners' proposals: the first name decides payment and outcome (D97).

use domain::date::day_of;
use domain::id::ProposalId;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::premium::{Payee, PaymentReference, PremiumRoute, PremiumState, ProposalPremium, Receipt};
use domain::proposal::{Actor, Decision, Proposal};
use domain::sandbox::{LATE_BY, TestName};
use domain::text::FromText;

use crate::decision::DecisionService;
use crate::decision::premium::SoldReceipt;
use crate::error::{Error, Result};
use crate::insurer::InsurerDecision;
use crate::insurer::sandbox::number_of;
use crate::line::{SoldLine, test_name};
use crate::proposal::Decided;
use crate::storage::jobs::{Lease, PutOff};

/// Amount by which a simulated short payment is below the premium.
const SHORT_BY: Rupees = Rupees::whole(1);

/// State of the customer's payment.
enum Paid {
    /// The customer has nothing to pay now.
    Done,
    /// The customer pays after this delay.
    Later(std::time::Duration),
}

impl DecisionService {
    /// Runs the job of a test partner's open proposal.
    pub(crate) async fn work_in_sandbox<L: SoldLine>(
        &self,
        lease: &Lease,
        proposal: &Proposal<L>,
        decision: Decision,
    ) -> Result<()> {
        let name = test_name(proposal);
        let paid = match name {
            Some(TestName::Reject) => Paid::Done,
            name => self.pay_in_sandbox(lease.job.of, proposal.id, name).await?,
        };
        if let (Paid::Later(wait), Decision::Partner | Decision::Operator | Decision::StraightThrough) =
            (&paid, decision)
        {
            return self.wait_in_sandbox(lease, *wait).await;
        }
        let decided = match (name, decision) {
            (Some(TestName::Reject), _) => Some(InsurerDecision::Rejected {
                reason: PersonalLine::of_words("The sandbox rejects every proposer with this first name."),
            }),
            (Some(TestName::Refer), _) => None,
            (_, Decision::Insurer) => Some(InsurerDecision::Accepted { number: number_of(proposal.id) }),
            (_, Decision::Partner | Decision::Operator | Decision::StraightThrough) => None,
        };
        if let Some(decided) = decided {
            match self.decided(proposal, &decided).await {
                Ok(Decided::Done | Decided::Waits { .. }) => {}
                Err(Error::AgainstRules(broken)) => crate::proposal::note_referred(proposal.id, &broken),
                // Another request changed the proposal's status meanwhile.
                Err(Error::Refused(_)) => {}
                Err(other) => return Err(other),
            }
        }
        match paid {
            Paid::Later(wait) => self.wait_in_sandbox(lease, wait).await,
            Paid::Done => self.shared.storage.end_job(lease).await.map(|_| ()).map_err(Error::from),
        }
    }

    async fn wait_in_sandbox(&self, lease: &Lease, wait: std::time::Duration) -> Result<()> {
        let how =
            PutOff { due: self.shared.partner_clock.real() + wait, step: lease.step, faults: lease.faults };
        self.shared.storage.put_off(lease, how).await?;
        Ok(())
    }

    /// Simulates the customer's payment. A repeated call makes the same payment.
    async fn pay_in_sandbox(
        &self,
        of: domain::id::PartnerId,
        proposal: ProposalId,
        name: Option<TestName>,
    ) -> Result<Paid> {
        let Some(premium) = self.premiums.of_proposal(of, proposal).await? else { return Ok(Paid::Done) };
        let comes_by_itself = match premium.route {
            PremiumRoute::Link | PremiumRoute::Here => true,
            // The partner reports the payment, unless the name makes it late or short.
            PremiumRoute::Partner => matches!(name, Some(TestName::Late | TestName::Short)),
            PremiumRoute::Deposit => false,
        };
        if !comes_by_itself || premium.books.state() != PremiumState::Due {
            return Ok(Paid::Done);
        }
        let now = self.shared.partner_clock.now(of);
        if name == Some(TestName::Late) {
            let since = now.duration_since(premium.created_at).unsigned_abs();
            if since < LATE_BY {
                return Ok(Paid::Later(LATE_BY - since));
            }
        }
        let amount = match name {
            Some(TestName::Short) => premium.books.due - SHORT_BY,
            _ => premium.books.due,
        };
        let sales = vec![self.premiums.sale_of(&premium).await?.0];
        self.premiums.keep(&[SoldReceipt { receipt: payment(&premium, amount, now)?, sales }]).await?;
        Ok(Paid::Done)
    }
}

fn payment(premium: &ProposalPremium, amount: Rupees, at: domain::date::Timestamp) -> Result<Receipt> {
    let reference = PaymentReference::from_text(&format!("TEST-{}", premium.proposal));
    Ok(Receipt {
        partner: premium.partner,
        reference: reference
            .map_err(|_| Error::Internal("the reference of a test payment is invalid".into()))?,
        amount,
        received_on: day_of(at),
        by: Actor::Customer,
        at,
        payee: if premium.route == PremiumRoute::Here { Payee::Here } else { Payee::Insurer },
        late: false,
        is_live: false,
        tolerance: Rupees::ZERO,
        lines: vec![(premium.proposal, amount)],
    })
}
