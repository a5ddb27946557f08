//! Shapes: what a field of a body may hold, how it is read, and how the OpenAPI document describes it.

use std::marker::PhantomData;

use domain::date::{BirthDate, CalendarDate, Date};
use domain::id::{Id, Kind};
use domain::text::FromText;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use crate::number::{is_infinite, marked};
use crate::reader::{At, Fields};

/// What a field may hold. One description serves the reader and the document.
pub(crate) trait Shape {
    /// What it becomes.
    type Value;

    /// Reads what came; notes the faults.
    fn read(&self, came: &Value, at: &mut At<'_>) -> Option<Self::Value>;

    /// What is wanted, as the object of a sentence.
    fn wanted(&self) -> String;

    /// Its JSON Schema.
    fn schema(&self) -> Value;
}

/// What kind of thing came, as the subject of a sentence. Never the thing itself (D11).
pub(crate) fn came(value: &Value) -> &'static str {
    match value {
        Value::Null => "Nothing (null)",
        Value::Bool(_) => "True or false",
        Value::Number(_) => "A number",
        Value::String(text) if text.trim().is_empty() => "Blank text",
        Value::String(_) => "Text",
        Value::Array(_) => "A list",
        Value::Object(object) => marked(object).unwrap_or("An object"),
    }
}

/// Whether a value counts as none: `null` or blank text (D12, D13).
pub(crate) fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Text that reads as a `T`, trimmed first (D12).
pub(crate) fn text<T: FromText>() -> impl Shape<Value = T> {
    judged(Ok::<T, &'static str>)
}

/// Text that reads as a `T` and is judged further.
pub(crate) fn judged<T: FromText, U, J: Fn(T) -> Result<U, &'static str>>(judge: J) -> Text<T, J> {
    Text { judge, wanted: T::WANTED, of: PhantomData }
}

/// A day of birth before today (D21, D25).
pub(crate) fn birth_date(today: Date) -> impl Shape<Value = BirthDate> {
    let before = move |date: CalendarDate| BirthDate::before(date.0, today);
    Text { wanted: "a real calendar date before today, written DD/MM/YYYY,", ..judged(before) }
}

/// See [`text`] and [`judged`].
pub(crate) struct Text<T, Judge> {
    judge: Judge,
    wanted: &'static str,
    of: PhantomData<fn() -> T>,
}

impl<T: FromText, U, Judge: Fn(T) -> Result<U, &'static str>> Shape for Text<T, Judge> {
    type Value = U;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<U> {
        let Value::String(text) = value else {
            at.fault(came(value), self.wanted);
            return None;
        };
        match text.trim() {
            "" => at.fault("Blank text", self.wanted),
            text => match T::from_text(text).and_then(|value| (self.judge)(value)) {
                Ok(value) => return Some(value),
                Err(other) => at.fault(other, self.wanted),
            },
        }
        None
    }

    fn wanted(&self) -> String {
        self.wanted.to_owned()
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "string", "description": sentence(self.wanted) });
        if let Some(pattern) = T::PATTERN {
            schema["pattern"] = pattern.into();
        }
        if !T::WORDS.is_empty() {
            schema["enum"] = T::WORDS.into();
        }
        schema
    }
}

/// Any text, trimmed, however long; it may be blank when it stands in a list.
pub(crate) struct PlainText {
    /// Longest, in characters.
    pub(crate) longest: usize,
}

impl Shape for PlainText {
    type Value = String;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<String> {
        match value {
            Value::String(text) if text.trim().chars().count() <= self.longest => {
                return Some(text.trim().to_owned());
            }
            Value::String(_) => at.fault("longer text", &self.wanted()),
            _ => at.fault(came(value), &self.wanted()),
        }
        None
    }

    fn wanted(&self) -> String {
        format!("text of at most {} characters", self.longest)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "maxLength": self.longest })
    }
}

/// A whole number above zero, also written with a zero fraction: `24.0` (D21). What `u32` cannot hold becomes the
/// largest that it can: beyond every limit is beyond every limit.
pub(crate) struct Whole {
    /// What it counts, as the object of a sentence: "a whole number of months above zero".
    pub(crate) wanted: &'static str,
}

impl Shape for Whole {
    type Value = u32;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<u32> {
        let Value::Number(number) = value else {
            at.fault(came(value), self.wanted);
            return None;
        };
        let float = number.as_f64().unwrap_or(f64::MAX);
        if float.fract() != 0.0 {
            at.fault("a number that is not whole", self.wanted);
        } else if float < 1.0 {
            at.fault("a number that is not above zero", self.wanted);
        } else {
            // Exact up to 2^53, and above that the same for all: the cast stops at the largest.
            return Some(float as u32);
        }
        None
    }

    fn wanted(&self) -> String {
        self.wanted.to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "multipleOf": 1, "minimum": 1, "description": sentence(self.wanted) })
    }
}

/// A number as the shortest decimal that reads as it.
pub(crate) struct Exact {
    pub(crate) wanted: &'static str,
}

