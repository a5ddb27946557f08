//! `GET /openapi.json`: the contract as an OpenAPI 3.1 document.
//!
//! Bodies that come in are described by the very readers that read them, answers by the very types that are
//! serialised. The row of an endpoint names both.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::api::common::endpoint::{Components, Endpoint, GivenBody, Takes, components_of};
use crate::error::{Code, ErrorObject};
use crate::event_document::{tell_families_apart, webhooks};

/// Refusals of every endpoint.
const ALWAYS: &[Code] = &[Code::E5000, Code::E5030];

/// Answers of the service by operation and then by status or code, as `scripts/examples` recorded them.
static EXAMPLES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).expect("JSON of ours"));

/// The document of these endpoints.
pub(crate) fn document(endpoints: &[&Endpoint]) -> Value {
    let (mut paths, mut schemas) = (Map::new(), response_schemas(endpoints));
    for endpoint in endpoints {
        let path = paths.entry(endpoint.documented_path()).or_insert_with(|| json!({}));
        path[endpoint.method.word()] = operation(endpoint, &mut schemas);
    }
    tell_families_apart(&mut schemas);
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
        "tags": tags(endpoints),
        "paths": paths,
        // Under `webhooks` they would break openapi-generator for Python, which gives their bodies no type (D128).
        "x-webhooks": webhooks(),
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": {
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "An access token of POST /v1/auth/token. Each operation names the scope that the token needs; the scope `business` stands for all of them.",
            } },
        },
    })
}

/// The groups of the endpoints, in the order of their first ones.
fn tags(endpoints: &[&Endpoint]) -> Vec<Value> {
    let mut names: Vec<&str> = Vec::new();
    for endpoint in endpoints {
        if !names.contains(&endpoint.tag) {
            names.push(endpoint.tag);
        }
    }
    names.iter().map(|name| json!({ "name": name })).collect()
}

/// An endpoint's operation. The named schemas of its body, and the body itself, go among `schemas`.
fn operation(endpoint: &Endpoint, schemas: &mut Map<String, Value>) -> Value {
    let mut described = json!({
        "operationId": endpoint.id,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "description": match endpoint.scope() {
            Some(scope) => format!("{} Needs the scope `{scope}`.", endpoint.description),
            None => endpoint.description.to_owned(),
        },
        "deprecated": endpoint.deprecated,
        "responses": responses(endpoint),
        "security": match endpoint.scope() {
            Some(scope) => json!([{ "bearer": [scope.to_string()] }]),
            None => json!([]),
        },
    });
    let parameters = parameters(endpoint);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    let content = match &endpoint.takes {
        None => None,
        Some(Takes::Json { schema, example }) => {
            let (mut schema, mut named) = (schema(), Vec::new());
            // Generated clients call a body that has no name after its place in the document.
            if schema.get("title").is_none() {
                schema["title"] = body_name(endpoint).into();
            }
            lift_named(&mut schema, &mut named);
            schemas.extend(named);
            Some(json!({ "application/json": { "schema": schema, "example": example() } }))
        }
        Some(Takes::Bytes(media_types)) => Some(content_of_bytes(media_types)),
    };
    if let Some(content) = content {
        described["requestBody"] = json!({ "required": true, "content": content });
    }
    described
}

/// What the schema of an endpoint's body is called: `CreateQuoteBody`.
fn body_name(endpoint: &Endpoint) -> String {
    let (first, rest) = endpoint.id.split_at(1);
    format!("{}{rest}Body", first.to_uppercase())
}

fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let path = endpoint.documented_path();
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = names
        .map(|name| {
            let example = &EXAMPLES[endpoint.id]["parameters"][name];
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" }, "example": example })
        })
        .collect();
    let query = endpoint.query.map(|schema| schema()).unwrap_or_default();
    for (name, schema) in query["properties"].as_object().into_iter().flatten() {
        // A query leaves a parameter out, and has no `null`.
        let mut schema = schema.clone();
        if let Some(kind) = schema["type"].get(0).cloned() {
            schema["type"] = kind;
        }
        parameters.push(json!({ "name": name, "in": "query", "required": false, "schema": schema }));
    }
    if endpoint.idempotent {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "A request sent again with the same key within 24 hours gets the first answer again, with Idempotency-Replayed: true, and is not done twice.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
        }));
    }
    parameters
}

fn responses(endpoint: &Endpoint) -> Value {
    let gives = &endpoint.gives;
    let content = match gives.body {
        GivenBody::Json { schema, .. } => {
            let example = &EXAMPLES[endpoint.id][gives.status.to_string()];
            json!({ "application/json": { "schema": schema(), "example": example } })
        }
        GivenBody::Bytes(media_types) => content_of_bytes(media_types),
    };
    let mut headers = json!({ "X-Request-Id": header("Names the request in the log.") });
    if endpoint.idempotent {
        headers["Idempotency-Replayed"] =
            header("`true` where an earlier request with the same key was answered so.");
    }
    let given = json!({ "description": gives.description, "headers": headers, "content": content });
    let mut responses = Map::from_iter([(gives.status.to_string(), given)]);
    for code in endpoint.implied_refusals().chain(endpoint.refuses).chain(ALWAYS) {
        let response = responses.entry(code.status().as_str()).or_insert_with(|| refusal(*code));
        let examples = &mut response["content"]["application/json"]["examples"];
        if !examples[code.word()].is_null() {
            continue;
        }
        examples[code.word()] = json!({ "summary": code.title(), "value": example_error(endpoint, *code) });
        let so_far = response["description"].as_str().unwrap_or_default();
        let joined = if so_far.is_empty() { String::new() } else { format!("{so_far} or ") };
        response["description"] = format!("{joined}{} {}", code.word(), code.title()).into();
    }
    if endpoint.deprecated {
        for response in responses.values_mut() {
            response["headers"]["Deprecation"] = header("Since when it is deprecated (RFC 9745).");
            response["headers"]["Link"] = header("Where that is written: rel=\"deprecation\".");
        }
    }
    responses.into()
}

