//! Records as the API shows them, for commands that print JSON.

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

/// `GET /v1/policies`: one of the page.
pub fn policy(policy: &PolicyShown) -> Value {
    shown(&PolicySummary::of(policy))
}

/// `GET /v1/policies/{policy_id}`.
pub fn policy_view(view: &PolicyView) -> Value {
    shown(&PolicyDetail::of(view))
}

/// An endorsement among those of a policy.
pub fn endorsement(endorsement: &Endorsement) -> Value {
    shown(&EndorsementShown::of(endorsement))
}

/// `POST /v1/policies/{policy_id}/cancellation-quote`.
pub fn cancellation_quote(quote: &CancellationQuote) -> Value {
    shown(&CancellationQuoteShown::of(quote))
}

/// `POST /v1/policies/{policy_id}/endorsement-quote`.
pub fn endorsement_quote(quote: &EndorsementQuote) -> Value {
    shown(&EndorsementQuoteShown::of(quote))
}

/// `POST /v1/policies/{policy_id}/renewal-quote`.
pub fn renewal_quote(quote: &RenewalQuote) -> Value {
    shown(&RenewalQuoteShown::of(quote))
}

/// `GET /v1/claims`: one of the page.
pub fn claim(claim: &ClaimShown) -> Value {
    shown(&ClaimSummary::of(claim))
}

/// `GET /v1/claims/{claim_id}`.
pub fn claim_view(view: &ClaimView, documents: &[ClaimDocument]) -> Value {
    shown(&ClaimDetail::of(view, documents))
}

/// `GET /v1/statements`: one of the list.
pub fn statement(statement: &Statement) -> Value {
    shown(&StatementSummary::of(statement))
}

/// `GET /v1/webhooks/endpoints/{endpoint_id}`.
pub fn webhook_endpoint(endpoint: &WebhookEndpoint) -> Value {
    shown(&EndpointShown::of(endpoint))
}

/// `GET /v1/webhooks/endpoints/{endpoint_id}/deliveries`: one of the page.
pub fn delivery(delivery: &Delivery) -> Value {
    shown(&DeliveryShown::of(delivery))
}
