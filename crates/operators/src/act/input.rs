//! Fields of an operator's request: their description, their reader and their checks.
//!
//! [`input!`] declares the fields of an action once. The command line, the OpenAPI document and the reader of
//! queries and bodies all use this declaration.

use std::marker::PhantomData;

use domain::text::is_blank;
use serde_json::{Map, Value, json};
use service::Error;
use web::error::Problem;
use web::reading::{FieldLocation, Fields, Shape, read_object};

/// A field of an operator's request.
#[derive(Debug, Clone, Default)]
pub struct Field {
    pub name: &'static str,
    /// Description for people. [`Field::text`] is without line breaks.
    pub about: &'static str,
    /// JSON Schema of the value.
    pub schema: Value,
    /// Whether the request must have the field.
    pub is_required: bool,
    /// Value of a field that the request does not have.
    pub default: Option<Value>,
    /// Smallest and largest value of a number.
    pub range: Option<(i64, i64)>,
    /// Fields that the request must also have if it has this one.
    pub requires: &'static [&'static str],
    /// Group of fields of which the request must have exactly one.
    pub one_of: Option<&'static str>,
    /// Name of the flag, if it is not the name of the field.
    pub long: Option<&'static str>,
    /// Name of the value in the help of a command.
    pub value: Option<&'static str>,
    /// Whether a command takes the value without a flag. The fields of the path are positional, too.
    pub is_positional: bool,
    /// Whether a command takes the path of a file, and sends its text.
    pub is_text_of_file: bool,
    /// Whether this switch makes the action show what it would do, and change nothing.
    pub is_preview: bool,
}

impl Field {
    /// Description without line breaks.
    pub fn text(&self) -> String {
        one_paragraph(self.about)
    }

    /// JSON type of the value, or of the items of a list.
    pub fn item_type(&self) -> &str {
        let of = if self.is_list() { &self.schema["items"]["type"] } else { &self.schema["type"] };
        of.as_str().unwrap_or("string")
    }

    pub fn is_list(&self) -> bool {
        self.schema["type"] == "array"
    }

    /// Whether a value may be about a person: every text that is no word, day, amount or name of a record.
    pub(crate) fn is_personal(&self) -> bool {
        let schema = if self.is_list() { &self.schema["items"] } else { &self.schema };
        let is_open = schema["type"] != "string"
            || ["enum", "format", "x-record"].iter().any(|fact| schema.get(*fact).is_some())
            || schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("[0-9]"));
        !is_open
    }

    /// Whether the value is the content of a file.
    pub(crate) fn is_file(&self) -> bool {
        self.is_text_of_file || self.schema["contentEncoding"] == "base64"
    }

    /// Words that are allowed, if only words of a list are.
    pub fn words(&self) -> Vec<&str> {
        let schema = if self.is_list() { &self.schema["items"] } else { &self.schema };
        schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The JSON value of a text from a query, a path or a command line. A text that is no such value stays text,
    /// so that the reader refuses it.
    pub fn value_of(&self, text: &str) -> Value {
        let value = match self.item_type() {
            "integer" => text.trim().parse::<i64>().ok().map(Value::from),
            "boolean" => text.trim().parse::<bool>().ok().map(Value::from),
            _ => None,
        };
        value.unwrap_or_else(|| text.into())
    }
}

/// Joins the lines of a comment.
pub fn one_paragraph(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Type of a field's value.
pub(crate) trait FieldValue: Sized {
    /// Name of the value in the help of a command.
    const VALUE: Option<&'static str> = None;

    /// JSON Schema of the values.
    fn schema() -> Value;

    /// Description of valid values for messages, such as "a date".
    fn wanted() -> String;

    /// Parses a value. Records a fault and returns `None` if the value is invalid.
    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self>;

    /// Value of an absent field. `None` if the field is required.
    fn absent() -> Option<Self> {
        None
    }
}

/// Shape of a field with values of type `T`.
pub(crate) struct Of<T>(PhantomData<fn() -> T>);

impl<T: FieldValue> Shape for Of<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<T> {
        T::read(value, at)
    }

    fn wanted(&self) -> String {
        T::wanted()
    }

    fn schema(&self) -> Value {
        T::schema()
    }
}

