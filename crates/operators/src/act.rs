//! Acts: what an operator may do, each a type with its flags, its path and those who may do it.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{Request, header};
pub use domain::team::Role;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, to_value};
use service::Service;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use web::error::{Code, Problem};

use crate::answer::Answer;
use crate::trail::Trail;

/// What an act gives, or why it is refused.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// The header by which a command of root names the user who called `sudo`.
pub(crate) const SUDO_USER: &str = "covernote-sudo-user";

/// The media type of what a terminal shows of an answer.
pub(crate) const TERMINAL: &str = "application/vnd.covernote.terminal+json";

/// Where all paths begin.
pub(crate) const BASE: &str = "/operator/v1";

/// How an act is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// It only reads; its fields are in the query.
    Get,
    /// It changes something, or its fields are personal; they are in the body.
    Post,
}

/// What of a store an act needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A store that a server has run on, with its catalogue.
    Catalogue,
    /// A store.
    Store,
    /// None yet: it may create the store.
    Nothing,
}

/// What an act works on.
pub struct On {
    /// The use cases.
    pub(crate) service: Arc<Service>,
    /// Address of the hosted journey; empty: that of the service.
    pub(crate) journey_url: String,
    /// Address of the console; empty: there is none.
    pub(crate) console_url: String,
    /// Where the heads of the audit trail are.
    pub(crate) trail: Arc<dyn Trail>,
}

/// The name of an act, its path, and the roles that may do it.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The words of its command, as `claim.decide` or `deposit.top_up`.
    pub name: &'static str,
    /// How it is asked for.
    pub method: Method,
    /// The path below `/operator/v1`, with names of fields in braces.
    pub path: &'static str,
    /// Who may do it beside an admin.
    pub roles: &'static [Role],
    /// What it needs.
    pub needs: Needs,
    /// Whether it cannot be undone: then a passkey must have confirmed who asks just now.
    pub is_irreversible: bool,
}

/// An act that only reads.
pub(crate) const fn get(name: &'static str, path: &'static str, roles: &'static [Role]) -> About {
    About { name, method: Method::Get, path, roles, needs: Needs::Catalogue, is_irreversible: false }
}

/// An act that changes something, or whose fields are personal.
pub(crate) const fn post(name: &'static str, path: &'static str, roles: &'static [Role]) -> About {
    About { name, method: Method::Post, path, roles, needs: Needs::Catalogue, is_irreversible: false }
}

impl About {
    /// The same for an act that needs less.
    pub(crate) const fn needs(self, needs: Needs) -> Self {
        About { needs, ..self }
    }

    /// The same for an act that cannot be undone.
    pub(crate) const fn irreversible(self) -> Self {
        About { is_irreversible: true, ..self }
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

    /// Where its command writes the file that it answers with.
    fn out(&self) -> Option<&Path> {
        None
    }

    /// The folder into which its command unpacks the archive that it answers with.
    fn folder(&self) -> Option<&Path> {
        None
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
                    act.run(on).await
                })
            },
        }
    }
}

impl Asked {
    fn read<A: DeserializeOwned>(&self, method: Method) -> Result<A> {
        let wrong = |cause: &dyn std::fmt::Display| {
            Problem::new(Code::V4000, format!("The request is not as wanted: {cause}."))
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
}

impl Asked {
    /// A text among the fields of the body.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
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
            let body = Value::Object(fields).to_string();
            let request = request.method("POST").uri(path);
            request.header(header::CONTENT_TYPE, "application/json").body(body.into())
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
