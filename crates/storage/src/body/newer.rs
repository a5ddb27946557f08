//! Bodies that this program rewrites while a newer program uses the same store: values that only the newer
//! program knows are preserved.

use ports::storage::{Result, StorageError};

use super::version::{self, StoredBody, encode};
use super::wire::{NULL, Reader, Unreadable, Writer};

/// Body that is read, changed and written again.
pub(crate) trait Rewritten: StoredBody {
    /// Indexes of fields that are records whose fields are merged one by one. Any other field is replaced as
    /// a whole.
    const OPEN: &'static [usize];
}

/// Reads a body. Also returns the original bytes if they hold a value that this program does not know.
///
/// # Errors
/// As [`version::decode`].
pub(crate) fn decode_rewritten<T: Rewritten>(bytes: &[u8]) -> Result<(T, Option<Vec<u8>>)> {
    let (body, has_skipped) = version::read(bytes)?;
    Ok((body, has_skipped.then(|| bytes.to_vec())))
}

/// Writes a body that [`decode_rewritten`] read. RecordFields that did not change are written byte for byte as they
/// were read.
///
/// # Errors
/// [`StorageError::Away`] if a changed field contains an unknown value. This program cannot know whether that
/// value still applies.
pub(crate) fn encode_rewritten<T: Rewritten>(body: &T, as_read: Option<&[u8]>) -> Result<Vec<u8>> {
    let now = encode(body);
    let Some(as_read) = as_read else { return Ok(now) };
    let known = encode(&version::read::<T>(as_read)?.0);
    if as_read.first() != Some(&T::VERSION) {
        return Err(would_overwrite());
    }
    let mut to = Writer::after(&[T::VERSION]);
    to.item(&merged(T::OPEN, &as_read[1..], &known[1..], &now[1..])?);
    Ok(to.into_bytes())
}

fn would_overwrite() -> StorageError {
    StorageError::Away(
        "this change would overwrite values that a newer covernote wrote: upgrade this process".into(),
    )
}

/// The stored record `was`, with the changes from `known` to `now`. `known`: the part of `was` that this
/// program understands.
fn merged(open: &[usize], was: &[u8], known: &[u8], now: &[u8]) -> Result<Vec<u8>> {
    let (was, known, now) = (fields(was)?, fields(known)?, fields(now)?);
    let mut items = Vec::with_capacity(was.len().max(now.len()));
    for index in 0..was.len().max(now.len()) {
        let at = |fields: &[&'_ [u8]]| fields.get(index).map_or(vec![NULL], |item| item.to_vec());
        let (was, known, now) = (at(&was), at(&known), at(&now));
        items.push(if now == known {
            was
        } else if was == known {
            now
        } else if open.contains(&index) {
            merged(&[], &was, &known, &now)?
        } else {
            return Err(would_overwrite());
        });
    }
    let length = items.iter().rposition(|item| **item != [NULL]).map_or(0, |last| last + 1);
    let mut to = Writer::after(&[]);
    to.list(length);
    items[..length].iter().for_each(|item| to.item(item));
    Ok(to.into_bytes())
}

/// Encoded items of a record.
fn fields(record: &[u8]) -> Result<Vec<&[u8]>, Unreadable> {
    let mut from = Reader::new(record);
    (0..from.list()?).map(|_| from.item()).collect()
}

#[cfg(test)]
mod tests {
    use domain::person::HomePincode;

    use super::super::JourneyBody;
    use super::super::released::journey::journey;
    use super::*;

    /// Item that a newer program could add after the known fields.
    const UNKNOWN: &[u8] = b"\x45asked";
    const ANSWERS: usize = 5;
    const FORM: usize = 7;

    /// Record with one more item.
    fn with_unknown(record: &[u8]) -> Vec<u8> {
        record_of(&[&fields(record).expect("a record")[..], &[UNKNOWN]].concat())
    }

    fn record_of(items: &[&[u8]]) -> Vec<u8> {
        let mut to = Writer::after(&[]);
        to.list(items.len());
        items.iter().for_each(|item| to.item(item));
        to.into_bytes()
    }

    /// Record with the item at an index replaced.
    fn with(record: &[u8], index: usize, item: &[u8]) -> Vec<u8> {
        let mut items = fields(record).expect("a record");
        items[index] = item;
        record_of(&items)
    }

    /// The journey, its encoded record, and the encoded record of its answers.
    fn written() -> (JourneyBody, Vec<u8>, Vec<u8>) {
        let body = journey();
        let record = encode(&body)[1..].to_vec();
        let answers = fields(&record).expect("a record")[ANSWERS].to_vec();
        (body, record, answers)
    }

    fn body_of(record: &[u8]) -> Vec<u8> {
        [&[JourneyBody::VERSION], record].concat()
    }

    #[test]
    fn a_body_without_unknown_fields_is_written_from_its_known_fields_only() {
        let (body, record, _) = written();
        let (mut read, as_read) = decode_rewritten::<JourneyBody>(&body_of(&record)).expect("readable");
        assert!(read == body && as_read.is_none());
        read.answers.forget_quote();
        assert_eq!(encode_rewritten(&read, None).expect("written"), encode(&read));
    }

    #[test]
    fn a_change_of_known_fields_preserves_unknown_fields_of_a_journey_and_its_answers() {
        let (body, record, answers) = written();
        let record = with_unknown(&with(&record, ANSWERS, &with_unknown(&answers)));
        let (mut read, as_read) = decode_rewritten::<JourneyBody>(&body_of(&record)).expect("readable");
        assert!(read == body);
        assert_eq!(as_read.as_deref(), Some(&body_of(&record)[..]));
        assert_eq!(encode_rewritten(&read, as_read.as_deref()).expect("written"), body_of(&record));

        read.answers.pincode = Some(HomePincode::kept("560001".into()));
        read.answers.proposal = None;
        read.user = None;
        let changed = encode_rewritten(&read, as_read.as_deref()).expect("written");
        let (again, _) = decode_rewritten::<JourneyBody>(&changed).expect("readable");
        assert!(again == read);
        let items = fields(&changed[1..]).expect("a record");
        assert_eq!(items.last(), Some(&UNKNOWN));
        assert_eq!(fields(items[ANSWERS]).expect("a record").last(), Some(&UNKNOWN));
    }

    #[test]
    fn an_answer_with_unknown_fields_is_preserved_and_cannot_be_changed() {
        let (_, record, answers) = written();
        let form = with_unknown(fields(&answers).expect("a record")[FORM]);
        let record = with(&record, ANSWERS, &with(&answers, FORM, &form));
        let (mut read, as_read) = decode_rewritten::<JourneyBody>(&body_of(&record)).expect("readable");

        read.answers.proposal = None;
        let changed = encode_rewritten(&read, as_read.as_deref()).expect("written");
        let items = fields(&changed[1..]).expect("a record");
        assert_eq!(fields(items[ANSWERS]).expect("a record")[FORM], form);

        read.answers.form = None;
        assert!(matches!(encode_rewritten(&read, as_read.as_deref()), Err(StorageError::Away(_))));
    }
}
