//! Values of fields, read as the contract has them.

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

/// Refuses what came in, with a sentence that says why.
pub(crate) fn bad(detail: impl Into<String>) -> Problem {
    Problem::new(Code::V4000, detail)
}

/// An id of `what`, such as "a policy".
pub(crate) fn read_id<K: Kind>(what: &str, text: &str) -> Result<Id<K>> {
    let wrong = || format!("{text} is not the id of {what}, which is {}_ and 26 characters", prefix::<K>());
    text.parse().map_err(|_| bad(wrong()))
}

/// A value of a field that is called `what`.
pub(crate) fn read<T: FromText>(what: &str, text: &str) -> Result<T> {
    read_or_say(what, text).map_err(bad)
}

/// A value of a field that is called `what`, or the sentence that says what it must be.
///
/// # Errors
/// That sentence.
pub fn read_or_say<T: FromText>(what: &str, text: &str) -> Result<T, String> {
    let wanted = T::WANTED.trim_end_matches(',');
    T::from_text(text.trim()).map_err(|_| format!("{what}: must be {wanted}"))
}

/// The one value that was given, with what it is, of fields of which exactly one must be given. Each has its name in the API.
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

/// The reason of a decision. A refusal needs one.
pub(crate) fn read_reason(text: Option<&str>, refuses: bool) -> Result<Option<PersonalLine>> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    match text {
        None if refuses => Err(bad("--reason: say why it is refused")),
        text => text.map(|text| read("--reason", text)).transpose(),
    }
}

/// What was read, with what was wrong with the others.
pub(crate) fn all_or_faults<T>(
    read: impl IntoIterator<Item = Result<T>>,
    faults: &mut Vec<String>,
) -> Vec<T> {
    read.into_iter()
        .filter_map(|one| one.map_err(|fault| faults.push(fault.detail().to_owned())).ok())
        .collect()
}

/// How many records a list has if nobody says.
pub(crate) const fn fifty() -> usize {
    50
}

/// A payment that was made, and is noted now.
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub(crate) struct PaymentMade {
    /// What the payment is called, such as the bank's UTR. The same again changes nothing
    #[arg(long)]
    reference: String,
    /// The day on which it was paid, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    paid_on: Option<String>,
    /// What was paid, in rupees, with interest where it is owed for paying late. Refused where another amount is owed on that day
    #[arg(long)]
    amount: Option<String>,
}

impl PaymentMade {
    /// What it is called, its day, and its amount where somebody told it.
    pub(crate) fn read(&self, today: Date) -> Result<(PaymentReference, Date, Option<Rupees>)> {
        let reference = read_reference(&self.reference)?;
        let paid_on = self.paid_on.as_deref().map(|day| read_day("--paid-on", day)).transpose()?;
        let amount = self.amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?;
        Ok((reference, paid_on.unwrap_or(today), amount))
    }
}
