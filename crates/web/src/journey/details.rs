//! Names, dates of birth and addresses: asked for once a plan is chosen, and not before.

use std::borrow::Cow;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_proposal::{FamilyMember, HealthForm};
use domain::health_quote::{Age, Relation};
use domain::journey::{Answers, Journey};
use domain::person::HomePincode;
use rating::Catalogue;
use rust_decimal::Decimal;

use super::details_form::{GENDERS, NOMINEES, form_of, member, read};
use super::field::{Choice, Field};
use super::form::Form;
use super::frame::{Frame, shown, shown_again};
use super::offer::Offer;
use super::quoted::quote_of;
use super::visitor::{Sent, SentOnTheWay, Traveller, Visitor};
use super::words::Words;
use super::{amount, lead_to, person};
use crate::app::App;
use crate::error::Problem;

#[derive(Template)]
#[template(path = "journey/details.html")]
struct DetailsPage {
    frame: Frame,
    form: Form,
    lead: Cow<'static, str>,
    own: Vec<Field>,
    address: Vec<Field>,
    members: Vec<MemberRow>,
    nominee: Vec<Field>,
    bank: Vec<Field>,
    bank_is_open: bool,
}

struct MemberRow {
    legend: Cow<'static, str>,
    /// Empty for the proposer's own person.
    fields: Vec<Field>,
    illnesses: String,
}

pub(crate) async fn get(State(app): State<App>, Traveller(visitor): Traveller) -> Result<Response, Problem> {
    if let Some(page) = before(&visitor.journey.answers) {
        return Ok(lead_to(page));
    }
    let form = form_of(&visitor.journey.answers);
    let (visitor, page) = page(&app, visitor, form).await?;
    Ok(shown(&visitor, &page))
}

pub(crate) async fn post(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, mut form, only_language }): SentOnTheWay,
) -> Result<Response, Problem> {
    if let Some(page) = before(&visitor.journey.answers) {
        return Ok(lead_to(page));
    }
    if only_language {
        let (visitor, page) = page(&app, visitor, form).await?;
        return Ok(shown(&visitor, &page));
    }
    let today = app.service.today();
    let filled = read(visitor.words, &mut form, &visitor.journey.answers.family, today);
    let Some(filled) = filled else {
        let (visitor, page) = page(&app, visitor, form).await?;
        return Ok(shown_again(&visitor, &page));
    };
    let (visitor, quote) = quote_of(&app, visitor).await?;
    let born = filled.members.iter().map(|member| member.born);
    let same_home = quote.quote.request.customer.pincode.reveal() == filled.proposer.address.pincode.reveal();
    let holds = quote.quote.has_ages_of(born) && same_home;
    let change = |journey: &mut Journey| {
        journey.answers.form = Some(filled.clone());
        if !holds {
            // Whatever was told first, prices go by what stands on documents: they are asked for again, openly.
            go_by_documents(&mut journey.answers, &filled, today);
        }
    };
    let journey = app.service.change_journey(visitor.journey, change).await?;
    if holds {
        return Ok(lead_to("review"));
    }
    app.service.recommend_for(journey).await?;
    Ok(lead_to("price"))
}

/// The page that is to be answered before this one.
pub(crate) fn before(answers: &Answers) -> Option<&'static str> {
    super::arrive::unanswered(answers).or_else(|| answers.choice.is_none().then_some("plans"))
}

/// Ages and pincode as filled in, and no quote. What was chosen stays, with the price that it had.
pub(crate) fn go_by_documents(answers: &mut Answers, filled: &HealthForm, today: domain::date::Date) {
    answers.quote = None;
    for (one, member) in answers.family.iter_mut().zip(&filled.members) {
        let years = Decimal::from(member.born.age_on(today));
        let age = Age::of(years).filter(|age| age.completed_years() != one.member.age.completed_years());
        if let Some(age) = age {
            one.member.age = age;
        }
    }
    answers.pincode = Some(HomePincode::kept(filled.proposer.address.pincode.reveal().to_owned()));
}

