//! Prints an answer for people, by the schema of the answer.
//!
//! The printer knows no action. A field that the schema does not have, such as one of a newer server, is printed as
//! it is.

use domain::date::{Date, Timestamp, day_of, kolkata_time};
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

/// A part of an answer. Every printer prints the same parts.
#[derive(Debug)]
pub(crate) enum Part {
    /// A text without a label.
    Text(String),
    Value {
        label: String,
        text: String,
    },
    Table {
        /// `None` for a list that is the whole answer.
        label: Option<String>,
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    /// Values of an object.
    Block {
        label: String,
        parts: Vec<Part>,
    },
}

/// Prints an answer by its schema, for a terminal.
pub fn print(answer: &Value, schema: &Value, schemas: &Schemas) -> Printed {
    let texts = |name: &str| -> Vec<String> {
        let all = answer[name].as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    Printed {
        data: lines(&parts(answer, schema, schemas), 0),
        notes: texts("notes"),
        refused: texts("refused"),
    }
}

/// The parts of an answer, by its schema.
pub(crate) fn parts(answer: &Value, schema: &Value, schemas: &Schemas) -> Vec<Part> {
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
                data.extend(alone.map(|(_, property, value)| Part::Text(cell(value, property, schemas))));
            }
            // A list alone needs no heading.
            [(_, property, Value::Array(items))] if is_table(items, property, schemas) => {
                data.push(rows(None, items, property, schemas));
            }
            _ => data.extend(block(&shown, schemas)),
        }
    }
    for waiting in answer["pending_approvals"].as_array().into_iter().flatten() {
        let text = |name: &str| waiting[name].as_str().unwrap_or_default();
        data.push(Part::Text(format!("waits for approval: {} ({})", text("what"), text("approval_id"))));
    }
    data
}

/// Lines of parts: values in a column, objects and tables below their labels.
fn lines(parts: &[Part], indent: usize) -> Vec<String> {
    let pad = " ".repeat(indent);
    let labels =
        parts.iter().filter_map(|part| if let Part::Value { label, .. } = part { Some(label) } else { None });
    let width = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    let mut lines_of_parts = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => lines_of_parts.push(text.clone()),
            Part::Value { label, text } => {
                let text = text.replace('\n', &format!("\n{pad}"));
                lines_of_parts.push(format!("{pad}{label:<width$}  {text}"));
            }
            Part::Table { label, head, rows } => {
                let head: Vec<&str> = head.iter().map(String::as_str).collect();
                let lines = table(&head, rows.iter().cloned());
                match label {
                    None => lines_of_parts.extend(lines),
                    Some(label) => {
                        lines_of_parts.push(format!("{pad}{label}"));
                        lines_of_parts.extend(lines.into_iter().map(|line| format!("{pad}  {line}")));
                    }
                }
            }
            Part::Block { label, parts } => {
                lines_of_parts.push(format!("{pad}{label}"));
                lines_of_parts.extend(lines(parts, indent + 2));
            }
        }
    }
    lines_of_parts
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

/// Values first, then objects and lists of objects.
fn block(fields: &[(&str, &Value, &Value)], schemas: &Schemas) -> Vec<Part> {
    let is_line = |value: &Value| match value {
        Value::Object(_) => false,
        Value::Array(items) => !items.first().is_some_and(Value::is_object),
        _ => true,
    };
    let shown = || fields.iter().filter(|(_, _, value)| !is_empty(value));
    let value = |(name, property, value): &(&str, &Value, &Value)| Part::Value {
        label: label(name, property),
        text: cell(value, property, schemas),
    };
    let mut parts: Vec<Part> = shown().filter(|(_, _, value)| is_line(value)).map(value).collect();
    for (name, property, value) in shown().filter(|(_, _, value)| !is_line(value)) {
        let label = label(name, property);
        match value {
            Value::Object(inner) => {
                let inner = shown_fields(inner, property, schemas);
                parts.push(Part::Block { label, parts: block(&inner, schemas) });
            }
            Value::Array(items) if property["x-columns"].is_null() && items.iter().any(is_deep) => {
                for (number, item) in (1..).zip(items) {
                    let empty = Map::new();
                    let fields = item.as_object().unwrap_or(&empty);
                    let inner = shown_fields(fields, item_of(property, schemas), schemas);
                    let label = format!("{label}, {number}");
                    parts.push(Part::Block { label, parts: block(&inner, schemas) });
                }
            }
            Value::Array(items) => parts.push(rows(Some(label), items, property, schemas)),
            _ => {}
        }
    }
    parts
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
fn rows(label: Option<String>, items: &[Value], property: &Value, schemas: &Schemas) -> Part {
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
            self::label(name, property)
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
    Part::Table { label, head, rows: items.iter().map(row).collect() }
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
    if is_amount { amount_in_words(text) } else { text.to_owned() }
}

/// An amount of an answer, with commas and the sign of the rupee.
pub(crate) fn amount_in_words(text: &str) -> String {
    let amount = |text: &str| PlainAmount::from_text(text).ok().map(|PlainAmount(amount)| amount);
    match text.strip_prefix('-') {
        Some(negative) => amount(negative)
            .map_or_else(|| text.to_owned(), |amount| (Rupees::ZERO - amount).grouped_with_paise()),
        None => amount(text).map_or_else(|| text.to_owned(), Rupees::grouped_with_paise),
    }
}

/// A day of an answer, or the day of an instant in Asia/Kolkata, such as 29 Nov 2026.
pub(crate) fn day_in_words(text: &str) -> String {
    let day = text.parse::<Date>().ok().or_else(|| text.parse().ok().map(day_of));
    day.map_or_else(|| text.to_owned(), |day| day.strftime("%-d %b %Y").to_string())
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
