//! Acts: what an operator may do, each a type with its flags, its path and those who may do it.

use std::fmt::Display;
use std::fs::File;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{Request, header};
use domain::approval::Approval;
use domain::money::Rupees;
pub use domain::team::Role;
use domain::text::one_line;
use rating::Catalogue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json, to_value};
use service::Service;
use service::acting;
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

/// What an act gives, or why it is refused.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// The header by which a command of root names the user who called `sudo`.
pub(crate) const SUDO_USER: &str = "covernote-sudo-user";

/// The media type of what a terminal shows of an answer.
pub(crate) const TERMINAL: &str = "application/vnd.covernote.terminal+json";

/// Most characters of what an approval is about.
const LONGEST_WHAT: usize = 300;

/// Fewest characters of a reason to see personal data.
const SHORTEST_REASON: usize = 5;

/// Where all paths begin.
pub(crate) const BASE: &str = "/operator/v1";

/// Says why a process cannot sell by a catalogue, if so.
pub type JudgeCatalogue = Arc<dyn Fn(&Catalogue) -> Result<(), String> + Send + Sync>;

/// Verifies the records of the store: all of them, or those of the books alone. Gives `rows` by table, `faults` with `record`,
/// `rule`, `expected` and `found`, and `more_faults`, the number of those that are not listed. It blocks, and says why it cannot read.
pub type Verify = Arc<dyn Fn(Extent) -> Result<Value, String> + Send + Sync>;

/// What the process finds on its machine, by the name of what it looks at.
pub type Examine = Arc<dyn Fn() -> Vec<(&'static str, Finding)> + Send + Sync>;

/// What of the store is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every record.
    Everything,
    /// Premiums, receipts, deposits and the ledger.
    Books,
}

/// What an act works on.
#[derive(Clone)]
pub struct On {
    /// The use cases.
    pub(crate) service: Arc<Service>,
    /// Address of the hosted journey; empty: that of the service.
    pub(crate) journey_url: String,
    /// Address of the console; empty: there is none.
    pub(crate) console_url: String,
    /// Where the heads of the audit trail are.
    pub(crate) trail: Arc<dyn Trail>,
    /// Above this amount a second operator approves payments.
    pub(crate) approval_above: Rupees,
    /// Whether this process can sell by a catalogue, such as reach its insurers.
    pub(crate) judge_catalogue: JudgeCatalogue,
    /// Verifies the records of the store.
    pub(crate) verify: Verify,
    /// Looks at the machine.
    pub(crate) examine: Examine,
    /// The file that the request brought.
    pub(crate) upload: Option<Arc<File>>,
    /// Every act.
    pub(crate) actions: &'static [Action],
    pub(crate) who: Who,
    /// What a second operator approved, if the act is done for that.
    pub(crate) approved: Option<Arc<Approval>>,
}

/// What a second operator approves.
pub struct Needed {
    /// The record that it is about: an id, or nothing.
    pub subject: String,
    /// Its version: if it is another one when the act is approved, the act is not done.
    pub version: String,
    /// What the act does, for a person.
    pub what: String,
}

impl Needed {
    /// For an act that is about no record.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Needed { subject: String::new(), version: String::new(), what: what.into() }
    }
}

/// What an operator may do. Its fields that are not skipped are those of its request.
pub trait Act: Serialize + DeserializeOwned + ToSchema + Send + 'static {
    /// Its name, its path, and its roles.
    const ABOUT: About;

    /// Before it is asked for, reads the files that its command names.
    ///
    /// # Errors
    /// A sentence that names the file.
    fn read_files(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// The file that its request brings.
    fn upload(&self) -> Option<&Path> {
        None
    }

    /// Where its command writes the file that it answers with.
    fn out(&self) -> Option<&Path> {
        None
    }

    /// The folder into which its command unpacks the archive that it answers with.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// Whether it shows what is personal, and why its operator wants to see it.
    fn reveals(&self) -> Option<&str> {
        None
    }

    /// What a second operator must approve before it is done, if there is one.
    fn needs_approval(&self, _: &On) -> impl Future<Output = Result<Option<Needed>>> + Send {
        std::future::ready(Ok(None))
    }

    /// Does it.
    fn run(self, on: &On) -> impl Future<Output = Result<Answer>> + Send;
}

/// Sends an act to the process that does it, such as the server.
pub trait Carrier {
    /// What the sender gets.
    type Done;

    /// Sends the act.
    fn carry<A: Act>(self, act: A) -> Self::Done;
}

/// The verbs of a noun on the command line, an act each.
pub trait Verbs {
    /// Sends the act of the verb.
    fn carried_by<C: Carrier>(self, carrier: C) -> C::Done;
}

/// Declares the verbs of a noun: a verb with its act is a line, and so is a noun below it.
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
            /// Adds the acts of the noun to all acts.
            pub(crate) fn add_to(all: &mut Vec<crate::act::Action>) {
                all.extend([$(crate::act::Action::of::<$act>()),*]);
                $($($inner_verbs::add_to(all);)*)?
            }
        }
    };
}
pub(crate) use verbs;

type Running<'a> = Pin<Box<dyn Future<Output = Result<Answer>> + Send + 'a>>;

