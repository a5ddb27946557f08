//! Shapes: valid values of a body's fields, with their parser and their description in the OpenAPI document.

use std::marker::PhantomData;

use domain::date::{BirthDate, CalendarDate, Date, Timestamp};
use domain::id::{Id, Kind};
use domain::text::{FromText, is_blank, is_one_line, normal};
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use crate::marker::is_infinite;
use crate::reader::{FieldLocation, Fields, Shape};
use crate::wording::sentence;

/// Shape of text that parses as a `T`, trimmed first (D12).
pub fn text<T: FromText>() -> impl Shape<Value = T> {
    validated(Some::<T>)
}

/// Shape of text that parses as a `T` and passes the check `validate`.
pub(crate) fn validated<T: FromText, U, V: Fn(T) -> Option<U>>(validate: V) -> Text<T, V> {
    Text { validate, wanted: T::WANTED, of: PhantomData }
}

/// An instant in the form of RFC 3339.
pub(crate) struct Instant(pub(crate) Timestamp);

impl FromText for Instant {
    const WANTED: &'static str = "an instant such as 2026-11-20T04:30:00Z";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        text.parse().map(Instant).map_err(|_| "text that is not such an instant")
    }
}

/// Shape of a date of birth before today (D21, D25).
pub(crate) fn birth_date(today: Date) -> impl Shape<Value = BirthDate> {
    validated(move |date: CalendarDate| BirthDate::before(date.0, today).ok())
        .wanted_as("a real calendar date before today, written DD/MM/YYYY")
}

/// Shape that [`text`] and [`validated`] return.
pub(crate) struct Text<T, Validate> {
    validate: Validate,
    wanted: &'static str,
    of: PhantomData<fn() -> T>,
}

impl<T, Validate> Text<T, Validate> {
    /// Replaces the description of valid values in messages.
    pub(crate) fn wanted_as(self, wanted: &'static str) -> Self {
        Text { wanted, ..self }
    }
}

impl<T: FromText, U, Validate: Fn(T) -> Option<U>> Shape for Text<T, Validate> {
    type Value = U;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<U> {
        let Value::String(text) = value else {
            at.mismatch(value, self.wanted);
            return None;
        };
        let parsed = if is_blank(text) { None } else { T::from_text(text.trim()).ok() };
        let valid = parsed.and_then(|parsed| (self.validate)(parsed));
        if valid.is_none() {
            at.mismatch(value, self.wanted);
        }
        valid
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

/// Shape of any text. The text is trimmed. As an item of a list, it can be blank.
pub(crate) struct PlainText {
    /// Maximum number of characters.
    longest: usize,
    /// Whether the text must be one line, because the operator's terminal shows it.
    is_line: bool,
}

impl PlainText {
    /// Shape of text with one or several lines.
    pub(crate) const fn of(longest: usize) -> Self {
        PlainText { longest, is_line: false }
    }

    /// Shape of text with one line and no control characters.
    pub(crate) const fn line(longest: usize) -> Self {
        PlainText { longest, is_line: true }
    }
}

impl Shape for PlainText {
    type Value = String;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<String> {
        let text = value.as_str().map(str::trim);
        let fits = |text: &&str| text.chars().count() <= self.longest && (!self.is_line || is_one_line(text));
        let valid = text.filter(fits);
        if valid.is_none() {
            at.mismatch(value, &self.wanted());
        }
        valid.map(normal)
    }

    fn wanted(&self) -> String {
        let text = if self.is_line { "one line of text" } else { "text" };
        format!("{text} of at most {} characters", self.longest)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "maxLength": self.longest })
    }
}

/// Shape of a whole number above zero. A zero fraction as in `24.0` is allowed (D21). A number beyond `u32`
/// becomes `u32::MAX`: both are beyond every limit.
pub(crate) struct WholeNumber {
    /// Description of valid numbers for messages, such as "a whole number of months above zero".
    pub(crate) wanted: &'static str,
}

impl Shape for WholeNumber {
    type Value = u32;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<u32> {
        let Value::Number(number) = value else {
            at.mismatch(value, self.wanted);
            return None;
        };
        let float = number.as_f64().unwrap_or(f64::MAX);
        if float.fract() != 0.0 || float < 1.0 {
            at.invalid(self.wanted);
            return None;
        }
        // Exact up to 2^53. The cast saturates at `u32::MAX`.
        Some(float as u32)
    }

    fn wanted(&self) -> String {
        self.wanted.to_owned()
    }

    fn schema(&self) -> Value {
        // In JSON Schema, 24.0 is an integer, too.
        json!({ "type": "integer", "minimum": 1, "description": sentence(self.wanted) })
    }
}

/// Shape of a number that becomes an exact decimal: the shortest decimal that parses as the same float.
pub(crate) struct ExactDecimal {
    pub(crate) wanted: &'static str,
}

