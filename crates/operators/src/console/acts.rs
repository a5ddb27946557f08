//! Pages of the operators' actions. Each page is made of the action's fields and of its answer's schema, so a new
//! action needs no code here.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::team::TeamMember;
use serde_json::{Map, Value};
use service::Error;
use service::team::SignedIn;
use service::team::sign_in::CeremonyPurpose;
use web::error::{Code, Problem};

use super::pages::{Asks, CeremonyForm};
use super::said::{failed, page, refusal};
use super::visitor::Visitor;
use super::{Console, On};
use crate::act::answer::Answer;
use crate::act::decide::{Who, decide, permits};
use crate::act::input::Field;
use crate::act::print::{Part, parts};
use crate::act::shown::Schemas;
use crate::act::trail::is_id;
use crate::act::{Action, Asked, Method};
use crate::serve::acts::ACTIONS;
use crate::serve::carry_out;
use crate::serve::idempotency::Keyed;

/// Most choices that a form shows as buttons. More are a list.
const MOST_BUTTONS: usize = 5;

/// Field of a form with its idempotency key.
const FORM_KEY: &str = "form_key";

/// Field of a passkey's form with the form that it confirms.
const CONFIRMED_FORM: &str = "form";

/// A text of a page, with the address of the record that it names.
struct Piece {
    text: String,
    link: Option<String>,
}

/// Values and tables below a heading.
struct Section {
    title: String,
    /// Level of the heading.
    level: usize,
    texts: Vec<Vec<Piece>>,
    values: Vec<(String, Vec<Piece>)>,
    head: Vec<String>,
    rows: Vec<Vec<Vec<Piece>>>,
}

/// A field of a form.
struct FormField {
    name: &'static str,
    label: String,
    help: String,
    kind: &'static str,
    value: String,
    /// Words to choose from, each with whether it is chosen.
    choices: Vec<(String, bool)>,
    is_required: bool,
    faults: Vec<String>,
}

/// Link to the page of an action.
struct ActLink {
    address: String,
    label: String,
    text: String,
}

#[derive(Template)]
#[template(path = "menu.html")]
struct MenuPage {
    areas: Vec<(String, Vec<ActLink>)>,
}

#[derive(Template)]
#[template(path = "act.html")]
struct ActPage {
    title: String,
    text: String,
    is_post: bool,
    /// Whether the action cannot be undone.
    is_irreversible: bool,
    fields: Vec<FormField>,
    form_key: String,
    /// Why the form cannot be sent from a browser, such as a file that it needs.
    elsewhere: Option<String>,
    faults: Vec<String>,
    notes: Vec<String>,
    is_done: bool,
    sections: Vec<Section>,
    next: Option<String>,
    offers: Vec<ActLink>,
}

/// Fields of a request, by name. A list has its name several times.
type Pairs = Vec<(String, String)>;

/// Name of an action in a heading: `claim.decide` is "Claim decide".
fn title(action: &Action) -> String {
    heading(&action.about.name.replace(['.', '_'], " "))
}

/// A text that begins with a capital letter.
fn heading(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn address(action: &Action, pairs: &[(&str, &str)]) -> String {
    let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("/acts/{}{mark}{query}", action.about.name)
}

/// Field of an action's path that names a record, with the prefix of the record's ids.
fn record_field(action: &Action) -> Option<(&'static str, &str)> {
    let in_path = action.fields().iter().find(|field| action.about.has_in_path(field.name))?;
    Some((in_path.name, in_path.schema["x-record"].as_str()?))
}

/// The page that shows a record, by the prefix of its ids.
fn record_pages(signed_in: &SignedIn) -> BTreeMap<&'static str, (&'static Action, &'static str)> {
    let shows = |action: &&'static Action| action.about.name.ends_with(".show");
    let permitted = ACTIONS.iter().filter(shows).filter(|action| permits(signed_in, &action.about));
    permitted.filter_map(|action| record_field(action).map(|(field, kind)| (kind, (action, field)))).collect()
}

