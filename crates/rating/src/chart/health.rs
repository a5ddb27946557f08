//! Chart rows of health.
//!
//! - `members`: such as `self:40 spouse:34 son:8`
//! - `pincode`, `sum_insured`, `deductible`
//! - `illnesses`, `occupations`: words, separated by spaces
//! - `tenure`: years, default 1
//! - `instalments`: absent for one payment
//! - `tobacco`: `yes` or `no`
//! - `refused`: one of `relation`, `age`, `child-age`, `family`, `zone`, `sum-insured`, `deductible`,
//!   `illness`, `instalments`

use domain::date::Date;
use domain::health_quote::{Attribution, Customer, HealthRequest, NotOffered};
use domain::money::Rupees;
use domain::person::{HomePincode, Occupation};
use domain::text::FromText;

use super::cells::{Cells, parse_amount};
use super::columns;
use super::outcome::{Refusal, RowOutcome};
use crate::health_facts::{HealthFacts, Instalments};
use crate::health_variant::HealthVariant;
use crate::members::Members;

pub(super) fn price(variant: &HealthVariant, cells: &Cells<'_>, on: Date) -> Result<RowOutcome, String> {
    cells.without(columns::CREDIT_LIFE)?;
    let years = cells.get("tenure").map(|years| years.parse::<u8>().ok().filter(|years| *years > 0));
    let years = years.unwrap_or(Some(1)).ok_or("`tenure` must be a whole number of years.")?;
    let request = parse_request(variant, cells)?;
    let facts = parse_facts(cells)?;
    let offer = match variant.price_with(&request, &facts, on) {
        Ok(offer) => offer,
        Err(NotOffered::InsurerRefused(sentence)) if !is_sold_so(variant, &facts) => {
            return Ok(Err(Refusal { word: "instalments".to_owned(), sentence }));
        }
        Err(refused) => return Ok(Err(refusal(refused))),
    };
    let tenure = offer.tenures.iter().find(|tenure| tenure.years == years);
    let tenure = tenure
        .ok_or_else(|| format!("`tenure` is {years}, but {} is not sold for that many years.", variant.id))?;
    Ok(Ok(tenure.premium))
}

/// Whether the variant is sold with the requested instalments.
fn is_sold_so(variant: &HealthVariant, facts: &HealthFacts) -> bool {
    facts.instalments.is_none_or(|instalments| variant.is_sold_in(instalments))
}

/// Parses facts of a row that API requests do not have. The error is the message of the fault.
fn parse_facts(cells: &Cells<'_>) -> Result<HealthFacts, String> {
    let instalments = cells.get("instalments").map(|word| {
        Instalments::from_text(word).map_err(|_| format!("`instalments` must be {}.", Instalments::WANTED))
    });
    let occupations = cells.get("occupations").unwrap_or_default().split_whitespace().map(|word| {
        Occupation::from_text(word).map_err(|_| format!("`occupations` must be {}.", Occupation::WANTED))
    });
    let tobacco = match cells.get("tobacco") {
        Some("yes") => true,
        Some("no") | None => false,
        Some(_) => return Err("`tobacco` must be yes or no.".to_owned()),
    };
    Ok(HealthFacts {
        instalments: instalments.transpose()?,
        occupations: occupations.collect::<Result<_, _>>()?,
        tobacco,
    })
}

/// Refusal with its word for the chart's column `refused`. A reason without a word is written as its whole
/// sentence.
fn refusal(refused: NotOffered) -> Refusal {
    let sentence = refused.to_string();
    let word = match refused {
        NotOffered::Age { .. } => "age",
        NotOffered::ChildAge { .. } | NotOffered::ChildAgeFrom { .. } => "child-age",
        NotOffered::Family => "family",
        NotOffered::Relation(_) => "relation",
        NotOffered::Zone => "zone",
        NotOffered::SumInsured => "sum-insured",
        NotOffered::Deductible => "deductible",
        NotOffered::Illness => "illness",
        NotOffered::TooLarge
        | NotOffered::InsurerRefused(_)
        | NotOffered::InsurerFailed
        | NotOffered::InsurerSlow => &sentence,
    };
    Refusal { word: word.to_owned(), sentence }
}

/// Parses the quote request of a row. The error is the message of the fault.
fn parse_request(variant: &HealthVariant, cells: &Cells<'_>) -> Result<HealthRequest, String> {
    let members = cells.required("members")?;
    let Members(members) = Members::from_text(members)
        .map_err(|_| format!("`members` must be {} not {members:?}.", Members::WANTED))?;
    let pincode = HomePincode::from_text(cells.required("pincode")?)
        .map_err(|_| format!("`pincode` must be {}.", HomePincode::WANTED))?;
    let sum_insured = parse_amount("sum_insured", cells.required("sum_insured")?)?;
    let deductible = cells.amount("deductible")?.filter(|deductible| *deductible > Rupees::ZERO);
    let illnesses = cells.get("illnesses").unwrap_or_default();
    let selected_peds: Vec<String> = illnesses.split_whitespace().map(str::to_owned).collect();
    Ok(HealthRequest {
        lead: None,
        user: None,
        session: None,
        customer: Customer { name: None, gender: None, phone: None, pincode, email: None },
        members,
        has_ped: !selected_peds.is_empty(),
        selected_peds,
        plan: variant.plan,
        sum_insured,
        deductible,
        porting: None,
        attribution: Attribution::default(),
        covered_since: None,
    })
}
