//! `GET /openapi.json`: the contract as an OpenAPI 3.1 document.
//!
//! The functions that read request bodies also generate the schemas of request bodies. Serialised types
//! generate the schemas of responses. An endpoint's declaration names both.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::api::common::endpoint::{Components, Endpoint, GivenBody, Takes, components_of};
use crate::error::{Code, ErrorObject};
use crate::event_document::{tell_families_apart, webhooks};

/// Error codes that every endpoint can return.
const ALWAYS: &[Code] = &[Code::E5000, Code::E5030];

/// Recorded example responses, by operation, then by status or error code. `scripts/examples` writes the
/// file.
static EXAMPLES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).expect("JSON of ours"));

/// OpenAPI document of these endpoints.
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
            "description": "Sell insurance on your platform: get health plans recommended for a family, price credit protection from several insurers in one call, and turn a quote into a proposal and a policy with its certificate.\n\nEvery response has the header X-Request-Id. Every error is one error object. A validation error lists every invalid field of the request.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "servers": [{ "url": "/" }],
        "tags": tags(endpoints),
        "paths": paths,
        // Under `webhooks`, openapi-generator for Python would give the bodies no type (D128).
        "x-webhooks": webhooks(),
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": {
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "Access token from POST /v1/auth/token. Each operation names the scope that the token needs. The scope `business` includes all others.",
            } },
        },
    })
}

/// Tags of the OpenAPI document, in the order of the first endpoint with each tag.
fn tags(endpoints: &[&Endpoint]) -> Vec<Value> {
    let mut names: Vec<&str> = Vec::new();
    for endpoint in endpoints {
        if !names.contains(&endpoint.tag) {
            names.push(endpoint.tag);
        }
    }
    names.iter().map(|name| json!({ "name": name })).collect()
}

/// OpenAPI operation of an endpoint. Adds the named schemas of its request body to `schemas`.
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
            // Without a title, generated clients would name the body after its place in the document.
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

/// Name of the request body's schema, such as `CreateQuoteBody`.
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
        // An absent query parameter is left out, never `null`.
        let mut schema = schema.clone();
        if let Some(kind) = schema["type"].get(0).cloned() {
            schema["type"] = kind;
        }
        parameters.push(json!({ "name": name, "in": "query", "required": false, "schema": schema }));
    }
    if endpoint.idempotent {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "Key that makes the request safe to repeat. The same key within 24 hours returns the first response again, with `Idempotency-Replayed: true`. Nothing is done twice.",
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
    let mut headers = json!({ "X-Request-Id": header("Id of this request, for support questions.") });
    if endpoint.idempotent {
        headers["Idempotency-Replayed"] =
            header("`true` if this is the response of an earlier request with the same key.");
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
            response["headers"]["Deprecation"] =
                header("Date from which the operation is deprecated (RFC 9745).");
            response["headers"]["Link"] =
                header("Address of the deprecation notice, with rel=\"deprecation\".");
        }
    }
    responses.into()
}

/// Content of raw bytes. OpenAPI 3.1 uses `contentMediaType`, but code generators look for `format: binary`.
fn content_of_bytes(media_types: &[&str]) -> Value {
    let content = media_types.iter().map(|media_type| {
        let schema = json!({ "type": "string", "format": "binary", "contentMediaType": media_type });
        ((*media_type).to_owned(), json!({ "schema": schema }))
    });
    content.collect::<Map<String, Value>>().into()
}

/// Response with the error object, under the HTTP status of `code`. The caller adds description and examples.
fn refusal(code: Code) -> Value {
    let mut headers = json!({ "X-Request-Id": header("Id of this request, for support questions.") });
    if matches!(code, Code::A4290 | Code::E5030) {
        headers["Retry-After"] = header("Seconds to wait before you try again.");
    }
    if matches!(code, Code::A4001 | Code::A4030) {
        headers["WWW-Authenticate"] = header("What is wrong with the bearer token.");
    }
    let schema = json!({ "$ref": "#/components/schemas/ErrorObject" });
    let content = json!({ "application/json": { "schema": schema, "examples": {} } });
    json!({ "description": "", "headers": headers, "content": content })
}

/// Example of this error: the example recorded for the endpoint, otherwise the common example with the
/// endpoint's path.
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

/// Named schemas that the responses refer to.
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

/// Moves each part of `schema` that has a title to `found`, and puts a reference in its place.
fn lift_named(schema: &mut Value, found: &mut Vec<(String, Value)>) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| lift_named(item, found)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| lift_named(field, found));
            // Among properties, `title` can be the name of a property: then its value is a schema, not text.
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
    fn a_schema_name_of_the_openapi_document_means_only_one_schema() {
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
    fn every_endpoint_has_an_id_a_tag_a_path_and_descriptions() {
        for endpoint in &*ENDPOINTS {
            let texts = [endpoint.id, endpoint.tag, endpoint.summary, endpoint.description];
            let texts = [&texts[..], &[endpoint.gives.description]].concat();
            assert!(texts.iter().all(|text| !text.is_empty()), "{}: {texts:?}", endpoint.path);
            assert!(endpoint.path.starts_with('/'), "{} has no path", endpoint.id);
        }
    }

    #[test]
    fn every_tag_of_an_endpoint_is_listed_exactly_once() {
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
    fn every_reference_of_the_openapi_document_has_a_target() {
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
