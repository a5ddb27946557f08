//! Tests tax by day (D23).

use domain::date::Date;
use domain::money::TaxRate;
use rating::{Catalogue, Files, LineOfBusiness, SoldTo, TaxClass};

use crate::edit::{
    LEVEL, SAMPOORNA, TAX_INCLUDED, TODAY, changed, family, health, line, load, ordinary, shared, variant,
};
use crate::reported::{each_is_reported, faults};

/// The sample, with a tax rate that falls from 18 % to 12 % on 21 November 2026.
fn falling() -> Files {
    let rows = "to = 2026-11-20\npercent = 18\n\n[[tax]]\nline = \"credit-life\"\nsold_to = \"group\"\nfrom = 2026-11-21\npercent = 12.0";
    changed("catalogue.toml", "percent = 18", rows)
}

#[test]
fn the_day_of_the_quote_decides_the_tax_rate() {
    let catalogue = load(&falling());
    let level = variant(&catalogue, LEVEL);
    let gst = |on: Date| level.price(&ordinary(), on).expect("a price").gst().to_string();
    assert_eq!(gst(TODAY), "576.00"); // D23
    assert_eq!(gst(TODAY.tomorrow().expect("a day")), "384.00");
}

#[test]
fn a_premium_that_includes_tax_keeps_its_total_when_the_tax_rate_falls() {
    let catalogue = load(&falling());
    let included = variant(&catalogue, TAX_INCLUDED);
    let before = included.price(&ordinary(), TODAY).expect("a price");
    let after = included.price(&ordinary(), TODAY.tomorrow().expect("a day")).expect("a price");
    assert_eq!(before.total(), after.total());
    assert!(after.base() > before.base());
}

#[test]
fn every_day_has_a_tax_rate() {
    let catalogue = load(&falling());
    let rate = |on| tax_of(&catalogue, LineOfBusiness::CreditLife, SoldTo::Group, on);
    assert_eq!(rate(Date::constant(2017, 7, 1)), "18 %");
    assert_eq!(rate(Date::constant(9999, 12, 31)), "12 %");
    assert_eq!(rate(Date::constant(2000, 1, 1)), "18 %"); // before the first row: the first row
}

fn tax_of(catalogue: &Catalogue, line: LineOfBusiness, sold_to: SoldTo, on: Date) -> String {
    catalogue.tax(TaxClass::new(line, sold_to), on).expect("rows of tax").to_string()
}

#[test]
fn the_sample_taxes_each_class_of_cover_as_the_law_does() {
    use LineOfBusiness::{CreditLife, Health};
    let (last, first) = (Date::constant(2025, 9, 21), Date::constant(2025, 9, 22)); // D70
    for (line, sold_to, before, after) in [
        (CreditLife, SoldTo::Group, "18 %", "18 %"),
        (CreditLife, SoldTo::Individual, "18 %", "exempt"),
        (Health, SoldTo::Group, "18 %", "18 %"),
        (Health, SoldTo::Individual, "18 %", "exempt"),
    ] {
        assert_eq!(tax_of(shared(), line, sold_to, last), before);
        assert_eq!(tax_of(shared(), line, sold_to, first), after);
    }
}

/// Last step of a health variant's explanation.
fn last_step(catalogue: &Catalogue) -> String {
    let explained = health(catalogue, SAMPOORNA).explain(&family("self:30", "110001", 1_000_000), TODAY);
    let step = explained.tenures[0].steps.last().expect("a step");
    format!("{} | {} | {}", step.kind, step.location.as_ref().expect("a row"), step.factor)
}

const EXEMPT: &str =
    "from = 2025-09-22\nuntaxed = \"exempt\"\n\n[[tax]]\nline = \"health\"\nsold_to = \"group\"";

#[test]
fn an_explanation_distinguishes_a_nil_tax_rate_from_an_exemption() {
    let row = line("catalogue.toml", EXEMPT) - 3; // D70
    let exempt = "No tax: this class of cover is exempt, on a base of 9487.00";
    assert_eq!(last_step(shared()), format!("{exempt} | catalogue.toml:{row} | exempt"));
    for nil in ["untaxed = \"nil\"", "percent = 0"] {
        let nil = load(&changed("catalogue.toml", EXEMPT, &EXEMPT.replace("untaxed = \"exempt\"", nil)));
        let sentence = "No tax: the rate is nil, on a base of 9487.00";
        assert_eq!(last_step(&nil), format!("{sentence} | catalogue.toml:{row} | nil"));
        assert_eq!(
            nil.tax(TaxClass::new(LineOfBusiness::Health, SoldTo::Individual), TODAY),
            Some(TaxRate::NIL)
        );
    }
}

#[test]
fn a_health_product_with_a_master_policy_is_taxed_as_group_cover() {
    let group = "master_policy_number = \"FICTIONAL-GH-1\"\nmaster_policy_holder = \"Sample Society (fictional)\"\nplan = \"base\"";
    let catalogue = load(&changed(crate::edit::FLOATER, "plan = \"base\"", group)); // D70
    let offer = health(&catalogue, SAMPOORNA).price(&family("self:30", "110001", 1_000_000), TODAY);
    assert_eq!(offer.expect("an offer").tenures[0].premium.total().to_string(), "11194.66");
    let half = "master_policy_number = \"FICTIONAL-GH-1\"\nplan = \"base\"";
    let reported = faults(&changed(crate::edit::FLOATER, "plan = \"base\"", half));
    assert_eq!(reported, ["insurers/nidarshan/sampoorna.toml: `master_policy_holder` is missing."]);
}

#[test]
fn a_tax_row_without_sold_to_applies_to_groups_and_individuals() {
    let catalogue = load(&changed(
        "catalogue.toml",
        &{
            let text = crate::edit::text("catalogue.toml");
            let (from, to) = (text.find("[[tax]]").expect("tax"), text.find("[ranking]").expect("ranking"));
            text[from..to].to_owned()
        },
        "[[tax]]\nline = \"credit-life\"\nfrom = 2017-07-01\npercent = 18\n[[tax]]\nline = \"health\"\nfrom = 2017-07-01\npercent = 0\n",
    ));
    for sold_to in SoldTo::ALL {
        assert_eq!(tax_of(&catalogue, LineOfBusiness::CreditLife, *sold_to, TODAY), "18 %");
        assert_eq!(tax_of(&catalogue, LineOfBusiness::Health, *sold_to, TODAY), "nil");
    }
}

#[test]
fn a_wrong_row_of_tax_is_reported() {
    let reported = |message: &str| format!("catalogue.toml:@: {message}");
    each_is_reported(&[
        (
            "catalogue.toml",
            "sold_to = \"group\"",
            "sold_to = \"groups\"",
            &reported("`sold_to` must be \"group\" or \"individual\", not \"groups\"."),
        ),
        (
            "catalogue.toml",
            "untaxed = \"exempt\"",
            "untaxed = \"none\"",
            &reported("`untaxed` must be \"nil\" or \"exempt\", not \"none\"."),
        ),
        (
            "catalogue.toml",
            "untaxed = \"exempt\"",
            "untaxed = \"exempt\"\npercent = 18",
            &reported("A row must have `percent` or `untaxed`, not both."),
        ),
        (
            "catalogue.toml",
            "percent = 18",
            "",
            "catalogue.toml:@-4: `percent` is missing. If no tax is due, set `untaxed` to \"nil\" or \"exempt\" instead.",
        ),
    ]);
}
