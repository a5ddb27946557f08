//! An action of an operator (an act) as a Rust type, with its flags, path and roles.

use std::fmt::Display;
use std::fs::File;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{Request, header};
use domain::approval::{Approval, ApprovalState};
use domain::money::Rupees;
pub use domain::team::Role;
use domain::text::one_line;
use rating::Catalogue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json, to_value};
use service::Service;
use service::acting::{self, Companions};
use service::shared::idempotency::KeptResponse;
use service::team::approval::NewApproval;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use web::error::{Code, Problem};

pub(crate) use crate::about::{About, get, post};
pub use crate::about::{Method, Needs};
use crate::answer::Answer;
use crate::decide::{Who, decide_reveal};
use crate::finding::Finding;
use crate::trail::Trail;

/// Result of an operator's action. The default error is the API's error object.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// Header in which a command that runs as root sends the numeric id of the user who called `sudo`.
pub(crate) const SUDO_USER: &str = "covernote-sudo-user";

/// Media type of an answer that consists of lines for a terminal.
pub(crate) const TERMINAL: &str = "application/vnd.covernote.terminal+json";

/// Most characters of an approval's description.
const LONGEST_WHAT: usize = 300;

/// Fewest characters of the reason that an operator must give to see personal data.
const SHORTEST_REASON: usize = 5;

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
pub struct On {
    pub(crate) service: Arc<Service>,
    /// Address of the hosted pages where customers buy. If empty, they have the service's own address.
    pub(crate) journey_url: String,
    /// Address of the console. Empty if there is no console.
    pub(crate) console_url: String,
    /// Writes the log of access, and reads the file with the signed heads of the audit trail.
    pub(crate) trail: Arc<dyn Trail>,
    /// Payments above this amount need a second operator's approval, if the store has no amount yet.
    pub(crate) approval_above: Rupees,
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
    /// The still empty response under the idempotency key of the request, if it has one.
    pub(crate) response: Option<Arc<KeptResponse>>,
}

/// What a second operator must approve before an operator's action runs.
pub struct Needed {
    /// Id of the record that the action changes. Empty if it changes no single record.
    pub subject: String,
    /// Version of the record that the action changes. If the record has another version at the time of the
    /// approval, the action is refused.
    pub version: String,
    /// Description of the action for the second operator.
    pub what: String,
}

impl Needed {
    /// Needed approval of an action that changes no single record.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Needed { subject: String::new(), version: String::new(), what: what.into() }
    }
}

/// An action of an operator. Its fields are the fields of its HTTP request, except fields that serde
/// skips.
pub trait Act: Serialize + DeserializeOwned + ToSchema + Send + 'static {
    /// Name, path and roles of the action.
    const ABOUT: About;

    /// Reads the files that the command's arguments name. The command calls this before it sends the request.
    ///
    /// # Errors
    /// If a file cannot be read: a sentence that names the file.
    fn read_files(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// File to send as the body of the request, if any.
    fn upload(&self) -> Option<&Path> {
        None
    }

    /// Path where the command writes the returned file, if any.
    fn out(&self) -> Option<&Path> {
        None
    }

    /// Folder into which the command unpacks the returned archive, if any.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// Why the operator needs to see personal data. `None` if the action shows no personal data.
    fn reveals(&self) -> Option<&str> {
        None
    }

    /// What a second operator must approve before the action runs. `None` if it needs no approval.
    fn needs_approval(&self, _: &On) -> impl Future<Output = Result<Option<Needed>>> + Send {
        std::future::ready(Ok(None))
    }

    fn run(self, on: &On) -> impl Future<Output = Result<Answer>> + Send;
}

/// Sends an operator's action to the process that runs it, such as the server.
pub trait Carrier {
    /// What [`Carrier::carry`] returns to the caller.
    type Done;

    fn carry<A: Act>(self, act: A) -> Self::Done;
}

/// The subcommands of a command, such as `covernote claim`. Each subcommand is one operator's action.
pub trait Verbs {
    /// Sends the action of the chosen subcommand.
    fn carried_by<C: Carrier>(self, carrier: C) -> C::Done;
}

