//! Answers as sections of a page, with links to the records that they name.

use std::collections::BTreeMap;

use service::team::SignedIn;

use crate::act::decide::permits;
use crate::act::print::Part;
use crate::act::trail::{is_id, is_policy_number};
use crate::act::{Action, Method};
use crate::serve::acts::ACTIONS;

/// A text of a page, with the address of the record that it names.
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) link: Option<String>,
}

/// Values and tables below a heading.
#[derive(Default)]
pub(super) struct Section {
    pub(super) title: String,
    /// Level of the heading.
    pub(super) level: usize,
    pub(super) texts: Vec<Vec<Piece>>,
    pub(super) values: Vec<(String, Vec<Piece>)>,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<Vec<Piece>>>,
}

/// Link to the page of an action.
pub(super) struct ActLink {
    pub(super) address: String,
    pub(super) label: String,
    pub(super) text: String,
}

impl ActLink {
    pub(super) fn of(action: &Action, given: &[(&str, &str)]) -> Self {
        ActLink { address: address(action, given), label: title(action), text: about(action) }
    }
}

/// Words at the end of actions' names that say what is done with a record. Other words name what is shown.
const VERBS: &[&str] = &[
    "add",
    "answer",
    "approve",
    "ask",
    "attach",
    "cancel",
    "change",
    "correct",
    "create",
    "decide",
    "disable",
    "draft",
    "enable",
    "end",
    "endorse",
    "erase",
    "examine",
    "explain",
    "export",
    "find",
    "grant",
    "hand over",
    "invite",
    "make",
    "note",
    "ping",
    "publish",
    "receive",
    "recover",
    "refund",
    "refuse",
    "release",
    "remit",
    "remove",
    "renew",
    "retire",
    "retry",
    "reverse",
    "revoke",
    "rotate",
    "run",
    "set",
    "settle",
    "snooze",
    "take",
    "verify",
    "withdraw",
];

/// Name of an action in a heading: `claim.decide` is "Decide claim", `claim.list` is "Claims", `claim.show` is "Claim", and
/// `policy.due` is "Policy: due".
pub(super) fn title(action: &Action) -> String {
    let name = action.about.name.replace('_', " ");
    let Some((area, last)) = name.rsplit_once('.') else { return heading(&name) };
    let area = if area == "waiting" { "task".to_owned() } else { area.replace('.', " ") };
    heading(&match last {
        "show" => area,
        "list" => match area.strip_suffix('y') {
            Some(start) => format!("{start}ies"),
            None => format!("{area}s"),
        },
        verb if VERBS.contains(&verb) => format!("{verb} {area}"),
        other => format!("{area}: {other}"),
    })
}

/// Description of an action for a page: without the parts that name flags of its command.
pub(super) fn about(action: &Action) -> String {
    let text = crate::act::input::one_paragraph(action.text);
    let parts: Vec<&str> = text.split("; ").filter(|part| !part.contains("--")).collect();
    heading(&parts.join("; "))
}

/// A text that begins with a capital letter.
pub(super) fn heading(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Address of the page of an action with these fields.
pub(super) fn address(action: &Action, given: &[(&str, &str)]) -> String {
    with_query(&format!("/acts/{}", action.about.name), given)
}

/// Address with a query.
pub(super) fn with_query(path: &str, given: &[(&str, &str)]) -> String {
    let query = serde_urlencoded::to_string(given).unwrap_or_default();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{path}{mark}{query}")
}

/// Field of an action's path that names a record, with the kind of the record: the prefix of its ids, or a word.
pub(super) fn record_field(action: &Action) -> Option<(&'static str, &str)> {
    let in_path = action.fields().iter().find(|field| action.about.has_in_path(field.name))?;
    Some((in_path.name, in_path.schema["x-record"].as_str()?))
}

/// The action of this name, if there is one.
pub(super) fn action_of(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.about.name == name)
}

/// Pages of records that an operator may open.
pub(super) struct RecordPages {
    /// The action that shows a record and its field, by the kind of the record.
    shows: BTreeMap<&'static str, (&'static Action, &'static str)>,
    signed_in: SignedIn,
}

/// Field of a record's page that names the action whose form the page shows.
pub(super) const WITH: &str = "with";

/// Word of a sentence before the words of a command.
const COMMAND: &str = "covernote";

impl RecordPages {
    pub(super) fn of(signed_in: &SignedIn) -> Self {
        let shows = |action: &&'static Action| action.about.name.ends_with(".show");
        let permitted = ACTIONS.iter().filter(shows).filter(|action| permits(signed_in, &action.about));
        let mut shows = BTreeMap::new();
        for action in permitted {
            if let Some((field, kind)) = record_field(action) {
                shows.entry(kind).or_insert((action, field));
            }
        }
        RecordPages { shows, signed_in: signed_in.clone() }
    }

    /// Address of the record's page. `None` if the text names no record that the operator may open.
    pub(super) fn address(&self, text: &str) -> Option<String> {
        let kind = match text.split_once('_') {
            Some((kind, _)) if is_id(text) => kind,
            _ if is_policy_number(text) => "pol",
            _ if is_statement_number(text) => "statement",
            _ => return None,
        };
        self.of_kind(kind, text)
    }

    /// Address of the page of a record of this kind, if the operator may open it.
    pub(super) fn of_kind(&self, kind: &str, record: &str) -> Option<String> {
        let (action, field) = self.shows.get(kind)?;
        Some(match kind {
            // These kinds of records have a page of their own.
            "clm" => with_query("/claim", &[("id", record)]),
            "par" => with_query("/partner", &[("partner", record)]),
            _ => address(action, &[(field, record)]),
        })
    }

