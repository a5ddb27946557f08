//! The desk of a claim: the papers beside the decision.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use web::error::{Code, Problem};

use super::{Block, DeskPage, Opened, Viewed, list, shown, text};
use crate::act::answer::File;
use crate::act::print::{amount_in_words, day_in_words};
use crate::console::form::{Pairs, SightForm, first, pairs_of};
use crate::console::record::{action_of, title, with_query};
use crate::console::said::missing;
use crate::console::visit::Visit;

/// What is done with a claim, each with the heading of its form.
const DECISIONS: [(&str, &str); 5] = [
    ("claim.decide", "Decision"),
    ("claim.paid", "Payment"),
    ("claim.ask", "Ask for papers"),
    ("claim.attach", "Attach a paper"),
    ("claim.withdraw", "Withdrawal"),
];

/// Media types that browsers show as pictures.
const IMAGES: [&str; 2] = ["image/jpeg", "image/png"];

const PDF: &str = "application/pdf";

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(claim(&opened.visit(), &opened.query).await)
}

async fn claim(visit: &Visit<'_>, given: &Pairs) -> Result<Response, Problem> {
    let id = first(given, "id").unwrap_or_default();
    let (Some(read), Some(action)) =
        (visit.shown("claim.show", &[("id", id)], "Claim").await?, action_of("claim.show"))
    else {
        return Ok(missing());
    };
    let (here, claim) = (with_query("/claim", &[("id", id)]), &read.json);
    let sight = SightForm::of(action, &visit.with_sight(action, pairs_of(&[("id", id)])), here.clone());
    let is_open = sight.as_ref().is_some_and(|sight| sight.is_open);
    let mut papers = vec![Block::Figures("Papers".to_owned(), checklist(visit, claim))];
    if is_open && visit.may("claim.paper") {
        papers.push(Block::Documents(documents(id, claim)));
    }
    papers.extend(sight.map(Block::Sight));
    // The checklist above has the papers.
    papers.push(Block::Sections(read.sections.into_iter().filter(|one| one.title != "Papers").collect()));
    let mut decision = vec![Block::Figures("What is left".to_owned(), left(visit, claim))];
    decision.push(Block::Forms(visit.forms(&DECISIONS, &[("id", id)]).await?));
    let policy = text(claim, "policy_id");
    if let Some(sold) = visit.read("policy.show", &[("id", policy)]).await? {
        decision.push(Block::Figures("Policy".to_owned(), of_policy(visit, &sold, id)));
    }
    let mut more = visit.offers_of("clm", id, action.about.name).await?;
    more.retain(|offer| {
        !DECISIONS.iter().any(|(act, _)| action_of(act).is_some_and(|act| title(act) == offer.label))
    });
    decision.push(Block::Links("More".to_owned(), more));
    Ok(visit.desk(DeskPage {
        title: format!(
            "Claim: {}, {}",
            text(claim, "kind").to_lowercase(),
            text(claim, "status").to_lowercase().replace('_', " ")
        ),
        about: format!(
            "{} must be settled by {}{}",
            id,
            day_in_words(text(claim, "settle_by")),
            if claim["is_late"] == true { ", and is late." } else { "." }
        ),
        columns: vec![papers, decision],
        back: here,
        ..DeskPage::default()
    }))
}

type Figures = Vec<(String, Vec<crate::console::record::Piece>, bool)>;

/// The required papers: received, waived or missing.
fn checklist(visit: &Visit<'_>, claim: &Value) -> Figures {
    let paper = |paper: &Value| {
        let is_missing = paper["required"] == true && paper["received"] != true && paper["waived"].is_null();
        let state = match (paper["received"] == true, paper["waived"].is_null(), is_missing) {
            (true, ..) => "received",
            (_, false, _) => "not needed",
            (.., true) => "missing",
            _ => "not received",
        };
        (text(paper, "name").to_owned(), visit.pages.pieces(state), is_missing)
    };
    list(claim, "papers").iter().map(paper).collect()
}

