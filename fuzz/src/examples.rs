//! Examples of good inputs, and the inputs that are made of them by mutation.

use bolero::{Driver, ValueGenerator};

use crate::input::Input;
use crate::{json_edits, text_edits};

/// Bytes beyond which nothing more is added to a body.
const LONGEST: usize = 200_000;

/// What a body is, which decides how it is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON: values are replaced, moved, repeated and nested; sometimes its text is changed.
    Json,
    /// Text: words and signs are removed, repeated, exchanged and replaced.
    Text,
    /// Bytes: they are changed, cut, repeated and joined with those of other examples.
    Bytes,
}

/// Good inputs, from which a target starts.
#[derive(Debug, Clone)]
pub struct Examples {
    format: Format,
    all: Vec<Input>,
}

impl Examples {
    /// Examples of a format: none yet.
    pub fn of(format: Format) -> Self {
        Examples { format, all: Vec::new() }
    }

    /// One more example.
    #[must_use]
    pub fn with(mut self, head: &str, body: impl Into<Vec<u8>>) -> Self {
        self.all.push(Input { head: head.to_owned(), body: body.into() });
        self
    }

    /// The examples, each of which a target should take as good.
    pub fn iter(&self) -> impl Iterator<Item = &Input> {
        self.all.iter()
    }
}

impl ValueGenerator for Examples {
    type Output = Input;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Input> {
        let mut choices = Choices(driver);
        let Input { head, mut body } = choices.one_of(&self.all)?.clone();
        if choices.below(24)? == 0 {
            let length = choices.below(300)?;
            return Some(Input { head, body: choices.bytes(length)? });
        }
        for _ in 0..*choices.one_of(&[1, 1, 1, 2, 2, 3, 5])? {
            let other = &choices.one_of(&self.all)?.body;
            let is_structured = self.format == Format::Json && choices.below(8)? > 0;
            body = match self.format {
                Format::Bytes => edited_bytes(body, other, &mut choices)?,
                _ if is_structured => json_edits::edited(body, other, &mut choices)?,
                Format::Json | Format::Text => text_edits::edited(body, other, &mut choices)?,
            };
            if body.len() > LONGEST {
                break;
            }
        }
        Some(Input { head, body })
    }
}

/// Decisions of a mutation, taken from the engine's entropy. `None`: there is no more of it.
pub(crate) struct Choices<'d, D>(&'d mut D);

impl<D: Driver> Choices<'_, D> {
    /// A number below a limit; 0 for a limit of 0.
    pub(crate) fn below(&mut self, limit: usize) -> Option<usize> {
        let number: u32 = self.0.produce()?;
        Some(number as usize % limit.max(1))
    }

    /// An item of a list that is not empty.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let at = self.below(all.len())?;
        all.get(at)
    }

    /// Any bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Option<Vec<u8>> {
        (0..length).map(|_| self.0.produce()).collect()
    }

    /// A range within a length. Most are short.
    pub(crate) fn range(&mut self, length: usize) -> Option<std::ops::Range<usize>> {
        let begin = self.below(length)?;
        let most = if self.below(4)? == 0 { length - begin } else { (length - begin).min(8) };
        let end = begin + self.below(most + 1)?;
        Some(begin..end)
    }

    /// How often something of a size is repeated: mostly once, now and then beyond every limit of a list.
    pub(crate) fn times(&mut self, size: usize) -> Option<usize> {
        let times = *self.one_of(&[1, 1, 1, 2, 2, 7, 30, 150, 1200])?;
        Some(times.min(1 + LONGEST / size.max(1)))
    }
}

/// Bytes with one edit.
fn edited_bytes<D: Driver>(mut body: Vec<u8>, other: &[u8], choices: &mut Choices<'_, D>) -> Option<Vec<u8>> {
    let range = choices.range(body.len())?;
    let at = range.start;
    match choices.below(8)? {
        0 => body.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
        1 => {
            let value = choices.bytes(1)?;
            body.splice(at..body.len().min(at + 1), value);
        }
        2 => drop(body.drain(range)),
        3 => {
            let length = 1 + choices.below(8)?;
            let some = choices.bytes(length)?;
            body.splice(at..at, some);
        }
        4 => {
            let again = body[range.clone()].repeat(choices.times(range.len())?);
            body.splice(at..at, again);
        }
        5 => body.truncate(at),
        6 => {
            let from = choices.range(other.len())?;
            body.splice(range, other[from].iter().copied());
        }
        _ => {
            // A number that says a length, and promises too much.
            let number =
                choices.one_of(&[0x7f, 0xff, 0xffff, 0x7fff_ffff, u64::MAX, 1 << 40, i64::MAX as u64])?;
            let width = 1 + choices.below(8)?;
            let end = body.len().min(at + width);
            body.splice(at..end, number.to_le_bytes()[..width].iter().copied());
        }
    }
    Some(body)
}
