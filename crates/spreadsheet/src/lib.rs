//! Rows of cells as CSV and as XLSX: a row after another, so that a million take no more memory than a few.

mod cell;
mod csv;
mod xlsx;

pub use cell::Cell;
pub use csv::CsvRows;
pub use xlsx::Workbook;
