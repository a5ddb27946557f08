//! Pages of the operators' actions. Each page is made of the action's fields and of its answer's schema, so a new
//! action needs no code here.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use domain::team::TeamMember;
use serde_json::Value;
use service::Error;
use service::team::SignedIn;
use service::team::approval::NewApproval;
use service::team::sign_in::CeremonyPurpose;
use spreadsheet::{Cell, CsvRows};
use web::error::{Code, Problem};

use super::form::{
    ActForm, Begun, FORM_KEY, Pairs, SightForm, first, has_sight, has_what_it_needs, received_files, without,
};
use super::held;
use super::pages::{Asks, CeremonyForm, KEPT, ask_to_sign_in, own_path};
use super::record::{ActLink, Piece, Section, WITH, about, action_of, address, heading, record_field, title};
use super::said::{failed, log_cause, missing, page, problem_page, refusal};
use super::visit::Visit;
use super::visitor::{OwnForm, Visitor};
use super::{Console, On};
use crate::act::answer::{Answer, texts_of};
use crate::act::decide::permits;
use crate::act::print::{Part, parts};
use crate::act::shown::Schemas;
use crate::act::{Action, Method};
use crate::serve::acts::ACTIONS;

/// Field of a passkey's form with the form that it confirms.
const CONFIRMED_FORM: &str = "form";

/// Field of a form that requests the approval that the action needs.
const REQUESTS_APPROVAL: &str = "requests_approval";

/// Field of a page that gets the list as CSV.
const AS: &str = "as";

/// Page that opened the form of sight, to return to it.
pub(super) const BACK: &str = "back";

/// Most rows of a list that are written as CSV.
const MOST_ROWS: usize = 10_000;

/// Rows of a list that are read at once for CSV.
const ROWS_AT_ONCE: &str = "500";

/// How long a form is kept of which the session ended.
const FORM_KEPT_FOR: Duration = Duration::from_secs(15 * 60);

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
    is_list: bool,
    form: Option<ActForm>,
    faults: Vec<String>,
    /// What has changed a record meanwhile, if it refused the action.
    changes: Vec<Section>,
    notes: Vec<Vec<Piece>>,
    sections: Vec<Section>,
    sight: Option<SightForm>,
    csv: Option<String>,
    next: Option<String>,
    offers: Vec<ActLink>,
    /// Form of an action on the record of the page.
    with: Option<ActForm>,
    /// The approval that the action needs.
    needs: Option<(String, Vec<(String, String)>)>,
    /// Fields of the form that requests the approval.
    request: Pairs,
}

/// How an action ended.
enum Ended {
    /// It was not sent.
    Not,
    Done(Value),
    /// It showed what it would do.
    Previewed(Value),
    /// It needs an approval, which was not requested yet.
    Needs(NewApproval),
    Refused(Problem),
}

