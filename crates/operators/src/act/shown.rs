//! Values in the answers of operators' actions: their JSON and its schema.
//!
//! [`answer!`] declares the fields of an answer once. The API, its OpenAPI document and every printer use this
//! declaration: the terminal, pages and CSV files.

use std::collections::BTreeMap;

use domain::date::{Date, Timestamp};
use domain::id::{Id, Kind, prefix};
use domain::money::Rupees;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::AllOf;
use utoipa::openapi::{RefOr, Schema};

/// Named schemas.
pub type Schemas = Map<String, Value>;

/// A value in an answer.
pub(crate) trait Shown {
    /// JSON Schema of the values. Adds named schemas that it refers to.
    fn schema(schemas: &mut Schemas) -> Value;

    fn json(&self) -> Value;
}

/// Pattern of an amount in rupees, with which printers recognise amounts.
pub(crate) const AMOUNT: &str = r"^-?[0-9]+\.[0-9]{2}$";

macro_rules! plain {
    ($($ty:ty: $schema:tt, $json:expr;)+) => {$(
        impl Shown for $ty {
            fn schema(_: &mut Schemas) -> Value {
                json!($schema)
            }

            fn json(&self) -> Value {
                let json: fn(&$ty) -> Value = $json;
                json(self)
            }
        }
    )+};
}

plain! {
    String: { "type": "string" }, |text| text.as_str().into();
    &'static str: { "type": "string" }, |text| (*text).into();
    bool: { "type": "boolean" }, |is| (*is).into();
    i16: { "type": "integer" }, |number| (*number).into();
    u8: { "type": "integer" }, |number| (*number).into();
    u16: { "type": "integer" }, |number| (*number).into();
    u32: { "type": "integer" }, |number| (*number).into();
    u64: { "type": "integer" }, |number| (*number).into();
    i64: { "type": "integer" }, |number| (*number).into();
    usize: { "type": "integer" }, |number| (*number).into();
    Rupees: { "type": "string", "pattern": AMOUNT }, |amount| amount.to_string().into();
    Date: { "type": "string", "format": "date" }, |day| day.to_string().into();
    Timestamp: { "type": "string", "format": "date-time" }, |at| at.to_string().into();
    domain::statement::Month: { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$" }, |month| month.to_string().into();
    domain::policy::PolicyNumber: { "type": "string" }, |number| number.to_string().into();
    web::sight::Masked: { "type": "string", "x-personal": true }, |text| text.as_str().into();
}

impl<K: Kind> Shown for Id<K> {
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "pattern": format!("^{}_[0-9a-z]{{26}}$", prefix::<K>()) })
    }

    fn json(&self) -> Value {
        self.to_string().into()
    }
}

/// Makes words of the contract usable in answers.
macro_rules! words {
    ($($word:ty),+ $(,)?) => {$(
        impl $crate::act::shown::Shown for $word {
            fn schema(_: &mut $crate::act::shown::Schemas) -> serde_json::Value {
                serde_json::json!({ "type": "string", "enum": <$word as domain::text::FromText>::WORDS })
            }

            fn json(&self) -> serde_json::Value {
                (*self).word().into()
            }
        }
    )+};
}
pub(crate) use words;

words!(domain::claim::ClaimKind, domain::line::LineOfBusiness, domain::proposal::Actor, domain::team::Role);

impl<T: Shown> Shown for Option<T> {
    fn schema(schemas: &mut Schemas) -> Value {
        let schema = T::schema(schemas);
        match schema["type"].as_str() {
            Some(kind) => {
                let kinds = json!([kind, "null"]);
                let mut schema = schema;
                schema["type"] = kinds;
                if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
                    words.push(Value::Null);
                }
                schema
            }
            None => json!({ "oneOf": [{ "type": "null" }, schema] }),
        }
    }

    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, Shown::json)
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn schema(schemas: &mut Schemas) -> Value {
        json!({ "type": "array", "items": T::schema(schemas) })
    }

    fn json(&self) -> Value {
        self.iter().map(Shown::json).collect()
    }
}

