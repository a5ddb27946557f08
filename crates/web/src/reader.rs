//! The body reader: takes an object's fields one by one, and goes on after a fault, so that one response names
//! them all with their exact paths (D11 to D13).
//!
//! The same calls that read a body describe it for the OpenAPI document: `Fields` that describe hold no object,
//! and note every field that is asked of them.
//!
//! A body whose rules span several fields is read into a draft: a struct of the parts that could be read. The rules
//! look at the draft, and the draft's `finish` makes the value once every part is there.

use std::fmt;

use serde_json::{Map, Value};
use service::{Fault, Faults};

use crate::wording::{kind_of, mismatch};

/// Faults listed at most; a body of nothing but faults must not make an answer larger than itself.
const MOST_FAULTS: usize = 1000;

/// Where in the body something stands.
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

/// What a field may hold. One description serves the reader and the document.
pub(crate) trait Shape {
    /// What it becomes.
    type Value;

    /// Reads a value; notes the faults.
    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Self::Value>;

    /// What is wanted, as the object of a sentence.
    fn wanted(&self) -> String;

    /// Its JSON Schema. A `title` names it: the OpenAPI document shows it once, under this name.
    fn schema(&self) -> Value;
}

/// Whether a value counts as none: `null` or blank text (D12, D13).
pub(crate) fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Where in the body a field stands, and where its faults are noted.
pub(crate) struct FieldLocation<'p> {
    path: Path<'p>,
    faults: &'p mut Faults,
}

impl FieldLocation<'_> {
    /// Notes that something else was found here than is wanted.
    pub(crate) fn mismatch(&mut self, found: &str, wanted: &str) {
        self.fault(mismatch(found, wanted));
    }

    /// Notes a fault in a sentence of its own.
    pub(crate) fn fault(&mut self, message: String) {
        if self.faults.0.len() < MOST_FAULTS {
            self.faults.0.push(Fault { field: self.path.to_string(), message });
        }
    }

    /// The location of an entry of an object whose keys are data.
    pub(crate) fn field<'a>(&'a mut self, name: &'a str) -> FieldLocation<'a> {
        FieldLocation { path: Path::Field(&self.path, name), faults: self.faults }
    }

    /// The location of a list's item.
    pub(crate) fn index(&mut self, index: usize) -> FieldLocation<'_> {
        FieldLocation { path: Path::Index(&self.path, index), faults: self.faults }
    }

    /// The fields of an object that stands here.
    pub(crate) fn fields<'a>(&'a mut self, object: &'a Map<String, Value>) -> Fields<'a> {
        Fields { mode: Mode::Reading { object, path: self.path, faults: self.faults } }
    }
}

/// The fields of an object, being read or being described.
pub(crate) struct Fields<'a> {
    mode: Mode<'a>,
}

enum Mode<'a> {
    Reading { object: &'a Map<String, Value>, path: Path<'a>, faults: &'a mut Faults },
    Describing { properties: Map<String, Value>, required: Vec<String>, closed: bool },
}

/// Parses the JSON object that an operator's file has. `field` names it in a fault, and `place` says where it stops being JSON.
pub(crate) fn json_object(
    json: &[u8],
    field: &str,
    place: impl FnOnce(&serde_json::Error) -> String,
) -> Result<Map<String, Value>, Faults> {
    let message = match serde_json::from_slice(json) {
        Ok(Value::Object(object)) => return Ok(object),
        Ok(value) => mismatch(kind_of(&value), "a JSON object"),
        Err(fault) => format!("Must be a JSON object: the text is not JSON ({}).", place(&fault)),
    };
    Err(Faults::one(field, message))
}

/// Reads a whole object, with every fault that was found.
pub(crate) fn read_object<T>(
    object: &Map<String, Value>,
    read: impl FnOnce(&mut Fields<'_>) -> T,
) -> (T, Faults) {
    let mut faults = Faults::default();
    let value = read(&mut Fields { mode: Mode::Reading { object, path: Path::Root, faults: &mut faults } });
    (value, faults)
}

impl Fields<'_> {
    /// A field that must be there: missing, `null` and blank text are faults (D12).
    pub(crate) fn required<S: Shape>(&mut self, name: &str, shape: S) -> Option<S::Value> {
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
                        at.mismatch("Nothing", &shape.wanted());
                        None
                    }
                    Some(value) => shape.read(value, &mut at),
                }
            }
        }
    }

    /// A field that may be left out: missing, `null` and blank text are none (D13). `None` tells a fault,
    /// `Some(None)` an absent field.
    pub(crate) fn optional<S: Shape>(&mut self, name: &str, shape: S) -> Option<Option<S::Value>> {
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

    /// A field that must be there when `wanted`, and is not looked at otherwise.
    pub(crate) fn required_when<S: Shape>(
        &mut self,
        wanted: bool,
        name: &str,
        shape: S,
    ) -> Option<Option<S::Value>> {
        match &mut self.mode {
            Mode::Describing { properties, .. } => {
                // Judged in full when it is wanted, and not looked at otherwise.
                properties.insert(name.to_owned(), shape.schema());
                None
            }
            Mode::Reading { .. } if wanted => self.required(name, shape).map(Some),
            Mode::Reading { .. } => Some(None),
        }
    }

    /// Whether a field is there at all.
    pub(crate) fn has(&self, name: &str) -> bool {
        match &self.mode {
            Mode::Describing { .. } => false,
            Mode::Reading { object, .. } => object.get(name).is_some_and(|value| !is_absent(value)),
        }
    }

    /// Notes a fault of a field that shows only beside others.
    pub(crate) fn fault(&mut self, name: &str, message: impl Into<String>) {
        if let Mode::Reading { path, faults, .. } = &mut self.mode {
            FieldLocation { path: Path::Field(path, name), faults }.fault(message.into());
        }
    }

    /// Refuses every other field than these (D12, PATCH proposal alone).
    pub(crate) fn nothing_but(&mut self, known: &[&str]) {
        match &mut self.mode {
            Mode::Describing { closed, .. } => *closed = true,
            Mode::Reading { object, path, faults } => {
                for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
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

    /// Fields that describe instead of reading.
    pub(crate) fn describing() -> Fields<'static> {
        Fields { mode: Mode::Describing { properties: Map::new(), required: Vec::new(), closed: false } }
    }

    /// What was described: the properties, which of them are required, and whether others are refused.
    pub(crate) fn described(self) -> (Map<String, Value>, Vec<String>, bool) {
        match self.mode {
            Mode::Describing { properties, required, closed } => (properties, required, closed),
            Mode::Reading { .. } => (Map::new(), Vec::new(), false),
        }
    }
}

/// The schema of an optional field: `null` is one of the ways to leave it out (D13). Blank text is another, which the document does not
/// show: generated clients would give each such field a type of its own. A named schema, or a list of words, stays as it is.
fn or_null(mut schema: Value) -> Value {
    if let (Some(kind), None, None) = (schema["type"].as_str(), schema.get("enum"), schema.get("title")) {
        schema["type"] = serde_json::json!([kind, "null"]);
    }
    schema
}
