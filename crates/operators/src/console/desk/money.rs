//! Money: what each insurer is owed, the deposits, the refunds, and the end of the month.

use axum::response::Response;
use domain::statement::Month;
use web::error::Problem;

use super::{Block, DeskForm, DeskPage, Opened, View, shown};
use crate::console::form::{Pairs, first};
use crate::console::record::with_query;
use crate::console::visit::Visit;

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

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(money(&opened.visit(), &opened.query).await)
}

async fn money(visit: &Visit<'_>, given: &Pairs) -> Result<Response, Problem> {
    let mut months = vec![Month::of(visit.console.service().installation.today())];
    while let (Some(last), true) = (months.last(), months.len() < MONTHS) {
        let Some(before) = domain::date::days_before(last.days().first, 1) else { break };
        months.push(Month::of(before));
    }
    let months: Vec<String> = months.iter().map(ToString::to_string).collect();
    // The month before is the one to end.
    let month = first(given, "month").unwrap_or_else(|| months.get(1).map_or("", String::as_str));
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
