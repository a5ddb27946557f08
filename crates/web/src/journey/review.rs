//! Last page before the application is sent: all answers, then the consents, each with its own check box
//! (D29).

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::health_proposal::{ConsentPurpose, FamilyMember, HealthForm, InsuredMember};
use domain::journey::{Answers, Choice, Journey};
use domain::language::Language;
use domain::money::TaxRate;
use domain::person::PersonalLine;
use domain::text::FromText;
use rating::Catalogue;
use service::proposal::health::{ConsentAnswer, NotProposed};
use service::quote::health::HealthQuoteShown;

use super::address::{self, Parameter, redirect};
use super::amount;
use super::details::{illnesses, take_from_documents};
use super::details_form::is_of;
use super::extract::{Submission, Unapplied, UnappliedSubmission};
use super::form::Form;
use super::frame::{Frame, render, render_invalid};
use super::offer::{Fact, Offer, plain_insurer};
use super::papers::{Paper, papers};
use super::people::{Gender, NomineeRelation, with_age};
use super::plan::settlement;
use super::price_change::still_holds;
use super::quote::{quote_of, recommend};
use super::request::query_value;
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::error::{Problem, Result};

/// Form field with the plan and price that the page showed.
const SEEN: &str = "seen";

/// Form field with the language in which the consents were shown.
const READ_IN: &str = "read-in";

/// Form field with the consents that the customer gave.
const CONSENT: &str = "consent";

#[derive(Template)]
#[template(path = "journey/review.html")]
struct ReviewPage {
    frame: Frame,
    papers: Vec<Paper>,
    form: Form,
    /// Whether the price was requested again and has not changed.
    asked_again: bool,
    /// Plan and price that the page shows. The button sends the application only for this plan and price.
    seen: String,
    name: String,
    product: String,
    facts: Vec<Fact>,
    base: String,
    gst_label: &'static str,
    gst: String,
    total: String,
    total_label: String,
    settlement: String,
    starts: String,
    /// Why a person checks the application first. Empty if no person must check it.
    referral: String,
    /// Text about the policy that is ported, if any.
    porting: Option<String>,
    proposer: Vec<String>,
    insured: Vec<String>,
    nominee: Vec<String>,
    refunds: Option<String>,
    consents: Vec<ConsentRow>,
}

struct ConsentRow {
    id: &'static str,
    text: String,
    need: &'static str,
    error: String,
    is_checked: bool,
}

pub(crate) async fn get(
    State(app): State<App>,
    Unapplied(visitor): Unapplied,
    parts: Parts,
) -> Result<Response> {
    match readiness(&app, visitor).await? {
        Readiness::Ready(ready) => {
            let (visitor, quote) = *ready;
            let mut page = page(&app, &visitor, &quote, Form::default())?;
            page.asked_again = query_value(&parts, Parameter::Same).is_some();
            Ok(render(&visitor, &page))
        }
        Readiness::Redirect(page) => Ok(redirect(page)),
    }
}

