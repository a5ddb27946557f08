//! Premiums under test: products whose premium does not come from a deposit, with payments for them.

use domain::credit_life::CreditLife;
use domain::id::ProposalId;
use domain::money::Rupees;
use domain::premium::{Account, PremiumState, ProposalPremium};
use serde_json::{Value, json};

use super::{Answer, App, Setup};

pub const RECEIPTS: &str = "/v1/premiums/receipts";

/// The product of [`App::has_proposal`], which the partner decides.
pub const KALPANIK: &str = "insurers/kalpanik/loan-suraksha.toml";

/// A product that is issued at submission.
pub const NAMOONA: &str = "insurers/namoona/instant-loan-saathi.toml";

/// Another product that is issued at submission.
pub const MICRO: &str = "insurers/namoona/micro-loan-saathi.toml";

/// The body of a payment for proposals.
pub fn receipt(reference: &str, items: &[(&str, &str)]) -> Value {
    let paise = |amount: &str| -> i64 { amount.replace('.', "").parse().expect("an amount") };
    let sum: i64 = items.iter().map(|(_, amount)| paise(amount)).sum();
    let item = |(id, amount): &(&str, &str)| json!({ "proposal_id": id, "amount": amount });
    json!({
        "reference": reference,
        "amount": Rupees::from_paise(sum).to_string(),
        "received_on": "20/11/2026",
        "items": items.iter().map(item).collect::<Vec<_>>(),
    })
}

impl Setup {
    /// The sample, with partners who collect the premiums of the product that they decide.
    pub fn paid_by_partner() -> Self {
        Setup::default().with_premium(KALPANIK, "by = \"partner\"")
    }
}

impl App {
    /// The id of a proposal for a product that is issued at submission.
    pub async fn has_straight_through(&self) -> String {
        let body = self.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
        let made = self.post("/v1/embedded/proposal", body).await;
        assert_eq!(made.status, 201, "{}", made.text);
        made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
    }

    /// The id of a policy whose partner collected and reported the premium. Needs the setup
    /// [`Setup::paid_by_partner`].
    pub async fn has_policy_paid_by_partner(&self, reference: &str) -> String {
        let proposal = self.has_proposal("PENDING").await;
        let due = self.due(&proposal).await;
        let paid = self.pays(reference, &proposal, &due).await;
        assert_eq!(paid.status, 201, "{}", paid.text);
        let verdict = service::proposal::operator::Verdict::of(true, None);
        let id = proposal.parse().expect("an id");
        self.service.operator_proposals.decide(id, verdict).await.expect("decided");
        self.policy_id_of(&proposal).await
    }

    /// Reports a payment for one proposal.
    pub async fn pays(&self, reference: &str, id: &str, amount: &str) -> Answer {
        self.post(RECEIPTS, receipt(reference, &[(id, amount)])).await
    }

    /// The premium of a proposal of the default partner, which must have one.
    pub async fn premium_of(&self, id: &str) -> ProposalPremium {
        let id: ProposalId = id.parse().expect("an id");
        let premium = self.service.premiums.of_proposal(self.partner().id, id).await.expect("read");
        premium.expect("it owes a premium")
    }

    /// The amount due for a proposal, as text with two decimals.
    pub async fn due(&self, id: &str) -> String {
        self.premium_of(id).await.books.due.to_string()
    }

    /// State of a proposal's premium.
    pub async fn premium_state(&self, id: &str) -> PremiumState {
        self.premium_of(id).await.books.state()
    }

    /// Number of policies of a proposal of the default partner.
    pub async fn rows_of_policies(&self, id: &str) -> usize {
        let id: ProposalId = id.parse().expect("an id");
        let policy = self.service.proposals.policy_of(self.partner().id, id).await;
        usize::from(policy.expect("read").is_some())
    }

    /// Waits until a proposal is completed.
    pub async fn is_completed_at_last(&self, id: &str) {
        let completed = async || (self.status_of(id).await == "COMPLETED").then_some(());
        self.eventually("it is completed", completed).await;
    }

    /// The balance of an account, over all insurers. The ledger must be in balance.
    pub async fn balance(&self, account: Account) -> Rupees {
        let balances = self.service.premiums.balances().await.expect("read");
        assert_eq!(balances.iter().map(|one| one.balance).sum::<Rupees>(), Rupees::ZERO, "{balances:?}");
        balances.iter().filter(|one| one.account == account).map(|one| one.balance).sum()
    }
}
