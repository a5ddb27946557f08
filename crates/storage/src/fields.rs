//! Values in statements or rows of either engine: ids are 16 bytes, instants are microseconds, enum variants
//! are codes.

use domain::date::{Date, Timestamp};
use domain::id::{Id, Kind, PartnerId, Uuid};
use domain::money::Rupees;
use domain::policy::PolicyNumber;
use ports::storage::{Result, StorageError};

use crate::codes::{Coded, unknown_code};
use crate::records::counted::{day_number, numbered_day};

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
    u64: number => Value::Integer(i64::try_from(*number).unwrap_or(i64::MAX));
    Timestamp: at => Value::Integer(at.as_microsecond());
    Date: day => Value::Integer(day_number(*day).into());
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

    /// Value of the column with a name. `near`: where the column probably is, which is looked at first.
    pub(crate) fn named<T: FromValue<'a>>(self, near: usize, name: &str) -> Result<T> {
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

/// Row that a statement can add.
pub(crate) trait ToRow {
    /// Names of the columns, the partner first.
    const COLUMNS: &'static [&'static str];

    /// Values of a new row, in the order of [`ToRow::COLUMNS`].
    fn values(&self, of: PartnerId) -> Vec<Value<'_>>;
}

/// Declares the columns of a table's row, in types of the domain.
///
/// The encrypted body of the row is bound to the `bound` columns ([`Bound`](crate::records::bound::Bound)), in
/// this order. Never change the order: it is that of all stored rows. The row has `free` columns too, among
/// them the body.
///
/// A statement may return the columns in any order, with others, because they are read by name. `in`: the
/// statement that adds a row. Its first columns must be the partner and these columns, which is checked when
/// the program is compiled.
macro_rules! row {
    (
        $(#[$doc:meta])*
        $name:ident $(in $insert:literal)? {
            $($(#[$bound_doc:meta])* $bound:ident: $bound_type:ty,)*
        } free {
            $($(#[$free_doc:meta])* $free:ident: $free_type:ty,)*
        }
    ) => {
        $(#[$doc])*
        pub(crate) struct $name {
            $($(#[$bound_doc])* pub(crate) $bound: $bound_type,)*
            $($(#[$free_doc])* pub(crate) $free: $free_type,)*
        }

        impl $crate::fields::FromRow for $name {
            fn columns(row: $crate::fields::RowFields<'_>) -> ports::storage::Result<Self> {
                let mut at = 0..;
                let mut near = || at.next().unwrap_or_default();
                Ok($name {
                    $($bound: row.named(near(), stringify!($bound))?,)*
                    $($free: row.named(near(), stringify!($free))?,)*
                })
            }
        }

        impl $name {
            /// Columns to which the row's encrypted body is bound, so that a change of a column is detected.
            /// They follow those of `start`, such as the partner.
            pub(crate) fn bound(&self, start: $crate::records::bound::Bound) -> $crate::records::bound::Bound {
                let columns = [$($crate::fields::ToValue::to_value(&self.$bound)),*];
                columns.into_iter().fold(start, |bound, column| bound.value(column))
            }
        }

        impl $crate::fields::ToRow for $name {
            const COLUMNS: &'static [&'static str] =
                &["partner_id", $(stringify!($bound),)* $(stringify!($free)),*];

            fn values(&self, of: domain::id::PartnerId) -> Vec<$crate::fields::Value<'_>> {
                vec![
                    $crate::fields::ToValue::to_value(&of),
                    $($crate::fields::ToValue::to_value(&self.$bound),)*
                    $($crate::fields::ToValue::to_value(&self.$free),)*
                ]
            }
        }

        $(const _: () = assert!(
            $crate::fields::adds($crate::operation::text!($insert), <$name as $crate::fields::ToRow>::COLUMNS),
            "the statement adds other columns first",
        );)?
    };
}
pub(crate) use row;

/// Whether the columns of an `insert` begin with these.
pub(crate) const fn adds(statement: &str, columns: &[&str]) -> bool {
    let text = statement.as_bytes();
    let mut at = 0;
    // The list of columns opens the first line that begins with a blank and a bracket, or follows the table.
    while !(text[at] == b'(' && is_word(text, at + 1, columns[0].as_bytes())) {
        at += 1;
        if at == text.len() {
            return false;
        }
    }
    let mut column = 0;
    while column < columns.len() {
        at += 1;
        while text[at] == b' ' || text[at] == b'\n' {
            at += 1;
        }
        let name = columns[column].as_bytes();
        if !is_word(text, at, name) {
            return false;
        }
        at += name.len();
        column += 1;
    }
    true
}

/// Whether the text has a word here, which a comma or bracket follows.
const fn is_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    let mut letter = 0;
    while letter < word.len() {
        if at + letter >= text.len() || text[at + letter] != word[letter] {
            return false;
        }
        letter += 1;
    }
    at + letter < text.len() && (text[at + letter] == b',' || text[at + letter] == b')')
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
    fn a_message_about_an_unfit_value_does_not_have_the_value() {
        let fault = RowFields::of(&Name).get::<i64>(3).expect_err("a text is no number").into_why();
        assert_eq!(fault, "column 3 of a row has invalid text");
    }

    #[test]
    fn columns_are_read_by_name_wherever_they_are() {
        let row = RowFields::of(&Name);
        for near in 0..3 {
            assert_eq!(row.named::<String>(near, "last_name").expect("a column"), "Asha Rao");
        }
        let fault = row.named::<String>(0, "name").expect_err("no such column").into_why();
        assert_eq!(fault, "a row has no column name");
    }

    #[test]
    fn a_statement_that_adds_other_columns_is_noticed() {
        let statement =
            "-- (a comment)\ninsert into claims\n    (partner_id, claim_id, line) values ($1, $2, $3)";
        assert!(adds(statement, &["partner_id", "claim_id"]));
        assert!(adds(statement, &["partner_id", "claim_id", "line"]));
        assert!(!adds(statement, &["partner_id", "line"]));
        assert!(!adds(statement, &["partner_id", "claim"]));
        assert!(!adds(statement, &["claim_id"]));
    }
}
