//! Prints an answer for people, by the schema of the answer.
//!
//! The printer knows no action. A field that the schema does not have, such as one of a newer server, is printed as
//! it is.

use domain::date::{Timestamp, kolkata_time};
use domain::money::{PlainAmount, Rupees};
use domain::text::FromText;
use serde_json::{Map, Value};

use crate::act::shown::{Property, Schemas, properties_of, resolved};

/// Fields of an answer that are no data.
const ASIDE: &[&str] = &["notes", "refused", "server", "pending_approvals", "page"];

/// Most columns of a table whose columns the schema does not name.
const MOST_COLUMNS: usize = 8;

/// An answer for people.
#[derive(Debug, Default)]
pub struct Printed {
    /// The data, for stdout.
    pub data: Vec<String>,
    /// What happened, for stderr.
    pub notes: Vec<String>,
    /// Why parts of the action were refused, if its other parts were done.
    pub refused: Vec<String>,
}

/// Prints an answer by its schema.
pub fn print(answer: &Value, schema: &Value, schemas: &Schemas) -> Printed {
    let texts = |name: &str| -> Vec<String> {
        let all = answer[name].as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut data = Vec::new();
    if let Some(fields) = answer.as_object() {
        let fields: Map<String, Value> = fields
            .iter()
            .filter(|(name, _)| !ASIDE.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let shown = shown_fields(&fields, schema, schemas);
        let alone = shown.iter().find(|(_, property, _)| property["x-alone"] == true);
        match &shown[..] {
            _ if alone.is_some() => {
                data.extend(alone.map(|(_, property, value)| cell(value, property, schemas)));
            }
            // A list alone needs no heading.
            [(_, property, Value::Array(items))] if is_table(items, property, schemas) => {
                data.extend(rows(items, property, schemas));
            }
            _ => data.extend(block(&shown, schemas, 0)),
        }
    }
    for waiting in answer["pending_approvals"].as_array().into_iter().flatten() {
        let text = |name: &str| waiting[name].as_str().unwrap_or_default();
        data.push(format!("waits for approval: {} ({})", text("what"), text("approval_id")));
    }
    Printed { data, notes: texts("notes"), refused: texts("refused") }
}

/// Fields to print, each with its schema, in the schema's order. Fields that the schema does not have come last.
fn shown_fields<'v>(
    fields: &'v Map<String, Value>,
    schema: &'v Value,
    schemas: &'v Schemas,
) -> Vec<(&'v str, &'v Value, &'v Value)> {
    let known: Vec<Property<'_>> = properties_of(schema, schemas);
    let mut shown: Vec<(&str, &Value, &Value)> = known
        .iter()
        .filter(|(_, property)| property["x-hidden"] != true)
        .filter_map(|(name, property)| Some((*name, *property, fields.get(*name)?)))
        .collect();
    let mut unknown: Vec<(&String, &Value)> =
        fields.iter().filter(|(name, _)| known.iter().all(|(known, _)| known != name)).collect();
    // A schema without properties may say in which order people read the names, at every depth.
    let open = resolved(only_part(schema), schemas);
    let names = open["x-names"].as_array().map_or(&[][..], Vec::as_slice);
    unknown.sort_by_key(|(name, _)| names.iter().position(|known| known == *name).unwrap_or(usize::MAX));
    let inner = if names.is_empty() { &Value::Null } else { open };
    shown.extend(unknown.into_iter().map(|(name, value)| (name.as_str(), inner, value)));
    shown
}

/// The only part of an `allOf` schema, which has a description beside it. Else the schema itself.
fn only_part(schema: &Value) -> &Value {
    match schema["allOf"].as_array().map(Vec::as_slice) {
        Some([part]) => part,
        _ => schema,
    }
}

fn label(name: &str, property: &Value) -> String {
    match property["x-label"].as_str() {
        Some(label) => label.to_owned(),
        None => name.strip_prefix("is_").unwrap_or(name).replace('_', " "),
    }
}

/// Whether a list is printed as a table: a list of objects, or an empty list of which the schema says so.
fn is_table(items: &[Value], property: &Value, schemas: &Schemas) -> bool {
    match items.first() {
        Some(item) => item.is_object(),
        None => !properties_of(item_of(property, schemas), schemas).is_empty(),
    }
}

/// Schema of the items of a list.
fn item_of<'s>(property: &'s Value, schemas: &'s Schemas) -> &'s Value {
    let list = resolved(only_part(property), schemas);
    if list["x-names"].is_array() { list } else { &list["items"] }
}

/// One line for each value. Objects and lists of objects have their own lines below their names.
fn block(fields: &[(&str, &Value, &Value)], schemas: &Schemas, indent: usize) -> Vec<String> {
    let pad = " ".repeat(indent);
    let is_line = |value: &Value| match value {
        Value::Object(_) => false,
        Value::Array(items) => !items.first().is_some_and(Value::is_object),
        _ => true,
    };
    let lines = || fields.iter().filter(|(_, _, value)| is_line(value) && !is_empty(value));
    let width = lines().map(|(name, property, _)| label(name, property).chars().count()).max().unwrap_or(0);
    let mut data: Vec<String> = lines()
        .map(|(name, property, value)| {
            let label = label(name, property);
            format!(
                "{pad}{label:<width$}  {}",
                cell(value, property, schemas).replace('\n', &format!("\n{pad}"))
            )
        })
        .collect();
    for (name, property, value) in fields.iter().filter(|(_, _, value)| !is_line(value) && !is_empty(value)) {
        data.push(format!("{pad}{}", label(name, property)));
        match value {
            Value::Object(inner) => {
                let inner = shown_fields(inner, property, schemas);
                data.extend(block(&inner, schemas, indent + 2));
            }
            Value::Array(items) if property["x-columns"].is_null() && items.iter().any(is_deep) => {
                data.pop();
                for (number, item) in (1..).zip(items) {
                    data.push(format!("{pad}{}, {number}", label(name, property)));
                    let empty = Map::new();
                    let fields = item.as_object().unwrap_or(&empty);
                    let inner = shown_fields(fields, item_of(property, schemas), schemas);
                    data.extend(block(&inner, schemas, indent + 2));
                }
            }
            Value::Array(items) => {
                data.extend(rows(items, property, schemas).into_iter().map(|line| format!("{pad}  {line}")));
            }
            _ => {}
        }
    }
    data
}

/// Whether nothing is printed of a value. An empty list is `none`.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// A list of objects as a table. `x-columns` of the schema names the columns; without it, every simple field that
/// an item has is one.
fn rows(items: &[Value], property: &Value, schemas: &Schemas) -> Vec<String> {
    let item = item_of(property, schemas);
    let known = properties_of(item, schemas);
    let columns: Vec<String> = match property["x-columns"].as_array() {
        Some(columns) => columns.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => {
            let mut names: Vec<&str> = Vec::new();
            for fields in items.iter().filter_map(Value::as_object) {
                for (name, ..) in shown_fields(fields, item, schemas) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
            if items.is_empty() {
                names.extend(known.iter().map(|(name, _)| *name));
            }
            names.into_iter().map(str::to_owned).collect()
        }
    };
    let head: Vec<String> = columns
        .iter()
        .map(|path| {
            let (name, property) = property_at(path, item, schemas);
            label(name, property)
        })
        .collect();
    let row = |of: &Value| {
        let cell_of = |path: &String| match path.split('.').fold(of, |value, name| &value[name]) {
            Value::Bool(false) => String::new(),
            Value::Array(items) if items.is_empty() => String::new(),
            value => cell(value, property_at(path, item, schemas).1, schemas),
        };
        columns.iter().map(cell_of).collect::<Vec<_>>()
    };
    table(&head.iter().map(String::as_str).collect::<Vec<_>>(), items.iter().map(row))
}

/// Name and schema of the property at a path of names with dots.
fn property_at<'s>(path: &'s str, within: &'s Value, schemas: &'s Schemas) -> Property<'s> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let found = properties_of(within, schemas).into_iter().find(|(known, _)| *known == name);
    let (name, property) = found.unwrap_or((name, &Value::Null));
    match rest {
        Some(rest) => property_at(rest, property, schemas),
        None => (name, property),
    }
}

