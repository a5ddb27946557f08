//! Columns of charts, by the line of business that has them.

/// The columns that charts of every line of business may have.
pub(super) const COMMON: &[&str] = &["variant", "on", "tobacco", "base", "gst", "total", "refused"];

/// The columns that only credit life has.
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

/// The columns that only health has.
pub(super) const HEALTH: &[&str] =
    &["members", "pincode", "sum_insured", "deductible", "illnesses", "tenure", "instalments", "occupations"];
