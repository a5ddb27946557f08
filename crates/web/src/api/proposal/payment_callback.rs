//! `POST /v1/payments/callback`: the payment gateway tells that a customer paid (D65).

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use service::outside::payment_gateway::GatewayMessage;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::app::App;
use crate::body;
use crate::error::{Code, Problem, Result};
use crate::response::json as answer_json;

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/payments/callback",
    id: "tellPayment",
    tag: "Premiums",
    summary: "Tell a payment",
    description: "For the operator's payment gateway alone: a customer paid a premium on its page. The body is the gateway's own, and its signature is in the gateway's own header. Telling the same again changes nothing.",
    access: Access::Instead("the gateway's signature"),
    gives: Gives::empty_object(200, "It is taken."),
    refuses: &[Code::A4001, Code::R4040, Code::S4090, Code::V4130],
    guide: "premiums.md#payments-on-a-page-here",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Takes what the gateway tells. Who did not sign it learns nothing of it.
async fn post(State(app): State<App>, request: Request) -> Result<Response> {
    let header = app.service.payments.signature_header()?;
    let signature = request.headers().get(header).and_then(|value| value.to_str().ok()).map(str::to_owned);
    // What a gateway sends is its own: JSON, a form, or something else.
    let body = body::form(request, &app).await?;
    let message = GatewayMessage { signature: signature.as_deref(), body: &body };
    match app.service.payments.hear(message).await? {
        true => Ok(answer_json(StatusCode::OK, &json!({}))),
        false => Err(Problem::unauthenticated("Signature", "This is not signed by the payment gateway.")),
    }
}
