//! The demo partner's page: one button that does what a partner's backend does, so that a newcomer sees the whole journey
//! in a browser.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use domain::access::Scopes;
use service::list::ListAsk;
use service::token::TokenRequest;

use super::frame::{Framing, page};
use super::lead_to;
use super::visitor::in_query;
use crate::app::App;
use crate::error::Problem;

#[derive(Template)]
#[template(path = "journey/demo.html")]
struct DemoPage {
    partner: String,
    /// The session that a customer came back with, and the applications of it.
    back: Option<(String, Vec<Sold>)>,
}

struct Sold {
    id: String,
    status: &'static str,
}

pub(crate) async fn get(State(app): State<App>, parts: Parts) -> Result<Response, Problem> {
    let demo = demo(&app)?;
    let partner = app.service.authenticate(&demo.client_id, &demo.client_secret).await?.partner.clone();
    let back = match in_query(&parts, "session_id") {
        None => None,
        Some(session) => {
            let ask = ListAsk { session: Some(session.clone()), ..ListAsk::default() };
            let found = app.service.health_proposals(partner.id, ask).await?;
            let sold = found.records.iter().map(|found| Sold {
                id: found.proposal.id.to_string(),
                status: found.proposal.status.word(),
            });
            Some((session, sold.collect()))
        }
    };
    let shown = DemoPage { partner: partner.name.clone(), back };
    Ok(page(StatusCode::OK, &Framing::By(&partner), &shown))
}

/// A fresh token, and the redirect.
pub(crate) async fn post(State(app): State<App>) -> Result<Response, Problem> {
    let demo = demo(&app)?;
    let partner = app.service.authenticate(&demo.client_id, &demo.client_secret).await?.partner.clone();
    let wanted = TokenRequest { user_id: Some("demo-customer".to_owned()), scopes: Scopes::NONE };
    let token = app.service.issue_token(&partner, &wanted).await?.token;
    // Relative, so that whatever address the browser found this page at also leads on.
    Ok(lead_to(&format!("health?session_token={token}")))
}

fn demo(app: &App) -> Result<&super::Demo, Problem> {
    app.journey().and_then(|site| site.demo.as_ref()).ok_or_else(Problem::not_found_at_path)
}
