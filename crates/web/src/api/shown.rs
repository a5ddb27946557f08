//! Records as the JSON of the API, for commands that print JSON.

use domain::claim::ClaimDocument;
use domain::endorsement::Endorsement;
use domain::statement::Statement;
use domain::webhook::{Delivery, WebhookEndpoint};
use serde::Serialize;
use serde_json::{Value, to_value};
use service::claim::{ClaimShown, ClaimView};
use service::policy::cancellation::CancellationQuote;
use service::policy::endorsement::EndorsementQuote;
use service::policy::{PolicyShown, PolicyView};
use service::proposal::renewal::RenewalQuote;

use super::claim::{ClaimDetail, ClaimSummary};
use super::policy::cancellation::CancellationQuoteShown;
use super::policy::endorsement::EndorsementQuoteShown;
use super::policy::renewal::RenewalQuoteShown;
use super::policy::{EndorsementShown, PolicyDetail, PolicySummary};
use super::statement::StatementSummary;
use super::webhook::EndpointShown;
use super::webhook::delivery::DeliveryShown;

fn shown(answer: &impl Serialize) -> Value {
    to_value(answer).expect("an answer of ours serialises")
}

/// A policy as `GET /v1/policies` lists it.
pub fn policy(policy: &PolicyShown) -> Value {
    shown(&PolicySummary::of(policy))
}

/// A policy as `GET /v1/policies/{policy_id}` returns it.
pub fn policy_view(view: &PolicyView) -> Value {
    shown(&PolicyDetail::of(view))
}

/// An item of `endorsements` in `GET /v1/policies/{policy_id}`.
pub fn endorsement(endorsement: &Endorsement) -> Value {
    shown(&EndorsementShown::of(endorsement))
}

/// A cancellation quote as `POST /v1/policies/{policy_id}/cancellation-quote` returns it.
pub fn cancellation_quote(quote: &CancellationQuote) -> Value {
    shown(&CancellationQuoteShown::of(quote))
}

/// An endorsement quote as `POST /v1/policies/{policy_id}/endorsement-quote` returns it.
pub fn endorsement_quote(quote: &EndorsementQuote) -> Value {
    shown(&EndorsementQuoteShown::of(quote))
}

/// A renewal quote as `POST /v1/policies/{policy_id}/renewal-quote` returns it.
pub fn renewal_quote(quote: &RenewalQuote) -> Value {
    shown(&RenewalQuoteShown::of(quote))
}

/// A claim as `GET /v1/claims` lists it.
pub fn claim(claim: &ClaimShown) -> Value {
    shown(&ClaimSummary::of(claim))
}

/// A claim as `GET /v1/claims/{claim_id}` returns it.
pub fn claim_view(view: &ClaimView, documents: &[ClaimDocument]) -> Value {
    shown(&ClaimDetail::of(view, documents))
}

/// A statement as `GET /v1/statements` shows it in the list.
pub fn statement(statement: &Statement) -> Value {
    shown(&StatementSummary::of(statement))
}

/// A webhook endpoint as `GET /v1/webhooks/endpoints/{endpoint_id}` returns it.
pub fn webhook_endpoint(endpoint: &WebhookEndpoint) -> Value {
    shown(&EndpointShown::of(endpoint))
}

/// A delivery as `GET /v1/webhooks/endpoints/{endpoint_id}/deliveries` lists it.
pub fn delivery(delivery: &Delivery) -> Value {
    shown(&DeliveryShown::of(delivery))
}
