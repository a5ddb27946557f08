//! How values lie in bodies: one item each.

use std::borrow::Cow;

use domain::date::{BirthDate, Date, Timestamp};
use domain::id::{Id, Kind, Uuid};
use domain::money::Rupees;
use rust_decimal::Decimal;

use super::record::Fields;
use super::wire::{Reader, Unreadable, Writer};
use crate::codes::Coded;

/// A value that bodies hold as one item.
pub(crate) trait Stored: Sized {
    /// Writes it.
    fn write(&self, to: &mut Writer);

    /// Reads it.
    ///
    /// # Errors
    /// [`Unreadable::Newer`] where it holds a word that this program does not know.
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable>;

    /// Whether a record leaves it out.
    fn is_absent(&self) -> bool {
        false
    }

    /// What a record has that leaves it out. `None`: no record may.
    fn absent() -> Option<Self> {
        None
    }
}

/// Words, by the codes that are written down.
impl<T: Coded> Stored for T {
    fn write(&self, to: &mut Writer) {
        to.unsigned(self.code().into());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let code = u8::try_from(from.unsigned()?).map_err(|_| Unreadable::Newer)?;
        T::from_code(code).ok_or(Unreadable::Newer)
    }
}

/// Whole numbers, in as few bytes as they need.
macro_rules! whole_numbers {
    ($($number:ty: $method:ident),*) => { $(
        impl Stored for $number {
            fn write(&self, to: &mut Writer) {
                to.$method((*self).into());
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
                <$number>::try_from(from.$method()?).map_err(|_| Unreadable::Damaged)
            }
        }
    )* };
}
whole_numbers!(u8: unsigned, u16: unsigned, u32: unsigned, u64: unsigned, i64: signed);

/// 0 or 1.
impl Stored for bool {
    fn write(&self, to: &mut Writer) {
        to.unsigned((*self).into());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        match from.unsigned()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Unreadable::Damaged),
        }
    }
}

impl Stored for String {
    fn write(&self, to: &mut Writer) {
        to.text(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.text().map(str::to_owned)
    }
}

impl<const N: usize> Stored for [u8; N] {
    fn write(&self, to: &mut Writer) {
        to.bytes(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.bytes()?.try_into().map_err(|_| Unreadable::Damaged)
    }
}

/// `None` is null. `Some(None)` of an option in an option is undefined; a third option around these cannot be kept.
impl<T: Stored> Stored for Option<T> {
    fn write(&self, to: &mut Writer) {
        match self {
            None => to.null(),
            Some(value) if value.is_absent() => to.undefined(),
            Some(value) => value.write(to),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        if from.take_null() {
            return Ok(None);
        }
        if from.take_undefined() {
            return T::absent().map(Some).ok_or(Unreadable::Damaged);
        }
        T::read(from).map(Some)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// For how many values of a list there is room at once: damaged bytes may promise any number.
const FORESEEN: usize = 64;

impl<T: Stored> Stored for Vec<T> {
    fn write(&self, to: &mut Writer) {
        write_all(self, to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let length = from.list()?;
        let mut values = Vec::with_capacity(length.min(FORESEEN));
        for _ in 0..length {
            values.push(T::read(from)?);
        }
        Ok(values)
    }
}

/// Writes a list.
pub(crate) fn write_all(values: &[impl Stored], to: &mut Writer) {
    to.list(values.len());
    values.iter().for_each(|value| value.write(to));
}

/// What is written may be another's; what is read is one's own.
impl<T: Stored + Clone> Stored for Cow<'_, T> {
    fn write(&self, to: &mut Writer) {
        self.as_ref().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        T::read(from).map(Cow::Owned)
    }
}

impl<T: Stored + Clone> Stored for Cow<'_, [T]> {
    fn write(&self, to: &mut Writer) {
        write_all(self, to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Vec::read(from).map(Cow::Owned)
    }
}

/// What a union holds in a box, so that its variants are of one size.
macro_rules! boxed {
    ($($name:ty),* $(,)?) => { $(
        impl $crate::body::stored::Stored for Box<$name> {
            fn write(&self, to: &mut $crate::body::wire::Writer) {
                self.as_ref().write(to);
            }

            fn read(
                from: &mut $crate::body::wire::Reader<'_>,
            ) -> Result<Self, $crate::body::wire::Unreadable> {
                <$name>::read(from).map(Box::new)
            }
        }
    )* };
}
pub(crate) use boxed;

/// A record of two fields.
impl<A: Stored, B: Stored> Stored for (A, B) {
    fn write(&self, to: &mut Writer) {
        to.list(2);
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = Fields::read(from)?;
        let pair = (fields.required(from, 0)?, fields.required(from, 1)?);
        fields.end(from)?;
        Ok(pair)
    }
}

impl<K: Kind> Stored for Id<K> {
    fn write(&self, to: &mut Writer) {
        to.bytes(self.uuid().as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        <[u8; 16]>::read(from).map(|bytes| Id::from_uuid(Uuid::from_bytes(bytes)))
    }
}

impl Stored for Rupees {
    fn write(&self, to: &mut Writer) {
        to.signed(self.paise());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.signed().map(Rupees::from_paise)
    }
}

/// A record of scale, low and high half of the mantissa, and sign, so that every digit stays, zeros at the end included.
impl Stored for Decimal {
    fn write(&self, to: &mut Writer) {
        let mantissa = self.mantissa().unsigned_abs();
        let high = (mantissa >> 64) as u64;
        let is_negative = self.is_sign_negative();
        let length = match (high, is_negative) {
            (0, false) => 2,
            (_, false) => 3,
            (_, true) => 4,
        };
        to.list(length);
        to.unsigned(self.scale().into());
        to.unsigned(mantissa as u64);
        if length > 2 {
            to.unsigned(high);
        }
        if length > 3 {
            is_negative.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = Fields::read(from)?;
        let (scale, low): (u32, u64) = (fields.required(from, 0)?, fields.required(from, 1)?);
        let high: u64 = fields.optional(from, 2)?.unwrap_or_default();
        let is_negative: bool = fields.optional(from, 3)?.unwrap_or_default();
        fields.end(from)?;
        let mantissa = i128::try_from(u128::from(high) << 64 | u128::from(low));
        let number = Decimal::try_from_i128_with_scale(mantissa.map_err(|_| Unreadable::Damaged)?, scale);
        let mut number = number.map_err(|_| Unreadable::Damaged)?;
        number.set_sign_negative(is_negative);
        Ok(number)
    }
}

/// Microseconds since 1970.
impl Stored for Timestamp {
    fn write(&self, to: &mut Writer) {
        to.signed(self.as_microsecond());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Timestamp::from_microsecond(from.signed()?).map_err(|_| Unreadable::Damaged)
    }
}

/// One number that reads as a date: 20261120.
impl Stored for Date {
    fn write(&self, to: &mut Writer) {
        let in_year = i64::from(self.month()) * 100 + i64::from(self.day());
        to.signed(i64::from(self.year()) * 10_000 + in_year);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let number = from.signed()?;
        let (year, in_year) = (number.div_euclid(10_000), number.rem_euclid(10_000));
        let year = i16::try_from(year).map_err(|_| Unreadable::Damaged)?;
        // Below 100 each.
        let (month, day) = ((in_year / 100) as i8, (in_year % 100) as i8);
        Date::new(year, month, day).map_err(|_| Unreadable::Damaged)
    }
}

impl Stored for BirthDate {
    fn write(&self, to: &mut Writer) {
        self.reveal().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Date::read(from).map(BirthDate::kept)
    }
}
