//! The wire of bodies: items that say their own length, so that a reader can skip one it does not know.
//!
//! The first byte of an item has its kind in the two highest bits, then one bit that says whether the number goes on, then the
//! number's lowest five bits. Each byte that follows has that bit and seven more. So a number below 32 takes one byte, one
//! below 4,096 two. Bytes and lists have their length as the number, and their content behind it.

use service::storage::StorageError;

use crate::codes::unknown_code;

/// Why a body cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// The bytes are no body of this kind.
    Damaged,
    /// A newer program wrote it, and this one does not know all of its words.
    Newer,
}

impl From<Unreadable> for StorageError {
    fn from(why: Unreadable) -> Self {
        match why {
            Unreadable::Damaged => StorageError::Damaged("a body does not read as it was written".into()),
            Unreadable::Newer => unknown_code(),
        }
    }
}

const NUMBER: u8 = 0b0000_0000;
const BYTES: u8 = 0b0100_0000;
const LIST: u8 = 0b1000_0000;
/// Items of one byte that have no value.
const EMPTY: u8 = 0b1100_0000;
const KIND: u8 = 0b1100_0000;

/// The bit of an item's first byte that says that the number goes on.
const GOES_ON: u8 = 0b0010_0000;
/// The same bit of the bytes that follow.
const STILL_GOES_ON: u8 = 0b1000_0000;

/// The item that stands where a record has no value.
pub(crate) const NULL: u8 = EMPTY;
/// The item of a value that is itself without a value.
const UNDEFINED: u8 = EMPTY | 1;

/// Writes items behind each other.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Begins with plain bytes, which are no item.
    pub(crate) fn after(first: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(512);
        bytes.extend_from_slice(first);
        Writer(bytes)
    }

    /// What was written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn head(&mut self, kind: u8, number: u64) {
        let first = kind | (number as u8 & 0x1f);
        let mut left = number >> 5;
        if left == 0 {
            return self.0.push(first);
        }
        self.0.push(first | GOES_ON);
        while left >= 0x80 {
            self.0.push(left as u8 | STILL_GOES_ON);
            left >>= 7;
        }
        self.0.push(left as u8);
    }

    /// A whole number that is not negative.
    pub(crate) fn unsigned(&mut self, number: u64) {
        self.head(NUMBER, number);
    }

    /// A whole number. Small negative ones are short too: 0, -1, 1, -2 … are written as 0, 1, 2, 3 ….
    pub(crate) fn signed(&mut self, number: i64) {
        self.head(NUMBER, ((number << 1) ^ (number >> 63)) as u64);
    }

    /// Bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.head(BYTES, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Text, as its bytes in UTF-8.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The head of a list: so many items follow.
    pub(crate) fn list(&mut self, length: usize) {
        self.head(LIST, length as u64);
    }

    /// No value.
    pub(crate) fn null(&mut self) {
        self.0.push(NULL);
    }

    /// A value that is itself without a value.
    pub(crate) fn undefined(&mut self) {
        self.0.push(UNDEFINED);
    }

    /// An item that was written before.
    pub(crate) fn item(&mut self, item: &[u8]) {
        self.0.extend_from_slice(item);
    }
}

/// Reads items one after the other.
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    has_skipped: bool,
}

