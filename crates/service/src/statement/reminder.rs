//! A reminder: the month before is over, something was sold in it, and nobody has closed it.

use domain::date::Date;
use domain::statement::Month;

use crate::on_any_policy;
use crate::storage::lists::{ListStart, Selection};
use crate::storage::{AnyPolicies, AnyPolicy, Partners, Statements, StorageError};

/// The day of a month from which on the one before should be closed.
const REMINDED_FROM: i8 = 6;

/// Policies of each partner that are looked at: one that was not imported is enough.
const LOOKED_AT: usize = 50;

/// The month before a day, where it should be closed and is not.
///
/// # Errors
/// [`StorageError`] when the store is away.
pub async fn not_closed(
    statements: &dyn Statements,
    partners: &dyn Partners,
    policies: &dyn AnyPolicies,
    today: Date,
) -> Result<Option<Month>, StorageError> {
    let month = Month::of(today).before();
    if today.day() < REMINDED_FROM || statements.month_closed(month).await?.is_some() {
        return Ok(None);
    }
    let days = Selection::Period(month.days());
    for record in partners.partners().await? {
        let of = record.partner.id;
        let sold = policies.any_policies(of, days.clone(), ListStart::Newest, LOOKED_AT, today).await?;
        let is_ours = |policy: &AnyPolicy| on_any_policy!(policy, policy => policy.proposal.is_some());
        if sold.records.iter().any(is_ours) {
            return Ok(Some(month));
        }
    }
    Ok(None)
}
