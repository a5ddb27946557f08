//! XLSX files. They have rows on as many sheets as necessary, and a last sheet with totals.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

use domain::date::{Date, Timestamp};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet, XlsxError};

use crate::cell::Cell;

/// Most rows on a sheet below the header. The XLSX format allows 1,048,576.
const ROWS_OF_A_SHEET: u32 = 1_000_000;

/// Most characters that the XLSX format allows in a cell. Longer text is cut, because it would make the
/// workbook fail.
const LONGEST_TEXT: usize = 32_767;

/// Least width of a column, in characters.
const NARROWEST: usize = 10;

/// Workbook that is being written. Its rows are in an unnamed temporary file, which is deleted when the
/// workbook is dropped.
pub struct Workbook {
    book: rust_xlsxwriter::Workbook,
    columns: Vec<String>,
    sheet: Option<Worksheet>,
    /// Number of rows on the current sheet, including the header.
    rows: u32,
    sheets: usize,
    formats: Formats,
}

struct Formats {
    head: Format,
    amount: Format,
    day: Format,
}

impl Workbook {
    /// Begins a workbook with these column names. `made` is stored as its creation time.
    ///
    /// # Errors
    /// If there is no space for the temporary file.
    pub fn begin<N: AsRef<str>>(title: &str, columns: &[N], made: Timestamp) -> io::Result<Self> {
        let mut book = rust_xlsxwriter::Workbook::new();
        let second = made.as_second();
        let made = ExcelDateTime::from_timestamp(second).map_err(fault)?;
        book.set_properties(&DocProperties::new().set_title(title).set_creation_datetime(&made));
        let formats = Formats {
            head: Format::new().set_bold(),
            amount: Format::new().set_num_format("0.00"),
            day: Format::new().set_num_format("yyyy-mm-dd"),
        };
        let columns = columns.iter().map(|name| name.as_ref().to_owned()).collect();
        let mut begun = Workbook { book, columns, sheet: None, rows: 0, sheets: 0, formats };
        begun.next_sheet()?;
        Ok(begun)
    }

    fn next_sheet(&mut self) -> io::Result<()> {
        self.end_sheet();
        let mut sheet = self.book.new_worksheet_with_constant_memory().map_err(fault)?;
        self.sheets += 1;
        let name = if self.sheets == 1 { "Rows".to_owned() } else { format!("Rows {}", self.sheets) };
        sheet.set_name(name).and_then(|sheet| sheet.set_freeze_panes(1, 0)).map_err(fault)?;
        for (column, name) in (0..).zip(&self.columns) {
            let width = name.chars().count().max(NARROWEST) as f64;
            sheet.set_column_width(column, width).map_err(fault)?;
            sheet.write_string_with_format(0, column, name, &self.formats.head).map_err(fault)?;
        }
        self.rows = 1;
        self.sheet = Some(sheet);
        Ok(())
    }

    fn end_sheet(&mut self) {
        if let Some(sheet) = self.sheet.take() {
            self.book.push_worksheet(sheet);
        }
    }

    /// Adds a row, which must have one cell for each column.
    ///
    /// # Errors
    /// If there is no space for the row.
    pub fn add(&mut self, cells: &[Cell]) -> io::Result<()> {
        if self.rows > ROWS_OF_A_SHEET {
            self.next_sheet()?;
        }
        let Some(sheet) = &mut self.sheet else { return Ok(()) };
        write_row(sheet, self.rows, cells, &self.formats).map_err(fault)?;
        self.rows += 1;
        Ok(())
    }

