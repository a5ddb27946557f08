//! Cells of a row of a chart, by the names of their columns.

use domain::date::Date;
use domain::money::{PlainAmount, Rupees};
use domain::text::FromText;

use crate::parse::table::{Row, Sheet};

/// The cells of a row by the names of their columns.
pub(super) struct Cells<'s> {
    pub(super) sheet: &'s Sheet,
    pub(super) row: &'s Row,
}

impl Cells<'_> {
    /// A cell that is not blank.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let place = self.sheet.header.cells.iter().position(|column| column == name)?;
        self.row.cells.get(place).map(String::as_str).filter(|text| !text.is_empty())
    }

    pub(super) fn required(&self, name: &str) -> Result<&str, String> {
        self.get(name).ok_or_else(|| format!("`{name}` is missing."))
    }

    pub(super) fn amount(&self, name: &str) -> Result<Option<Rupees>, String> {
        self.get(name).map(|text| read_amount(name, text)).transpose()
    }

    /// Refuses cells of another line of business, which would say nothing here.
    pub(super) fn without(&self, columns: &[&str]) -> Result<(), String> {
        match columns.iter().find(|column| self.get(column).is_some()) {
            Some(column) => Err(format!("`{column}` says nothing of a variant of this line of business.")),
            None => Ok(()),
        }
    }
}

pub(super) fn read_amount(name: &str, text: &str) -> Result<Rupees, String> {
    let amount = PlainAmount::from_text(text).map(|amount| amount.0);
    amount.map_err(|_| format!("`{name}` must be {} not {text:?}.", PlainAmount::WANTED))
}

pub(super) fn read_day(name: &str, text: &str) -> Result<Date, String> {
    let shaped = text.len() == 10;
    let day = text.parse::<Date>().ok().filter(|_| shaped);
    day.ok_or_else(|| format!("`{name}` must be a day such as 2026-11-20, not {text:?}."))
}
