//! The hosted journey: pages where a partner's customer finds a health plan, sees the price without giving a
//! name, and applies (interface §14; D38). Every page works without JavaScript.
//!
//! Uses `app`, `audit`, `body`, `context`, `error`, `journey_site`, `page`, `path`.

mod address;
mod amount;
mod arrival;
mod assets;
mod chart;
mod compare;
mod cover;
mod demo;
mod demo_gateway;
mod demo_loan;
mod details;
mod details_fields;
mod details_form;
mod error_page;
mod extract;
mod field;
mod form;
mod frame;
mod home_and_health;
mod offer;
mod page_context;
mod papers;
mod people;
mod plan;
mod plan_events;
mod plan_list;
mod plans;
mod price_change;
mod price_steps;
mod quote;
mod request;
mod review;
mod status;
mod status_premium;
mod status_renewal;
mod step;
mod visitor;
mod who;
mod words;

use axum::Router;
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use crate::app::App;
use address::{redirect, route};
use step::Step;

pub use crate::journey_site::Demo;

pub(crate) use address::is_below_root;
pub(crate) use error_page::problem_page;
pub(crate) use page_context::PageContext;
pub(crate) use status::status_address;

/// Routes of the journey. Empty if this server does not serve the journey.
pub(crate) fn router(app: &App) -> Router<App> {
    let Some(site) = app.journey() else { return Router::new() };
    let status = route(address::STATUS);
    let mut pages = Router::new()
        .route(address::ROOT, get(arrival::get).head(arrival::head))
        .route(&route(address::START), get(arrival::start))
        .route(&route(address::ASK), get(see_plans).post(plans::ask_again))
        .route(&route(address::EVENTS), get(plan_events::get))
        .route(&route(address::COMPARE), get(compare::get))
        .route(&route(address::PLAN), get(plan::get))
        .route(&route(address::CHOOSE), get(see_plans).post(plan::choose))
        .route(&route(address::PRICE), get(price_change::get).post(price_change::post))
        .route(&route(address::AGAIN), get(see_plans).post(status::again))
        .route(&format!("{status}/{{code}}"), get(status::get).post(status_renewal::post))
        .route(&format!("{status}/{{code}}/certificate"), get(status::certificate))
        .route(&format!("{status}/{{code}}/pay"), get(status_premium::pay))
        .route(assets::STYLESHEET, get(assets::stylesheet))
        .route(assets::SCRIPT, get(assets::script))
        .route(assets::ICON, get(assets::icon))
        .route(assets::OPERATOR_LOGO, get(assets::operator_logo));
    for step in Step::ALL {
        pages = pages.route(&route(step), page_of(*step));
    }
    match &site.demo {
        Some(_) => pages
            .route("/demo", get(demo::get).post(demo::post))
            .route("/demo/pay", get(demo_gateway::get).post(demo_gateway::post)),
        None => pages,
    }
}

/// Handlers for the page of a step.
fn page_of(step: Step) -> MethodRouter<App> {
    match step {
        Step::Who => get(who::get).post(who::post),
        Step::HomeAndHealth => get(home_and_health::get).post(home_and_health::post),
        Step::Cover => get(cover::get).post(cover::post),
        Step::Plans => get(plans::get),
        Step::Details => get(details::get).post(details::post),
        Step::Review => get(review::get).post(review::post),
    }
}

/// Redirects to the list of plans, if a person opens an address that only receives forms.
async fn see_plans() -> Response {
    redirect(Step::Plans)
}
