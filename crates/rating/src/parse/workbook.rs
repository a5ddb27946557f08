//! Tables in workbooks: a sheet of an `.xlsx` file, read like a CSV file.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};

use calamine::{DataRef, Reader, Xlsx};
use zip::ZipArchive;
use zip::result::ZipError;

use super::table::{Table, TableRow};
use super::table_ref::{TableRef, report};
use crate::fault::FaultLog;

/// Most rows that a sheet may have. A cell beyond this limit is a mistake, and would need too much memory.
const MOST_ROWS: u32 = 20_000;
const MOST_COLUMNS: u32 = 200;

/// Most bytes of a workbook's parts once they are unpacked. A small file can unpack into gigabytes.
const MOST_UNPACKED: u64 = 32 * 1024 * 1024;

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

/// Parses a sheet of a workbook. `None` after a reported fault.
pub(crate) fn parse(of: &TableRef, content: &[u8], faults: &FaultLog) -> Option<Table> {
    let sheet = of.sheet.as_deref()?;
    let report_file = |message: String| faults.report(&of.path, None, message);
    if is_small(content).is_ok_and(|is_small| !is_small) {
        let most = MOST_UNPACKED / 1024 / 1024;
        report_file(format!("The workbook is too large: unpacked, it may have at most {most} MiB."));
        return None;
    }
    let mut book = Xlsx::new(Cursor::new(content))
        .map_err(|why| report_file(format!("The file is not a readable .xlsx workbook: {}.", plain(&why))))
        .ok()?;
    if !book.sheet_names().iter().any(|name| name == sheet) {
        let names: Vec<String> = book.sheet_names().iter().map(|name| format!("`{}`", plain(name))).collect();
        report_file(format!("The workbook has no sheet `{sheet}`; it has {}.", names.join(", ")));
        return None;
    }
    let name = of.name();
    let faults_before = faults.count();
    let rows = read_rows(&mut book, sheet, &name, faults)
        .map_err(|why| report_file(format!("The sheet `{sheet}` cannot be read: {}.", plain(&why))))
        .ok()?;
    let table = to_table(name, rows, faults);
    table.filter(|_| faults.count() == faults_before)
}

/// Cells of every row that is not empty. The key is the row number, from 1.
type Rows = BTreeMap<usize, Vec<String>>;

/// Reads the cells one by one. So a single cell far away needs no memory for the empty cells before it.
fn read_rows(
    book: &mut Xlsx<Cursor<&[u8]>>,
    sheet: &str,
    name: &str,
    faults: &FaultLog,
) -> Result<Rows, calamine::XlsxError> {
    let mut rows = Rows::new();
    let mut cells = book.worksheet_cells_reader(sheet)?;
    while let Some(cell) = cells.next_cell()? {
        let (row, column) = cell.get_position();
        let (line, at) = (row as usize + 1, column as usize);
        let report_cell = |message: String| report(faults, name, line, Some(at), message);
        let text = match cell.get_value() {
            DataRef::Empty => continue,
            DataRef::Int(number) => number.to_string(),
            // Shortest text for this number: what the user typed, up to 15 digits.
            DataRef::Float(number) => number.to_string(),
            DataRef::String(text) => text.trim().to_owned(),
            DataRef::SharedString(text) => text.trim().to_owned(),
            DataRef::Bool(_) => {
                report_cell("The cell must be a number or text, not true or false.".to_owned());
                continue;
            }
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
                report_cell("The cell must be a number or text, not a date or time.".to_owned());
                continue;
            }
            DataRef::Error(error) => {
                report_cell(format!("The cell has the error {error}."));
                continue;
            }
        };
        if row >= MOST_ROWS || column >= MOST_COLUMNS {
            report_cell(format!("A sheet may use at most {MOST_ROWS} rows and {MOST_COLUMNS} columns."));
            break;
        }
        let row = rows.entry(line).or_default();
        row.resize(row.len().max(at + 1), String::new());
        row[at] = text;
    }
    Ok(rows)
}

/// Builds the table from the rows. Leaves out blank rows, and rows that begin with `#`.
fn to_table(name: String, rows: Rows, faults: &FaultLog) -> Option<Table> {
    let rows = rows.into_iter().map(|(line, cells)| TableRow { line, cells });
    let is_comment = |row: &TableRow| {
        row.cells.iter().find(|cell| !cell.is_empty()).is_none_or(|cell| cell.starts_with('#'))
    };
    let mut rows = rows.filter(|row| !is_comment(row));
    let header = rows.next();
    let mut rows: Vec<TableRow> = rows.collect();
    let Some(mut header) = header.filter(|_| !rows.is_empty()) else {
        faults.report(&name, None, "The sheet must have a header and at least one row.");
        return None;
    };
    while header.cells.last().is_some_and(String::is_empty) {
        header.cells.pop();
    }
    for row in &mut rows {
        if let Some(beyond) = row.cells.iter().skip(header.cells.len()).position(|cell| !cell.is_empty()) {
            let column = header.cells.len() + beyond;
            report(
                faults,
                &name,
                row.line,
                Some(column),
                "The column of this cell has no heading.".to_owned(),
            );
        }
        row.cells.resize(header.cells.len(), String::new());
    }
    Some(Table { file: name, header, rows })
}

/// Text of an error for a fault message, without control characters.
fn plain(words: &impl ToString) -> String {
    domain::text::one_line(&words.to_string(), 200).unwrap_or_default()
}