impl<'b> Reader<'b> {
    /// Reads from the front of bytes.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Reader { rest: bytes, has_skipped: false }
    }

    /// Whether every item was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Whether a value was skipped that this program does not know.
    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// The kind and the number of the next item.
    #[inline]
    fn head(&mut self) -> Result<(u8, u64), Unreadable> {
        let (first, rest) = self.rest.split_first().ok_or(Unreadable::Damaged)?;
        self.rest = rest;
        let number = u64::from(first & 0x1f);
        if first & GOES_ON == 0 {
            Ok((first & KIND, number))
        } else {
            Ok((first & KIND, self.longer(number)?))
        }
    }

    /// The rest of a number whose lowest five bits were read.
    fn longer(&mut self, mut number: u64) -> Result<u64, Unreadable> {
        let mut shift = 5;
        loop {
            let (byte, rest) = self.rest.split_first().ok_or(Unreadable::Damaged)?;
            self.rest = rest;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || (bits << shift) >> shift != bits {
                return Err(Unreadable::Damaged);
            }
            number |= bits << shift;
            shift += 7;
            if byte & STILL_GOES_ON == 0 {
                return Ok(number);
            }
        }
    }

    /// The number of the next item, which must be of this kind.
    #[inline]
    fn number_of(&mut self, kind: u8) -> Result<u64, Unreadable> {
        let (found, number) = self.head()?;
        if found == kind { Ok(number) } else { Err(Unreadable::Damaged) }
    }

    fn take_bytes(&mut self, length: u64) -> Result<&'b [u8], Unreadable> {
        let length = usize::try_from(length).map_err(|_| Unreadable::Damaged)?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(Unreadable::Damaged)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// A whole number that is not negative.
    pub(crate) fn unsigned(&mut self) -> Result<u64, Unreadable> {
        self.number_of(NUMBER)
    }

    /// A whole number.
    pub(crate) fn signed(&mut self) -> Result<i64, Unreadable> {
        let number = self.number_of(NUMBER)?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Bytes.
    pub(crate) fn bytes(&mut self) -> Result<&'b [u8], Unreadable> {
        let length = self.number_of(BYTES)?;
        self.take_bytes(length)
    }

    /// Text.
    pub(crate) fn text(&mut self) -> Result<&'b str, Unreadable> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Unreadable::Damaged)
    }

    /// The head of a list: so many items follow. A list that promises more items than there are bytes is damage.
    pub(crate) fn list(&mut self) -> Result<usize, Unreadable> {
        let length = usize::try_from(self.number_of(LIST)?).map_err(|_| Unreadable::Damaged)?;
        if length <= self.rest.len() { Ok(length) } else { Err(Unreadable::Damaged) }
    }

    /// Reads the next item if it is [`Writer::null`].
    pub(crate) fn take_null(&mut self) -> bool {
        self.take(NULL)
    }

    /// Reads the next item if it is [`Writer::undefined`].
    pub(crate) fn take_undefined(&mut self) -> bool {
        self.take(UNDEFINED)
    }

    /// Reads the next item if it is this one.
    fn take(&mut self, item: u8) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if *first == item => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// The next item as it lies there, with all that is in it.
    pub(crate) fn item(&mut self) -> Result<&'b [u8], Unreadable> {
        let begin = self.rest;
        let mut left: u64 = 1;
        while left > 0 {
            left -= 1;
            match self.head()? {
                (BYTES, length) => {
                    self.take_bytes(length)?;
                }
                (LIST, length) => left = left.checked_add(length).ok_or(Unreadable::Damaged)?,
                // A number or no value.
                _ => {}
            }
        }
        Ok(&begin[..begin.len() - self.rest.len()])
    }

    /// Skips an item that this program does not know.
    pub(crate) fn skip_unknown(&mut self) -> Result<(), Unreadable> {
        self.has_skipped |= self.item()? != [NULL];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back_and_can_be_skipped(
            unsigned: u64,
            shift in 0..64_u32,
            signed: i64,
            text: String,
            bytes: Vec<u8>,
        ) {
            let mut to = Writer::after(&[]);
            to.list(6);
            to.unsigned(unsigned >> shift);
            to.signed(signed >> shift);
            to.text(&text);
            to.null();
            to.bytes(&bytes);
            to.undefined();
            let written = to.into_bytes();
            prop_assert_eq!(Reader::new(&written).item(), Ok(written.as_slice()));
            let mut from = Reader::new(&written);
            prop_assert_eq!(from.list(), Ok(6));
            prop_assert_eq!(from.unsigned(), Ok(unsigned >> shift));
            prop_assert_eq!(from.signed(), Ok(signed >> shift));
            prop_assert_eq!(from.text(), Ok(text.as_str()));
            prop_assert!(from.take_null());
            prop_assert_eq!(from.bytes(), Ok(bytes.as_slice()));
            prop_assert!(from.take_undefined());
            prop_assert!(from.is_at_end());
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
            let _ = Reader::new(&bytes).item();
            let _ = Reader::new(&bytes).unsigned();
            let _ = Reader::new(&bytes).signed();
            let _ = Reader::new(&bytes).text();
            let _ = Reader::new(&bytes).list();
        }
    }

    #[test]
    fn the_widest_numbers_read_back_and_a_wider_one_is_damage() {
        for number in [0, 31, 32, 4095, 4096, u64::MAX] {
            let mut to = Writer::after(&[]);
            to.unsigned(number);
            let written = to.into_bytes();
            assert_eq!(Reader::new(&written).unsigned(), Ok(number));
            let length = [(31, 1), (4095, 2), (4096, 3)].into_iter().find(|(below, _)| number <= *below);
            assert!(length.is_none_or(|(_, bytes)| written.len() == bytes), "{number}");
        }
        for number in [i64::MIN, -1, i64::MAX] {
            let mut to = Writer::after(&[]);
            to.signed(number);
            assert_eq!(Reader::new(&to.into_bytes()).signed(), Ok(number));
        }
        let mut wider = vec![GOES_ON];
        wider.extend([0xff; 9]);
        wider.push(0);
        assert_eq!(Reader::new(&wider).unsigned(), Err(Unreadable::Damaged));
    }

    #[test]
    fn a_list_that_promises_more_than_there_is_is_damage() {
        let mut to = Writer::after(&[]);
        to.list(usize::MAX);
        let written = to.into_bytes();
        assert_eq!(Reader::new(&written).list(), Err(Unreadable::Damaged));
        assert_eq!(Reader::new(&written).item(), Err(Unreadable::Damaged));
    }
}
