//! Encoding of values in bodies: each value is one item.

use crate::fields::Coded;
use std::borrow::Cow;

use domain::date::{BirthDate, Date, Timestamp};
use domain::id::{Id, Kind, Uuid};
use domain::money::Rupees;
use rust_decimal::Decimal;

use super::wire::{Ahead, Reader, Unreadable, Writer};

/// State while a record is read: index of the next field, and number of fields that were written.
pub(crate) struct RecordFields {
    next: usize,
    length: usize,
}

impl RecordFields {
    /// Reads the head of a record.
    #[inline]
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Ok(RecordFields { next: 0, length: from.list()? })
    }

    /// Reads the field at an index, which must be above the previous index. `None` if the record has no value
    /// there. Unknown fields in between are skipped.
    #[inline(always)]
    pub(crate) fn optional<T: Stored>(
        &mut self,
        from: &mut Reader<'_>,
        index: usize,
    ) -> Result<Option<T>, Unreadable> {
        if self.reach(from, index)? && !from.take_null() { T::read(from).map(Some) } else { Ok(None) }
    }

    /// Like [`RecordFields::optional`], but an absent value is an error unless the type has [`Stored::ABSENT`].
    #[inline(always)]
    pub(crate) fn required<T: Stored>(
        &mut self,
        from: &mut Reader<'_>,
        index: usize,
    ) -> Result<T, Unreadable> {
        // A type without `ABSENT` refuses null in its own `read`.
        if self.reach(from, index)? && (T::ABSENT.is_none() || !from.take_null()) {
            return T::read(from);
        }
        T::ABSENT.ok_or(Unreadable::Damaged)
    }

    /// Moves to an index. Returns whether the record has an item there.
    #[inline(always)]
    fn reach(&mut self, from: &mut Reader<'_>, index: usize) -> Result<bool, Unreadable> {
        if self.next < index {
            self.skip_to(from, index)?;
        }
        if index >= self.length {
            return Ok(false);
        }
        self.next = index + 1;
        Ok(true)
    }

    /// Ends the record. Remaining fields are unknown to this program and are skipped.
    #[inline]
    pub(crate) fn end(mut self, from: &mut Reader<'_>) -> Result<(), Unreadable> {
        if self.next < self.length { self.skip_to(from, usize::MAX) } else { Ok(()) }
    }

    #[cold]
    fn skip_to(&mut self, from: &mut Reader<'_>, index: usize) -> Result<(), Unreadable> {
        while self.next < index.min(self.length) {
            from.skip_unknown()?;
            self.next += 1;
        }
        Ok(())
    }
}

/// Value that a body stores as one item.
pub(crate) trait Stored: Sized {
    fn write(&self, to: &mut Writer);

    /// Reads the value.
    ///
    /// # Errors
    /// [`Unreadable::Newer`] if the value holds an enum variant that this program does not know.
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable>;

    /// Fast path for values that consist only of numbers. If this returns `None`, use [`Stored::read`].
    #[inline(always)]
    fn read_ahead(_from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        None
    }

    /// Whether a record need not contain the value, as with `None`.
    fn is_absent(&self) -> bool {
        false
    }

    /// Value of a field that a record does not contain. `None` if the field is required.
    const ABSENT: Option<Self> = None;
}

/// Written as the code of the enum variant.
impl<T: Coded> Stored for T {
    fn write(&self, to: &mut Writer) {
        to.unsigned(self.code().into());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let code = u8::try_from(from.unsigned()?).map_err(|_| Unreadable::Newer)?;
        T::from_code(code).ok_or(Unreadable::Newer)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (code, behind) = u8::read_ahead(from)?;
        Some((T::from_code(code)?, behind))
    }
}

/// Implements `Stored` for whole numbers, in as few bytes as they need.
macro_rules! whole_numbers {
    ($($number:ty: $method:ident),*) => { $(
        impl Stored for $number {
            fn write(&self, to: &mut Writer) {
                to.$method((*self).into());
            }

            #[inline]
            fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
                <$number>::try_from(from.$method()?).map_err(|_| Unreadable::Damaged)
            }

            #[inline(always)]
            fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
                let (number, behind) = from.$method()?;
                Some((<$number>::try_from(number).ok()?, behind))
            }
        }
    )* };
}
whole_numbers!(u8: unsigned, u16: unsigned, u32: unsigned, u64: unsigned, i64: signed);

