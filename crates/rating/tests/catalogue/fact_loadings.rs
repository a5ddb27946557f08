//! Tests loadings for facts about a family: instalments, occupations, tobacco (D74).

use domain::date::{Date, days_later};
use domain::health_quote::NotOffered;
use domain::person::Occupation;
use proptest::prelude::*;
use rating::{HealthFacts, Instalments};

use crate::edit::{APNA, PER_MEMBER, TODAY, family, health, shared};
use crate::reported::each_is_reported;
use crate::steps::printed;

const KAL: &str = "vrt_01m7w48vthe3tvw8xe1809bw1j";

#[test]
fn missing_facts_count_as_standard_and_given_facts_add_explained_loadings() {
    let request = family("self:40", "560038", 1_000_000);
    let kal = health(shared(), KAL);
    assert_eq!(kal.price_with(&request, &HealthFacts::STANDARD, TODAY), kal.price(&request, TODAY));
    let facts = HealthFacts {
        instalments: Some(Instalments::Quarterly),
        occupations: vec![Occupation::Farmer, Occupation::Labourer],
        tobacco: true,
    };
    let explained = kal.explain_with(&request, &facts, TODAY);
    assert_eq!(explained.outcome, kal.price_with(&request, &facts, TODAY));
    let steps: Vec<String> = explained.tenures[0].steps.iter().map(printed).collect();
    let steps = steps.iter().map(|step| step.split_once(" | ").expect("a location").1).collect::<Vec<_>>();
    assert_eq!(
        steps[3..6],
        [
            "Loading for an occupation | +10 % | 14877.148",
            "Loading for tobacco | +15 % | 17108.7202",
            "Loading for instalments | +3 % | 17621.981806",
        ]
    );
}

#[test]
fn a_kind_of_instalment_that_a_plan_does_not_offer_is_refused() {
    let request = family("self:40", "560038", 1_000_000);
    let monthly = HealthFacts { instalments: Some(Instalments::Monthly), ..HealthFacts::default() };
    let apna = health(shared(), APNA);
    assert!(!apna.is_sold_in(Instalments::Monthly) && health(shared(), KAL).is_sold_in(Instalments::Monthly));
    let sentence = "This plan is not sold in monthly instalments.";
    assert_eq!(
        apna.price_with(&request, &monthly, TODAY),
        Err(NotOffered::InsurerRefused(sentence.to_owned()))
    );
    // Tobacco costs nothing if the product has no loading for it.
    let tobacco = HealthFacts { tobacco: true, ..HealthFacts::default() };
    assert_eq!(apna.price_with(&request, &tobacco, TODAY), apna.price(&request, TODAY));
}

#[test]
fn wrong_loadings_by_facts_are_reported() {
    let reported = |message: &str| format!("{PER_MEMBER}:@: {message}");
    each_is_reported(&[
        (
            PER_MEMBER,
            "paid = \"monthly\"",
            "paid = \"weekly\"",
            &reported(
                "`paid` must be \"yearly\" or \"half-yearly\" or \"quarterly\" or \"monthly\", not \"weekly\".",
            ),
        ),
        (
            PER_MEMBER,
            "{ paid = \"monthly\", loading_percent = 4 }",
            "{ paid = \"monthly\" }",
            &reported("`loading_percent` is missing."),
        ),
        (
            PER_MEMBER,
            "instalments = [\n    { paid = \"half-yearly\"",
            "instalments = [\n    { paid = \"monthly\"",
            &reported("`instalments` must not have the same `paid` twice."),
        ),
        (
            PER_MEMBER,
            "LABOURER = 10",
            "DRIVER = 10",
            &reported(
                "`occupation_percent` names \"DRIVER\", which is not one of LABOURER, UNEMPLOYED, HOUSEWIFE, RETIRED, OTHERS, FARMER, SALARIED, SELF_EMPLOYED, SERVICE, STUDENT.",
            ),
        ),
        (PER_MEMBER, "FARMER = 5", "FARMER = 0", &reported("`FARMER` must be above 0 and at most 900.")),
        (
            PER_MEMBER,
            "tobacco_percent = 15",
            "tobacco_percent = true",
            &reported("`tobacco_percent` must be a number, not true or false."),
        ),
        (
            PER_MEMBER,
            "tobacco_percent = 15",
            "",
            &reported(
                "The step { tobacco_loading = true } is not needed: the price has no loading for tobacco.",
            )
            .replace(":@:", ":@+2:"),
        ),
        (
            PER_MEMBER,
            "    { occupation_loading = true },\n",
            "",
            &reported(
                "The step { occupation_loading = true } is missing: the price has loadings for occupations.",
            )
            .replace(":@:", ":@-3:"),
        ),
    ]);
}

proptest! {
    #[test]
    fn every_price_with_facts_adds_up_and_equals_its_explanation(
        age in 18_u8..=60, instalments in proptest::option::of(0..Instalments::ALL.len()), tobacco: bool,
        occupations in proptest::collection::vec(0..Occupation::ALL.len(), 0..3), day in 0_u16..5_000,
    ) {
        let facts = HealthFacts {
            instalments: instalments.map(|at| Instalments::ALL[at]),
            occupations: occupations.into_iter().map(|at| Occupation::ALL[at]).collect(),
            tobacco,
        };
        let request = family(&format!("self:{age}"), "560038", 1_000_000);
        let on = days_later(Date::constant(2017, 7, 1), day).expect("a day");
        for variant in shared().all_health_variants() {
            let outcome = variant.price_with(&request, &facts, on);
            let explained = variant.explain_with(&request, &facts, on);
            prop_assert_eq!(&explained.outcome, &outcome);
            let Ok(offer) = outcome else { continue };
            for (price, explained) in offer.tenures.iter().zip(&explained.tenures) {
                prop_assert_eq!(price.premium.base() + price.premium.gst(), price.premium.total());
                let last = explained.steps.last().map(|step| step.amount);
                prop_assert_eq!(last, Some(price.premium.total().to_decimal()));
            }
        }
    }
}
