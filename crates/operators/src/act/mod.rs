//! An action of an operator (an act) as a Rust type, with its flags, path and roles.

pub(crate) mod about;
pub(crate) mod answer;
pub(crate) mod approval_shown;
pub(crate) mod approving;
pub(crate) mod arguments;
pub(crate) mod decide;
pub(crate) mod facts;
pub(crate) mod fields;
pub(crate) mod finding;
pub(crate) mod input;
pub(crate) mod listing;
pub(crate) mod names;
pub(crate) mod personal_sight;
pub(crate) mod print;
pub(crate) mod progress;
pub(crate) mod record;
pub(crate) mod shown;
pub(crate) mod trail;

use std::fs::File;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::http::{Request, header};
use domain::approval::{Approval, ApprovalState};
use domain::money::Rupees;
pub use domain::team::Role;
use rating::Catalogue;
use serde_json::{Map, Value};
use service::acting::{self, Companions};
use service::shared::idempotency::KeptResponse;
use service::{Fault, Faults, Service};
use web::error::{Code, Problem};

pub use crate::act::about::About;
pub use crate::act::about::{Method, Needs, Out};
pub(crate) use crate::act::about::{get, post};
use crate::act::answer::{Answer, Returned};
pub(crate) use crate::act::approving::Needed;
use crate::act::approving::Permission;
use crate::act::decide::Who;
use crate::act::finding::Finding;
use crate::act::input::{Field, Input, fields_of, read_input};
use crate::act::personal_sight::PersonalSight;
use crate::act::shown::Schemas;
use crate::act::trail::Trail;

/// Result of an operator's action. The default error is the API's error object.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// Header in which a command that runs as root sends the numeric id of the user who called `sudo`.
pub(crate) const SUDO_USER: &str = "covernote-sudo-user";

/// Header with a sentence about the file of an answer.
pub const FILE_NOTE: &str = "covernote-note";

/// Prefix of every path of the operators' API.
pub(crate) const BASE: &str = "/operator/v1";

/// Checks that this process can sell the products of a catalogue. The error says why it cannot.
pub type JudgeCatalogue = Arc<dyn Fn(&Catalogue) -> Result<(), String> + Send + Sync>;

/// Verifies all records of the store, or only its premiums, payments and ledger. Blocks the thread. The JSON
/// has `rows` (number of verified rows of each table), `faults` (each with `record`, `rule`, `expected` and
/// `found`) and `more_faults` (number of faults that are not listed). The error says why the store cannot be
/// read.
pub type Verify = Arc<dyn Fn(Extent) -> Result<Value, String> + Send + Sync>;

/// Checks the machine that this process runs on. Returns the name and the finding of each check.
pub type Examine = Arc<dyn Fn() -> Vec<(&'static str, Finding)> + Send + Sync>;

/// Extent of a verification: which records it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every record.
    Everything,
    /// Premiums, receipts, deposits and the ledger.
    Books,
}

/// Context in which an operator's action runs.
#[derive(Clone)]
pub(crate) struct On {
    pub(crate) service: Arc<Service>,
    /// Address of the hosted pages where customers buy. If empty, they have the service's own address.
    pub(crate) journey_url: String,
    /// Address of the console. Empty if there is no console.
    pub(crate) console_url: String,
    /// Writes the log of access, and reads the file with the signed heads of the audit trail.
    pub(crate) trail: Arc<dyn Trail>,
    /// Payments above this amount need a second operator's approval, if the store has no amount yet.
    pub(crate) approval_above: Rupees,
    /// How often an operator may see personal data or secrets in an hour without an approval.
    pub(crate) reveals_per_hour: u32,
    /// Checks that this process can sell the products of a catalogue: it must have a usable secret for each
    /// insurer that is reached over HTTP.
    pub(crate) judge_catalogue: JudgeCatalogue,
    pub(crate) verify: Verify,
    pub(crate) examine: Examine,
    /// File that the request uploaded, if any.
    pub(crate) upload: Option<Arc<File>>,
    /// All actions of the operators' API.
    pub(crate) actions: &'static [Action],
    pub(crate) who: Who,
    /// Approval that allows this run of the action, if it needed one.
    pub(crate) approved: Option<Arc<Approval>>,
    /// Whether a needed approval is not requested, but only described.
    pub(crate) asks_first: bool,
    /// The still empty response under the idempotency key of the request, if it has one.
    pub(crate) response: Option<Arc<KeptResponse>>,
}

