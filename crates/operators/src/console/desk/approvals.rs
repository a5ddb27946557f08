//! Approvals: everything that waits for a second operator, with its facts and its decision.

use axum::response::Response;
use web::error::Problem;

use super::{Block, DeskPage, Opened, list, shown, text};
use crate::console::record::heading;
use crate::console::visit::Visit;

/// Most approvals on the desk.
const MOST: &str = "20";

/// Decisions, each with the heading of its form.
const DECISIONS: [(&str, &str); 3] =
    [("approval.approve", "Approve"), ("approval.refuse", "Refuse"), ("approval.withdraw", "Withdraw")];

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(approvals(&opened.visit()).await)
}

async fn approvals(visit: &Visit<'_>) -> Result<Response, Problem> {
    let answer = visit.read("approval.list", &[("most", MOST)]).await?.unwrap_or_default();
    let waiting = list(&answer, "approvals");
    let mut blocks = Vec::new();
    for approval in waiting {
        let id = text(approval, "approval_id");
        let title = heading(text(approval, "what"));
        if let Some(read) = visit.shown("approval.show", &[("id", id)], &title).await? {
            blocks.push(Block::Sections(read.sections));
        }
        blocks.push(Block::Forms(visit.forms(&DECISIONS, &[("id", id)]).await?));
    }
    let about = match waiting.len() {
        0 => "Nothing waits for approval.".to_owned(),
        1 => "1 action waits for approval.".to_owned(),
        count => format!("{count} actions wait for approval."),
    };
    Ok(visit.desk(DeskPage {
        title: "Approvals".to_owned(),
        about,
        columns: vec![blocks],
        back: "/approvals".to_owned(),
        ..DeskPage::default()
    }))
}
