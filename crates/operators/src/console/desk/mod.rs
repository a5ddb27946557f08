//! Desks: designed pages for the work of a day. A desk shows the answers of actions and the forms of actions, so it has no
//! rule, no query and no permission of its own.

mod approvals;
mod claim;
mod customer;
mod money;
mod partners;
mod renewals;
mod today;

use askama::Template;
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::Value;
use service::team::SignedIn;
use std::sync::Arc;
use web::error::Problem;

use super::Console;
use super::form::{ActForm, Pairs, SightForm};
use super::held;
use super::record::{ActLink, Piece, Section};
use super::said::{page, problem_page};
use super::visit::Visit;
use super::visitor::Visitor;

/// Routes of the desks.
pub(super) fn routes() -> Router<Arc<Console>> {
    Router::new()
        .route("/", get(today::desk))
        .route("/search", get(customer::search).post(customer::searched))
        .route("/customer", get(customer::desk))
        .route("/claim", get(claim::desk))
        .route("/claim/paper", get(claim::paper))
        .route("/approvals", get(approvals::desk))
        .route("/money", get(money::desk))
        .route("/renewals", get(renewals::desk))
        .route("/partners", get(partners::desk))
        .route("/partner", get(partners::partner))
}

/// A form of an action on a desk.
struct DeskForm {
    title: String,
    form: ActForm,
    /// Whether the form is shown without a click.
    is_open: bool,
}

/// A link to another view of a desk.
struct View {
    name: String,
    address: String,
    is_shown: bool,
}

/// An uploaded document that a page shows.
struct Viewed {
    name: String,
    address: String,
    is_image: bool,
}

/// Part of a desk.
enum Block {
    Sections(Vec<Section>),
    Forms(Vec<DeskForm>),
    Links(String, Vec<ActLink>),
    Sight(SightForm),
    Tasks(Vec<today::TaskGroup>),
    /// The box of the search, with the text that was sought.
    Search(String),
    /// A record: its heading, its sections, and what can be done with it.
    Record(String, Vec<Section>, Vec<ActLink>),
    Documents(Vec<Viewed>),
    /// A heading with its figures: label, value, and whether somebody must act.
    Figures(String, Vec<(String, Vec<Piece>, bool)>),
}

#[derive(Default, Template)]
#[template(path = "desk.html")]
struct DeskPage {
    title: String,
    about: String,
    views: Vec<View>,
    notes: Vec<Vec<Piece>>,
    /// Columns side by side on a wide screen.
    columns: Vec<Vec<Block>>,
    /// Address of the desk, to which its forms return.
    back: String,
    next: Option<String>,
    /// Whether the desk is loaded again from time to time.
    is_live: bool,
}

impl Visit<'_> {
    /// Shows a desk, with what was done before.
    fn desk(&self, mut desk: DeskPage) -> Response {
        let (told, forgets) = held::told(self.console, self.headers).unzip();
        let told: Vec<Vec<Piece>> =
            told.unwrap_or_default().iter().map(|note| self.pages.pieces(note)).collect();
        desk.notes.splice(0..0, told);
        (forgets.map(|forgets| [forgets]), page(&desk)).into_response()
    }

    /// Forms of actions on a desk, without those that the operator's roles or the record's state do not allow.
    async fn forms(&self, wanted: &[(&str, &str)], fixed: &[(&str, &str)]) -> Result<Vec<DeskForm>, Problem> {
        let mut forms = Vec::new();
        for (act, title) in wanted {
            if let Some(form) = self.form(act, fixed).await? {
                forms.push(DeskForm { title: (*title).to_owned(), form, is_open: forms.is_empty() });
            }
        }
        Ok(forms)
    }
}

/// A text of an answer. Empty if there is none.
fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// Objects of a list of an answer.
fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The request for a desk of an operator who is signed in.
pub(super) struct Opened {
    console: Arc<Console>,
    signed_in: SignedIn,
    headers: HeaderMap,
    /// Fields of the page's query.
    query: Pairs,
}

impl FromRequestParts<Arc<Console>> for Opened {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, console: &Arc<Console>) -> Result<Self, Response> {
        let Visitor(signed_in) = Visitor::from_request_parts(parts, console).await?;
        let query = serde_urlencoded::from_str(parts.uri.query().unwrap_or_default()).unwrap_or_default();
        Ok(Opened { console: console.clone(), signed_in, headers: parts.headers.clone(), query })
    }
}

impl Opened {
    fn visit(&self) -> Visit<'_> {
        Visit::of(&self.console, self.signed_in.clone(), &self.headers)
    }
}

/// The desk, or a page that says why it cannot be shown.
fn shown(desk: Result<Response, Problem>) -> Response {
    desk.unwrap_or_else(|problem| problem_page("a desk", &problem))
}
