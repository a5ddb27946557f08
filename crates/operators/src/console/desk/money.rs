//! Money: what each insurer is owed, the deposits, the refunds, and the end of the month.

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::statement::Month;
use web::error::Problem;

use super::{Block, DeskForm, DeskPage, View, query_of, shown, visit};
use crate::console::On;
use crate::console::form::first;
use crate::console::record::with_query;
use crate::console::visit::Visit;
use crate::console::visitor::Visitor;

/// Months back of which the checklist is offered.
const MONTHS: usize = 3;

/// Forms of the desk, each with its heading.
const FORMS: [(&str, &str); 5] = [
    ("premium.receive", "Record a payment of premiums"),
    ("premium.remit", "Record a payment to an insurer"),
    ("deposit.top_up", "Top up a deposit"),
    ("statement.make", "Close a month"),
    ("statement.draft", "Drafts of a month's statements"),
];

pub(in crate::console) async fn desk(
    State(console): On,
    Visitor(signed_in): Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    shown(money(&visit((&console, signed_in, &headers)), query).await)
}

async fn money(visit: &Visit<'_>, query: Option<String>) -> Result<Response, Problem> {
    let given = query_of(query);
    let mut months = vec![Month::of(visit.console.service().installation.today())];
    while let (Some(last), true) = (months.last(), months.len() < MONTHS) {
        let Some(before) = domain::date::days_before(last.days().first, 1) else { break };
        months.push(Month::of(before));
    }
    let months: Vec<String> = months.iter().map(ToString::to_string).collect();
    // The month before is the one to end.
    let month = first(&given, "month").unwrap_or_else(|| months.get(1).map_or("", String::as_str));
    let here = |month: &str| with_query("/money", &[("month", month)]);
    let mut main = Vec::new();
    for (act, asked, title) in [
        ("premium.summary", Vec::new(), "By insurer"),
        ("refund.list", vec![("most", "20")], "Refunds that insurers owe"),
        ("statement.checklist", vec![("month", month)], "End of the month"),
        ("statement.list", vec![("month", month), ("most", "50")], "Statements"),
    ] {
        if let Some(read) = visit.shown(act, &asked, title).await? {
            main.push(Block::Sections(read.sections));
        }
    }
    let forms = FORMS.iter().filter_map(|(act, title)| {
        let fixed: &[(&str, &str)] = if act.starts_with("statement.") { &[("month", month)] } else { &[] };
        let form = visit.simple_form(act, fixed)?;
        Some(DeskForm { title: (*title).to_owned(), form, is_open: false })
    });
    let forms = Block::Forms(forms.collect());
    Ok(visit.desk(DeskPage {
        title: "Money".to_owned(),
        about: format!("The end of {month} is below. Amounts are of open premiums."),
        views: months
            .iter()
            .map(|one| View { name: one.clone(), address: here(one), is_shown: *one == month })
            .collect(),
        columns: vec![main, vec![forms]],
        back: here(month),
        ..DeskPage::default()
    }))
}
