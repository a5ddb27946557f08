//! Tests prices of credit life, with their explanations.

use domain::context::{Context, ContextEntry, key};
use domain::date::{BirthDate, Date};
use domain::money::Rupees;
use domain::person::Gender;
use domain::quote::{NotPriced, QuoteRequest};
use proptest::prelude::*;
use rating::{Catalogue, Files};

use crate::edit::{
    ACCIDENT, LEVEL, LEVEL_TABLE, ONE_PRICE, PER_LAKH, PRODUCT, REDUCING, TODAY, changed, load, ordinary,
    request, shared, variant, with_loan,
};

/// Base, tax and total of a variant as text, or the refusal.
fn price(catalogue: &Catalogue, id: &str, request: &QuoteRequest) -> String {
    match variant(catalogue, id).price(request, TODAY) {
        Ok(premium) => format!("{} + {} = {}", premium.base(), premium.gst(), premium.total()),
        Err(refused) => refused.to_string(),
    }
}

#[test]
fn a_rate_is_found_by_age_and_term() {
    let sample = load(&Files::sample());
    assert_eq!(price(&sample, LEVEL, &ordinary()), "3200.00 + 576.00 = 3776.00"); // 6.4 per mille
    assert_eq!(price(&sample, LEVEL, &request(35, 50_000_000, 24)), "2450.00 + 441.00 = 2891.00");
    assert_eq!(price(&sample, LEVEL, &request(46, 50_000_000, 12)), "2950.00 + 531.00 = 3481.00");
}

#[test]
fn a_term_between_two_columns_is_priced_by_the_longer_term() {
    let sample = load(&Files::sample());
    assert_eq!(
        price(&sample, LEVEL, &request(36, 50_000_000, 13)),
        price(&sample, LEVEL, &request(36, 50_000_000, 24))
    );
    assert_eq!(
        price(&sample, LEVEL, &request(36, 50_000_000, 1)),
        price(&sample, LEVEL, &request(36, 50_000_000, 12))
    );
}

#[test]
fn the_age_is_in_completed_years_on_the_day_of_the_quote() {
    let sample = load(&Files::sample());
    let born = BirthDate::kept(Date::constant(1990, 11, 21));
    let request = QuoteRequest { born, ..ordinary() };
    let on = |day| variant(&sample, LEVEL).price(&request, day).expect("a price").base().to_string();
    assert_eq!(on(TODAY), "2450.00"); // 35 until tomorrow
    assert_eq!(on(TODAY.tomorrow().expect("a day")), "3200.00");
}

#[test]
fn a_begun_year_of_the_term_counts_as_a_whole_year() {
    let sample = load(&Files::sample());
    let request = with_loan(request(36, 20_000_000, 90), "250000.00");
    assert_eq!(price(&sample, ONE_PRICE, &request), "2843.00 + 511.74 = 3354.74"); // 1137 x 2.50, half up
}

#[test]
fn a_product_can_be_priced_by_completed_years_of_the_term() {
    let completed = load(&{
        let mut files: Vec<_> = crate::edit::sample();
        for (path, content) in &mut files {
            if path == PER_LAKH {
                let text = String::from_utf8(content.clone()).expect("text");
                let text = text.replace("years = \"begun\"", "years = \"completed\"");
                *content = text.replace("{ least = 1, most = 96 }", "{ least = 12, most = 96 }").into_bytes();
            }
        }
        Files::of(files).expect("plain paths")
    });
    let request = with_loan(request(36, 20_000_000, 90), "250000");
    assert_eq!(price(&completed, ONE_PRICE, &request), "2588.00 + 465.84 = 3053.84"); // 1035 x 2.50
}

#[test]
fn a_missing_loan_amount_counts_as_the_cover_amount() {
    let sample = load(&Files::sample());
    let cover = request(36, 25_000_000, 90);
    for none in [cover.clone(), with_loan(cover.clone(), "0"), with_loan(cover, "")] {
        assert_eq!(price(&sample, ONE_PRICE, &none), "2843.00 + 511.74 = 3354.74");
    }
}

