//! Page that asks which cover the customer wants.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_quote::{DEFAULT_SUM_INSURED, PlanType};
use domain::id::PartnerId;
use domain::journey::{Answers, CoverWanted, Journey};
use domain::money::Rupees;
use domain::text::FromText;
use rating::Catalogue;

use super::address::redirect;
use super::extract::{Submission, Unapplied, UnappliedSubmission};
use super::field::{Choice, Field};
use super::form::Form;
use super::frame::{Frame, render, render_invalid};
use super::quote::recommend;
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::error::Result;

/// Form field of the kind of plan.
const PLAN: &str = "plan";

/// Form field of the sum insured.
const SUM_INSURED: &str = "sum";

/// Form field of the deductible.
const DEDUCTIBLE: &str = "deductible";

#[derive(Template)]
#[template(path = "journey/cover.html")]
struct CoverPage {
    frame: Frame,
    form: Form,
    /// Whether there is no plan that this partner's customers can buy.
    is_empty: bool,
    plan: Field,
    sum_insured: Field,
    /// Field of the deductible. `None` if no plan has a deductible.
    deductible: Option<Field>,
}

/// Sums insured and deductibles that a partner's customers can choose, for one kind of plan.
struct OnSale {
    plan: PlanType,
    sums_insured: BTreeSet<Rupees>,
    deductibles: BTreeSet<Rupees>,
}

impl OnSale {
    /// Choices for each kind of plan. Leaves out kinds without a variant that the partner can sell.
    fn of(catalogue: &Catalogue, partner: PartnerId) -> Vec<OnSale> {
        let kinds = PlanType::ALL.iter().map(|plan| {
            let mut sale =
                OnSale { plan: *plan, sums_insured: BTreeSet::new(), deductibles: BTreeSet::new() };
            for variant in catalogue.health_variants(partner, *plan) {
                sale.sums_insured.extend(&variant.sums_insured);
                // A base plan always has its smallest deductible, so the page does not ask for one.
                if *plan == PlanType::SuperTopUp {
                    sale.deductibles.extend(variant.deductibles.iter().filter(|sum| **sum > Rupees::ZERO));
                }
            }
            sale
        });
        kinds.filter(|sale| !sale.sums_insured.is_empty()).collect()
    }
}

pub(crate) async fn get(State(app): State<App>, Unapplied(visitor): Unapplied) -> Response {
    let answers = &visitor.journey.answers;
    match Step::Cover.unanswered_before(answers) {
        Some(step) => redirect(step),
        None => render(&visitor, &page(&app, &visitor, form_of(answers))),
    }
}

pub(crate) async fn post(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, mut form, only_language }): UnappliedSubmission,
) -> Result<Response> {
    if only_language {
        return Ok(render(&visitor, &page(&app, &visitor, form)));
    }
    let sales = OnSale::of(&app.service.shared.catalogues.running(), visitor.partner.id);
    let Some(cover) = read(visitor.words, &mut form, &sales).filter(|_| form.is_valid()) else {
        return Ok(render_invalid(&visitor, &page(&app, &visitor, form)));
    };
    let change = |journey: &mut Journey| {
        if journey.answers.cover != Some(cover) {
            journey.answers.cover = Some(cover);
            journey.answers.forget_quote();
        }
    };
    let journey = app.service.journeys.change(visitor.journey, change).await?;
    if let Some(step) = Step::Plans.unanswered_before(&journey.answers) {
        return Ok(redirect(step));
    }
    if journey.answers.quote.is_none() {
        recommend(&app, journey).await?;
    }
    Ok(redirect(Step::Plans))
}