impl Shape for Exact {
    type Value = Decimal;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Decimal> {
        let Value::Number(number) = value else {
            at.fault(came(value), self.wanted);
            return None;
        };
        let digits = number.to_string();
        let decimal = digits.parse().or_else(|_| Decimal::from_scientific(&digits)).ok();
        if decimal.is_none() {
            at.fault("a number outside the range", self.wanted);
        }
        decimal
    }

    fn wanted(&self) -> String {
        self.wanted.to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "description": sentence(self.wanted) })
    }
}

/// A shape with a sentence of its own in the document.
pub(crate) struct Said<S> {
    pub(crate) of: S,
    pub(crate) what: &'static str,
}

impl<S: Shape> Shape for Said<S> {
    type Value = S::Value;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<S::Value> {
        self.of.read(value, at)
    }

    fn wanted(&self) -> String {
        self.of.wanted()
    }

    fn schema(&self) -> Value {
        let mut schema = self.of.schema();
        schema["description"] = self.what.into();
        schema
    }
}

/// A list of things of one shape.
pub(crate) fn list<S: Shape>(of: S, least: usize, most: usize) -> List<S> {
    List { of, least, most }
}

/// See [`list`].
pub(crate) struct List<S> {
    of: S,
    least: usize,
    most: usize,
}

impl<S: Shape> Shape for List<S> {
    type Value = Vec<S::Value>;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Self::Value> {
        let Value::Array(items) = value else {
            at.fault(came(value), &self.wanted());
            return None;
        };
        if items.len() < self.least || items.len() > self.most {
            let came = if items.is_empty() {
                "an empty list"
            } else if items.len() < self.least {
                "a shorter list"
            } else {
                "a longer list"
            };
            at.fault(came, &self.wanted());
            return None;
        }
        // Every item is read, whether or not one before it had a fault.
        let read: Vec<_> =
            items.iter().enumerate().map(|(index, item)| self.of.read(item, &mut at.index(index))).collect();
        read.into_iter().collect()
    }

    fn wanted(&self) -> String {
        match self.least {
            0 if self.most == 1 => "a list of at most one".to_owned(),
            0 => format!("a list of at most {}", self.most),
            least => format!("a list of {least} to {}", self.most),
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "items": self.of.schema(), "minItems": self.least, "maxItems": self.most })
    }
}

/// An object whose fields `read` takes one by one.
pub(crate) fn object<T, F: Fn(&mut Fields<'_>) -> Option<T>>(read: F) -> Object<F> {
    Object { read }
}

/// See [`object`].
pub(crate) struct Object<F> {
    read: F,
}

impl<T, F: Fn(&mut Fields<'_>) -> Option<T>> Shape for Object<F> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<T> {
        let Value::Object(object) = value else {
            at.fault(came(value), "an object");
            return None;
        };
        if is_infinite(object) {
            at.fault(came(value), "an object");
            return None;
        }
        (self.read)(&mut at.fields(object))
    }

    fn wanted(&self) -> String {
        "an object".to_owned()
    }

    fn schema(&self) -> Value {
        describe(&self.read)
    }
}

/// The JSON Schema of what `read` takes, found by letting it read nothing.
pub(crate) fn describe<T>(read: impl Fn(&mut Fields<'_>) -> Option<T>) -> Value {
    let mut fields = Fields::describing();
    let _ = read(&mut fields);
    let (properties, required, closed) = fields.described();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    if closed {
        schema.insert("additionalProperties".into(), false.into());
    }
    schema.into()
}

/// "a date" as a sentence: "A date."
pub(crate) fn sentence(wanted: &str) -> String {
    format!("{}.", capitalised(wanted.trim_end_matches(',')))
}

/// "text" and "a date" as a sentence: "Text was found; a date is wanted."
pub(crate) fn found(came: &str, wanted: &str) -> String {
    format!("{} was found; {wanted} is wanted.", capitalised(came))
}

/// A text with its first letter large.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The id of one kind of thing.
pub(crate) struct IdText<K> {
    wanted: &'static str,
    of: PhantomData<fn() -> K>,
}

impl<K> IdText<K> {
    /// An id, wanted in these words.
    pub(crate) fn of(wanted: &'static str) -> Self {
        IdText { wanted, of: PhantomData }
    }
}

impl<K: Kind> Shape for IdText<K> {
    type Value = Id<K>;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Id<K>> {
        let Value::String(text) = value else {
            at.fault(came(value), self.wanted);
            return None;
        };
        match text.trim() {
            "" => at.fault("Blank text", self.wanted),
            text => match text.parse() {
                Ok(id) => return Some(id),
                Err(_) => at.fault("text that is no such id", self.wanted),
            },
        }
        None
    }

    fn wanted(&self) -> String {
        self.wanted.to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "description": sentence(self.wanted), "pattern": format!(r"^\s*{}_[0-9a-z]{{26}}\s*$", K::TYPE) })
    }
}
