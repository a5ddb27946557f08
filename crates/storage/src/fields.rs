//! Values in statements or rows of either engine: ids are 16 bytes, instants are microseconds, enum variants
//! are codes.

use domain::date::Timestamp;
use domain::id::{Id, Kind, Uuid};
use ports::storage::{Result, StorageError};

use crate::codes::{Coded, unknown_code};

/// Value in a statement or row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Null,
    /// A number. A row holds a boolean as 0 or 1.
    Integer(i64),
    /// Boolean, only in statements. In rows, booleans are integers.
    Boolean(bool),
    Text(&'a str),
    /// Bytes. A row holds an id as its 16 bytes.
    Bytes(&'a [u8]),
    /// Id, only in statements. In rows, ids are bytes.
    Id([u8; 16]),
}

impl Value<'_> {
    /// Description of a wrong value for an error message, without the value.
    fn kind(self) -> &'static str {
        match self {
            Value::Null => "no value",
            Value::Integer(_) | Value::Boolean(_) => "an invalid number",
            Value::Text(_) => "invalid text",
            Value::Bytes(_) | Value::Id(_) => "invalid bytes",
        }
    }
}

/// Owned copy of a value, stored until its statement is executed.
pub(crate) enum Owned {
    Plain(Value<'static>),
    Text(String),
    Bytes(Vec<u8>),
}

impl Owned {
    /// Owned copies of values.
    pub(crate) fn all(values: &[Value<'_>]) -> Vec<Self> {
        values.iter().copied().map(Owned::of).collect()
    }

    fn of(value: Value<'_>) -> Self {
        match value {
            Value::Text(text) => Owned::Text(text.to_owned()),
            Value::Bytes(bytes) => Owned::Bytes(bytes.to_vec()),
            Value::Null => Owned::Plain(Value::Null),
            Value::Integer(number) => Owned::Plain(Value::Integer(number)),
            Value::Boolean(flag) => Owned::Plain(Value::Boolean(flag)),
            Value::Id(id) => Owned::Plain(Value::Id(id)),
        }
    }

    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Owned::Plain(value) => *value,
            Owned::Text(text) => Value::Text(text),
            Owned::Bytes(bytes) => Value::Bytes(bytes),
        }
    }
}

/// Converts a reference to a value of a statement. A value that is a copy may outlive the reference.
pub(crate) trait ToValue<'v> {
    fn to_value(self) -> Value<'v>;
}

/// The values of a statement, in the order of its parameters.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::fields::ToValue::to_value(&$value)),*] };
}
pub(crate) use values;

macro_rules! copied {
    ($($kind:ty: $from:ident => $value:expr;)*) => { $(
        impl<'v> ToValue<'v> for &$kind {
            fn to_value(self) -> Value<'v> {
                let $from = self;
                $value
            }
        }
    )* };
}
copied! {
    u8: number => Value::Integer((*number).into());
    i16: number => Value::Integer((*number).into());
    u16: number => Value::Integer((*number).into());
    i32: number => Value::Integer((*number).into());
    u32: number => Value::Integer((*number).into());
    i64: number => Value::Integer(*number);
    usize: number => Value::Integer(i64::try_from(*number).unwrap_or(i64::MAX));
    bool: flag => Value::Boolean(*flag);
    Timestamp: at => Value::Integer(at.as_microsecond());
    Uuid: id => Value::Id(*id.as_bytes());
    [u8; 16]: id => Value::Id(*id);
}

impl<'v, K: Kind> ToValue<'v> for &Id<K> {
    fn to_value(self) -> Value<'v> {
        Value::Id(*self.uuid().as_bytes())
    }
}

macro_rules! borrowed {
    ($($kind:ty => $value:ident;)*) => { $(
        impl<'v> ToValue<'v> for &'v $kind {
            fn to_value(self) -> Value<'v> {
                Value::$value(self)
            }
        }
    )* };
}
borrowed! {
    str => Text;
    String => Text;
    [u8] => Bytes;
    Vec<u8> => Bytes;
    [u8; 32] => Bytes;
}

impl<'v, T: ?Sized> ToValue<'v> for &&'v T
where
    &'v T: ToValue<'v>,
{
    fn to_value(self) -> Value<'v> {
        (*self).to_value()
    }
}

impl<'v, 'r, T> ToValue<'v> for &'r Option<T>
where
    &'r T: ToValue<'v>,
{
    fn to_value(self) -> Value<'v> {
        self.as_ref().map_or(Value::Null, ToValue::to_value)
    }
}

