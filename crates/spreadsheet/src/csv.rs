//! CSV files after RFC 4180, in UTF-8 with a byte order mark. Without the mark, Excel misreads non-ASCII
//! letters.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{Terminator, Writer, WriterBuilder};

use crate::cell::Cell;

/// Writes a CSV file row by row.
pub struct CsvRows<W: Write> {
    rows: Writer<W>,
}

impl<W: Write> CsvRows<W> {
    /// Begins a file, and writes the column names.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn begin<N: AsRef<str>>(mut to: W, columns: &[N]) -> io::Result<Self> {
        to.write_all("\u{feff}".as_bytes())?;
        let mut rows = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(to);
        rows.write_record(columns.iter().map(|name| safe(name.as_ref()).into_owned()))?;
        Ok(CsvRows { rows })
    }

    /// Adds a row, which must have one cell for each column.
    ///
    /// # Errors
    /// If the writer fails.
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

    /// Ends the file, and returns the writer after it received all bytes.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(self) -> io::Result<W> {
        self.rows.into_inner().map_err(|unwritten| unwritten.into_error())
    }
}

/// Makes a text safe for spreadsheets. If it begins like a formula, an apostrophe is put in front. If it is a
/// number that spreadsheets would change, such as a long account number, it becomes a formula that shows the
/// same digits.
fn safe(words: &str) -> Cow<'_, str> {
    if words.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return Cow::Owned(format!("'{words}"));
    }
    match loses_digits(words) {
        true => Cow::Owned(format!("=\"{words}\"")),
        false => Cow::Borrowed(words),
    }
}

/// Most digits of a number that a spreadsheet shows without an exponent.
const MOST_DIGITS: usize = 11;

/// Whether a spreadsheet would read the text as a number and change it, because it has too many digits,
/// leading zeros or an exponent.
fn loses_digits(words: &str) -> bool {
    let is_number = words.bytes().all(|byte| byte.is_ascii_digit()) && !words.is_empty();
    let has_exponent = words.split_once(['e', 'E']).is_some_and(|(before, behind)| {
        [before, behind].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    });
    has_exponent || is_number && (words.len() > MOST_DIGITS || words.len() > 1 && words.starts_with('0'))
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
    fn csv_files_have_a_byte_order_mark_and_protect_long_numbers_from_excel() {
        let rows = CsvRows::begin(Vec::new(), &["a"]).expect("memory");
        assert!(rows.finish().expect("memory").starts_with("\u{feff}a".as_bytes()));
        for number in ["00123456789012345678", "12E45678901", "007", "123456789012"] {
            assert_eq!(written(&[Cell::text(number)]), format!("\"=\"\"{number}\"\"\"\r\n"));
        }
        for plain in ["12345678901", "0", "LN-0012", "E12", "12E"] {
            assert_eq!(written(&[Cell::text(plain)]), format!("{plain}\r\n"));
        }
    }

    #[test]
    fn text_that_begins_like_a_formula_is_written_as_text_and_amounts_as_numbers() {
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
