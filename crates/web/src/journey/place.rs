//! Where the customer lives, and everybody's health.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_proposal::FamilyMember;
use domain::health_quote::Porting;
use domain::journey::Answers;
use domain::person::HomePincode;
use rating::Illness;
use rust_decimal::Decimal;

use super::field::{Choice, DIGITS, Field};
use super::form::Form;
use super::frame::{Frame, shown, shown_again};
use super::visitor::{Sent, SentOnTheWay, Traveller, Visitor};
use super::words::Words;
use super::{lead_to, person};
use crate::app::App;
use crate::error::Problem;

/// Longest that a policy brought along can have run.
const MOST_YEARS: u32 = 100;

#[derive(Template)]
#[template(path = "journey/place.html")]
struct PlacePage {
    frame: Frame,
    form: Form,
    pincode: Field,
    illness: Field,
    illnesses: Vec<Field>,
    porting: Field,
    porting_years: Field,
}

pub(crate) async fn get(State(app): State<App>, Traveller(visitor): Traveller) -> Response {
    let answers = &visitor.journey.answers;
    if answers.family.is_empty() {
        return lead_to("who");
    }
    shown(&visitor, &page(&app, &visitor, form_of(answers)))
}

pub(crate) async fn post(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, mut form, only_language }): SentOnTheWay,
) -> Result<Response, Problem> {
    if only_language {
        return Ok(shown(&visitor, &page(&app, &visitor, form)));
    }
    let known = app.service.catalogue();
    let answered = read(visitor.words, &mut form, &visitor.journey.answers.family, known.illnesses());
    let Some(answered) = answered.filter(|_| form.is_good()) else {
        return Ok(shown_again(&visitor, &page(&app, &visitor, form)));
    };
    let change = |journey: &mut domain::journey::Journey| {
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
    app.service.change_journey(visitor.journey, change).await?;
    Ok(lead_to("cover"))
}

/// What the page asks, all of it good.
struct Answered {
    pincode: HomePincode,
    has_illness: bool,
    /// In the order of the family.
    illnesses: Vec<Vec<String>>,
    porting: Option<Porting>,
}

fn page(app: &App, visitor: &Visitor, form: Form) -> PlacePage {
    let (words, family) = (visitor.words, &visitor.journey.answers.family);
    let yes_or_no = || vec![Choice::of("yes", words.yes()), Choice::of("no", words.no())];
    let catalogue = app.service.catalogue();
    let choices = || {
        let name = |known: &Illness| {
            let name = words.of_catalogue(&known.name).to_owned();
            Choice::of(known.id.as_str(), name)
        };
        catalogue.illnesses().iter().map(name).collect()
    };
    let illnesses = (0..family.len()).map(|at| {
        Field::boxes(&form, &ill(at), words.which_illnesses(person::name(words, family, at)), choices())
    });
    let digits = r#"inputmode="numeric" autocomplete="postal-code" maxlength="6" class="middle""#;
    PlacePage {
        frame: Frame::of(visitor, "place").asks(2, "who"),
        pincode: Field::text(&form, "pincode", words.pincode(), digits).hint(words.pincode_hint()),
        illness: Field::radio(&form, "illness", words.illness_question(), yes_or_no())
            .hint(words.illness_why()),
        illnesses: illnesses.collect(),
        porting: Field::radio(&form, "porting", words.porting_question(), yes_or_no())
            .hint(words.porting_why()),
        porting_years: Field::text(&form, "porting-years", words.optional(words.porting_years()), DIGITS),
        form,
    }
}

fn ill(at: usize) -> String {
    format!("ill-{at}")
}

/// What was answered before, as if it had been typed.
fn form_of(answers: &Answers) -> Form {
    let mut form = Form::default();
    let word = |yes: bool| if yes { "yes" } else { "no" };
    if let Some(pincode) = &answers.pincode {
        form.put("pincode", pincode.reveal());
    }
    if let Some(has_illness) = answers.has_illness {
        form.put("illness", word(has_illness));
    }
    for (at, FamilyMember { illnesses, .. }) in answers.family.iter().enumerate() {
        for illness in illnesses {
            form.put(ill(at), illness);
        }
    }
    if let Some(porting) = answers.porting {
        form.put("porting", word(porting.is_some()));
        if let Some(years) = porting.and_then(|porting| porting.tenure) {
            form.put("porting-years", years.to_string());
        }
    }
    form
}

/// What was answered. Whatever is wrong is noted in the form.
fn read(words: Words, form: &mut Form, family: &[FamilyMember], known: &[Illness]) -> Option<Answered> {
    form.in_plain_digits("pincode");
    let pincode = form.read::<HomePincode>("pincode", words.pincode_wanted());
    let has_illness = yes_or_no(form, "illness");
    let illnesses: Vec<Vec<String>> = (0..family.len())
        .map(|at| {
            let name = ill(at);
            let ticked = known.iter().filter(|illness| form.is_ticked(&name, &illness.id));
            ticked.map(|illness| illness.id.clone()).collect()
        })
        .collect();
    let some = illnesses.iter().any(|illnesses| !illnesses.is_empty());
    match has_illness {
        None => form.blame("illness", words.illness_answer_wanted()),
        Some(true) if !some => form.blame(ill(0), words.illnesses_wanted()),
        Some(false) if some => form.blame("illness", words.illness_contradiction()),
        Some(_) => {}
    }
    let porting = match yes_or_no(form, "porting") {
        None => {
            form.blame("porting", words.porting_answer_wanted());
            None
        }
        Some(false) => Some(None),
        Some(true) => Some(Some(Porting { tenure: porting_years(words, form) })),
    };
    Some(Answered { pincode: pincode?, has_illness: has_illness?, illnesses, porting: porting? })
}

fn porting_years(words: Words, form: &mut Form) -> Option<Decimal> {
    if form.value("porting-years").is_empty() {
        return None;
    }
    let years = form.whole_number("porting-years").filter(|years| *years <= MOST_YEARS);
    if years.is_none() {
        form.blame("porting-years", words.porting_years_wanted());
    }
    years.map(Decimal::from)
}

fn yes_or_no(form: &Form, name: &str) -> Option<bool> {
    match form.value(name) {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}
