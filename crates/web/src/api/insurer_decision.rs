//! `POST /v1/insurers/{insurer_id}/decisions`: an insurer tells what it decided of a proposal (D29).

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::Response;
use domain::id::{ProposalId, kind};
use domain::policy::PolicyNumber;
use domain::text::FromText;
use serde_json::json;
use service::insurer::{InsurerDecision, Told};

use crate::answer::json as answer_json;
use crate::app::App;
use crate::body::Body;
use crate::error::Problem;
use crate::path::PathId;
use crate::reader::Fields;
use crate::shape::{IdText, PlainText, text};

/// Takes a decision from the insurer, who shows itself as it does when it is asked.
pub(crate) async fn post(
    State(app): State<App>,
    insurer: PathId<kind::Insurer>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let told = Told {
        authorization: text(header::AUTHORIZATION.as_str()),
        timestamp: text("covernote-timestamp"),
        signature: text("covernote-signature"),
        method: method.as_str(),
        path: uri.path(),
        body: body.bytes(),
        now: app.service.now(),
    };
    // An unknown insurer is told no more than one whose secret is wrong.
    let insurer = insurer.known("insurer").ok().filter(|insurer| app.service.is_insurer(*insurer, &told));
    let insurer = insurer.ok_or_else(|| {
        Problem::unauthenticated("Bearer", "This is not how an insurer of this service shows who it is.")
    })?;
    let (proposal, decision) = body.read(decision)?;
    app.service.hear_decision(insurer, proposal, decision).await?;
    Ok(answer_json(StatusCode::OK, &json!({})))
}

domain::vocabulary! {
    /// What an insurer decided.
    Word, "one of pending, accepted, rejected" {
        /// Nothing yet.
        Pending = "pending",
        /// The policy is its own now.
        Accepted = "accepted",
        /// It refuses.
        Rejected = "rejected",
    }
}

/// The number under which an insurer keeps a policy.
struct Number(String);

impl FromText for Number {
    const WANTED: &'static str = "the insurer's own policy number, 1 to 100 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match text.chars().count() {
            101.. => Err("longer text"),
            _ if text.chars().any(char::is_control) => Err("text with control characters"),
            _ => Ok(Number(text.to_owned())),
        }
    }
}

/// Reads what an insurer tells.
pub(crate) fn decision(fields: &mut Fields<'_>) -> Option<(ProposalId, InsurerDecision)> {
    let proposal = fields.required(
        "proposal_id",
        IdText::<kind::Proposal>::of("the id of a proposal, pro_ and 26 characters"),
    );
    let word = fields.required("decision", text::<Word>());
    let accepted = word == Some(Word::Accepted);
    let number = if accepted {
        fields.required("policy_number", text::<Number>()).map(Some)
    } else {
        fields.optional("policy_number", text::<Number>())
    };
    let reason = fields.optional("reason", PlainText { longest: 200 });
    let (proposal, number, reason) = (proposal?, number?, reason?);
    let decision = match (word?, number) {
        (Word::Pending, _) => InsurerDecision::Pending,
        (Word::Accepted, number) => InsurerDecision::Accepted { number: PolicyNumber::kept(number?.0) },
        (Word::Rejected, _) => InsurerDecision::Rejected { reason },
    };
    Some((proposal, decision))
}
