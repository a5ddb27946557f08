//! The body reader: reads an object's fields one by one. It continues after a fault, so that one response has
//! all faults with their exact paths (D11 to D13).
//!
//! The same calls also describe the body for the OpenAPI document. In describing mode, [`Fields`] has no
//! object, and records each field that is requested.
//!
//! If rules need several fields, the body is read into a draft: a struct of all parts without faults. The
//! rules check the draft. The draft's `finish` returns the value if every part is present.

use std::fmt;

use serde_json::{Map, Value};
use service::{Fault, Faults};

use crate::wording::{mismatch, must_be, required};

/// Maximum number of faults in a response, so that a response cannot be larger than its request.
const MOST_FAULTS: usize = 1000;

/// Location of a value in the request body, such as `nominee[0].mobile`.
#[derive(Clone, Copy)]
enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Field(Path::Root, name) => to.write_str(name),
            Path::Field(parent, name) => write!(to, "{parent}.{name}"),
            Path::Index(parent, index) => write!(to, "{parent}[{index}]"),
        }
    }
}

/// Valid values of a field: how the reader parses them, and how the OpenAPI document describes them.
pub trait Shape {
    /// Type of the parsed value.
    type Value;

    /// Parses a value. Records a fault and returns `None` if the value is invalid.
    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Self::Value>;

    /// Description of valid values for error messages, such as "a date".
    fn wanted(&self) -> String;

    /// JSON Schema of valid values. If it has a `title`, the OpenAPI document shows it once, under that name.
    fn schema(&self) -> Value;
}

/// Whether a value counts as absent: `null` or blank text (D12, D13).
pub(crate) fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Location of a field in the body, with the list to which faults are added.
pub struct FieldLocation<'p> {
    path: Path<'p>,
    faults: &'p mut Faults,
}

impl FieldLocation<'_> {
    /// Records that the field has this value instead of `wanted`.
    pub fn mismatch(&mut self, value: &Value, wanted: &str) {
        self.fault(mismatch(value, wanted));
    }

    /// Records that the field has a value of the right kind, but not `wanted`.
    pub fn invalid(&mut self, wanted: &str) {
        self.fault(must_be(wanted));
    }

    /// Records that the field has no value.
    pub fn required(&mut self, wanted: &str) {
        self.fault(required(wanted));
    }

    /// Records a fault of this field, with this message.
    pub fn fault(&mut self, message: String) {
        if self.faults.0.len() < MOST_FAULTS {
            self.faults.0.push(Fault { field: self.path.to_string(), message });
        }
    }

    /// Location of the entry `name` in an object that can have any keys.
    pub(crate) fn field<'a>(&'a mut self, name: &'a str) -> FieldLocation<'a> {
        FieldLocation { path: Path::Field(&self.path, name), faults: self.faults }
    }

    /// Location of the item at `index` of a list.
    pub fn index(&mut self, index: usize) -> FieldLocation<'_> {
        FieldLocation { path: Path::Index(&self.path, index), faults: self.faults }
    }

    /// Fields of an object at this location.
    pub(crate) fn fields<'a>(&'a mut self, object: &'a Map<String, Value>) -> Fields<'a> {
        Fields { mode: Mode::Reading { object, path: self.path, faults: self.faults } }
    }
}

/// Fields of an object. In reading mode, they are parsed. In describing mode, they are recorded for the
/// OpenAPI document.
pub struct Fields<'a> {
    mode: Mode<'a>,
}

enum Mode<'a> {
    Reading { object: &'a Map<String, Value>, path: Path<'a>, faults: &'a mut Faults },
    Describing { properties: Map<String, Value>, required: Vec<String>, closed: bool },
}

/// Parses the JSON object in an operator's file. In a fault, `field` names the file, and `place` says where
/// the JSON is invalid.
pub(crate) fn json_object(
    json: &[u8],
    field: &str,
    place: impl FnOnce(&serde_json::Error) -> String,
) -> Result<Map<String, Value>, Faults> {
    let message = match serde_json::from_slice(json) {
        Ok(Value::Object(object)) => return Ok(object),
        Ok(value) => mismatch(&value, "a JSON object"),
        Err(fault) => format!("Must be a JSON object: the text is not JSON ({}).", place(&fault)),
    };
    Err(Faults::one(field, message))
}

