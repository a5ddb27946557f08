//! Conversion of SQLite's rows, values and errors.

use ports::storage::{Result, StorageError};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, Row};

use crate::fields::{self, Value};

/// Converts an SQLite error to a storage error, by what it means for the service.
pub(crate) fn fault(fault: rusqlite::Error) -> StorageError {
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

impl fields::EngineRow for Row<'_> {
    fn value(&self, column: usize) -> Result<Value<'_>> {
        match self.get_ref(column).map_err(fault)? {
            ValueRef::Null => Ok(Value::Null),
            ValueRef::Integer(number) => Ok(Value::Integer(number)),
            ValueRef::Blob(bytes) => Ok(Value::Bytes(bytes)),
            ValueRef::Text(text) => str::from_utf8(text).map(Value::Text).map_err(|_| {
                StorageError::Damaged(format!("column {column} of a row has text that is not UTF-8"))
            }),
            ValueRef::Real(number) => Err(StorageError::Damaged(format!(
                "column {column} of a row has {number}, which is not a whole number"
            ))),
        }
    }

    fn name(&self, column: usize) -> Option<&str> {
        let statement: &rusqlite::Statement<'_> = self.as_ref();
        statement.column_name(column).ok()
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Value::Null => rusqlite::types::Null.into(),
            Value::Integer(number) => (*number).into(),
            Value::Boolean(flag) => (*flag).into(),
            Value::Text(text) => (*text).into(),
            Value::Bytes(bytes) => (*bytes).into(),
            Value::Id(id) => id.as_slice().into(),
        })
    }
}
