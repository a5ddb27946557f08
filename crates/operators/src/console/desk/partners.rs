//! Partners: all of them, and one with its endpoints, deliveries and refused requests.

use axum::response::Response;
use web::error::Problem;

use super::{Block, DeskForm, DeskPage, Opened, list, shown, text};
use crate::console::form::{Pairs, first};
use crate::console::record::with_query;
use crate::console::said::missing;
use crate::console::visit::Visit;

/// Most endpoints of a partner of which the deliveries are shown.
const MOST_ENDPOINTS: usize = 5;

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(partners(&opened.visit()).await)
}

async fn partners(visit: &Visit<'_>) -> Result<Response, Problem> {
    let read = visit.shown("partner.list", &[], "Partners").await?;
    let new = visit.simple_form("partner.create", &[]);
    let forms =
        new.into_iter().map(|form| DeskForm { title: "New partner".to_owned(), form, is_open: false });
    Ok(visit.desk(DeskPage {
        title: "Partners".to_owned(),
        columns: vec![
            read.map(|read| Block::Sections(read.sections)).into_iter().collect(),
            vec![Block::Forms(forms.collect())],
        ],
        back: "/partners".to_owned(),
        ..DeskPage::default()
    }))
}

pub(in crate::console) async fn partner(opened: Opened) -> Response {
    shown(one(&opened.visit(), &opened.query).await)
}

async fn one(visit: &Visit<'_>, given: &Pairs) -> Result<Response, Problem> {
    let id = first(given, "partner").unwrap_or_default();
    let Some(read) = visit.shown("partner.show", &[("partner", id)], "Partner").await? else {
        return Ok(missing());
    };
    let name = text(&read.json, "name").to_owned();
    let mut main = vec![Block::Sections(read.sections)];
    if let Some(endpoints) = visit.shown("webhook.list", &[("partner", id)], "Endpoints").await? {
        let named: Vec<&str> =
            list(&endpoints.json, "endpoints").iter().map(|one| text(one, "endpoint_id")).collect();
        let mut deliveries = Vec::new();
        for endpoint in named.into_iter().take(MOST_ENDPOINTS) {
            let title = format!("Deliveries to {endpoint}");
            let found = visit.shown("webhook.deliveries", &[("id", endpoint)], &title).await?;
            deliveries.extend(found.map(|found| Block::Sections(found.sections)));
        }
        main.push(Block::Sections(endpoints.sections));
        main.extend(deliveries);
    }
    if let Some(refused) = visit.shown("partner.refusals", &[("partner", id)], "Refused requests").await? {
        main.push(Block::Sections(refused.sections));
    }
    let offers = visit.offers_of("par", id, "partner.show").await?;
    Ok(visit.desk(DeskPage {
        title: name,
        columns: vec![main, vec![Block::Links("What you can do".to_owned(), offers)]],
        back: with_query("/partner", &[("partner", id)]),
        ..DeskPage::default()
    }))
}
