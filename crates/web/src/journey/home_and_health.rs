//! Page that asks for the customer's pincode and everybody's illnesses.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_proposal::FamilyMember;
use domain::health_quote::Porting;
use domain::journey::{Answers, Journey};
use domain::person::HomePincode;
use domain::text::FromText;
use domain::vocabulary;
use rating::Illness;
use rust_decimal::Decimal;

use super::address::redirect;
use super::extract::{Submission, Unapplied, UnappliedSubmission};
use super::field::{Choice, DIGITS, Field};
use super::form::Form;
use super::frame::{Frame, render, render_invalid};
use super::people;
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::error::Result;

/// Form field of the pincode.
const PINCODE: &str = "pincode";

/// Form field of the question whether anybody has an illness.
const ILLNESS: &str = "illness";

/// Form field of the question whether a policy is ported.
const PORTING: &str = "porting";

/// Form field of the number of years that the ported policy has run.
const PORTING_YEARS: &str = "porting-years";

/// Maximum number of years that a ported policy may have run.
const MOST_YEARS: u32 = 100;

vocabulary! {
    /// Answer to a yes-or-no question.
    YesNo, "one of yes, no" {
        Yes = "yes",
        No = "no",
    }
}

impl YesNo {
    const fn of(yes: bool) -> Self {
        if yes { YesNo::Yes } else { YesNo::No }
    }
}

#[derive(Template)]
#[template(path = "journey/home_and_health.html")]
struct HomeAndHealthPage {
    frame: Frame,
    form: Form,
    pincode: Field,
    illness: Field,
    illnesses: Vec<Field>,
    porting: Field,
    porting_years: Field,
}

pub(crate) async fn get(State(app): State<App>, Unapplied(visitor): Unapplied) -> Response {
    let answers = &visitor.journey.answers;
    if let Some(step) = Step::HomeAndHealth.unanswered_before(answers) {
        return redirect(step);
    }
    render(&visitor, &page(&app, &visitor, form_of(answers)))
}

pub(crate) async fn post(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, mut form, only_language }): UnappliedSubmission,
) -> Result<Response> {
    if only_language {
        return Ok(render(&visitor, &page(&app, &visitor, form)));
    }
    let known = app.service.shared.catalogues.running();
    let answered = read(visitor.words, &mut form, &visitor.journey.answers.family, known.illnesses());
    let Some(answered) = answered.filter(|_| form.is_valid()) else {
        return Ok(render_invalid(&visitor, &page(&app, &visitor, form)));
    };
    let change = |journey: &mut Journey| {
        let before = journey.answers.clone();
        let answers = &mut journey.answers;
        answers.pincode = Some(answered.pincode.clone());
        answers.has_illness = Some(answered.has_illness);
        answers.porting = Some(answered.porting);
        for (member, illnesses) in answers.family.iter_mut().zip(&answered.illnesses) {
            member.illnesses.clone_from(illnesses);
        }
        if *answers != before {
            answers.forget_quote();
        }
    };
    app.service.journeys.change(visitor.journey, change).await?;
    Ok(redirect(Step::Cover))
}

/// Answers that were read from a valid form.
struct Answered {
    pincode: HomePincode,
    has_illness: bool,
    /// Illness ids of each family member, in the order of the family.
    illnesses: Vec<Vec<String>>,
    porting: Option<Porting>,
}

