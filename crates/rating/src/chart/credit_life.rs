//! Chart rows of credit life.
//!
//! - `age` (completed years) or `date_of_birth`
//! - `gender`, `cover`, `loan` (amount), `term` (months)
//! - `riders`: rider ids, separated by spaces
//! - for a second life: `joint_age` or `joint_date_of_birth`, and `joint_gender`
//! - `refused`: one of `age`, `age-at-end`, `cover`, `term`, `rider`

use domain::context::{Context, ContextEntry, judge, key};
use domain::date::{BirthDate, Date};
use domain::money::CoverAmount;
use domain::person::Gender;
use domain::quote::{NotPriced, PolicyTerm, QuoteRequest};
use domain::text::FromText;

use super::cells::{Cells, parse_amount, parse_day};
use super::columns;
use super::outcome::{Refusal, RowOutcome};
use crate::credit_variant::CreditVariant;

pub(super) fn price(variant: &CreditVariant, cells: &Cells<'_>, on: Date) -> Result<RowOutcome, String> {
    cells.without(columns::HEALTH)?;
    Ok(variant.price(&parse_request(cells, on)?, on).map_err(refusal))
}

fn refusal(refused: NotPriced) -> Refusal {
    let sentence = refused.to_string();
    let word = match refused {
        NotPriced::Age { .. } | NotPriced::AgeFrom { .. } => "age",
        NotPriced::AgeAtEnd { .. } => "age-at-end",
        NotPriced::Cover { .. } => "cover",
        NotPriced::Term { .. } => "term",
        NotPriced::Rider(_) => "rider",
        NotPriced::TooLarge
        | NotPriced::InsurerRefused(_)
        | NotPriced::InsurerFailed
        | NotPriced::InsurerSlow => &sentence,
    };
    Refusal { word: word.to_owned(), sentence }
}

/// Parses the quote request of a row. The error is the message of the fault.
fn parse_request(cells: &Cells<'_>, on: Date) -> Result<QuoteRequest, String> {
    let born = match (cells.get("date_of_birth"), cells.get("age")) {
        (Some(born), None) => parse_day("date_of_birth", born)?,
        (None, Some(age)) => born_years_before(on, age)?,
        _ => return Err("The row must have exactly one of `age` and `date_of_birth`.".to_owned()),
    };
    let gender = cells.required("gender")?;
    let gender = Gender::from_text(gender).map_err(|_| format!("`gender` must be {}.", Gender::WANTED))?;
    let cover = parse_amount("cover", cells.required("cover")?)?;
    let cover = CoverAmount::of(cover).ok_or("`cover` must be above zero.")?;
    let term = cells.required("term")?.parse().ok().and_then(PolicyTerm::months);
    let term = term.ok_or("`term` must be a whole number of months.")?;
    let loan = cells.amount("loan")?;
    let loan = loan.map(|loan| ContextEntry::new(key::LOAN_AMOUNT, vec![loan.to_string()]));
    let riders = cells.get("riders").map(|ids| ids.split_whitespace().map(str::to_owned).collect());
    let riders = riders.map(|ids| ContextEntry::new(key::RIDERS, ids));
    let mut told = Vec::new();
    for key in [key::OCCUPATION, key::TOBACCO] {
        if let Some(value) = cells.get(key) {
            judge(key, value).map_err(|wanted| format!("`{key}` must be {wanted}."))?;
            told.push(ContextEntry::new(key, vec![value.to_owned()]));
        }
    }
    let mut context = Context::of(loan.into_iter().chain(riders).chain(told).collect());
    if let Some((born, gender)) = parse_joint_life(cells, on)? {
        context = Context::of_joint_life(born, gender).over(&context);
    }
    Ok(QuoteRequest { born: BirthDate::kept(born), gender, cover, term, context })
}

/// Parses date of birth and gender of the second life, if the row has one. The error is the message of the
/// fault.
fn parse_joint_life(cells: &Cells<'_>, on: Date) -> Result<Option<(BirthDate, Gender)>, String> {
    let born = match (cells.get("joint_date_of_birth"), cells.get("joint_age")) {
        (None, None) if cells.get("joint_gender").is_none() => return Ok(None),
        (Some(born), None) => parse_day("joint_date_of_birth", born)?,
        (None, Some(age)) => born_years_before(on, age)?,
        _ => return Err("The row must have exactly one of `joint_age` and `joint_date_of_birth`.".to_owned()),
    };
    let gender = Gender::from_text(cells.required("joint_gender")?)
        .map_err(|_| format!("`joint_gender` must be {}.", Gender::WANTED))?;
    Ok(Some((BirthDate::kept(born), gender)))
}

/// Date of birth of a person who reaches the age `age` on the day `on`. 28 February if the year of birth has
/// no 29 February.
fn born_years_before(on: Date, age: &str) -> Result<Date, String> {
    let wrong = || format!("`age` must be completed years, not {age:?}.");
    let years: u8 = age.parse().map_err(|_| wrong())?;
    let year = on.year() - i16::from(years);
    let born = Date::new(year, on.month(), on.day()).or_else(|_| Date::new(year, on.month(), on.day() - 1));
    born.map_err(|_| wrong())
}