async fn page(app: &App, visitor: Visitor, form: Form) -> Result<(Visitor, DetailsPage), Problem> {
    let (visitor, quote) = quote_of(app, visitor).await?;
    let (words, answers) = (visitor.words, &visitor.journey.answers);
    let choice = answers.choice.ok_or_else(|| Problem::unexpected("details without a choice"))?;
    let name =
        Offer::find(&quote, &answers.family, choice.variant).map_or_else(String::new, |offer| offer.name());
    let lead = words.details_lead(name, amount::total(choice.premium));
    let text = |id: &str, label: Cow<'static, str>, attributes| Field::text(&form, id, label, attributes);
    let optional = |label: Cow<'static, str>| words.optional(label);
    let own = vec![
        text("name", words.full_name(), r#"autocomplete="name" maxlength="200""#),
        date(words, &form, "born", true),
        gender(words, &form, "gender"),
        text(
            "mobile",
            words.mobile(),
            r#"type="tel" autocomplete="tel-national" inputmode="tel" class="middle""#,
        )
        .hint(words.mobile_hint()),
        text("email", words.email(), r#"type="email" autocomplete="email" inputmode="email""#),
    ];
    let address = vec![
        text("line-1", words.line_1(), r#"autocomplete="address-line1" maxlength="200""#),
        text("line-2", optional(words.line_2()), r#"autocomplete="address-line2" maxlength="200""#),
        text("city", words.city(), r#"autocomplete="address-level2" maxlength="200""#),
        text("state", words.state(), r#"autocomplete="address-level1" maxlength="200""#),
        text(
            "pincode",
            words.pincode(),
            r#"autocomplete="postal-code" inputmode="numeric" maxlength="6" class="middle""#,
        )
        .hint(words.pincode_hint()),
        text("country", words.country(), r#"autocomplete="country-name" maxlength="200""#),
    ];
    let nominees = NOMINEES.iter().map(|word| Choice::of(*word, relation_of(words, word)));
    let nominee = vec![
        text("nominee-name", words.full_name(), r#"autocomplete="off" maxlength="200""#),
        Field::list(
            &form,
            "nominee-relation",
            words.nominee_relation(),
            words.choose_one(),
            nominees.collect(),
        ),
        text(
            "nominee-mobile",
            optional(words.nominee_mobile()),
            r#"type="tel" autocomplete="off" inputmode="tel" class="middle""#,
        ),
    ];
    let bank = vec![
        text("account", words.account_number(), r#"autocomplete="off" inputmode="numeric" maxlength="18""#),
        text(
            "ifsc",
            words.ifsc(),
            r#"autocomplete="off" autocapitalize="characters" maxlength="11" class="middle""#,
        )
        .hint(words.ifsc_hint()),
        text("bank", words.bank_name(), r#"autocomplete="off" maxlength="200""#),
        text("branch", optional(words.branch_name()), r#"autocomplete="off" maxlength="200""#),
    ];
    let bank_is_open = ["account", "ifsc", "bank", "branch"]
        .iter()
        .any(|id| !form.value(id).is_empty() || form.fault(id).is_some());
    let members = (0..answers.family.len())
        .map(|at| MemberRow::of(words, &form, &answers.family, at, &quote.catalogue))
        .collect();
    let frame = Frame::of(&visitor, "details").asks(5, "plans");
    let page = DetailsPage { frame, lead, own, address, members, nominee, bank, bank_is_open, form };
    Ok((visitor, page))
}

impl MemberRow {
    fn of(words: Words, form: &Form, family: &[FamilyMember], at: usize, catalogue: &Catalogue) -> MemberRow {
        let one = &family[at];
        let fields = if one.member.relation == Relation::Own {
            Vec::new()
        } else {
            let name = r#"autocomplete="off" maxlength="200""#;
            vec![
                Field::text(form, &member(at, "name"), words.full_name(), name),
                date(words, form, &member(at, "born"), false),
                gender(words, form, &member(at, "gender")),
            ]
        };
        let illnesses = illnesses(words, &one.illnesses, catalogue);
        MemberRow {
            legend: words.insured_person(person::with_age(words, &one.member)),
            fields,
            illnesses: if illnesses.is_empty() {
                illnesses
            } else {
                words.told_illnesses(illnesses).into_owned()
            },
        }
    }
}

/// Illnesses by the names that the catalogue gives them.
pub(crate) fn illnesses(words: Words, ids: &[String], catalogue: &Catalogue) -> String {
    let name = |id: &String| {
        let known = catalogue.illnesses().iter().find(|illness| illness.id == *id);
        known.map_or_else(|| id.clone(), |known| words.of_catalogue(&known.name).to_owned())
    };
    ids.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn date(words: Words, form: &Form, id: &str, own: bool) -> Field {
    let parts = [words.birth_day(), words.birth_month(), words.birth_year()].map(Cow::into_owned);
    Field::date(form, id, words.birth_date(), parts, own).hint(words.birth_hint())
}

fn gender(words: Words, form: &Form, id: &str) -> Field {
    let options = GENDERS.iter().map(|word| Choice::of(*word, gender_of(words, word)));
    Field::radio(form, id, words.gender(), options.collect())
}

/// A gender in the customer's language.
pub(crate) fn gender_of(words: Words, word: &str) -> Cow<'static, str> {
    match word {
        "FEMALE" => words.female(),
        "MALE" => words.male(),
        _ => words.another_gender(),
    }
}

/// What a nominee is to the proposer, in the customer's language.
pub(crate) fn relation_of(words: Words, word: &str) -> Cow<'static, str> {
    match word {
        "SPOUSE" => words.relation_spouse(),
        "FATHER" => words.relation_father(),
        "MOTHER" => words.relation_mother(),
        "SON" => words.relation_son(),
        "DAUGHTER" => words.relation_daughter(),
        "BROTHER" => words.relation_brother(),
        "SISTER" => words.relation_sister(),
        _ => words.relation_other(),
    }
}