/// Makes types that are parsed from text usable as fields.
macro_rules! texts {
    ($($text:ty),+ $(,)?) => {$(
        impl $crate::act::input::FieldValue for $text {
            fn schema() -> serde_json::Value {
                web::reading::Shape::schema(&web::reading::text::<$text>())
            }

            fn wanted() -> String {
                <$text as domain::text::FromText>::WANTED.to_owned()
            }

            fn read(
                value: &serde_json::Value,
                at: &mut web::reading::FieldLocation<'_>,
            ) -> Option<Self> {
                web::reading::Shape::read(&web::reading::text::<$text>(), value, at)
            }
        }
    )+};
}
pub(crate) use texts;

/// Any text that is not blank.
impl FieldValue for String {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn wanted() -> String {
        "a text".to_owned()
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        match value {
            Value::String(text) if !is_blank(text) => Some(text.clone()),
            other => {
                at.mismatch(other, "a text");
                None
            }
        }
    }
}

/// A switch, which is off if the request does not have it.
impl FieldValue for bool {
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }

    fn wanted() -> String {
        "true or false".to_owned()
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        let read = value.as_bool();
        if read.is_none() {
            at.mismatch(value, "true or false");
        }
        read
    }

    fn absent() -> Option<Self> {
        Some(false)
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl FieldValue for $number {
            fn schema() -> Value {
                json!({ "type": "integer", "minimum": 0, "maximum": i64::try_from(<$number>::MAX).ok() })
            }

            fn wanted() -> String {
                "a whole number".to_owned()
            }

            fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
                let read = value.as_u64().and_then(|number| <$number>::try_from(number).ok());
                if read.is_none() {
                    at.mismatch(value, &Self::wanted());
                }
                read
            }
        }
    )+};
}
numbers!(u8, u16, u32, usize);

impl<T: FieldValue> FieldValue for Option<T> {
    const VALUE: Option<&'static str> = T::VALUE;

    fn schema() -> Value {
        T::schema()
    }

    fn wanted() -> String {
        T::wanted()
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        T::read(value, at).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: FieldValue> FieldValue for Vec<T> {
    const VALUE: Option<&'static str> = T::VALUE;

    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }

    fn wanted() -> String {
        "a list".to_owned()
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        let Value::Array(items) = value else {
            at.mismatch(value, "a list");
            return None;
        };
        // Every item is read, so that every fault is told.
        let read: Vec<Option<T>> =
            items.iter().enumerate().map(|(index, item)| T::read(item, &mut at.index(index))).collect();
        read.into_iter().collect()
    }

    fn absent() -> Option<Self> {
        Some(Vec::new())
    }
}

/// Fields that [`input!`] declares: those of an action, or a group of fields that several actions have.
pub(crate) trait Input: Sized {
    /// Description for people.
    const TEXT: &'static str;

