//! Page of the demo partner. Its two forms do what a partner's backend would do, so that newcomers can see
//! everything in a browser.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use domain::access::Scopes;
use domain::language::Language;
use domain::partner::Partner;
use service::access::token::TokenRequest;
use service::list::ListAsk;

use super::address::{self, Parameter, redirect};
use super::demo_loan::{self, Loan};
use super::form::Form;
use super::frame::{Framing, render_as};
use super::request::query_value;
use super::words::Words;
use crate::app::App;
use crate::body;
use crate::context::{Admitted, RequestContext};
use crate::error::{Problem, Result};
use crate::journey_site::Demo;

#[derive(Template)]
#[template(path = "journey/demo.html")]
struct DemoPage<'a> {
    partner: &'a str,
    demo: &'a Demo,
    loan: Loan,
    /// Session id of a customer who came back from the journey, with the sales in that session.
    back: Option<(String, Vec<Sold>)>,
}

struct Sold {
    id: String,
    status: &'static str,
    /// Address of the sale's status page. Empty if the sale was not made on the hosted pages.
    address: String,
}

pub(crate) async fn get(State(app): State<App>, _: Admitted, parts: Parts) -> Result<Response> {
    let demo = demo(&app)?;
    let partner = app.service.tokens.authenticate(&demo.client_id, &demo.client_secret).await?.partner;
    let back = match query_value(&parts, Parameter::Session) {
        None => None,
        Some(session) => Some((session.clone(), sold(&app, &partner, session).await?)),
    };
    let loan = Loan::example(Words::of(Language::English));
    let page = DemoPage { partner: &partner.name, demo, loan, back };
    Ok(render_as(StatusCode::OK, &Framing::By(&partner), &page))
}

/// Sales that were made in a session.
async fn sold(app: &App, partner: &Partner, session: String) -> Result<Vec<Sold>> {
    let ask = ListAsk { session: Some(session), ..ListAsk::default() };
    let list = app.service.health_proposals.list(partner.id, ask).await?;
    let sold = list.records.iter().map(|record| {
        let id = record.proposal.id;
        let page = || format!("health/{}", address::status(&app.service.status_pages.code(partner.id, id)));
        Sold {
            id: id.to_string(),
            status: record.proposal.status.word(),
            address: record.proposal.application.journey().map(|_| page()).unwrap_or_default(),
        }
    });
    Ok(sold.collect())
}

/// Handles both forms of the page. For the loan's form, shows prices. For the form without fields, redirects
/// to the journey with a new session token.
pub(crate) async fn post(
    State(app): State<App>,
    context: RequestContext,
    request: Request,
) -> Result<Response> {
    let mut form = Form::parse(&body::form(request, &app).await?);
    let demo = demo(&app)?;
    let caller = app.service.tokens.authenticate(&demo.client_id, &demo.client_secret).await?;
    if !demo_loan::is_sent(&form) {
        let wanted = TokenRequest { user_id: Some("demo-customer".to_owned()), scopes: Scopes::NONE };
        let token = app.service.tokens.issue_token(&caller, &wanted).await?.token;
        // A relative address works whatever host name the browser uses.
        return Ok(redirect(format!("health?{}={token}", Parameter::SessionToken)));
    }
    let (partner, words) = (&caller.partner, Words::of(Language::English));
    let today = app.service.policies.today_of(partner.id);
    let (status, prices) = match demo_loan::read(&mut form, words, today) {
        Some(asked) => (StatusCode::OK, Some(demo_loan::price(&app, &context, partner.id, asked).await?)),
        None => (StatusCode::UNPROCESSABLE_ENTITY, None),
    };
    let loan = Loan::of(form, prices, words);
    let page = DemoPage { partner: &partner.name, demo, loan, back: None };
    Ok(render_as(status, &Framing::By(partner), &page))
}

pub(super) fn demo(app: &App) -> Result<&Demo> {
    app.journey().and_then(|site| site.demo.as_ref()).ok_or_else(Problem::not_found_at_path)
}
