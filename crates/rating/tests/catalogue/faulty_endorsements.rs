//! Tests the faults of `endorsements.toml`.

use crate::reported::each_is_reported;

const FILE: &str = "endorsements.toml";

#[test]
fn a_fault_in_endorsement_rules_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            FILE,
            "line = \"health\"",
            "line = \"credit-life\"\nsold_to = \"group\"",
            "endorsements.toml:@-1: Other rules already apply to group credit-life.",
        ),
        (
            FILE,
            "refund_within_days = 7",
            "refund_within_days = 366",
            "endorsements.toml:@: `refund_within_days` must be a whole number from 0 to 365.",
        ),
        (
            FILE,
            "kind = \"CONTACT\"",
            "kind = \"NOMINEE\"",
            "endorsements.toml:@-7: Two sections have the kind NOMINEE.",
        ),
    ]);
}

#[test]
fn a_fault_in_an_endorsement_kind_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            FILE,
            "returns = \"unexpired\"",
            "returns = \"years-not-begun\"",
            "endorsements.toml:@: `returns` must be \"all\" or \"unexpired\" or \"nothing\", not \"years-not-begun\".",
        ),
        (
            FILE,
            "kind = \"LOAN_ACCOUNT\"",
            "kind = \"LOAN_ACCOUNT\"\nreturns = \"all\"",
            "endorsements.toml:@+1: `returns` is required for DATE_OF_BIRTH and COVER_REDUCTION, and not allowed for other kinds.",
        ),
        (
            FILE,
            "within_years = 3",
            "within_years = 0",
            "endorsements.toml:@: `within_years` must be a whole number from 1 to 100.",
        ),
        (
            FILE,
            "within_years = 3",
            "within_years = 3\nwithin_months = 36",
            "endorsements.toml:@: A period must have only one of `within_days`, `within_months` and `within_years`.",
        ),
        (
            FILE,
            "source = \"Wording of the product (made up): cover follows a loan that was repaid in part\"",
            "",
            "endorsements.toml:@-5: `source` is missing.",
        ),
    ]);
}