impl<T: Shown> Shown for BTreeMap<String, T> {
    fn schema(schemas: &mut Schemas) -> Value {
        json!({ "type": "object", "additionalProperties": T::schema(schemas) })
    }

    fn json(&self) -> Value {
        self.iter().map(|(name, value)| (name.clone(), value.json())).collect::<Map<_, _>>().into()
    }
}

impl<T: Shown> Shown for Box<T> {
    fn schema(schemas: &mut Schemas) -> Value {
        T::schema(schemas)
    }

    fn json(&self) -> Value {
        self.as_ref().json()
    }
}

/// A part of the partners' API inside an answer.
pub(crate) struct Api<T>(pub(crate) T);

impl<T: Serialize + ToSchema> Shown for Api<T> {
    fn schema(schemas: &mut Schemas) -> Value {
        let mut named = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut named);
        for (name, schema) in named {
            let schema = maskable(&name, ordered(&schema));
            schemas.entry(name).or_insert(schema);
        }
        json!({ "$ref": format!("{REFERENCE}{}", T::name()) })
    }

    fn json(&self) -> Value {
        serde_json::to_value(&self.0).expect("an answer of ours serialises")
    }
}

/// Start of a reference to a named schema.
const REFERENCE: &str = "#/components/schemas/";

/// Schemas of the partners' API with a property that operators may get masked.
const MASKED: &[(&str, &str)] = &[("PolicyMember", "date_of_birth"), ("PolicyPapers", "certificate")];

/// The schema without the formats of values that may be masked, because a masked value has no format.
pub(crate) fn maskable(name: &str, mut schema: Value) -> Value {
    for (_, property) in MASKED.iter().filter(|(of, _)| *of == name) {
        if let Some(property) = schema["properties"][property].as_object_mut() {
            property.remove("format");
        }
    }
    schema
}

/// The schema as JSON. `x-order` is the order of the properties.
fn ordered(schema: &RefOr<Schema>) -> Value {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            let mut json = json!(schema);
            json["x-order"] = object.properties.keys().map(String::as_str).collect();
            json
        }
        RefOr::T(Schema::AllOf(AllOf { items, .. })) => {
            let mut json = json!(schema);
            json["allOf"] = items.iter().map(ordered).collect();
            json
        }
        other => json!(other),
    }
}

/// A property of an object: its name and its schema.
pub(crate) type Property<'s> = (&'s str, &'s Value);

/// Properties of an object in their order. An `allOf` schema has the properties of all its parts.
pub(crate) fn properties_of<'s>(schema: &'s Value, schemas: &'s Schemas) -> Vec<Property<'s>> {
    let schema = resolved(schema, schemas);
    let mut found: Vec<Property<'s>> = Vec::new();
    for name in schema["x-order"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        found.extend(schema["properties"].get(name).map(|property| (name, property)));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(properties_of(part, schemas));
    }
    found
}

/// The schema that a reference means. Of a value that may be null, the schema of other values.
pub(crate) fn resolved<'s>(schema: &'s Value, schemas: &'s Schemas) -> &'s Value {
    if let Some(parts) = schema["oneOf"].as_array()
        && let Some(other) = parts.iter().find(|part| part["type"] != "null")
    {
        return resolved(other, schemas);
    }
    match schema["$ref"].as_str().and_then(|reference| schemas.get(reference.trim_start_matches(REFERENCE))) {
        Some(named) => resolved(named, schemas),
        None => schema,
    }
}

