//! Tests the faults of `commission.toml`, `bordereaux.toml`.

use crate::reported::each_is_reported;

const FILE: &str = "commission.toml";
const BORDEREAUX: &str = "bordereaux.toml";

#[test]
fn a_fault_in_a_commission_rate_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            FILE,
            "percent = 7.5",
            "percent = 101",
            "commission.toml:@: `percent` must be above 0 and at most 100.",
        ),
        (
            FILE,
            "products = [\"pro_01m5vvw3xreqg9aaa1afd2xg03\"]",
            "products = [\"pro_01m5vvw3xreqg9aaa1afd2xg04\"]",
            "commission.toml:@: There is no product pro_01m5vvw3xreqg9aaa1afd2xg04.",
        ),
        (
            FILE,
            "products = [\"pro_01m5vvw3xreqg9aaa1afd2xg03\"]",
            "products = [\"pro_01m5vvw3xreqg9aaa1afd2xg03\"]\nline = \"health\"",
            "commission.toml:@: A rate must have exactly one of `line` and `products`.",
        ),
        (
            FILE,
            "[[partner.commission]]\nline = \"health\"",
            "[[partner.commission]]\nline = \"credit-life\"",
            "commission.toml:@+2: Another rate for the same line of business or product also begins on 2025-04-01.",
        ),
    ]);
}

#[test]
fn a_fault_in_a_commission_partner_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            FILE,
            "until = 2031-03-31",
            "until = 2025-03-31",
            "commission.toml:@: `until` must not be before `from`.",
        ),
        (FILE, "number = \"FICTIONAL-CA-0001\", ", "", "commission.toml:@: `number` is missing."),
        (
            FILE,
            "gstin = \"29AAAAA0000A1Z5\"",
            "gstin = \"29AAAAA0000A1Y5\"",
            "commission.toml:@: `gstin` must be a GST identification number: 15 digits and capital letters.",
        ),
        (
            FILE,
            "tds_percent = 5",
            "tds_percent = 5\nrate = 1",
            "commission.toml:@+1: `rate` is not a known key here.",
        ),
    ]);
}

#[test]
fn a_fault_in_bordereau_columns_is_reported_with_the_expected_value() {
    each_is_reported(&[
        (
            BORDEREAUX,
            "[\"Row\", \"row_id\"]",
            "[\"Row\", \"gst_rate\"]",
            "bordereaux.toml:@-1: `columns` must have `row_id`, because the insurer's answer names rows by their `row_id`.",
        ),
        (
            BORDEREAUX,
            "[\"Row\", \"row_id\"]",
            "[\"Row\", \"row\"]",
            "bordereaux.toml:@: `columns` names \"row\", which is not a column: docs/statements.md lists the columns.",
        ),
        (
            BORDEREAUX,
            "[\"Row\", \"row_id\"]",
            "[\"Period\", \"row_id\"]",
            "bordereaux.toml:@-1: `columns` must not have the same name twice.",
        ),
        (
            BORDEREAUX,
            "kind = \"premium\"",
            "kind = \"gst\"",
            "bordereaux.toml:@: `kind` must be \"premium\" or \"claims\", not \"gst\".",
        ),
    ]);
}
