//! The work of a demo: applications, a change, a cancellation and a claim that wait for the operator's decision. A partner
//! makes them through the API, and the operator accepts two of them, so they are like every other record.

use std::time::Duration;

use domain::date::day_of;
use local_http::{Client, Request};
use serde_json::{Value, json};
use service::Service;
use service::proposal::operator::Verdict;

use super::demo::{CLIENT_ID, CLIENT_SECRET};

/// Longest wait for an answer of this server.
const LONGEST: Duration = Duration::from_secs(30);

/// The insurer whose applications the operator decides.
const DECIDED_HERE: &str = "Parikatha";

/// The insurer whose applications the partner completes.
const DECIDED_BY_PARTNER: &str = "Kalpanik";

/// The demo partner, as a client of this server.
struct Partner<'s> {
    service: &'s Service,
    client: Client,
    base: String,
    token: String,
}

type Outcome<T> = std::result::Result<T, String>;

/// Makes the work of a new demo. `base`: address of this server.
///
/// # Errors
/// The request that failed, and why.
pub(super) async fn make(service: &Service, base: &str) -> Outcome<()> {
    let mut partner = Partner { service, client: Client::new(), base: base.to_owned(), token: String::new() };
    let access = json!({ "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "scopes": ["business"] });
    let token = partner.send("POST", "/v1/auth/token", &access).await?;
    partner.token = text(&token["payload"]["access_token"]);
    for name in ["Meera", "Kabir"] {
        partner.proposes(DECIDED_HERE, name).await?;
    }
    let changed = partner.has_policy(DECIDED_HERE, "Asha").await?;
    let name = json!({ "title": "MS", "first_name": "Asha", "last_name": "Rao Iyer" });
    let change = json!({ "kind": "NAME", "name": name });
    partner.send("POST", &format!("/v1/policies/{changed}/endorsement"), &change).await?;
    let cancelled = partner.has_policy(DECIDED_HERE, "Ravi").await?;
    let quote = json!({ "reason": "FREE_LOOK" });
    let quote = partner.send("POST", &format!("/v1/policies/{cancelled}/cancellation-quote"), &quote).await?;
    let asked = json!({ "reason": "FREE_LOOK", "refund": quote["payload"]["refund"]["total"] });
    partner.send("POST", &format!("/v1/policies/{cancelled}/cancellation"), &asked).await?;
    partner.claims().await
}

impl Partner<'_> {
    async fn request(&self, method: &str, path: &str, media: &str, body: Vec<u8>) -> Outcome<Value> {
        let headers =
            [("Authorization", format!("Bearer {}", self.token)), ("Content-Type", media.to_owned())];
        let request = Request {
            method: method.to_owned(),
            url: format!("{}{path}", self.base),
            headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            body,
        };
        let answer = self.client.send(&request, LONGEST).await.map_err(|why| format!("{path}: {why}"))?;
        match answer.is_success() {
            true => serde_json::from_slice(&answer.body).map_err(|why| format!("{path}: {why}")),
            false => Err(format!("{path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body))),
        }
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> Outcome<Value> {
        self.request(method, path, "application/json", body.to_string().into_bytes()).await
    }

    /// Submits an application to an insurer. Returns its id.
    async fn proposes(&self, insurer: &str, first_name: &str) -> Outcome<String> {
        let ask = json!({
            "date_of_birth": "15/06/1990", "gender": "FEMALE", "cover_amount": "500000.00", "policy_term": 24,
        });
        let quote = &self.send("POST", "/v1/embedded/quote", &ask).await?["payload"];
        let mut offered = quote["recommendations"].as_array().into_iter().flatten();
        let is_of = |one: &&Value| {
            one["is_error"] != true
                && one["insurer_name"].as_str().is_some_and(|name| name.starts_with(insurer))
        };
        let offer = offered.find(is_of).ok_or_else(|| format!("{insurer} offers nothing"))?;
        let person = json!({
            "title": "MS", "first_name": first_name, "last_name": "Rao", "email": "asha.rao@example.com",
            "mobile": "9876543210", "date_of_birth": "15/06/1990", "gender": "FEMALE",
            "marital_status": "MARRIED", "nationality": "IND", "education": "GRADUATE",
            "occupation": "SALARIED", "organization": "PRIVATE_LTD", "annual_income": "900000",
            "address": {
                "address_line_1": "12 Lake Road", "address_line_2": "Indiranagar", "city": "Bengaluru",
                "state": "Karnataka", "pincode": "560038",
            },
            "documents": [{ "document_type": "PAN", "document_number": "ABCPR1234K" }],
        });
        let proposal = json!({
            "quote_id": quote["quote_id"], "recommendation_id": offer["recommendation_id"],
            "status": "SUBMITTED", "proposer": person, "insured_members": [person],
        });
        let made = self.send("POST", "/v1/embedded/proposal", &proposal).await?;
        Ok(text(&made["payload"]["proposal_id"]))
    }

    /// Sells a policy of an insurer. Returns its id.
    async fn has_policy(&self, insurer: &str, first_name: &str) -> Outcome<String> {
        let proposal = self.proposes(insurer, first_name).await?;
        let id = proposal.parse().map_err(|_| format!("{proposal} is no id"))?;
        let accept = Verdict::Accept { reason: None, insurer_number: None };
        match insurer {
            DECIDED_HERE => self
                .service
                .operator_proposals
                .decide(id, accept)
                .await
                .map(drop)
                .map_err(|why| why.to_string())?,
            _ => {
                let completed = json!({ "status": "COMPLETED" });
                self.send("PATCH", &format!("/v1/embedded/proposal/{proposal}"), &completed).await?;
            }
        }
        let (of, _) = self.service.operator_proposals.owner(id).await.map_err(|why| why.to_string())?;
        let policy = self.service.proposals.policy_of(of, id).await.map_err(|why| why.to_string())?;
        policy.map(|policy| policy.id.to_string()).ok_or_else(|| format!("{proposal} has no policy"))
    }

    /// Reports a claim with one document.
    async fn claims(&self) -> Outcome<()> {
        let policy = self.has_policy(DECIDED_BY_PARTNER, "Lata").await?;
        let today = day_of(self.service.installation.now());
        let claim = json!({
            "policy_id": policy, "kind": "DEATH", "event_on": today.to_string(), "cause": "Road accident",
            "claimant": { "name": "Ravi Rao", "relation": "SPOUSE", "mobile": "9876543211" },
            "account": { "holder": "Ravi Rao", "number": "50100012345678", "ifsc": "HDFC0000001" },
        });
        let made = self.send("POST", "/v1/claims", &claim).await?;
        let path =
            format!("/v1/claims/{}/documents?paper=death-certificate", text(&made["payload"]["claim_id"]));
        self.request(
            "POST",
            &path,
            "image/png",
            include_bytes!("../../samples/death-certificate.png").to_vec(),
        )
        .await
        .map(drop)
    }
}

/// A text of an answer. Empty if there is none.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