/// What the state of a record allows of an action.
pub(crate) enum Allowed {
    Nothing,
    Anything,
    /// Only these words in the field `field`.
    Words {
        field: &'static str,
        words: Vec<&'static str>,
    },
}

impl Allowed {
    /// Anything if the record's state allows the action.
    pub(crate) const fn if_so(is_allowed: bool) -> Self {
        if is_allowed { Allowed::Anything } else { Allowed::Nothing }
    }

    /// The words to which the record's state can change. Nothing without a word.
    pub(crate) fn words(field: &'static str, words: Vec<&'static str>) -> Self {
        if words.is_empty() { Allowed::Nothing } else { Allowed::Words { field, words } }
    }
}

/// An action of an operator. Its fields are the fields of its HTTP request.
pub(crate) trait Act: Input + Send + 'static {
    /// Name, path and roles of the action.
    const ABOUT: About;

    type Answer: Returned;

    /// Kinds of personal data that the operator may ask for one by one.
    const PERSONAL: &'static [&'static str] = &[];

    /// Why the operator needs to see personal data. `None` if the action shows no personal data.
    fn reveals(&self) -> Option<&str> {
        None
    }

    /// Whether the action searches for a person by mobile number, e-mail address or PAN.
    fn searches(&self) -> bool {
        false
    }

    /// What a second operator must approve before the action runs. `None` if it needs no approval.
    fn needs_approval(&self, _: &On) -> impl Future<Output = Result<Option<Needed>>> + Send {
        std::future::ready(Ok(None))
    }

    /// What the state of the record that the path names allows, by the rule that refuses the action itself. Pages offer
    /// no more.
    fn allowed(_: &On, _record: &str) -> impl Future<Output = Result<Allowed>> + Send {
        std::future::ready(Ok(Allowed::Anything))
    }

    fn run(self, on: &On) -> impl Future<Output = Result<Self::Answer>> + Send;
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<Answer>> + Send + 'a>>;

type Allowing<'a> = Pin<Box<dyn Future<Output = Result<Allowed>> + Send + 'a>>;

/// An action without its Rust type, so that the router, the command line and the OpenAPI document can list all
/// actions.
pub struct Action {
    pub about: About,
    /// Description for people.
    pub text: &'static str,
    /// Kinds of personal data that the operator may ask for one by one.
    pub(crate) personal: &'static [&'static str],
    fields: LazyLock<Vec<Field>>,
    schema: fn(&mut Schemas) -> Option<Value>,
    run: for<'a> fn(&'a On, &'a Asked, &'a [Field]) -> Running<'a>,
    allowed: for<'a> fn(&'a On, &'a str) -> Allowing<'a>,
}

/// Fields of a request that are not parsed yet.
pub(crate) struct Asked {
    /// Parameters of the path: name and value.
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: String,
    pub(crate) body: Vec<u8>,
}

impl Action {
    /// Fields of the action's request.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Parses the fields of a request, then runs the action.
    pub(crate) fn run<'a>(&'a self, on: &'a On, asked: &'a Asked) -> Running<'a> {
        (self.run)(on, asked, self.fields())
    }

    /// What the state of a record allows of the action.
    pub(crate) fn allowed<'a>(&'a self, on: &'a On, record: &'a str) -> Allowing<'a> {
        (self.allowed)(on, record)
    }

    /// JSON Schema of the answer, with the named schemas that it refers to. `None` if the answer is a file.
    pub fn answer_schema(&self, schemas: &mut Schemas) -> Option<Value> {
        (self.schema)(schemas)
    }

    pub(crate) fn of<A: Act>() -> Self {
        Action {
            about: A::ABOUT,
            text: A::TEXT,
            personal: A::PERSONAL,
            fields: LazyLock::new(fields_of::<A>),
            schema: A::Answer::schema,
            allowed: |on, record| Box::pin(A::allowed(on, record)),
            run: |on, asked, fields| {
                Box::pin(async move {
                    let act: A = asked.read(A::ABOUT.method, fields)?;
                    let sight = PersonalSight::of(&act, on)?;
                    let (acting, companions) = (acting::current(), on.companions(on.approved.as_deref())?);
                    if !A::ABOUT.is_in_steps {
                        acting.go_with(companions.clone());
                    }
                    let needed = match act.needs_approval(on).await? {
                        Some(needed) => Some(needed),
                        None => on.beyond_limit(sight).await?,
                    };
                    let permission = match needed {
                        Some(needed) => on.permission(&A::ABOUT, asked, fields, needed).await?,
                        None => Permission::Free,
                    };
                    let on = &match permission {
                        Permission::Free => on.clone(),
                        Permission::Granted(approval) => On { approved: Some(approval), ..on.clone() },
                        Permission::Missing(new) => {
                            on.rehearse::<A>(asked, fields).await?;
                            return match on.asks_first {
                                true => Ok(Answer { needs: Some(new), ..Answer::default() }),
                                false => on.request_approval(new).await,
                            };
                        }
                    };
                    if sight != PersonalSight::Secret {
                        on.note_sight(sight, &asked.subject()).await?;
                    }
                    let answer = act.run(on).await?.into_answer();
                    // The transaction of the action ends its approval, so this entry must not come first.
                    if sight == PersonalSight::Secret {
                        on.note_sight(sight, &asked.subject()).await?;
                    }
                    if A::ABOUT.is_in_steps {
                        acting.go_with(companions);
                    }
                    // The action had several transactions, or none.
                    if acting.companions().is_some() {
                        on.service.audit.note(A::ABOUT.name, &asked.subject()).await?;
                    }
                    Ok(answer)
                })
            },
        }
    }
}