    /// Link to the action that a command does, such as `claim decide clm_…`.
    pub(super) fn command(&self, command: &str) -> Option<ActLink> {
        let words: Vec<&str> = command.trim().trim_start_matches(COMMAND).split_whitespace().collect();
        let name = format!("{}.{}", words.first()?, words.get(1)?.replace('-', "_"));
        let is_named = |action: &&Action| {
            let area = words[0];
            let is_alias = action
                .about
                .alias
                .is_some_and(|alias| action.about.name.split('.').next() == Some(area) && alias == words[1]);
            action.about.name == name || is_alias
        };
        let action =
            ACTIONS.iter().find(is_named).filter(|action| permits(&self.signed_in, &action.about))?;
        let mut given: Vec<(&str, String)> = Vec::new();
        let (mut rest, mut values) = (words[2..].iter(), Vec::new());
        while let Some(word) = rest.next() {
            match word.strip_prefix("--") {
                Some(flag) => {
                    let flag = flag.replace('-', "_");
                    let field = action.fields().iter().find(|field| field.name == flag)?;
                    let value = if field.item_type() == "boolean" { "true" } else { rest.next()? };
                    given.push((field.name, value.to_owned()));
                }
                None => values.push(word.trim_matches('\'')),
            }
        }
        let takes = |name: &str| action.about.has_in_path(name);
        let positional = action.fields().iter().find(|field| takes(field.name) || field.is_positional)?.name;
        if !values.is_empty() {
            given.push((positional, values.join(" ")));
        }
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Some(ActLink { address: self.place(action, &given), ..ActLink::of(action, &given) })
    }

    /// Address where an action is done: on the page of its record, if it has one.
    pub(super) fn place(&self, action: &Action, given: &[(&str, &str)]) -> String {
        let own = || address(action, given);
        let Some((field, kind)) = record_field(action) else { return own() };
        let record = given.iter().find(|(name, _)| *name == field).map(|(_, record)| *record);
        let (Some(record), 1, true) = (record, given.len(), action.about.method == Method::Post) else {
            return own();
        };
        if kind == "clm" {
            return self.address(record).unwrap_or_else(own);
        }
        let area = |action: &Action| action.about.name.split('.').next().unwrap_or_default().to_owned();
        let is_near = |show: &&Action| {
            area(show) == area(action)
                && show.about.name.ends_with(".show")
                && record_field(show).is_some_and(|(_, of)| of == kind)
                && permits(&self.signed_in, &show.about)
        };
        let near = ACTIONS.iter().find(is_near).and_then(|show| Some((show, record_field(show)?.0)));
        match near.or_else(|| self.shows.get(kind).map(|(show, field)| (*show, *field))) {
            Some((show, field)) => address(show, &[(field, record), (WITH, action.about.name)]),
            None => own(),
        }
    }

    /// A text with links to the records that it names.
    pub(super) fn pieces(&self, text: &str) -> Vec<Piece> {
        if let Some((before, command)) = text.split_once(&format!(": {COMMAND} "))
            && let Some(link) = self.command(command)
        {
            let mut pieces = self.pieces(&format!("{before}: "));
            pieces.push(Piece { text: link.label, link: Some(link.address) });
            return pieces;
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let mut all: Vec<Piece> = Vec::new();
        for word in text.split_inclusive(|letter: char| !is_part(letter)) {
            let id = word.trim_end_matches(|letter: char| !is_part(letter));
            let rest = match self.address(id) {
                Some(link) => {
                    all.push(Piece { text: id.to_owned(), link: Some(link) });
                    &word[id.len()..]
                }
                None => word,
            };
            match all.last_mut().filter(|last| last.link.is_none()) {
                Some(last) => last.text.push_str(rest),
                None => all.push(Piece { text: rest.to_owned(), link: None }),
            }
        }
        all
    }

    /// Sections of an answer's parts: values of an object stand below one heading, each table below its own.
    pub(super) fn sections(&self, title: &str, level: usize, parts: Vec<Part>) -> Vec<Section> {
        let section = |title: &str, level| Section { title: heading(title), level, ..Section::default() };
        let mut all = vec![section(title, level)];
        let mut below = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => all[0].texts.push(self.pieces(&text)),
                Part::Value { label, text } => all[0].values.push((heading(&label), self.pieces(&text))),
                Part::Table { label, head, rows } => {
                    let cells = |row: Vec<String>| row.iter().map(|cell| self.pieces(cell)).collect();
                    let head = head.iter().map(|name| heading(name)).collect();
                    let rows = rows.into_iter().map(cells).collect();
                    match label {
                        // The list is the whole answer.
                        None => (all[0].head, all[0].rows) = (head, rows),
                        Some(label) => below.push(Section { head, rows, ..section(&label, level + 1) }),
                    }
                }
                Part::Block { label, parts } => below.extend(self.sections(&label, level + 1, parts)),
            }
        }
        all.retain(|section| {
            let is_empty = section.texts.is_empty() && section.values.is_empty() && section.head.is_empty();
            !is_empty || !section.title.is_empty()
        });
        all.extend(below);
        all
    }
}

/// Whether a text is the number of a statement, such as PB-202611-0001.
fn is_statement_number(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_digits =
        |part: &str, least: usize| part.len() >= least && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(&parts[..], [kind, month, number]
        if kind.len() == 2 && kind.bytes().all(|byte| byte.is_ascii_uppercase()) && is_digits(month, 6) && is_digits(number, 4))
}
