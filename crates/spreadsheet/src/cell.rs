//! Cells: what one of them holds, whatever the file.

use domain::date::Date;
use domain::money::Rupees;

/// What a cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words. A spreadsheet never takes them for a formula.
    Text(String),
    Number(u64),
    /// An amount in rupees, with two decimals. One below nought has a minus and is a number still.
    Amount(Rupees),
    /// A number that is at hand as digits, such as a rate.
    Figure(String),
    Day(Date),
}

impl Cell {
    /// Words, or nothing.
    pub fn text(words: impl Into<String>) -> Self {
        Cell::Text(words.into())
    }
}

impl Cell {
    /// A number in digits; other words, such as `exempt`, stay words.
    pub fn figure(text: impl Into<String>) -> Self {
        let text = text.into();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Cell::Figure(text),
            _ if text.is_empty() => Cell::Empty,
            _ => Cell::Text(text),
        }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

impl From<String> for Cell {
    fn from(words: String) -> Self {
        Cell::Text(words)
    }
}

impl From<&str> for Cell {
    fn from(words: &str) -> Self {
        Cell::Text(words.to_owned())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Cell::Number(number)
    }
}

impl From<Rupees> for Cell {
    fn from(amount: Rupees) -> Self {
        Cell::Amount(amount)
    }
}

impl From<Date> for Cell {
    fn from(day: Date) -> Self {
        Cell::Day(day)
    }
}