impl Shape for ExactDecimal {
    type Value = Decimal;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Decimal> {
        let Value::Number(number) = value else {
            at.mismatch(value, self.wanted);
            return None;
        };
        let digits = number.to_string();
        let decimal = digits.parse().or_else(|_| Decimal::from_scientific(&digits)).ok();
        if decimal.is_none() {
            at.invalid(self.wanted);
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

/// Shape of text that parses as a `T`, with its own description in the OpenAPI document.
pub(crate) fn described<T: FromText>(description: &'static str) -> Described<impl Shape<Value = T>> {
    Described { of: text(), description }
}

/// A shape with its own description in the OpenAPI document.
pub(crate) struct Described<S> {
    pub(crate) of: S,
    pub(crate) description: &'static str,
}

impl<S: Shape> Shape for Described<S> {
    type Value = S::Value;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<S::Value> {
        self.of.read(value, at)
    }

    fn wanted(&self) -> String {
        self.of.wanted()
    }

    fn schema(&self) -> Value {
        let mut schema = self.of.schema();
        schema["description"] = self.description.into();
        schema
    }
}

/// Gives a shape a name. The OpenAPI document shows the shape once, under this name.
pub(crate) fn named<S: Shape>(name: &'static str, of: S) -> Named<S> {
    Named { name, of }
}

/// Shape that [`named`] returns.
pub(crate) struct Named<S> {
    name: &'static str,
    of: S,
}

impl<S: Shape> Shape for Named<S> {
    type Value = S::Value;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<S::Value> {
        self.of.read(value, at)
    }

    fn wanted(&self) -> String {
        self.of.wanted()
    }

    fn schema(&self) -> Value {
        let mut schema = self.of.schema();
        schema["title"] = self.name.into();
        schema
    }
}

/// Shape of a list. A fault in one item makes the whole list invalid.
pub(crate) fn list<S: Shape>(of: S, least: usize, most: usize) -> List<S> {
    List { items: items(of, least, most) }
}

/// Shape of a list. Valid items can be used even if other items have faults.
pub(crate) fn items<S: Shape>(of: S, least: usize, most: usize) -> ItemList<S> {
    ItemList { of, least, most }
}

/// Items of a list. `None` stands for an item with a fault.
pub(crate) struct Items<T>(Vec<Option<T>>);

impl<T> Items<T> {
    /// Number of items, including those with faults.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All items. `None` for an item with a fault.
    pub(crate) fn all(&self) -> impl Iterator<Item = Option<&T>> {
        self.0.iter().map(Option::as_ref)
    }

    /// All items without faults.
    pub(crate) fn read(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// Finishes each item. `None` if any item has a fault or cannot be finished.
    pub(crate) fn finish<U>(self, finish: impl Fn(T) -> Option<U>) -> Option<Vec<U>> {
        self.0.into_iter().map(|item| item.and_then(&finish)).collect()
    }
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Items(Vec::new())
    }
}

/// Shape that [`items`] returns.
pub(crate) struct ItemList<S> {
    of: S,
    least: usize,
    most: usize,
}

impl<S: Shape> Shape for ItemList<S> {
    type Value = Items<S::Value>;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Self::Value> {
        let Value::Array(items) = value else {
            at.mismatch(value, &self.wanted());
            return None;
        };
        if items.len() < self.least || items.len() > self.most {
            at.invalid(&self.wanted());
            return None;
        }
        let read = items.iter().enumerate().map(|(index, item)| self.of.read(item, &mut at.index(index)));
        Some(Items(read.collect()))
    }

    fn wanted(&self) -> String {
        match self.least {
            0 if self.most == 1 => "a list of at most one item".to_owned(),
            0 => format!("a list of at most {} items", self.most),
            least => format!("a list of {least} to {} items", self.most),
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "items": self.of.schema(), "minItems": self.least, "maxItems": self.most })
    }
}

/// Shape that [`list`] returns.
pub(crate) struct List<S> {
    items: ItemList<S>,
}

impl<S: Shape> Shape for List<S> {
    type Value = Vec<S::Value>;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Self::Value> {
        self.items.read(value, at)?.finish(Some)
    }

    fn wanted(&self) -> String {
        self.items.wanted()
    }

    fn schema(&self) -> Value {
        self.items.schema()
    }
}

/// Shape of an object that `read` reads into a draft. The draft has parts even if other parts have faults.
pub(crate) fn draft<D, F: Fn(&mut Fields<'_>) -> D>(read: F) -> DraftObject<F> {
    DraftObject { read }
}

/// Shape that [`draft`] returns.
pub(crate) struct DraftObject<F> {
    read: F,
}

impl<D, F: Fn(&mut Fields<'_>) -> D> Shape for DraftObject<F> {
    type Value = D;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<D> {
        match value {
            Value::Object(object) if !is_infinite(object) => Some((self.read)(&mut at.fields(object))),
            _ => {
                at.mismatch(value, "an object");
                None
            }
        }
    }

    fn wanted(&self) -> String {
        "an object".to_owned()
    }

    fn schema(&self) -> Value {
        describe(&self.read)
    }
}

/// Shape of an object whose fields `read` reads one by one.
pub(crate) fn object<T, F: Fn(&mut Fields<'_>) -> Option<T>>(read: F) -> Object<F> {
    Object { draft: draft(read) }
}

/// Shape that [`object`] returns.
pub(crate) struct Object<F> {
    draft: DraftObject<F>,
}

impl<T, F: Fn(&mut Fields<'_>) -> Option<T>> Shape for Object<F> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<T> {
        self.draft.read(value, at)?
    }

    fn wanted(&self) -> String {
        self.draft.wanted()
    }

    fn schema(&self) -> Value {
        self.draft.schema()
    }
}

/// JSON Schema of the object that `read` accepts. This function runs `read` in describing mode.
pub(crate) fn describe<D>(read: impl Fn(&mut Fields<'_>) -> D) -> Value {
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

/// Shape of a text that is an id of kind `K`.
pub struct IdText<K> {
    wanted: &'static str,
    of: PhantomData<fn() -> K>,
}

impl<K> IdText<K> {
    /// Shape of an id. `wanted` describes valid ids in messages.
    pub fn of(wanted: &'static str) -> Self {
        IdText { wanted, of: PhantomData }
    }
}

impl<K: Kind> Shape for IdText<K> {
    type Value = Id<K>;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Id<K>> {
        let Value::String(text) = value else {
            at.mismatch(value, self.wanted);
            return None;
        };
        match text.trim() {
            "" => at.required(self.wanted),
            text => match text.parse() {
                Ok(id) => return Some(id),
                Err(_) => at.invalid(self.wanted),
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
