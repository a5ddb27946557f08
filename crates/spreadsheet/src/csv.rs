//! CSV as RFC 4180 has it, in UTF-8.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{Terminator, Writer, WriterBuilder};

use crate::cell::Cell;

/// Rows of a CSV file, on their way to a writer.
pub struct CsvRows<W: Write> {
    rows: Writer<W>,
}

impl<W: Write> CsvRows<W> {
    /// Begins a file with the names of its columns.
    ///
    /// # Errors
    /// The writer's.
    pub fn begin<N: AsRef<str>>(to: W, columns: &[N]) -> io::Result<Self> {
        let mut rows = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(to);
        rows.write_record(columns.iter().map(|name| safe(name.as_ref()).into_owned()))?;
        Ok(CsvRows { rows })
    }

    /// Adds a row, which has as many cells as there are columns.
    ///
    /// # Errors
    /// The writer's.
    pub fn add(&mut self, cells: &[Cell]) -> io::Result<()> {
        for cell in cells {
            let text = match cell {
                Cell::Empty => Cow::Borrowed(""),
                Cell::Text(words) => safe(words),
                Cell::Number(number) => number.to_string().into(),
                Cell::Figure(digits) => Cow::Borrowed(digits.as_str()),
                Cell::Amount(amount) => amount.to_string().into(),
                Cell::Day(day) => day.to_string().into(),
            };
            self.rows.write_field(text.as_bytes())?;
        }
        self.rows.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Ends the file. Everything was given to the writer.
    ///
    /// # Errors
    /// The writer's.
    pub fn finish(self) -> io::Result<W> {
        self.rows.into_inner().map_err(|unwritten| unwritten.into_error())
    }
}

/// Words that a spreadsheet takes for text: those that begin like a formula get an apostrophe before them.
fn safe(words: &str) -> Cow<'_, str> {
    match words.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => Cow::Owned(format!("'{words}")),
        false => Cow::Borrowed(words),
    }
}

#[cfg(test)]
mod tests {
    use domain::date::Date;
    use domain::money::Rupees;

    use super::*;

    fn written(cells: &[Cell]) -> String {
        let columns: Vec<String> = (0..cells.len()).map(|number| format!("c{number}")).collect();
        let mut rows = CsvRows::begin(Vec::new(), &columns).expect("memory");
        rows.add(cells).expect("memory");
        let text = String::from_utf8(rows.finish().expect("memory")).expect("UTF-8");
        text.split_once("\r\n").expect("a head").1.to_owned()
    }

    #[test]
    fn words_that_begin_like_a_formula_are_text_and_amounts_stay_numbers() {
        for formula in ["=1+1", "+91", "-1", "@SUM", "\t=1"] {
            assert_eq!(written(&[Cell::text(formula)]), format!("'{formula}\r\n"));
        }
        let row = [
            Cell::Amount(Rupees::from_paise(-377_600)),
            Cell::Day(Date::constant(2026, 11, 30)),
            Cell::Empty,
            Cell::text("Rao, \"Asha\""),
            Cell::Number(7),
        ];
        assert_eq!(written(&row), "-3776.00,2026-11-30,,\"Rao, \"\"Asha\"\"\",7\r\n");
    }
}
