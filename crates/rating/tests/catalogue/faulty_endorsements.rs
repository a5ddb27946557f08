//! Faults of `endorsements.toml`: rules of what may be changed of a policy.

use crate::reported::each_is_reported;

const FILE: &str = "endorsements.toml";

#[test]
fn a_fault_of_the_rules_is_reported_with_what_is_expected() {
    each_is_reported(&[
        (
            FILE,
            "line = \"health\"",
            "line = \"credit-life\"\nsold_to = \"group\"",
            "endorsements.toml:@-1: group credit-life has rules already.",
        ),
        (
            FILE,
            "refund_within_days = 7",
            "refund_within_days = 366",
            "endorsements.toml:@: `refund_within_days` must be a whole number from 0 to 365.",
        ),
        (
            FILE,
            "late_interest_percent = 7.75",
            "late_interest_percent = 51",
            "endorsements.toml:@: `late_interest_percent` must be above 0 and at most 50.",
        ),
        (
            FILE,
            "kind = \"CONTACT\"",
            "kind = \"NOMINEE\"",
            "endorsements.toml:@-7: NOMINEE has two sections.",
        ),
    ]);
}

#[test]
fn a_fault_of_a_kind_is_reported_with_what_is_expected() {
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
            "endorsements.toml:@+1: `returns` says what of the premium comes back, for DATE_OF_BIRTH and COVER_REDUCTION.",
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
            "endorsements.toml:@: A time is in days, months or years: one key, and not two.",
        ),
        (
            FILE,
            "source = \"Wording of the product (made up): cover follows a loan that was repaid in part\"",
            "",
            "endorsements.toml:@-5: `source` is missing.",
        ),
    ]);
}
