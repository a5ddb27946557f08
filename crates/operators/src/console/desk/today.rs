//! Today: the tasks that wait for a person, by the day on which they are due.

use axum::response::Response;
use serde_json::Value;
use web::error::Problem;

use super::{Block, DeskPage, Opened, View, list, shown, text};
use crate::act::print::day_in_words;
use crate::console::form::ActForm;
use crate::console::form::{Pairs, first};
use crate::console::record::{ActLink, Piece, heading, with_query};
use crate::console::visit::Visit;

/// Most tasks of a page.
const MOST: &str = "50";

/// Views of the desk: name of the field `whose`, and its name for people.
const VIEWS: [(&str, &str); 3] = [("role", "My role's"), ("mine", "Mine"), ("all", "All")];

/// Tasks that are due at about the same time.
pub(super) struct TaskGroup {
    pub(super) name: String,
    pub(super) tasks: Vec<Task>,
}

/// A task of the list.
pub(super) struct Task {
    /// What waits, as a link to the page where it is done.
    pub(super) link: Option<ActLink>,
    pub(super) about: String,
    pub(super) record: Vec<Piece>,
    /// Facts about the task, such as its person and its partner. Only those that are known.
    pub(super) facts: Vec<String>,
    pub(super) due: String,
    pub(super) is_late: bool,
    pub(super) owner: String,
    pub(super) last_note: String,
    /// Form that takes the task. `None` if the operator does it already.
    pub(super) take: Option<ActForm>,
    /// Page with the task's notes, and with the forms that hand it over or put it aside.
    pub(super) more: String,
}

pub(in crate::console) async fn desk(opened: Opened) -> Response {
    shown(today(&opened.visit(), &opened.query).await)
}

async fn today(visit: &Visit<'_>, given: &Pairs) -> Result<Response, Problem> {
    let whose = first(given, "whose").unwrap_or(VIEWS[0].0);
    let mut asked = vec![("whose", whose), ("most", MOST)];
    let after = first(given, "after");
    asked.extend(after.map(|after| ("after", after)));
    let aside = first(given, "aside").unwrap_or_default();
    if aside == "true" {
        asked.push(("aside", aside));
    }
    let answer = visit.read("waiting.list", &asked).await?.unwrap_or_default();
    let here = |whose: &str, after: Option<&str>| {
        let mut pairs = vec![("whose", whose)];
        pairs.extend(after.map(|after| ("after", after)));
        with_query("/", &pairs)
    };
    let mut groups: Vec<TaskGroup> = Vec::new();
    for waits in list(&answer, "waiting") {
        let task = task(visit, waits).await?;
        let name = match text(waits, "when") {
            "week" => "Within seven days".to_owned(),
            when => heading(when),
        };
        match groups.last_mut().filter(|group| group.name == name) {
            Some(group) => group.tasks.push(task),
            None => groups.push(TaskGroup { name, tasks: vec![task] }),
        }
    }
    let count = |name: &str| answer[name].as_u64().unwrap_or_default();
    let about = match (count("count"), count("late")) {
        (0, _) => "Nothing waits.".to_owned(),
        (1, late) => format!("1 task waits, {late} late."),
        (all, late) => format!("{all} tasks wait, {late} late."),
    };
    let mut views: Vec<View> = VIEWS
        .iter()
        .map(|(of, name)| View {
            name: (*name).to_owned(),
            address: here(of, None),
            is_shown: *of == whose && aside.is_empty(),
        })
        .collect();
    views.push(View {
        name: "Put aside, too".to_owned(),
        address: with_query("/", &[("whose", whose), ("aside", "true")]),
        is_shown: aside == "true",
    });
    Ok(visit.desk(DeskPage {
        title: "Today".to_owned(),
        about,
        views,
        notes: Vec::new(),
        columns: vec![vec![Block::Tasks(groups)]],
        back: here(whose, after),
        next: answer["page"]["next"].as_str().map(|after| here(whose, Some(after))),
        is_live: true,
    }))
}

async fn task(visit: &Visit<'_>, waits: &Value) -> Result<Task, Problem> {
    let key = text(waits, "task");
    let amount = waits["amount"].as_str().map(crate::act::print::amount_in_words).unwrap_or_default();
    let facts = [
        text(waits, "person"),
        text(waits, "product"),
        text(waits, "insurer"),
        text(waits, "partner_name"),
        &amount,
    ];
    let due = match (text(waits, "due_on"), text(waits, "due_because")) {
        ("", _) => format!("since {}", day_in_words(text(waits, "since"))),
        (due, "") => format!("due {}", day_in_words(due)),
        (due, why) => format!("due {}: {why}", day_in_words(due)),
    };
    let is_mine = waits["is_mine"] == true;
    Ok(Task {
        link: visit.pages.command(text(waits, "command")),
        about: heading(text(waits, "about")),
        record: visit.pages.pieces(text(waits, "record")),
        facts: facts.into_iter().filter(|fact| !fact.is_empty()).map(str::to_owned).collect(),
        due,
        is_late: waits["is_late"] == true,
        owner: if is_mine { "You do it".to_owned() } else { text(waits, "owner").to_owned() },
        last_note: text(waits, "last_note").to_owned(),
        take: match is_mine {
            true => None,
            false => Some(visit.simple_form("waiting.take", &[("task", key)])).flatten(),
        },
        more: with_query("/acts/waiting.show", &[("task", key)]),
    })
}