/// Sends the application. If the form is sent twice, only one application is made (D45).
pub(crate) async fn post(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, mut form, only_language }): UnappliedSubmission,
) -> Result<Response> {
    let (visitor, quote) = match readiness(&app, visitor).await? {
        Readiness::Ready(ready) => *ready,
        Readiness::Redirect(page) => return Ok(redirect(page)),
    };
    if only_language {
        let page = page(&app, &visitor, &quote, form)?;
        return Ok(render(&visitor, &page));
    }
    if visitor.journey.answers.choice.is_none_or(|choice| form.value(SEEN) != seen(choice)) {
        // Another tab has chosen another plan meanwhile. The customer must see it first.
        return Ok(redirect(Step::Review));
    }
    // Another tab may have switched the language meanwhile. The consents are to the text that was read.
    let language = Language::from_text(form.value(READ_IN)).unwrap_or(visitor.journey.language);
    let read = Words::of(language);
    let consents: Vec<ConsentAnswer> = ConsentPurpose::ALL
        .iter()
        .map(|purpose| {
            let text = consent(read, &visitor, &quote, *purpose);
            ConsentAnswer {
                purpose: *purpose,
                given: form.is_checked(CONSENT, purpose.word()),
                text,
                language,
            }
        })
        .collect();
    for missing in consents.iter().filter(|answer| answer.purpose.is_needed() && !answer.given) {
        form.add_error(missing.purpose.word(), consent_wanted(visitor.words, missing.purpose));
    }
    if !form.is_valid() {
        let page = page(&app, &visitor, &quote, form)?;
        return Ok(render_invalid(&visitor, &page));
    }
    match app.service.health_proposals.propose(&visitor.journey, &consents).await {
        Ok(id) => Ok(redirect(address::status(&app.service.status_pages.code(visitor.partner.id, id)))),
        Err(NotProposed::Unanswered | NotProposed::ConsentMissing(_)) => Ok(redirect(address::START)),
        Err(NotProposed::QuoteLapsed) => {
            // The chosen plan stays. Request its price again, for today's ages.
            let today = app.service.policies.today_of(visitor.partner.id);
            let change = |journey: &mut Journey| {
                if let Some(filled) = journey.answers.form.clone() {
                    take_from_documents(&mut journey.answers, &filled, today);
                }
            };
            let journey = app.service.journeys.change(visitor.journey, change).await?;
            recommend(&app, journey).await?;
            Ok(redirect(address::PRICE))
        }
        Err(NotProposed::Failed(fault)) => Err(fault.into()),
    }
}

/// Whether the customer can review the application.
enum Readiness {
    /// All answers are present and fit the quote.
    Ready(Box<(Visitor, HealthQuoteShown)>),
    /// Something is missing. Redirect to this page.
    Redirect(&'static str),
}

async fn readiness(app: &App, visitor: Visitor) -> Result<Readiness> {
    let answers = &visitor.journey.answers;
    if let Some(step) = Step::Review.unanswered_before(answers) {
        return Ok(Readiness::Redirect(step.word()));
    }
    let is_current = answers.form.as_ref().is_some_and(|form| is_of(form, answers));
    if !is_current {
        return Ok(Readiness::Redirect(Step::Details.word()));
    }
    let (visitor, quote) = quote_of(app, visitor).await?;
    let choice = visitor.journey.answers.choice;
    if !choice.is_some_and(|choice| still_holds(&visitor, &quote, choice)) {
        return Ok(Readiness::Redirect(address::PRICE));
    }
    Ok(Readiness::Ready(Box::new((visitor, quote))))
}

fn page(app: &App, visitor: &Visitor, quote: &HealthQuoteShown, form: Form) -> Result<ReviewPage> {
    let (words, answers) = (visitor.words, &visitor.journey.answers);
    let unready = || Problem::unexpected("the review page needs a chosen plan and a filled-in form");
    let choice = answers.choice.ok_or_else(unready)?;
    let filled = answers.form.as_ref().ok_or_else(unready)?;
    let offer = Offer::find(quote, &answers.family, choice.variant).ok_or_else(unready)?;
    let premium = choice.premium;
    let years = (words.format.years)(choice.years);
    let today = app.service.policies.today_of(visitor.journey.partner);
    let gst_label = match quote.catalogue.tax(offer.variant.product.tax_class(), today) {
        Some(rate) if rate.is_exempt() => words.review.gst_exempt,
        Some(TaxRate::NIL) => words.review.gst_nil,
        _ => words.review.gst,
    };
    let consents = ConsentPurpose::ALL.iter().map(|purpose| ConsentRow {
        id: purpose.word(),
        text: consent(words, visitor, quote, *purpose),
        need: if purpose.is_needed() { words.review.consent_needed } else { words.review.consent_free },
        error: form.error(purpose.word()).unwrap_or_default().to_owned(),
        is_checked: form.is_checked(CONSENT, purpose.word()),
    });
    let consents = consents.collect();
    let bank = filled.proposer.bank.as_ref().and_then(|bank| bank.account_number.as_ref());
    Ok(ReviewPage {
        frame: Frame::of_form(visitor, Step::Review),
        asked_again: false,
        seen: seen(choice),
        name: offer.name(),
        product: format!("{} · {}", offer.variant.insurer().name, offer.variant.product.name),
        facts: offer.facts(words, quote.quote.request.sum_insured),
        base: premium.base().grouped(),
        gst_label,
        gst: premium.gst().grouped(),
        total: amount::total(premium),
        total_label: (words.review.to_pay_for)(&years),
        papers: papers(words, &offer.variant.product),
        settlement: settlement(words, &offer).to_owned(),
        starts: (words.review.starts_on_acceptance)(
            &(words.format.day)(app.service.policies.today_of(visitor.partner.id)),
            &years,
        ),
        referral: offer.referral(words),
        porting: answers.porting.flatten().map(|porting| match porting.tenure {
            Some(years) => (words.review.ports_policy_of)(years.normalize()),
            None => words.review.ports_policy.to_owned(),
        }),
        proposer: proposer(filled),
        insured: insured(words, answers, filled, &quote.catalogue),
        nominee: nominee(words, filled),
        refunds: bank.map(|account| (words.review.refund_account)(&last_four(account))),
        consents,
        form,
    })
}

/// Chosen plan with its price, as the value of a form field.
fn seen(choice: Choice) -> String {
    format!("{}:{}:{}", choice.variant, choice.years, choice.premium.total().paise())
}

/// Text of a consent. The hash of this text is stored with the customer's answer.
fn consent(words: &Words, visitor: &Visitor, quote: &HealthQuoteShown, purpose: ConsentPurpose) -> String {
    match purpose {
        ConsentPurpose::Declaration => words.review.consent_declaration.to_owned(),
        ConsentPurpose::Insurer => {
            let variant = visitor.journey.answers.choice.map(|choice| choice.variant);
            let variant = variant.and_then(|id| quote.catalogue.health_variant(id));
            let insurer = variant.map_or("", |variant| plain_insurer(&variant.insurer().name));
            let operator = visitor.operator.as_ref();
            let operator = operator.map(|operator| operator.name.in_language(words.language));
            (words.review.consent_insurer)(insurer, &visitor.partner.name, operator)
        }
        ConsentPurpose::Messages => words.review.consent_messages.to_owned(),
    }
}

fn consent_wanted(words: &Words, purpose: ConsentPurpose) -> &'static str {
    match purpose {
        ConsentPurpose::Insurer => words.review.insurer_wanted,
        ConsentPurpose::Declaration | ConsentPurpose::Messages => words.review.declaration_wanted,
    }
}