    /// Ends the workbook with a sheet of totals. Each total has a name and a value. Returns an unnamed
    /// temporary file, positioned at its beginning.
    ///
    /// # Errors
    /// If there is no space for the file.
    pub fn finish(mut self, totals: &[(String, Cell)]) -> io::Result<File> {
        self.end_sheet();
        let mut sheet = Worksheet::new();
        sheet.set_name("Totals").and_then(|sheet| sheet.set_column_width(0, 24)).map_err(fault)?;
        sheet.set_column_width(1, 16).map_err(fault)?;
        for (row, (name, total)) in (0..).zip(totals) {
            write_row(&mut sheet, row, &[Cell::text(name.as_str()), total.clone()], &self.formats)
                .map_err(fault)?;
        }
        self.book.push_worksheet(sheet);
        let mut file = BufWriter::new(tempfile::tempfile()?);
        self.book.save_to_writer(&mut file).map_err(fault)?;
        file.flush()?;
        let mut file = file.into_inner().map_err(|unwritten| unwritten.into_error())?;
        file.rewind()?;
        Ok(file)
    }
}

fn write_row(sheet: &mut Worksheet, row: u32, cells: &[Cell], formats: &Formats) -> Result<(), XlsxError> {
    for (column, cell) in (0..).zip(cells) {
        match cell {
            Cell::Empty => {}
            Cell::Text(words) if words.chars().count() > LONGEST_TEXT => {
                sheet.write_string(row, column, words.chars().take(LONGEST_TEXT).collect::<String>())?;
            }
            Cell::Text(words) => {
                sheet.write_string(row, column, words)?;
            }
            // Whole numbers and paise below 2^53 are exact.
            Cell::Number(number) => {
                sheet.write_number(row, column, *number as f64)?;
            }
            Cell::Figure(digits) => {
                sheet.write_number(row, column, digits.parse::<f64>().unwrap_or_default())?;
            }
            Cell::Amount(amount) => {
                sheet.write_number_with_format(
                    row,
                    column,
                    amount.paise() as f64 / 100.0,
                    &formats.amount,
                )?;
            }
            Cell::Day(day) => {
                sheet.write_datetime_with_format(row, column, &date_of(*day)?, &formats.day)?;
            }
        }
    }
    Ok(())
}

/// Converts a date to the spreadsheet's calendar, which begins in 1900.
fn date_of(day: Date) -> Result<ExcelDateTime, XlsxError> {
    ExcelDateTime::from_ymd(day.year().unsigned_abs(), day.month().unsigned_abs(), day.day().unsigned_abs())
}

fn fault(cause: XlsxError) -> io::Error {
    match cause {
        XlsxError::IoError(cause) => cause,
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use calamine::{Data, Reader, Xlsx};
    use domain::money::Rupees;

    use super::*;

    fn bytes() -> Vec<u8> {
        let mut book =
            Workbook::begin("Bordereau", &["name", "amount", "day"], Timestamp::UNIX_EPOCH).expect("begun");
        let day = Date::constant(2026, 11, 30);
        let row = [Cell::text("=cmd()"), Cell::Amount(Rupees::from_paise(-377_699)), Cell::Day(day)];
        book.add(&row).expect("room");
        book.add(&[Cell::text("Asha"), Cell::Empty, Cell::Number(12)]).expect("room");
        let mut file = book.finish(&[("rows".into(), Cell::Number(2))]).expect("room");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("read");
        bytes
    }

    #[test]
    fn another_library_reads_the_values_of_a_written_workbook() {
        let mut book: Xlsx<_> =
            calamine::open_workbook_from_rs(io::Cursor::new(bytes())).expect("a workbook");
        assert_eq!(book.sheet_names(), ["Rows", "Totals"]);
        let rows = book.worksheet_range("Rows").expect("a sheet");
        let cell = |row, column| rows.get_value((row, column)).cloned().unwrap_or_default();
        assert_eq!(cell(0, 1), Data::String("amount".into()));
        assert_eq!(cell(1, 0), Data::String("=cmd()".into()), "text, never a formula");
        assert_eq!(cell(1, 1), Data::Float(-3776.99));
        assert!(matches!(cell(1, 2), Data::DateTime(day) if day.as_f64() == 46356.0));
        assert_eq!(cell(2, 2), Data::Float(12.0));
        let totals = book.worksheet_range("Totals").expect("a sheet");
        assert_eq!(totals.get_value((0, 1)), Some(&Data::Float(2.0)));
    }

    #[test]
    fn the_same_rows_always_give_the_same_bytes() {
        assert_eq!(bytes(), bytes());
    }
}