impl On {
    /// Rows that the action's first transaction writes, too: the end of the approval that allows it, and the empty
    /// response under its idempotency key.
    fn companions(&self, approval: Option<&Approval>) -> Result<Option<Companions>> {
        let ended = approval.map(|approval| Approval { state: ApprovalState::Done, ..approval.clone() });
        if ended.is_none() && self.response.is_none() {
            return Ok(None);
        }
        Ok(Some(self.service.audit.companions(ended.as_ref(), self.response.as_deref())?))
    }
}

impl Asked {
    /// Rebuilds the request of an action from the output of [`Asked::fields`].
    pub(crate) fn again(about: &About, path: Vec<(String, String)>, fields: String) -> Self {
        match about.method {
            Method::Get => Asked { path, query: fields, body: Vec::new() },
            Method::Post => Asked { path, query: String::new(), body: fields.into() },
        }
    }

    /// The fields as text: the query or the body. A request has only one of the two.
    pub(crate) fn fields(&self) -> String {
        match self.body.is_empty() {
            true => self.query.clone(),
            false => String::from_utf8_lossy(&self.body).into_owned(),
        }
    }

    /// Parses the fields of the path, and of the query or the body.
    ///
    /// # Errors
    /// All faults of the fields.
    pub(crate) fn read<I: Input>(&self, method: Method, fields: &[Field]) -> Result<I> {
        read_input(&self.object(method, fields)?)
    }

    /// The fields of the path, and of the query or the body, as JSON.
    ///
    /// # Errors
    /// If the body or the query cannot be read, or if a field is given twice.
    pub(crate) fn object(&self, method: Method, fields: &[Field]) -> Result<Map<String, Value>> {
        let mut object = match (method, &self.body[..]) {
            (Method::Get, _) | (Method::Post, []) => Map::new(),
            (Method::Post, body) => serde_json::from_slice(body)
                .map_err(|_| Problem::new(Code::V4000, "The body must be a JSON object."))?,
        };
        let query: Vec<(String, String)> = match method {
            Method::Get => serde_urlencoded::from_str(&self.query)
                .map_err(|_| Problem::new(Code::V4000, "The query cannot be read."))?,
            Method::Post => Vec::new(),
        };
        let mut twice = Vec::new();
        for (name, text) in query.iter().chain(&self.path) {
            let field = fields.iter().find(|field| field.name == name);
            let value = field.map_or_else(|| text.as_str().into(), |field| field.value_of(text));
            match object.get_mut(name) {
                Some(Value::Array(items)) => items.push(value),
                Some(_) => twice.push(Fault { field: name.clone(), message: "Must be given once.".into() }),
                None if field.is_some_and(Field::is_list) => {
                    object.insert(name.clone(), vec![value].into());
                }
                None => {
                    object.insert(name.clone(), value);
                }
            }
        }
        if !twice.is_empty() {
            return Err(Problem::from(service::Error::Invalid(Faults(twice))));
        }
        Ok(object)
    }

    /// Records that the path names.
    pub(crate) fn subject(&self) -> String {
        self.path.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Value of a text field in the query or the body.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let query: Vec<(String, String)> = serde_urlencoded::from_str(&self.query).unwrap_or_default();
        if let Some((_, text)) = query.into_iter().find(|(known, _)| known == name) {
            return Some(text);
        }
        let fields: Map<String, Value> = serde_json::from_slice(&self.body).ok()?;
        fields.get(name)?.as_str().map(str::to_owned)
    }
}

