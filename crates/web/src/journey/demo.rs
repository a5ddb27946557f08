//! The demo partner's page: its button does what a partner's backend does, so that a newcomer sees the whole journey in a
//! browser.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use domain::access::Scopes;
use service::access::token::TokenRequest;
use service::list::ListAsk;

use super::address::{Parameter, redirect};
use super::frame::{Framing, render_as};
use super::request::query_value;
use crate::app::App;
use crate::context::Admitted;
use crate::error::{Problem, Result};
use crate::journey_site::Demo;

#[derive(Template)]
#[template(path = "journey/demo.html")]
struct DemoPage {
    partner: String,
    /// The session with which a customer came back, with its applications.
    back: Option<(String, Vec<Sold>)>,
}

struct Sold {
    id: String,
    status: &'static str,
}

pub(crate) async fn get(State(app): State<App>, _: Admitted, parts: Parts) -> Result<Response> {
    let demo = demo(&app)?;
    let partner = app.service.tokens.authenticate(&demo.client_id, &demo.client_secret).await?.partner;
    let back = match query_value(&parts, Parameter::Session) {
        None => None,
        Some(session) => {
            let ask = ListAsk { session: Some(session.clone()), ..ListAsk::default() };
            let list = app.service.health_proposals.list(partner.id, ask).await?;
            let sold = list.records.iter().map(|record| Sold {
                id: record.proposal.id.to_string(),
                status: record.proposal.status.word(),
            });
            Some((session, sold.collect()))
        }
    };
    let demo_page = DemoPage { partner: partner.name.clone(), back };
    Ok(render_as(StatusCode::OK, &Framing::By(&partner), &demo_page))
}

/// Redirects to the journey with a new token.
pub(crate) async fn post(State(app): State<App>, _: Admitted) -> Result<Response> {
    let demo = demo(&app)?;
    let partner = app.service.tokens.authenticate(&demo.client_id, &demo.client_secret).await?;
    let wanted = TokenRequest { user_id: Some("demo-customer".to_owned()), scopes: Scopes::NONE };
    let token = app.service.tokens.issue_token(&partner, &wanted).await?.token;
    // Relative, so that it works at whatever address the browser found this page.
    Ok(redirect(format!("health?{}={token}", Parameter::SessionToken)))
}

pub(super) fn demo(app: &App) -> Result<&Demo> {
    app.journey().and_then(|site| site.demo.as_ref()).ok_or_else(Problem::not_found_at_path)
}
