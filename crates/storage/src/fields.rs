//! What a row holds, whichever engine gave it: ids are 16 bytes, instants are microseconds, words are codes.

use domain::date::Timestamp;
use domain::id::{Id, Kind, Uuid};
use service::storage::StorageError;

use crate::codes::{Coded, unknown_code};

/// A value of a row.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Null,
    /// A number; a boolean is 0 or 1.
    Integer(i64),
    Text(&'a str),
    /// Bytes; an id is its 16 bytes.
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// What an unfit value is called in a message.
    fn kind(self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Integer(_) => "a number that does not fit",
            Value::Text(_) => "a text that does not fit",
            Value::Bytes(_) => "bytes that do not fit",
        }
    }
}

/// A row of an engine.
pub(crate) trait Row {
    /// The value of a column, counted from 0.
    fn value(&self, column: usize) -> Result<Value<'_>, StorageError>;
}

/// The fields of a row, from a column on.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    row: &'a dyn Row,
    first: usize,
}

impl<'a> Fields<'a> {
    /// All fields of a row.
    pub(crate) fn of(row: &'a dyn Row) -> Self {
        Fields { row, first: 0 }
    }

    /// The fields from a column on, which then is number 0.
    pub(crate) fn from(self, first: usize) -> Self {
        Fields { first: self.first + first, ..self }
    }

    /// The value of a column.
    pub(crate) fn get<T: FromValue<'a>>(self, column: usize) -> Result<T, StorageError> {
        let value = self.row.value(self.first + column)?;
        // The value may be a person's: only its kind is named.
        let unfit = || StorageError::Damaged(format!("column {column} holds {}", value.kind()));
        T::from_value(value).ok_or_else(unfit)
    }

    /// The word whose code a column holds.
    pub(crate) fn coded<T: Coded>(self, column: usize) -> Result<T, StorageError> {
        u8::try_from(self.get::<i64>(column)?).ok().and_then(T::from_code).ok_or_else(unknown_code)
    }
}

/// What a value of a row is read as. `None`: it is of another kind, or out of range.
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
integers!(i16, i32, i64, u16, u32);

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

    impl Row for Name {
        fn value(&self, _: usize) -> Result<Value<'_>, StorageError> {
            Ok(Value::Text("Asha Rao"))
        }
    }

    #[test]
    fn a_message_about_an_unfit_value_does_not_have_the_value() {
        let fault = Fields::of(&Name).get::<i64>(3).expect_err("a text is no number").into_why();
        assert_eq!(fault, "column 3 holds a text that does not fit");
    }
}
