//! The last page before the application: everything once more, who collects the premium and when cover starts, and what
//! is agreed to, each by itself (D29).

use std::borrow::Cow;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::health_proposal::{ConsentPurpose, FamilyMember, HealthForm, InsuredMember};
use domain::journey::{Answers, Choice, Journey};
use domain::language::Language;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::text::FromText;
use rating::Catalogue;
use service::health_proposal::{ConsentAnswer, NotProposed};
use service::health_quote::HealthQuoteShown;

use super::details::{gender_of, go_by_documents, illnesses, relation_of};
use super::details_form::is_of;
use super::form::Form;
use super::frame::{Frame, shown, shown_again};
use super::offer::{Fact, Offer, plain_insurer};
use super::person::with_age;
use super::plan::settlement;
use super::price::still_holds;
use super::quoted::quote_of;
use super::visitor::{Sent, SentOnTheWay, Traveller, Visitor, in_query};
use super::words::Words;
use super::{amount, lead_to};
use crate::app::App;
use crate::error::Problem;

#[derive(Template)]
#[template(path = "journey/review.html")]
struct ReviewPage {
    frame: Frame,
    form: Form,
    /// The price was asked for again, and came out the same.
    asked_again: bool,
    /// Plan and price that are shown: no others are applied for by this page's button.
    seen: String,
    name: String,
    product: String,
    facts: Vec<Fact>,
    base: String,
    gst_label: Cow<'static, str>,
    gst: String,
    total: String,
    total_label: Cow<'static, str>,
    settlement: String,
    starts: Cow<'static, str>,
    /// Why somebody looks at the application first; empty where nobody does.
    referral: String,
    /// A policy that is brought along.
    porting: Option<Cow<'static, str>>,
    proposer: Vec<String>,
    insured: Vec<String>,
    nominee: Vec<String>,
    refunds: Option<Cow<'static, str>>,
    consents: Vec<ConsentRow>,
}

struct ConsentRow {
    id: &'static str,
    text: Cow<'static, str>,
    need: Cow<'static, str>,
    fault: String,
    is_ticked: bool,
}

pub(crate) async fn get(
    State(app): State<App>,
    Traveller(visitor): Traveller,
    parts: Parts,
) -> Result<Response, Problem> {
    match ready(&app, visitor).await? {
        Ok((visitor, quote)) => {
            let mut page = page(&app, &visitor, &quote, Form::default())?;
            page.asked_again = in_query(&parts, "same").is_some();
            Ok(shown(&visitor, &page))
        }
        Err(page) => Ok(lead_to(page)),
    }
}

/// Sends the application. Sent twice, it is one application (D45).
pub(crate) async fn post(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, mut form, only_language }): SentOnTheWay,
) -> Result<Response, Problem> {
    let (visitor, quote) = match ready(&app, visitor).await? {
        Ok(ready) => ready,
        Err(page) => return Ok(lead_to(page)),
    };
    if only_language {
        let page = page(&app, &visitor, &quote, form)?;
        return Ok(shown(&visitor, &page));
    }
    if visitor.journey.answers.choice.is_none_or(|choice| form.value("seen") != seen(choice)) {
        // Another tab has chosen another plan since: that one is looked at first.
        return Ok(lead_to("review"));
    }
    // Another tab may have switched the language since: what counts are the words that were read.
    let read = Language::from_text(form.value("read-in")).map_or(visitor.words, Words);
    let consents: Vec<ConsentAnswer> = ConsentPurpose::ALL
        .iter()
        .map(|purpose| {
            let text = consent(read, &visitor, &quote, *purpose);
            ConsentAnswer::of(*purpose, form.is_ticked("consent", purpose.word()), &text)
        })
        .collect();
    for missing in consents.iter().filter(|answer| answer.purpose.is_needed() && !answer.given) {
        form.blame(missing.purpose.word(), consent_wanted(visitor.words, missing.purpose));
    }
    if !form.is_good() {
        let page = page(&app, &visitor, &quote, form)?;
        return Ok(shown_again(&visitor, &page));
    }
    match app.service.propose_health(&visitor.journey, &consents).await {
        Ok(id) => Ok(lead_to(&format!("status/{}", app.service.status_code(visitor.partner.id, id)))),
        Err(NotProposed::Unanswered | NotProposed::ConsentMissing(_)) => Ok(lead_to("start")),
        Err(NotProposed::QuoteLapsed) => {
            // What was chosen stays, beside what it costs now, at the ages of today.
            let today = app.service.today();
            let change = |journey: &mut Journey| {
                if let Some(filled) = journey.answers.form.clone() {
                    go_by_documents(&mut journey.answers, &filled, today);
                }
            };
            let journey = app.service.change_journey(visitor.journey, change).await?;
            app.service.recommend_for(journey).await?;
            Ok(lead_to("price"))
        }
        Err(NotProposed::Failed(fault)) => Err(fault.into()),
    }
}

/// The journey with its quote where everything is answered and fits together, else the page to go to.
async fn ready(
    app: &App,
    visitor: Visitor,
) -> Result<Result<(Visitor, HealthQuoteShown), &'static str>, Problem> {
    let answers = &visitor.journey.answers;
    if let Some(page) = super::details::before(answers) {
        return Ok(Err(page));
    }
    let filled = answers.form.as_ref().is_some_and(|form| is_of(form, answers));
    if !filled {
        return Ok(Err("details"));
    }
    let (visitor, quote) = quote_of(app, visitor).await?;
    let choice = visitor.journey.answers.choice;
    if !choice.is_some_and(|choice| still_holds(&visitor, &quote, choice)) {
        return Ok(Err("price"));
    }
    Ok(Ok((visitor, quote)))
}