#[test]
fn price_steps_are_applied_in_the_order_of_the_catalogue() {
    let sample = load(&Files::sample());
    assert_eq!(price(&sample, ACCIDENT, &ordinary()), "3920.00 + 705.60 = 4625.60"); // 3200 + 22.5 %
    assert_eq!(price(&sample, ACCIDENT, &request(20, 1_000_000, 1)), "75.00 + 13.50 = 88.50"); // the minimum
    let minimum_first = "{ minimum = 75, name = \"Minimum premium\" },\n    { loading_percent = 22.5 },";
    let text = "{ loading_percent = 22.5, name = \"Accident benefit\" },\n    { minimum = 75, name = \"Minimum premium\" },";
    let other = load(&changed(PRODUCT, text, minimum_first));
    assert_eq!(price(&other, ACCIDENT, &request(20, 1_000_000, 1)), "92.00 + 16.56 = 108.56"); // 91.875
}

#[test]
fn limits_of_age_cover_and_term_are_checked_exactly() {
    let sample = load(&Files::sample()); // D22
    let judged = |request: QuoteRequest| variant(&sample, LEVEL).price(&request, TODAY).map(|_| ());
    assert_eq!(judged(request(18, 1_000_000, 1)), Ok(()));
    assert_eq!(judged(request(17, 1_000_000, 1)), Err(NotPriced::Age { least: 18, most: 65 }));
    assert_eq!(judged(request(66, 1_000_000, 1)), Err(NotPriced::Age { least: 18, most: 65 }));
    let (least, most) = (Rupees::whole(10_000), Rupees::whole(5_000_000));
    assert_eq!(judged(request(36, 999_999, 1)), Err(NotPriced::Cover { least, most }));
    assert_eq!(judged(request(36, 500_000_000, 1)), Ok(()));
    assert_eq!(judged(request(36, 500_000_001, 1)), Err(NotPriced::Cover { least, most }));
    assert_eq!(judged(request(36, 50_000_000, 84)), Ok(()));
    assert_eq!(judged(request(36, 50_000_000, 85)), Err(NotPriced::Term { least: 1, most: 84 }));
    // Born on 15 June: 65 years today, 70 after 60 months, 71 after 72 months.
    assert_eq!(judged(request(65, 50_000_000, 60)), Ok(()));
    assert_eq!(judged(request(65, 50_000_000, 72)), Err(NotPriced::AgeAtEnd { most: 70 }));
}

#[test]
fn a_person_born_after_the_day_of_the_quote_has_no_price() {
    let sample = load(&Files::sample());
    let born = BirthDate::kept(Date::constant(2030, 1, 1));
    let outcome = variant(&sample, LEVEL).price(&QuoteRequest { born, ..ordinary() }, TODAY);
    assert_eq!(outcome, Err(NotPriced::Age { least: 18, most: 65 }));
}

#[test]
fn a_loan_that_is_too_large_has_no_price() {
    let last = "{ round = \"rupee\" }";
    let steps = "{ loading_percent = 900 }, { loading_percent = 900 }, { loading_percent = 900 }, { round = \"rupee\" }";
    let catalogue = load(&changed(PER_LAKH, last, steps));
    let huge = with_loan(request(36, 20_000_000, 96), "9999999999999");
    assert!(price(&catalogue, ONE_PRICE, &huge).starts_with("113699999999989.00"));
    let many = ["{ loading_percent = 900 }"; 12].join(", ");
    let catalogue = load(&changed(PER_LAKH, last, &many));
    assert_eq!(variant(&catalogue, ONE_PRICE).price(&huge, TODAY), Err(NotPriced::TooLarge));
}

#[test]
fn a_credit_life_price_is_explained_step_by_step() {
    let sample = load(&Files::sample());
    let explanation = variant(&sample, ACCIDENT).explain(&ordinary(), TODAY);
    let printed: Vec<String> = explanation
        .steps
        .iter()
        .map(|step| {
            let location = step.location.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} | {location} | {} | {}", step.kind, step.factor, step.amount.normalize())
        })
        .collect();
    assert_eq!(
        printed,
        [
            "Cover amount |  |  | 500000",
            "Rate for ages 36 to 45, terms up to 24 months | insurers/kalpanik/loan-suraksha-level.csv:6 | \
             6.4 per mille | 3200",
            "Accident benefit | insurers/kalpanik/loan-suraksha.toml:150 | +22.5 % | 3920",
            "Minimum premium | insurers/kalpanik/loan-suraksha.toml:151 | at least 75.00 | 3920",
            "Rounding | insurers/kalpanik/loan-suraksha.toml:152 | to the rupee, half up | 3920",
            "Tax of 705.60, added, on a base of 3920.00 | catalogue.toml:39 | 18 % | 4625.6",
        ]
    );
}