/// The content of bytes as they are. OpenAPI 3.1 has `contentMediaType`; code generators look for `format: binary`.
fn content_of_bytes(media_types: &[&str]) -> Value {
    let content = media_types.iter().map(|media_type| {
        let schema = json!({ "type": "string", "format": "binary", "contentMediaType": media_type });
        ((*media_type).to_owned(), json!({ "schema": schema }))
    });
    content.collect::<Map<String, Value>>().into()
}

/// The error object under a code's status. The caller fills in description and examples.
fn refusal(code: Code) -> Value {
    let mut headers = json!({ "X-Request-Id": header("Names the request in the log.") });
    if matches!(code, Code::A4290 | Code::E5030) {
        headers["Retry-After"] = header("Seconds after which to try again.");
    }
    if matches!(code, Code::A4001 | Code::A4030) {
        headers["WWW-Authenticate"] = header("What the bearer token lacks.");
    }
    let schema = json!({ "$ref": "#/components/schemas/ErrorObject" });
    let content = json!({ "application/json": { "schema": schema, "examples": {} } });
    json!({ "description": "", "headers": headers, "content": content })
}

/// An error with this code that the endpoint gave. Some codes have the same error everywhere: that one at the endpoint's path.
fn example_error(endpoint: &Endpoint, code: Code) -> Value {
    let examples = &EXAMPLES[endpoint.id];
    if examples[code.word()].is_object() {
        return examples[code.word()].clone();
    }
    let mut error = EXAMPLES["everyOperation"][code.word()].clone();
    let parameters = examples["parameters"].as_object().into_iter().flatten();
    let path = parameters.fold(endpoint.documented_path(), |path, (name, value)| {
        path.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default())
    });
    error["instance"] = path.into();
    error
}

fn header(description: &str) -> Value {
    json!({ "description": description, "schema": { "type": "string" } })
}

/// The named schemas of what responses hold.
fn response_schemas(endpoints: &[&Endpoint]) -> Map<String, Value> {
    let mut found = Components::new();
    components_of::<ErrorObject<'static>>(&mut found);
    for endpoint in endpoints {
        if let GivenBody::Json { components, .. } = endpoint.gives.body {
            components(&mut found);
        }
    }
    let named = found
        .into_iter()
        .map(|(name, schema)| (name, serde_json::to_value(schema).expect("a schema serialises")));
    named.collect()
}

/// Takes every part of a schema that has a title out of where it stands, and leaves a reference to it by that title.
fn lift_named(schema: &mut Value, found: &mut Vec<(String, Value)>) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| lift_named(item, found)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| lift_named(field, found));
            // Among properties, `title` may also be the name of one: then it is a schema, not text.
            if fields.get("title").is_some_and(Value::is_string)
                && let Some(Value::String(name)) = fields.remove("title")
            {
                let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
                found.push((name, std::mem::replace(schema, reference)));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::api::ENDPOINTS;

    #[test]
    fn a_name_means_one_schema() {
        let mut known: BTreeMap<String, Value> = response_schemas(&ENDPOINTS).into_iter().collect();
        let mut found = Vec::new();
        for endpoint in &*ENDPOINTS {
            if let Some(Takes::Json { schema, .. }) = &endpoint.takes {
                let mut schema = schema();
                lift_named(&mut schema, &mut found);
                found.push((body_name(endpoint), schema));
            }
        }
        assert!(found.iter().any(|(name, _)| name == "Address"), "{found:?}");
        for (name, schema) in found {
            let first = known.entry(name.clone()).or_insert_with(|| schema.clone());
            assert_eq!(*first, schema, "{name} means two schemas");
        }
    }

    #[test]
    fn every_endpoint_says_what_it_is() {
        for endpoint in &*ENDPOINTS {
            let texts = [endpoint.id, endpoint.tag, endpoint.summary, endpoint.description, endpoint.guide];
            let texts = [&texts[..], &[endpoint.gives.description]].concat();
            assert!(texts.iter().all(|text| !text.is_empty()), "{}: {texts:?}", endpoint.path);
            assert!(endpoint.path.starts_with('/'), "{} has no path", endpoint.id);
        }
    }

    #[test]
    fn every_tag_of_an_operation_is_listed_once() {
        let document = document(&ENDPOINTS);
        let names: Vec<&str> = document["tags"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|tag| tag["name"].as_str())
            .collect();
        for endpoint in &*ENDPOINTS {
            assert_eq!(names.iter().filter(|name| **name == endpoint.tag).count(), 1, "{}", endpoint.tag);
        }
    }

    #[test]
    fn every_reference_leads_to_a_schema() {
        fn references(within: &Value, found: &mut Vec<String>) {
            match within {
                Value::Array(items) => items.iter().for_each(|item| references(item, found)),
                Value::Object(fields) => {
                    found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                    fields.values().for_each(|field| references(field, found));
                }
                _ => {}
            }
        }
        let document = document(&ENDPOINTS);
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            let pointer = reference.trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
        }
    }
}
