//! Forms of the operators' actions: made of the fields of an action, and read back as its request.

use std::io::Write;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt, TryStreamExt};
use multer::Multipart;
use serde_json::{Map, Value};
use service::Fault;
use std::fs::File;
use std::sync::Arc;
use web::error::{Code, Problem};

use super::record::{address, heading, record_field, title};
use crate::act::input::Field;
use crate::act::{Action, Allowed, Asked, Method};

/// Most choices that a form shows as buttons. More are a list.
const MOST_BUTTONS: usize = 5;

/// Field of a form with its idempotency key.
pub(super) const FORM_KEY: &str = "form_key";

/// Field of a form with an uploaded file that is the body of the action's request.
const FILE: &str = "file";

/// Fields by which an operator sees personal data. A page asks for them in a form of its own.
const OF_SIGHT: [&str; 3] = ["personal", "only", "reason"];

/// Most bytes of the fields of a form with files. The body of an action may be smaller.
const MOST_OF_FIELDS: u64 = 32 << 20;

/// Most bytes of an uploaded file that is the body of an action.
const MOST_OF_FILE: u64 = 4 << 30;

/// Fields of a form or of a page's query, by name. A list has its name several times.
pub(super) type Pairs = Vec<(String, String)>;

/// First value of a field.
pub(super) fn first<'p>(pairs: &'p Pairs, name: &str) -> Option<&'p str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Fields with these names and values.
pub(super) fn pairs_of(pairs: &[(&str, &str)]) -> Pairs {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A field of a form.
pub(super) struct FormField {
    pub(super) name: &'static str,
    /// Id of the input, unique on a page with several forms.
    pub(super) id: String,
    pub(super) label: String,
    pub(super) help: String,
    pub(super) kind: &'static str,
    pub(super) value: String,
    /// Words to choose from, each with whether it is chosen.
    pub(super) choices: Vec<(String, bool)>,
    pub(super) is_required: bool,
    pub(super) faults: Vec<String>,
}

/// Form of an action.
pub(super) struct ActForm {
    /// Name of the action, which makes the ids of inputs unique.
    pub(super) act: &'static str,
    pub(super) title: String,
    pub(super) address: String,
    pub(super) is_post: bool,
    pub(super) has_file: bool,
    /// Whether the action cannot be undone.
    pub(super) is_irreversible: bool,
    pub(super) hidden: Pairs,
    pub(super) fields: Vec<FormField>,
    pub(super) button: String,
    /// Name of the switch by which the action only shows what it would do.
    pub(super) preview: Option<&'static str>,
    /// Whether the button that does the action is shown. It comes after a preview.
    pub(super) is_final: bool,
    /// Faults of fields that the form does not have.
    pub(super) faults: Vec<String>,
}

/// What a form begins with.
#[derive(Default)]
pub(super) struct Begun<'b> {
    /// Values of the fields.
    pub(super) given: Pairs,
    /// Fields with a fixed value, which are not shown.
    pub(super) fixed: &'b [&'b str],
    pub(super) problem: Option<&'b Problem>,
    /// What the record's state allows.
    pub(super) allowed: Option<Allowed>,
    pub(super) form_key: String,
    /// Whether the form comes after a preview.
    pub(super) is_previewed: bool,
}

