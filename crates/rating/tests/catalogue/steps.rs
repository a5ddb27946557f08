//! Tests steps of a price: rounding of the total, limit of all discounts.

use domain::money::Rupees;
use rating::{Catalogue, Step};

use crate::edit::{
    APNA, LEVEL, PER_MEMBER, PRODUCT, TODAY, changed, family, health, line, load, request, variant,
};
use crate::reported::each_is_reported;

/// Formats a step as `file:line | what | factor | amount`.
pub(crate) fn printed(step: &Step) -> String {
    let location = step.location.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{location} | {} | {} | {}", step.kind, step.factor, step.amount.normalize())
}

const PAISA: &str = "{ round = \"paisa\" },";
const TOTAL: &str = "{ round = \"paisa\" },\n    { round_total = \"rupee\", name = \"Whole rupees\" },";

#[test]
fn the_parts_of_a_rounded_total_premium_still_add_up() {
    let catalogue = load(&changed(PRODUCT, PAISA, TOTAL)); // D71
    let price = |paise| {
        let premium = variant(&catalogue, LEVEL).price(&request(36, paise, 24), TODAY).expect("a price");
        format!("{} + {} = {}", premium.base(), premium.gst(), premium.total())
    };
    // 6.4 per mille is 790.12; with tax of 142.22 it is 932.34. The rounded total of 932 has a base of
    // 789.83.
    assert_eq!(price(12_345_600), "789.83 + 142.17 = 932.00");
    assert_eq!(price(50_000_000), "3200.00 + 576.00 = 3776.00");
    // 65.07 and tax of 11.71 are 76.78.
    assert_eq!(price(1_016_700), "65.25 + 11.75 = 77.00");
    let explained = variant(&catalogue, LEVEL).explain(&request(36, 12_345_600, 24), TODAY);
    let at = line(PRODUCT, PAISA) + 1;
    assert_eq!(
        explained.steps.last().map(printed),
        Some(format!("{PRODUCT}:{at} | Whole rupees | to the rupee, half up: 789.83 + 142.17 | 932"))
    );
}

#[test]
fn a_total_premium_is_never_rounded_to_zero() {
    let steps = "steps = [\n    { minimum = 50, name = \"Minimum premium\" },\n    { round = \"paisa\" },\n]";
    let steps_of_nothing = "steps = [{ discount_percent = 99 }, { round_total = \"rupee\" }]";
    let catalogue = load(&changed(PRODUCT, steps, steps_of_nothing)); // 0.26 and 0.05
    let premium = variant(&catalogue, LEVEL).price(&request(20, 1_000_000, 1), TODAY).expect("a price");
    assert_eq!((premium.base().to_string(), premium.total()), ("0.85".to_owned(), Rupees::whole(1)));
}

#[test]
fn a_round_total_step_that_is_not_the_last_step_is_reported() {
    each_is_reported(&[
        (
            PRODUCT,
            PAISA,
            "{ round_total = \"rupee\" }, { round = \"paisa\" },",
            &format!(
                "{PRODUCT}:@: The step `round_total` must be last: it rounds what the customer pays, tax included."
            ),
        ),
        (
            PRODUCT,
            PAISA,
            "{ round_total = \"paisa\" },",
            &format!("{PRODUCT}:@: `round_total` must be \"rupee\", not \"paisa\"."),
        ),
    ]);
}

const FAMILY_DISCOUNT: &str = "family_discount_percent = 10\n";

/// The sample, with a limit of all discounts for its per-member product.
fn capped(percent: &str) -> Catalogue {
    let with_most = format!("family_discount_percent = 10\nmost_discount_percent = {percent}\n");
    load(&changed(PER_MEMBER, FAMILY_DISCOUNT, &with_most))
}

fn totals(catalogue: &Catalogue, members: &str) -> String {
    let offer =
        health(catalogue, APNA).price(&family(members, "560038", 1_000_000), TODAY).expect("an offer");
    let totals = offer.tenures.iter().map(|tenure| tenure.premium.total().to_string());
    totals.collect::<Vec<_>>().join(" ")
}

#[test]
fn all_discounts_together_stay_within_the_maximum_discount() {
    let three = "self:40 spouse:34 son:8"; // D72
    // 24,310 less the family discount of 10 % is 21,879. The limit of 12 % leaves 2 % for tenures, instead of
    // 5 % and 8 %.
    assert_eq!(totals(&capped("12"), three), "21879.00 42883.00 64324.00");
    // Without a family discount, 5 % and 8 % are within the limit.
    assert_eq!(totals(&capped("12"), "self:40"), "10907.00 20723.00 30103.00");
    // The limit leaves nothing for tenures, or is not reached.
    assert_eq!(totals(&capped("10"), three), "21879.00 43758.00 65637.00");
    assert_eq!(totals(&capped("18"), three), totals(crate::edit::shared(), three));
}

#[test]
fn an_explanation_shows_that_a_discount_was_limited() {
    let catalogue = capped("12");
    let request = family("self:40 spouse:34 son:8", "560038", 1_000_000);
    let explained = health(&catalogue, APNA).explain(&request, TODAY);
    let steps: Vec<String> = explained.tenures[1].steps.iter().map(printed).collect();
    let (cap, tenure) = (line(PER_MEMBER, FAMILY_DISCOUNT) + 1, line(PER_MEMBER, "{ tenure = true }") + 1);
    assert!(
        steps.contains(&format!("{PER_MEMBER}:{tenure} | Tenure | 2 years, -2 % | 42882.84")),
        "{steps:#?}"
    );
    let limited = "Discount limited: all discounts together have a maximum";
    assert!(
        steps.contains(&format!("{PER_MEMBER}:{cap} | {limited} | at most 12 % | 42882.84")),
        "{steps:#?}"
    );
    let one_year: Vec<String> = explained.tenures[0].steps.iter().map(printed).collect();
    assert!(!one_year.iter().any(|step| step.contains("limited")), "{one_year:#?}");
}

#[test]
fn a_wrong_maximum_of_discounts_is_reported() {
    let most = |percent: &str| format!("{FAMILY_DISCOUNT}most_discount_percent = {percent}\n");
    each_is_reported(&[
        (
            PER_MEMBER,
            FAMILY_DISCOUNT,
            &most("9.5"),
            &format!("{PER_MEMBER}:@: `family_discount_percent` is above `most_discount_percent`."),
        ),
        (
            PER_MEMBER,
            FAMILY_DISCOUNT,
            &most("100"),
            &format!("{PER_MEMBER}:@+1: `most_discount_percent` must be above 0 and at most 99."),
        ),
    ]);
}

#[test]
fn a_tenure_may_have_up_to_five_years() {
    let offer = health(crate::edit::shared(), crate::edit::YUVA)
        .price(&family("self:30", "110001", 500_000), TODAY)
        .expect("an offer");
    let years: Vec<u8> = offer.tenures.iter().map(|tenure| tenure.years).collect();
    assert_eq!(years, [1, 2, 3, 5]);
    let (one, five) = (offer.tenures[0].premium.total(), offer.tenures[3].premium.total());
    // Five years less 12.5 %, rounded to the rupee.
    assert_eq!(five, Rupees::whole((one.paise() * 5 * 875 / 1000 + 50) / 100));
}
