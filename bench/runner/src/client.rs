//! Partner of a server: its registration, and the records that it needs before a measurement.

use std::fs;
use std::path::Path;
use std::process::Command;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::load::Request;
use crate::server::{Manner, Server};
use crate::{Bench, Fault, QUOTE};

/// Scopes of a partner: all that the requests here need.
const SCOPES: &[&str] = &[
    "business",
    "business.session",
    "business.quote.read",
    "business.quote.write",
    "business.proposal.read",
    "business.proposal.write",
    "business.webhook",
];

/// Partner with a token for all [`SCOPES`].
pub(crate) struct Partner {
    client: Client,
    address: String,
    credentials: Value,
    pub(crate) token: String,
}

impl Partner {
    /// Creates a partner in the store of a server that does not run yet. Returns its credentials.
    pub(crate) fn register(bench: &Bench, home: &Path, database: Option<&str>) -> Result<Value, Fault> {
        fs::create_dir_all(home)?;
        let mut command = Command::new(bench.built.join("covernote"));
        command.current_dir(home).args(["partner", "create", "Bench", "--data", "data", "--json"]);
        command.args(SCOPES.iter().flat_map(|scope| ["--scope", scope]));
        command.args(database.iter().flat_map(|database| ["--database", database]));
        let made = command.output()?;
        if !made.status.success() {
            return Err(format!("no partner was created: {}", String::from_utf8_lossy(&made.stderr)).into());
        }
        Ok(serde_json::from_slice(&made.stdout)?)
    }

    /// Starts covernote on SQLite in a new folder, with a partner.
    pub(crate) async fn on_sqlite(
        bench: &Bench,
        folder: &str,
        manner: &Manner,
    ) -> Result<(Server, Self), Fault> {
        let home = bench.folder.path().join(folder);
        let credentials = Partner::register(bench, &home, None)?;
        let server = Server::covernote(bench, &home, manner)?;
        let partner = Partner::of(&server.address, credentials).await?;
        Ok((server, partner))
    }

    /// Waits until `/readyz` of a server succeeds.
    pub(crate) async fn is_ready(address: &str) -> Result<(), Fault> {
        while !reqwest::get(format!("http://{address}/readyz")).await?.status().is_success() {}
        Ok(())
    }

    /// Partner of a server's store, with a new token.
    pub(crate) async fn of(address: &str, credentials: Value) -> Result<Self, Fault> {
        let (client, address) = (Client::new(), address.to_owned());
        let mut partner = Partner { client, address, credentials, token: String::new() };
        partner.token = partner.token_for(SCOPES).await?;
        Ok(partner)
    }

    /// Gets a token with only these scopes.
    pub(crate) async fn token_for(&self, scopes: &[&str]) -> Result<String, Fault> {
        let body = json!({
            "client_id": self.credentials["client_id"], "client_secret": self.credentials["client_secret"],
            "scopes": scopes,
        });
        let answer = self.post("/v1/auth/token", body.to_string()).await?;
        text(&answer["payload"]["access_token"])
    }

    /// Quote request of the measurements.
    pub(crate) fn quote_request(&self) -> Request {
        Request::post("/v1/embedded/quote", QUOTE, &self.token)
    }

    /// Gets a quote. Returns the body of the response.
    pub(crate) async fn quote(&self) -> Result<String, Fault> {
        self.send("POST", "/v1/embedded/quote", Some(QUOTE.to_owned())).await
    }

    /// Makes and completes a proposal for the cheapest item of a quote. Its product lets the partner decide.
    /// Returns the proposal's id.
    pub(crate) async fn completed_proposal(&self) -> Result<String, Fault> {
        let quote: Value = serde_json::from_str(&self.quote().await?)?;
        let quote = &quote["payload"];
        let body = proposal(&quote["quote_id"], &quote["recommendations"][0]["recommendation_id"]);
        let made = self.post("/v1/embedded/proposal", body.to_string()).await?;
        let id = text(&made["payload"]["proposal_id"])?;
        let completed = json!({ "status": "COMPLETED" }).to_string();
        self.send("PATCH", &format!("/v1/embedded/proposal/{id}"), Some(completed)).await?;
        Ok(id)
    }

    /// Requests a recommendation. Returns the quote's id.
    pub(crate) async fn recommendation(&self) -> Result<String, Fault> {
        let made = self.post("/v1/business/health/recommendation", recommendation().to_string()).await?;
        text(&made["payload"]["quote_id"])
    }

    /// Waits for a recommendation. Polls without pauses.
    pub(crate) async fn wait_for(&self, quote: &str) -> Result<(), Fault> {
        while !self.is_finished(quote).await? {}
        Ok(())
    }