/// HTTP request for an operator's action.
pub type Asking = Request<Bytes>;

/// Builds the HTTP request for an operator's action with these fields.
///
/// # Errors
/// If a field of the path is empty, or if a field cannot be sent.
pub fn request(action: &Action, mut fields: Map<String, Value>) -> Result<Asking, String> {
    let about = &action.about;
    let mut path = String::from(BASE);
    for part in about.path.split('/').skip(1) {
        path.push('/');
        match part.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => {
                let value = match fields.remove(name) {
                    Some(Value::String(text)) => text,
                    Some(number) => number.to_string(),
                    None => String::new(),
                };
                if value.is_empty() {
                    return Err(format!("{name}: must not be empty"));
                }
                path.push_str(&escaped(&value));
            }
            None => path.push_str(part),
        }
    }
    // HTTP/1.1 requires a host, even on a socket.
    let mut request =
        Request::builder().header(header::HOST, "covernote").header(header::ACCEPT, "application/json");
    if let Ok(user) = std::env::var("SUDO_UID") {
        request = request.header(SUDO_USER, user);
    }
    let request = match about.method {
        Method::Get => {
            let query = query_of(fields)?;
            request.method("GET").uri(format!("{path}?{query}")).body(Bytes::new())
        }
        Method::Post => {
            let request = request.method("POST").uri(path);
            let request = request.header(header::CONTENT_TYPE, about.media());
            // The sender puts the file in place of this body.
            let body =
                if about.takes_file.is_some() { String::new() } else { Value::Object(fields).to_string() };
            request.body(body.into())
        }
    };
    request.map_err(|cause| cause.to_string())
}

/// The fields as a query. Each item of a list is a parameter of its own.
fn query_of(fields: Map<String, Value>) -> Result<String, String> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let mut pairs = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Array(items) => pairs.extend(items.into_iter().map(|item| (name.clone(), text(item)))),
            value => pairs.push((name, text(value))),
        }
    }
    serde_urlencoded::to_string(pairs).map_err(|cause| cause.to_string())
}

/// Small request to which every server of the operators' API answers at once.
pub fn small_request() -> Asking {
    let request = Request::head(format!("{BASE}/openapi.json")).header(header::HOST, "covernote");
    request.body(Bytes::new()).expect("a valid request")
}

/// Percent-encodes a part of a path.
fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::act::answer::Done;
    use crate::act::input::input;

    input! {
        /// Does nothing
        struct Nothing {
            /// Id
            id: String,
            /// Number
            nth: u32,
            /// Note
            note: Option<String>,
            /// Switch
            all: bool,
        }
    }

    impl Act for Nothing {
        const ABOUT: About = post("nothing.done", "/nothings/{id}/parts/{nth}", &[]);

        type Answer = Done<String>;

        async fn run(self, _: &On) -> Result<Done<String>> {
            let Nothing { id, nth, note, all } = self;
            Ok(Done::of(format!("{id} {nth} {note:?} {all}")))
        }
    }

    fn asking(id: &str) -> Result<Asking, String> {
        let fields = json!({ "id": id, "nth": 3, "note": "₹5", "all": true });
        request(&Action::of::<Nothing>(), fields.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn path_fields_of_an_act_are_percent_encoded_and_other_fields_go_in_the_body() {
        let asking = asking("a/b ?#%é").expect("a request");
        assert_eq!(asking.uri(), "/operator/v1/nothings/a%2Fb%20%3F%23%25%C3%A9/parts/3");
        assert_eq!(asking.body(), r#"{"all":true,"note":"₹5"}"#.as_bytes());
    }

    #[test]
    fn a_field_of_the_path_must_not_be_empty() {
        assert_eq!(asking("").expect_err("refused"), "id: must not be empty");
    }

    #[test]
    fn all_faults_of_a_request_are_reported_by_field_without_the_values() {
        let asked = Asked {
            path: vec![("nth".to_owned(), "x".to_owned())],
            query: String::new(),
            body: br#"{"note":7,"all":"maybe","unknown":1}"#.to_vec(),
        };
        let problem = asked.read::<Nothing>(Method::Post, &fields_of::<Nothing>()).err().expect("faults");
        let faults: Vec<String> =
            problem.faults().iter().map(|f| format!("{}: {}", f.field, f.message)).collect();
        assert_eq!(
            faults,
            [
                "id: Required: a text.",
                "nth: Must be a whole number.",
                "note: Must be a text, not a number.",
                "all: Must be true or false.",
                "unknown: Unknown field. Known fields: id, nth, note, all.",
            ]
        );
    }
}
