//! Tables in workbooks: a sheet of an `.xlsx` file, read like a CSV file.

use spreadsheet::{ReadRow, Sheet};

use super::table::Table;
use super::table_ref::{TableRef, report};
use crate::fault::FaultLog;

/// Parses a sheet of a workbook. `None` after a reported fault.
pub(crate) fn parse(of: &TableRef, content: &[u8], faults: &FaultLog) -> Option<Table> {
    let sheet = of.sheet.as_deref()?;
    let read = Sheet::read(content, Some(sheet));
    let sheet = read.map_err(|message| faults.report(&of.path, None, message)).ok()?;
    let name = of.name();
    let faults_before = faults.count();
    for fault in sheet.faults {
        report(faults, &name, fault.line, Some(fault.column), fault.message);
    }
    let table = to_table(name, sheet.rows, faults);
    table.filter(|_| faults.count() == faults_before)
}

/// Builds the table from the rows. Leaves out blank rows, and rows that begin with `#`.
fn to_table(name: String, rows: Vec<ReadRow>, faults: &FaultLog) -> Option<Table> {
    let is_comment = |row: &ReadRow| {
        row.cells.iter().find(|cell| !cell.is_empty()).is_none_or(|cell| cell.starts_with('#'))
    };
    let mut rows = rows.into_iter().filter(|row| !is_comment(row));
    let header = rows.next();
    let mut rows: Vec<ReadRow> = rows.collect();
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
