//! Tests charts: published premiums that test a catalogue.

use rating::{Files, chart};

use crate::edit::{LEVEL, PER_LAKH_TABLE, RAKSHA, changed, load, with};

#[test]
fn the_sample_catalogue_prices_as_all_of_its_charts_expect() {
    let files = Files::sample();
    let report = chart::run(&load(&files), &files);
    assert!(report.holds(), "{report:#?}");
    assert_eq!(report.rows, 153);
}

#[test]
fn a_changed_rate_is_reported_as_a_difference_from_the_chart() {
    let files = changed(PER_LAKH_TABLE, "8,1137", "8,1138");
    let report = chart::run(&load(&files), &files);
    let printed: Vec<String> = report.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        printed.first().map(String::as_str),
        Some(
            "tests/one-price-loan-cover.csv:10: vrt_01m5ws87x8eknbraw4m6mwrbzq: `base` is 1138.00, the chart \
             says 1137.00."
        )
    );
    assert!(!report.holds());
}

#[test]
fn a_price_where_the_chart_expects_a_refusal_is_a_difference() {
    let row =
        format!("variant,age,gender,cover,term,on,refused\n{LEVEL},36,MALE,500000,24,2026-11-20,term\n");
    let files = with("tests/ordinary-request.csv", &row);
    let report = chart::run(&load(&files), &files);
    assert_eq!(report.differences.len(), 1);
    assert_eq!(report.differences[0].actual, "priced at 3776.00");
}

#[test]
fn a_chart_that_cannot_be_parsed_is_reported() {
    let header = "variant,age,date_of_birth,gender,cover,term,on,total";
    for (row, fault) in [
        ("vrt_1,36,,MALE,500000,24,2026-11-20,1", "`variant` must be the id of a variant, not \"vrt_1\"."),
        (
            "LEVEL,,,MALE,500000,24,2026-11-20,1",
            "The row must have exactly one of `age` and `date_of_birth`.",
        ),
        (
            "LEVEL,36,1990-01-01,MALE,500000,24,2026-11-20,1",
            "The row must have exactly one of `age` and `date_of_birth`.",
        ),
        ("LEVEL,-1,,MALE,500000,24,2026-11-20,1", "`age` must be completed years, not \"-1\"."),
        ("LEVEL,36,,M,500000,24,2026-11-20,1", "`gender` must be one of MALE, FEMALE."),
        ("LEVEL,36,,MALE,0,24,2026-11-20,1", "`cover` must be above zero."),
        ("LEVEL,36,,MALE,500000,0,2026-11-20,1", "`term` must be a whole number of months."),
        (
            "LEVEL,36,,MALE,500000,24,20/11/2026,1",
            "`on` must be a day such as 2026-11-20, not \"20/11/2026\".",
        ),
        (
            "LEVEL,36,,MALE,500000,24,2026-11-20,",
            "The row must have at least one of `total`, `base`, `gst` and `refused`.",
        ),
        ("LEVEL,36,,MALE,500000,24", "The row must have 8 cells like the header, not 6."),
        (
            "vrt_01m5wwq3rgfmn8kr04vm816ye7,36,,MALE,500000,24,2026-11-20,1",
            "No product has a variant vrt_01m5wwq3rgfmn8kr04vm816ye7.",
        ),
    ] {
        let files = with("tests/wrong.csv", &format!("{header}\n{}\n", row.replace("LEVEL", LEVEL)));
        let report = chart::run(&load(&files), &files);
        let printed: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
        assert_eq!(printed, [format!("tests/wrong.csv:2: {fault}")], "{row}");
    }
}

#[test]
fn a_health_row_of_a_chart_that_cannot_be_parsed_is_reported() {
    let header = "variant,members,pincode,sum_insured,deductible,illnesses,tenure,on,total,age";
    for (row, fault) in [
        ("HEALTH,,110001,500000,,,,2026-11-20,1,", "`members` is missing."),
        (
            "HEALTH,self,110001,500000,,,,2026-11-20,1,",
            "`members` must be relations with ages, such as \"self:40 spouse:34 son:8\", not \"self\".",
        ),
        (
            "HEALTH,self:40,010001,500000,,,,2026-11-20,1,",
            "`pincode` must be a pincode of 6 digits, the first not 0.",
        ),
        ("HEALTH,self:40,110001,,,,,2026-11-20,1,", "`sum_insured` is missing."),
        (
            "HEALTH,self:40,110001,5 lakh,,,,2026-11-20,1,",
            "`sum_insured` must be an amount in rupees, digits with at most two decimals, not \"5 lakh\".",
        ),
        ("HEALTH,self:40,110001,500000,,,0,2026-11-20,1,", "`tenure` must be a whole number of years."),
        (
            "HEALTH,self:40,110001,500000,,,4,2026-11-20,1,",
            "`tenure` is 4, but HEALTH is not sold for that many years.",
        ),
        (
            "HEALTH,self:40,110001,500000,,,,2026-11-20,1,40",
            "`age` does not apply to a variant of this line of business.",
        ),
        (
            "LEVEL,self:40,,,,,,2026-11-20,1,40",
            "`members` does not apply to a variant of this line of business.",
        ),
    ] {
        let with_ids = |text: &str| text.replace("HEALTH", RAKSHA).replace("LEVEL", LEVEL);
        let files = with("tests/wrong.csv", &format!("{header}\n{}\n", with_ids(row)));
        let report = chart::run(&load(&files), &files);
        let printed: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
        assert_eq!(printed, [format!("tests/wrong.csv:2: {}", with_ids(fault))], "{row}");
    }
}

#[test]
fn a_chart_can_expect_a_health_refusal_by_its_reason() {
    let row =
        |members: &str, refused: &str| format!("{RAKSHA},{members},110001,500000,2026-11-20,{refused}\n");
    let rows = [row("self:17", "age"), row("self:40 spouse:40 father:70", "family"), row("self:40", "zone")];
    let chart = format!("variant,members,pincode,sum_insured,on,refused\n{}", rows.concat());
    let files = with("tests/refused.csv", &chart);
    let report = chart::run(&load(&files), &files);
    let printed: Vec<String> = report.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        printed,
        [format!("tests/refused.csv:4: {RAKSHA}: `refused` is priced at 11146.61, the chart says zone.")]
    );
}