fn proposer(form: &HealthForm) -> Vec<String> {
    let proposer = &form.proposer;
    let mut lines = vec![
        proposer.name.reveal().to_owned(),
        format!("{}, {}", proposer.address.in_one_line(), proposer.address.country.reveal()),
        format!("+91 {}", proposer.phone.reveal()),
    ];
    lines.extend(proposer.email.as_ref().map(|email| email.reveal().to_owned()));
    lines
}

fn insured(words: &Words, answers: &Answers, form: &HealthForm, catalogue: &Catalogue) -> Vec<String> {
    let person = |(member, one): (&InsuredMember, &FamilyMember)| {
        let ill = illnesses(words, &one.illnesses, catalogue);
        let ill = if ill.is_empty() { words.review.no_illness_declared.to_owned() } else { ill };
        format!(
            "{} ({}), {}, {}, {ill}",
            member.name.reveal(),
            with_age(words, &one.member),
            gender_of(member).name(words),
            (words.review.born_on)(&(words.format.day)(member.born.reveal())),
        )
    };
    form.members.iter().zip(&answers.family).map(person).collect()
}

fn nominee(words: &Words, form: &HealthForm) -> Vec<String> {
    let nominee = &form.nominee;
    let relation = NomineeRelation::from_text(nominee.relationship.reveal());
    let relation = relation.unwrap_or(NomineeRelation::Other);
    let mut lines = vec![nominee.name.reveal().to_owned(), relation.name(words).to_owned()];
    lines.extend(nominee.phone.as_ref().map(|phone| format!("+91 {}", phone.reveal())));
    lines
}

/// Gender from a member's filled-in form.
fn gender_of(member: &InsuredMember) -> Gender {
    Gender::from_text(member.gender.reveal()).unwrap_or(Gender::Other)
}

/// Last four characters of an account number, enough to recognise it.
fn last_four(account: &PersonalLine) -> String {
    let number = account.reveal();
    number.chars().skip(number.chars().count().saturating_sub(4)).collect()
}
