//! Values that PostgreSQL's statements take and its rows hold.

use std::error::Error;

use domain::id::Uuid;
use ports::storage::{Result, StorageError};
use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::fields::{self, FromValue, RowFields, Value};

/// Value of a statement, with its PostgreSQL type.
pub(crate) trait Parameter: ToSql + Sync {
    /// PostgreSQL type, for statements that are not prepared.
    fn kind(&self) -> Type;

    fn as_sql(&self) -> &(dyn ToSql + Sync);
}

impl Parameter for Value<'_> {
    fn kind(&self) -> Type {
        match self {
            Value::Null => Type::UNKNOWN,
            Value::Integer(_) => Type::INT8,
            Value::Boolean(_) => Type::BOOL,
            Value::Text(_) => Type::TEXT,
            Value::Bytes(_) => Type::BYTEA,
            Value::Id(_) => Type::UUID,
        }
    }

    fn as_sql(&self) -> &(dyn ToSql + Sync) {
        self
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match *self {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(number) => match *kind {
                Type::INT2 => i16::try_from(number)?.to_sql(kind, out),
                Type::INT4 => i32::try_from(number)?.to_sql(kind, out),
                Type::INT8 => number.to_sql(kind, out),
                _ => Err(format!("a number cannot be written to a column of type {kind}").into()),
            },
            Value::Boolean(flag) => match *kind {
                Type::BOOL => flag.to_sql(kind, out),
                _ => Value::Integer(flag.into()).to_sql(kind, out),
            },
            Value::Text(text) => text.to_sql(kind, out),
            Value::Bytes(bytes) => bytes.to_sql(kind, out),
            Value::Id(id) => id.as_slice().to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Parameter of a statement for many records at once: an array with one value for each record, or one value
/// for all.
#[derive(Debug)]
pub(crate) enum Column<'a> {
    One(Value<'a>),
    Ids(Vec<Option<Uuid>>),
    Numbers(Vec<i64>),
    Bytes(Vec<&'a [u8]>),
}

impl Parameter for Column<'_> {
    fn kind(&self) -> Type {
        match self {
            Column::One(value) => value.kind(),
            Column::Ids(_) => Type::UUID_ARRAY,
            Column::Numbers(_) => Type::INT8_ARRAY,
            Column::Bytes(_) => Type::BYTEA_ARRAY,
        }
    }

    fn as_sql(&self) -> &(dyn ToSql + Sync) {
        self
    }
}

impl ToSql for Column<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Column::One(value) => value.to_sql(kind, out),
            Column::Ids(ids) => ids.to_sql(kind, out),
            Column::Numbers(numbers) => numbers.to_sql(kind, out),
            Column::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Value of a row's column, counted from 0.
pub(crate) fn get<'a, T: FromValue<'a>>(row: &'a Row, column: usize) -> Result<T> {
    RowFields::of(row).get(column)
}

impl fields::EngineRow for Row {
    fn value(&self, column: usize) -> Result<Value<'_>> {
        self.try_get(column).map_err(|fault| StorageError::Damaged(fault.to_string()))
    }

    fn name(&self, column: usize) -> Option<&str> {
        self.columns().get(column).map(tokio_postgres::Column::name)
    }
}

impl<'a> FromSql<'a> for Value<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *kind {
            Type::BOOL => Value::Integer(bool::from_sql(kind, raw)?.into()),
            Type::INT2 => Value::Integer(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => Value::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => Value::Integer(i64::from_sql(kind, raw)?),
            Type::TEXT => Value::Text(<&str>::from_sql(kind, raw)?),
            _ => Value::Bytes(raw),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Value::Null)
    }

    fn accepts(kind: &Type) -> bool {
        let known = [Type::BOOL, Type::INT2, Type::INT4, Type::INT8, Type::TEXT, Type::UUID, Type::BYTEA];
        known.contains(kind)
    }
}
