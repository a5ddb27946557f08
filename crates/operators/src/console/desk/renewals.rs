//! Renewals: the policies that end soon, with their prices then and now.

use axum::response::Response;
use web::error::Problem;

use super::{Block, DeskPage, Opened, View, shown};
use crate::console::form::{Pairs, first};
use crate::console::record::with_query;
use crate::console::visit::Visit;

/// Most policies of a page.
const MOST: &str = "50";

/// Views of the desk: days within which the cover ends, and their names.
const VIEWS: [(&str, &str); 3] = [("", "Due now"), ("30", "Within 30 days"), ("90", "Within 90 days")];

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(renewals(&opened.visit(), &opened.query).await)
}

async fn renewals(visit: &Visit<'_>, given: &Pairs) -> Result<Response, Problem> {
    let (within, after) = (first(given, "within").unwrap_or_default(), first(given, "after"));
    let asked = |after: Option<&str>| {
        let mut pairs = Vec::new();
        pairs.extend(Some(("within", within)).filter(|_| !within.is_empty()));
        pairs.extend(after.map(|after| ("after", after)));
        pairs.iter().map(|(name, value): &(&str, &str)| (*name, (*value).to_owned())).collect::<Vec<_>>()
    };
    let here = |pairs: Vec<(&str, String)>| {
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        with_query("/renewals", &pairs)
    };
    let own = asked(after);
    let mut own: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    own.push(("most", MOST));
    own.push(("prices", "true"));
    let read = visit.shown("policy.due", &own, "Policies").await?;
    let next = read.as_ref().and_then(|read| read.json["page"]["next"].as_str().map(str::to_owned));
    let view = |(days, name): &(&str, &str)| View {
        name: (*name).to_owned(),
        address: match *days {
            "" => "/renewals".to_owned(),
            days => with_query("/renewals", &[("within", days)]),
        },
        is_shown: *days == within,
    };
    Ok(visit.desk(DeskPage {
        title: "Renewals".to_owned(),
        about: "Open a policy to renew it, to see the quote step by step, or to send its link.".to_owned(),
        views: VIEWS.iter().map(view).collect(),
        columns: vec![read.map(|read| Block::Sections(read.sections)).into_iter().collect()],
        back: here(asked(after)),
        next: next.map(|next| here(asked(Some(&next)))),
        ..DeskPage::default()
    }))
}