    /// Reads the fields. `None` if a field has a fault.
    fn read(from: &mut Given<'_, '_>) -> Option<Self>;
}

/// Declares the fields of an action or of a group. The comments are the descriptions for people. `flag(…)` sets
/// further facts of a [`Field`]. `with { … }` adds groups.
macro_rules! input {
    (
        $(#[doc = $text:literal])+
        struct $name:ident {
            $(
                $(#[doc = $about:literal])+
                $(#[flag($($fact:ident = $value:expr),+ $(,)?)])?
                $field:ident : $ty:ty $(= $default:expr)?
            ),* $(,)?
        }
        $(with { $($group:ident : $of:ty),+ $(,)? })?
    ) => {
        $(#[doc = $text])+
        pub(crate) struct $name {
            $($(#[doc = $about])+ $field: $ty,)*
            $($($group: $of,)+)?
        }

        impl $crate::act::input::Input for $name {
            const TEXT: &'static str = concat!($($text),+);

            #[allow(unused_variables, reason = "an action may have no field")]
            fn read(from: &mut $crate::act::input::Given<'_, '_>) -> Option<Self> {
                $(let $field = from.take::<$ty>($crate::act::input::Field {
                    name: stringify!($field),
                    about: concat!($($about),+),
                    $(default: Some(serde_json::Value::from($default)),)?
                    $($($fact: $crate::act::input::fact!($fact $value),)+)?
                    ..Default::default()
                });)*
                $($(let $group = <$of as $crate::act::input::Input>::read(from);)+)?
                Some($name { $($field: $field?,)* $($($group: $group?,)+)? })
            }
        }
    };
}
pub(crate) use input;

/// Value of a fact in `flag(…)`.
macro_rules! fact {
    (range $value:expr) => {
        Some($value)
    };
    (one_of $value:expr) => {
        Some($value)
    };
    (long $value:expr) => {
        Some($value)
    };
    (value $value:expr) => {
        Some($value)
    };
    ($fact:ident $value:expr) => {
        $value
    };
}
pub(crate) use fact;

/// The fields of a request while they are read. In describing mode there is no request: the fields are only
/// collected.
pub(crate) struct Given<'a, 'f> {
    fields: Option<&'a mut Fields<'f>>,
    known: Vec<Field>,
}

impl Given<'_, '_> {
    /// Reads a field.
    pub(crate) fn take<T: FieldValue>(&mut self, mut field: Field) -> Option<T> {
        // A request is read without the description.
        if self.fields.is_none() {
            field.schema = T::schema();
            field.value = field.value.or(T::VALUE);
            if let Some((least, most)) = field.range {
                field.schema["minimum"] = least.into();
                field.schema["maximum"] = most.into();
            }
        }
        let absent = T::absent();
        field.is_required =
            (absent.is_none() || field.is_required) && field.default.is_none() && field.one_of.is_none();
        let read = match &mut self.fields {
            None => None,
            Some(fields) if !fields.has(field.name) => match (&field.default, absent) {
                (Some(default), _) => {
                    let only = Map::from_iter([(field.name.to_owned(), default.clone())]);
                    read_object(&only, |fields| fields.required(field.name, Of::<T>(PhantomData))).0
                }
                (None, Some(absent)) if !field.is_required => Some(absent),
                _ => fields.required(field.name, Of::<T>(PhantomData)),
            },
            Some(fields) => fields.required(field.name, Of::<T>(PhantomData)),
        };
        self.known.push(field);
        read
    }

    /// Checks the rules about several fields, and that there is no other field.
    fn check(&mut self, object: &Map<String, Value>) {
        let Some(fields) = &mut self.fields else { return };
        // A switch that is off is as good as absent.
        let has = |fields: &Fields<'_>, name: &str| {
            fields.has(name) && object.get(name) != Some(&Value::Bool(false))
        };
        for field in &self.known {
            if !has(fields, field.name) {
                continue;
            }
            if let (Some((least, most)), Some(number)) = (field.range, object[field.name].as_i64())
                && !(least..=most).contains(&number)
            {
                let wanted = match most {
                    i64::MAX => format!("Must be at least {least}."),
                    most => format!("Must be {least} to {most}."),
                };
                fields.fault(field.name, wanted);
            }
            for other in field.requires {
                if !has(fields, other) {
                    fields.fault(other, format!("Required with {}.", field.name));
                }
            }
        }
        let mut groups: Vec<&str> = self.known.iter().filter_map(|field| field.one_of).collect();
        groups.dedup();
        for group in groups {
            let names: Vec<&str> = self
                .known
                .iter()
                .filter(|field| field.one_of == Some(group))
                .map(|field| field.name)
                .collect();
            if names.iter().filter(|name| has(fields, name)).count() != 1 {
                fields.fault(group, format!("Give exactly one of {}.", names.join(", ")));
            }
        }
        let names: Vec<&str> = self.known.iter().map(|field| field.name).collect();
        fields.nothing_but(&names);
    }
}

/// The fields that an input declares.
pub(crate) fn fields_of<I: Input>() -> Vec<Field> {
    let mut given = Given { fields: None, known: Vec::new() };
    let _ = I::read(&mut given);
    given.known
}

/// Reads all fields of a request.
///
/// # Errors
/// All faults of the fields.
pub(crate) fn read_input<I: Input>(object: &Map<String, Value>) -> Result<I, Problem> {
    let (read, faults) = read_object(object, |fields| {
        let mut given = Given { fields: Some(fields), known: Vec::new() };
        let read = I::read(&mut given);
        given.check(object);
        read
    });
    match read {
        Some(read) if faults.0.is_empty() => Ok(read),
        _ => Err(Problem::from(Error::Invalid(faults))),
    }
}
