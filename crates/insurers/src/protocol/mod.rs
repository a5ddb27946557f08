//! The wire protocol, version 1, as `docs/insurers.md` describes it. Client and server use the same types.

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

/// Path that prices credit-life variants.
pub(crate) const CREDIT_PRICES: &str = "/v1/credit/prices";

/// Path that prices health variants.
pub(crate) const HEALTH_PRICES: &str = "/v1/health/prices";

/// Path that receives proposals.
pub(crate) const PROPOSALS: &str = "/v1/proposals";

/// Path that receives health proposals.
pub(crate) const HEALTH_PROPOSALS: &str = "/v1/health/proposals";

/// Path that receives what happens to policies.
pub(crate) const POLICY_NOTICES: &str = "/v1/policy-notices";

/// Path that decides what is wanted of policies.
pub(crate) const POLICY_REQUESTS: &str = "/v1/policy-requests";

/// Header with the idempotency key of a submission: the proposal's id.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Path of the decision on a proposal of either line of business.
pub(crate) fn decision_path(of: ProposalId) -> String {
    format!("{PROPOSALS}/{of}/decision")
}

/// Path of the service that receives an insurer's decision.
pub(crate) fn decision_callback_path(by: InsurerId) -> String {
    format!("/v1/insurers/{by}/decisions")
}

/// One key of the context data, with its values.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    key: String,
    values: Vec<String>,
}

/// Context data, as it is sent.
pub(crate) fn entries(context: &Context) -> Vec<Entry> {
    let entry = |entry: &ContextEntry| Entry { key: entry.key().into(), values: entry.reveal().to_vec() };
    context.entries().iter().map(entry).collect()
}

/// Context data, as it was received.
fn context(entries: Vec<Entry>) -> Context {
    Context::of(entries.into_iter().map(|entry| ContextEntry::new(entry.key, entry.values)).collect())
}

/// Parses a day in the form `YYYY-MM-DD` and in no other form.
fn day(field: &str, text: &str) -> Result<Date, String> {
    let day = text.parse::<Date>().ok().filter(|day| day.to_string() == text);
    day.ok_or_else(|| format!("{field} is no day written YYYY-MM-DD"))
}

/// Parses the ids of the requested variants.
fn variants(texts: &[String]) -> Result<Vec<VariantId>, String> {
    if texts.is_empty() {
        return Err("variants is empty".into());
    }
    let parsed: Option<Vec<VariantId>> = texts.iter().map(|text| text.parse().ok()).collect();
    parsed.ok_or_else(|| "variants has text that is no variant's id".into())
}

/// A decimal as a JSON number.
fn number(decimal: Decimal) -> Number {
    serde_json::from_str(&decimal.normalize().to_string()).expect("a decimal's digits are a JSON number")
}

/// A JSON number as an exact decimal.
fn decimal(number: &Number) -> Option<Decimal> {
    number.to_string().parse().ok()
}
