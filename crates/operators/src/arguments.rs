//! Parsing of field values, by the rules of the contract.

use clap::Args;
use domain::date::Date;
use domain::id::{Id, Kind, prefix};
use domain::money::Rupees;
use domain::period::IsoDate;
use domain::person::PersonalLine;
use domain::premium::{PaidAmount, PaymentReference};
use domain::text::FromText;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use web::error::{Code, Problem};

use crate::act::Result;

/// Error for invalid input (V4000). `detail` is a sentence that says what is wrong.
pub(crate) fn bad(detail: impl Into<String>) -> Problem {
    Problem::new(Code::V4000, detail)
}

/// Parses the id of `what`, such as "a policy".
pub(crate) fn read_id<K: Kind>(what: &str, text: &str) -> Result<Id<K>> {
    let wrong = || format!("{text} is not the id of {what}: must be {}_ and 26 characters", prefix::<K>());
    text.parse().map_err(|_| bad(wrong()))
}

/// Parses `text`, the value of the field `what`.
pub(crate) fn read<T: FromText>(what: &str, text: &str) -> Result<T> {
    read_or_say(what, text).map_err(bad)
}

/// Parses `text`, the value of the field `what`.
///
/// # Errors
/// If the value is invalid: a sentence that says what it must be.
pub fn read_or_say<T: FromText>(what: &str, text: &str) -> Result<T, String> {
    let wanted = T::WANTED;
    T::from_text(text.trim()).map_err(|_| format!("{what}: must be {wanted}"))
}

/// Returns the value of the only field that is given, with the kind of that field. Refuses no value, and
/// several values. Each field has its name in the API.
pub(crate) fn only_one<'a, K>(
    fields: impl IntoIterator<Item = (&'static str, K, &'a Option<String>)>,
) -> Result<(K, &'a str)> {
    let (mut names, mut given) = (Vec::new(), Vec::new());
    for (name, what, value) in fields {
        names.push(name);
        given.extend(value.as_deref().map(|value| (what, value.trim())));
    }
    match (given.pop(), given.is_empty()) {
        (Some((what, value)), true) if !value.is_empty() => Ok((what, value)),
        _ => Err(bad(format!("Give exactly one of {}.", names.join(", ")))),
    }
}

pub(crate) fn read_amount(what: &str, text: &str) -> Result<Rupees> {
    read(what, text).map(|amount: PaidAmount| amount.0)
}

pub(crate) fn read_reference(text: &str) -> Result<PaymentReference> {
    read("--reference", text)
}

pub(crate) fn read_day(flag: &str, text: &str) -> Result<Date> {
    read(flag, text).map(|day: IsoDate| day.0)
}

/// Parses the reason of a decision. A refusal must have a reason.
pub(crate) fn read_reason(text: Option<&str>, refuses: bool) -> Result<Option<PersonalLine>> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    match text {
        None if refuses => Err(bad("--reason: a refusal needs a reason")),
        text => text.map(|text| read("--reason", text)).transpose(),
    }
}

/// Returns the valid values, and adds the faults of the invalid values to `faults`.
pub(crate) fn all_or_faults<T>(
    read: impl IntoIterator<Item = Result<T>>,
    faults: &mut Vec<String>,
) -> Vec<T> {
    read.into_iter()
        .filter_map(|one| one.map_err(|fault| faults.push(fault.detail().to_owned())).ok())
        .collect()
}

/// Default number of records in a list.
pub(crate) const fn fifty() -> usize {
    50
}

/// A payment that was made outside this service
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub(crate) struct PaymentMade {
    /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
    #[arg(long)]
    reference: String,
    /// Day of the payment, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    paid_on: Option<String>,
    /// Paid amount in rupees, including interest for late payment; must be the amount owed on that day
    /// [default: that amount]
    #[arg(long)]
    amount: Option<String>,
}

impl PaymentMade {
    /// Parses the payment: its reference, its day and, if given, its amount.
    pub(crate) fn read(&self, today: Date) -> Result<(PaymentReference, Date, Option<Rupees>)> {
        let reference = read_reference(&self.reference)?;
        let paid_on = self.paid_on.as_deref().map(|day| read_day("--paid-on", day)).transpose()?;
        let amount = self.amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?;
        Ok((reference, paid_on.unwrap_or(today), amount))
    }
}
