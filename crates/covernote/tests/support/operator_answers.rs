//! Checks operators' answers against the operators' OpenAPI document.

use std::sync::LazyLock;

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

/// An act of the document, with the schema of its answer if that is no file.
struct Described {
    method: String,
    path: Vec<String>,
    answer: Option<Validator>,
}

static ACTS: LazyLock<Vec<Described>> = LazyLock::new(|| {
    let document = operators::document();
    let mut acts = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let content = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            acts.push(Described {
                method: method.to_uppercase(),
                path: path.split('/').map(str::to_owned).collect(),
                answer: content.is_object().then(|| validator(content, &document["components"])),
            });
        }
    }
    acts
});

/// A validator that also refuses fields that the schema does not have.
fn validator(schema: &Value, components: &Value) -> Validator {
    let mut schema = closed(schema);
    let named = components["schemas"].as_object().expect("schemas").iter();
    let named: Map<String, Value> = named.map(|(name, schema)| (name.clone(), inside(schema))).collect();
    schema["components"] = json!({ "schemas": named });
    schema["unevaluatedProperties"] = false.into();
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
    options.build(&schema).expect("a schema")
}

/// The schema, which allows no other fields than its own.
fn closed(schema: &Value) -> Value {
    let mut closed = inside(schema);
    let is_object = schema.get("$ref").is_some() || schema.get("allOf").is_some();
    if is_object && closed.get("oneOf").is_none() {
        closed["unevaluatedProperties"] = false.into();
    }
    closed
}

/// The schema with closed schemas inside.
fn inside(schema: &Value) -> Value {
    let mut changed = schema.clone();
    if let Some(properties) = changed.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(|property| *property = closed(property));
    }
    if let Some(items) = changed.get_mut("items") {
        *items = closed(items);
    }
    for kind in ["oneOf", "anyOf"] {
        for part in changed.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten() {
            *part = closed(part);
        }
    }
    changed
}

/// Parts of the personal data with which tests make records.
const CANARIES: &[&str] = &[
    "Asha",
    "asha.rao",
    "9876543210",
    "98765 43210",
    "ABCPR1234K",
    "Devika",
    "50100012345678",
    "12 MG Road",
];

/// Checks the answer of an act with status 200: its schema and, unless the operator gave a reason to see personal
/// data, that it has none.
pub fn check(method: &str, path: &str, answer: &Value) {
    // Who may decide an approval sees its facts without another reason. `whole_approvals` has the other roles.
    let is_revealed = path.contains("personal=true") || method == "GET" && path.contains("/approvals/");
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |act: &&Described| {
        let same = |(known, part): (&String, &&str)| known.starts_with('{') || known == part;
        act.method == method && act.path.len() == parts.len() && act.path.iter().zip(&parts).all(same)
    };
    // A path without parameters comes before one with them.
    let act = ACTS
        .iter()
        .filter(fits)
        .min_by_key(|act| act.path.iter().filter(|part| part.starts_with('{')).count());
    // A file is an export that the operator asked for with a reason.
    if let Some(validator) = act.and_then(|act| act.answer.as_ref()) {
        let text = answer.to_string();
        let shown: Vec<&&str> = CANARIES.iter().filter(|canary| text.contains(**canary)).collect();
        assert!(is_revealed || shown.is_empty(), "{method} {path} shows {shown:?}: {answer:#}");
        let faults: Vec<String> = validator
            .iter_errors(answer)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{method} {path}: {faults:#?}\n{answer:#}");
    }
}