/// Whether the store can hold a text. PostgreSQL refuses the NUL character.
pub(crate) fn may_be_text(text: &str) -> bool {
    !text.contains('\0')
}

/// Lowest id of records that were created in the millisecond of an instant. Ids begin with their time of
/// creation.
pub(crate) fn first_id_at(at: Timestamp) -> Uuid {
    let millis = u128::try_from(at.as_millisecond()).unwrap_or(0);
    Uuid::from_u128(millis << 80)
}

/// Row as an engine returns it.
pub(crate) trait EngineRow {
    /// Value of a column, counted from 0.
    fn value(&self, column: usize) -> Result<Value<'_>>;
}

/// RowFields of a row, from the column `first` on.
#[derive(Clone, Copy)]
pub(crate) struct RowFields<'a> {
    row: &'a dyn EngineRow,
    first: usize,
}

impl<'a> RowFields<'a> {
    pub(crate) fn of(row: &'a dyn EngineRow) -> Self {
        RowFields { row, first: 0 }
    }

    /// RowFields from the column `first` on, which becomes column 0.
    pub(crate) fn from(self, first: usize) -> Self {
        RowFields { first: self.first + first, ..self }
    }

    pub(crate) fn get<T: FromValue<'a>>(self, column: usize) -> Result<T> {
        let value = self.row.value(self.first + column)?;
        // The value may be personal data, so the message has only its kind.
        let unfit = || StorageError::Damaged(format!("column {column} of a row has {}", value.kind()));
        T::from_value(value).ok_or_else(unfit)
    }

    /// Enum variant whose code is in a column.
    pub(crate) fn coded<T: Coded>(self, column: usize) -> Result<T> {
        u8::try_from(self.get::<i64>(column)?).ok().and_then(T::from_code).ok_or_else(unknown_code)
    }
}

/// Converts a value of a row. `None` if the value has another kind or is out of range.
pub(crate) trait FromValue<'a>: Sized {
    fn from_value(value: Value<'a>) -> Option<Self>;
}

macro_rules! integers {
    ($($kind:ty),*) => { $(
        impl FromValue<'_> for $kind {
            fn from_value(value: Value<'_>) -> Option<Self> {
                let Value::Integer(number) = value else { return None };
                number.try_into().ok()
            }
        }
    )* };
}
integers!(i16, i32, i64, u16, u32, u64);

impl FromValue<'_> for bool {
    fn from_value(value: Value<'_>) -> Option<Self> {
        i64::from_value(value).map(|number| number != 0)
    }
}

impl<'a> FromValue<'a> for &'a str {
    fn from_value(value: Value<'a>) -> Option<Self> {
        let Value::Text(text) = value else { return None };
        Some(text)
    }
}

impl FromValue<'_> for String {
    fn from_value(value: Value<'_>) -> Option<Self> {
        <&str>::from_value(value).map(str::to_owned)
    }
}

impl<'a> FromValue<'a> for &'a [u8] {
    fn from_value(value: Value<'a>) -> Option<Self> {
        let Value::Bytes(bytes) = value else { return None };
        Some(bytes)
    }
}

impl FromValue<'_> for Vec<u8> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        <&[u8]>::from_value(value).map(<[u8]>::to_vec)
    }
}

impl<const LENGTH: usize> FromValue<'_> for [u8; LENGTH] {
    fn from_value(value: Value<'_>) -> Option<Self> {
        <&[u8]>::from_value(value)?.try_into().ok()
    }
}

impl FromValue<'_> for Uuid {
    fn from_value(value: Value<'_>) -> Option<Self> {
        <[u8; 16]>::from_value(value).map(Uuid::from_bytes)
    }
}

impl<K: Kind> FromValue<'_> for Id<K> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        Uuid::from_value(value).map(Id::from_uuid)
    }
}

impl FromValue<'_> for Timestamp {
    fn from_value(value: Value<'_>) -> Option<Self> {
        Timestamp::from_microsecond(i64::from_value(value)?).ok()
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Option<T> {
    fn from_value(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl EngineRow for Name {
        fn value(&self, _: usize) -> Result<Value<'_>> {
            Ok(Value::Text("Asha Rao"))
        }
    }

    #[test]
    fn a_message_about_an_unfit_value_does_not_have_the_value() {
        let fault = RowFields::of(&Name).get::<i64>(3).expect_err("a text is no number").into_why();
        assert_eq!(fault, "column 3 of a row has invalid text");
    }
}
