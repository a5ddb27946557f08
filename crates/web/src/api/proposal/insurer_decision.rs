//! `POST /v1/insurers/{insurer_id}/decisions`: an insurer reports its decision on a proposal (D29).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::id::{ProposalId, kind};
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use serde_json::json;
use service::insurer::InsurerDecision;

use crate::api::access::insurer_caller::InsurerCall;
use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::body::Body;
use crate::error::{Code, Result};
use crate::reader::Fields;
use crate::response::json as answer_json;
use crate::shape::{IdText, PlainText, describe, text};

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/insurers/{insurer_id}/decisions",
    id: "tellDecision",
    tag: "Insurers",
    summary: "Report a decision",
    description: "Only for insurers. Reports your decision on a proposal that was sent to you. Authenticate as this service does when it calls you: with the shared secret as bearer token, or with an HMAC signature. Repeating the report changes nothing.",
    access: Access::Open,
    takes: Some(Takes::Json { schema: || describe(decision), example: example::decision }),
    gives: Gives::empty_object(200, "The decision is accepted."),
    refuses: &[Code::A4001, Code::R4040, Code::S4090],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Records an insurer's decision on a proposal. The insurer authenticates as this service does in its calls
/// to the insurer.
async fn post(State(app): State<App>, call: InsurerCall, body: Result<Body>) -> Result<Response> {
    let insurer = call.check(&app, &body)?;
    let (proposal, decision) = body?.read(decision)?;
    app.service.decisions.hear(insurer, proposal, decision).await?;
    Ok(answer_json(StatusCode::OK, &json!({})))
}

domain::vocabulary! {
    /// Decision of an insurer on a proposal.
    Word, "one of pending, accepted, rejected" {
        /// The insurer has not decided yet.
        Pending = "pending",
        /// The insurer accepts the proposal, and sends its policy number.
        Accepted = "accepted",
        /// The insurer refuses the proposal.
        Rejected = "rejected",
    }
}

/// Reads the body of a decision. Returns the proposal's id and the decision.
pub(crate) fn decision(fields: &mut Fields<'_>) -> Option<(ProposalId, InsurerDecision)> {
    let wanted = "the id of a proposal, pro_ and 26 characters";
    let proposal = fields.required("proposal_id", IdText::<kind::Proposal>::of(wanted));
    let word = fields.required("decision", text::<Word>());
    let number = match word {
        Some(Word::Accepted) => fields.required("policy_number", text::<PolicyNumber>()).map(Some),
        Some(Word::Pending | Word::Rejected) | None => {
            fields.optional("policy_number", text::<PolicyNumber>())
        }
    };
    if let (Some(Some(_)), Some(Word::Pending | Word::Rejected)) = (&number, word) {
        let message = "Send policy_number only with a decision that accepts.";
        fields.fault("policy_number", message);
    }
    let reason = fields.optional("reason", PlainText::of(2000));
    fields.nothing_but(&["proposal_id", "decision", "policy_number", "reason"]);
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
