//! `POST /v1/insurers/{insurer_id}/decisions`: an insurer tells what it decided of a proposal (D29).

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::Response;
use domain::id::{ProposalId, kind};
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use serde_json::json;
use service::insurer::{IncomingMessage, InsurerDecision};

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
    body: Result<Body, Problem>,
) -> Result<Response, Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // Who is not shown to be the insurer is told nothing of a body that could not be taken (D43).
    let bytes = body.as_ref().map_or(&[][..], Body::bytes);
    // A proxy may have taken off what stands in front of our paths in the address that insurers call.
    let path = format!("{}{}", app.service.base_path(), uri.path());
    let told = IncomingMessage {
        authorization: text(header::AUTHORIZATION.as_str()),
        timestamp: text("covernote-timestamp"),
        signature: text("covernote-signature"),
        method: method.as_str(),
        path: &path,
        body: bytes,
        now: app.service.now(),
    };
    // An unknown insurer is told no more than one whose secret is wrong.
    let insurer = insurer.known("insurer").ok().filter(|insurer| app.service.is_insurer(*insurer, &told));
    let insurer = insurer.ok_or_else(|| {
        Problem::unauthenticated("Bearer", "This is not how an insurer of this service shows who it is.")
    })?;
    let (proposal, decision) = body?.read(decision)?;
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

/// Reads what an insurer tells.
pub(crate) fn decision(fields: &mut Fields<'_>) -> Option<(ProposalId, InsurerDecision)> {
    let wanted = "the id of a proposal, pro_ and 26 characters,";
    let proposal = fields.required("proposal_id", IdText::<kind::Proposal>::of(wanted));
    let word = fields.required("decision", text::<Word>());
    let number = match word {
        Some(Word::Accepted) => fields.required("policy_number", text::<PolicyNumber>()).map(Some),
        Some(Word::Pending | Word::Rejected) | None => {
            fields.optional("policy_number", text::<PolicyNumber>())
        }
    };
    if let (Some(Some(_)), Some(Word::Pending | Word::Rejected)) = (&number, word) {
        let message = "A policy_number beside a decision that does not accept was found; none is wanted.";
        fields.fault("policy_number", message);
    }
    let reason = fields.optional("reason", PlainText { longest: 2000 });
    let (proposal, number, reason) = (proposal?, number?, reason?);
    let decision = match (word?, number) {
        (Word::Accepted, number) => InsurerDecision::Accepted { number: number? },
        (Word::Pending, _) => InsurerDecision::Pending,
        (Word::Rejected, _) => {
            InsurerDecision::Rejected { reason: reason.as_deref().and_then(PersonalLine::of_words) }
        }
    };
    Some((proposal, decision))
}
