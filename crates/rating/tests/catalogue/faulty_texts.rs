//! Tests the faults of texts that customers of health products read.

use crate::edit::{FILTER_TAGS, ILLNESSES, PRODUCT, SENIOR, changed, line};
use crate::reported::{each_is_reported, faults};

#[test]
fn a_wrong_customer_text_of_a_health_product_is_reported() {
    let reported = |message: &str| format!("{SENIOR}:@: {message}");
    let below = |message: &str| format!("{SENIOR}:@+1: {message}");
    each_is_reported(&[
        (SENIOR, "covers = [\n", "covers = [\n 7,\n", &below("`covers` must be text, not a whole number.")),
        (
            SENIOR,
            "covers = [\n",
            "covers = [\n \"An ambulance, up to ₹5,000 for each stay.\",\n",
            &format!("{SENIOR}:@+6: `covers` must not have the same value twice."),
        ),
        (SENIOR, "covers_hi = [\n", "covers_hi = [\n \" \",\n", &below("`covers_hi` must not be blank.")),
        (
            SENIOR,
            "covers_hi = [\n",
            "covers_hi = [\n \"एक और वाक्य।\",\n",
            &reported("`covers_hi` must have one sentence for each sentence of `covers`."),
        ),
        (
            SENIOR,
            "exclusions = ",
            "# exclusions = ",
            &below("`exclusions_hi` is a translation: its English text `exclusions` is missing."),
        ),
        (
            SENIOR,
            "exclusions_hi = \"",
            "exclusions_hi = \"\" # \"",
            &reported("`exclusions_hi` must not be blank."),
        ),
        (
            SENIOR,
            "settlement_hi = \"",
            "settlement_hi = true # \"",
            &reported("`settlement_hi` must be text, not true or false."),
        ),
        (
            SENIOR,
            "description_hi = \"",
            "description_hi = [] # \"",
            &reported("`description_hi` must be text, not a list."),
        ),
        (
            SENIOR,
            "description_hi",
            "description_hindi",
            &reported("`description_hindi` is not a known key. Did you mean `description_hi`?"),
        ),
        (
            SENIOR,
            "{ discount_percent = 15, name = \"Co-pay of 20 %\", name_hi",
            "{ discount_percent = 15, name_hi",
            &reported("`name_hi` is a translation: its English text `name` is missing."),
        ),
        (
            FILTER_TAGS,
            "name_hi = \"",
            "name_hi = \"\" # \"",
            &format!("{FILTER_TAGS}:@: `name_hi` must not be blank."),
        ),
        (
            ILLNESSES,
            "name_hi = \"",
            "name_hi = 1 # \"",
            &format!("{ILLNESSES}:@: `name_hi` must be text, not a whole number."),
        ),
    ]);
    // Hindi sentences need the English sentences that they translate.
    let (covers, covers_hi) = (line(SENIOR, "covers = ["), line(SENIOR, "covers_hi = ["));
    let reported = [
        format!("{SENIOR}:{covers}: `covered` is not a known key. Did you mean `covers`?"),
        format!("{SENIOR}:{covers_hi}: `covers_hi` must have one sentence for each sentence of `covers`."),
    ];
    assert_eq!(faults(&changed(SENIOR, "covers = [", "covered = [")), reported);
}

#[test]
fn keys_of_health_products_are_refused_in_a_credit_life_product() {
    let unknown = |key: &str| format!("{PRODUCT}:@: `{key}` is not a known key here.");
    let meant =
        |key: &str, meant: &str| format!("{PRODUCT}:@: `{key}` is not a known key. Did you mean `{meant}`?");
    let product = "free_look_days = 30";
    each_is_reported(&[
        (PRODUCT, product, "covers = [\"Death.\"]\nfree_look_days = 30", &unknown("covers")),
        (PRODUCT, product, "covers_hi = [\"मृत्यु।\"]\nfree_look_days = 30", &unknown("covers_hi")),
        (
            PRODUCT,
            product,
            "exclusions_hi = \"आत्महत्या।\"\nfree_look_days = 30",
            &meant("exclusions_hi", "exclusions"),
        ),
        (
            PRODUCT,
            product,
            "settlement_hi = \"कर्ज़ से।\"\nfree_look_days = 30",
            &meant("settlement_hi", "settlement"),
        ),
        (
            PRODUCT,
            product,
            "pre_underwriting = [{ from_age = 61, then = \"refer\", reason = \"Age.\" }]\nfree_look_days = 30",
            &unknown("pre_underwriting"),
        ),
        (
            PRODUCT,
            "cover = \"level\"",
            "description_hi = \"समान सुरक्षा।\"\ncover = \"level\"",
            &unknown("description_hi"),
        ),
    ]);
}