#[test]
fn a_level_cover_has_no_schedule_and_a_reducing_cover_falls_every_year() {
    let sample = load(&Files::sample());
    let cover = Rupees::whole(500_000);
    assert_eq!(variant(&sample, LEVEL).schedule(cover, 36), []);
    let schedule = variant(&sample, REDUCING).schedule(cover, 36);
    assert_eq!(schedule.first(), Some(&(1, cover)));
    assert!(schedule.is_sorted_by(|one, next| one.0 + 1 == next.0 && one.1 > next.1));
    assert_eq!(schedule.len(), 3);
}

#[test]
fn a_changed_table_changes_the_price() {
    let dearer = load(&changed(LEVEL_TABLE, "36,45,3.4,6.4", "36,45,3.4,6.401"));
    assert_eq!(price(&dearer, LEVEL, &ordinary()), "3200.50 + 576.09 = 3776.59");
}

proptest! {
    #[test]
    fn every_credit_life_price_adds_up_and_equals_its_explanation(
        born in 0_i64..40_000, paise in 1_i64..3_000_000_000, months in 1_u32..=1200, loan in 0_i64..10_i64.pow(15), day in 0_i32..20_000,
        joint in proptest::option::of(0_i64..40_000), rider in prop_oneof![Just(""), Just(""), Just("accident"), Just("critical-illness")],
    ) { // D23, D76, D77
        let sample = shared();
        let plus = |days: i64| Date::constant(1920, 1, 1).checked_add(std::time::Duration::from_secs(86_400 * days as u64));
        let born = BirthDate::kept(plus(born).expect("a day"));
        let loan = Rupees::from_paise(loan).to_string();
        let request = with_loan(QuoteRequest { born, ..request(36, paise, months) }, &loan);
        let mut context = Context::of(vec![ContextEntry::new(key::RIDERS, vec![rider.to_owned()])]).over(&request.context);
        if let Some(joint) = joint {
            let born = BirthDate::kept(plus(joint).expect("a day"));
            context = Context::of_joint_life(born, Gender::Male).over(&context);
        }
        let request = QuoteRequest { context, ..request };
        let on = plus(30_000 + i64::from(day)).expect("a day");
        for variant in sample.all_credit_variants() {
            let outcome = variant.price(&request, on);
            prop_assert_eq!(&variant.explain(&request, on).outcome, &outcome);
            if let Ok(premium) = outcome {
                prop_assert_eq!(premium.base() + premium.gst(), premium.total());
                prop_assert!(premium.base() > Rupees::ZERO);
                let last_amount = variant.explain(&request, on).steps.last().map(|step| step.amount);
                prop_assert_eq!(last_amount, Some(premium.total().to_decimal()));
            }
        }
    }

    #[test]
    fn a_request_within_the_limits_is_priced_unless_the_age_at_the_end_is_too_high(age in 18_i16..=65, rupees in 10_000_i64..=5_000_000, months in 1_u32..=84) {
        let sample = shared();
        let outcome = variant(sample, LEVEL).price(&request(age, rupees * 100, months), TODAY);
        prop_assert!(matches!(outcome, Ok(_) | Err(NotPriced::AgeAtEnd { .. })), "{:?}", outcome);
    }

    #[test]
    fn a_reducing_cover_never_rises_from_year_to_year(rupees in 1_i64..=5_000_000, months in 0_u32..=1300) {
        let sample = shared();
        let schedule = variant(sample, REDUCING).schedule(Rupees::whole(rupees), months);
        prop_assert_eq!(schedule.len() as u32, months.min(1200).div_ceil(12));
        prop_assert!(schedule.is_sorted_by(|one, next| one.1 >= next.1 && next.1 > Rupees::ZERO));
    }
}