/// Schema of an object with these properties. The macro [`answer!`] calls it.
pub(crate) fn object_schema(
    name: &str,
    text: &str,
    schemas: &mut Schemas,
    properties: fn(&mut ObjectSchema<'_>),
) -> Value {
    if !schemas.contains_key(name) {
        // A type may contain itself.
        schemas.insert(name.to_owned(), Value::Null);
        let mut object =
            ObjectSchema { schemas, order: Vec::new(), properties: Map::new(), parts: Vec::new() };
        properties(&mut object);
        let ObjectSchema { order, properties, parts, .. } = object;
        let is_required =
            |name: &&&str| properties.get(**name).is_some_and(|property| property["x-absent"] != true);
        let required: Vec<&str> = order.iter().filter(is_required).copied().collect();
        let own = json!({
            "type": "object", "description": crate::act::input::one_paragraph(text),
            "properties": properties, "required": required, "x-order": order,
        });
        let schema = match parts.is_empty() {
            true => own,
            false => json!({ "allOf": parts.into_iter().chain([own]).collect::<Vec<_>>() }),
        };
        schemas.insert(name.to_owned(), schema);
    }
    json!({ "$ref": format!("{REFERENCE}{name}") })
}

/// The properties of an object while its schema is made.
pub(crate) struct ObjectSchema<'s> {
    schemas: &'s mut Schemas,
    order: Vec<&'static str>,
    properties: Map<String, Value>,
    parts: Vec<Value>,
}

impl ObjectSchema<'_> {
    pub(crate) fn property<T: Shown>(&mut self, name: &'static str, text: &str, facts: &[(&str, Value)]) {
        let mut schema = T::schema(self.schemas);
        if schema.get("$ref").is_some() {
            schema = json!({ "allOf": [schema] });
        }
        schema["description"] = crate::act::input::one_paragraph(text).into();
        for (fact, value) in facts {
            schema[*fact] = value.clone();
        }
        self.order.push(name);
        self.properties.insert(name.to_owned(), schema);
    }

    /// Adds the properties of another object.
    pub(crate) fn part<T: Shown>(&mut self) {
        let part = T::schema(self.schemas);
        self.parts.push(part);
    }
}

/// Declares an answer, or an object inside an answer. The comments are the descriptions for people. `shown(…)`
/// says how printers show a field: its `label`, the `columns` of a list, whether it is `hidden`, and whether it is
/// printed `alone`. `absent` says that an answer may lack it. `with { … }` puts the fields of other
/// objects before those of this one.
macro_rules! answer {
    (
        $(#[doc = $text:literal])+
        struct $name:ident {
            $(
                $(#[doc = $about:literal])+
                $(#[shown($($fact:ident = $value:expr),+ $(,)?)])?
                $field:ident : $ty:ty
            ),* $(,)?
        }
        $(with { $($part:ident : $of:ty),+ $(,)? })?
    ) => {
        $(#[doc = $text])+
        pub(crate) struct $name {
            $($($part: $of,)+)?
            $($(#[doc = $about])+ $field: $ty,)*
        }

        impl $crate::act::shown::Shown for $name {
            fn schema(schemas: &mut $crate::act::shown::Schemas) -> serde_json::Value {
                $crate::act::shown::object_schema(stringify!($name), concat!($($text),+), schemas, |_object| {
                    $($(_object.part::<$of>();)+)?
                    $(_object.property::<$ty>(
                        stringify!($field),
                        concat!($($about),+),
                        &[$($((concat!("x-", stringify!($fact)), serde_json::json!($value))),+)?],
                    );)*
                })
            }

            fn json(&self) -> serde_json::Value {
                #[allow(unused_mut, reason = "an answer may have no field")]
                let mut fields = serde_json::Map::new();
                $($($crate::act::shown::add_part(&mut fields, &self.$part);)+)?
                $(fields.insert(stringify!($field).to_owned(), $crate::act::shown::Shown::json(&self.$field));)*
                fields.into()
            }
        }
    };
}
pub(crate) use answer;

/// Adds the fields of another object.
pub(crate) fn add_part(fields: &mut Map<String, Value>, part: &impl Shown) {
    if let Value::Object(others) = part.json() {
        fields.extend(others);
    }
}
