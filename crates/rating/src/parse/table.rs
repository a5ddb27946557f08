//! Rows of CSV files, with their line numbers.

use spreadsheet::{ReadRow, separator};

use crate::fault::FaultLog;

/// Byte order mark that spreadsheets write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parsed CSV file. Each row has as many cells as the header. Blank lines and lines that begin with `#` are
/// skipped. Cells can be in quotation marks.
#[derive(Debug)]
pub(crate) struct Table {
    /// Path inside the catalogue. For a workbook, also the sheet.
    pub(crate) file: String,
    /// First row, with the names of the columns.
    pub(crate) header: ReadRow,
    /// Rows below the header.
    pub(crate) rows: Vec<ReadRow>,
}

impl Table {
    /// Parses a CSV file. `None` after a reported fault.
    pub(crate) fn parse(file: &str, content: &[u8], faults: &FaultLog) -> Option<Table> {
        let faults_before = faults.count();
        let Ok(text) = std::str::from_utf8(content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content)) else {
            faults.report(file, None, "The file is not UTF-8 text.");
            return None;
        };
        let lines = text.lines().enumerate().map(|(at, text)| (at + 1, text.trim()));
        let mut lines = lines.filter(|(_, text)| !text.starts_with('#') && !text.is_empty()).peekable();
        // Excel writes the machine's list separator, which is a semicolon in some countries.
        let delimiter = lines.peek().map_or(b',', |(_, head)| separator(head));
        let mut rows = lines
            .map(|(line, text)| ReadRow { line, cells: cells(text, delimiter) })
            .filter(|row| row.cells.iter().any(|cell| !cell.is_empty()));
        let header = rows.next();
        let rows: Vec<ReadRow> = rows.collect();
        let Some(header) = header.filter(|_| !rows.is_empty()) else {
            faults.report(file, None, "The file must have a header and at least one row.");
            return None;
        };
        if faults.count() > faults_before {
            return None;
        }
        for row in rows.iter().filter(|row| row.cells.len() != header.cells.len()) {
            let (cells, columns) = (row.cells.len(), header.cells.len());
            faults.report(
                file,
                Some(row.line),
                format!("The row must have {columns} cells like the header, not {cells}."),
            );
        }
        (faults.count() == faults_before).then_some(Table { file: file.to_owned(), header, rows })
    }
}

/// Splits one line into cells. It does not use a CSV reader for the whole file, because that would count
/// wrong lines after comments. Most lines have no quotation marks and are split without a reader, because a
/// reader is slow to create.
fn cells(line: &str, delimiter: u8) -> Vec<String> {
    if !line.contains('"') {
        return line.split(char::from(delimiter)).map(|cell| cell.trim().to_owned()).collect();
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .buffer_capacity(line.len().max(1))
        .from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}
