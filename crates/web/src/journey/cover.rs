//! What is to be covered, and from which rupee on.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_quote::{DEFAULT_SUM_INSURED, PlanType};
use domain::id::PartnerId;
use domain::journey::{Answers, CoverWanted};
use domain::money::Rupees;
use domain::text::FromText;
use rating::Catalogue;

use super::field::{Choice, Field};
use super::form::Form;
use super::frame::{Frame, shown, shown_again};
use super::visitor::{Sent, SentOnTheWay, Traveller, Visitor};
use super::words::Words;
use super::{amount, lead_to};
use crate::app::App;
use crate::error::Problem;

#[derive(Template)]
#[template(path = "journey/cover.html")]
struct CoverPage {
    frame: Frame,
    form: Form,
    /// Nothing is sold to this partner's customers.
    is_empty: bool,
    plan: Field,
    sum_insured: Field,
    /// Where there is something with a deductible.
    deductible: Option<Field>,
}

/// What a partner's customers can be sold of one kind of cover.
struct OnSale {
    plan: PlanType,
    sums_insured: BTreeSet<Rupees>,
    deductibles: BTreeSet<Rupees>,
}

impl OnSale {
    /// Each kind of cover that has at least one variant.
    fn of(catalogue: &Catalogue, partner: PartnerId) -> Vec<OnSale> {
        let kinds = PlanType::ALL.iter().map(|plan| {
            let mut sale =
                OnSale { plan: *plan, sums_insured: BTreeSet::new(), deductibles: BTreeSet::new() };
            for variant in catalogue.health_variants(partner, *plan) {
                sale.sums_insured.extend(&variant.sums_insured);
                // Of cover from the first rupee on none is asked for: each plan is shown with its smallest.
                if *plan == PlanType::SuperTopUp {
                    sale.deductibles.extend(variant.deductibles.iter().filter(|sum| **sum > Rupees::ZERO));
                }
            }
            sale
        });
        kinds.filter(|sale| !sale.sums_insured.is_empty()).collect()
    }
}

pub(crate) async fn get(State(app): State<App>, Traveller(visitor): Traveller) -> Response {
    let answers = &visitor.journey.answers;
    match super::arrive::unanswered(answers) {
        Some(page) if page != "cover" => lead_to(page),
        _ => shown(&visitor, &page(&app, &visitor, form_of(answers))),
    }
}

pub(crate) async fn post(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, mut form, only_language }): SentOnTheWay,
) -> Result<Response, Problem> {
    if only_language {
        return Ok(shown(&visitor, &page(&app, &visitor, form)));
    }
    let sales = OnSale::of(&app.service.catalogue(), visitor.partner.id);
    let Some(cover) = read(visitor.words, &mut form, &sales).filter(|_| form.is_good()) else {
        return Ok(shown_again(&visitor, &page(&app, &visitor, form)));
    };
    let change = |journey: &mut domain::journey::Journey| {
        if journey.answers.cover != Some(cover) {
            journey.answers.cover = Some(cover);
            journey.answers.forget_quote();
        }
    };
    let journey = app.service.change_journey(visitor.journey, change).await?;
    if let Some(page) = super::arrive::unanswered(&journey.answers) {
        return Ok(lead_to(page));
    }
    if journey.answers.quote.is_none() {
        app.service.recommend_for(journey).await?;
    }
    Ok(lead_to("plans"))
}

fn page(app: &App, visitor: &Visitor, form: Form) -> CoverPage {
    let words = visitor.words;
    let sales = OnSale::of(&app.service.catalogue(), visitor.partner.id);
    let kinds = sales.iter().map(|sale| match sale.plan {
        PlanType::Base => Choice::of(sale.plan.word(), words.base()).hint(words.base_hint()),
        PlanType::SuperTopUp => {
            Choice::of(sale.plan.word(), words.super_top_up()).hint(words.super_top_up_hint())
        }
    });
    let sums: BTreeSet<Rupees> = sales.iter().flat_map(|sale| &sale.sums_insured).copied().collect();
    let sums = sums.into_iter().map(|sum| {
        let choice = Choice::of(value(sum), amount::sum(words, sum));
        if sum == DEFAULT_SUM_INSURED { choice.hint(words.sum_usual()) } else { choice }
    });
    let deductibles: BTreeSet<Rupees> = sales.iter().flat_map(|sale| &sale.deductibles).copied().collect();
    let deductibles: Vec<Choice> =
        deductibles.into_iter().map(|sum| Choice::of(value(sum), amount::sum(words, sum))).collect();
    let deductible = (!deductibles.is_empty()).then(|| {
        let (label, open) = (words.deductible_question(), words.deductible_open());
        Field::list(&form, "deductible", label, open, deductibles).hint(words.deductible_hint())
    });
    CoverPage {
        frame: Frame::of(visitor, "cover").asks(3, "place"),
        is_empty: sales.is_empty(),
        plan: Field::radio(&form, "plan", words.plan_question(), kinds.collect()),
        sum_insured: Field::radio(&form, "sum", words.sum_question(), sums.collect()).hint(words.sum_hint()),
        deductible,
        form,
    }
}

/// An amount as a form carries it: whole rupees.
fn value(amount: Rupees) -> String {
    amount.nearest_whole().to_string()
}

/// What was answered before, as if it had been typed.
fn form_of(answers: &Answers) -> Form {
    let mut form = Form::default();
    if let Some(CoverWanted { plan, sum_insured, deductible }) = answers.cover {
        form.put("plan", plan.word());
        form.put("sum", value(sum_insured));
        if let Some(deductible) = deductible {
            form.put("deductible", value(deductible));
        }
    }
    form
}

/// What was answered. Whatever is wrong is noted in the form.
fn read(words: Words, form: &mut Form, sales: &[OnSale]) -> Option<CoverWanted> {
    let plan = PlanType::from_text(form.value("plan")).ok();
    let sale = plan.and_then(|plan| sales.iter().find(|sale| sale.plan == plan));
    if sale.is_none() {
        form.blame("plan", words.plan_wanted());
    }
    let of_any = |text: &str, amounts: &dyn Fn(&OnSale) -> &BTreeSet<Rupees>| {
        sales.iter().flat_map(amounts).copied().find(|amount| value(*amount) == text)
    };
    let sum = of_any(form.value("sum"), &|sale| &sale.sums_insured);
    match (sum, sale) {
        (None, _) => form.blame("sum", words.sum_wanted()),
        (Some(sum), Some(sale)) if !sale.sums_insured.contains(&sum) => {
            form.blame("sum", words.sum_not_with_plan());
        }
        _ => {}
    }
    // Without scripts the list stands there for both kinds; from the first rupee on there is none.
    let asks = plan == Some(PlanType::SuperTopUp) && !form.value("deductible").is_empty();
    let deductible = if asks { of_any(form.value("deductible"), &|sale| &sale.deductibles) } else { None };
    if asks && deductible.is_none() {
        form.blame("deductible", words.deductible_wanted());
    }
    Some(CoverWanted { plan: plan?, sum_insured: sum?, deductible })
}
