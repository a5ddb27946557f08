//! Values in statements or rows of either engine: ids are 16 bytes, instants are microseconds, enum variants
//! are codes.

use domain::date::{Date, Timestamp};
use domain::id::{Id, Kind, Uuid};
use domain::money::Rupees;
use domain::policy::PolicyNumber;
use domain::statement::Month;
use ports::storage::{Result, StorageError};

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

/// Enum whose variants are stored as numbers (codes).
pub(crate) trait Coded: Copy {
    fn code(self) -> u8;

    /// Variant with this code. `None` if the code is unknown, because a newer program wrote it
    /// ([`unknown_code`]).
    fn from_code(code: u8) -> Option<Self>;
}

/// Error for a record with a code, version or variant that this program does not know. The record is not
/// damaged. During a rolling upgrade another process may be able to read it, so the caller may retry.
pub(crate) fn unknown_code() -> StorageError {
    StorageError::Away("a newer covernote wrote this record: upgrade this process to read it".into())
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
    u64: number => Value::Integer(i64::try_from(*number).unwrap_or(i64::MAX));
    Timestamp: at => Value::Integer(at.as_microsecond());
    Date: day => Value::Integer(day_number(*day).into());
    Month: month => Value::Integer(month.number().into());
    Rupees: amount => Value::Integer(amount.paise());
    Uuid: id => Value::Id(*id.as_bytes());
    [u8; 16]: id => Value::Id(*id);
}

impl<'v> ToValue<'v> for &'v PolicyNumber {
    fn to_value(self) -> Value<'v> {
        Value::Text(self.as_str())
    }
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

/// Day as a number in the form YYYYMMDD, such as 20261120.
pub(crate) fn day_number(day: Date) -> i32 {
    i32::from(day.year()) * 10_000 + i32::from(day.month()) * 100 + i32::from(day.day())
}

/// Day from a number in the form YYYYMMDD.
pub(crate) fn numbered_day(number: i32) -> Result<Date> {
    let part = |number: i32| i8::try_from(number % 100).ok();
    let year = i16::try_from(number / 10_000).ok();
    let day = year.zip(part(number / 100).zip(part(number)));
    let day = day.and_then(|(year, (month, day))| Date::new(year, month, day).ok());
    day.ok_or_else(|| StorageError::Damaged(format!("{number} is not a valid day in the form YYYYMMDD")))
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

    /// Name of a column, counted from 0. `None` after the last one.
    fn name(&self, column: usize) -> Option<&str>;
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
        T::from_value(value).ok_or_else(|| match (T::IS_CODED, value) {
            (true, Value::Integer(_)) => unknown_code(),
            _ => unfit(),
        })
    }

    /// Value of the column with a name.
    pub(crate) fn named<T: FromValue<'a>>(self, name: &str) -> Result<T> {
        self.near(0, name)
    }

    /// Value of the column with a name. `near`: where the column probably is, which is looked at first.
    pub(crate) fn near<T: FromValue<'a>>(self, near: usize, name: &str) -> Result<T> {
        let is_at = |column: &usize| self.row.name(self.first + column) == Some(name);
        let mut columns = (0..).take_while(|column| self.row.name(self.first + column).is_some());
        match Some(near).filter(is_at).or_else(|| columns.find(is_at)) {
            Some(column) => self.get(column),
            None => Err(StorageError::Damaged(format!("a row has no column {name}"))),
        }
    }
}

/// Converts a value of a row. `None` if the value has another kind or is out of range.
pub(crate) trait FromValue<'a>: Sized {
    /// Whether the value is a code, which a newer program may have added.
    const IS_CODED: bool = false;

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

impl<T: Coded> FromValue<'_> for T {
    const IS_CODED: bool = true;

    fn from_value(value: Value<'_>) -> Option<Self> {
        u8::try_from(i64::from_value(value)?).ok().and_then(T::from_code)
    }
}

impl FromValue<'_> for Month {
    const IS_CODED: bool = true;

    fn from_value(value: Value<'_>) -> Option<Self> {
        Month::from_number(i32::from_value(value)?)
    }
}

impl FromValue<'_> for Date {
    fn from_value(value: Value<'_>) -> Option<Self> {
        numbered_day(i32::from_value(value)?).ok()
    }
}

impl FromValue<'_> for Rupees {
    fn from_value(value: Value<'_>) -> Option<Self> {
        i64::from_value(value).map(Rupees::from_paise)
    }
}

impl FromValue<'_> for PolicyNumber {
    fn from_value(value: Value<'_>) -> Option<Self> {
        String::from_value(value).map(PolicyNumber::kept)
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Option<T> {
    const IS_CODED: bool = T::IS_CODED;

    fn from_value(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Columns of a row of one type, or of a tuple of values in the row's order.
pub(crate) trait FromRow: Sized {
    /// Names of the columns, if they are read by name.
    const COLUMNS: &'static [&'static str] = &[];

    fn columns(row: RowFields<'_>) -> Result<Self>;
}

macro_rules! tuples {
    ($($($value:ident $column:tt),*;)*) => { $(
        impl<$($value: for<'a> FromValue<'a>),*> FromRow for ($($value,)*) {
            fn columns(row: RowFields<'_>) -> Result<Self> {
                Ok(($(row.get($column)?,)*))
            }
        }
    )* };
}
tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl EngineRow for Name {
        fn value(&self, _: usize) -> Result<Value<'_>> {
            Ok(Value::Text("Asha Rao"))
        }

        fn name(&self, column: usize) -> Option<&str> {
            ["first_name", "last_name"].get(column).copied()
        }
    }

    #[test]
    fn an_error_about_an_unreadable_value_does_not_contain_the_value() {
        let fault = RowFields::of(&Name).get::<i64>(3).expect_err("a text is no number").into_why();
        assert_eq!(fault, "column 3 of a row has invalid text");
    }

    #[test]
    fn columns_are_read_by_name_at_any_position() {
        let row = RowFields::of(&Name);
        for near in 0..3 {
            assert_eq!(row.near::<String>(near, "last_name").expect("a column"), "Asha Rao");
        }
        let fault = row.named::<String>("name").expect_err("no such column").into_why();
        assert_eq!(fault, "a row has no column name");
    }
}