/// Reads a whole object with `read`. Returns the result and all faults.
pub fn read_object<T>(object: &Map<String, Value>, read: impl FnOnce(&mut Fields<'_>) -> T) -> (T, Faults) {
    let mut faults = Faults::default();
    let value = read(&mut Fields { mode: Mode::Reading { object, path: Path::Root, faults: &mut faults } });
    (value, faults)
}

impl Fields<'_> {
    /// Reads a required field. Missing, `null` and blank text are faults (D12).
    pub fn required<S: Shape>(&mut self, name: &str, shape: S) -> Option<S::Value> {
        match &mut self.mode {
            Mode::Describing { properties, required, .. } => {
                properties.insert(name.to_owned(), shape.schema());
                required.push(name.to_owned());
                None
            }
            Mode::Reading { object, path, faults } => {
                let mut at = FieldLocation { path: Path::Field(path, name), faults };
                match object.get(name) {
                    None => {
                        at.required(&shape.wanted());
                        None
                    }
                    Some(value) => shape.read(value, &mut at),
                }
            }
        }
    }

    /// Reads an optional field. Missing, `null` and blank text count as absent (D13). Returns `None` for a
    /// fault, and `Some(None)` for an absent field.
    pub fn optional<S: Shape>(&mut self, name: &str, shape: S) -> Option<Option<S::Value>> {
        match &mut self.mode {
            Mode::Describing { properties, .. } => {
                properties.insert(name.to_owned(), or_null(shape.schema()));
                None
            }
            Mode::Reading { object, path, faults } => match object.get(name) {
                None => Some(None),
                Some(value) if is_absent(value) => Some(None),
                Some(value) => {
                    shape.read(value, &mut FieldLocation { path: Path::Field(path, name), faults }).map(Some)
                }
            },
        }
    }

    /// Reads a field that is required if `wanted`. Otherwise, ignores the field.
    pub(crate) fn required_when<S: Shape>(
        &mut self,
        wanted: bool,
        name: &str,
        shape: S,
    ) -> Option<Option<S::Value>> {
        match &mut self.mode {
            Mode::Describing { properties, .. } => {
                // The description shows the whole shape, as if the field is required.
                properties.insert(name.to_owned(), shape.schema());
                None
            }
            Mode::Reading { .. } if wanted => self.required(name, shape).map(Some),
            Mode::Reading { .. } => Some(None),
        }
    }

    /// Whether the field is present: neither missing nor `null` nor blank.
    pub fn has(&self, name: &str) -> bool {
        match &self.mode {
            Mode::Describing { .. } => false,
            Mode::Reading { object, .. } => object.get(name).is_some_and(|value| !is_absent(value)),
        }
    }

    /// Records a fault of the field `name`, for rules that need several fields.
    pub fn fault(&mut self, name: &str, message: impl Into<String>) {
        if let Mode::Reading { path, faults, .. } = &mut self.mode {
            FieldLocation { path: Path::Field(path, name), faults }.fault(message.into());
        }
    }

    /// Records a fault for every field that is not in `known` (D12).
    pub fn nothing_but(&mut self, known: &[&str]) {
        self.nothing_but_or_absent(known, &[]);
    }

    /// Records a fault for every field that is not in `known`. A field in `others` is a fault only if it has a value
    /// (D13).
    pub(crate) fn nothing_but_or_absent(&mut self, known: &[&str], others: &[&str]) {
        match &mut self.mode {
            Mode::Describing { closed, .. } => *closed = true,
            Mode::Reading { object, path, faults } => {
                let is_unknown = |(name, value): &(&String, &Value)| {
                    let is_absent = || others.contains(&name.as_str()) && is_absent(value);
                    !known.contains(&name.as_str()) && !is_absent()
                };
                for (name, _) in object.iter().filter(is_unknown) {
                    let distance = |known: &&&str| strsim::damerau_levenshtein(known, name);
                    let nearest = known.iter().min_by_key(distance).filter(|known| distance(known) <= 3);
                    let message = match nearest {
                        Some(nearest) => format!("Unknown field: did you mean {nearest}?"),
                        None => format!("Unknown field. Known fields: {}.", known.join(", ")),
                    };
                    FieldLocation { path: Path::Field(path, name), faults }.fault(message);
                }
            }
        }
    }

    /// Creates fields in describing mode.
    pub(crate) fn describing() -> Fields<'static> {
        Fields { mode: Mode::Describing { properties: Map::new(), required: Vec::new(), closed: false } }
    }

    /// Result of describing mode: properties, required fields, and whether other fields are refused.
    pub(crate) fn described(self) -> (Map<String, Value>, Vec<String>, bool) {
        match self.mode {
            Mode::Describing { properties, required, closed } => (properties, required, closed),
            Mode::Reading { .. } => (Map::new(), Vec::new(), false),
        }
    }
}

/// Schema of an optional field, which also allows `null` (D13). Blank text is allowed, too. The schema does
/// not say so, because generated clients would then give each such field its own type. Named schemas and
/// lists of words stay unchanged.
fn or_null(mut schema: Value) -> Value {
    if let (Some(kind), None, None) = (schema["type"].as_str(), schema.get("enum"), schema.get("title")) {
        schema["type"] = serde_json::json!([kind, "null"]);
    }
    schema
}
