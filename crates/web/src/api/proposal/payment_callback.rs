//! `POST /v1/payments/callback`: the payment gateway reports a customer's payment (D65).

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
    summary: "Report a customer's payment",
    description: "Only for the operator's payment gateway. Reports that a customer paid a premium on the gateway's page. The body and the signature header have the gateway's own format. Repeating the report changes nothing.",
    access: Access::Open,
    gives: Gives::empty_object(200, "The payment is accepted."),
    refuses: &[Code::A4001, Code::R4040, Code::S4090, Code::V4130],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Records a payment that the gateway reports. A caller without a valid signature gets no information about
/// the payment.
async fn post(State(app): State<App>, request: Request) -> Result<Response> {
    let header = app.service.payments.signature_header()?;
    let signature = request.headers().get(header).and_then(|value| value.to_str().ok()).map(str::to_owned);
    // The format depends on the gateway: JSON, a form, or something else.
    let body = body::form(request, &app).await?;
    let message = GatewayMessage { signature: signature.as_deref(), body: &body };
    match app.service.payments.hear(message).await? {
        true => Ok(answer_json(StatusCode::OK, &json!({}))),
        false => {
            Err(Problem::unauthenticated("Signature", "The request is not signed by the payment gateway."))
        }
    }
}