impl Visit<'_> {
    /// Page of an action. `given`: the fields of the form or of the page's query.
    async fn page_of(&self, action: &'static Action, given: &Pairs, ended: Ended) -> Response {
        match self.try_page_of(action, given, ended).await {
            Ok(response) => response,
            Err(problem) => problem_page(action.about.name, &problem),
        }
    }

    async fn try_page_of(
        &self,
        action: &'static Action,
        given: &Pairs,
        ended: Ended,
    ) -> Result<Response, Problem> {
        let is_read = action.about.method == Method::Get;
        let (answer, problem) = match &ended {
            Ended::Done(answer) | Ended::Previewed(answer) => (Some(answer), None),
            Ended::Refused(problem) => (None, Some(problem)),
            Ended::Not | Ended::Needs(_) => (None, None),
        };
        let is_done = matches!(ended, Ended::Done(_));
        let own_record = record_field(action).map(|(field, _)| field);
        // A record's page has its id in the address.
        let fixed: Vec<&str> = own_record.into_iter().filter(|_| is_read && is_done).collect();
        let needs_form = (!is_done || is_read) && !matches!(ended, Ended::Needs(_));
        let form = match needs_form {
            true => {
                let begun = Begun {
                    given: given.clone(),
                    fixed: &fixed,
                    problem,
                    allowed: if is_read { None } else { self.allowed(action, given).await? },
                    form_key: self.console.service().team.form_key(),
                    is_previewed: matches!(ended, Ended::Previewed(_)),
                };
                Some(ActForm::of(action, &begun)).filter(|form| !form.fields.is_empty() || !is_done)
            }
            false => None,
        };
        let (mut sections, mut next, mut csv) = (Vec::new(), None, None);
        let (told, forgets) = held::told(self.console, self.headers).unzip();
        let mut notes: Vec<String> = told.unwrap_or_default();
        let mut faults = form.as_ref().map(|form| form.faults.clone()).unwrap_or_default();
        if let Some(answer) = answer {
            sections = self.sections(action, answer, "", 1);
            // A page links to the next one instead of naming a flag.
            let texts = texts_of(answer, "notes").into_iter().filter(|note| !note.contains("--after"));
            notes.extend(texts);
            faults.extend(texts_of(answer, "refused"));
            let kept = |name: &str, value: &str| {
                let mut pairs = without(given, &["after", "personal", "only", "reason"]);
                pairs.push((name, value));
                address(action, &pairs)
            };
            next = answer["page"]["next"].as_str().map(|after| kept("after", after));
            csv = (answer["page"].is_object()).then(|| kept(AS, "csv"));
        }
        let changes = match problem {
            Some(problem) if problem.code == Code::S4090 => {
                self.changes_of(own_record.and_then(|field| first(given, field))).await
            }
            _ => Vec::new(),
        };
        let back = address(action, &without(given, &["personal", "only", "reason"]));
        let (needs, request) = match &ended {
            Ended::Needs(NewApproval { what, facts, .. }) => {
                let facts = facts.iter().filter(|fact| !fact.is_personal);
                let facts = facts.map(|fact| (heading(&fact.name.replace('_', " ")), fact.value.clone()));
                let mut request = given.clone();
                request.push((REQUESTS_APPROVAL.to_owned(), "true".to_owned()));
                (Some((what.clone(), facts.collect())), request)
            }
            _ => (None, Pairs::new()),
        };
        let offers = if is_done { self.offers(action, given).await? } else { Vec::new() };
        let with = match (is_done, first(given, WITH).and_then(action_of), own_record) {
            (true, Some(with), Some(field)) => match (record_field(with), first(given, field)) {
                (Some((name, _)), Some(record)) => self.form(with.about.name, &[(name, record)]).await?,
                _ => None,
            },
            _ => None,
        };
        let answer = page(&ActPage {
            title: title(action),
            text: about(action),
            is_list: csv.is_some(),
            form,
            faults,
            changes,
            notes: notes.iter().map(|note| self.pages.pieces(note)).collect(),
            sections,
            sight: if is_read { SightForm::of(action, given, back) } else { None },
            csv,
            next,
            offers,
            with,
            needs,
            request,
        });
        let status = problem.map_or(StatusCode::OK, |problem| problem.code.status());
        Ok((status, forgets.map(|forgets| [forgets]), answer).into_response())
    }

    /// The newest changes of a record, from the audit trail, for an operator whose change was refused.
    async fn changes_of(&self, record: Option<&str>) -> Vec<Section> {
        let Some(record) = record.filter(|record| !record.is_empty()) else { return Vec::new() };
        let found = self.shown("audit.list", &[("of", record), ("most", "3")], "What changed last").await;
        found.ok().flatten().map(|read| read.sections).unwrap_or_default()
    }

    /// Runs an action, and shows its page or the file that it gives.
    async fn ended(&self, action: &'static Action, given: &Pairs, upload: Option<Arc<File>>) -> Response {
        let preview = action.fields().iter().find(|field| field.is_preview).map(|field| field.name);
        let is_preview = preview.is_some_and(|preview| first(given, preview) == Some("true"));
        // A file cannot be sent a second time without its operator.
        let asks_first = first(given, REQUESTS_APPROVAL).is_none() && upload.is_none();
        let ended = match self.run(action, given, upload, asks_first).await {
            Ok(Answer { file: Some(file), .. }) => {
                let disposition = [(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"))];
                return (disposition, file).into_response();
            }
            Ok(Answer { needs: Some(new), .. }) => Ended::Needs(new),
            Ok(answer) if is_preview => Ended::Previewed(answer.json),
            Ok(answer) => match self.next_page(action, given, &answer) {
                Some(next) => {
                    return ([held::tell(self.console, &answer.texts("notes"))], next).into_response();
                }
                None => Ended::Done(answer.json),
            },
            Err(problem) => {
                log_cause(action.about.name, &problem);
                Ended::Refused(problem)
            }
        };
        self.page_of(action, given, ended).await
    }

    /// The page after an action that changed a record: the page that has its form, or the record's page. `None` if the
    /// answer has more than sentences.
    fn next_page(&self, action: &Action, given: &Pairs, answer: &Answer) -> Option<Redirect> {
        let about = &action.about;
        let is_told = about.method == Method::Post && answer.texts("refused").is_empty();
        if !is_told || about.gives_secret || about.shows_persons || answer.texts("notes").is_empty() {
            return None;
        }
        if let Some(back) = first(given, BACK) {
            return Some(Redirect::to(own_path(back)));
        }
        let (field, kind) = record_field(action)?;
        self.pages.of_kind(kind, first(given, field)?.trim()).map(|address| Redirect::to(&address))
    }

    /// A list as CSV: the columns that its page shows.
    async fn csv(&self, action: &'static Action, given: &Pairs) -> Result<Response, Problem> {
        let (mut rows, mut after) = (Vec::<Vec<String>>::new(), None::<String>);
        loop {
            if rows.len() > MOST_ROWS {
                let detail = "The list has more than 10,000 rows. Filter it, or use 'covernote policy export' or 'proposal export'.";
                return Err(Problem::new(Code::V4000, detail));
            }
            let mut pairs: Pairs = given.clone();
            pairs.retain(|(name, _)| !matches!(name.as_str(), AS | "most" | "after"));
            pairs.push(("most".to_owned(), ROWS_AT_ONCE.to_owned()));
            pairs.extend(after.take().map(|after| ("after".to_owned(), after)));
            let answer = self.run(action, &pairs, None, true).await?;
            let mut schemas = Schemas::new();
            let schema = action.answer_schema(&mut schemas).unwrap_or_default();
            for part in parts(&answer.json, &schema, &schemas) {
                if let Part::Table { head, rows: more, .. } = part {
                    if rows.is_empty() {
                        rows.push(head);
                    }
                    rows.extend(more);
                }
            }
            match answer.json["page"]["next"].as_str() {
                Some(next) => after = Some(next.to_owned()),
                None => break,
            }
        }
        let written = |cause: std::io::Error| Problem::unexpected(cause.to_string());
        let head = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
        let mut csv = CsvRows::begin(Vec::new(), &head).map_err(written)?;
        for row in &rows {
            let cells: Vec<Cell> = row.iter().map(|cell| Cell::Text(cell.clone())).collect();
            csv.add(&cells).map_err(written)?;
        }
        let name = format!("attachment; filename=\"{}.csv\"", action.about.name);
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
            (
                header::CONTENT_DISPOSITION,
                HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("attachment")),
            ),
        ];
        Ok((headers, csv.finish().map_err(written)?).into_response())
    }
}

