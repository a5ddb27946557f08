//! Tests the faults of pre-underwriting rules.

use crate::edit::SENIOR;
use crate::reported::each_is_reported;

/// Product with one rule that has one condition.
const ONE_RULE: &str = "insurers/drishtant/parivar-uparant.toml";

#[test]
fn a_wrong_value_in_a_pre_underwriting_rule_is_reported() {
    let reported = |message: &str| format!("{SENIOR}:@: {message}");
    let illnesses = "illnesses = [\"diabetes\", \"hypertension\"]";
    each_is_reported(&[
        (
            SENIOR,
            illnesses,
            "illnesses = [\"diabetis\", \"hypertension\"]",
            &reported("`illnesses` names \"diabetis\", which is not in illnesses.toml."),
        ),
        (
            SENIOR,
            illnesses,
            "illnesses = [\"diabetes\", \"diabetes\"]",
            &reported("`illnesses` must not have the same value twice."),
        ),
        (SENIOR, illnesses, "illnesses = []", &reported("`illnesses` must not be an empty list.")),
        (SENIOR, illnesses, "illnesses = \"diabetes\"", &reported("`illnesses` must be a list.")),
        (
            SENIOR,
            "from_age = 61",
            "from_age = 121",
            &reported("`from_age` must be a whole number from 1 to 120."),
        ),
        (
            SENIOR,
            "sum_insured_above = 1000000",
            "sum_insured_above = \"10 lakh\"",
            &reported("`sum_insured_above` must be a whole number, not text."),
        ),
        (
            SENIOR,
            "sum_insured_above = 1000000",
            "sum_insured_above = 0",
            &reported("`sum_insured_above` must be a whole number from 1 to 1000000000."),
        ),
        (
            SENIOR,
            "then = \"refer\"",
            "then = \"reject\"",
            &reported("`then` must be \"cancel\" or \"refer\", not \"reject\"."),
        ),
        (SENIOR, "reason_hi = \"", "reason_hi = \"\" # \"", &reported("`reason_hi` must not be blank.")),
        (
            SENIOR,
            "from_age = 61",
            "form_age = 61",
            &reported("`form_age` is not a known key. Did you mean `from_age`?"),
        ),
        (
            ONE_RULE,
            "illnesses_of_one = 3",
            "illnesses_of_one = 0",
            &format!("{ONE_RULE}:@: `illnesses_of_one` must be a whole number from 1 to 50."),
        ),
        (
            ONE_RULE,
            "[[pre_underwriting]]",
            "[pre_underwriting]",
            &format!(
                "{ONE_RULE}:@: `pre_underwriting` must be sections, each headed by [[pre_underwriting]], or a list of {{ … }}."
            ),
        ),
    ]);
}

#[test]
fn an_incomplete_pre_underwriting_rule_is_reported() {
    each_is_reported(&[
        (
            ONE_RULE,
            "illnesses_of_one = 3\n",
            "",
            &format!(
                "{ONE_RULE}:@: The rule has no condition: it needs one of `from_age`, `illnesses`, `illnesses_of_one` and `sum_insured_above`."
            ),
        ),
        (ONE_RULE, "then = \"refer\"\n", "", &format!("{ONE_RULE}:@-2: `then` is missing.")),
        (ONE_RULE, "reason = ", "# reason = ", &format!("{ONE_RULE}:@-3: `reason` is missing.")),
    ]);
}
