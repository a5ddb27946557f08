//! Wire protocol between this service and insurers, version 1 (`docs/insurers.md`).
//!
//! The client and the mock insurer use the same types.

pub(crate) mod answer;
pub(crate) mod credit;
pub(crate) mod decision;
pub(crate) mod health;
pub(crate) mod health_proposal;
pub(crate) mod notice;
pub(crate) mod person;
pub(crate) mod prices;
pub(crate) mod proposal;
pub(crate) mod request;
pub(crate) mod sentence;

mod amount;
#[cfg(test)]
mod fuzz;
mod object;

use domain::context::{Context, ContextEntry};
use domain::date::Date;
use domain::id::{InsurerId, ProposalId, VariantId};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// Path at which an insurer prices credit-life variants.
pub(crate) const CREDIT_PRICES: &str = "/v1/credit/prices";

/// Path at which an insurer prices health variants.
pub(crate) const HEALTH_PRICES: &str = "/v1/health/prices";

/// Path at which an insurer receives credit-life proposals.
pub(crate) const PROPOSALS: &str = "/v1/proposals";

/// Path at which an insurer receives health proposals.
pub(crate) const HEALTH_PROPOSALS: &str = "/v1/health/proposals";

/// Path at which an insurer receives notices about its policies.
pub(crate) const POLICY_NOTICES: &str = "/v1/policy-notices";

/// Path at which an insurer decides requests to cancel or endorse its policies.
pub(crate) const POLICY_REQUESTS: &str = "/v1/policy-requests";

/// Header with the idempotency key: the id of the proposal, notice or request.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Path at which an insurer tells its decision on a proposal of any line of business.
pub(crate) fn decision_path(of: ProposalId) -> String {
    format!("{PROPOSALS}/{of}/decision")
}

/// Path at which this service receives the decisions of an insurer.
pub(crate) fn decision_callback_path(by: InsurerId) -> String {
    format!("/v1/insurers/{by}/decisions")
}

/// One key of the context data, with the values of the key.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    key: String,
    values: Vec<String>,
}

/// Converts context data to the form in which it is sent.
pub(crate) fn entries(context: &Context) -> Vec<Entry> {
    let entry = |entry: &ContextEntry| Entry { key: entry.key().into(), values: entry.reveal().to_vec() };
    context.entries().iter().map(entry).collect()
}

/// Converts context data from the form in which it was sent.
fn context(entries: Vec<Entry>) -> Context {
    Context::of(entries.into_iter().map(|entry| ContextEntry::new(entry.key, entry.values)).collect())
}

/// Parses a day. Accepts only the form `YYYY-MM-DD`. The error names `field`.
fn day(field: &str, text: &str) -> Result<Date, String> {
    let day = text.parse::<Date>().ok().filter(|day| day.to_string() == text);
    day.ok_or_else(|| format!("{field} must be a day written YYYY-MM-DD"))
}

/// Parses the ids of the requested variants.
fn variants(texts: &[String]) -> Result<Vec<VariantId>, String> {
    if texts.is_empty() {
        return Err("variants is empty".into());
    }
    let parsed: Option<Vec<VariantId>> = texts.iter().map(|text| text.parse().ok()).collect();
    parsed.ok_or_else(|| "variants has text that is not the id of a variant".into())
}

/// Converts a decimal to a JSON number.
fn number(decimal: Decimal) -> Number {
    serde_json::from_str(&decimal.normalize().to_string()).expect("a decimal's digits are a JSON number")
}

/// Converts a JSON number to a decimal with the same value.
fn decimal(number: &Number) -> Option<Decimal> {
    number.to_string().parse().ok()
}
