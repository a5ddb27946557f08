//! Search, and the customer: everything about a person on one page.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::response::{IntoResponse, Redirect, Response};
use serde_json::Value;
use web::error::{Code, Problem};

use super::{Block, DeskPage, Opened, list, shown, text};
use crate::console::form::{Pairs, first};
use crate::console::record::{ActLink, Section, action_of, heading, with_query};
use crate::console::visit::{Visit, WHO};

/// How long the address of a customer's page works. It has the identifier, encrypted.
const PAGE_LIFE: Duration = Duration::from_secs(12 * 3600);

/// Records of each kind that the page shows in full. Others are links.
const MOST_IN_FULL: usize = 10;

/// Entries of the timeline for each record.
const MOST_ENTRIES: &str = "10";

/// Fields by which a text of the search may be meant, the most likely first.
fn meanings(sought: &str) -> Vec<(&'static str, String)> {
    let plain: String = sought.chars().filter(|sign| !matches!(sign, ' ' | '-' | '(' | ')')).collect();
    let digits = plain.strip_prefix("+91").unwrap_or(&plain).trim_start_matches('0');
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_pan = plain.len() == 10
        && plain.bytes().enumerate().all(|(at, byte)| match at {
            5..=8 => byte.is_ascii_digit(),
            _ => byte.is_ascii_alphabetic(),
        });
    if sought.contains('@') {
        return vec![("email", sought.to_owned())];
    }
    if is_pan {
        return vec![("pan", plain.to_uppercase())];
    }
    let others = ["reference", "payment", "number", "lead_id", "user_id"];
    let others = others.iter().map(|field| (*field, sought.to_owned()));
    match is_digits && digits.len() == 10 && digits.starts_with(['6', '7', '8', '9']) {
        true => [("mobile", digits.to_owned())].into_iter().chain(others).collect(),
        false => others.collect(),
    }
}

pub(in crate::console) async fn search(opened: Opened) -> Response {
    search_page(&opened.visit(), None)
}

fn search_page(visit: &Visit<'_>, sought: Option<&str>) -> Response {
    visit.desk(DeskPage {
        title: "Search".to_owned(),
        about: "One box: a mobile number, e-mail address, PAN, loan account, reference, bank reference, the number on a certificate, or an id. The audit trail keeps that you searched, not what.".to_owned(),
        notes: sought.map(|_| visit.pages.pieces("Nothing was found.")).into_iter().collect(),
        columns: vec![vec![Block::Search(sought.unwrap_or_default().to_owned())]],
        back: "/search".to_owned(),
        ..DeskPage::default()
    })
}

/// Finds what the box of the search means. The text is sent in a form, so that it is in no address.
pub(in crate::console) async fn searched(opened: Opened, body: String) -> Response {
    let visit = opened.visit();
    let form: Pairs = serde_urlencoded::from_str(&body).unwrap_or_default();
    let sought = first(&form, "q").unwrap_or_default().trim();
    shown(found(&visit, sought).await)
}

async fn found(visit: &Visit<'_>, sought: &str) -> Result<Response, Problem> {
    if sought.is_empty() {
        return Ok(search_page(visit, None));
    }
    if let Some(address) = visit.pages.address(sought) {
        return Ok(Redirect::to(&address).into_response());
    }
    for (field, value) in meanings(sought) {
        let answer = match visit.read("person.find", &[(field, &value)]).await {
            Ok(Some(answer)) => answer,
            Ok(None) => continue,
            // The text is not written like a value of this field.
            Err(problem) if problem.code == Code::V4000 => continue,
            Err(problem) => return Err(problem),
        };
        let records = list(&answer, "records");
        if records.is_empty() && list(&answer, "people").is_empty() {
            continue;
        }
        let only = match records {
            [one] => visit.pages.address(text(one, "id")),
            _ => None,
        };
        if let Some(address) = only.filter(|_| list(&answer, "people").is_empty()) {
            return Ok(Redirect::to(&address).into_response());
        }
        let held = visit.console.service().team.hold(WHO, &format!("{field} {value}"), PAGE_LIFE);
        return Ok(Redirect::to(&with_query("/customer", &[(WHO, &held)])).into_response());
    }
    Ok(search_page(visit, Some(sought)))
}

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(customer(&opened.visit(), &opened.query).await)
}

/// Kinds of records, with the action that shows one, the field that names it, and the heading.
const KINDS: [(&str, &str, &str); 4] = [
    ("policy", "policy.show", "Policy"),
    ("claim", "claim.show", "Claim"),
    ("proposal", "proposal.show", "Application"),
    ("complaint", "complaint.show", "Complaint"),
];

/// What a person has a right to, with the heading of its form.
const RIGHTS: [(&str, &str); 4] = [
    ("person.consents", "Consents"),
    ("person.export", "Export of all data"),
    ("person.correct", "Correction"),
    ("person.erase", "Erasure"),
];

