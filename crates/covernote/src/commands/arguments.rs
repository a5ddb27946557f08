//! Values of flags and arguments, read as the contract has them.

use domain::date::Date;
use domain::id::{Id, Kind, prefix};
use domain::money::Rupees;
use domain::period::IsoDate;
use domain::person::PersonalLine;
use domain::premium::{PaidAmount, PaymentReference};
use domain::text::FromText;

use crate::failure::Failure;

/// An id of `what`, such as "a policy".
pub(super) fn read_id<K: Kind>(what: &str, text: &str) -> Result<Id<K>, Failure> {
    let wrong = || format!("{text} is not the id of {what}, which is {}_ and 26 characters", prefix::<K>());
    text.parse().map_err(|_| Failure::BadData(wrong()))
}

pub(super) fn read_amount(what: &str, text: &str) -> Result<Rupees, Failure> {
    PaidAmount::from_text(text.trim()).map(|amount| amount.0).map_err(|came| {
        Failure::BadData(format!(
            "{what}: {came} was found; {} is wanted",
            PaidAmount::WANTED.trim_end_matches(',')
        ))
    })
}

pub(super) fn read_reference(text: &str) -> Result<PaymentReference, Failure> {
    PaymentReference::from_text(text.trim()).map_err(|came| {
        Failure::BadData(format!(
            "--reference: {came} was found; {} is wanted",
            PaymentReference::WANTED.trim_end_matches(',')
        ))
    })
}

pub(super) fn read_day(flag: &str, text: &str) -> Result<Date, Failure> {
    IsoDate::from_text(text.trim())
        .map(|day| day.0)
        .map_err(|came| Failure::BadData(format!("{flag}: {came} was found; {} is wanted", IsoDate::WANTED)))
}

pub(super) fn read_line(flag: &str, text: &str) -> Result<PersonalLine, Failure> {
    PersonalLine::from_text(text.trim()).map_err(|came| {
        Failure::BadData(format!("{flag}: {came} was found; {} is wanted", PersonalLine::WANTED))
    })
}
