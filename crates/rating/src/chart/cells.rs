//! Cells of a chart row, by column name.

use domain::date::Date;
use domain::money::{PlainAmount, Rupees};
use domain::text::FromText;
use spreadsheet::ReadRow;

use crate::parse::table::Table;

/// Access to the cells of a row by column name.
pub(super) struct Cells<'s> {
    pub(super) table: &'s Table,
    pub(super) row: &'s ReadRow,
}

impl Cells<'_> {
    /// Text of the cell in a column. `None` if the cell is blank or the column is missing.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let position = self.table.header.cells.iter().position(|column| column == name)?;
        self.row.cells.get(position).map(String::as_str).filter(|text| !text.is_empty())
    }

    pub(super) fn required(&self, name: &str) -> Result<&str, String> {
        self.get(name).ok_or_else(|| format!("`{name}` is missing."))
    }

    pub(super) fn amount(&self, name: &str) -> Result<Option<Rupees>, String> {
        self.get(name).map(|text| parse_amount(name, text)).transpose()
    }

    /// Reports a value in a column that is only for another line of business.
    pub(super) fn without(&self, columns: &[&str]) -> Result<(), String> {
        match columns.iter().find(|column| self.get(column).is_some()) {
            Some(column) => Err(format!("`{column}` does not apply to a variant of this line of business.")),
            None => Ok(()),
        }
    }
}

pub(super) fn parse_amount(name: &str, text: &str) -> Result<Rupees, String> {
    let amount = PlainAmount::from_text(text).map(|amount| amount.0);
    amount.map_err(|_| format!("`{name}` must be {}, not {text:?}.", PlainAmount::WANTED))
}

pub(super) fn parse_day(name: &str, text: &str) -> Result<Date, String> {
    let shaped = text.len() == 10;
    let day = text.parse::<Date>().ok().filter(|_| shaped);
    day.ok_or_else(|| format!("`{name}` must be a day such as 2026-11-20, not {text:?}."))
}
