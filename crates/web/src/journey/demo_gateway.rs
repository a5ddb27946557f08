//! Page of the fictional payment gateway, only under `serve --demo`.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use domain::premium::PaymentReference;
use domain::text::FromText;
use service::outside::payment_gateway::{CURRENCY, GatewayMessage, GatewayPayment, PaymentOrder};

use super::address::{Parameter, ROOT, redirect};
use super::demo::demo;
use super::form::Form;
use super::frame::{Framing, render_as};
use super::request::query_value;
use crate::app::App;
use crate::body;
use crate::context::Admitted;
use crate::error::{Problem, Result};

#[derive(Template)]
#[template(path = "journey/demo_gateway.html")]
struct GatewayPage {
    payee: String,
    what: String,
    amount: String,
    code: String,
    return_url: String,
}

/// Shows the amount and the payee of a payment order.
pub(crate) async fn get(State(app): State<App>, _: Admitted, parts: Parts) -> Result<Response> {
    let gateway = &demo(&app)?.gateway;
    let code = query_value(&parts, Parameter::Order).unwrap_or_default();
    let PaymentOrder { payee, what, amount, return_url, .. } =
        gateway.order(&code).ok_or_else(Problem::not_found_at_path)?;
    let amount = amount.grouped_with_paise();
    let page = GatewayPage { payee, what, amount, code, return_url: relative(&return_url) };
    Ok(render_as(StatusCode::OK, &Framing::Anyone, &page))
}

/// Simulates a payment: reports it to the service like a real gateway, and sends the customer back.
pub(crate) async fn post(State(app): State<App>, request: Request) -> Result<Response> {
    let bytes = body::form(request, &app).await?;
    let gateway = &demo(&app)?.gateway;
    let form = Form::parse(&bytes);
    let order = gateway.order(form.value(Parameter::Order)).ok_or_else(Problem::not_found_at_path)?;
    let reference = format!("pay_{}", app.service.installation.request_id().simple());
    let payment = GatewayPayment {
        order: order.id,
        reference: PaymentReference::from_text(&reference).map_err(Problem::unexpected)?,
        amount: order.amount,
        currency: CURRENCY.to_owned(),
    };
    let (body, signature) = gateway.tells(&payment);
    app.service.payments.hear(GatewayMessage { signature: Some(&signature), body: &body }).await?;
    Ok(redirect(relative(&order.return_url)))
}

/// Converts the address of a journey's page to an address relative to this page, because the browser may use
/// another host name.
fn relative(address: &str) -> String {
    match address.split_once(&format!("{ROOT}/")) {
        Some((_, rest)) => format!("..{ROOT}/{rest}"),
        None => address.to_owned(),
    }
}
