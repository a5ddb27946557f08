//! Page that asks for names, dates of birth and addresses, after the customer chose a plan.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::date::Date;
use domain::health_proposal::{FamilyMember, HealthForm};
use domain::health_quote::{Age, Relation};
use domain::journey::{Answers, Journey};
use domain::person::HomePincode;
use rating::Catalogue;

use super::address::{self, redirect};
use super::amount;
use super::details_fields;
use super::details_form::{ACCOUNT_FIELDS, form_of, read};
use super::extract::{Submission, Unapplied, UnappliedSubmission};
use super::field::Field;
use super::form::Form;
use super::frame::{Frame, render, render_invalid};
use super::offer::Offer;
use super::people;
use super::quote::{quote_of, recommend};
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::error::{Problem, Result};

#[derive(Template)]
#[template(path = "journey/details.html")]
struct DetailsPage {
    frame: Frame,
    form: Form,
    lead: String,
    own: Vec<Field>,
    address: Vec<Field>,
    members: Vec<MemberRow>,
    nominee: Vec<Field>,
    bank: Vec<Field>,
    bank_is_open: bool,
}

struct MemberRow {
    legend: String,
    /// Form fields of this person. Empty for the proposer, whose fields are at the top of the page.
    fields: Vec<Field>,
    illnesses: String,
}

pub(crate) async fn get(State(app): State<App>, Unapplied(visitor): Unapplied) -> Result<Response> {
    if let Some(step) = Step::Details.unanswered_before(&visitor.journey.answers) {
        return Ok(redirect(step));
    }
    let form = form_of(&visitor.journey.answers);
    let (visitor, page) = page(&app, visitor, form).await?;
    Ok(render(&visitor, &page))
}

pub(crate) async fn post(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, mut form, only_language }): UnappliedSubmission,
) -> Result<Response> {
    if let Some(step) = Step::Details.unanswered_before(&visitor.journey.answers) {
        return Ok(redirect(step));
    }
    if only_language {
        let (visitor, page) = page(&app, visitor, form).await?;
        return Ok(render(&visitor, &page));
    }
    let today = app.service.policies.today_of(visitor.partner.id);
    let filled = read(visitor.words, &mut form, &visitor.journey.answers.family, today);
    let Some(filled) = filled else {
        let (visitor, page) = page(&app, visitor, form).await?;
        return Ok(render_invalid(&visitor, &page));
    };
    let (visitor, quote) = quote_of(&app, visitor).await?;
    let born = filled.members.iter().map(|member| member.born);
    let same_home = quote.quote.request.customer.pincode.reveal() == filled.proposer.address.pincode.reveal();
    let holds = quote.quote.has_ages_of(born) && same_home;
    let change = |journey: &mut Journey| {
        journey.answers.form = Some(filled.clone());
        if !holds {
            // Prices depend on ages and pincode in the documents, so request them again and show them.
            take_from_documents(&mut journey.answers, &filled, today);
        }
    };
    let journey = app.service.journeys.change(visitor.journey, change).await?;
    if holds {
        return Ok(redirect(Step::Review));
    }
    recommend(&app, journey).await?;
    Ok(redirect(address::PRICE))
}

/// Copies ages and pincode from the filled-in form to the answers, and removes the quote from the answers.
/// The chosen plan keeps its old price.
pub(crate) fn take_from_documents(answers: &mut Answers, filled: &HealthForm, today: Date) {
    answers.quote = None;
    for (one, member) in answers.family.iter_mut().zip(&filled.members) {
        let age = Age::on(member.born, today).filter(|age| {
            // For a child below one year, the age in days counts.
            let years = age.completed_years();
            years == 0 || years != one.member.age.completed_years()
        });
        if let Some(age) = age {
            one.member.age = age;
        }
    }
    answers.pincode = Some(HomePincode::kept(filled.proposer.address.pincode.reveal().to_owned()));
}

async fn page(app: &App, visitor: Visitor, form: Form) -> Result<(Visitor, DetailsPage)> {
    let (visitor, quote) = quote_of(app, visitor).await?;
    let (words, answers) = (visitor.words, &visitor.journey.answers);
    let choice = answers.choice.ok_or_else(|| Problem::unexpected("the details page needs a chosen plan"))?;
    let name =
        Offer::find(&quote, &answers.family, choice.variant).map_or_else(String::new, |offer| offer.name());
    let lead = (words.details.lead)(&name, &amount::total(choice.premium));
    let bank_is_open =
        ACCOUNT_FIELDS.iter().any(|field| !form.value(field).is_empty() || form.error(field).is_some());
    let members = (0..answers.family.len())
        .map(|at| MemberRow::of(words, &form, &answers.family, at, &quote.catalogue))
        .collect();
    let frame = Frame::of_form(&visitor, Step::Details);
    let page = DetailsPage {
        frame,
        lead,
        own: details_fields::own(words, &form),
        address: details_fields::address(words, &form),
        members,
        nominee: details_fields::nominee(words, &form),
        bank: details_fields::bank(words, &form),
        bank_is_open,
        form,
    };
    Ok((visitor, page))
}

impl MemberRow {
    fn of(
        words: &Words,
        form: &Form,
        family: &[FamilyMember],
        at: usize,
        catalogue: &Catalogue,
    ) -> MemberRow {
        let one = &family[at];
        let fields = if one.member.relation == Relation::Own {
            Vec::new()
        } else {
            details_fields::member(words, form, at)
        };
        let illnesses = illnesses(words, &one.illnesses, catalogue);
        MemberRow {
            legend: (words.details.insured_person)(&people::with_age(words, &one.member)),
            fields,
            illnesses: if illnesses.is_empty() {
                illnesses
            } else {
                (words.details.declared_illnesses)(&illnesses)
            },
        }
    }
}

/// Names of illnesses from the catalogue, separated by commas.
pub(crate) fn illnesses(words: &Words, ids: &[String], catalogue: &Catalogue) -> String {
    let name = |id: &String| {
        let known = catalogue.illnesses().iter().find(|illness| illness.id == *id);
        known.map_or_else(|| id.clone(), |known| known.name.in_language(words.language).to_owned())
    };
    ids.iter().map(name).collect::<Vec<_>>().join(", ")
}
