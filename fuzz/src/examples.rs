//! Valid example inputs, with their mutations.

use bolero::{Driver, ValueGenerator};

use crate::input::Input;
use crate::{json_edits, text_edits};

/// Largest body that mutations still extend, in bytes.
const LONGEST: usize = 200_000;

/// Format of a body, which decides how it is mutated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON: values are replaced, moved, repeated and nested. Sometimes the text is edited.
    Json,
    /// Text: words and signs are removed, repeated, exchanged and replaced.
    Text,
    /// Bytes: they are changed, cut, repeated, and joined with bytes of other examples.
    Bytes,
}

/// Valid inputs from which a target starts.
#[derive(Debug, Clone)]
pub struct Examples {
    format: Format,
    all: Vec<Input>,
}

impl Examples {
    /// Starts without examples.
    pub fn of(format: Format) -> Self {
        Examples { format, all: Vec::new() }
    }

    /// Adds an example.
    #[must_use]
    pub fn with(mut self, head: &str, body: impl Into<Vec<u8>>) -> Self {
        self.all.push(Input { head: head.to_owned(), body: body.into() });
        self
    }

    /// All examples. A target should accept each of them.
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

/// Decisions of a mutation, drawn from the engine's entropy. They are `None` if the entropy is used up.
pub(crate) struct Choices<'d, D>(&'d mut D);

impl<D: Driver> Choices<'_, D> {
    /// Number below a limit. Zero if the limit is zero.
    pub(crate) fn below(&mut self, limit: usize) -> Option<usize> {
        let number: u32 = self.0.produce()?;
        Some(number as usize % limit.max(1))
    }

    /// Item of a list. `None` if the list is empty.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let at = self.below(all.len())?;
        all.get(at)
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Option<Vec<u8>> {
        (0..length).map(|_| self.0.produce()).collect()
    }

    /// Range within a length. Most ranges are short.
    pub(crate) fn range(&mut self, length: usize) -> Option<std::ops::Range<usize>> {
        let begin = self.below(length)?;
        let most = if self.below(4)? == 0 { length - begin } else { (length - begin).min(8) };
        let end = begin + self.below(most + 1)?;
        Some(begin..end)
    }

    /// Number of repetitions for something of this size: usually one, sometimes above every limit of a list.
    pub(crate) fn times(&mut self, size: usize) -> Option<usize> {
        let times = *self.one_of(&[1, 1, 1, 2, 2, 7, 30, 150, 1200])?;
        Some(times.min(1 + LONGEST / size.max(1)))
    }
}

/// Applies one edit to bytes.
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
            // Length field that promises too many bytes.
            let number =
                choices.one_of(&[0x7f, 0xff, 0xffff, 0x7fff_ffff, u64::MAX, 1 << 40, i64::MAX as u64])?;
            let width = 1 + choices.below(8)?;
            let end = body.len().min(at + width);
            body.splice(at..end, number.to_le_bytes()[..width].iter().copied());
        }
    }
    Some(body)
}