impl Console {
    fn asks_for_passkey(
        &self,
        operator: &TeamMember,
        action: &Action,
        form: &str,
        fault: Option<&str>,
    ) -> Response {
        let lines = [format!("This cannot be undone: {}", about(action))];
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
    let action = action_of(name).ok_or_else(|| Box::new(missing()))?;
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
        let link = ActLink::of(action, &[]);
        match areas.iter_mut().find(|(known, _)| *known == area) {
            Some((_, links)) => links.push(link),
            None => areas.push((area, vec![link])),
        }
    }
    page(&MenuPage { areas })
}

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {}

/// The keys that the pages understand.
pub(super) async fn keys(_: Visitor) -> Response {
    page(&KeysPage {})
}

/// Page of an action. An action that only reads runs at once if the address has what it needs.
pub(super) async fn show(
    State(console): On,
    Visitor(signed_in): Visitor,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let action = match found(&name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let visit = Visit::of(&console, signed_in, &headers);
    let mut given: Pairs =
        serde_urlencoded::from_str(query.as_deref().unwrap_or_default()).unwrap_or_default();
    // Personal data is shown by a form that is sent, so that its reason is in no address.
    given.retain(|(name, _)| !has_sight(action) || !matches!(name.as_str(), "personal" | "only" | "reason"));
    let given = visit.with_sight(action, given);
    if action.about.method == Method::Post || !has_what_it_needs(action, &given) {
        return visit.page_of(action, &given, Ended::Not).await;
    }
    match first(&given, AS) {
        Some("csv") => match visit.csv(action, &given).await {
            Ok(response) => response,
            Err(problem) => problem_page(action.about.name, &problem),
        },
        _ => visit.ended(action, &given, None).await,
    }
}

/// Makes a page show personal data for some minutes, or mask them again.
pub(super) async fn see(
    State(console): On,
    Visitor(signed_in): Visitor,
    Path(name): Path<String>,
    body: String,
) -> Response {
    let action = match found(&name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let given: Pairs = serde_urlencoded::from_str(&body).unwrap_or_default();
    let record = record_field(action).and_then(|(field, _)| first(&given, field)).unwrap_or_default();
    let only = given.iter().filter(|(name, _)| name == "only").map(|(_, value)| value.clone()).collect();
    let reason = first(&given, "reason").unwrap_or_default().trim();
    let cookie = held::begin_sight(&console, &signed_in, action, record, (reason, only));
    let back = own_path(first(&given, BACK).unwrap_or_default());
    ([cookie], Redirect::to(back)).into_response()
}

/// Runs an action with the fields of a form. If it cannot be undone, the operator first confirms it with a passkey. If the
/// session has ended, the sign-in page keeps the form.
pub(super) async fn run(
    State(console): On,
    _: OwnForm,
    entrant: Result<Visitor, Response>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Response {
    let Ok(Visitor(mut signed_in)) = entrant else {
        let kept = console.service().team.hold(KEPT, &format!("{name} {body}"), FORM_KEPT_FOR);
        return ask_to_sign_in(&console, "", Some(&kept), None);
    };
    let action = match found(&name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let mut form = body;
    let sent: Pairs = serde_urlencoded::from_str(&form).unwrap_or_default();
    if let Some(confirmed) = first(&sent, CONFIRMED_FORM).map(str::to_owned) {
        let of = |wanted: &str| first(&sent, wanted).unwrap_or_default().to_owned();
        let ceremony = CeremonyForm {
            ceremony: of("ceremony"),
            credential: of("credential"),
            ..CeremonyForm::default()
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
    let visit = Visit::of(&console, signed_in, &headers);
    match serde_urlencoded::from_str(&form) {
        Ok(given) => visit.ended(action, &given, None).await,
        Err(_) => {
            let problem = Problem::new(Code::V4000, "The form cannot be read.");
            visit.page_of(action, &Pairs::new(), Ended::Refused(problem)).await
        }
    }
}

/// Runs an action with the fields of a form with files. The files arrive only after the operator is known.
pub(super) async fn run_with_files(
    State(console): On,
    Visitor(signed_in): Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let action = match found(&name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let visit = Visit::of(&console, signed_in, &headers);
    match received_files(action, &headers, body).await {
        Ok((given, upload)) => visit.ended(action, &given, upload).await,
        Err(problem) => visit.page_of(action, &Pairs::new(), Ended::Refused(problem)).await,
    }
}

/// The form that the sign-in page kept.
pub(super) async fn kept(
    State(console): On,
    Visitor(signed_in): Visitor,
    headers: HeaderMap,
    body: String,
) -> Response {
    let sent: Pairs = serde_urlencoded::from_str(&body).unwrap_or_default();
    let kept = first(&sent, KEPT).and_then(|kept| console.service().team.held(KEPT, kept));
    let Some((name, form)) = kept.as_deref().and_then(|kept| kept.split_once(' ')) else {
        return refusal(Error::LinkExpired);
    };
    let action = match found(name, &signed_in) {
        Ok(action) => action,
        Err(answer) => return *answer,
    };
    let read = |form: &str| -> Pairs { serde_urlencoded::from_str(form).unwrap_or_default() };
    let mut given = read(form);
    // The form may have waited for a passkey.
    if let Some(confirmed) = first(&given, CONFIRMED_FORM).map(read) {
        given = confirmed;
    }
    given.retain(|(name, _)| name != FORM_KEY);
    Visit::of(&console, signed_in, &headers).page_of(action, &given, Ended::Not).await
}
