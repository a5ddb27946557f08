//! Reads tables that people save with a spreadsheet program: text with any common separator, in UTF-8, UTF-16 or
//! Windows-1252, and workbooks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};

use calamine::{DataRef, Reader, Xlsx, XlsxError};
use csv::{ReaderBuilder, Trim};
use domain::text::one_line;
use encoding_rs::{Encoding, WINDOWS_1252};
use zip::ZipArchive;
use zip::result::ZipError;

/// Most rows that a sheet may have. A cell beyond this limit is a mistake, and would need too much memory.
const MOST_ROWS: u32 = 20_000;
const MOST_COLUMNS: u32 = 200;

/// Most bytes of a workbook's parts once they are unpacked. A small file can unpack into gigabytes.
const MOST_UNPACKED: u64 = 32 * 1024 * 1024;

/// Most rows above the head, such as a title.
const MOST_TITLES: usize = 20;

/// Smallest number with more than 15 digits. A spreadsheet stores 15 and replaces all further digits by zeros.
const FIRST_INEXACT: f64 = 1e15;

/// First bytes of a workbook, and of a workbook in the format of Excel before 2007.
const WORKBOOK: &[u8] = b"PK\x03\x04";
const OLD_WORKBOOK: &[u8] = b"\xd0\xcf\x11\xe0";

/// Row of a table that was read. Spaces around a cell's text are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRow {
    /// Line in the file, or row of the sheet, counted from 1.
    pub line: usize,
    pub cells: Vec<String>,
}

/// Cell whose value cannot be read as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellFault {
    /// Row of the sheet, counted from 1.
    pub line: usize,
    /// Column, counted from 0.
    pub column: usize,
    pub message: String,
}

/// Rows of a sheet that are not empty.
#[derive(Debug, Default)]
pub struct Sheet {
    pub rows: Vec<ReadRow>,
    pub faults: Vec<CellFault>,
}

/// Table with the rows below its head.
#[derive(Debug)]
pub struct ReadTable {
    pub head: Vec<String>,
    pub rows: Vec<ReadRow>,
    pub faults: Vec<CellFault>,
}

impl ReadTable {
    /// Reads a table whose head has the columns `wanted`. Rows above the head are skipped.
    ///
    /// # Errors
    /// If the file is no table, or no row has these columns: a sentence.
    pub fn read(content: &[u8], wanted: &[&str]) -> Result<Self, String> {
        if content.starts_with(OLD_WORKBOOK) {
            return Err("The file is an old .xls workbook. Save it as .xlsx or CSV.".to_owned());
        }
        let Sheet { rows, faults } = match content.starts_with(WORKBOOK) {
            true => Sheet::read(content, None)?,
            false => Sheet { rows: text_rows(content, wanted)?, faults: Vec::new() },
        };
        let missing = |row: &ReadRow| wanted.iter().find(|name| column(&row.cells, name).is_none());
        let Some(at) = rows.iter().take(MOST_TITLES).position(|row| missing(row).is_none()) else {
            let name = rows.first().and_then(missing).or(wanted.first()).copied().unwrap_or_default();
            return Err(format!("The column {name} is missing."));
        };
        let mut rows = rows.into_iter().skip(at);
        let head = rows.next().map_or_else(Vec::new, |row| row.cells);
        let rows: Vec<ReadRow> = rows.filter(|row| row.cells.iter().any(|cell| !cell.is_empty())).collect();
        let first = rows.first().map_or(usize::MAX, |row| row.line);
        let faults = faults.into_iter().filter(|fault| fault.line >= first).collect();
        Ok(ReadTable { head, rows, faults })
    }

    /// Position of a column, from 0.
    pub fn column(&self, name: &str) -> Option<usize> {
        column(&self.head, name)
    }
}

fn column(head: &[String], name: &str) -> Option<usize> {
    head.iter().position(|cell| cell.eq_ignore_ascii_case(name))
}

/// Text of a file that a spreadsheet program saved. Text that is not UTF-8 and has no byte order mark is
/// Windows-1252, which such programs write in India.
fn decode(content: &[u8]) -> Cow<'_, str> {
    match (Encoding::for_bom(content), str::from_utf8(content)) {
        (Some((encoding, _)), _) => encoding.decode(content).0,
        (None, Ok(text)) => text.into(),
        (None, Err(_)) => WINDOWS_1252.decode_without_bom_handling(content).0,
    }
}

/// The separator of a line: the common one that it has most.
pub fn separator(line: &str) -> u8 {
    let number = |separator: &u8| line.bytes().filter(|byte| byte == separator).count();
    // Of equal numbers, the last one counts.
    *b"|\t;,".iter().max_by_key(|separator| number(separator)).unwrap_or(&b',')
}