/// Written as the number 0 or 1.
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

    #[inline]
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.bytes()?.try_into().map_err(|_| Unreadable::Damaged)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        from.bytes()
    }
}

impl Stored for Uuid {
    fn write(&self, to: &mut Writer) {
        self.as_bytes().write(to);
    }

    #[inline]
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        <[u8; 16]>::read(from).map(Uuid::from_bytes)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (bytes, behind) = from.bytes()?;
        Some((Uuid::from_bytes(bytes), behind))
    }
}

/// `None` is written as null, and `Some(None)` as undefined. A third nested option cannot be stored.
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
            return T::ABSENT.map(Some).ok_or(Unreadable::Damaged);
        }
        T::read(from).map(Some)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    const ABSENT: Option<Self> = Some(None);
}

/// Most values of a list for which memory is reserved in advance, because damaged bytes may state any length.
const FORESEEN: usize = 64;

impl<T: Stored> Stored for Vec<T> {
    fn write(&self, to: &mut Writer) {
        write_all(self, to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let length = from.list()?;
        let mut values = Vec::with_capacity(length.min(FORESEEN));
        let mut ahead = from.ahead();
        for _ in 0..length {
            if let Some((value, behind)) = T::read_ahead(ahead) {
                values.push(value);
                ahead = behind;
                continue;
            }
            from.go_on(ahead);
            values.push(T::read(from)?);
            ahead = from.ahead();
        }
        from.go_on(ahead);
        Ok(values)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (length, mut from) = from.list()?;
        let mut values = Vec::with_capacity(length);
        for _ in 0..length {
            let (value, behind) = T::read_ahead(from)?;
            values.push(value);
            from = behind;
        }
        Some((values, from))
    }
}

/// Writes values as a list.
pub(crate) fn write_all(values: &[impl Stored], to: &mut Writer) {
    to.list(values.len());
    values.iter().for_each(|value| value.write(to));
}

/// The value may be borrowed when it is written. It is owned when it is read.
impl<T: Stored + Clone> Stored for Cow<'_, T> {
    fn write(&self, to: &mut Writer) {
        self.as_ref().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        T::read(from).map(Cow::Owned)
    }
}

impl Stored for Cow<'_, str> {
    fn write(&self, to: &mut Writer) {
        to.text(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        String::read(from).map(Cow::Owned)
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

/// Implements `Stored` for values that unions hold in a box to keep their variants small.
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

/// Written as a record of two fields.
impl<A: Stored, B: Stored> Stored for (A, B) {
    fn write(&self, to: &mut Writer) {
        to.list(2);
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = RecordFields::read(from)?;
        let pair = (fields.required(from, 0)?, fields.required(from, 1)?);
        fields.end(from)?;
        Ok(pair)
    }
}

impl<K: Kind> Stored for Id<K> {
    fn write(&self, to: &mut Writer) {
        to.bytes(self.uuid().as_bytes());
    }

    #[inline]
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Uuid::read(from).map(Id::from_uuid)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (uuid, behind) = Uuid::read_ahead(from)?;
        Some((Id::from_uuid(uuid), behind))
    }
}

impl Stored for Rupees {
    fn write(&self, to: &mut Writer) {
        to.signed(self.paise());
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.signed().map(Rupees::from_paise)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (paise, behind) = from.signed()?;
        Some((Rupees::from_paise(paise), behind))
    }
}

/// Written as a record of scale, low and high half of the mantissa, and sign. Every digit is preserved,
/// including zeros at the end.
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
        let mut fields = RecordFields::read(from)?;
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

    /// Reads only positive decimals whose mantissa fits in 64 bits, as most do.
    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (2, from) = from.list()? else { return None };
        let (scale, from) = u32::read_ahead(from)?;
        let (low, behind) = u64::read_ahead(from)?;
        Some((Decimal::try_from_i128_with_scale(low.into(), scale).ok()?, behind))
    }
}

