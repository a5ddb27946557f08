//! Cells of a table, independent of the file format.

use domain::date::Date;
use domain::money::Rupees;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Empty,
    /// Text. It is written so that a spreadsheet does not interpret it as a formula.
    Text(String),
    Number(u64),
    /// Amount in rupees, written as a number with two decimals. It can be negative.
    Amount(Rupees),
    /// Number, given as its decimal digits, such as a rate.
    Figure(String),
    Day(Date),
}

impl Cell {
    pub fn text(words: impl Into<String>) -> Self {
        Cell::Text(words.into())
    }
}

impl Cell {
    /// Creates a number cell from decimal digits. Other text, such as `exempt`, becomes a text cell.
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
