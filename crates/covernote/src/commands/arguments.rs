//! Values of flags and arguments, read as the contract has them.

use domain::date::Date;
use domain::money::Rupees;
use domain::period::IsoDate;
use domain::premium::{PaidAmount, PaymentReference};
use domain::text::FromText;

use crate::failure::{Failure, Result};

/// A value of a flag, an argument or a column, which is `what`.
pub(super) fn read<T: FromText>(what: &str, text: &str) -> Result<T> {
    read_or_say(what, text).map_err(Failure::BadData)
}

/// The same where several faults are told at once.
pub(super) fn read_or_say<T: FromText>(what: &str, text: &str) -> Result<T, String> {
    let wanted = T::WANTED.trim_end_matches(',');
    T::from_text(text.trim()).map_err(|_| format!("{what}: must be {wanted}"))
}

pub(super) fn read_amount(what: &str, text: &str) -> Result<Rupees> {
    read(what, text).map(|amount: PaidAmount| amount.0)
}

pub(super) fn read_reference(text: &str) -> Result<PaymentReference> {
    read("--reference", text)
}

pub(super) fn read_day(flag: &str, text: &str) -> Result<Date> {
    read(flag, text).map(|day: IsoDate| day.0)
}