/// Separator that a first line `sep=;` gives. Excel reads such a line, and some tools write it.
fn given_separator(text: &str) -> Option<u8> {
    match text.trim_start_matches('"').as_bytes().split_first_chunk::<5>() {
        Some((start, _)) if start[..4].eq_ignore_ascii_case(b"sep=") && start[4].is_ascii() => Some(start[4]),
        _ => None,
    }
}

/// Rows of a text file from its head on, or from its first row if no line has the columns `wanted`.
fn text_rows(content: &[u8], wanted: &[&str]) -> Result<Vec<ReadRow>, String> {
    let text = decode(content);
    let given = given_separator(&text);
    let has_names = |line: &str| {
        let line = line.to_ascii_lowercase();
        wanted.iter().all(|name| line.contains(name))
    };
    let mut head = None;
    let mut begins = 0;
    for (at, line) in text.split_inclusive('\n').enumerate().take(MOST_TITLES) {
        let is_title = line.trim().is_empty() || at == 0 && given.is_some();
        if !is_title && (head.is_none() || has_names(line)) {
            head = Some((at, begins, line));
        }
        if has_names(line) {
            break;
        }
        begins += line.len();
    }
    let Some((at, begins, line)) = head else { return Ok(Vec::new()) };
    let separator = given.unwrap_or_else(|| separator(line));
    let text = &text[begins..];
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .trim(Trim::All)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut lines = LinesRead { line: at + 1, bytes: 0 };
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|cause| format!("The file is not valid CSV: {cause}."))?;
        lines.reach(text, record.position());
        rows.push(ReadRow { line: lines.line, cells: record.iter().map(str::to_owned).collect() });
    }
    Ok(rows)
}

/// Line number of the current record. It is counted here, because the CSV reader counts one line too few
/// after CRLF.
struct LinesRead {
    line: usize,
    bytes: usize,
}

impl LinesRead {
    /// Advances the line number to the record at `position`.
    fn reach(&mut self, text: &str, position: Option<&csv::Position>) {
        let begins = position.map_or(self.bytes, |position| position.byte() as usize);
        let rest = text.get(begins..).unwrap_or_default();
        let record = begins + rest.len() - rest.trim_start_matches(['\r', '\n']).len();
        let passed = text.as_bytes().get(self.bytes..record).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.bytes = record;
    }
}

impl Sheet {
    /// Reads a sheet of an `.xlsx` workbook, the first one if `name` is `None`.
    ///
    /// # Errors
    /// If the workbook is too large, cannot be read, or has no such sheet: a sentence.
    pub fn read(content: &[u8], name: Option<&str>) -> Result<Self, String> {
        if is_small(content).is_ok_and(|is_small| !is_small) {
            let most = MOST_UNPACKED / 1024 / 1024;
            return Err(format!("The workbook is too large: unpacked, it may have at most {most} MiB."));
        }
        let mut book = Xlsx::new(Cursor::new(content)).map_err(|why: XlsxError| {
            format!("The file is not a readable .xlsx workbook: {}.", plain(&why))
        })?;
        let names = book.sheet_names();
        let Some(sheet) = names.iter().find(|there| name.is_none_or(|name| name == *there)).cloned() else {
            let names: Vec<String> = names.iter().map(|name| format!("`{}`", plain(name))).collect();
            let (name, names) = (name.unwrap_or_default(), names.join(", "));
            return Err(format!("The workbook has no sheet `{name}`; it has {names}."));
        };
        Self::read_cells(&mut book, &sheet)
            .map_err(|why| format!("The sheet `{}` cannot be read: {}.", plain(&sheet), plain(&why)))
    }

    /// Reads the cells one by one. So a single cell far away needs no memory for the empty cells before it.
    fn read_cells(book: &mut Xlsx<Cursor<&[u8]>>, sheet: &str) -> Result<Self, XlsxError> {
        let mut rows: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut faults = Vec::new();
        let mut cells = book.worksheet_cells_reader(sheet)?;
        while let Some(cell) = cells.next_cell()? {
            let (row, at) = cell.get_position();
            let (line, column) = (row as usize + 1, at as usize);
            let read = match text_of(cell.get_value()) {
                Ok(None) => continue,
                Ok(Some(_)) if row >= MOST_ROWS || at >= MOST_COLUMNS => {
                    Err(format!("A sheet may use at most {MOST_ROWS} rows and {MOST_COLUMNS} columns."))
                }
                read => read.map(Option::unwrap_or_default),
            };
            match read {
                Ok(text) => {
                    let cells = rows.entry(line).or_default();
                    cells.resize(cells.len().max(column + 1), String::new());
                    cells[column] = text;
                }
                Err(message) => faults.push(CellFault { line, column, message }),
            }
            if row >= MOST_ROWS || at >= MOST_COLUMNS {
                break;
            }
        }
        let rows = rows.into_iter().map(|(line, cells)| ReadRow { line, cells }).collect();
        Ok(Sheet { rows, faults })
    }
}