/// Written as microseconds since 1970.
impl Stored for Timestamp {
    fn write(&self, to: &mut Writer) {
        to.signed(self.as_microsecond());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Timestamp::from_microsecond(from.signed()?).map_err(|_| Unreadable::Damaged)
    }
}

/// Written as one number in the form YYYYMMDD, such as 20261120.
impl Stored for Date {
    fn write(&self, to: &mut Writer) {
        let in_year = i64::from(self.month()) * 100 + i64::from(self.day());
        to.signed(i64::from(self.year()) * 10_000 + in_year);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let number = from.signed()?;
        let (year, in_year) = (number.div_euclid(10_000), number.rem_euclid(10_000));
        let year = i16::try_from(year).map_err(|_| Unreadable::Damaged)?;
        // Both are below 100, so they fit.
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

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use domain::person::Gender;
    use proptest::prelude::*;

    use super::*;

    fn read<T: Stored>(bytes: &[u8]) -> Result<T, Unreadable> {
        T::read(&mut Reader::new(bytes))
    }

    #[track_caller]
    fn reads_back<T: Stored + PartialEq + Debug>(value: T) {
        let mut to = Writer::after(&[]);
        value.write(&mut to);
        let written = to.into_bytes();
        let mut from = Reader::new(&written);
        assert_eq!(T::read(&mut from), Ok(value));
        assert!(from.is_at_end());
        assert_eq!(Reader::new(&written).item(), Ok(written.as_slice()));
    }

    proptest! {
        #[test]
        fn written_values_are_read_unchanged(
            numbers in any::<(u8, u16, u32, u64, i64, bool)>(),
            text: String,
            list: Vec<Option<u32>>,
            nested: Option<Option<String>>,
            pair: (String, Option<bool>),
            bytes: [u8; 32],
        ) {
            reads_back(numbers.0);
            reads_back(numbers.1);
            reads_back(numbers.2);
            reads_back(numbers.3);
            reads_back(numbers.4);
            reads_back(numbers.5);
            reads_back(Rupees::from_paise(numbers.4));
            reads_back(text);
            reads_back(list);
            reads_back(nested);
            reads_back(pair);
            reads_back(bytes);
        }

        #[test]
        fn written_days_and_instants_are_read_unchanged(
            (year, month, day) in (-9999..=9999_i16, 1..=12_i8, 1..=28_i8),
            at in -377_705_023_201_000_000_i64..=253_402_207_200_000_000,
        ) {
            reads_back(Date::new(year, month, day).expect("a day of the calendar"));
            reads_back(Timestamp::from_microsecond(at).expect("in range"));
        }

        #[test]
        fn a_written_decimal_is_read_with_all_of_its_digits(
            (low, middle, high) in any::<(u32, u32, u32)>(),
            (is_negative, is_wide) in any::<(bool, bool)>(),
            scale in 0..=28_u32,
        ) {
            let high = if is_wide { high } else { 0 };
            let number = Decimal::from_parts(low, middle, high, is_negative, scale);
            let mut to = Writer::after(&[]);
            number.write(&mut to);
            let same: Decimal = read(&to.into_bytes()).expect("readable");
            prop_assert_eq!(same.to_string(), number.to_string());
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
            let _ = read::<Vec<Option<String>>>(&bytes);
            let _ = read::<Date>(&bytes);
            let _ = read::<Timestamp>(&bytes);
            let _ = read::<Decimal>(&bytes);
            let _ = read::<Option<Option<[u8; 16]>>>(&bytes);
        }
    }

    #[test]
    fn an_unknown_code_is_reported_as_written_by_a_newer_program() {
        reads_back(Gender::Female);
        for code in [0, 3, 255, 256, u64::MAX] {
            let mut to = Writer::after(&[]);
            to.unsigned(code);
            assert_eq!(read::<Gender>(&to.into_bytes()), Err(Unreadable::Newer));
        }
        let mut to = Writer::after(&[]);
        to.text("FEMALE");
        assert_eq!(read::<Gender>(&to.into_bytes()), Err(Unreadable::Damaged));
    }
}
