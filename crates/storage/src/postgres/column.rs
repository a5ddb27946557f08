//! Columns: values of statements with their types, and what rows hold.

use std::error::Error;

use domain::date::Timestamp;
use domain::id::{Id, Kind, Uuid};
use service::storage::StorageError;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql, Type};

use crate::codes::{Coded, unknown_code};
use crate::fields::{self, Fields};

/// A value of a statement. Its type is given, so that nobody has to ask the server for it.
#[derive(Clone)]
pub(super) struct Value<'a> {
    value: &'a (dyn ToSql + Sync),
    pub(super) kind: Type,
    /// Whether it is an array without elements.
    pub(super) is_nothing: bool,
}

impl<'a> Value<'a> {
    pub(super) fn get(&self) -> &'a (dyn ToSql + Sync) {
        self.value
    }

    pub(super) fn typed(&self) -> (&'a (dyn ToSql + Sync), Type) {
        (self.value, self.kind.clone())
    }
}

/// What can be a value.
pub(super) trait Column: ToSql + Sync + Sized {
    const TYPE: Type;

    /// Whether it is an array without elements.
    fn is_nothing(&self) -> bool {
        false
    }

    fn value(&self) -> Value<'_> {
        Value { value: self, kind: Self::TYPE, is_nothing: self.is_nothing() }
    }
}

macro_rules! columns {
    ($($kind:ty => $name:ident, $array:ident;)*) => {
        $(
            impl Column for $kind { const TYPE: Type = Type::$name; }
            impl Column for Option<$kind> { const TYPE: Type = Type::$name; }
            impl Column for Vec<$kind> {
                const TYPE: Type = Type::$array;

                fn is_nothing(&self) -> bool {
                    self.is_empty()
                }
            }
            impl Column for Vec<Option<$kind>> {
                const TYPE: Type = Type::$array;

                fn is_nothing(&self) -> bool {
                    self.is_empty()
                }
            }
        )*
    };
}

columns! {
    bool => BOOL, BOOL_ARRAY;
    i16 => INT2, INT2_ARRAY;
    i32 => INT4, INT4_ARRAY;
    i64 => INT8, INT8_ARRAY;
    Uuid => UUID, UUID_ARRAY;
    String => TEXT, TEXT_ARRAY;
    Vec<u8> => BYTEA, BYTEA_ARRAY;
    &[u8] => BYTEA, BYTEA_ARRAY;
    &str => TEXT, TEXT_ARRAY;
}

/// The values of a statement, in the order of its parameters.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::postgres::column::Column::value(&$value)),*] };
}
pub(super) use values;

/// A named group of values that statements take together: a row, its moves, its policy.
pub(super) trait Group {
    /// The values, in the order in which every statement takes them.
    fn values(&self) -> Vec<Value<'_>>;
}

/// An id as a value.
pub(super) fn id<K: Kind>(id: Id<K>) -> Uuid {
    id.uuid()
}

/// The 16 bytes of a row as a value.
pub(super) fn uuid(bytes: [u8; 16]) -> Uuid {
    Uuid::from_bytes(bytes)
}

/// How many rows a statement may give.
pub(super) fn most(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// What a row holds in a column, counted from 0.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T, StorageError> {
    row.try_get(column).map_err(|fault| StorageError::Damaged(fault.to_string()))
}

/// An id column.
pub(super) fn get_id<K: Kind>(row: &Row, column: usize) -> Result<Id<K>, StorageError> {
    get(row, column).map(Id::from_uuid)
}

/// An instant column.
pub(super) fn get_instant(row: &Row, column: usize) -> Result<Timestamp, StorageError> {
    instant(get(row, column)?)
}

/// An instant column that may be null.
pub(super) fn get_optional_instant(row: &Row, column: usize) -> Result<Option<Timestamp>, StorageError> {
    get::<Option<i64>>(row, column)?.map(instant).transpose()
}

/// An instant from its microseconds.
pub(super) fn instant(micros: i64) -> Result<Timestamp, StorageError> {
    Timestamp::from_microsecond(micros)
        .map_err(|_| StorageError::Damaged(format!("{micros} is no instant of the calendar")))
}

/// A column that counts, and so is never below 0.
pub(super) fn get_number(row: &Row, column: usize) -> Result<u32, StorageError> {
    get::<i32>(row, column).map(i32::unsigned_abs)
}

/// A column that holds the code of a word.
pub(super) fn get_coded<T: Coded>(row: &Row, column: usize) -> Result<T, StorageError> {
    u8::try_from(get::<i16>(row, column)?).ok().and_then(T::from_code).ok_or_else(unknown_code)
}

impl fields::Row for Row {
    fn value(&self, column: usize) -> Result<fields::Value<'_>, StorageError> {
        get(self, column)
    }
}

impl<'a> FromSql<'a> for fields::Value<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *kind {
            Type::BOOL => fields::Value::Integer(bool::from_sql(kind, raw)?.into()),
            Type::INT2 => fields::Value::Integer(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => fields::Value::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => fields::Value::Integer(i64::from_sql(kind, raw)?),
            Type::TEXT => fields::Value::Text(<&str>::from_sql(kind, raw)?),
            _ => fields::Value::Bytes(raw),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(fields::Value::Null)
    }

    fn accepts(kind: &Type) -> bool {
        let known = [Type::BOOL, Type::INT2, Type::INT4, Type::INT8, Type::TEXT, Type::UUID, Type::BYTEA];
        known.contains(kind)
    }
}

/// The columns of rows, each read.
pub(super) fn read<T>(
    rows: &[Row],
    columns: impl Fn(Fields<'_>) -> Result<T, StorageError>,
) -> Result<Vec<T>, StorageError> {
    rows.iter().map(|row| columns(Fields::of(row))).collect()
}