/// Declares the subcommands of a command. Each line is a subcommand with its action. The lines in `nouns`
/// have subcommands of their own.
macro_rules! verbs {
    (
        $(#[$doc:meta])* $noun:ident { $($(#[$attribute:meta])* $verb:ident($act:ty),)* }
        $(nouns { $($(#[$inner_attribute:meta])* $inner:ident($inner_verbs:ident),)* })?
    ) => {
        $(#[$doc])*
        #[derive(Debug, clap::Subcommand)]
        pub enum $noun {
            $($(#[$attribute])* $verb($act),)*
            $($($(#[$inner_attribute])* #[command(subcommand)] $inner($inner_verbs),)*)?
        }

        impl crate::act::Verbs for $noun {
            fn carried_by<C: crate::act::Carrier>(self, carrier: C) -> C::Done {
                match self {
                    $($noun::$verb(act) => carrier.carry(act),)*
                    $($($noun::$inner(inner) => inner.carried_by(carrier),)*)?
                }
            }
        }

        impl $noun {
            /// Adds the operators' actions of all subcommands to `all`.
            pub(crate) fn add_to(all: &mut Vec<crate::act::Action>) {
                all.extend([$(crate::act::Action::of::<$act>()),*]);
                $($($inner_verbs::add_to(all);)*)?
            }
        }
    };
}
pub(crate) use verbs;

type Running<'a> = Pin<Box<dyn Future<Output = Result<Answer>> + Send + 'a>>;

/// An action without its Rust type, so that the router and the OpenAPI document can list all actions.
pub(crate) struct Action {
    pub(crate) about: About,
    pub(crate) schema: fn() -> RefOr<Schema>,
    pub(crate) schemas: fn(&mut Vec<(String, RefOr<Schema>)>),
    /// Parses the fields of a request, then runs the operator's action.
    pub(crate) run: for<'a> fn(&'a On, &'a Asked) -> Running<'a>,
}

/// Fields of a request that are not parsed yet.
pub(crate) struct Asked {
    /// Parameters of the path: name and value.
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: String,
    pub(crate) body: Vec<u8>,
}

impl Action {
    pub(crate) fn of<A: Act>() -> Self {
        Action {
            about: A::ABOUT,
            schema: A::schema,
            schemas: A::schemas,
            run: |on, asked| {
                Box::pin(async move {
                    let act: A = asked.read(A::ABOUT.method)?;
                    if let Some(reason) = act.reveals() {
                        on.reveal(reason, asked).await?;
                    }
                    let (acting, companions) = (acting::current(), on.companions(on.approved.as_deref())?);
                    if !A::ABOUT.is_in_steps {
                        acting.go_with(companions.clone());
                    }
                    let waits = match act.needs_approval(on).await? {
                        Some(needed) => on.asks(&A::ABOUT, asked, needed).await?,
                        None => None,
                    };
                    let answer = match waits {
                        Some(waits) => waits,
                        None => act.run(on).await?,
                    };
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
    /// Checks that the operator may see personal data, then records in the audit trail that the operator sees
    /// it.
    async fn reveal(&self, reason: &str, asked: &Asked) -> Result<()> {
        decide_reveal(&self.who)?;
        if reason.trim().chars().count() < SHORTEST_REASON {
            let detail = format!(
                "reason: must say in at least {SHORTEST_REASON} characters why you need personal data"
            );
            return Err(Problem::new(Code::V4000, detail));
        }
        let record = asked.path.first().map_or("", |(_, value)| value);
        Ok(self.service.audit.note("personal.reveal", record).await?)
    }

    /// Approval that a payment needs. `None` if there is no amount, or if it is not above the limit.
    pub(crate) async fn payment(
        &self,
        amount: Option<Rupees>,
        what: &str,
        of: impl Display,
        version: impl Display,
    ) -> Result<Option<Needed>> {
        let limit = self.approval_limit().await?;
        Ok(amount.filter(|amount| *amount > limit).map(|amount| Needed {
            subject: of.to_string(),
            version: version.to_string(),
            what: format!("{what} {of}: {}", amount.grouped_with_paise()),
        }))
    }

    /// Amount above which a payment needs an approval.
    pub(crate) async fn approval_limit(&self) -> Result<Rupees> {
        let stored = self.service.installation.approval_above().await.map_err(service::Error::from)?;
        Ok(stored.unwrap_or(self.approval_above))
    }

    /// Roles of the operators who may approve an action that `asks` requests. `None` if nobody else could.
    pub(crate) async fn approvers(&self, about: &About, asks: &str) -> Result<Option<&'static [Role]>> {
        let approvals = &self.service.approvals;
        if approvals.has_second(asks, about.roles).await? {
            return Ok(Some(about.roles));
        }
        let may_anybody = about.gives_access && approvals.has_second(asks, Role::ALL).await?;
        Ok(may_anybody.then_some(Role::ALL))
    }

    /// Rows that the action's first transaction writes, too: the end of the approval that allows it, and the empty
    /// response under its idempotency key.
    fn companions(&self, approval: Option<&Approval>) -> Result<Option<Companions>> {
        let ended = approval.map(|approval| Approval { state: ApprovalState::Done, ..approval.clone() });
        if ended.is_none() && self.response.is_none() {
            return Ok(None);
        }
        Ok(Some(self.service.audit.companions(ended.as_ref(), self.response.as_deref())?))
    }

    /// Requests the approval of a second operator, and returns the answer that says so. `None` if the
    /// action may run now: either it was approved and nothing changed since, or no second operator could
    /// approve it.
    async fn asks(&self, about: &About, asked: &Asked, needed: Needed) -> Result<Option<Answer>> {
        let approvals = &self.service.approvals;
        let what = one_line(&needed.what, LONGEST_WHAT).unwrap_or_default();
        // Actions without a record are distinguished by their requester.
        let subject = match needed.subject.as_str() {
            "" => format!("{} by {}", about.name, acting::current().actor().person()),
            record => record.to_owned(),
        };
        if let Some(approved) = &self.approved {
            // The approver runs the action, so a subject that names the requester differs here.
            let is_same = approved.subject_version == needed.version
                && approved.what == what
                && (needed.subject.is_empty() || approved.subject == subject);
            return match is_same {
                true => Ok(None),
                false => {
                    let detail = format!(
                        "The data has changed since the approval was requested: request it again ({what})."
                    );
                    Err(Problem::new(Code::S4090, detail))
                }
            };
        }
        if self.approvers(about, &acting::current().actor().person()).await?.is_none() {
            return Ok(None);
        }
        let new = NewApproval {
            act: about.name,
            path: asked.path.clone(),
            body: asked.fields(),
            subject,
            subject_version: needed.version,
            what,
        };
        let granted = if about.is_fetched() { approvals.granted(&new).await? } else { None };
        if let Some(granted) = granted {
            let acting = acting::current();
            let _ = acting.approval.set(granted.id.to_string());
            acting.go_with(self.companions(Some(&granted))?);
            return Ok(None);
        }
        let waits = approvals.ask(new).await?;
        let (id, expires_at) = (waits.id, waits.expires_at);
        let json = json!({
            "approval_id": id.to_string(), "state": waits.state.word(), "what": waits.what,
            "expires_at": expires_at.to_string(),
        });
        let mut answer = Answer::of(json).saying(format!(
            "{}: another operator must approve this within 72 hours: covernote approval approve {id}",
            waits.what
        ));
        answer.waits = true;
        Ok(Some(answer))
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
    fn fields(&self) -> String {
        match self.body.is_empty() {
            true => self.query.clone(),
            false => String::from_utf8_lossy(&self.body).into_owned(),
        }
    }

    fn read<A: DeserializeOwned>(&self, method: Method) -> Result<A> {
        let wrong = |cause: &dyn std::fmt::Display| {
            Problem::new(Code::V4000, format!("The request is invalid: {cause}."))
        };
        match method {
            Method::Get => {
                let path = serde_urlencoded::to_string(&self.path).map_err(|cause| wrong(&cause))?;
                serde_urlencoded::from_str(&format!("{path}&{}", self.query)).map_err(|cause| wrong(&cause))
            }
            Method::Post => {
                let mut fields: Map<String, Value> = match &self.body[..] {
                    [] => Map::new(),
                    body => serde_json::from_slice(body).map_err(|cause| wrong(&cause))?,
                };
                fields.extend(self.path.iter().map(|(name, value)| (name.clone(), value.clone().into())));
                serde_json::from_value(fields.into()).map_err(|cause| wrong(&cause))
            }
        }
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

/// Builds the HTTP request for an operator's action. It asks for an answer in JSON, or in lines for a
/// terminal.
///
/// # Errors
/// If a field of the path is empty, or if a field cannot be sent.
pub fn request<A: Act>(act: &A, as_json: bool) -> Result<Asking, String> {
    let fields = to_value(act).map_err(|cause| cause.to_string())?;
    let mut fields = match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    // The server has the same defaults for missing fields.
    fields.retain(|_, value| !value.is_null() && *value != Value::Bool(false));
    let mut path = String::from(BASE);
    for part in A::ABOUT.path.split('/').skip(1) {
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
    let accept = if as_json { "application/json" } else { TERMINAL };
    let mut request = Request::builder().header(header::HOST, "covernote").header(header::ACCEPT, accept);
    if let Ok(user) = std::env::var("SUDO_UID") {
        request = request.header(SUDO_USER, user);
    }
    let request = match A::ABOUT.method {
        Method::Get => {
            let query = serde_urlencoded::to_string(&fields).map_err(|cause| cause.to_string())?;
            request.method("GET").uri(format!("{path}?{query}")).body(Bytes::new())
        }
        Method::Post => {
            let request = request.method("POST").uri(path);
            let request = request.header(header::CONTENT_TYPE, A::ABOUT.media());
            // The sender puts the file in place of this body.
            let body = if A::ABOUT.takes_file { String::new() } else { Value::Object(fields).to_string() };
            request.body(body.into())
        }
    };
    request.map_err(|cause| cause.to_string())
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
    use super::*;

    #[derive(Serialize, serde::Deserialize, ToSchema)]
    struct Nothing {
        id: String,
        nth: u32,
        note: Option<String>,
        all: bool,
    }

    impl Act for Nothing {
        const ABOUT: About = post("nothing.done", "/nothings/{id}/parts/{nth}", &[]);

        async fn run(self, _: &On) -> Result<Answer> {
            Ok(Answer::default())
        }
    }

    fn asking(id: &str) -> Result<Asking, String> {
        request(&Nothing { id: id.to_owned(), nth: 3, note: Some("₹5".to_owned()), all: false }, true)
    }

    #[test]
    fn a_request_has_texts_and_numbers_in_its_path_and_the_rest_in_its_body() {
        let asking = asking("a/b ?#%é").expect("a request");
        assert_eq!(asking.uri(), "/operator/v1/nothings/a%2Fb%20%3F%23%25%C3%A9/parts/3");
        assert_eq!(asking.body(), r#"{"note":"₹5"}"#.as_bytes());
    }

    #[test]
    fn a_field_of_the_path_must_not_be_empty() {
        assert_eq!(asking("").expect_err("refused"), "id: must not be empty");
    }
}