fn page(app: &App, visitor: &Visitor, quote: &HealthQuoteShown, form: Form) -> Result<ReviewPage, Problem> {
    let (words, answers) = (visitor.words, &visitor.journey.answers);
    let unready = || Problem::unexpected("a review of what is not there");
    let choice = answers.choice.ok_or_else(unready)?;
    let filled = answers.form.as_ref().ok_or_else(unready)?;
    let offer = Offer::find(quote, &answers.family, choice.variant).ok_or_else(unready)?;
    let premium = choice.premium;
    let years = words.years(choice.years);
    let gst_label = if premium.gst() == Rupees::ZERO { words.gst_nil() } else { words.gst() };
    let consents = ConsentPurpose::ALL.iter().map(|purpose| ConsentRow {
        id: purpose.word(),
        text: consent(words, visitor, quote, *purpose),
        need: if purpose.is_needed() { words.consent_needed() } else { words.consent_free() },
        fault: form.fault(purpose.word()).unwrap_or_default().to_owned(),
        is_ticked: form.is_ticked("consent", purpose.word()),
    });
    let consents = consents.collect();
    let bank = filled.proposer.bank.as_ref().and_then(|bank| bank.account_number.as_ref());
    Ok(ReviewPage {
        frame: Frame::of(visitor, "review").asks(6, "details"),
        asked_again: false,
        seen: seen(choice),
        name: offer.name(),
        product: format!("{} · {}", offer.variant.insurer().name, offer.variant.product.name),
        facts: offer.facts(words, quote.quote.request.sum_insured),
        base: premium.base().grouped(),
        gst_label,
        gst: premium.gst().grouped(),
        total: amount::total(premium),
        total_label: words.to_pay_for(&years),
        settlement: settlement(words, &offer).to_owned(),
        starts: words.starts_on_acceptance(words.day(app.service.today()), &years),
        referral: offer.referral(words),
        porting: answers.porting.flatten().map(|porting| match porting.tenure {
            Some(years) => words.ports_policy_of(years.normalize()),
            None => words.ports_policy(),
        }),
        proposer: proposer(filled),
        insured: insured(words, answers, filled, &quote.catalogue),
        nominee: nominee(words, filled),
        refunds: bank.map(|account| words.refund_account(last_four(account))),
        consents,
        form,
    })
}

/// What was chosen, as the page's form carries it.
fn seen(choice: Choice) -> String {
    format!("{}:{}:{}", choice.variant, choice.years, choice.premium.total().paise())
}

/// The text that is agreed to. What is kept of an agreement is the hash of these very words.
fn consent(
    words: Words,
    visitor: &Visitor,
    quote: &HealthQuoteShown,
    purpose: ConsentPurpose,
) -> Cow<'static, str> {
    match purpose {
        ConsentPurpose::Declaration => words.consent_declaration(),
        ConsentPurpose::Insurer => {
            let variant = visitor.journey.answers.choice.map(|choice| choice.variant);
            let variant = variant.and_then(|id| quote.catalogue.health_variant(id));
            let insurer = variant.map_or("", |variant| plain_insurer(&variant.insurer().name));
            words.consent_insurer(insurer, &visitor.partner.name)
        }
        ConsentPurpose::Messages => words.consent_messages(),
    }
}

fn consent_wanted(words: Words, purpose: ConsentPurpose) -> Cow<'static, str> {
    match purpose {
        ConsentPurpose::Insurer => words.insurer_wanted(),
        ConsentPurpose::Declaration | ConsentPurpose::Messages => words.declaration_wanted(),
    }
}

fn proposer(form: &HealthForm) -> Vec<String> {
    let proposer = &form.proposer;
    let mut told = vec![
        proposer.name.reveal().to_owned(),
        format!("{}, {}", proposer.address.in_one_line(), proposer.address.country.reveal()),
        format!("+91 {}", proposer.phone.reveal()),
    ];
    told.extend(proposer.email.as_ref().map(|email| email.reveal().to_owned()));
    told
}

fn insured(words: Words, answers: &Answers, form: &HealthForm, catalogue: &Catalogue) -> Vec<String> {
    let person = |(member, one): (&InsuredMember, &FamilyMember)| {
        let told = illnesses(words, &one.illnesses, catalogue);
        let told = if told.is_empty() { words.no_illness_told().into_owned() } else { told };
        format!(
            "{} ({}), {}, {}, {told}",
            member.name.reveal(),
            with_age(words, &one.member),
            gender_of(words, member.gender.reveal()),
            words.born_on(words.day(member.born.reveal())),
        )
    };
    form.members.iter().zip(&answers.family).map(person).collect()
}

fn nominee(words: Words, form: &HealthForm) -> Vec<String> {
    let nominee = &form.nominee;
    let mut told = vec![
        nominee.name.reveal().to_owned(),
        relation_of(words, nominee.relationship.reveal()).into_owned(),
    ];
    told.extend(nominee.phone.as_ref().map(|phone| format!("+91 {}", phone.reveal())));
    told
}

/// The last four characters of an account's number: enough to know it again.
fn last_four(account: &PersonalLine) -> String {
    let number = account.reveal();
    number.chars().skip(number.chars().count().saturating_sub(4)).collect()
}
