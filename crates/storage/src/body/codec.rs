//! The form of bodies: how each kind of value is written and read.

use std::borrow::Cow;

use domain::date::{BirthDate, Date, Timestamp};
use domain::id::{Id, Kind, Uuid};
use domain::money::Rupees;
use rust_decimal::Decimal;
use service::storage::StorageError;

/// Why a body cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Damaged;

impl From<Damaged> for StorageError {
    fn from(_: Damaged) -> Self {
        StorageError::Damaged("a body does not read as it was written".into())
    }
}

/// A value that bodies hold.
pub(crate) trait Body: Sized {
    /// Writes it at the end.
    fn put(&self, to: &mut Vec<u8>);

    /// Reads it from the front, and moves the front behind it.
    fn take(from: &mut &[u8]) -> Result<Self, Damaged>;
}

/// Writes a body of a version.
pub(crate) fn encode(version: u8, body: &impl Body) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(512);
    bytes.push(version);
    body.put(&mut bytes);
    bytes
}

/// Reads a body of any version up to the newest: so far each only added to the one before. Bytes left over are damage.
pub(crate) fn decode<T: Body>(newest: u8, bytes: &[u8]) -> Result<T, StorageError> {
    let (found, mut rest) = bytes.split_first().ok_or(Damaged)?;
    if !(1..=newest).contains(found) {
        return Err(StorageError::Damaged("a body was written by a newer program".into()));
    }
    let body = T::take(&mut rest)?;
    if rest.is_empty() { Ok(body) } else { Err(Damaged.into()) }
}

/// The next `length` bytes.
pub(crate) fn bytes<'a>(from: &mut &'a [u8], length: usize) -> Result<&'a [u8], Damaged> {
    let (taken, rest) = from.split_at_checked(length).ok_or(Damaged)?;
    *from = rest;
    Ok(taken)
}

impl Body for u64 {
    fn put(&self, to: &mut Vec<u8>) {
        let mut left = *self;
        while left >= 0x80 {
            to.push((left as u8 & 0x7f) | 0x80);
            left >>= 7;
        }
        to.push(left as u8);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = bytes(from, 1)?[0];
            number |= u64::from(byte & 0x7f).checked_shl(shift).ok_or(Damaged)?;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }
}

impl Body for i64 {
    /// Zigzag, so that small negative numbers are short too.
    fn put(&self, to: &mut Vec<u8>) {
        (((*self << 1) ^ (*self >> 63)) as u64).put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        let number = u64::take(from)?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

/// Whole numbers narrower than 64 bits are written as if they were that wide.
macro_rules! narrower {
    ($($narrow:ty as $wide:ty),*) => { $(
        impl Body for $narrow {
            fn put(&self, to: &mut Vec<u8>) {
                <$wide>::from(*self).put(to);
            }

            fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
                <$narrow>::try_from(<$wide>::take(from)?).map_err(|_| Damaged)
            }
        }
    )* };
}
narrower!(u8 as u64, u16 as u64, u32 as u64, i16 as i64);

impl Body for String {
    fn put(&self, to: &mut Vec<u8>) {
        (self.len() as u64).put(to);
        to.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        let length = usize::try_from(u64::take(from)?).map_err(|_| Damaged)?;
        String::from_utf8(bytes(from, length)?.to_vec()).map_err(|_| Damaged)
    }
}

impl<T: Body> Body for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.put(to);
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        match bytes(from, 1)? {
            [0] => Ok(None),
            [1] => T::take(from).map(Some),
            _ => Err(Damaged),
        }
    }
}

impl<T: Body> Body for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        put_all(self, to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        let length = u64::take(from)?;
        (0..length).map(|_| T::take(from)).collect()
    }
}

/// What is written may be another's; what is read is one's own.
impl<T: Body + Clone> Body for Cow<'_, T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_ref().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        T::take(from).map(Cow::Owned)
    }
}

