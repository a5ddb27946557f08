//! The loan on the demo partner's page: the form for it, and the insurers' prices.

use std::collections::BTreeSet;

use domain::date::{Date, day_month_year};
use domain::id::PartnerId;
use domain::money::{CoverAmount, PlainAmount, Premium};
use domain::person::Gender;
use domain::quote::{EmbeddedQuote, NotPriced, PolicyTerm, QuoteRequest};
use domain::text::FromText;
use rating::Catalogue;

use super::details_fields;
use super::details_form::birth_date;
use super::field::{Choice, DIGITS, Field};
use super::form::Form;
use super::offer::plain_insurer;
use super::words::Words;
use crate::app::App;
use crate::context::RequestContext;
use crate::error::Result;

const AMOUNT: &str = "amount";
const MONTHS: &str = "months";
const BORN: &str = "born";
const GENDER: &str = "gender";

/// Form values of the first example quote in the documentation.
const EXAMPLE: &str = "amount=500000&months=24&born-day=15&born-month=6&born-year=1990&gender=FEMALE";

/// Part of the demo partner's page that is about the loan.
pub(super) struct Loan {
    pub(super) form: Form,
    pub(super) amount: Field,
    pub(super) months: Field,
    pub(super) born: Field,
    pub(super) gender: Field,
    /// Prices of the loan's cover. `None` until the form is sent without errors.
    pub(super) prices: Option<Prices>,
}

/// A quote, with the names of the insurers and variants in it.
pub(super) struct Prices {
    pub(super) quote: EmbeddedQuote,
    /// Date of birth in the API's format.
    pub(super) born: String,
    pub(super) insurers: usize,
    pub(super) priced: Vec<(Cover, Premium)>,
    pub(super) not_priced: Vec<(Cover, NotPriced)>,
}

pub(super) struct Cover {
    pub(super) insurer: String,
    pub(super) name: String,
}

impl Loan {
    pub(super) fn of(form: Form, prices: Option<Prices>, words: &Words) -> Loan {
        let amount = r#"inputmode="decimal" autocomplete="off" class="middle""#;
        let genders = [(Gender::Female, words.people.female), (Gender::Male, words.people.male)];
        let genders = genders.map(|(gender, label)| Choice::of(gender.word(), label));
        Loan {
            amount: Field::text(&form, AMOUNT, "Loan amount in rupees", amount),
            months: Field::text(&form, MONTHS, "Tenure in months", DIGITS),
            born: details_fields::date(words, &form, BORN, false),
            gender: Field::radio(&form, GENDER, words.details.gender, genders.into()),
            form,
            prices,
        }
    }

    /// Part of the page before the form is sent. The form has example values.
    pub(super) fn example(words: &Words) -> Loan {
        Loan::of(Form::parse(EXAMPLE.as_bytes()), None, words)
    }
}

/// Whether this is the loan's form, and not the button that opens the health journey.
pub(super) fn is_sent(form: &Form) -> bool {
    form.values(AMOUNT).next().is_some()
}

/// Reads a quote request from the form. Adds an error to the form for each invalid field.
pub(super) fn read(form: &mut Form, words: &Words, today: Date) -> Option<QuoteRequest> {
    form.normalize_digits(AMOUNT);
    let amount = form.value(AMOUNT).replace(['₹', ',', ' '], "");
    let cover = PlainAmount::from_text(&amount).ok().and_then(|PlainAmount(amount)| CoverAmount::of(amount));
    if cover.is_none() {
        form.add_error(AMOUNT, "Loan amount: give rupees above zero, such as 500000");
    }
    let term = form.whole_number(MONTHS).and_then(PolicyTerm::months);
    if term.is_none() {
        form.add_error(MONTHS, "Tenure: give a whole number of months above zero, such as 24");
    }
    let born = birth_date(words, form, BORN, "The borrower", today);
    let gender = form.required(GENDER, (words.details.gender_wanted)("The borrower"));
    Some(QuoteRequest {
        born: born?,
        gender: gender?,
        cover: cover?,
        term: term?,
        context: Default::default(),
    })
}

/// Prices the cover for the loan and stores the quote, as the API does.
pub(super) async fn price(
    app: &App,
    context: &RequestContext,
    of: PartnerId,
    request: QuoteRequest,
) -> Result<Prices> {
    let quotes = &app.service.embedded_quotes;
    let priced = quotes.price(of, request);
    let waits = quotes.waits_for_insurers(of);
    let priced = if waits { context.while_insurers_work(app, priced).await? } else { priced.await };
    let prices = Prices::of(priced.quote.clone(), &priced.catalogue);
    let _kept = quotes.keep(priced, None).await?;
    Ok(prices)
}

impl Prices {
    fn of(quote: EmbeddedQuote, catalogue: &Catalogue) -> Prices {
        let (mut insurers, mut priced, mut not_priced) = (BTreeSet::new(), Vec::new(), Vec::new());
        for item in &quote.items {
            let variant = catalogue.credit_variant(item.variant).expect("of the catalogue that priced it");
            let insurer = plain_insurer(&variant.insurer().name);
            let name = format!("{}, {}", variant.product.name, variant.name);
            let cover = Cover { insurer: insurer.to_owned(), name };
            insurers.insert(insurer);
            match &item.outcome {
                Ok(premium) => priced.push((cover, *premium)),
                Err(reason) => not_priced.push((cover, reason.clone())),
            }
        }
        let born = day_month_year(quote.request.born.reveal());
        Prices { insurers: insurers.len(), born, priced, not_priced, quote }
    }
}
