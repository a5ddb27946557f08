//! Tests the faults of `cancellation.toml`.

use crate::reported::each_is_reported;

const FILE: &str = "cancellation.toml";

#[test]
fn a_fault_in_cancellation_rules_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            FILE,
            "id = \"health\"",
            "id = \"Health\"",
            "cancellation.toml:@: `id` must be at most 40 small letters, digits, hyphens and underscores.",
        ),
        (
            FILE,
            "id = \"health\"",
            "id = \"group-credit-life\"",
            "cancellation.toml:@-1: Other rules already have the id \"group-credit-life\".",
        ),
        (
            FILE,
            "line = \"health\"",
            "line = \"credit-life\"\nsold_to = \"group\"",
            "cancellation.toml:@-2: Other rules already apply to group credit-life.",
        ),
        (
            FILE,
            "refund_within_days = 7",
            "refund_within_days = 366",
            "cancellation.toml:@: `refund_within_days` must be a whole number from 0 to 365.",
        ),
        (
            FILE,
            "refund_within_days = 7",
            "refund_within_days = 7\nlate_interest_percent = 7.75",
            "cancellation.toml:@+1: `late_interest` in catalogue.toml is the same rule: remove this key.",
        ),
        (
            "catalogue.toml",
            "percent = 7.75",
            "percent = 51",
            "catalogue.toml:@: `percent` must be above 0 and at most 50.",
        ),
        (
            FILE,
            "until_month = 9",
            "until_month = 13",
            "cancellation.toml:@: `until_month` must be a whole number from 1 to 12.",
        ),
    ]);
}

#[test]
fn a_fault_in_a_cancellation_reason_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            FILE,
            "returns = \"all-less-risk\"",
            "returns = \"half\"",
            "cancellation.toml:@: `returns` must be \"all\" or \"all-less-risk\" or \"unexpired\" or \"years-not-begun\" or \"surrender\" or \"nothing\", not \"half\".",
        ),
        (
            FILE,
            "returns = \"unexpired\"",
            "returns = \"surrender\"",
            "cancellation.toml:@: \"surrender\" needs `factors`: percentages by completed months of cover.",
        ),
        (
            FILE,
            "counted_from = \"receipt\"\n",
            "",
            "cancellation.toml:@-5: `within_days`, `within_months` or `within_years` needs `counted_from`.",
        ),
        (
            FILE,
            "percent = 60",
            "percent = 101",
            "cancellation.toml:@: `percent` must be above 0 and at most 100.",
        ),
        (
            FILE,
            "source = \"Practice of this sample's insurers\"\n",
            "",
            "cancellation.toml:@-4: `source` is missing.",
        ),
    ]);
}