impl<T: Body + Clone> Body for Cow<'_, [T]> {
    fn put(&self, to: &mut Vec<u8>) {
        put_all(self, to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Vec::take(from).map(Cow::Owned)
    }
}

fn put_all(values: &[impl Body], to: &mut Vec<u8>) {
    (values.len() as u64).put(to);
    values.iter().for_each(|value| value.put(to));
}

impl<const N: usize> Body for [u8; N] {
    fn put(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        bytes(from, N)?.try_into().map_err(|_| Damaged)
    }
}

impl<K: Kind> Body for Id<K> {
    fn put(&self, to: &mut Vec<u8>) {
        self.uuid().as_bytes().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Ok(Id::from_uuid(Uuid::from_bytes(<[u8; 16]>::take(from)?)))
    }
}

impl Body for Rupees {
    fn put(&self, to: &mut Vec<u8>) {
        self.paise().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        i64::take(from).map(Rupees::from_paise)
    }
}

impl Body for bool {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        match bytes(from, 1)? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(Damaged),
        }
    }
}

impl Body for Decimal {
    /// As it is written, so that every digit stays.
    fn put(&self, to: &mut Vec<u8>) {
        self.to_string().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        String::take(from)?.parse().map_err(|_| Damaged)
    }
}

impl<A: Body, B: Body> Body for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

impl Body for Timestamp {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_microsecond().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Timestamp::from_microsecond(i64::take(from)?).map_err(|_| Damaged)
    }
}

impl Body for Date {
    fn put(&self, to: &mut Vec<u8>) {
        self.year().put(to);
        to.push(self.month() as u8);
        to.push(self.day() as u8);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        let year = i16::take(from)?;
        let [month, day] = <[u8; 2]>::take(from)?;
        Date::new(year, month as i8, day as i8).map_err(|_| Damaged)
    }
}

impl Body for BirthDate {
    fn put(&self, to: &mut Vec<u8>) {
        self.reveal().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Date::take(from).map(BirthDate::kept)
    }
}

/// Structs: their fields in the order named.
macro_rules! record {
    ($($name:ident $(<$of:lifetime>)? { $($field:ident),* $(,)? })*) => { $(
        impl $crate::body::codec::Body for $name $(<$of>)? {
            fn put(&self, to: &mut Vec<u8>) {
                $(self.$field.put(to);)*
            }

            fn take(from: &mut &[u8]) -> Result<Self, $crate::body::codec::Damaged> {
                Ok($name { $($field: $crate::body::codec::Body::take(from)?),* })
            }
        }
    )* };
}
pub(crate) use record;

/// Words of the contract: one byte, their place in the contract's list.
macro_rules! words {
    ($($name:ident),* $(,)?) => { $(
        impl $crate::body::codec::Body for $name {
            fn put(&self, to: &mut Vec<u8>) {
                to.push(*self as u8);
            }

            fn take(from: &mut &[u8]) -> Result<Self, $crate::body::codec::Damaged> {
                let place = $crate::body::codec::bytes(from, 1)?[0];
                $name::ALL.get(usize::from(place)).copied().ok_or($crate::body::codec::Damaged)
            }
        }
    )* };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reads_back<T: Body + PartialEq + std::fmt::Debug>(value: T) {
        let mut written = Vec::new();
        value.put(&mut written);
        let mut rest = written.as_slice();
        assert_eq!(T::take(&mut rest).as_ref(), Ok(&value));
        assert!(rest.is_empty());
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(unsigned: u64, signed: i64, text: String, list: Vec<Option<u32>>) {
            reads_back(unsigned);
            reads_back(signed);
            reads_back(text);
            reads_back(list);
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
            let _ = <Vec<Option<String>>>::take(&mut bytes.as_slice());
            let _ = Date::take(&mut bytes.as_slice());
            let _ = Timestamp::take(&mut bytes.as_slice());
        }
    }

    #[test]
    fn the_widest_numbers_read_back() {
        reads_back(u64::MAX);
        reads_back(i64::MIN);
        reads_back(i64::MAX);
    }
}
