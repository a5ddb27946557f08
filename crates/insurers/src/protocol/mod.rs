//! The wire protocol, version 1, as `docs/insurers.md` tells it. The same types serve who asks and who answers.

pub(crate) mod answer;
pub(crate) mod credit;
pub(crate) mod decision;
pub(crate) mod health;
pub(crate) mod health_proposal;
pub(crate) mod person;
pub(crate) mod prices;
pub(crate) mod proposal;
pub(crate) mod sentence;

mod amount;

use domain::context::{Context, ContextEntry};
use domain::date::Date;
use domain::id::{InsurerId, ProposalId, VariantId};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// Where credit-life variants are priced.
pub(crate) const CREDIT_PRICES: &str = "/v1/credit/prices";

/// Where health variants are priced.
pub(crate) const HEALTH_PRICES: &str = "/v1/health/prices";

/// Where proposals are handed over.
pub(crate) const PROPOSALS: &str = "/v1/proposals";

/// Where health proposals are handed over.
pub(crate) const HEALTH_PROPOSALS: &str = "/v1/health/proposals";

/// Header with the key under which a proposal is taken once: its id.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Where the decision of a proposal of either family is asked for.
pub(crate) fn decision_path(of: ProposalId) -> String {
    format!("{PROPOSALS}/{of}/decision")
}

/// Where an insurer tells us a decision.
pub(crate) fn told_path(by: InsurerId) -> String {
    format!("/v1/insurers/{by}/decisions")
}

/// One key of the context data with its values.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    key: String,
    values: Vec<String>,
}

/// Context data as it is sent.
pub(crate) fn entries(context: &Context) -> Vec<Entry> {
    let entry = |entry: &ContextEntry| Entry { key: entry.key().into(), values: entry.reveal().to_vec() };
    context.entries().iter().map(entry).collect()
}

/// Context data as it came.
fn context(entries: Vec<Entry>) -> Context {
    Context::of(entries.into_iter().map(|entry| ContextEntry::new(entry.key, entry.values)).collect())
}

/// A day written `YYYY-MM-DD`, and in no other of the forms that a date may have.
fn day(field: &str, text: &str) -> Result<Date, String> {
    let day = text.parse::<Date>().ok().filter(|day| day.to_string() == text);
    day.ok_or_else(|| format!("{field} is no day written YYYY-MM-DD"))
}

/// The variants asked for.
fn variants(texts: &[String]) -> Result<Vec<VariantId>, String> {
    if texts.is_empty() {
        return Err("variants names none".into());
    }
    let parsed: Option<Vec<VariantId>> = texts.iter().map(|text| text.parse().ok()).collect();
    parsed.ok_or_else(|| "variants has text that is no variant's id".into())
}

/// A number as JSON writes it.
fn number(decimal: Decimal) -> Number {
    serde_json::from_str(&decimal.normalize().to_string()).expect("a decimal's digits are a JSON number")
}

/// A JSON number, exactly.
fn decimal(number: &Number) -> Option<Decimal> {
    number.to_string().parse().ok()
}