async fn customer(visit: &Visit<'_>, given: &Pairs) -> Result<Response, Problem> {
    let who = first(given, WHO).unwrap_or_default();
    let Some(answer) = visit.read("person.find", &[(WHO, who)]).await? else {
        return Ok(search_page(visit, None));
    };
    let people = list(&answer, "people");
    let chosen = first(given, "person").or(match people {
        [one] => Some(text(one, "person")),
        _ => None,
    });
    let here = |person: &str| with_query("/customer", &[(WHO, who), ("person", person)]);
    let name = |person: &Value| {
        let born = person["born_in"].as_i64().map(|year| format!(", born in {year}")).unwrap_or_default();
        format!("{}{born}", text(person, "name"))
    };
    let in_short = |person: &Value| ActLink {
        address: here(text(person, "person")),
        label: name(person),
        text: format!("{} records", person["records"].as_u64().unwrap_or_default()),
    };
    let Some(chosen) = chosen.filter(|_| !people.is_empty()) else {
        // Several people have the identifier, or only records have it.
        let mut blocks = Vec::new();
        if !people.is_empty() {
            blocks.push(Block::Links("People".to_owned(), people.iter().map(in_short).collect()));
        }
        if let (true, Some(action)) = (people.is_empty(), action_of("person.find")) {
            blocks.push(Block::Sections(visit.sections(action, &answer, "Records", 2)));
        }
        return Ok(visit.desk(DeskPage {
            title: "Found".to_owned(),
            columns: vec![blocks],
            back: with_query("/customer", &[(WHO, who)]),
            ..DeskPage::default()
        }));
    };
    let person = people.iter().find(|one| text(one, "person") == chosen).cloned().unwrap_or_default();
    let mut of_kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for record in list(&answer, "records").iter().filter(|record| text(record, "person") == chosen) {
        of_kinds.entry(text(record, "kind")).or_default().push(text(record, "id"));
    }
    let (mut main, mut side) = (Vec::new(), Vec::new());
    let mut timeline: Vec<Value> = Vec::new();
    for (kind, act, title) in KINDS {
        for id in of_kinds.remove(kind).unwrap_or_default().iter().rev().take(MOST_IN_FULL) {
            if let Some(read) = visit.shown(act, &[("id", id)], &format!("{title} {id}")).await? {
                let offers = visit.offers_of(id.split('_').next().unwrap_or_default(), id, act).await?;
                main.push(Block::Record(title.to_owned(), read.sections, offers));
            }
            match visit.read("audit.list", &[("of", id), ("most", MOST_ENTRIES)]).await {
                Ok(entries) => {
                    timeline.extend(list(&entries.unwrap_or_default(), "entries").iter().cloned());
                }
                // Nothing happened to the record.
                Err(problem) if problem.code == Code::R4040 => {}
                Err(problem) => return Err(problem),
            }
        }
    }
    let rest: Vec<(String, Vec<_>, bool)> = of_kinds
        .into_iter()
        .map(|(kind, ids)| (heading(kind), visit.pages.pieces(&ids.join(" ")), false))
        .collect();
    if !rest.is_empty() {
        side.push(Block::Figures("Other records".to_owned(), rest));
    }
    let mut forms = Vec::new();
    for (act, title) in RIGHTS {
        let fixed = [(WHO, who), ("person", chosen)];
        forms.extend(visit.simple_form(act, &fixed).map(|form| super::DeskForm {
            title: title.to_owned(),
            form: without_identifiers(form),
            is_open: false,
        }));
    }
    side.push(Block::Forms(forms));
    side.extend(timeline_of(visit, timeline));
    Ok(visit.desk(DeskPage {
        title: name(&person),
        about: list(&person, "roles").iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        columns: vec![main, side],
        back: here(chosen),
        ..DeskPage::default()
    }))
}

/// The form without the fields that name the person, whom the page names.
fn without_identifiers(mut form: crate::console::form::ActForm) -> crate::console::form::ActForm {
    let names =
        action_of(form.act).map(|action| action.fields().iter().filter(|field| field.one_of.is_some()));
    let names: Vec<&str> = names.into_iter().flatten().map(|field| field.name).collect();
    form.fields.retain(|field| !names.contains(&field.name));
    form
}

/// Who did what to the person's records, newest first.
fn timeline_of(visit: &Visit<'_>, mut entries: Vec<Value>) -> Option<Block> {
    entries.sort_by(|one, other| text(other, "at").cmp(text(one, "at")));
    entries.dedup();
    let action = action_of("audit.list")?;
    let mut answer = serde_json::json!({ "entries": entries });
    answer["entries"].as_array_mut()?.truncate(30);
    let sections: Vec<Section> = visit.sections(action, &answer, "Timeline", 2);
    (!list(&answer, "entries").is_empty()).then_some(Block::Sections(sections))
}
