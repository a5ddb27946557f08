//! The hosted journey: pages on which a partner's customer finds a health plan, sees what it costs before giving a name,
//! and applies (interface §14; D38). Every page works without JavaScript.

mod amount;
mod arrive;
mod asset;
mod chart;
mod compare;
mod cover;
mod dead_end;
mod demo;
mod details;
mod details_form;
mod field;
mod form;
mod frame;
mod live;
mod offer;
mod person;
mod place;
mod plan;
mod plans;
mod price;
mod price_steps;
mod quoted;
mod review;
pub(crate) mod site;
mod status;
mod visitor;
mod who;
mod words;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;

pub use site::{Demo, JourneySite};

pub(crate) use dead_end::trouble;
pub(crate) use visitor::Seat;

/// Path at which browsers arrive; every page lies below it.
pub(crate) const PATH: &str = "/health";

/// Whether a path is one of the journey's, known or not.
pub(crate) fn is_at(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The journey's routes, where this server has one.
pub(crate) fn router(app: &App) -> Router<App> {
    let Some(site) = app.journey() else { return Router::new() };
    let pages = Router::new()
        .route("/health", get(arrive::get).head(arrive::head))
        .route("/health/start", get(arrive::start))
        .route("/health/who", get(who::get).post(who::post))
        .route("/health/place", get(place::get).post(place::post))
        .route("/health/cover", get(cover::get).post(cover::post))
        .route("/health/plans", get(plans::get))
        .route("/health/ask", get(see_plans).post(plans::ask_again))
        .route("/health/events", get(live::get))
        .route("/health/compare", get(compare::get))
        .route("/health/plan", get(plan::get))
        .route("/health/choose", get(see_plans).post(plan::choose))
        .route("/health/details", get(details::get).post(details::post))
        .route("/health/price", get(price::get).post(price::post))
        .route("/health/review", get(review::get).post(review::post))
        .route("/health/again", get(see_plans).post(status::again))
        .route("/health/status/{code}", get(status::get))
        .route("/health/status/{code}/certificate", get(status::certificate))
        .route(asset::STYLESHEET, get(asset::stylesheet))
        .route(asset::SCRIPT, get(asset::script));
    match &site.demo {
        Some(_) => pages.route("/demo", get(demo::get).post(demo::post)),
        None => pages,
    }
}

/// Leads to another page, by an address relative to this one.
pub(crate) fn lead_to(page: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, page.to_owned())]).into_response()
}

/// What a person is shown who comes by an address that only forms are sent to.
async fn see_plans() -> Response {
    lead_to("plans")
}
