//! Charts: published premiums are priced again.

use rating::{Files, chart};

use crate::edit::{LEVEL, PER_LAKH_TABLE, changed, load, with};

#[test]
fn every_chart_of_the_sample_holds() {
    let files = Files::sample();
    let report = chart::run(&load(&files), &files);
    assert!(report.holds(), "{report:#?}");
    assert_eq!(report.rows, 21);
}

#[test]
fn a_changed_rate_shows_as_a_difference() {
    let files = changed(PER_LAKH_TABLE, "8,1137", "8,1138");
    let report = chart::run(&load(&files), &files);
    let told: Vec<String> = report.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        told.first().map(String::as_str),
        Some(
            "tests/one-price-loan-cover.csv:10: vrt_01m5ws87x8eknbraw4m6mwrbzq: `base` is 1138.00, the chart \
             says 1137.00."
        )
    );
    assert!(!report.holds());
}

#[test]
fn a_price_where_a_refusal_is_expected_is_a_difference() {
    let row =
        format!("variant,age,gender,cover,term,on,refused\n{LEVEL},36,MALE,500000,24,2026-11-20,term\n");
    let files = with("tests/ordinary-request.csv", &row);
    let report = chart::run(&load(&files), &files);
    assert_eq!(report.differences.len(), 1);
    assert_eq!(report.differences[0].came, "priced at 3776.00");
}

#[test]
fn a_chart_that_cannot_be_read_says_why() {
    let header = "variant,age,date_of_birth,gender,cover,term,on,total";
    for (row, fault) in [
        ("vrt_1,36,,MALE,500000,24,2026-11-20,1", "`variant` must be the id of a variant, not \"vrt_1\"."),
        ("LEVEL,,,MALE,500000,24,2026-11-20,1", "The row must have one of `age` and `date_of_birth`."),
        (
            "LEVEL,36,1990-01-01,MALE,500000,24,2026-11-20,1",
            "The row must have one of `age` and `date_of_birth`.",
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
            "The row expects nothing: `total`, `base`, `gst` or `refused` is needed.",
        ),
        ("LEVEL,36,,MALE,500000,24", "The row must have 8 cells like the header, not 6."),
        (
            "vrt_01m5wwq3rgfmn8kr04vm816ye7,36,,MALE,500000,24,2026-11-20,1",
            "No product has a variant vrt_01m5wwq3rgfmn8kr04vm816ye7.",
        ),
    ] {
        let files = with("tests/wrong.csv", &format!("{header}\n{}\n", row.replace("LEVEL", LEVEL)));
        let report = chart::run(&load(&files), &files);
        let told: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
        assert_eq!(told, [format!("tests/wrong.csv:2: {fault}")], "{row}");
    }
}