/// Whether an object has objects inside, or too many fields for a row of a table.
fn is_deep(item: &Value) -> bool {
    let fields = item.as_object().into_iter().flat_map(Map::values);
    fields.clone().count() > MOST_COLUMNS
        || fields.into_iter().any(|value| value.is_object() || is_list_of_objects(value))
}

fn is_list_of_objects(value: &Value) -> bool {
    value.as_array().and_then(|items| items.first()).is_some_and(Value::is_object)
}

/// Formats a table as lines of text.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    table.add_rows(rows);
    // Each cell has a blank on both sides. A first cell without text still takes its width.
    let plain = |line: &str| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned();
    table.to_string().lines().map(plain).collect()
}

/// A value as text, by the kind of its schema.
pub(crate) fn cell(value: &Value, property: &Value, schemas: &Schemas) -> String {
    let schema = resolved(only_part(property), schemas);
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text_of(text, schema),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => {
            let items = items.iter().map(|item| cell(item, &schema["items"], schemas));
            items.collect::<Vec<_>>().join(", ")
        }
        Value::Object(_) => value.to_string(),
    }
}

fn text_of(text: &str, schema: &Value) -> String {
    if schema["format"] == "date-time" {
        return text.parse().map_or_else(|_| text.to_owned(), minute);
    }
    let is_amount = schema["pattern"].as_str().is_some_and(|pattern| pattern.ends_with(r"[0-9]+\.[0-9]{2}$"));
    let amount = |text: &str| PlainAmount::from_text(text).ok().map(|PlainAmount(amount)| amount);
    match (is_amount, text.strip_prefix('-')) {
        (true, Some(negative)) => amount(negative)
            .map_or_else(|| text.to_owned(), |amount| (Rupees::ZERO - amount).grouped_with_paise()),
        (true, None) => amount(text).map_or_else(|| text.to_owned(), Rupees::grouped_with_paise),
        (false, _) => text.to_owned(),
    }
}