/// Text of a cell, `None` if it is empty.
fn text_of(cell: &DataRef<'_>) -> Result<Option<String>, String> {
    match cell {
        DataRef::Empty => Ok(None),
        DataRef::Int(number) => Ok(Some(number.to_string())),
        DataRef::Float(number) if number.abs() >= FIRST_INEXACT => {
            Err("The cell is a number with more digits than a spreadsheet stores. Format it as text."
                .to_owned())
        }
        // Shortest text for this number: what the user typed, up to 15 digits.
        DataRef::Float(number) => Ok(Some(number.to_string())),
        DataRef::String(text) => Ok(Some(text.trim().to_owned())),
        DataRef::SharedString(text) => Ok(Some(text.trim().to_owned())),
        DataRef::Bool(_) => Err("The cell must be a number or text, not true or false.".to_owned()),
        DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
            Err("The cell must be a number or text, not a date or time.".to_owned())
        }
        DataRef::Error(error) => Err(format!("The cell has the error {error}.")),
    }
}

/// Whether the parts of a workbook are small enough to be read. Unpacks them, because the sizes in the file may be
/// wrong.
fn is_small(content: &[u8]) -> Result<bool, ZipError> {
    let mut book = ZipArchive::new(Cursor::new(content))?;
    let mut left = MOST_UNPACKED;
    for part in 0..book.len() {
        let unpacked = io::copy(&mut book.by_index(part)?.take(left + 1), &mut io::sink())?;
        match left.checked_sub(unpacked) {
            Some(rest) => left = rest,
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Text of an error for a fault message, without control characters.
fn plain(words: &impl ToString) -> String {
    one_line(&words.to_string(), 200).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use domain::date::Timestamp;

    use super::*;
    use crate::{Cell, Workbook};

    const WANTED: &[&str] = &["row_id", "status"];

    fn read(content: &[u8]) -> Result<ReadTable, String> {
        ReadTable::read(content, WANTED)
    }

    #[test]
    fn a_text_with_any_common_separator_encoding_and_title_is_read() {
        for text in [
            "row_id,status,reason\r\nA,rejected,Not covered\r\n",
            "row_id;status;reason\nA;rejected;Not covered\n",
            "row_id\tstatus\treason\nA\trejected\tNot covered",
            "Row_ID|Status|Reason\nA|rejected|\"Not covered\"\n",
            "sep=;\nrow_id;status;reason\nA;rejected;Not covered\n",
            "\u{feff}Answers of November, 2026, and more, and more\n\nrow_id;status;reason\n\nA;rejected;Not covered\n",
        ] {
            let table = read(text.as_bytes()).expect(text);
            let cells: Vec<_> =
                table.rows.iter().flat_map(|row| row.cells.iter().map(String::as_str)).collect();
            assert_eq!(cells, ["A", "rejected", "Not covered"], "{text}");
            let line =
                text.lines().position(|line| line.starts_with('A') && line.contains("rej")).expect("one");
            assert_eq!(table.rows[0].line, line + 1, "{text}");
        }
        let windows = read(b"row_id,status,reason\nA,rejected,Caf\xe9 \x96 not covered\n").expect("a table");
        assert_eq!(windows.rows[0].cells[2], "Café – not covered");
        let wide: Vec<u8> =
            "\u{feff}row_id\tstatus\nA\taccepted\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide).expect("a table").rows[0].cells, ["A", "accepted"]);
    }

    #[test]
    fn a_workbook_with_a_title_is_read_and_its_damaged_cells_are_faults() {
        let mut book =
            Workbook::begin("Answers", &["Answers of November"], Timestamp::UNIX_EPOCH).expect("a book");
        let number = Cell::Figure("123456789012345678".to_owned());
        for first in [Cell::text("row_id"), Cell::text("A"), number] {
            let status = if first == Cell::text("row_id") { "status" } else { "accepted" };
            book.add(&[first, Cell::text(status)]).expect("a row");
        }
        let mut content = Vec::new();
        book.finish(&[]).expect("a file").read_to_end(&mut content).expect("bytes");
        let table = read(&content).expect("a table");
        assert_eq!(table.rows[0].cells, ["A", "accepted"]);
        let faults: Vec<_> = table.faults.iter().map(|fault| (fault.line, fault.column)).collect();
        assert_eq!(faults, [(4, 0)]);
    }

    #[test]
    fn a_file_without_the_columns_is_refused_with_the_name_of_a_missing_column() {
        for (text, column) in [("", "row_id"), ("a,b\n1,2\n", "row_id"), ("row_id,b\n1,2\n", "status")] {
            assert_eq!(read(text.as_bytes()).expect_err(text), format!("The column {column} is missing."));
        }
        assert!(read(OLD_WORKBOOK).expect_err("old").contains("Save it as .xlsx"));
        assert!(read(WORKBOOK).expect_err("cut").contains("not a readable .xlsx workbook"));
    }
}
