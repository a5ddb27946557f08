//! Tables as CSV or XLSX files. They are written one row at a time, in memory that does not grow with the number
//! of rows, and read as people save them.

mod cell;
mod csv;
mod reading;
mod xlsx;

pub use cell::Cell;
pub use csv::CsvRows;
pub use reading::{CellFault, ReadRow, ReadTable, Sheet, separator};
pub use xlsx::Workbook;