impl ActForm {
    pub(super) fn of(action: &Action, begun: &Begun<'_>) -> Self {
        let about = &action.about;
        let is_post = about.method == Method::Post;
        let has_sight = has_sight(action);
        let preview = action.fields().iter().find(|field| field.is_preview).map(|field| field.name);
        let is_hidden = |field: &&Field| {
            let is_fixed = begun.fixed.contains(&field.name);
            // A link leads to the next page of a list.
            let is_page = field.name == "after" && !is_post;
            is_fixed || is_page || field.is_preview || has_sight && OF_SIGHT.contains(&field.name)
        };
        let shown = action.fields().iter().filter(|field| !is_hidden(field));
        let mut fields: Vec<FormField> = shown.map(|field| FormField::of(about.name, field, begun)).collect();
        if let Some(file) = about.takes_file {
            fields.push(FormField {
                name: FILE,
                id: format!("{}-{FILE}", about.name),
                label: "File".to_owned(),
                help: file.help.to_owned(),
                kind: FILE,
                value: String::new(),
                choices: Vec::new(),
                is_required: true,
                faults: Vec::new(),
            });
        }
        let mut hidden: Pairs = begun.given.clone();
        hidden.retain(|(name, _)| begun.fixed.contains(&name.as_str()));
        if is_post {
            hidden.push((FORM_KEY.to_owned(), begun.form_key.clone()));
        }
        let is_told = |fault: &&Fault| {
            !fields.iter().any(|field| !field.faults.is_empty() && fault.field.starts_with(field.name))
        };
        let mut faults = Vec::new();
        if let Some(problem) = begun.problem {
            let others = problem.faults().iter().filter(is_told);
            faults
                .extend(others.map(|fault| format!("{}: {}", fault.field.replace('_', " "), fault.message)));
            if problem.faults().is_empty() {
                faults.push(problem.detail().to_owned());
            }
        }
        ActForm {
            act: about.name,
            title: title(action),
            address: address(action, &[]),
            is_post,
            has_file: fields.iter().any(|field| field.kind == FILE),
            is_irreversible: about.is_irreversible,
            hidden,
            fields,
            button: if is_post { title(action) } else { "Show".to_owned() },
            preview,
            is_final: preview.is_none() || begun.is_previewed,
            faults,
        }
    }
}

/// Whether an action shows personal data to those who give a reason.
pub(super) fn has_sight(action: &Action) -> bool {
    action.fields().iter().any(|field| field.name == OF_SIGHT[0]) && !action.about.gives_file
}

