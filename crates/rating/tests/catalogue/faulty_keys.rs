//! Tests the faults of keys: wrong values, missing keys, unknown keys.

use crate::edit::{INSURER, PER_LAKH, PRODUCT};
use crate::reported::each_is_reported;

#[test]
fn a_wrong_value_of_a_key_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            "catalogue.toml",
            "name = \"Sample catalogue\"",
            "name = 7",
            "catalogue.toml:@: `name` must be text, not a whole number.",
        ),
        ("catalogue.toml", "\"Sample catalogue\"", "\" \"", "catalogue.toml:@: `name` must not be blank."),
        (
            "catalogue.toml",
            "_days = 30",
            "_days = 0",
            "catalogue.toml:@: `quote_validity_days` must be a whole number from 1 to 365.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            "percent = 1e1",
            "catalogue.toml:@: `percent` must be a number in digits, such as 18 or 0.75.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            "percent = inf",
            "catalogue.toml:@: `percent` must be a number in digits, such as 18 or 0.75.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            "percent = 100.01",
            "catalogue.toml:@: `percent` must be from 0 to 100.",
        ),
        (
            "catalogue.toml",
            "from = 2017-07-01",
            "from = \"2017-07-01\"",
            "catalogue.toml:@: `from` must be a day written without quotation marks, such as 2017-07-01, not text.",
        ),
        (
            INSURER,
            "\"https://",
            "\"http://",
            "insurers/kalpanik/insurer.toml:@: `logo` must be an address that begins with https://.",
        ),
        (
            INSURER,
            "= \"rate-table\"",
            "= \"http\"",
            "insurers/kalpanik/insurer.toml:@: `http` is missing: the connector \"http\" needs the section [http].",
        ),
        (
            INSURER,
            "= \"rate-table\"",
            "= \"soap\"",
            "insurers/kalpanik/insurer.toml:@: `connector` must be \"rate-table\" or \"http\", not \"soap\".",
        ),
        (
            PRODUCT,
            "line = \"credit-life\"",
            "line = \"motor\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `line` must be \"credit-life\" or \"health\", not \"motor\".",
        ),
        (
            PRODUCT,
            "\"KLS\"",
            "\"kls\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `policy_number_prefix` must be at most 12 capital letters, digits and hyphens.",
        ),
        (
            PRODUCT,
            "decision = \"partner\"",
            "decision = \"partners\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `decision` must be \"partner\" or \"operator\" or \"insurer\" or \"straight-through\", not \"partners\".",
        ),
        (
            PRODUCT,
            "free_look_days = 30",
            "free_look_days = -1",
            "insurers/kalpanik/loan-suraksha.toml:@: `free_look_days` must be a whole number from 1 to 90.",
        ),
        (
            PRODUCT,
            "least = 10000,",
            "least = 10000.005,",
            "insurers/kalpanik/loan-suraksha.toml:@: `least` must be an amount in rupees with at most two decimals.",
        ),
        (
            PRODUCT,
            "least = 10000,",
            "least = 0,",
            "insurers/kalpanik/loan-suraksha.toml:@: `least` must be above zero.",
        ),
        (
            PRODUCT,
            "{ least = 18, most = 65 }",
            "{ least = 66, most = 65 }",
            "insurers/kalpanik/loan-suraksha.toml:@: `age_at_entry` has a `least` above its `most`.",
        ),
        (
            PRODUCT,
            "members = 4",
            "members = 0",
            "insurers/kalpanik/loan-suraksha.toml:@: `members` must be a whole number from 1 to 50.",
        ),
        (
            PRODUCT,
            "proposer = \"anyone\"",
            "proposer = \"nobody\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `proposer` must be \"insured\" or \"anyone\", not \"nobody\".",
        ),
        (
            PRODUCT,
            "cover_up_to = 300",
            "cover_up_to = 1001",
            "insurers/kalpanik/loan-suraksha.toml:@: `cover_up_to` must be above 0 and at most 1000.",
        ),
        (
            PRODUCT,
            "documents = []",
            "documents = [\"PANCARD\"]",
            "insurers/kalpanik/loan-suraksha.toml:@: `documents` must be \"PAN\" or \"AADHAR\" or \"DRIVING_LICENSE\" or \"PASSPORT\" or \"ELECTRICITY\" or \"VOTER_ID\", not \"PANCARD\".",
        ),
        (
            PRODUCT,
            "cover = \"level\"",
            "cover = \"flat\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `cover` must be \"level\" or \"reducing\", not \"flat\".",
        ),
        (
            PRODUCT,
            "method = \"per-mille\"",
            "method = \"per-cent\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `method` must be \"per-mille\" or \"per-lakh\", not \"per-cent\".",
        ),
        (
            PRODUCT,
            "rates_include_tax = false",
            "rates_include_tax = \"no\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `rates_include_tax` must be true or false, not text.",
        ),
        (
            PRODUCT,
            "= 22.5",
            "= -22.5",
            "insurers/kalpanik/loan-suraksha.toml:@: `loading_percent` must be above 0 and at most 900.",
        ),
        (
            PRODUCT,
            "loading_percent = 22.5",
            "discount_percent = 100",
            "insurers/kalpanik/loan-suraksha.toml:@: `discount_percent` must be above 0 and at most 99.",
        ),
        (
            PRODUCT,
            "{ minimum = 50, name",
            "{ minimum = 50, round = \"rupee\", name",
            "insurers/kalpanik/loan-suraksha.toml:@: A step must have exactly one of `loading_percent`, `discount_percent`, `minimum`, `round`, `round_total`, `occupation_loading` and `tobacco_loading`.",
        ),
        (
            PRODUCT,
            "{ minimum = 50, name",
            "{ name",
            "insurers/kalpanik/loan-suraksha.toml:@: A step must have exactly one of `loading_percent`, `discount_percent`, `minimum`, `round`, `round_total`, `occupation_loading` and `tobacco_loading`.",
        ),
        (
            PER_LAKH,
            "years = \"begun\"",
            "years = \"whole\"",
            "insurers/parikatha/one-price-loan-cover.toml:@: `years` must be \"begun\" or \"completed\", not \"whole\".",
        ),
    ]);
}

