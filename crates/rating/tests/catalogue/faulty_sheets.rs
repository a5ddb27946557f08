//! Tests the faults of health rate sheets: gaps, overlaps, wrong rates, missing rates.

use crate::edit::{
    FLOATER, FLOATER_TABLE, OTHERS_TABLE, PER_MEMBER, PER_MEMBER_TABLE, SENIOR, SENIOR_TABLE, TOP_UP,
    TOP_UP_TABLE, changed,
};
use crate::reported::{each_is_reported, faults};

/// Fault at the changed line of a sheet.
fn at(path: &str, message: &str) -> String {
    format!("{path}:@: {message}")
}

#[test]
fn a_missing_rate_for_an_offered_age_or_sum_is_reported_with_file_and_line() {
    let reported = |message: &str| at(SENIOR_TABLE, message);
    each_is_reported(&[
        (
            SENIOR_TABLE,
            "1,36,40,",
            "1,37,40,",
            &reported("The ages 36 to 36 have no row here, but the variant offers them."),
        ),
        (
            SENIOR_TABLE,
            "1,31,35,8814,11674,15458,17058,19716\n",
            "",
            &reported("The ages 31 to 35 have no row here, but the variant offers them."),
        ),
        (
            SENIOR_TABLE,
            "1,18,25,",
            "1,20,25,",
            &reported("The ages 18 to 19 have no row here, but the variant offers them."),
        ),
        (
            SENIOR_TABLE,
            "1,71,75,",
            "1,71,74,",
            &reported("The ages 75 to 75 have no row here, but the variant offers them."),
        ),
        (
            SENIOR_TABLE,
            "1,36,40,9917,",
            "1,36,40,,",
            &reported("The rate for 300000 is blank, but the variant offers this sum insured."),
        ),
        (
            OTHERS_TABLE,
            "1,0,17,",
            "1,1,17,",
            &at(OTHERS_TABLE, "The ages 0 to 0 have no row here, but the variant offers them."),
        ),
    ]);
    let sheets = faults(&changed(
        SENIOR,
        "adult_age = { least = 18, most = 75 }",
        "adult_age = { least = 18, most = 76 }",
    ));
    assert_eq!(sheets.len(), 6, "{sheets:?}"); // three zones in each of two sheets
    assert_eq!(
        sheets[0],
        format!("{SENIOR_TABLE}:14: The ages 76 to 76 have no row here, but the variant offers them.")
    );
}

#[test]
fn an_offered_zone_family_or_deductible_without_rows_is_reported_once_a_sheet() {
    let header =
        |path: &str, what: &str| format!("{path}:2: No row has the {what}, which the variant offers.");
    let reported =
        faults(&changed(FLOATER, "children = { least = 0, most = 3 }", "children = { least = 0, most = 4 }"));
    assert_eq!(reported, [header(FLOATER_TABLE, "family 1A4C"), header(FLOATER_TABLE, "family 2A4C")]);
    let reported = faults(&changed(TOP_UP, "[200000, 300000,", "[100000, 300000,"));
    assert_eq!(reported, [header(TOP_UP_TABLE, "deductible 100000")]);
    let reported = faults(&changed("insurers/kahani/griha.toml", "zones = [\"A\", \"B\"]\n", ""));
    assert_eq!(reported, [header("insurers/kahani/griha.csv", "zone C")]);
    let reported = faults(&changed("insurers/kahani/mata-pita.toml", "zones = [\"A\", \"B\"]\n", ""));
    assert_eq!(
        reported,
        [
            header("insurers/kahani/mata-pita-eldest.csv", "zone C"),
            header("insurers/kahani/mata-pita-others.csv", "zone C")
        ]
    );
    // Zone and family both have rows, but not together.
    let mut files = crate::edit::sample();
    for (path, content) in &mut files {
        if path == FLOATER_TABLE {
            let Ok(text) = String::from_utf8(content.clone()) else { continue };
            let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("rest,2A2C,")).collect();
            *content = kept.join("\n").into_bytes();
        }
    }
    let reported = faults(&rating::Files::of(files).expect("plain paths"));
    assert_eq!(reported, [header(FLOATER_TABLE, "zone rest with family 2A2C")]);
}

#[test]
fn an_offered_sum_insured_without_a_column_is_reported() {
    let reported =
        faults(&changed(SENIOR, "[300000, 500000, 1000000, 1500000, 2500000]", "[300000, 400000]"));
    let missing =
        |sheet: &str| format!("{sheet}:2: No column has the sum insured 400000, which the variant offers.");
    assert_eq!(reported, [missing(SENIOR_TABLE), missing(OTHERS_TABLE)]);
}

#[test]
fn overlapping_ages_in_a_rate_sheet_are_reported() {
    each_is_reported(&[
        (
            SENIOR_TABLE,
            "1,36,40,",
            "1,35,40,",
            &at(SENIOR_TABLE, "The ages 35 to 40 overlap those of line @-1 or come before them."),
        ),
        (SENIOR_TABLE, "1,36,40,", "1,40,36,", &at(SENIOR_TABLE, "`age_from` (40) is above `age_to` (36).")),
        // The same zone, family and ages occur twice.
        (
            FLOATER_TABLE,
            "rest,1A,18,25,",
            "metro,1A,18,25,",
            &at(FLOATER_TABLE, "The ages 18 to 25 overlap those of line 12 or come before them."),
        ),
    ]);
}