fn page(app: &App, visitor: &Visitor, form: Form) -> HomeAndHealthPage {
    let (words, family) = (visitor.words, &visitor.journey.answers.family);
    let yes_or_no =
        || vec![Choice::of(YesNo::Yes.word(), words.form.yes), Choice::of(YesNo::No.word(), words.form.no)];
    let catalogue = app.service.shared.catalogues.running();
    let choices = || {
        let name = |known: &Illness| {
            let name = known.name.in_language(words.language).to_owned();
            Choice::of(known.id.as_str(), name)
        };
        catalogue.illnesses().iter().map(name).collect()
    };
    let illnesses = (0..family.len()).map(|at| {
        Field::boxes(
            &form,
            illnesses_of(at),
            (words.home.which_illnesses)(&people::name(words, family, at)),
            choices(),
        )
    });
    let digits = r#"inputmode="numeric" autocomplete="postal-code" class="middle""#;
    HomeAndHealthPage {
        frame: Frame::of_form(visitor, Step::HomeAndHealth),
        pincode: Field::text(&form, PINCODE, words.home.pincode, digits).hint(words.home.pincode_hint),
        illness: Field::radio(&form, ILLNESS, words.home.illness_question, yes_or_no())
            .hint(words.home.illness_why),
        illnesses: illnesses.collect(),
        porting: Field::radio(&form, PORTING, words.home.porting_question, yes_or_no())
            .hint(words.home.porting_why),
        porting_years: Field::text(
            &form,
            PORTING_YEARS,
            (words.form.optional)(words.home.porting_years),
            DIGITS,
        ),
        form,
    }
}

/// Name of the form field with a member's illnesses. `at` is the member's position in the family.
fn illnesses_of(at: usize) -> String {
    format!("ill-{at}")
}

/// Form filled in with the customer's earlier answers.
fn form_of(answers: &Answers) -> Form {
    let mut form = Form::default();
    if let Some(pincode) = &answers.pincode {
        form.put(PINCODE, pincode.reveal());
    }
    if let Some(has_illness) = answers.has_illness {
        form.put(ILLNESS, YesNo::of(has_illness).word());
    }
    for (at, FamilyMember { illnesses, .. }) in answers.family.iter().enumerate() {
        for illness in illnesses {
            form.put(illnesses_of(at), illness);
        }
    }
    if let Some(porting) = answers.porting {
        form.put(PORTING, YesNo::of(porting.is_some()).word());
        if let Some(years) = porting.and_then(|porting| porting.tenure) {
            form.put(PORTING_YEARS, years.to_string());
        }
    }
    form
}

/// Reads the answers from the form. Adds an error to the form for each invalid answer.
fn read(words: &Words, form: &mut Form, family: &[FamilyMember], known: &[Illness]) -> Option<Answered> {
    form.normalize_number(PINCODE);
    let pincode = form.required::<HomePincode>(PINCODE, words.home.pincode_wanted);
    let has_illness = yes_or_no(form, ILLNESS);
    let illnesses: Vec<Vec<String>> = (0..family.len())
        .map(|at| {
            let name = illnesses_of(at);
            let ticked = known.iter().filter(|illness| form.is_checked(&name, &illness.id));
            ticked.map(|illness| illness.id.clone()).collect()
        })
        .collect();
    let some = illnesses.iter().any(|illnesses| !illnesses.is_empty());
    match has_illness {
        None => form.add_error(ILLNESS, words.home.illness_answer_wanted),
        Some(true) if !some => form.add_error(illnesses_of(0), words.home.illnesses_wanted),
        Some(false) if some => form.add_error(ILLNESS, words.home.illness_contradiction),
        Some(_) => {}
    }
    let porting = match yes_or_no(form, PORTING) {
        None => {
            form.add_error(PORTING, words.home.porting_answer_wanted);
            None
        }
        Some(false) => Some(None),
        Some(true) => Some(Some(Porting { tenure: porting_years(words, form) })),
    };
    Some(Answered { pincode: pincode?, has_illness: has_illness?, illnesses, porting: porting? })
}

fn porting_years(words: &Words, form: &mut Form) -> Option<Decimal> {
    if form.value(PORTING_YEARS).is_empty() {
        return None;
    }
    let years = form.whole_number(PORTING_YEARS).filter(|years| *years <= MOST_YEARS);
    if years.is_none() {
        form.add_error(PORTING_YEARS, words.home.porting_years_wanted);
    }
    years.map(Decimal::from)
}

fn yes_or_no(form: &Form, name: &str) -> Option<bool> {
    YesNo::from_text(form.value(name)).ok().map(|answer| answer == YesNo::Yes)
}