fn page(app: &App, visitor: &Visitor, form: Form) -> CoverPage {
    let words = visitor.words;
    let sales = OnSale::of(&app.service.shared.catalogues.running(), visitor.partner.id);
    let kinds = sales.iter().map(|sale| match sale.plan {
        PlanType::Base => Choice::of(sale.plan.word(), words.cover.base).hint(words.cover.base_hint),
        PlanType::SuperTopUp => {
            Choice::of(sale.plan.word(), words.cover.super_top_up).hint(words.cover.super_top_up_hint)
        }
    });
    let sums: BTreeSet<Rupees> = sales.iter().flat_map(|sale| &sale.sums_insured).copied().collect();
    let sums = sums.into_iter().map(|sum| {
        let choice = Choice::of(value(sum), words.sum(sum));
        if sum == DEFAULT_SUM_INSURED { choice.hint(words.cover.sum_usual) } else { choice }
    });
    let deductibles: BTreeSet<Rupees> = sales.iter().flat_map(|sale| &sale.deductibles).copied().collect();
    let deductibles: Vec<Choice> =
        deductibles.into_iter().map(|sum| Choice::of(value(sum), words.sum(sum))).collect();
    let deductible = (!deductibles.is_empty()).then(|| {
        let (label, open) = (words.cover.deductible_question, words.cover.deductible_open);
        Field::list(&form, DEDUCTIBLE, label, open, deductibles).hint(words.cover.deductible_hint)
    });
    CoverPage {
        frame: Frame::of_form(visitor, Step::Cover),
        is_empty: sales.is_empty(),
        plan: Field::radio(&form, PLAN, words.cover.plan_question, kinds.collect()),
        sum_insured: Field::radio(&form, SUM_INSURED, words.cover.sum_question, sums.collect())
            .hint(words.cover.sum_hint),
        deductible,
        form,
    }
}

/// Amount in whole rupees, as the value of a form field.
fn value(amount: Rupees) -> String {
    amount.nearest_whole().to_string()
}

/// Form filled in with the customer's earlier answers. If there are none, the suggested sum insured is
/// chosen.
fn form_of(answers: &Answers) -> Form {
    let mut form = Form::default();
    let Some(CoverWanted { plan, sum_insured, deductible }) = answers.cover else {
        form.put(SUM_INSURED, value(DEFAULT_SUM_INSURED));
        return form;
    };
    form.put(PLAN, plan.word());
    form.put(SUM_INSURED, value(sum_insured));
    if let Some(deductible) = deductible {
        form.put(DEDUCTIBLE, value(deductible));
    }
    form
}

/// Reads the answers from the form. Adds an error to the form for each invalid answer.
fn read(words: &Words, form: &mut Form, sales: &[OnSale]) -> Option<CoverWanted> {
    let plan = PlanType::from_text(form.value(PLAN)).ok();
    let sale = plan.and_then(|plan| sales.iter().find(|sale| sale.plan == plan));
    if sale.is_none() {
        form.add_error(PLAN, words.cover.plan_wanted);
    }
    let of_any = |text: &str, amounts: &dyn Fn(&OnSale) -> &BTreeSet<Rupees>| {
        sales.iter().flat_map(amounts).copied().find(|amount| value(*amount) == text)
    };
    let sum = of_any(form.value(SUM_INSURED), &|sale| &sale.sums_insured);
    match (sum, sale) {
        (None, _) => form.add_error(SUM_INSURED, words.cover.sum_wanted),
        (Some(sum), Some(sale)) if !sale.sums_insured.contains(&sum) => {
            form.add_error(SUM_INSURED, words.cover.sum_not_with_plan);
        }
        _ => {}
    }
    // Without scripts, the field is visible for both kinds of plan. A base plan ignores it.
    let asks = plan == Some(PlanType::SuperTopUp) && !form.value(DEDUCTIBLE).is_empty();
    let deductible = if asks { of_any(form.value(DEDUCTIBLE), &|sale| &sale.deductibles) } else { None };
    if asks && deductible.is_none() {
        form.add_error(DEDUCTIBLE, words.cover.deductible_wanted);
    }
    Some(CoverWanted { plan: plan?, sum_insured: sum?, deductible })
}