#[test]
fn a_wrong_header_of_a_rate_sheet_is_reported() {
    let keys = "The first line must have age_from,age_to and then sums insured in rupees. Before them: zone, family and deductible, if the rates depend on them.";
    let sums = "The heading of each column after age_to must be a sum insured in whole rupees.";
    let reported = |message: &str| at(SENIOR_TABLE, message);
    each_is_reported(&[
        (SENIOR_TABLE, "zone,age_from", "zones,age_from", &reported(keys)),
        (SENIOR_TABLE, "zone,age_from,age_to", "age_from,age_to,zone", &reported(sums)),
        (SENIOR_TABLE, "300000,500000", "3 lakh,500000", &reported(sums)),
        (
            SENIOR_TABLE,
            "300000,500000",
            "500000,300000",
            &reported("The sums insured must be in ascending order, each once."),
        ),
        (
            SENIOR_TABLE,
            "300000,500000",
            "500000,500000",
            &reported("The sums insured must be in ascending order, each once."),
        ),
    ]);
}

#[test]
fn a_wrong_cell_of_a_rate_sheet_is_reported() {
    let reported = |message: &str| at(SENIOR_TABLE, message);
    each_is_reported(&[
        (SENIOR_TABLE, "1,36,40,9917", "1,36,40,0", &reported("The rate for 300000 must be above zero.")),
        (
            SENIOR_TABLE,
            "1,36,40,9917",
            "1,36,40,x",
            &reported("The rate for 300000 must be a number in digits, such as 18 or 0.75."),
        ),
        (
            SENIOR_TABLE,
            "1,36,40,9917",
            "1,36,40,9917.005",
            &reported("The rate for 300000 must have at most two decimals."),
        ),
        (
            SENIOR_TABLE,
            "1,36,40,9917",
            "1,36,40,100000001",
            &reported("The rate for 300000 must be at most 100000000."),
        ),
        (
            SENIOR_TABLE,
            "1,36,40,",
            "4,36,40,",
            &reported("`zone` is \"4\", which is not a zone of this insurer."),
        ),
        (SENIOR_TABLE, "1,36,40,", "1,36,121,", &reported("`age_to` must be a whole number from 0 to 120.")),
        (
            FLOATER_TABLE,
            "metro,2A1C,36,40",
            "metro,2A+1C,36,40",
            &at(FLOATER_TABLE, "`family` must be a number of adults and children, such as 1A or 2A1C."),
        ),
        (
            TOP_UP_TABLE,
            "2A,500000,36,45",
            "2A,5 lakh,36,45",
            &at(TOP_UP_TABLE, "`deductible` must be an amount in whole rupees."),
        ),
        (
            SENIOR_TABLE,
            "1,36,40,9917",
            "1,36,40,9917,1",
            &reported("The row must have 8 cells like the header, not 9."),
        ),
    ]);
}

#[test]
fn a_rate_sheet_that_does_not_suit_the_pricing_method_is_reported() {
    let wants = |column: &str, why: &str| format!("The sheet needs a column `{column}`: {why}.");
    let reported =
        faults(&changed(TOP_UP, "table = \"suraksha-kavach.csv\"", "table = \"saral-swasthya.csv\""));
    let header = "insurers/abhas/saral-swasthya.csv:2: ";
    assert!(
        reported.contains(&format!(
            "{header}{}",
            wants("deductible", "a super top-up is priced by its deductible")
        )),
        "{reported:?}"
    );
    let reported = faults(&changed(PER_MEMBER, "table = \"apna.csv\"", "table = \"varishtha.csv\""));
    let several = wants("deductible", "the variant has several deductibles");
    assert_eq!(reported, [format!("insurers/prayog/varishtha.csv:2: {several}")]);
    let mut to_floater = crate::edit::sample();
    for (path, content) in &mut to_floater {
        let Ok(text) = String::from_utf8(content.clone()) else { continue };
        *content = match path.as_str() {
            PER_MEMBER => text
                .replace("method = \"per-member\"", "method = \"floater\"")
                .replace("family_discount_percent = 10\n", "")
                .replace("family_discount_from = 2\n", ""),
            FLOATER => text.replace("method = \"floater\"", "method = \"per-member\""),
            _ => text,
        }
        .into_bytes();
    }
    let reported = faults(&rating::Files::of(to_floater).expect("plain paths"));
    assert_eq!(
        reported.iter().filter(|fault| fault.contains("column `family`")).collect::<Vec<_>>(),
        [
            &format!(
                "{FLOATER_TABLE}:2: The sheet must not have a column `family`: each member is priced alone."
            ),
            &format!(
                "{PER_MEMBER_TABLE}:2: {}",
                wants("family", "a floater is priced by the size of the family")
            ),
        ]
    );
}