#[test]
fn a_missing_key_is_reported_at_its_section() {
    each_is_reported(&[
        ("catalogue.toml", "name =", "# name =", "catalogue.toml: `name` is missing."),
        (INSURER, "name =", "# name =", "insurers/kalpanik/insurer.toml: `name` is missing."),
        (
            PRODUCT,
            "by = \"deposit\"",
            "by = \"cash\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `by` must be \"deposit\" or \"link\" or \"here\" or \"partner\", not \"cash\".",
        ),
        (
            PRODUCT,
            "rates_include_tax = false",
            "rates_include_tax = false\ntobacco_percent = 20",
            "insurers/kalpanik/loan-suraksha.toml:@+9: The step { tobacco_loading = true } is missing: the price has a loading for tobacco.",
        ),
        (
            PRODUCT,
            "opening_balance = 1000000000",
            "opening_balance = -1",
            "insurers/kalpanik/loan-suraksha.toml:@: `opening_balance` must be above zero.",
        ),
        (PRODUCT, "uin =", "# uin =", "insurers/kalpanik/loan-suraksha.toml: `uin` is missing."),
        (
            PRODUCT,
            "settlement =",
            "# settlement =",
            "insurers/kalpanik/loan-suraksha.toml: `settlement` is missing.",
        ),
        (
            PRODUCT,
            "name = \"Level cover\"",
            "",
            "insurers/kalpanik/loan-suraksha.toml:@-3: `name` is missing.",
        ),
        (
            PRODUCT,
            "rates_include_tax = false",
            "",
            "insurers/kalpanik/loan-suraksha.toml:@-9: `rates_include_tax` is missing.",
        ),
        (
            PRODUCT,
            "interest_percent = 12",
            "",
            "insurers/kalpanik/loan-suraksha.toml:@-5: `interest_percent` is missing.",
        ),
        (
            PER_LAKH,
            "cover = { least = 50000, most = 2500000 }",
            "",
            "insurers/parikatha/one-price-loan-cover.toml:@+9: `cover` is missing: add it to [eligibility] of the product or of the variant.",
        ),
    ]);
}

#[test]
fn an_unknown_key_is_reported_with_the_most_similar_known_key() {
    each_is_reported(&[
        (
            "catalogue.toml",
            "quote_validity_days",
            "quote_validty_days",
            "catalogue.toml:@: `quote_validty_days` is not a known key. Did you mean `quote_validity_days`?",
        ),
        (
            INSURER,
            "name =",
            "colour = 1\nname =",
            "insurers/kalpanik/insurer.toml:@: `colour` is not a known key here.",
        ),
        (
            PRODUCT,
            "free_look_days",
            "free_look_day",
            "insurers/kalpanik/loan-suraksha.toml:@: `free_look_day` is not a known key. Did you mean `free_look_days`?",
        ),
        (
            PRODUCT,
            "age_at_end = 70",
            "age_at_ending = 70",
            "insurers/kalpanik/loan-suraksha.toml:@: `age_at_ending` is not a known key. Did you mean `age_at_end`?",
        ),
        (
            PRODUCT,
            "of = \"cover\"",
            "off = \"cover\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `off` is not a known key. Did you mean `of`?",
        ),
        (
            PRODUCT,
            "of = \"cover\"",
            "years = \"begun\"",
            "insurers/kalpanik/loan-suraksha.toml:@: `years` is not a known key here.",
        ),
        (
            PRODUCT,
            "{ minimum = 50, name",
            "{ minimum = 50, nam",
            "insurers/kalpanik/loan-suraksha.toml:@: `nam` is not a known key. Did you mean `name`?",
        ),
    ]);
}