/// A text with links to the records that it names.
fn pieces(text: &str, pages: &BTreeMap<&str, (&Action, &str)>) -> Vec<Piece> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut all: Vec<Piece> = Vec::new();
    for word in text.split_inclusive(|letter: char| !is_part(letter)) {
        let id = word.trim_end_matches(|letter: char| !is_part(letter));
        let found = id.split_once('_').and_then(|(kind, _)| pages.get(kind)).filter(|_| is_id(id));
        let rest = match found {
            Some((action, field)) => {
                let link = Some(address(action, &[(field, id)]));
                all.push(Piece { text: id.to_owned(), link });
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
fn sections(
    title: String,
    level: usize,
    parts: Vec<Part>,
    pages: &BTreeMap<&str, (&Action, &str)>,
) -> Vec<Section> {
    let section = |title| Section {
        title,
        level,
        texts: Vec::new(),
        values: Vec::new(),
        head: Vec::new(),
        rows: Vec::new(),
    };
    let mut all = vec![section(title)];
    let mut below = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => all[0].texts.push(pieces(&text, pages)),
            Part::Value { label, text } => all[0].values.push((heading(&label), pieces(&text, pages))),
            Part::Table { label, head, rows } => {
                let cells = |row: Vec<String>| row.iter().map(|cell| pieces(cell, pages)).collect();
                let rows = rows.into_iter().map(cells).collect();
                let head = head.iter().map(|name| heading(name)).collect();
                below.push(Section {
                    head,
                    rows,
                    level: level + 1,
                    ..section(heading(&label.unwrap_or_default()))
                });
            }
            Part::Block { label, parts } => below.extend(sections(heading(&label), level + 1, parts, pages)),
        }
    }
    all.retain(|section| {
        !section.texts.is_empty() || !section.values.is_empty() || !section.title.is_empty()
    });
    all.extend(below);
    all
}

impl FormField {
    fn of(field: &Field, given: &Pairs, problem: Option<&Problem>) -> Self {
        let values: Vec<&str> =
            given.iter().filter(|(name, _)| name == field.name).map(|(_, value)| value.as_str()).collect();
        let default = field.default.as_ref().map(|default| match default {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let value = if values.is_empty() { default.unwrap_or_default() } else { values.join("\n") };
        let words = field.words();
        let schema = if field.is_list() { &field.schema["items"] } else { &field.schema };
        let kind = match (words.len(), field.item_type()) {
            (0, _) if field.is_list() || field.is_text_of_file => "lines",
            (0, "boolean") => "switch",
            (0, "integer") => "number",
            (0, _) if schema["format"] == "date" => "date",
            (0, _) => "text",
            (..=MOST_BUTTONS, _) if !field.is_list() => "buttons",
            _ => "list",
        };
        let faults = problem.map(Problem::faults).unwrap_or_default().iter();
        let is_own = |name: &str| name == field.name || name.starts_with(&format!("{}[", field.name));
        FormField {
            name: field.name,
            label: heading(&field.name.replace('_', " ")),
            help: field.text(),
            kind,
            choices: words
                .iter()
                .map(|word| ((*word).to_owned(), values.contains(word) || value == **word))
                .collect(),
            value,
            is_required: field.is_required,
            faults: faults.filter(|fault| is_own(&fault.field)).map(|fault| fault.message.clone()).collect(),
        }
    }
}

/// The request of an action, from the fields of a form. Blank fields count as absent.
fn asked(action: &Action, given: &Pairs) -> Asked {
    let (mut path, mut query, mut body) = (Vec::new(), Vec::new(), Map::new());
    for field in action.fields() {
        let values = given.iter().filter(|(name, _)| name == field.name).map(|(_, value)| value.trim());
        let values: Vec<&str> = match field.is_list() {
            true => values.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect(),
            false => values.filter(|value| !value.is_empty()).collect(),
        };
        let Some(first) = values.first() else { continue };
        if action.about.has_in_path(field.name) {
            path.push((field.name.to_owned(), (*first).to_owned()));
        } else if action.about.method == Method::Get {
            query.extend(values.iter().map(|value| (field.name, *value)));
        } else if field.is_list() {
            body.insert(field.name.to_owned(), values.iter().map(|value| field.value_of(value)).collect());
        } else {
            body.insert(field.name.to_owned(), field.value_of(first));
        }
    }
    let query = serde_urlencoded::to_string(query).unwrap_or_default();
    let body = if body.is_empty() { Vec::new() } else { Value::Object(body).to_string().into_bytes() };
    Asked { path, query, body }
}

fn has_what_it_needs(action: &Action, given: &Pairs) -> bool {
    let has =
        |field: &Field| given.iter().any(|(name, value)| name == field.name && !value.trim().is_empty());
    let one_of = action.fields().iter().filter_map(|field| field.one_of);
    let mut groups: Vec<&str> = one_of.collect();
    groups.dedup();
    let of_group =
        |group: &&str| action.fields().iter().any(|field| field.one_of == Some(*group) && has(field));
    action.fields().iter().all(|field| !field.is_required || has(field)) && groups.iter().all(of_group)
}

/// Actions that take a record of this kind, except the one that is shown.
fn offers(action: &Action, given: &Pairs, signed_in: &SignedIn) -> Vec<ActLink> {
    let Some((own, kind)) = record_field(action) else { return Vec::new() };
    let Some((_, id)) = given.iter().find(|(name, _)| name == own) else { return Vec::new() };
    let others = ACTIONS
        .iter()
        .filter(|other| other.about.name != action.about.name && permits(signed_in, &other.about));
    let link = |other: &'static Action| {
        let (field, _) = record_field(other).filter(|(_, other)| *other == kind)?;
        Some(ActLink {
            address: address(other, &[(field, id)]),
            label: title(other),
            text: other.text.to_owned(),
        })
    };
    others.filter_map(link).collect()
}

impl Console {
    fn page_of(
        &self,
        action: &'static Action,
        signed_in: &SignedIn,
        given: &Pairs,
        ended: Option<&Result<Answer, Problem>>,
    ) -> Response {
        let problem = ended.and_then(|ended| ended.as_ref().err());
        // A link leads to the next page of a list. A record's page has its id in the address.
        let is_own = |field: &&Field| {
            let is_page = field.name == "after" && action.about.method == Method::Get;
            let is_record = ended.is_some_and(Result::is_ok) && action.about.has_in_path(field.name);
            !(is_page || is_record && action.fields().len() == 1)
        };
        let fields: Vec<FormField> =
            action.fields().iter().filter(is_own).map(|field| FormField::of(field, given, problem)).collect();
        let takes_file = action.about.takes_file.is_some()
            || action.fields().iter().any(|field| field.schema["contentEncoding"] == "base64");
        let command = action.about.name.replace('.', " ").replace('_', "-");
        let elsewhere =
            takes_file.then(|| format!("This takes a file. Use the command: covernote {command}"));
        let is_told = |fault: &&service::Fault| {
            !fields.iter().any(|field| !field.faults.is_empty() && fault.field.starts_with(field.name))
        };
        let mut faults = Vec::new();
        if let Some(problem) = problem {
            let others = problem.faults().iter().filter(is_told);
            faults
                .extend(others.map(|fault| format!("{}: {}", fault.field.replace('_', " "), fault.message)));
            if problem.faults().is_empty() {
                faults.push(problem.detail().to_owned());
            }
        }
        let (mut notes, mut shown, mut next) = (Vec::new(), Vec::new(), None);
        if let Some(Ok(answer)) = ended {
            let mut schemas = Schemas::new();
            let schema = action.answer_schema(&mut schemas).unwrap_or_default();
            shown =
                sections(String::new(), 1, parts(&answer.json, &schema, &schemas), &record_pages(signed_in));
            // A page links to the next one instead of naming a flag.
            notes = answer.texts("notes").into_iter().filter(|note| !note.contains("--after")).collect();
            faults.extend(answer.texts("refused"));
            next = answer.json["page"]["next"].as_str().map(|after| {
                let kept = given.iter().filter(|(name, _)| name != "after");
                let mut pairs: Vec<(&str, &str)> =
                    kept.map(|(name, value)| (name.as_str(), value.as_str())).collect();
                pairs.push(("after", after));
                address(action, &pairs)
            });
        }
        let is_done = matches!(ended, Some(Ok(_)));
        let answer = page(&ActPage {
            title: title(action),
            text: action.text.to_owned(),
            is_post: action.about.method == Method::Post,
            is_irreversible: action.about.is_irreversible,
            fields,
            form_key: self.service().team.form_key(),
            elsewhere,
            faults,
            notes,
            is_done,
            sections: shown,
            next,
            offers: if is_done { offers(action, given, signed_in) } else { Vec::new() },
        });
        match problem {
            Some(problem) => (problem.code.status(), answer).into_response(),
            None => answer,
        }
    }

    async fn run(
        &self,
        action: &'static Action,
        signed_in: &SignedIn,
        given: &Pairs,
    ) -> Result<Answer, Problem> {
        let (asked, who) = (asked(action, given), Who::Operator(Box::new(signed_in.clone())));
        decide(&who, &action.about, self.service().team.now())?;
        let key = given.iter().find(|(name, _)| name == FORM_KEY).filter(|_| !action.about.gives_file);
        let mut headers = HeaderMap::new();
        if let Some(key) = key.and_then(|(_, key)| HeaderValue::try_from(key).ok()) {
            headers.insert("idempotency-key", key);
        }
        let keyed = Keyed::of(self.service(), action.about.name, &who, (&headers, &asked))?;
        carry_out(&self.api, action, who, asked, (None, keyed)).await
    }

    /// The page after an action, or the file that it gives.
    async fn ended(&self, action: &'static Action, signed_in: &SignedIn, given: &Pairs) -> Response {
        let mut ended = self.run(action, signed_in, given).await;
        if let Ok(Answer { file, .. }) = &mut ended
            && let Some(file) = file.take()
        {
            let disposition = [(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"))];
            return (disposition, file).into_response();
        }
        if let Err(problem) = &ended
            && let Some(cause) = &problem.cause
        {
            tracing::error!(error.cause = %cause, "{} failed: {cause}", action.about.name);
        }
        self.page_of(action, signed_in, given, Some(&ended))
    }

    fn asks_for_passkey(
        &self,
        operator: &TeamMember,
        action: &Action,
        form: &str,
        fault: Option<&str>,
    ) -> Response {
        let lines = [format!("This cannot be undone: {}", action.text)];
        let asks = Asks {
            purpose: CeremonyPurpose::Confirm,
            title: "Confirm with your passkey",
            lines: &lines,
            button: "Confirm",
            fields: &[(CONFIRMED_FORM, form)],
            fault,
            provider: None,
        };
        self.ask(Some(operator), &asks)
    }
}

/// The action of this name, if the operator has a role for it.
fn found(name: &str, signed_in: &SignedIn) -> Result<&'static Action, Box<Response>> {
    let action = ACTIONS.iter().find(|action| action.about.name == name);
    let missing = || Box::new((StatusCode::NOT_FOUND, failed("There is no such page.")).into_response());
    let action = action.ok_or_else(missing)?;
    match permits(signed_in, &action.about) {
        true => Ok(action),
        false => {
            let why = format!("Your roles do not allow this: {name}.");
            Err(Box::new((StatusCode::FORBIDDEN, failed(&why)).into_response()))
        }
    }
}

/// All actions that the operator may use, by area.
pub(super) async fn menu(State(_): On, Visitor(signed_in): Visitor) -> Response {
    let mut areas: Vec<(String, Vec<ActLink>)> = Vec::new();
    for action in ACTIONS.iter().filter(|action| permits(&signed_in, &action.about)) {
        let area = heading(action.about.name.split('.').next().unwrap_or_default());
        let link =
            ActLink { address: address(action, &[]), label: title(action), text: action.text.to_owned() };
        match areas.iter_mut().find(|(known, _)| *known == area) {
            Some((_, links)) => links.push(link),
            None => areas.push((area, vec![link])),
        }
    }
    page(&MenuPage { areas })
}

/// Page of an action. An action that only reads runs at once if the address has what it needs.
pub(super) async fn show(
    State(console): On,
    Visitor(signed_in): Visitor,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let action = match found(&name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let given: Pairs = serde_urlencoded::from_str(query.as_deref().unwrap_or_default()).unwrap_or_default();
    match action.about.method == Method::Get && has_what_it_needs(action, &given) {
        true => console.ended(action, &signed_in, &given).await,
        false => console.page_of(action, &signed_in, &given, None),
    }
}

/// Runs an action with the fields of a form. If it cannot be undone, the operator first confirms it with a passkey.
pub(super) async fn run(
    State(console): On,
    Visitor(mut signed_in): Visitor,
    Path(name): Path<String>,
    body: String,
) -> Response {
    let action = match found(&name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let mut form = body;
    let sent: Pairs = serde_urlencoded::from_str(&form).unwrap_or_default();
    let of = |wanted: &str| sent.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    if let Some(confirmed) = of(CONFIRMED_FORM) {
        let ceremony = CeremonyForm {
            ceremony: of("ceremony").unwrap_or_default(),
            credential: of("credential").unwrap_or_default(),
            next: String::new(),
            code: String::new(),
        };
        let used = console.used(CeremonyPurpose::Confirm, &ceremony, Some(&signed_in.operator)).await;
        let confirmation = match used {
            Ok((_, used)) => console.service().team.confirm(&signed_in, &used.id, used.counter).await,
            Err(fault) => Err(fault),
        };
        match confirmation {
            Ok(now) => signed_in = now,
            Err(Error::NotPermitted(why)) => {
                return console.asks_for_passkey(&signed_in.operator, action, &confirmed, Some(why));
            }
            Err(fault) => return refusal(fault),
        }
        form = confirmed;
    }
    if action.about.is_irreversible && !signed_in.is_confirmed(console.service().team.now()) {
        return match signed_in.operator.passkeys.is_empty() {
            true => {
                failed("This cannot be undone, so it needs a passkey. Ask an administrator for a new link.")
            }
            false => console.asks_for_passkey(&signed_in.operator, action, &form, None),
        };
    }
    let given: Pairs = match serde_urlencoded::from_str(&form) {
        Ok(given) => given,
        Err(_) => {
            let problem = Problem::new(Code::V4000, "The form cannot be read.");
            return console.page_of(action, &signed_in, &Pairs::new(), Some(&Err(problem)));
        }
    };
    console.ended(action, &signed_in, &given).await
}