    /// Whether a recommendation is finished. An error if it failed.
    pub(crate) async fn is_finished(&self, quote: &str) -> Result<bool, Fault> {
        let shown = self.get(&format!("/v1/business/health/recommendation/{quote}")).await?;
        match shown["payload"]["status"].as_str() {
            Some("SUCCESS" | "success") => Ok(true),
            Some("FAILED" | "failed") => Err("a recommendation failed".into()),
            _ => Ok(false),
        }
    }

    /// Walks a customer to the page of plans, and waits for all plans. Returns the cookie.
    pub(crate) async fn customer(&self) -> Result<String, Fault> {
        let (cookie, _) = self.customer_at_plans().await?;
        let plans = format!("http://{}/health/plans", self.address);
        loop {
            let shown = self.client.get(&plans).header("cookie", &cookie).send().await?;
            if !shown.error_for_status()?.text().await?.contains("id=\"progress\"") {
                return Ok(cookie);
            }
        }
    }

    /// Walks a customer to the page of plans. Returns the cookie and the forms' proof (against CSRF).
    pub(crate) async fn customer_at_plans(&self) -> Result<(String, String), Fault> {
        let base = format!("http://{}/health", self.address);
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
        let token = self.token_for(&["business.session"]).await?;
        let opened = client.get(format!("{base}?session_token={token}")).send().await?;
        let cookie = opened.headers().get("set-cookie").ok_or("no cookie")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let page = async |page: &str| -> Result<String, Fault> {
            let shown = client.get(format!("{base}/{page}")).header("cookie", &cookie).send().await?;
            Ok(shown.error_for_status()?.text().await?)
        };
        let who = page("who").await?;
        let proof = who.split("name=\"proof\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let proof = proof.ok_or("no proof")?;
        for (step, answers) in [
            ("who", "self=34&spouse=36&child-1=daughter&child-1-age=6"),
            ("place", "pincode=560038&illness=no&porting=no"),
            ("cover", "plan=base&sum=1000000"),
        ] {
            let form = format!("proof={proof}&{answers}");
            let sent =
                client.post(format!("{base}/{step}")).header("cookie", &cookie).body(form).send().await?;
            if sent.status() != StatusCode::SEE_OTHER {
                return Err(format!("the form of {step} got status {}", sent.status()).into());
            }
        }
        page("plans").await?;
        Ok((cookie, proof.to_owned()))
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value, Fault> {
        Ok(serde_json::from_str(&self.send("GET", path, None).await?)?)
    }

    pub(crate) async fn post(&self, path: &str, body: String) -> Result<Value, Fault> {
        Ok(serde_json::from_str(&self.send("POST", path, Some(body)).await?)?)
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<(), Fault> {
        self.send("DELETE", path, None).await.map(|_| ())
    }

    async fn send(&self, method: &str, path: &str, body: Option<String>) -> Result<String, Fault> {
        let mut request = self.client.request(method.parse()?, format!("http://{}{path}", self.address));
        if !self.token.is_empty() {
            request = request.bearer_auth(&self.token);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let answer = request.send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        if status.is_success() {
            Ok(text)
        } else {
            Err(format!("{method} {path} got status {status}: {text}").into())
        }
    }
}

pub(crate) fn text(value: &Value) -> Result<String, Fault> {
    value.as_str().map(str::to_owned).ok_or_else(|| "a response lacks an expected field".into())
}

/// Request for a recommendation for a family of four.
fn recommendation() -> Value {
    json!({
        "lead_id": "lead-1", "user_id": "user-1", "hasPED": false,
        "customer": {
            "name": "Asha Rao", "gender": "Female", "phoneNumber": "9876543210", "pinCode": "560038",
            "email": "asha.rao@example.com",
        },
        "members": { "self": [{ "age": 34 }], "spouse": [{ "age": 36 }], "daughter": [{ "age": 6 }], "son": [{ "age": 3 }] },
    })
}

/// Proposal of a person who insures herself.
fn proposal(quote: &Value, recommendation: &Value) -> Value {
    let address = json!({
        "address_line_1": "12 MG Road", "address_line_2": "Indiranagar", "address_line_3": "Near the lake",
        "city": "Bengaluru", "state": "Karnataka", "country": "India", "pincode": "560038",
    });
    let person = json!({
        "title": "MS", "first_name": "Asha", "middle_name": "K", "last_name": "Rao", "email": "asha.rao@example.com",
        "mobile": "9876543210", "country_code": "+91", "date_of_birth": "15/06/1990", "address": address,
        "nationality": "IND", "gender": "FEMALE", "marital_status": "MARRIED", "annual_income": "900000",
        "occupation": "SALARIED", "organization": "PRIVATE_LTD", "education": "GRADUATE", "employer": "Example Works",
        "documents": [{ "document_type": "PAN", "document_number": "ABCPR1234K" }],
    });
    json!({
        "quote_id": quote, "recommendation_id": recommendation, "status": "SUBMITTED",
        "proposer": person, "insured_members": [person],
    })
}
