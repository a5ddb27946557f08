//! Tests the faults of tables: gaps, overlaps, wrong rates, missing rates.

use crate::edit::{LEVEL_TABLE, PER_LAKH, PER_LAKH_TABLE, with};
use crate::reported::{each_is_reported, faults};

#[test]
fn a_gap_an_overlap_or_a_wrong_header_in_a_rate_table_is_reported() {
    each_is_reported(&[
        (
            LEVEL_TABLE,
            "36,45,",
            "37,45,",
            "insurers/kalpanik/loan-suraksha-level.csv:@: A row for the ages 36 to 36 is missing.",
        ),
        (
            LEVEL_TABLE,
            "36,45,",
            "35,45,",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The ages 35 to 45 overlap those of line @-1 or come before them.",
        ),
        (
            LEVEL_TABLE,
            "36,45,",
            "45,36,",
            "insurers/kalpanik/loan-suraksha-level.csv:@: `age_from` (45) is above `age_to` (36).",
        ),
        (
            LEVEL_TABLE,
            "12,24,36",
            "24,12,36",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The terms must be in ascending order, each once.",
        ),
        (
            LEVEL_TABLE,
            "12,24,36",
            "12,12,36",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The terms must be in ascending order, each once.",
        ),
        (
            LEVEL_TABLE,
            "age_from,",
            "from,",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The first line must have age_from,age_to and then terms in months.",
        ),
        (
            LEVEL_TABLE,
            "12,24,36",
            "12,2 years,36",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The heading of each column after age_to must be a term in months, from 1 to 1200.",
        ),
        (
            PER_LAKH_TABLE,
            "4,683\n",
            "",
            "insurers/parikatha/one-price-loan-cover.csv:@: A row for 4 years is missing.",
        ),
        (
            PER_LAKH_TABLE,
            "8,1137",
            "7,1137",
            "insurers/parikatha/one-price-loan-cover.csv:@: `years` must be in ascending order, each once: 7 follows the 7 of line @-1.",
        ),
        (
            PER_LAKH_TABLE,
            "years,",
            "year,",
            "insurers/parikatha/one-price-loan-cover.csv:@: The first line must be years,rupees_per_lakh.",
        ),
    ]);
}

#[test]
fn a_wrong_rate_is_reported() {
    each_is_reported(&[
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,35,0",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The rate for 12 months must be above zero.",
        ),
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,35,-2.6",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The rate for 12 months must be above zero.",
        ),
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,35,1000.1",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The rate for 12 months must be at most 1000.",
        ),
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,35,",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The rate for 12 months must be a number in digits, such as 18 or 0.75.",
        ),
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,35,2.6000001",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The rate for 12 months must have at most 6 decimals.",
        ),
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,x,2.6",
            "insurers/kalpanik/loan-suraksha-level.csv:@: `age_to` must be a whole number from 0 to 120.",
        ),
        (
            LEVEL_TABLE,
            "18,35,2.6",
            "18,35,2.6,2.7",
            "insurers/kalpanik/loan-suraksha-level.csv:@: The row must have 8 cells like the header, not 9.",
        ),
        (
            PER_LAKH_TABLE,
            "8,1137",
            "8,\"1,137\"",
            "insurers/parikatha/one-price-loan-cover.csv:@: `rupees_per_lakh` must be a number in digits, such as 18 or 0.75.",
        ),
        (
            PER_LAKH_TABLE,
            "8,1137",
            "8,-1137",
            "insurers/parikatha/one-price-loan-cover.csv:@: `rupees_per_lakh` must be above zero.",
        ),
        (
            PER_LAKH_TABLE,
            "8,1137",
            "x,1137",
            "insurers/parikatha/one-price-loan-cover.csv:@: `years` must be a whole number from 0 to 100.",
        ),
    ]);
}

#[test]
fn a_missing_rate_for_an_eligible_age_or_term_is_reported() {
    let promise = "insurers/parikatha/one-price-loan-cover.toml:@: [eligibility] allows";
    each_is_reported(&[
        (
            PER_LAKH,
            "most = 96 }",
            "most = 97 }",
            &format!(
                "{} 1 to 9 years (1 to 97 months), but `one-price-loan-cover.csv` has rates for 1 to 8.",
                promise.replace('@', "@+16")
            ),
        ),
        (
            PER_LAKH,
            "years = \"begun\"",
            "years = \"completed\"",
            &format!(
                "{} 0 to 8 years (1 to 96 months), but `one-price-loan-cover.csv` has rates for 1 to 8.",
                promise.replace('@', "@-2")
            ),
        ),
        (
            "insurers/misaal/yuva-rin-raksha.toml",
            "least = 18, most = 35",
            "least = 17, most = 36",
            "insurers/misaal/yuva-rin-raksha.toml:@+17: [eligibility] allows ages 17 to 36, but `yuva-rin-raksha.csv` has rates for 18 to 35.",
        ),
        (
            "insurers/misaal/yuva-rin-raksha.toml",
            "least = 6, most = 60",
            "least = 6, most = 61",
            "insurers/misaal/yuva-rin-raksha.toml:@+15: [eligibility] allows terms up to 61 months, but `yuva-rin-raksha.csv` has rates up to 60.",
        ),
    ]);
}

#[test]
fn a_day_with_no_tax_rate_or_two_tax_rates_is_reported() {
    let row = |text: &str| format!("percent = 18\n{text}");
    each_is_reported(&[
        (
            "catalogue.toml",
            "from = 2017-07-01",
            "from = 2017-07-02",
            "catalogue.toml:@-3: The tax of group credit-life must begin on 2017-07-01 or before; this first row begins on 2017-07-02.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            &row("to = 2030-01-01"),
            "catalogue.toml:@-4: The tax of group credit-life has no rate after 2030-01-01; the last row must have no `to`.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            &row("to = 2016-01-01"),
            "catalogue.toml:@+1: `to` must not be before `from`.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            &row("[[tax]]\nline = \"credit-life\"\nsold_to = \"group\"\nfrom = 2030-01-01\npercent = 0"),
            "catalogue.toml:@+1: The tax of group credit-life has two rates from 2030-01-01 on: line @-4 has no `to`.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            &row(
                "to = 2030-01-01\n[[tax]]\nline = \"credit-life\"\nsold_to = \"group\"\nfrom = 2030-01-01\npercent = 0",
            ),
            "catalogue.toml:@+2: The tax of group credit-life has two rates on 2030-01-01: see line @-4.",
        ),
        (
            "catalogue.toml",
            "percent = 18",
            &row(
                "to = 2030-01-01\n[[tax]]\nline = \"credit-life\"\nsold_to = \"group\"\nfrom = 2030-01-03\npercent = 0",
            ),
            "catalogue.toml:@+2: The tax of group credit-life has no rate between 2030-01-01 and 2030-01-03.",
        ),
    ]);
    let untaxed = faults(&with("catalogue.toml", "name = \"No tax\"\n"));
    assert_eq!(untaxed.len(), 26, "{untaxed:?}");
    for reported in [
        "catalogue.toml: `ranking` is missing: the section [ranking] has the weights that rank health offers.",
        "insurers/abhas/saral-swasthya.toml: catalogue.toml has no [[tax]] for individual health.",
        "insurers/kalpanik/loan-suraksha.toml: catalogue.toml has no [[tax]] for group credit-life.",
    ] {
        assert!(untaxed.iter().any(|fault| fault == reported), "{reported}");
    }
}
