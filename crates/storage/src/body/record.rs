//! Records: lists of fields, each at its declared index.
//!
//! A field without a value is written as null, or left out if no later field has a value. So a record in
//! which every field has a value consists of its head and those values.

use super::wire::Writer;

/// Writes null at the unused indexes from `next` to before `index`.
pub(crate) fn write_gap(to: &mut Writer, next: usize, index: usize) {
    for _ in next..index {
        to.null();
    }
}

/// Whether the indexes ascend strictly and start at `least` or above. The macros below check this at compile
/// time.
pub(crate) const fn is_in_order(least: usize, indexes: &[usize]) -> bool {
    let (mut at, mut free) = (0, least);
    while at < indexes.len() {
        if indexes[at] < free {
            return false;
        }
        free = indexes[at] + 1;
        at += 1;
    }
    true
}

/// Writes the head and the fields of a record. `$least` is the index of the first item after the head.
macro_rules! write_fields {
    ($to:ident, $least:literal, $head:block, $($index:literal: $field:expr),*) => {{
        const _: () = assert!(
            $crate::body::record::is_in_order($least, &[$($index),*]),
            "fields must be in the order of their indexes; index 0 of a union is its code"
        );
        #[allow(unused_mut, reason = "a record may have no fields")]
        let mut length: usize = $least;
        $(if !$crate::body::stored::Stored::is_absent($field) {
            length = $index + 1;
        })*
        $to.list(length);
        $head
        #[allow(unused_mut, unused_variables, unused_assignments, reason = "a record may have no fields")]
        let mut next: usize = $least;
        $(if $index < length {
            $crate::body::record::write_gap($to, next, $index);
            $crate::body::stored::Stored::write($field, $to);
            next = $index + 1;
        })*
        let _ = next;
    }};
}
pub(crate) use write_fields;

/// Reads one field of a record, or uses its default if it is absent.
macro_rules! read_field {
    ($fields:ident, $from:ident, $index:literal) => {
        $fields.required($from, $index)?
    };
    ($fields:ident, $from:ident, $index:literal, $default:expr) => {
        $fields.optional($from, $index)?.unwrap_or_else(|| $default)
    };
}
pub(crate) use read_field;

