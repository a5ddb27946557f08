//! Rows of SQLite, and what its faults mean.

use domain::date::{Date, Timestamp};
use domain::id::{Id, Kind, Uuid};
use rusqlite::types::{Type, ValueRef};
use rusqlite::{ErrorCode, Row};
use service::storage::StorageError;

use crate::codes::{Coded, unknown_code};
use crate::fields::{self, Fields, Value};
use crate::rows::counted::numbered_day;

/// What a fault of SQLite means to the service.
pub(super) fn fault(fault: rusqlite::Error) -> StorageError {
    if let rusqlite::Error::FromSqlConversionFailure(_, _, cause) = &fault
        && let Some(cause) = cause.downcast_ref::<StorageError>()
    {
        return cause.clone();
    }
    let text = fault.to_string();
    match fault.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::ReadOnly
            | ErrorCode::OutOfMemory
            | ErrorCode::PermissionDenied,
        ) => StorageError::Away(text),
        Some(ErrorCode::ConstraintViolation) => StorageError::Refused(text),
        _ => StorageError::Damaged(text),
    }
}

/// An id column.
pub(super) fn id<K: Kind>(row: &Row<'_>, column: usize) -> rusqlite::Result<Id<K>> {
    row.get::<_, [u8; 16]>(column).map(|bytes| Id::from_uuid(Uuid::from_bytes(bytes)))
}

/// An instant column.
pub(super) fn instant(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    read_instant(column, row.get(column)?)
}

/// An instant column that may be null.
pub(super) fn optional_instant(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column)?.map(|micros| read_instant(column, micros)).transpose()
}

fn read_instant(column: usize, micros: i64) -> rusqlite::Result<Timestamp> {
    Timestamp::from_microsecond(micros).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, micros))
}

/// A column that holds a day, written 20261120.
pub(super) fn day(row: &Row<'_>, column: usize) -> rusqlite::Result<Date> {
    numbered_day(row.get(column)?)
        .map_err(|fault| rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(fault)))
}

/// A column that holds the code of a word.
pub(super) fn coded<T: Coded>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let code: i64 = row.get(column)?;
    u8::try_from(code).ok().and_then(T::from_code).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(unknown_code()))
    })
}

impl fields::Row for Row<'_> {
    fn value(&self, column: usize) -> Result<Value<'_>, StorageError> {
        match self.get_ref(column).map_err(fault)? {
            ValueRef::Null => Ok(Value::Null),
            ValueRef::Integer(number) => Ok(Value::Integer(number)),
            ValueRef::Blob(bytes) => Ok(Value::Bytes(bytes)),
            ValueRef::Text(text) => str::from_utf8(text)
                .map(Value::Text)
                .map_err(|_| StorageError::Damaged(format!("column {column} holds text that is not UTF-8"))),
            ValueRef::Real(number) => {
                Err(StorageError::Damaged(format!("column {column} holds {number}, a fraction")))
            }
        }
    }
}

/// Reads a row by its columns.
pub(super) fn by<T>(
    columns: impl Fn(Fields<'_>) -> Result<T, StorageError>,
) -> impl Fn(&Row<'_>) -> rusqlite::Result<T> {
    move |row| {
        columns(Fields::of(row))
            .map_err(|fault| rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(fault)))
    }
}
