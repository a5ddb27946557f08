//! The body reader: takes an object's fields one by one, and goes on after a fault, so that one answer names
//! them all with their exact paths (D11 to D13).
//!
//! The same calls that read a body describe it for the OpenAPI document: `Fields` that describe hold no object,
//! and note every field that is asked of them.

use std::fmt;

use serde_json::{Map, Value};
use service::{Fault, Faults};

use crate::shape::{Shape, found, is_absent};

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

/// A place in the body, and where faults found there are noted.
pub(crate) struct At<'p> {
    path: Path<'p>,
    faults: &'p mut Faults,
}

impl At<'_> {
    /// Notes that something else came than is wanted here.
    pub(crate) fn fault(&mut self, came: &str, wanted: &str) {
        self.say(found(came, wanted));
    }

    /// Notes a fault in a sentence of its own.
    pub(crate) fn say(&mut self, message: String) {
        if self.faults.0.len() < MOST_FAULTS {
            self.faults.0.push(Fault { field: self.path.to_string(), message });
        }
    }

    /// The place of an entry of an object whose keys are data.
    pub(crate) fn field<'a>(&'a mut self, name: &'a str) -> At<'a> {
        At { path: Path::Field(&self.path, name), faults: self.faults }
    }

    /// The place of a list's item.
    pub(crate) fn index(&mut self, index: usize) -> At<'_> {
        At { path: Path::Index(&self.path, index), faults: self.faults }
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
                let mut at = At { path: Path::Field(path, name), faults };
                match object.get(name) {
                    None => {
                        at.fault("Nothing", &shape.wanted());
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
                Some(value) => shape.read(value, &mut At { path: Path::Field(path, name), faults }).map(Some),
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
                // Where it is not wanted it may hold anything, so that its own schema cannot bind.
                let description = "Judged in full where it is wanted, ignored where it is not.";
                let example_of = shape.schema();
                properties.insert(name.to_owned(), serde_json::json!({ "type": ["object", "string", "null"], "description": description, "properties": bare(&example_of) }));
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

    /// How many items the list at a field has, where a list is there.
    pub(crate) fn length_of(&self, name: &str) -> Option<usize> {
        match &self.mode {
            Mode::Describing { .. } => None,
            Mode::Reading { object, .. } => object.get(name)?.as_array().map(Vec::len),
        }
    }

    /// Notes a fault of a field that shows only beside others.
    pub(crate) fn fault(&mut self, name: &str, message: impl Into<String>) {
        if let Mode::Reading { path, faults, .. } = &mut self.mode {
            At { path: Path::Field(path, name), faults }.say(message.into());
        }
    }

    /// Says that no other fields than these may come (D12, PATCH proposal alone).
    pub(crate) fn nothing_but(&mut self, known: &[&str]) {
        match &mut self.mode {
            Mode::Describing { closed, .. } => *closed = true,
            Mode::Reading { object, path, faults } => {
                for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
                    let message = format!(
                        "A field that this operation does not take was found; {} alone is wanted.",
                        known.join(", ")
                    );
                    At { path: Path::Field(path, name), faults }.say(message);
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

/// The schema of an optional field: its own, or nothing in one of the ways that count as none (D13).
fn or_null(schema: Value) -> Value {
    serde_json::json!({ "anyOf": [schema, { "type": "null" }, { "type": "string", "pattern": r"^\s*$" }] })
}

/// The properties of an object's schema without their bounds.
fn bare(schema: &Value) -> Value {
    let names = schema["properties"].as_object().into_iter().flat_map(Map::keys);
    names.map(|name| (name.clone(), serde_json::json!({}))).collect::<Map<_, _>>().into()
}
