//! Columns of charts, by line of business.

/// Columns for all lines of business.
pub(super) const COMMON: &[&str] = &["variant", "on", "tobacco", "base", "gst", "total", "refused"];

/// Columns only for credit life.
pub(super) const CREDIT_LIFE: &[&str] = &[
    "age",
    "date_of_birth",
    "gender",
    "cover",
    "loan",
    "term",
    "joint_age",
    "joint_date_of_birth",
    "joint_gender",
    "riders",
    "occupation",
];

/// Columns only for health.
pub(super) const HEALTH: &[&str] =
    &["members", "pincode", "sum_insured", "deductible", "illnesses", "tenure", "instalments", "occupations"];
