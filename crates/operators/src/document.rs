//! The OpenAPI document of the operators' API, derived from its actions.

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};

use crate::act::{Action, BASE, Method};
use crate::acts::ACTIONS;

pub fn document() -> Value {
    let mut schemas: Vec<(String, RefOr<Schema>)> = Vec::new();
    ACTIONS.iter().for_each(|action| (action.schemas)(&mut schemas));
    let schemas: Map<String, Value> =
        schemas.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    let mut paths: Map<String, Value> = Map::new();
    for action in ACTIONS.iter() {
        let method = match action.about.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        let path = paths.entry(format!("{BASE}{}", action.about.path)).or_insert_with(|| json!({}));
        path[method] = operation(action, &schemas);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "covernote: operators", "version": "1",
            "description": "The API for the operator's team. The running process serves it on its socket. The partners' API has its own document.",
        },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// Fields of the request for an operator's action, and the names of the required fields.
#[derive(Default)]
pub(crate) struct Fields {
    pub(crate) all: Map<String, Value>,
    required: Vec<Value>,
}

impl Fields {
    /// Fields of a schema. An `allOf` schema has the fields of all its parts.
    pub(crate) fn of(schema: &Value, schemas: &Map<String, Value>) -> Self {
        let named = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        if let Some(schema) = named.and_then(|name| schemas.get(name)) {
            return Fields::of(schema, schemas);
        }
        let mut fields = Fields {
            all: schema["properties"].as_object().cloned().unwrap_or_default(),
            required: schema["required"].as_array().cloned().unwrap_or_default(),
        };
        for part in schema["allOf"].as_array().into_iter().flatten() {
            let part = Fields::of(part, schemas);
            fields.all.extend(part.all);
            fields.required.extend(part.required);
        }
        fields
    }
}

fn operation(action: &Action, schemas: &Map<String, Value>) -> Value {
    let schema = json!((action.schema)());
    let fields = Fields::of(&schema, schemas);
    let is_in_path = |name: &str| action.about.path.contains(&format!("{{{name}}}"));
    let (in_path, others): (Vec<_>, Vec<_>) = fields.all.iter().partition(|(name, _)| is_in_path(name));
    let parameter = |place: &str, name: &String, schema: &Value| {
        json!({
            "name": name, "in": place, "required": fields.required.iter().any(|known| known == name),
            "schema": schema, "description": schema["description"],
        })
    };
    let mut parameters: Vec<Value> =
        in_path.iter().map(|(name, schema)| parameter("path", name, schema)).collect();
    let mut operation = json!({
        "operationId": action.about.name.replace('.', "_"),
        "summary": schema["description"],
        "x-roles": action.about.roles.iter().map(|role| role.word()).collect::<Vec<_>>(),
        "x-irreversible": action.about.is_irreversible,
        "responses": {
            "200": { "description": "Done", "content": { "application/json": { "schema": { "type": "object" } } } },
            "default": { "description": "The error object of the partners' API" },
        },
    });
    match action.about.method {
        Method::Get => {
            parameters.extend(others.iter().map(|(name, schema)| parameter("query", name, schema)))
        }
        Method::Post => {
            let required: Vec<&Value> =
                fields.required.iter().filter(|name| !name.as_str().is_some_and(is_in_path)).collect();
            let properties: Map<String, Value> =
                others.into_iter().map(|(name, schema)| (name.clone(), schema.clone())).collect();
            let body = match action.about.takes_file {
                true => json!({ "type": "string", "format": "binary" }),
                false => json!({ "type": "object", "properties": properties, "required": required }),
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
