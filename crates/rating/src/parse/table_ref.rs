//! References to tables: a `.csv` file, or a sheet of an `.xlsx` workbook.

use std::borrow::Cow;

use crate::fault::FaultLog;

/// Text that joins a workbook's path and the name of its sheet.
const SHEET: &str = ".xlsx, sheet ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableRef {
    /// Path of the file inside the catalogue.
    pub(crate) path: String,
    /// Sheet of a workbook. `None` for a `.csv` file.
    pub(crate) sheet: Option<String>,
}

impl TableRef {
    /// Name of the table: the path, and for a workbook also the sheet.
    pub(crate) fn name(&self) -> String {
        match &self.sheet {
            Some(sheet) => format!("{}, sheet {sheet}", self.path),
            None => self.path.clone(),
        }
    }
}

/// Reports a fault of a row, or of a cell if `column` (counted from 0) is given. For a workbook, the message
/// names the cell, such as `B7`.
pub(crate) fn report(faults: &FaultLog, table: &str, line: usize, column: Option<usize>, message: String) {
    match place(table, line, column) {
        Some(place) => faults.report(&place, None, message),
        None => faults.report(table, Some(line), message),
    }
}

/// Words for a row or cell in a workbook. `None` for a `.csv` file, because its faults give the line.
pub(crate) fn place(table: &str, line: usize, column: Option<usize>) -> Option<String> {
    if !table.contains(SHEET) {
        return None;
    }
    let cell: Cow<'_, str> = match column {
        Some(column) => letters(column).into(),
        None => "row ".into(),
    };
    Some(format!("{table}, {cell}{line}"))
}

/// Letters of a column, which is counted from 0: A, B, … Z, AA.
fn letters(column: usize) -> String {
    let letter = char::from(b'A' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { format!("{}{letter}", letters(column / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_workbook_are_named_as_in_spreadsheets() {
        let columns = [0, 1, 25, 26, 27, 701, 702].map(letters);
        assert_eq!(columns, ["A", "B", "Z", "AA", "AB", "ZZ", "AAA"]);
        let at = |column| place("a/rates.xlsx, sheet Level", 7, column);
        assert_eq!(at(Some(1)).as_deref(), Some("a/rates.xlsx, sheet Level, B7"));
        assert_eq!(at(None).as_deref(), Some("a/rates.xlsx, sheet Level, row 7"));
        assert_eq!(place("a/rates.csv", 7, Some(1)), None);
    }
}
