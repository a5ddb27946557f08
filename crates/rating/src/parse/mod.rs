//! Parses catalogue files into documents, tables and values. These modules do not know what a product is.

pub(crate) mod ages;
pub(crate) mod cell;
pub(crate) mod document;
pub(crate) mod ids;
pub(crate) mod number;
pub(crate) mod parsed;
pub(crate) mod source_files;
pub(crate) mod table;
pub(crate) mod table_ref;
pub(crate) mod texts;
pub(crate) mod values;
mod workbook;
