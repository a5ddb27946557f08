//! Tests joint life: two people who are priced together (D76).

use domain::context::Context;
use domain::date::{BirthDate, Date};
use domain::person::Gender;
use domain::quote::{NotPriced, QuoteRequest};
use rating::Catalogue;

use crate::edit::{LEVEL, TODAY, changed, line, load, request, shared, variant, with_loan};
use crate::reported::each_is_reported;
use crate::steps::printed;

/// Two variants: one prices both lives, the other prices the elder.
const BOTH: &str = "vrt_01m5wq5vwgfy8r4zyzrdts5e4z";
const ELDER: &str = "vrt_01m5wh6zfreyp9x8v76dtr4cmz";
const BOTH_FILE: &str = "insurers/namoona/instant-loan-saathi.toml";
const ELDER_FILE: &str = "insurers/misaal/yuva-rin-raksha.toml";

/// Adds a second person with this age to a request.
fn joint(request: QuoteRequest, age: i16) -> QuoteRequest {
    let born = BirthDate::kept(Date::constant(TODAY.year() - age, 6, 15));
    QuoteRequest { context: Context::of_joint_life(born, Gender::Male).over(&request.context), ..request }
}

fn total(catalogue: &Catalogue, id: &str, request: &QuoteRequest) -> Result<String, NotPriced> {
    variant(catalogue, id).price(request, TODAY).map(|premium| premium.total().to_string())
}

#[test]
fn a_joint_price_can_be_a_percentage_of_the_sum_of_both_rates() {
    let one = request(36, 50_000_000, 24);
    assert_eq!(total(shared(), BOTH, &one).as_deref(), Ok("2230.20"));
    // (3,150 + 6,300) x 92.5 %, less 40 %: 5,244.75.
    assert_eq!(total(shared(), BOTH, &joint(one.clone(), 50)).as_deref(), Ok("6189.10"));
    assert_eq!(total(shared(), BOTH, &joint(request(50, 50_000_000, 24), 36)).as_deref(), Ok("6189.10"));
    let full = load(&changed(BOTH_FILE, "joint_percent = 92.5\n", ""));
    assert_eq!(total(&full, BOTH, &joint(one, 50)).as_deref(), Ok("6690.60")); // 9,450 less 40 %
}

#[test]
fn the_age_of_the_elder_person_can_decide_the_joint_price() {
    let one = request(24, 50_000_000, 24);
    assert_eq!(total(shared(), ELDER, &one).as_deref(), Ok("2448.50")); // 4.15 per mille
    assert_eq!(total(shared(), ELDER, &joint(one, 30)).as_deref(), Ok("2714.00")); // 4.6 per mille
    assert_eq!(total(shared(), ELDER, &joint(request(30, 50_000_000, 24), 24)).as_deref(), Ok("2714.00"));
}

#[test]
fn both_people_of_a_joint_life_must_be_of_an_eligible_age() {
    let refused = Err(NotPriced::Age { least: 18, most: 35 });
    assert_eq!(total(shared(), ELDER, &joint(request(24, 50_000_000, 24), 36)), refused);
    assert_eq!(total(shared(), ELDER, &joint(request(24, 50_000_000, 24), 17)), refused);
    assert_eq!(total(shared(), BOTH, &joint(request(36, 50_000_000, 48), 55)).map(|_| ()), Ok(()));
    let older = load(&changed(BOTH_FILE, "age_at_end = 60", "age_at_end = 58"));
    assert_eq!(
        total(&older, BOTH, &joint(request(36, 50_000_000, 48), 55)),
        Err(NotPriced::AgeAtEnd { most: 58 })
    );
}

#[test]
fn a_variant_for_one_life_ignores_the_second_life() {
    let one = request(36, 50_000_000, 24);
    assert_eq!(total(shared(), LEVEL, &joint(one.clone(), 90)), total(shared(), LEVEL, &one));
    let with_gender_alone = with_loan(one.clone(), "500000");
    assert_eq!(total(shared(), BOTH, &with_gender_alone), total(shared(), BOTH, &one));
}

#[test]
fn the_price_of_a_joint_life_is_explained_step_by_step() {
    let steps = |id, request: &QuoteRequest| -> Vec<String> {
        let explained = variant(shared(), id).explain(request, TODAY);
        assert_eq!(explained.outcome, variant(shared(), id).price(request, TODAY));
        explained.steps.iter().map(printed).collect()
    };
    let both = steps(BOTH, &joint(request(36, 50_000_000, 24), 50));
    let (table, at) = ("insurers/namoona/instant-loan-saathi.csv", line(BOTH_FILE, "joint = \"both\""));
    assert_eq!(
        both[1..4],
        [
            format!("{table}:4 | Rate for ages 31 to 40, terms up to 24 months | 6.3 per mille | 3150"),
            format!("{table}:5 | Rate for ages 41 to 55, terms up to 24 months | 12.6 per mille | 9450"),
            format!("{BOTH_FILE}:{at} | Two lives, each at full cover | 92.5 % of both rates | 8741.25"),
        ]
    );
    let elder = steps(ELDER, &joint(request(24, 50_000_000, 24), 30));
    let at = line(ELDER_FILE, "joint = \"elder\"");
    assert_eq!(
        elder[1],
        format!("{ELDER_FILE}:{at} | Two lives: the elder's age decides | 30 years | 500000")
    );
}

#[test]
fn wrong_values_of_a_joint_life_variant_are_reported() {
    let both = "joint = \"both\"\njoint_percent = 92.5";
    each_is_reported(&[
        (
            BOTH_FILE,
            "joint = \"both\"",
            "joint = \"all\"",
            &format!("{BOTH_FILE}:@: `joint` must be \"elder\" or \"both\", not \"all\"."),
        ),
        (
            BOTH_FILE,
            both,
            "joint_percent = 92.5",
            &format!(
                "{BOTH_FILE}:@: `joint_percent` needs `joint = \"both\"`: it is a percentage of the sum of both rates."
            ),
        ),
        (
            BOTH_FILE,
            "joint_percent = 92.5",
            "joint_percent = 185",
            &format!("{BOTH_FILE}:@: `joint_percent` must be above 0 and at most 100."),
        ),
        (
            ELDER_FILE,
            "joint = \"elder\"",
            "joint = \"elder\"\njoint_percent = 90",
            &format!(
                "{ELDER_FILE}:@+1: `joint_percent` needs `joint = \"both\"`: it is a percentage of the sum of both rates."
            ),
        ),
        (
            BOTH_FILE,
            "eligibility = { members = 2 }",
            "",
            &format!("{BOTH_FILE}:@+7: `joint` prices two people: `members` must be 2, not 4."),
        ),
    ]);
}
