//! An endpoint as one row of the contract, written beside its handler. The router, the OpenAPI document, the access
//! tests and the table in `docs/api.md` are made of these rows.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};
use domain::access::Scope;
use domain::date::Date;
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::app::App;
use crate::contract::{Answering, ContractPath};
use crate::error::Code;
use crate::response::Payload;

/// A day for readers that need one, where they only describe themselves. No schema shows it.
pub(crate) const ANY_DAY: Date = Date::constant(2026, 11, 20);

/// An endpoint. The fields stand in the order in which a person reads about an endpoint.
pub(crate) struct Endpoint {
    pub(crate) method: Verb,
    /// As the router takes it. `{*name}` takes the rest of the path with its slashes.
    pub(crate) path: &'static str,
    /// The operation's name for generated clients.
    pub(crate) id: &'static str,
    /// The group in which the document shows it.
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    pub(crate) access: Access,
    /// Schema of its query, where it has one.
    pub(crate) query: Option<fn() -> Value>,
    /// The body that it takes, where it takes one.
    pub(crate) takes: Option<Takes>,
    pub(crate) gives: Gives,
    /// Codes of its refusals, beside those of every endpoint and those of what it takes.
    pub(crate) refuses: &'static [Code],
    /// Whether every response says that it is deprecated (D9).
    pub(crate) deprecated: bool,
    /// Whether it takes an idempotency key (D36).
    pub(crate) idempotent: bool,
    /// Where it is explained: a link as `docs/api.md` writes it.
    pub(crate) guide: &'static str,
    /// Its handler.
    pub(crate) handler: fn() -> Answering,
}

impl Endpoint {
    /// What most endpoints have: no query, no body, no refusals of their own and no idempotency key. An endpoint names the rest itself;
    /// one without a handler ends the program when the router is made.
    pub(crate) const PLAIN: Endpoint = Endpoint {
        method: Verb::Get,
        path: "",
        id: "",
        tag: "",
        summary: "",
        description: "",
        access: Access::Scope(Scope::Business),
        query: None,
        takes: None,
        gives: Gives::empty_object(200, ""),
        refuses: &[],
        deprecated: false,
        idempotent: false,
        guide: "",
        handler: || unreachable!("an endpoint names its handler"),
    };
}

/// Has a handler answer.
pub(crate) fn answered_by<T: 'static>(handler: impl Handler<T, App>) -> Answering {
    Box::new(move |request, app| Box::pin(handler.clone().call(request, app)))
}

/// A method of an endpoint.
#[derive(Clone, Copy)]
pub(crate) enum Verb {
    Get,
    Post,
    Patch,
    Delete,
}

/// Who may call an endpoint.
pub(crate) enum Access {
    /// A partner whose bearer token has this scope, or `business` (D2).
    Scope(Scope),
    /// A caller that shows this instead of a bearer token.
    Instead(&'static str),
    /// Everybody.
    Open,
}

/// A body that is taken.
pub(crate) enum Takes {
    /// JSON.
    Json {
        /// Its schema, described by its reader.
        schema: fn() -> Value,
        /// A body to try the endpoint with.
        example: fn() -> Value,
    },
    /// Bytes as they are, of one of these media types.
    Bytes(&'static [&'static str]),
}

/// A successful response.
pub(crate) struct Gives {
    pub(crate) status: u16,
    pub(crate) description: &'static str,
    pub(crate) body: GivenBody,
}

/// The body of a successful response.
pub(crate) enum GivenBody {
    /// JSON of a schema, with the named schemas that it refers to.
    Json { schema: fn() -> Value, components: fn(&mut Components) },
    /// Bytes as they are, of one of these media types.
    Bytes(&'static [&'static str]),
}

/// Named schemas, in the order in which they were found.
pub(crate) type Components = Vec<(String, RefOr<Schema>)>;

impl Verb {
    /// As the document writes it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Verb::Get => "get",
            Verb::Post => "post",
            Verb::Patch => "patch",
            Verb::Delete => "delete",
        }
    }

    pub(crate) const fn method(self) -> Method {
        match self {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Patch => Method::PATCH,
            Verb::Delete => Method::DELETE,
        }
    }
}

