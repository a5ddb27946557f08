//! Reminder to close past months in which something was sold.

use domain::date::Date;
use domain::policy::Policy;
use domain::statement::Month;

use crate::storage::lists::Selection;
use crate::storage::{Partners, Policies, Statements, StorageError};

/// Day of a month from which the previous month should have been closed.
const REMINDED_FROM: i8 = 6;

/// Number of past months that are checked.
const MONTHS_BACK: usize = 24;

/// Most policies of each partner that are checked. One policy that was not imported is enough for a reminder.
const LOOKED_AT: usize = 50;

/// Months of the last two years that should have been closed by a given day but are open, oldest first.
///
/// # Errors
/// [`StorageError`] if the store cannot be read.
pub async fn not_closed(
    statements: &dyn Statements,
    partners: &dyn Partners,
    policies: &dyn Policies,
    today: Date,
) -> Result<Vec<Month>, StorageError> {
    let mut partners = partners.partners().await?;
    partners.retain(|record| !record.partner.is_test());
    let mut open = Vec::new();
    let mut month = Month::of(today).before();
    for back in 0..MONTHS_BACK {
        let is_due = back > 0 || today.day() >= REMINDED_FROM;
        if is_due && statements.month_closed(month).await?.is_none() {
            for record in &partners {
                let days = Selection::Period(month.days());
                let of = record.partner.id;
                let sold = policies.policies(of, None, days, None, LOOKED_AT, today).await?;
                let is_ours = |policy: &Policy| policy.proposal.is_some();
                if sold.records.iter().any(is_ours) {
                    open.push(month);
                    break;
                }
            }
        }
        month = month.before();
    }
    open.reverse();
    Ok(open)
}