/// Implements `Stored` for structs: each field at its index. A default after `=` is for required fields that
/// older rows lack. An attribute before a struct applies to its `read` method.
macro_rules! record {
    ($(
        $(#[$attribute:meta])*
        $name:ident $(<$of:lifetime>)? { $($index:literal: $field:ident $(= $default:expr)?),* $(,)? }
    )*) => { $(
        impl $crate::body::stored::Stored for $name $(<$of>)? {
            fn write(&self, to: &mut $crate::body::wire::Writer) {
                $crate::body::record::write_fields!(to, 0, {}, $($index: &self.$field),*);
            }

            $(#[$attribute])*
            fn read(
                from: &mut $crate::body::wire::Reader<'_>,
            ) -> Result<Self, $crate::body::wire::Unreadable> {
                let mut fields = $crate::body::stored::RecordFields::read(from)?;
                let read = $name {
                    $($field: $crate::body::record::read_field!(fields, from, $index $(, $default)?)),*
                };
                fields.end(from)?;
                Ok(read)
            }

            #[inline(always)]
            fn read_ahead(
                from: $crate::body::wire::Ahead<'_>,
            ) -> Option<(Self, $crate::body::wire::Ahead<'_>)> {
                const INDEXES: &[usize] = &[$($index),*];
                let (length, behind) = from.list()?;
                // The fast path reads only records with every field and nothing else. All others, also those
                // with unused indexes, are left to `read`.
                if length != INDEXES.len() || INDEXES.last().is_none_or(|last| last + 1 != length) {
                    return None;
                }
                $(let ($field, behind) = $crate::body::stored::Stored::read_ahead(behind)?;)*
                Some(($name { $($field),* }, behind))
            }
        }
    )* };
}
pub(crate) use record;

/// Implements `Stored` for unions: records whose field 0 is the code of the variant. Declare each variant as
/// its code, the pattern that matches and builds it, and the fields that the pattern names.
macro_rules! union {
    ($name:ty { $($code:literal = ($($form:tt)*) { $($index:literal: $field:ident),* $(,)? }),* $(,)? }) => {
        impl $crate::body::stored::Stored for $name {
            fn write(&self, to: &mut $crate::body::wire::Writer) {
                match self {
                    $($($form)* => $crate::body::record::write_fields!(
                        to, 1, { to.unsigned($code) }, $($index: $field),*
                    ),)*
                }
            }

            #[deny(unreachable_patterns)]
            fn read(
                from: &mut $crate::body::wire::Reader<'_>,
            ) -> Result<Self, $crate::body::wire::Unreadable> {
                let mut fields = $crate::body::stored::RecordFields::read(from)?;
                let code: u64 = fields.required(from, 0)?;
                let read = match code {
                    $($code => {
                        $(let $field = fields.required(from, $index)?;)*
                        $($form)*
                    })*
                    _ => return Err($crate::body::wire::Unreadable::Newer),
                };
                fields.end(from)?;
                Ok(read)
            }

            #[inline(always)]
            fn read_ahead(
                from: $crate::body::wire::Ahead<'_>,
            ) -> Option<(Self, $crate::body::wire::Ahead<'_>)> {
                let (length, from) = from.list()?;
                let (code, behind) = from.unsigned()?;
                match code {
                    $($code => {
                        const INDEXES: &[usize] = &[0, $($index),*];
                        if length != INDEXES.len() || INDEXES[INDEXES.len() - 1] + 1 != length {
                            return None;
                        }
                        $(let ($field, behind) = $crate::body::stored::Stored::read_ahead(behind)?;)*
                        Some(($($form)*, behind))
                    })*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use union;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::stored::Stored;
    use super::super::wire::{Reader, Unreadable, Writer};

    /// Record as an older program knows it.
    #[derive(Debug, Clone, PartialEq)]
    struct Older {
        name: String,
        age: Option<u32>,
    }

    /// The same record after fields were added.
    #[derive(Debug, Clone, PartialEq)]
    struct Newer {
        name: String,
        age: Option<u32>,
        city: Option<String>,
        visits: u32,
        inner: Option<Option<Older>>,
    }

    #[derive(Debug, Clone, PartialEq)]
    enum Shape {
        Point,
        Circle { radius: u32, name: Option<String> },
    }

    #[derive(Debug, Clone, PartialEq)]
    enum OlderShape {
        Point,
    }

    /// Record that contains only numbers and a list of such records.
    #[derive(Debug, Clone, PartialEq)]
    struct Numbers {
        id: [u8; 16],
        parts: Vec<Part>,
    }

    #[derive(Debug, Clone, PartialEq)]
    enum Part {
        Whole,
        Amount { years: u8, amount: i64 },
    }

    record! {
        Older { 0: name, 1: age }
        Newer { 0: name, 1: age, 3: city, 4: visits = 7, 5: inner }
    }
    union! {
        Shape {
            1 = (Shape::Point) {},
            2 = (Shape::Circle { radius, name }) { 1: radius, 2: name },
        }
    }
    union! { OlderShape { 1 = (OlderShape::Point) {} } }
    record! { Numbers { 0: id, 1: parts } }
    union! { Part { 1 = (Part::Whole) {}, 2 = (Part::Amount { years, amount }) { 1: years, 2: amount } } }

    /// Checks that the fast path `read_ahead` gives the same result as `read`.
    fn read_both_ways<T: Stored + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Result<(), TestCaseError> {
        let mut from = Reader::new(bytes);
        if let Some((ahead, behind)) = T::read_ahead(from.ahead()) {
            prop_assert_eq!(T::read(&mut from), Ok(ahead));
            let mut other = Reader::new(bytes);
            other.go_on(behind);
            prop_assert_eq!(from.item(), other.item());
        }
        Ok(())
    }

    fn written(value: &impl Stored) -> Vec<u8> {
        let mut to = Writer::after(&[]);
        value.write(&mut to);
        to.into_bytes()
    }

    fn read<T: Stored>(bytes: &[u8]) -> Result<T, Unreadable> {
        let mut from = Reader::new(bytes);
        let value = T::read(&mut from)?;
        assert!(from.is_at_end());
        Ok(value)
    }

    fn older() -> impl Strategy<Value = Older> {
        any::<(String, Option<u32>)>().prop_map(|(name, age)| Older { name, age })
    }

    proptest! {
        #[test]
        fn a_written_record_is_read_unchanged(
            (name, age, city, visits) in any::<(String, Option<u32>, Option<String>, u32)>(),
            inner in prop::option::of(prop::option::of(older())),
        ) {
            let newer = Newer { name, age, city, visits, inner };
            prop_assert_eq!(read::<Newer>(&written(&newer)), Ok(newer));
        }

        #[test]
        fn an_added_field_is_skipped_by_older_programs_and_absent_in_older_records(
            older in older(),
            (city, visits) in any::<(Option<String>, u32)>(),
            shape: (u32, Option<String>),
        ) {
            let Older { name, age } = older.clone();
            let inner = Some(Some(older.clone()));
            let newer = Newer { name, age, city, visits, inner };
            prop_assert_eq!(read::<Older>(&written(&newer)), Ok(older.clone()));
            let bare = Newer { city: None, visits: 7, inner: None, ..newer };
            prop_assert_eq!(read::<Newer>(&written(&older)), Ok(bare));
            let circle = Shape::Circle { radius: shape.0, name: shape.1 };
            prop_assert_eq!(read::<Shape>(&written(&circle)), Ok(circle.clone()));
            prop_assert_eq!(read::<OlderShape>(&written(&circle)), Err(Unreadable::Newer));
        }

        #[test]
        fn reading_numbers_ahead_gives_the_same_values_as_reading_one_by_one(
            id: [u8; 16],
            parts in prop::collection::vec(any::<Option<(u8, i64, u32)>>(), 0..30),
            at: prop::sample::Index,
            other: u8,
        ) {
            let part = |part: Option<(u8, i64, u32)>| match part {
                None => Part::Whole,
                Some((years, amount, bits)) => Part::Amount { years, amount: amount >> (bits % 64) },
            };
            let numbers = Numbers { id, parts: parts.into_iter().map(part).collect() };
            let mut bytes = written(&numbers);
            prop_assert_eq!(read::<Numbers>(&bytes), Ok(numbers.clone()));
            let followed = [&*bytes, &[0; 8]].concat();
            let ahead = Numbers::read_ahead(Reader::new(&followed).ahead());
            // A list with more than 23 parts is not read ahead.
            prop_assert_eq!(ahead.map(|(ahead, _)| ahead), (numbers.parts.len() <= 23).then_some(numbers));
            let at = at.index(bytes.len());
            bytes[at] = other;
            read_both_ways::<Numbers>(&bytes)?;
            read_both_ways::<Numbers>(&bytes[..at])?;
            read_both_ways::<Vec<Numbers>>(&[&[0b1000_0010], &*bytes, &bytes].concat())?;
        }

        #[test]
        fn reading_ahead_and_reading_one_by_one_give_the_same_for_any_bytes(bytes: Vec<u8>) {
            read_both_ways::<Part>(&bytes)?;
            read_both_ways::<Shape>(&bytes)?;
            read_both_ways::<(u16, i64)>(&bytes)?;
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
            let mut from = Reader::new(&bytes);
            let _ = Newer::read(&mut from);
            let _ = Shape::read(&mut Reader::new(&bytes));
            let _ = Reader::new(&bytes).item();
        }
    }

    #[test]
    fn a_reader_knows_whether_it_skipped_a_value() {
        let newer = |city| Newer { name: "n".into(), age: None, city, visits: 0, inner: None };
        let skips = |bytes: &[u8]| {
            let mut from = Reader::new(bytes);
            Older::read(&mut from).expect("readable");
            from.has_skipped()
        };
        assert!(skips(&written(&newer(Some("c".into())))));
        assert!(!skips(&written(&Older { name: "n".into(), age: None })));
        let point = written(&Shape::Point);
        assert_eq!(read::<OlderShape>(&point), Ok(OlderShape::Point));
    }

    #[test]
    fn absent_fields_at_the_end_of_a_record_take_no_bytes() {
        let bare = Older { name: "n".into(), age: None };
        assert_eq!(written(&bare), [0b1000_0001, 0b0100_0001, b'n']);
        assert_eq!(read::<Older>(&[0b1000_0010, 0b0100_0001, b'n', 0b1100_0000]), Ok(bare));
        assert_eq!(read::<Older>(&[0b1000_0000]), Err(Unreadable::Damaged), "a name must be there");
    }
}
