//! Tests rates that change on fixed dates (D73).

use domain::date::Date;
use rating::{Catalogue, Files};

use crate::edit::{
    FLOATER, FLOATER_TABLE, HOME, HOME_LOAN, SAMPOORNA, family, health, load, request, shared, text, variant,
};
use crate::reported::{each_is_reported, faults};

const LAST: Date = Date::constant(2028, 3, 31);
const FIRST: Date = Date::constant(2028, 4, 1);

/// Base premium for ten lakh over ten years at age 36.
fn home(catalogue: &Catalogue, starts: Date) -> String {
    let premium = variant(catalogue, HOME).price(&request(36, 100_000_000, 120), starts).expect("a price");
    premium.base().to_string()
}

#[test]
fn the_start_day_of_the_cover_decides_which_rate_table_applies() {
    assert_eq!(home(shared(), LAST), "18000.00"); // 18 per mille
    assert_eq!(home(shared(), FIRST), "17100.00"); // 17.1 per mille
    let before_the_first = Date::constant(2026, 3, 31);
    assert_eq!(home(shared(), before_the_first), "18000.00");
}

#[test]
fn an_explanation_names_the_rate_table_of_the_start_day() {
    let table = |starts| {
        let explained = variant(shared(), HOME).explain(&request(36, 100_000_000, 120), starts);
        explained.steps[1].location.as_ref().expect("a table").to_string()
    };
    assert_eq!(table(LAST), "insurers/udaharan/home-loan-kavach.csv:4");
    assert_eq!(table(FIRST), "insurers/udaharan/home-loan-kavach-2028.csv:4");
}

const SHEET: &str = "table = \"sampoorna.csv\"";
const LATER_TABLE: &str = "insurers/nidarshan/sampoorna-2027.csv";

/// The sample, with a second sheet for its first floater from a later day.
fn with_later_sheet(rates: &str, sheet: &str) -> Files {
    let mut files = crate::edit::sample();
    for (path, content) in &mut files {
        if path == FLOATER {
            *content = text(FLOATER).replacen(SHEET, rates, 1).into_bytes();
        }
    }
    files.push((LATER_TABLE.to_owned(), sheet.as_bytes().to_vec()));
    Files::of(files).expect("plain paths")
}

const RATES: &str = "rates = [{ from = 2026-01-01, table = \"sampoorna.csv\" }, { from = 2027-04-01, table = \"sampoorna-2027.csv\" }]";

#[test]
fn a_health_price_uses_the_rate_sheet_of_its_day() {
    let sheet = text(FLOATER_TABLE);
    assert_eq!(sheet.matches(",9487,").count(), 1, "one rate of the chart");
    let catalogue = load(&with_later_sheet(RATES, &sheet.replace(",9487,", ",9961,")));
    let total = |on| {
        let offer = health(&catalogue, SAMPOORNA).price(&family("self:30", "110001", 1_000_000), on);
        offer.expect("an offer").tenures[0].premium.total().to_string()
    };
    assert_eq!(total(Date::constant(2027, 3, 31)), "9487.00");
    assert_eq!(total(Date::constant(2027, 4, 1)), "9961.00");
}

#[test]
fn a_later_rate_sheet_without_an_offered_rate_is_reported_at_its_own_row() {
    let sheet = text(FLOATER_TABLE).replace(",9487,", ",,");
    let reported = faults(&with_later_sheet(RATES, &sheet));
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert!(reported[0].starts_with(LATER_TABLE), "{reported:#?}");
    assert!(
        reported[0].ends_with("The rate for 1000000 is blank, but the variant offers this sum insured."),
        "{reported:#?}"
    );
}

#[test]
fn wrong_rows_of_dated_rates_are_reported() {
    let coming = "{ from = 2028-04-01, table = \"home-loan-kavach-2028.csv\" },";
    let reported = |message: &str| format!("{HOME_LOAN}:@{message}");
    each_is_reported(&[
        (
            HOME_LOAN,
            "{ from = 2028-04-01,",
            "{ from = \"2028-04-01\",",
            &reported(
                ": `from` must be a day written without quotation marks, such as 2017-07-01, not text.",
            ),
        ),
        (HOME_LOAN, "{ from = 2028-04-01,", "{", &reported(": `from` is missing.")),
        (
            HOME_LOAN,
            "{ from = 2028-04-01,",
            "{ from = 2026-04-01,",
            &reported("-2: `rates` must be in ascending order of `from`, each day once."),
        ),
        (
            HOME_LOAN,
            "{ from = 2028-04-01,",
            "{ form = 1, from = 2028-04-01,",
            &reported(": `form` is not a known key. Did you mean `from`?"),
        ),
        (
            HOME_LOAN,
            "home-loan-kavach-2028.csv",
            "home-loan-kavach-2029.csv",
            &reported(": There is no file `insurers/udaharan/home-loan-kavach-2029.csv`."),
        ),
        (
            HOME_LOAN,
            "rates = [",
            "table = \"home-loan-kavach.csv\"\nrates = [",
            &reported(": `table` belongs in each row of `rates`: remove it here."),
        ),
        (HOME_LOAN, coming, "{ from = 2028-04-01 },", &reported(": `table` is missing.")),
    ]);
    let none = crate::edit::changed(
        HOME_LOAN,
        "rates = [\n    { from = 2026-04-01, table = \"home-loan-kavach.csv\" },\n    { from = 2028-04-01, table = \"home-loan-kavach-2028.csv\" },\n]",
        "rates = []",
    );
    let at = crate::edit::line(HOME_LOAN, "rates = [");
    assert_eq!(faults(&none), [format!("{HOME_LOAN}:{at}: `rates` must not be an empty list.")]);
}
