//! The OpenAPI document of the operators' API, derived from its actions.

use serde_json::{Map, Value, json};
use web::error::ErrorObject;

use crate::act::approval_shown::ApprovalShown;
use crate::act::input::{Field, one_paragraph};
use crate::act::listing::PageShown;
use crate::act::shown::{Api, Schemas, Shown, answer};
use crate::act::{Action, BASE, Method};
use crate::serve::acts::ACTIONS;

pub fn document() -> Value {
    let (mut paths, mut schemas) = (Map::new(), Schemas::new());
    Api::<ErrorObject<'static>>::schema(&mut schemas);
    for action in ACTIONS.iter() {
        let method = match action.about.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        let path = paths.entry(format!("{BASE}{}", action.about.path)).or_insert_with(|| json!({}));
        path[method] = operation(action, &mut schemas);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "covernote: operators", "version": "1",
            "description": "The API for the operator's team. The running process serves it on its socket. The partners' API has its own document.",
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": {
                "type": "http", "scheme": "bearer",
                "description": "Token of an operator, from 'covernote operator token' or 'covernote login'. At the socket, the user of the machine is enough.",
            } },
        },
        "security": [{ "bearer": [] }, {}],
    })
}

/// Schema of a field, with its description and its default.
fn schema_of(field: &Field) -> Value {
    let mut schema = field.schema.clone();
    schema["description"] = field.text().into();
    if let Some(default) = &field.default {
        schema["default"] = default.clone();
    }
    if !field.requires.is_empty() {
        schema["x-requires"] = field.requires.into();
    }
    if let Some(group) = field.one_of {
        schema["x-one-of"] = group.into();
    }
    schema
}

/// Content of an action's response.
fn content_of(action: &Action, schemas: &mut Schemas) -> Value {
    match action.answer_schema(schemas) {
        None => json!({ "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } }),
        Some(schema) => {
            json!({ "application/json": { "schema": { "allOf": [schema, Ends::schema(schemas)] } } })
        }
    }
}

answer! {
    /// What every answer may have
    struct Ends {
        /// What happened, and what to do next
        notes: Vec<String>,
        /// Why parts of the action were refused. Its other parts are done
        refused: Vec<String>,
        /// Approvals that wait for the record
        #[shown(absent = true)]
        pending_approvals: Vec<ApprovalShown>,
        /// How much of a list is shown
        #[shown(absent = true)]
        page: PageShown,
        /// The process that answered
        server: Process,
    }
}

answer! {
    /// The process that answered
    struct Process {
        /// Version of the program
        version: String,
        /// Number of the process
        process: u32,
        /// Store that it serves
        store: String,
        /// Catalogue that it uses
        catalogue: String,
    }
}

fn operation(action: &Action, schemas: &mut Schemas) -> Value {
    let fields = action.fields();
    let is_in_path = |field: &Field| action.about.has_in_path(field.name);
    let parameter = |place: &str, field: &Field| {
        json!({
            "name": field.name, "in": place, "required": field.is_required || place == "path",
            "schema": schema_of(field), "description": field.text(),
        })
    };
    let (in_path, others): (Vec<_>, Vec<_>) = fields.iter().partition(|field| is_in_path(field));
    let mut parameters: Vec<Value> = in_path.into_iter().map(|field| parameter("path", field)).collect();
    let mut operation = json!({
        "operationId": action.about.name.replace('.', "_"),
        "summary": one_paragraph(action.text),
        "x-roles": action.about.roles.iter().map(|role| role.word()).collect::<Vec<_>>(),
        "x-irreversible": action.about.is_irreversible,
        "responses": {
            "200": { "description": "Done", "content": content_of(action, schemas) },
            "default": {
                "description": "The error object, as in the partners' API",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorObject" } } },
            },
        },
    });
    match action.about.method {
        Method::Get => parameters.extend(others.into_iter().map(|field| parameter("query", field))),
        Method::Post => {
            let required: Vec<&str> =
                others.iter().filter(|field| field.is_required).map(|field| field.name).collect();
            let properties: Map<String, Value> =
                others.iter().map(|field| (field.name.to_owned(), schema_of(field))).collect();
            let body = match action.about.takes_file.is_some() {
                true => json!({ "type": "string", "format": "binary" }),
                false => {
                    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
                }
            };
            if !action.about.gives_file {
                parameters.push(json!({
                    "name": "Idempotency-Key", "in": "header", "required": false,
                    "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
                    "description": "Key of your choice. A repeated request with this key is answered, but not done again, for 24 hours.",
                }));
            }
            operation["requestBody"] = json!({ "content": { action.about.media(): { "schema": body } } });
        }
    }
    operation["parameters"] = parameters.into();
    operation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_name_shared_with_the_partners_api_means_the_same_schema() {
        let (own, partners) = (document(), web::api::document());
        let schemas =
            |document: &Value| document["components"]["schemas"].as_object().cloned().unwrap_or_default();
        for (name, schema) in schemas(&own) {
            if let Some(known) = schemas(&partners).get(&name) {
                let known = crate::act::shown::maskable(&name, known.clone());
                assert_eq!(known["properties"], schema["properties"], "{name} means two schemas");
            }
        }
    }
}