impl FormField {
    fn of(act: &str, field: &Field, begun: &Begun<'_>) -> Self {
        let given = begun.given.iter().filter(|(name, _)| name == field.name);
        let values: Vec<&str> = given.map(|(_, value)| value.as_str()).collect();
        let default = field.default.as_ref().map(|default| match default {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let value = if values.is_empty() { default.unwrap_or_default() } else { values.join("\n") };
        let words = match &begun.allowed {
            Some(Allowed::Words { field: of, words }) if *of == field.name => words.clone(),
            _ => field.words(),
        };
        let schema = if field.is_list() { &field.schema["items"] } else { &field.schema };
        let kind = match (words.len(), field.item_type()) {
            (0, _) if field.is_file() => FILE,
            (0, _) if field.is_list() => "lines",
            (0, "boolean") => "switch",
            (0, "integer") => "number",
            (0, _) if schema["format"] == "date" => "date",
            (0, _) => "text",
            (..=MOST_BUTTONS, _) if !field.is_list() => "buttons",
            _ => "list",
        };
        let problem = begun.problem.map(Problem::faults).unwrap_or_default();
        let is_own = |name: &str| {
            name.strip_prefix(field.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        FormField {
            name: field.name,
            id: format!("{act}-{}", field.name),
            label: heading(&field.name.replace('_', " ")),
            help: field.text(),
            kind,
            choices: words
                .iter()
                .map(|word| ((*word).to_owned(), values.contains(word) || value == **word))
                .collect(),
            value,
            is_required: field.is_required,
            faults: problem
                .iter()
                .filter(|fault| is_own(&fault.field))
                .map(|fault| fault.message.clone())
                .collect(),
        }
    }
}

/// What a page needs for the form that shows personal data.
pub(super) struct SightForm {
    pub(super) act: &'static str,
    /// Field and value of the record.
    pub(super) record: Option<(&'static str, String)>,
    /// Kinds of personal data to choose from.
    pub(super) kinds: &'static [&'static str],
    /// Whether the page shows personal data now.
    pub(super) is_open: bool,
    /// Address of the page.
    pub(super) back: String,
}

impl SightForm {
    /// The form, if the action shows personal data. `back`: address of the page.
    pub(super) fn of(action: &'static Action, given: &Pairs, back: String) -> Option<Self> {
        let record =
            record_field(action).and_then(|(field, _)| Some((field, first(given, field)?.to_owned())));
        has_sight(action).then(|| SightForm {
            act: action.about.name,
            record,
            kinds: action.personal,
            is_open: first(given, "personal") == Some("true"),
            back,
        })
    }
}

/// The fields of a page's query except these.
pub(super) fn without<'p>(given: &'p Pairs, names: &[&str]) -> Vec<(&'p str, &'p str)> {
    let kept = given.iter().filter(|(name, _)| !names.contains(&name.as_str()));
    kept.map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// The request of an action, from the fields of a form. Blank fields count as absent.
pub(super) fn asked(action: &Action, given: &Pairs) -> Asked {
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

/// Whether the fields that an action requires are given.
pub(super) fn has_what_it_needs(action: &Action, given: &Pairs) -> bool {
    let has =
        |field: &Field| given.iter().any(|(name, value)| name == field.name && !value.trim().is_empty());
    let one_of = action.fields().iter().filter_map(|field| field.one_of);
    let mut groups: Vec<&str> = one_of.collect();
    groups.dedup();
    let of_group =
        |group: &&str| action.fields().iter().any(|field| field.one_of == Some(*group) && has(field));
    action.fields().iter().all(|field| !field.is_required || has(field)) && groups.iter().all(of_group)
}

/// The fields of a form with files, and the file that is the body of the action's request.
///
/// # Errors
/// If the form cannot be read or is too large, or if a file is not text where text is needed.
pub(super) async fn received_files(
    action: &Action,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Pairs, Option<Arc<File>>), Problem> {
    let unread =
        |cause: multer::Error| Problem::new(Code::V4000, format!("The form cannot be read: {cause}."));
    let full =
        |cause: std::io::Error| Problem::new(Code::E5030, format!("The file cannot be stored: {cause}."));
    let media = headers.get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(media).map_err(unread)?;
    let mut form = Multipart::new(body.into_data_stream().map_err(std::io::Error::other), boundary);
    let (mut pairs, mut upload, mut of_fields) = (Pairs::new(), None, 0_u64);
    while let Some(mut part) = form.next_field().await.map_err(unread)? {
        let name = part.name().unwrap_or_default().to_owned();
        let is_body = name == FILE && action.about.takes_file.is_some();
        let mut file = if is_body { Some(tempfile::tempfile().map_err(full)?) } else { None };
        let (mut bytes, mut length) = (Vec::new(), 0_u64);
        while let Some(chunk) = part.next().await.transpose().map_err(unread)? {
            length += chunk.len() as u64;
            of_fields += if is_body { 0 } else { chunk.len() as u64 };
            if length > MOST_OF_FILE || of_fields > MOST_OF_FIELDS {
                return Err(Problem::new(Code::V4130, "The file is too large."));
            }
            match &mut file {
                Some(file) => file.write_all(&chunk).map_err(full)?,
                None => bytes.extend_from_slice(&chunk),
            }
        }
        if let Some(file) = file {
            upload = (length > 0).then(|| Arc::new(file));
            continue;
        }
        let field = action.fields().iter().find(|field| field.name == name);
        let value = match field.is_some_and(|field| field.schema["contentEncoding"] == "base64") {
            true => STANDARD.encode(&bytes),
            false => String::from_utf8(bytes).map_err(|_| {
                service::Error::Invalid(service::Faults::one(&name, "Must be a file with text in UTF-8."))
            })?,
        };
        pairs.push((name, value));
    }
    if upload.is_none() && action.about.takes_file.is_some() {
        return Err(service::Error::Invalid(service::Faults::one(FILE, "Choose a file.")).into());
    }
    Ok((pairs, upload))
}
