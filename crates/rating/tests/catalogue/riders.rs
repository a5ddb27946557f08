//! Tests riders of credit life (D77).

use domain::context::{Context, ContextEntry, key};
use domain::quote::{NotPriced, QuoteRequest};

use crate::edit::{LEVEL, TODAY, changed, line, load, ordinary, shared, variant};
use crate::reported::each_is_reported;
use crate::steps::printed;

const INSTANT: &str = "vrt_01m5wm8sc0e07a9ppyp2ye3jsm";
const FILE: &str = "insurers/namoona/instant-loan-saathi.toml";

/// The usual request, with riders.
fn with_riders(ids: &[&str]) -> QuoteRequest {
    let values = ids.iter().map(|id| (*id).to_owned()).collect();
    QuoteRequest { context: Context::of(vec![ContextEntry::new(key::RIDERS, values)]), ..ordinary() }
}

fn total(ids: &[&str]) -> Result<String, NotPriced> {
    variant(shared(), INSTANT).price(&with_riders(ids), TODAY).map(|premium| premium.total().to_string())
}

#[test]
fn the_price_of_each_chosen_rider_is_added_once_to_the_premium() {
    assert_eq!(total(&[]).as_deref(), Ok("3717.00"));
    assert_eq!(total(&["", " "]).as_deref(), Ok("3717.00"));
    assert_eq!(total(&["accident"]).as_deref(), Ok("4189.00"));
    assert_eq!(total(&[" critical-illness "]).as_deref(), Ok("5018.54"));
    for both in [["accident", "critical-illness"], ["critical-illness", "accident"]] {
        assert_eq!(total(&both).as_deref(), Ok("5490.54"));
    }
    assert_eq!(total(&["accident", "accident"]).as_deref(), Ok("4189.00"));
}

#[test]
fn a_rider_that_a_variant_does_not_have_is_refused() {
    assert_eq!(total(&["accident", "hospital-cash"]), Err(NotPriced::Rider("hospital-cash".into())));
    let level = variant(shared(), LEVEL).price(&with_riders(&["accident"]), TODAY);
    assert_eq!(level, Err(NotPriced::Rider("accident".into())));
    assert_eq!(level.expect_err("refused").to_string(), "This cover has no rider accident.");
    let long = format!("{}\n", "x".repeat(1000));
    let shown = total(&[&long]).expect_err("refused").to_string();
    assert!(shown.len() < 100 && !shown.contains('\n'), "{shown}");
}

#[test]
fn each_chosen_rider_has_its_own_step_in_the_explanation() {
    let explained =
        variant(shared(), INSTANT).explain(&with_riders(&["accident", "critical-illness"]), TODAY);
    let steps: Vec<String> = explained.steps.iter().map(printed).collect();
    let at = line(FILE, "id = \"critical-illness\"") - 1;
    assert_eq!(
        steps[2..4],
        [
            "insurers/namoona/instant-loan-saathi-accident.csv:3 | Rider Death by accident. Rate for ages 18 to 55, terms up to 24 months | 0.8 per mille | 3550".to_owned(),
            format!("{FILE}:{at} | Rider Critical illness | +35 % of the base rate | 4652.5"),
        ]
    );
    assert_eq!(explained.outcome.map(|premium| premium.total().to_string()).as_deref(), Ok("5490.54"));
}

#[test]
fn the_rates_of_a_rider_can_change_on_a_date() {
    let table = "table = \"instant-loan-saathi-accident.csv\"";
    let dated = "rates = [{ from = 2026-01-01, table = \"instant-loan-saathi-accident.csv\" }, { from = 2027-01-01, table = \"instant-loan-saathi.csv\" }]";
    let catalogue = load(&changed(FILE, table, dated));
    let total =
        |on| variant(&catalogue, INSTANT).price(&with_riders(&["accident"]), on).expect("a price").base();
    assert_eq!(total(TODAY).to_string(), "3550.00");
    assert_eq!(total(domain::date::Date::constant(2027, 1, 1)).to_string(), "6300.00");
}

#[test]
fn a_wrong_rider_is_reported() {
    let reported = |message: &str| format!("{FILE}:@{message}");
    each_is_reported(&[
        (
            FILE,
            "id = \"accident\"",
            "id = \"Accident\"",
            &reported(": `id` must be at most 40 small letters, digits, hyphens and underscores."),
        ),
        (
            FILE,
            "id = \"critical-illness\"",
            "id = \"accident\"",
            &reported(": `id` must be unique among the riders of a variant."),
        ),
        (FILE, "name = \"Critical illness\"", "", &reported("-2: `name` is missing.")),
        (
            FILE,
            "percent = 35\n",
            "",
            &reported("-3: A rider must have exactly one of `percent`, `table` and `rates`."),
        ),
        (
            FILE,
            "percent = 35",
            "percent = 35\ntable = \"instant-loan-saathi-accident.csv\"",
            &reported("-3: A rider must have exactly one of `percent`, `table` and `rates`."),
        ),
        (FILE, "percent = 35", "percent = -35", &reported(": `percent` must be above 0 and at most 900.")),
        (
            FILE,
            "percent = 35",
            "percent = 35\nmethod = \"per-lakh\"",
            &reported("+1: `method` is not a known key here."),
        ),
        (
            "insurers/namoona/instant-loan-saathi-accident.csv",
            "18,55,",
            "18,54,",
            "insurers/namoona/instant-loan-saathi.toml:47: [eligibility] allows ages 18 to 55, but `instant-loan-saathi-accident.csv` has rates for 18 to 54.",
        ),
    ]);
}