/// Formats an instant to the minute in Asia/Kolkata, with its offset.
pub(crate) fn minute(at: Timestamp) -> String {
    format!("{} +05:30", kolkata_time(at).strftime("%Y-%m-%d %H:%M"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::act::shown::{Shown, answer};

    answer! {
        /// A list
        struct Sample {
            /// Items
            #[shown(columns = ["name", "inner.at", "is_late"])]
            items: Vec<Item>,
            /// Total
            #[shown(label = "in all")]
            total: Option<Rupees>,
        }
    }

    answer! {
        /// An item
        struct Item {
            /// Name
            name: String,
            /// Whether it is late
            is_late: bool,
            /// Inside
            inner: Inner,
        }
    }

    answer! {
        /// Inside
        struct Inner {
            /// When
            at: Timestamp,
        }
    }

    fn printed(answer: &Value) -> Printed {
        let mut schemas = Schemas::new();
        let schema = Sample::schema(&mut schemas);
        print(answer, &schema, &schemas)
    }

    #[test]
    fn known_fields_are_printed_by_their_type_and_unknown_fields_unchanged() {
        let at = "2026-11-28T18:30:00Z".parse().expect("an instant");
        let item = Item { name: "first".to_owned(), is_late: true, inner: Inner { at } };
        let mut json = Sample { items: vec![item], total: Some(Rupees::ZERO) }.json();
        json["newer"] = json!("as it is");
        json["notes"] = json!(["done"]);
        let Printed { data, notes, .. } = printed(&json);
        assert_eq!(
            data,
            [
                "in all  ₹0.00",
                "newer   as it is",
                "items",
                "  name   at                       late",
                "  first  2026-11-29 00:00 +05:30  yes",
            ]
        );
        assert_eq!(notes, ["done"]);
    }

    #[test]
    fn an_empty_list_that_is_the_whole_answer_is_printed_as_column_headings_only() {
        let data = printed(&json!({ "items": [] })).data;
        assert_eq!(data, ["name  at  late"]);
    }
}
