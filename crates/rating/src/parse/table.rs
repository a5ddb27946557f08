//! Sheets: the rows of a CSV file, each with its line.

use crate::fault::Faults;

/// What spreadsheets put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A CSV file: a header and rows of as many cells. Blank lines and those that begin with `#` are passed over; cells
/// may stand in quotation marks, as spreadsheets write them.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// Path inside the catalogue.
    pub(crate) file: String,
    /// The first row.
    pub(crate) header: Row,
    /// The rows under it.
    pub(crate) rows: Vec<Row>,
}

/// One row of cells, trimmed.
#[derive(Debug)]
pub(crate) struct Row {
    /// Line in the file, counted from 1.
    pub(crate) line: usize,
    /// The cells.
    pub(crate) cells: Vec<String>,
}

impl Sheet {
    /// Reads a file. `None` when a fault was noted.
    pub(crate) fn parse(file: &str, content: &[u8], faults: &Faults) -> Option<Sheet> {
        let noted = faults.count();
        let Ok(text) = std::str::from_utf8(content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content)) else {
            faults.note(file, None, "The file is not UTF-8 text.");
            return None;
        };
        let lines = text.lines().enumerate().map(|(at, text)| (at + 1, text.trim()));
        let mut rows = lines
            .filter(|(_, text)| !text.starts_with('#'))
            .map(|(line, text)| Row { line, cells: cells(text) })
            .filter(|row| row.cells.iter().any(|cell| !cell.is_empty()));
        let header = rows.next();
        let rows: Vec<Row> = rows.collect();
        let Some(header) = header.filter(|_| !rows.is_empty()) else {
            faults.note(file, None, "The file must have a header and at least one row.");
            return None;
        };
        if faults.count() > noted {
            return None;
        }
        for row in rows.iter().filter(|row| row.cells.len() != header.cells.len()) {
            let (cells, columns) = (row.cells.len(), header.cells.len());
            faults.note(
                file,
                Some(row.line),
                format!("The row must have {columns} cells like the header, not {cells}."),
            );
        }
        (faults.count() == noted).then_some(Sheet { file: file.to_owned(), header, rows })
    }
}

/// The cells of one line. Read line by line, since a reader of whole files counts a row's line from the comments
/// before it. A line without quotation marks, as nearly all are, needs no reader, which takes long to make.
fn cells(line: &str) -> Vec<String> {
    if !line.contains('"') {
        return line.split(',').map(|cell| cell.trim().to_owned()).collect();
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .buffer_capacity(line.len().max(1))
        .from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}
