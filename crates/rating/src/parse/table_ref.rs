//! References to tables: a `.csv` file, or a sheet of an `.xlsx` workbook, with the places in them that faults name.

use std::borrow::Cow;

use crate::fault::FaultLog;

/// What stands between a workbook's path and the name of its sheet.
const SHEET: &str = ".xlsx, sheet ";

/// A table that a section names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableRef {
    /// Path of the file inside the catalogue.
    pub(crate) path: String,
    /// The sheet of a workbook; `None` for a `.csv` file.
    pub(crate) sheet: Option<String>,
}

impl TableRef {
    /// The name of the table: the path, and the sheet of a workbook.
    pub(crate) fn name(&self) -> String {
        match &self.sheet {
            Some(sheet) => format!("{}, sheet {sheet}", self.path),
            None => self.path.clone(),
        }
    }
}

/// Reports a fault of a row, or of a cell by its column from 0 on. In a workbook the cell is named as spreadsheets do.
pub(crate) fn report(faults: &FaultLog, table: &str, line: usize, column: Option<usize>, message: String) {
    match place(table, line, column) {
        Some(place) => faults.report(&place, None, message),
        None => faults.report(table, Some(line), message),
    }
}

/// The place of a row or cell in a workbook; `None` in a `.csv` file, whose lines are named.
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

/// The letters of a column: A, B, … Z, AA.
fn letters(column: usize) -> String {
    let letter = char::from(b'A' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { format!("{}{letter}", letters(column / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_in_spreadsheets() {
        let columns = [0, 1, 25, 26, 27, 701, 702].map(letters);
        assert_eq!(columns, ["A", "B", "Z", "AA", "AB", "ZZ", "AAA"]);
        let at = |column| place("a/rates.xlsx, sheet Level", 7, column);
        assert_eq!(at(Some(1)).as_deref(), Some("a/rates.xlsx, sheet Level, B7"));
        assert_eq!(at(None).as_deref(), Some("a/rates.xlsx, sheet Level, row 7"));
        assert_eq!(place("a/rates.csv", 7, Some(1)), None);
    }
}
