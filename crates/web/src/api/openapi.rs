//! `GET /openapi.json`: the contract as an OpenAPI 3.1 document.
//!
//! Bodies that come in are described by the very readers that read them, answers by the very types that are
//! serialised. What is left to say here is which operation takes and gives which.

use std::cell::Cell;
use std::sync::OnceLock;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::access::Scope;
use domain::date::Date;
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{
    auth_token, embedded_proposal, embedded_quote, example, health, health_policy, health_proposal,
    health_quote, insurer_decision, jwks, list, recommendation, session,
};
use crate::answer::Payload;
use crate::error::{Code, ErrorObject};
use crate::shape::describe;

/// Serves the document.
pub(crate) async fn get() -> Response {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| serde_json::to_vec(&document()).expect("a document of ours serialises"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300")),
    ];
    (headers, bytes.as_slice()).into_response()
}

/// An operation, in the order in which a reader wants to know of it.
struct Operation {
    method: &'static str,
    path: &'static str,
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    /// The scope that its bearer token needs; none for operations without a token.
    scope: Option<Scope>,
    /// Schema of its query, where it has one.
    query: Option<Value>,
    /// Schema of the body that it takes, and a body to try it with.
    takes: Option<(Value, Value)>,
    /// Status, what it means, and the schema of the body that it gives; none for other media.
    gives: (u16, &'static str, Option<Value>),
    refuses: &'static [Code],
}

/// Refusals of every operation.
const ALWAYS: &[Code] = &[Code::E5000, Code::E5030];

/// A day that readers are described by; no schema shows it.
const ANY_DAY: Date = Date::constant(2026, 11, 20);

fn operations() -> Vec<Operation> {
    use Code::{A4001, A4030, A4290, R4040, R4100, S4000, S4090, V4000, V4130, V4150, V4220};
    vec![
        Operation {
            method: "post",
            path: "/v1/auth/token",
            id: "generateToken",
            tag: "Access",
            summary: "Generate a token",
            description: "Exchanges API credentials for a bearer token that lasts an hour. At most 100 in any sliding hour, unless the operator set another figure.",
            scope: None,
            query: None,
            takes: Some((
                describe(|fields| auth_token::token_request(fields, &auth_token::Asked::default())),
                example::token(),
            )),
            gives: (200, "The token.", Some(payload_of::<auth_token::TokenAnswer>())),
            refuses: &[V4000, A4001, A4030, V4130, V4150, A4290],
        },
        Operation {
            method: "post",
            path: "/v1/business/session",
            id: "openSession",
            tag: "Access",
            summary: "Open a session",
            description: "Opens a session that the quotes of one customer can name, with whatever metadata the partner wants to remember of it.",
            scope: Some(Scope::BusinessSession),
            query: None,
            takes: Some((
                describe(session::session_request),
                json!({ "metadata": { "campaign": "monsoon" } }),
            )),
            gives: (201, "The session.", Some(schema_of::<session::SessionAnswer<'static>>())),
            refuses: &[V4000, A4001, A4030, V4130, V4150, V4220],
        },
        Operation {
            method: "post",
            path: "/v1/business/health/recommendation",
            id: "generateRecommendation",
            tag: "Health",
            summary: "Generate a recommendation",
            description: "Starts a job that prices every health variant of the kind asked for and ranks what is offered. The answer is the job's id; poll for the result every 2 to 3 seconds.",
            scope: Some(Scope::QuoteWrite),
            query: None,
            takes: Some((
                describe(|fields| recommendation::health_request(fields, &recommendation::Asked::default())),
                example::recommendation(),
            )),
            gives: (200, "The job's id.", Some(payload_of::<recommendation::JobAnswer>())),
            refuses: &[V4000, A4001, A4030, V4130, V4150, V4220],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/recommendation/{quote_id}",
            id: "getRecommendation",
            tag: "Health",
            summary: "Get a recommendation",
            description: "How far the job has come: completed_variants of total_variants. Once its status is success, what is offered, best first; where anything is, exactly one is recommended.",
            scope: Some(Scope::QuoteRead),
            query: None,
            takes: None,
            gives: (200, "The job.", Some(payload_of::<recommendation::RecommendationJob<'static>>())),
            refuses: &[A4001, A4030, R4040],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/quotes",
            id: "listQuotes",
            tag: "Health",
            summary: "List health quotes",
            description: "The partner's health quotes, newest first: those of a session, or those of up to eight days in Asia/Kolkata. Go on with next and the end_cursor of a page, back with prev and its start_cursor; a cursor carries its filter.",
            scope: Some(Scope::QuoteRead),
            query: Some(describe(|fields| Some(list::list_query(fields)))),
            takes: None,
            gives: (200, "A page of quotes.", Some(schema_of::<health_quote::QuotesAnswer<'static>>())),
            refuses: &[V4000, A4001, A4030],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/quotes/{quote_id}",
            id: "getQuote",
            tag: "Health",
            summary: "Get a health quote",
            description: "One of the partner's health quotes, as far as its job has come.",
            scope: Some(Scope::QuoteRead),
            query: None,
            takes: None,
            gives: (200, "The quote.", Some(schema_of::<health_quote::StoredQuoteAnswer<'static>>())),
            refuses: &[A4001, A4030, R4040],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/proposals",
            id: "listProposals",
            tag: "Health",
            summary: "List health proposals (deprecated)",
            description: "For partners that the operator marked as existing users alone. The partner's health proposals, newest first, with the parameters of the quotes' list.",
            scope: Some(Scope::ProposalRead),
            query: Some(describe(|fields| Some(list::list_query(fields)))),
            takes: None,
            gives: (
                200,
                "A page of proposals.",
                Some(schema_of::<health_proposal::ProposalsAnswer<'static>>()),
            ),
            refuses: &[V4000, A4001, A4030],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/proposals/{proposal_id}",
            id: "getProposal",
            tag: "Health",
            summary: "Get a health proposal (deprecated)",
            description: "For partners that the operator marked as existing users alone.",
            scope: Some(Scope::ProposalRead),
            query: None,
            takes: None,
            gives: (200, "The proposal.", Some(schema_of::<health_proposal::ProposalAnswer<'static>>())),
            refuses: &[A4001, A4030, R4040],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/policies",
            id: "listPolicies",
            tag: "Health",
            summary: "List health policies (deprecated)",
            description: "For partners that the operator marked as existing users alone. The partner's health policies by the day of issue, newest first, with the parameters of the quotes' list; all of them where neither session nor dates are given.",
            scope: Some(Scope::Business),
            query: Some(describe(|fields| Some(list::list_query(fields)))),
            takes: None,
            gives: (200, "A page of policies.", Some(schema_of::<health_policy::PoliciesAnswer<'static>>())),
            refuses: &[V4000, A4001, A4030],
        },
        Operation {
            method: "get",
            path: "/v1/business/health/policies/{policy_id}",
            id: "getPolicy",
            tag: "Health",
            summary: "Get a health policy (deprecated)",
            description: "For partners that the operator marked as existing users alone. The id is our own or the insurer's policy number, which may hold any characters.",
            scope: Some(Scope::Business),
            query: None,
            takes: None,
            gives: (200, "The policy.", Some(schema_of::<health_policy::PolicyAnswer<'static>>())),
            refuses: &[A4001, A4030, R4040],
        },
        Operation {
            method: "post",
            path: "/v1/embedded/quote",
            id: "createQuote",
            tag: "Credit protection",
            summary: "Create a quote",
            description: "Prices every credit-protection variant open to the partner. One that cannot be priced is an item with is_error true and a sentence in error_message; the answer is 200 all the same.",
            scope: Some(Scope::QuoteWrite),
            query: None,
            takes: Some((
                describe(|fields| embedded_quote::quote_request(fields, ANY_DAY)),
                example::quote(),
            )),
            gives: (200, "The quote.", Some(payload_of::<embedded_quote::QuoteAnswer>())),
            refuses: &[V4000, A4001, A4030, V4130, V4150, V4220],
        },
        Operation {
            method: "post",
            path: "/v1/embedded/proposal",
            id: "createProposal",
            tag: "Credit protection",
            summary: "Create a proposal",
            description: "Turns a quote's recommendation into a proposal: saved with DRAFT, submitted with SUBMITTED.",
            scope: Some(Scope::ProposalWrite),
            query: None,
            takes: Some((
                describe(|fields| embedded_proposal::proposal_request(fields, ANY_DAY, &Cell::default())),
                example::proposal(),
            )),
            gives: (201, "The proposal.", Some(payload_of::<embedded_proposal::StateAnswer>())),
            refuses: &[V4000, A4001, A4030, V4130, V4150, V4220],
        },
        Operation {
            method: "get",
            path: "/v1/embedded/proposal/{proposal_id}/status",
            id: "getProposalStatus",
            tag: "Credit protection",
            summary: "Get a proposal's status",
            description: "Where the proposal stands; once COMPLETED, with a download address of the certificate that is valid for 10 minutes.",
            scope: Some(Scope::ProposalRead),
            query: None,
            takes: None,
            gives: (200, "The status.", Some(payload_of::<embedded_proposal::ViewAnswer<'static>>())),
            refuses: &[A4001, A4030, R4040],
        },
        Operation {
            method: "patch",
            path: "/v1/embedded/proposal/{proposal_id}",
            id: "updateProposal",
            tag: "Credit protection",
            summary: "Update a proposal",
            description: "Moves the proposal: DRAFT to PENDING or REJECTED, PENDING to COMPLETED or REJECTED. COMPLETED issues the policy.",
            scope: Some(Scope::ProposalWrite),
            query: None,
            takes: Some((describe(embedded_proposal::next_status), json!({ "status": "COMPLETED" }))),
            gives: (200, "The new status.", Some(payload_of::<embedded_proposal::StateAnswer>())),
            refuses: &[V4000, S4000, A4001, A4030, R4040, V4130, V4150, V4220],
        },
        Operation {
            method: "get",
            path: "/v1/embedded/policy/{address}",
            id: "downloadCertificate",
            tag: "Credit protection",
            summary: "Download a certificate",
            description: "The certificate behind a policy_url. The address is its own key and needs no bearer token.",
            scope: None,
            query: None,
            takes: None,
            gives: (200, "The certificate.", None),
            refuses: &[R4040, R4100],
        },
        Operation {
            method: "post",
            path: "/v1/insurers/{insurer_id}/decisions",
            id: "tellDecision",
            tag: "Insurers",
            summary: "Tell a decision",
            description: "For insurers alone: what was decided of a proposal that was handed over. The insurer shows itself as it does when it is asked: by the shared secret as a bearer, or by an HMAC. Telling the same again changes nothing.",
            scope: None,
            query: None,
            takes: Some((describe(insurer_decision::decision), example::decision())),
            gives: (200, "It is taken.", Some(json!({ "type": "object" }))),
            refuses: &[V4000, A4001, R4040, S4090, V4130, V4150],
        },
        Operation {
            method: "get",
            path: "/.well-known/jwks.json",
            id: "listPublicKeys",
            tag: "Access",
            summary: "List the public keys",
            description: "The keys that tokens are signed with, for those who check tokens themselves.",
            scope: None,
            query: None,
            takes: None,
            gives: (200, "The keys.", Some(schema_of::<jwks::KeySet>())),
            refuses: &[],
        },
        Operation {
            method: "get",
            path: "/livez",
            id: "isAlive",
            tag: "Operation",
            summary: "Is the process alive?",
            description: "Answers as long as the process can.",
            scope: None,
            query: None,
            takes: None,
            gives: (200, "It is.", Some(schema_of::<health::Alive>())),
            refuses: &[],
        },
        Operation {
            method: "get",
            path: "/readyz",
            id: "isReady",
            tag: "Operation",
            summary: "Should the process get requests?",
            description: "Looks at the store and whether the process is stopping.",
            scope: None,
            query: None,
            takes: None,
            gives: (200, "It should.", Some(schema_of::<health::Ready>())),
            refuses: &[],
        },
    ]
}

/// The document, as it is served and as `covernote openapi` prints it.
pub fn document() -> Value {
    let mut paths = Map::new();
    for operation in operations() {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = describe_operation(&operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "covernote",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The insurance partner service.",
            "description": "Offer insurance without becoming an insurer: exchange credentials for a token, have health plans recommended for a family, price credit-protection cover from several insurers in one call, turn a quote into a proposal and a policy with a certificate.\n\nEvery answer carries X-Request-Id; every refusal is one error object, and a validation error names every fault of the request at once.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "servers": [{ "url": "/" }],
        "tags": [{ "name": "Access" }, { "name": "Health" }, { "name": "Credit protection" }, { "name": "Insurers" }, { "name": "Operation" }],
        "paths": paths,
        "components": {
            "schemas": components(),
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An access token of POST /v1/auth/token." } },
        },
    })
}

fn describe_operation(operation: &Operation) -> Value {
    let mut described = json!({
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": match operation.scope {
            Some(scope) => format!("{} Needs the scope `{scope}`.", operation.description),
            None => operation.description.to_owned(),
        },
        "deprecated": is_deprecated(operation),
        "responses": responses(operation),
        "security": match operation.scope { Some(_) => json!([{ "bearer": [] }]), None => json!([]) },
    });
    let parameters = parameters(operation);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if let Some((schema, example)) = &operation.takes {
        let content = json!({ "application/json": { "schema": schema, "example": example } });
        described["requestBody"] = json!({ "required": true, "content": content });
    }
    described
}

fn parameters(operation: &Operation) -> Vec<Value> {
    let names = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = names
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    for (name, schema) in operation.query.iter().filter_map(|query| query["properties"].as_object()).flatten()
    {
        // What is absent in a query is not there: the ways in which a body says so need not be told.
        let schema = schema["anyOf"].get(0).unwrap_or(schema);
        parameters.push(json!({ "name": name, "in": "query", "required": false, "schema": schema }));
    }
    if keeps_answers(operation) {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "A request sent again with the same key within 24 hours gets the first answer again, with Idempotency-Replayed: true, and is not done twice.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
        }));
    }
    parameters
}

fn responses(operation: &Operation) -> Value {
    let (status, description, schema) = &operation.gives;
    let content = match schema {
        Some(schema) => json!({ "application/json": { "schema": schema } }),
        None => {
            json!({ "application/pdf": { "schema": { "type": "string", "contentMediaType": "application/pdf" } } })
        }
    };
    let mut headers = json!({ "X-Request-Id": header("Names the request in the log.") });
    if keeps_answers(operation) {
        headers["Idempotency-Replayed"] =
            header("`true` where an earlier request with the same key was answered so.");
    }
    let given = json!({ "description": description, "headers": headers, "content": content });
    let mut responses = Map::from_iter([(status.to_string(), given)]);
    for code in operation.refuses.iter().chain(ALWAYS) {
        let response =
            responses.entry(code.status().as_str()).or_insert_with(|| refusal(*code, operation.path));
        let so_far = response["description"].as_str().unwrap_or_default();
        let joined = if so_far.is_empty() { String::new() } else { format!("{so_far} or ") };
        response["description"] = format!("{joined}{} {}", code.word(), code.title()).into();
    }
    if is_deprecated(operation) {
        for response in responses.values_mut() {
            response["headers"]["Deprecation"] = header("Since when it is deprecated (RFC 9745).");
            response["headers"]["Link"] = header("Where that is written: rel=\"deprecation\".");
        }
    }
    responses.into()
}

/// Whether its answers say that it is deprecated (D9).
fn is_deprecated(operation: &Operation) -> bool {
    operation.summary.ends_with("(deprecated)")
}

/// The error object under a code's status, with an example at a path; its description is still to be said.
fn refusal(code: Code, path: &str) -> Value {
    let mut headers = json!({ "X-Request-Id": header("Names the request in the log.") });
    if matches!(code, Code::A4290 | Code::E5030) {
        headers["Retry-After"] = header("Seconds after which to try again.");
    }
    if matches!(code, Code::A4001 | Code::A4030) {
        headers["WWW-Authenticate"] = header("What the bearer token lacks.");
    }
    let schema = json!({ "$ref": "#/components/schemas/ErrorObject" });
    let mut example = json!({ "type": code.word(), "title": code.title(), "detail": "", "instance": path });
    if code == Code::V4000 {
        let fault = json!({ "field": "status", "message": crate::shape::found("nothing", "one of the allowed words") });
        example["additional_info"] = json!([fault]);
    }
    let content = json!({ "application/json": { "schema": schema, "example": example } });
    json!({ "description": "", "headers": headers, "content": content })
}

fn header(description: &str) -> Value {
    json!({ "description": description, "schema": { "type": "string" } })
}

/// Whether answers are kept under an idempotency key (D36).
fn keeps_answers(operation: &Operation) -> bool {
    operation.scope.is_some() && operation.takes.is_some()
}

fn components() -> Value {
    let mut found: Vec<(String, RefOr<Schema>)> = Vec::new();
    component::<ErrorObject<'static>>(&mut found);
    component::<auth_token::TokenAnswer>(&mut found);
    component::<embedded_quote::QuoteAnswer>(&mut found);
    component::<embedded_proposal::StateAnswer>(&mut found);
    component::<embedded_proposal::ViewAnswer<'static>>(&mut found);
    component::<recommendation::JobAnswer>(&mut found);
    component::<recommendation::RecommendationJob<'static>>(&mut found);
    component::<health_quote::QuotesAnswer<'static>>(&mut found);
    component::<health_quote::StoredQuoteAnswer<'static>>(&mut found);
    component::<health_proposal::ProposalsAnswer<'static>>(&mut found);
    component::<health_proposal::ProposalAnswer<'static>>(&mut found);
    component::<health_policy::PoliciesAnswer<'static>>(&mut found);
    component::<health_policy::PolicyAnswer<'static>>(&mut found);
    component::<session::SessionAnswer<'static>>(&mut found);
    component::<jwks::KeySet>(&mut found);
    let named = found
        .into_iter()
        .map(|(name, schema)| (name, serde_json::to_value(schema).expect("a schema serialises")));
    named.collect::<Map<_, _>>().into()
}

/// Adds a type and those that it is made of.
fn component<T: ToSchema>(found: &mut Vec<(String, RefOr<Schema>)>) {
    found.push((T::name().into_owned(), T::schema()));
    T::schemas(found);
}

fn schema_of<T: PartialSchema>() -> Value {
    serde_json::to_value(T::schema()).expect("a schema serialises")
}

fn payload_of<T: ToSchema>() -> Value
where
    Payload<T>: PartialSchema,
{
    schema_of::<Payload<T>>()
}
