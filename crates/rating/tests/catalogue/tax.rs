//! Tax by day (D23).

use domain::date::Date;
use rating::{Files, LineOfBusiness};

use crate::edit::{LEVEL, TAX_INCLUDED, TODAY, changed, load, ordinary, variant};

/// The sample, where tax falls from 18 to 12 percent on the day after a day.
fn falling() -> Files {
    let rows =
        "to = 2026-11-20\npercent = 18\n\n[[tax]]\nline = \"credit-life\"\nfrom = 2026-11-21\npercent = 12.0";
    changed("catalogue.toml", "percent = 18", rows)
}

#[test]
fn the_day_of_the_quote_picks_the_rate() {
    let catalogue = load(&falling());
    let level = variant(&catalogue, LEVEL);
    let gst = |on: Date| level.price(&ordinary(), on).expect("a price").gst().to_string();
    assert_eq!(gst(TODAY), "576.00"); // D23
    assert_eq!(gst(TODAY.tomorrow().expect("a day")), "384.00");
}

#[test]
fn a_premium_with_tax_in_it_stays_when_the_rate_falls() {
    let catalogue = load(&falling());
    let included = variant(&catalogue, TAX_INCLUDED);
    let before = included.price(&ordinary(), TODAY).expect("a price");
    let after = included.price(&ordinary(), TODAY.tomorrow().expect("a day")).expect("a price");
    assert_eq!(before.total(), after.total());
    assert!(after.base() > before.base());
}

#[test]
fn every_day_has_a_rate() {
    let catalogue = load(&falling());
    let percent = |on| {
        catalogue.tax(LineOfBusiness::CreditLife, on).expect("a line with products").as_percent().to_string()
    };
    assert_eq!(percent(Date::constant(2017, 7, 1)), "18");
    assert_eq!(percent(Date::constant(9999, 12, 31)), "12");
    assert_eq!(percent(Date::constant(2000, 1, 1)), "18"); // before the first row: the first row
}