/// The cover from which the claim is paid, beside the amount to approve.
fn left(visit: &Visit<'_>, claim: &Value) -> Figures {
    let cover = &claim["cover"];
    let figures = [
        ("Sum insured", "sum_insured"),
        ("Most for this kind", "most"),
        ("Left", "left"),
        ("Refunded after the event", "refunded_after"),
        ("Deducted", "deducted"),
    ];
    let amount = |(label, name): (&str, &str)| {
        let amount = cover[name].as_str()?;
        let acts = name == "refunded_after";
        Some((label.to_owned(), visit.pages.pieces(&amount_in_words(amount)), acts))
    };
    figures.into_iter().filter_map(amount).collect()
}

/// The policy, its insurer and earlier claims.
fn of_policy(visit: &Visit<'_>, policy: &Value, but: &str) -> Figures {
    let earlier: Vec<String> = list(policy, "claims")
        .iter()
        .filter(|claim| text(claim, "claim_id") != but)
        .map(|claim| format!("{} ({})", text(claim, "claim_id"), text(claim, "status")))
        .collect();
    let earlier = if earlier.is_empty() { "none".to_owned() } else { earlier.join(", ") };
    let figures = [
        ("Number", text(policy, "policy_number").to_owned()),
        ("Status", text(policy, "status").to_owned()),
        ("Product", text(policy, "product").to_owned()),
        ("Insurer", text(policy, "insurer").to_owned()),
        ("Partner", text(policy, "partner_name").to_owned()),
        ("Other claims", earlier),
    ];
    let figures = figures.into_iter().filter(|(_, value)| !value.is_empty());
    figures.map(|(label, value)| (label.to_owned(), visit.pages.pieces(&value), false)).collect()
}

fn documents(id: &str, claim: &Value) -> Vec<Viewed> {
    let document = |document: &Value| {
        let media = text(document, "media_type");
        Viewed {
            name: format!(
                "{} ({})",
                document["paper"].as_str().unwrap_or("other"),
                text(document, "document_id")
            ),
            address: with_query("/claim/paper", &[("id", id), ("document", text(document, "document_id"))]),
            is_image: IMAGES.contains(&media),
        }
    };
    list(claim, "documents").iter().map(document).collect()
}

/// A paper of a claim whose personal data the operator asked for. Nothing on the page of a paper can run, and its type is
/// one of three that the first bytes prove.
pub(in crate::console) async fn paper(opened: Opened) -> Response {
    let visit = opened.visit();
    match file_of(&visit, &opened.query).await {
        Ok(file) => {
            let (media, policy) = (file.media, policy_of(file.media));
            let mut response = file.into_response();
            let place = if policy.is_some() { "inline" } else { "attachment" };
            let given = response.headers_mut();
            given.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
            given.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(place));
            if let Some(policy) = policy {
                given.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
                given.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
            }
            response
        }
        Err(problem) => shown(Err(problem)),
    }
}

/// What a paper may do in a browser. `None` if it is only downloaded.
fn policy_of(media: &str) -> Option<&'static str> {
    match media {
        media if IMAGES.contains(&media) => Some("sandbox; default-src 'none'; frame-ancestors 'self'"),
        // Browsers show no PDF in a sandbox.
        PDF => {
            Some("default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'")
        }
        _ => None,
    }
}

async fn file_of(visit: &Visit<'_>, given: &Pairs) -> Result<File, Problem> {
    let (id, document) =
        (first(given, "id").unwrap_or_default(), first(given, "document").unwrap_or_default());
    let refused = |detail: &str| Problem::new(Code::A4030, detail);
    let (Some(claim), Some(paper)) = (action_of("claim.show"), action_of("claim.paper")) else {
        return Err(refused("There is no such page."));
    };
    let sight = visit.with_sight(claim, pairs_of(&[("id", id)]));
    let Some(reason) = first(&sight, "reason") else {
        return Err(refused("Open the claim, and say why you need its personal data."));
    };
    let asked = pairs_of(&[("id", id), ("document", document), ("reason", reason)]);
    let answer = visit.run(paper, &asked, None, true).await?;
    answer.file.ok_or_else(|| Problem::new(Code::R4040, "There is no such document."))
}