/// An act among all acts.
pub(crate) struct Action {
    pub(crate) about: About,
    pub(crate) schema: fn() -> RefOr<Schema>,
    pub(crate) schemas: fn(&mut Vec<(String, RefOr<Schema>)>),
    /// Reads the fields of a request and does the act.
    pub(crate) run: for<'a> fn(&'a On, &'a Asked) -> Running<'a>,
}

/// What a request asks.
pub(crate) struct Asked {
    /// The names of the path with their values.
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
                    match act.needs_approval(on).await? {
                        Some(needed) => match on.asks(&A::ABOUT, asked, needed).await? {
                            Some(waits) => Ok(waits),
                            None => act.run(on).await,
                        },
                        None => act.run(on).await,
                    }
                })
            },
        }
    }
}

impl On {
    /// Judges whether the operator may see personal data, and records it in the audit trail first.
    async fn reveal(&self, reason: &str, asked: &Asked) -> Result<()> {
        decide_reveal(&self.who)?;
        if reason.trim().chars().count() < SHORTEST_REASON {
            let detail =
                format!("reason: say why you need to see it, in {SHORTEST_REASON} characters at least");
            return Err(Problem::new(Code::V4000, detail));
        }
        let record = asked.path.first().map_or("", |(_, value)| value);
        Ok(self.service.audit.note("personal.reveal", record).await?)
    }

    /// What a second operator approves of a payment above the limit.
    pub(crate) fn payment(
        &self,
        amount: Rupees,
        what: &str,
        of: impl Display,
        version: impl Display,
    ) -> Option<Needed> {
        let is_large = amount > self.approval_above;
        is_large.then(|| Needed {
            subject: of.to_string(),
            version: version.to_string(),
            what: format!("{what} {of}: {}", amount.grouped_with_paise()),
        })
    }

    /// Asks a second operator, and gives the answer that says so. Gives none if the act may be done now: either it was approved and the
    /// record is unchanged, or no other operator could approve it.
    async fn asks(&self, about: &About, asked: &Asked, needed: Needed) -> Result<Option<Answer>> {
        let approvals = &self.service.approvals;
        let what = one_line(&needed.what, LONGEST_WHAT).unwrap_or_default();
        // Acts about no record are told apart by who asks.
        let subject = match needed.subject.as_str() {
            "" => format!("{} by {}", about.name, acting::current().actor().person()),
            record => record.to_owned(),
        };
        if let Some(approved) = &self.approved {
            // The approver does the act, so a subject that names the asker differs here.
            let is_same = approved.subject_version == needed.version
                && approved.what == what
                && (needed.subject.is_empty() || approved.subject == subject);
            return match is_same {
                true => Ok(None),
                false => {
                    let detail = format!("It changed meanwhile: ask for the approval again ({what}).");
                    Err(Problem::new(Code::S4090, detail))
                }
            };
        }
        if !approvals.has_second(about.roles).await? {
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
        if about.gives_file && approvals.take_granted(&new).await? {
            return Ok(None);
        }
        let waits = approvals.ask(new).await?;
        let (id, expires_at) = (waits.id, waits.expires_at);
        let json = json!({
            "approval_id": id.to_string(), "state": waits.state.word(), "what": waits.what,
            "expires_at": expires_at.to_string(),
        });
        let mut answer = Answer::of(json).saying(format!(
            "{}: another operator must approve it within 72 hours: covernote approval approve {id}",
            waits.what
        ));
        answer.waits = true;
        Ok(Some(answer))
    }
}

impl Asked {
    /// The request of an act with these fields, as [`Asked::fields`] gives them.
    pub(crate) fn again(about: &About, path: Vec<(String, String)>, fields: String) -> Self {
        match about.method {
            Method::Get => Asked { path, query: fields, body: Vec::new() },
            Method::Post => Asked { path, query: String::new(), body: fields.into() },
        }
    }

    /// Its query or its body: an act has one of them.
    fn fields(&self) -> String {
        match self.body.is_empty() {
            true => self.query.clone(),
            false => String::from_utf8_lossy(&self.body).into_owned(),
        }
    }

    fn read<A: DeserializeOwned>(&self, method: Method) -> Result<A> {
        let wrong = |cause: &dyn std::fmt::Display| {
            Problem::new(Code::V4000, format!("The request is not as the act needs it: {cause}."))
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

    /// A text among the fields of the query or the body.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let query: Vec<(String, String)> = serde_urlencoded::from_str(&self.query).unwrap_or_default();
        if let Some((_, text)) = query.into_iter().find(|(known, _)| known == name) {
            return Some(text);
        }
        let fields: Map<String, Value> = serde_json::from_slice(&self.body).ok()?;
        fields.get(name)?.as_str().map(str::to_owned)
    }
}

/// A request that asks for an act.
pub type Asking = Request<Bytes>;

/// The request that asks for an act, and for its JSON or for what a terminal shows.
///
/// # Errors
/// Which field cannot be sent.
pub fn request<A: Act>(act: &A, as_json: bool) -> Result<Asking, String> {
    let fields = to_value(act).map_err(|cause| cause.to_string())?;
    let mut fields = match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    // The server has the same default for a field that is left out.
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
            // The sender replaces the body by the file.
            let body = if A::ABOUT.takes_file { String::new() } else { Value::Object(fields).to_string() };
            request.body(body.into())
        }
    };
    request.map_err(|cause| cause.to_string())
}

/// A part of a path: what is neither a letter nor a digit is written as its bytes.
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
