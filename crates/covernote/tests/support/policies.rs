//! Policies under test: found by their proposals, and cancelled.

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::premium::Account;
use serde_json::{Value, json};

use super::{Answer, App};

impl App {
    /// The id of a credit-life policy whose product the partner decides.
    pub async fn has_policy(&self) -> String {
        let proposal = self.has_proposal("COMPLETED").await;
        self.policy_id_of(&proposal).await
    }

    /// The id of a credit-life policy with this kind of decision: partner, operator, insurer,
    /// straight-through.
    pub async fn has_policy_decided_by(&self, decision: &str) -> String {
        let body = self.has_proposal_body_decided_by(decision, "SUBMITTED").await;
        let answer = self.post("/v1/embedded/proposal", body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let proposal = answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        if self.status_of(&proposal).await != "COMPLETED" {
            let verdict = service::proposal::operator::Verdict::of(true, None);
            let id = proposal.parse().expect("an id");
            self.service.operator_proposals.decide(id, verdict).await.expect("decided");
        }
        self.policy_id_of(&proposal).await
    }

    /// The id of a proposal's policy.
    pub async fn policy_id_of(&self, proposal: &str) -> String {
        let id = proposal.parse().expect("an id");
        let (of, line) = self.service.operator_proposals.owner(id).await.expect("there");
        let proposals = &self.service.proposals;
        let policy = match line {
            LineOfBusiness::CreditLife => {
                proposals.policy_of(of, id).await.expect("read").map(|policy| policy.id)
            }
            LineOfBusiness::Health => {
                proposals.policy_of(of, id).await.expect("read").map(|policy| policy.id)
            }
        };
        policy.expect("its policy").to_string()
    }

    /// A policy, as its partner reads it.
    pub async fn policy(&self, id: &str) -> Value {
        let answer = self.get(&format!("/v1/policies/{id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"].clone()
    }

    /// Requests a quote for a cancellation.
    pub async fn quotes_cancellation(&self, id: &str, reason: &str) -> Answer {
        self.post(&format!("/v1/policies/{id}/cancellation-quote"), json!({ "reason": reason })).await
    }

    /// Requests a quote for a cancellation, and cancels with its refund.
    pub async fn cancels(&self, id: &str, reason: &str) -> Answer {
        let quote = self.quotes_cancellation(id, reason).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        let refund = quote.json()["payload"]["refund"]["total"].clone();
        self.post(&format!("/v1/policies/{id}/cancellation"), json!({ "reason": reason, "refund": refund }))
            .await
    }

    /// Requests a quote for a change.
    pub async fn quotes_endorsement(&self, id: &str, change: Value) -> Answer {
        self.post(&format!("/v1/policies/{id}/endorsement-quote"), change).await
    }

    /// Requests a quote for a change, and endorses with its amount.
    pub async fn endorses(&self, id: &str, change: Value) -> Answer {
        let quote = self.quotes_endorsement(id, change.clone()).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        let quote = quote.json()["payload"].clone();
        let mut body = change;
        for amount in ["charge", "refund"] {
            body[amount] = quote[amount]["total"].clone();
        }
        self.post(&format!("/v1/policies/{id}/endorsement"), body).await
    }

    /// The id of a health policy of the tests' catalogue for one year, which the operator accepted on 20
    /// November 2026.
    pub async fn has_health_policy(&self) -> String {
        let proposal = self.has_accepted_health_proposal().await;
        self.policy_id_of(&proposal).await
    }

    /// Requests a renewal quote for the same term.
    pub async fn quotes_renewal(&self, id: &str) -> Answer {
        self.post(&format!("/v1/policies/{id}/renewal-quote"), json!({})).await
    }

    /// Requests a renewal quote, and renews with its premium.
    pub async fn renews(&self, id: &str) -> Answer {
        let quote = self.quotes_renewal(id).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        let premium = quote.json()["payload"]["premium"]["total"].clone();
        self.post(&format!("/v1/policies/{id}/renewal"), json!({ "premium": premium })).await
    }

    /// Renews a policy, and the operator accepts. Returns the id of the new policy.
    pub async fn has_renewed(&self, id: &str) -> String {
        let answer = self.renews(id).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let proposal = answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        let verdict = service::proposal::operator::Verdict::of(true, None);
        let of = proposal.parse().expect("an id");
        self.service.operator_proposals.decide(of, verdict).await.expect("decided");
        self.policy_id_of(&proposal).await
    }

    /// Balances of the refund accounts: refunded premiums, and what insurers still owe of them.
    pub async fn refunds_booked(&self) -> (Rupees, Rupees) {
        (self.balance(Account::ReturnedPremium).await, self.balance(Account::PolicyRefund).await)
    }
}
