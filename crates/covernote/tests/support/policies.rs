//! Policies under test: found by their proposals, and cancelled.

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::premium::Account;
use serde_json::{Value, json};

use super::{Answer, App};

impl App {
    /// A policy of credit life whose product its partner decides: its id.
    pub async fn has_policy(&self) -> String {
        let proposal = self.has_proposal("COMPLETED").await;
        self.policy_id_of(&proposal).await
    }

    /// A policy of credit life whose product is decided so: partner, operator, insurer, straight-through.
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

    /// The policy of a proposal: its id.
    pub async fn policy_id_of(&self, proposal: &str) -> String {
        let id = proposal.parse().expect("an id");
        let (of, line) = self.service.operator_proposals.owner(id).await.expect("there");
        let proposals = &self.service.proposals;
        let policy = match line {
            LineOfBusiness::CreditLife => {
                proposals.policy_of::<CreditLife>(of, id).await.expect("read").map(|policy| policy.id)
            }
            LineOfBusiness::Health => {
                proposals.policy_of::<Health>(of, id).await.expect("read").map(|policy| policy.id)
            }
        };
        policy.expect("its policy").to_string()
    }

    /// Everything of a policy.
    pub async fn policy(&self, id: &str) -> Value {
        let answer = self.get(&format!("/v1/policies/{id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"].clone()
    }

    /// Asks what would come back.
    pub async fn quotes_cancellation(&self, id: &str, reason: &str) -> Answer {
        self.post(&format!("/v1/policies/{id}/cancellation-quote"), json!({ "reason": reason })).await
    }

    /// Asks what would come back, and cancels with it.
    pub async fn cancels(&self, id: &str, reason: &str) -> Answer {
        let quote = self.quotes_cancellation(id, reason).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        let refund = quote.json()["payload"]["refund"]["total"].clone();
        self.post(&format!("/v1/policies/{id}/cancellation"), json!({ "reason": reason, "refund": refund }))
            .await
    }

    /// Asks what a change would cost or give back.
    pub async fn quotes_endorsement(&self, id: &str, change: Value) -> Answer {
        self.post(&format!("/v1/policies/{id}/endorsement-quote"), change).await
    }

    /// Asks what a change would cost or give back, and endorses with it.
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

    /// A health policy of the tests' health catalogue that its operator accepted on 20 November 2026, for a year: its id.
    pub async fn has_health_policy(&self) -> String {
        let proposal = self.has_accepted_health_proposal().await;
        self.policy_id_of(&proposal).await
    }

    /// Asks what a renewal would cost for as long as before.
    pub async fn quotes_renewal(&self, id: &str) -> Answer {
        self.post(&format!("/v1/policies/{id}/renewal-quote"), json!({})).await
    }

    /// Asks what a renewal would cost, and renews with it.
    pub async fn renews(&self, id: &str) -> Answer {
        let quote = self.quotes_renewal(id).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        let premium = quote.json()["payload"]["premium"]["total"].clone();
        self.post(&format!("/v1/policies/{id}/renewal"), json!({ "premium": premium })).await
    }

    /// Renews a policy by its operator, who accepts: the id of the new one.
    pub async fn has_renewed(&self, id: &str) -> String {
        let answer = self.renews(id).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let proposal = answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        let verdict = service::proposal::operator::Verdict::of(true, None);
        let of = proposal.parse().expect("an id");
        self.service.operator_proposals.decide(of, verdict).await.expect("decided");
        self.policy_id_of(&proposal).await
    }

    /// What the ledger has on the accounts of refunds: what comes back of premiums, and what insurers owe of it.
    pub async fn refunds_booked(&self) -> (Rupees, Rupees) {
        (self.balance(Account::ReturnedPremium).await, self.balance(Account::PolicyRefund).await)
    }
}