impl Endpoint {
    /// Codes of the refusals that follow from what it takes and who may call it.
    pub(crate) fn implied_refusals(&self) -> impl Iterator<Item = &'static Code> {
        let takes_json = matches!(self.takes, Some(Takes::Json { .. }));
        let of_caller: &[Code] = match self.access {
            Access::Scope(_) => &[Code::A4001, Code::A4030],
            Access::Instead(_) | Access::Open => &[],
        };
        let of_fields: &[Code] = if takes_json || self.query.is_some() { &[Code::V4000] } else { &[] };
        let of_body: &[Code] = if self.takes.is_some() { &[Code::V4130, Code::V4150] } else { &[] };
        let of_key: &[Code] = if self.idempotent { &[Code::V4220] } else { &[] };
        [of_caller, of_fields, of_body, of_key].into_iter().flatten()
    }

    /// Its path as the document writes it.
    pub(crate) fn documented_path(&self) -> String {
        self.path.replace("{*", "{")
    }

    /// The scope of its bearer token; none for endpoints without one.
    pub(crate) fn scope(&self) -> Option<Scope> {
        match self.access {
            Access::Scope(scope) => Some(scope),
            Access::Instead(_) | Access::Open => None,
        }
    }

    /// What the contract's table has of it. The table is made once: the path as documented is never freed.
    pub(crate) fn row(&self) -> (ContractPath, Method, Answering) {
        let path = ContractPath {
            path: self.path,
            documented: self.documented_path().leak(),
            is_deprecated: self.deprecated,
        };
        (path, self.method.method(), (self.handler)())
    }

    /// Its route, for the router.
    pub(crate) fn route(&self) -> MethodRouter<App> {
        let answering = Arc::new((self.handler)());
        let filter = MethodFilter::try_from(self.method.method()).expect("a method that axum routes");
        on(filter, async move |State(app): State<App>, request: Request| answering(request, app).await)
    }

    /// Its row in the table of `docs/api.md`.
    pub(crate) fn table_row(&self) -> String {
        let (method, path) = (self.method.word().to_uppercase(), self.documented_path());
        let deprecated = if self.deprecated { ", deprecated" } else { "" };
        let access = match self.access {
            Access::Scope(scope) => format!("`{scope}`"),
            Access::Instead(shown) => format!("none: {shown}"),
            Access::Open => "none".to_owned(),
        };
        let key = if self.idempotent { "yes" } else { "no" };
        format!(
            "| [`{method} {path}`]({}){deprecated} | {access} | {key} | {} |\n",
            self.guide, self.gives.status
        )
    }
}

impl Gives {
    /// JSON of a type.
    pub(crate) const fn json<T: ToSchema>(status: u16, description: &'static str) -> Self {
        let body = GivenBody::Json { schema: reference_to::<T>, components: components_of::<T> };
        Gives { status, description, body }
    }

    /// JSON of a type under `payload`.
    pub(crate) const fn payload<T: ToSchema>(status: u16, description: &'static str) -> Self
    where
        Payload<T>: PartialSchema,
    {
        let body = GivenBody::Json { schema: schema_of::<Payload<T>>, components: components_of::<T> };
        Gives { status, description, body }
    }

    /// An empty JSON object.
    pub(crate) const fn empty_object(status: u16, description: &'static str) -> Self {
        let body = GivenBody::Json { schema: || json!({ "type": "object" }), components: |_| {} };
        Gives { status, description, body }
    }

    /// A PDF.
    pub(crate) const fn pdf(status: u16, description: &'static str) -> Self {
        Gives::bytes(status, description, &["application/pdf"])
    }

    /// Bytes as they are.
    pub(crate) const fn bytes(
        status: u16,
        description: &'static str,
        media_types: &'static [&'static str],
    ) -> Self {
        Gives { status, description, body: GivenBody::Bytes(media_types) }
    }
}

/// Adds a type and those that it is made of.
pub(crate) fn components_of<T: ToSchema>(found: &mut Components) {
    found.push((T::name().into_owned(), T::schema()));
    T::schemas(found);
}

fn reference_to<T: ToSchema>() -> Value {
    json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
}

fn schema_of<T: PartialSchema>() -> Value {
    serde_json::to_value(T::schema()).expect("a schema serialises")
}
