//! Columns of a row to which its encrypted body is bound. They are the associated data of the encryption.
//!
//! A body can be decrypted only with the column values with which it was encrypted. So a column that someone
//! changed without the keyring is detected as damage. SECURITY.md lists these columns.

use std::ops::Deref;

use domain::id::PartnerId;
use smallvec::SmallVec;

use super::id_bytes;
use crate::fields::Value;

/// Bytes of the columns to which an encrypted body is bound. Different rows never give the same bytes.
pub(crate) struct Bound(SmallVec<[u8; 96]>);

impl Bound {
    /// Begins with the ids of a partner and of the partner's row.
    pub(crate) fn row(of: PartnerId, id: &[u8]) -> Self {
        Bound::of_partner(&id_bytes(of)).bytes(Some(id))
    }

    /// Bytes of some columns. The first one is the id of whom the row belongs to.
    pub(crate) fn of(columns: &[Value<'_>]) -> Self {
        let (owner, columns) = match columns {
            [Value::Id(owner), columns @ ..] => (&owner[..], columns),
            columns => (&[][..], columns),
        };
        columns.iter().fold(Bound::of_partner(owner), |bound, column| bound.value(*column))
    }

    /// Adds a column of any type.
    pub(crate) fn value(self, column: Value<'_>) -> Self {
        match column {
            Value::Null => self.bytes(None),
            Value::Integer(number) => self.number(number),
            Value::Boolean(flag) => self.number(flag),
            Value::Text(text) => self.bytes(Some(text.as_bytes())),
            Value::Bytes(bytes) => self.bytes(Some(bytes)),
            Value::Id(id) => self.bytes(Some(&id)),
        }
    }

    /// Begins with the 16 bytes of a partner's id.
    pub(crate) fn of_partner(partner: &[u8]) -> Self {
        Bound(SmallVec::from_slice(partner))
    }

    /// Adds a column of bytes or text.
    pub(crate) fn bytes(mut self, column: Option<&[u8]>) -> Self {
        // A null gets a length that no column has.
        let length = column.map_or(u32::MAX, |bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX - 1));
        self.0.extend_from_slice(&length.to_be_bytes());
        self.0.extend_from_slice(column.unwrap_or_default());
        self
    }

    pub(crate) fn number(self, column: impl Into<i64>) -> Self {
        self.bytes(Some(&column.into().to_be_bytes()))
    }

    /// Adds a number column that may be null.
    pub(crate) fn optional(self, column: Option<i64>) -> Self {
        self.bytes(column.map(i64::to_be_bytes).as_ref().map(|bytes| &bytes[..]))
    }
}

impl Deref for Bound {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Bound {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid;

    use super::*;

    fn bound(columns: &[Option<&[u8]>]) -> Vec<u8> {
        let row = Bound::row(PartnerId::from_uuid(Uuid::from_u128(1)), b"id");
        columns.iter().fold(row, |row, column| row.bytes(*column)).0.to_vec()
    }

    #[test]
    fn rows_with_different_bound_columns_have_different_associated_data() {
        let rows = [
            bound(&[Some(b"a"), Some(b"b")]),
            bound(&[Some(b"ab"), Some(b"")]),
            bound(&[Some(b""), Some(b"ab")]),
            bound(&[None, Some(b"ab")]),
            bound(&[Some(b"ab"), None]),
            bound(&[Some(b"ab")]),
        ];
        for (number, row) in rows.iter().enumerate() {
            assert!(rows.iter().skip(number + 1).all(|other| other != row));
        }
    }
}
