//! Claims with their papers.

use domain::claim::{Claim, WaivedPaper};
use domain::id::ClaimId;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use serde_json::{Value, json};
use service::claim::settlement::ClaimPaid;

use super::{Answer, App};

/// A claim for a death two days ago.
pub fn death(policy: &str) -> Value {
    json!({
        "policy_id": policy,
        "kind": "DEATH",
        "event_on": "2026-11-20",
        "cause": "Road accident",
        "place": "Bengaluru",
        "claimant": { "name": "Ravi Rao", "relation": "SPOUSE", "mobile": "+91 98765-43211", "email": "ravi@example.com" },
        "account": { "holder": "Ravi Rao", "number": "50100012345678", "ifsc": "hdfc0000001" },
        "claimed_amount": "500000",
    })
}

/// Bytes of this length that begin like a PDF. Nothing in the tests decodes them.
pub fn pdf(bytes: usize) -> Vec<u8> {
    let mut pdf = b"%PDF-1.7\n".to_vec();
    pdf.resize(bytes, b'x');
    pdf
}

impl App {
    /// Records that a claim was paid today, and waives its missing papers.
    pub async fn pays_claim(
        &self,
        claim: ClaimId,
        reference: PaymentReference,
        amount: Option<Rupees>,
    ) -> Result<Claim, service::Error> {
        let claims = &self.service.claims;
        let of = claims.owner(claim).await?;
        let made = claims.view(of, claim).await?.shown.claim;
        let reason = PersonalLine::kept("Seen by the branch".into());
        let missing = claims.missing_papers(&made).await?.into_iter();
        let waived = missing.map(|paper| WaivedPaper { paper, reason: reason.clone() }).collect();
        let payment =
            ClaimPaid { reference, paid_on: self.today(), amount, payee: None, transfer_total: None, waived };
        claims.paid(claim, Actor::Operator, payment).await
    }

    /// Reports a claim.
    pub async fn claims(&self, body: Value) -> Answer {
        self.post("/v1/claims", body).await
    }

    /// A claim on a new policy. Returns the claim's id and the policy's.
    pub async fn has_claim(&self) -> (String, String) {
        let policy = self.has_policy().await;
        let made = self.claims(death(&policy)).await;
        assert_eq!(made.status, 201, "{}", made.text);
        (made.json()["payload"]["claim_id"].as_str().expect("an id").to_owned(), policy)
    }

    /// A claim, as its partner reads it.
    pub async fn claim(&self, id: &str) -> Value {
        let answer = self.get(&format!("/v1/claims/{id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["payload"].clone()
    }

    /// Uploads a paper of a claim.
    pub async fn uploads(&self, claim: &str, query: &str, media_type: &str, bytes: Vec<u8>) -> Answer {
        let request = self
            .request("POST", &format!("/v1/claims/{claim}/documents{query}"))
            .bearer_auth(&self.partner().token)
            .header("content-type", media_type)
            .body(bytes);
        self.send(request).await
    }
}
