//! Writes rows of cells as CSV or XLSX files, one row at a time. Memory use does not grow with the number of
//! rows.

mod cell;
mod csv;
mod xlsx;

pub use cell::Cell;
pub use csv::CsvRows;
pub use xlsx::Workbook;
