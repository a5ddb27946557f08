//! What waits for the operator: low deposits, mismatched premiums, late refunds, claims and complaints, months that are not closed
//! (D63 to D65, D69).

use std::sync::Arc;

use domain::date::day_of;
use domain::money::Rupees;
use domain::premium::{PremiumState, REMIT_WITHIN};
use rating::Catalogue;

use crate::error::Result;
use crate::on_any_policy;
use crate::proposal::deposit::named;
use crate::shared::Shared;
use crate::statement::{not_closed, partners_without_licence};
use crate::storage::AnyPolicy;
use crate::storage::premiums::Deposit;

/// Open records of a kind that are looked at.
const MOST: usize = 100_000;

/// Finds what waits for the operator.
pub struct WaitingService {
    pub(crate) shared: Arc<Shared>,
}

/// What waits.
pub struct Waiting {
    /// A line each, with the command that does it.
    pub to_do: Vec<String>,
    /// Premiums that are not settled yet.
    pub premiums: usize,
}

impl WaitingService {
    /// Looks at everything that may wait.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn look(&self) -> Result<Waiting> {
        let (store, catalogue) = (&self.shared.storage, self.shared.catalogues.running());
        let deposits = store.deposits().await?;
        let mut to_do: Vec<String> = deposits.iter().filter_map(|deposit| low(deposit, &catalogue)).collect();
        let open = store.open_premiums(MOST).await?;
        let mismatched = open.iter().filter(|premium| premium.books.state() == PremiumState::Mismatch);
        let owed_back = open.iter().filter(|premium| premium.books.refundable > Rupees::ZERO);
        let now = self.shared.clock.now();
        let overdue =
            open.iter().filter(|premium| premium.held_since.is_some_and(|since| since + REMIT_WITHIN < now));
        let today = day_of(now);
        let is_late = |policy: &&AnyPolicy| on_any_policy!(policy, policy => policy.refund_due_on().is_some_and(|due| due < today));
        let refunds = store.refunds_owed(MOST).await?;
        let claims = store.open_claims(MOST).await?;
        let complaints = store.open_complaints(MOST).await?;
        for (count, what) in [
            (
                store.endorsements_open(MOST).await?.len(),
                "endorsements that wait for you or for their payment: policy endorsements",
            ),
            (
                refunds.iter().filter(is_late).count(),
                "refunds that insurers should have paid by now: refund list",
            ),
            (
                claims.iter().filter(|claim| claim.is_late(today)).count(),
                "claims that insurers should have settled by now: claim list",
            ),
            (
                complaints.iter().filter(|complaint| complaint.is_late(today)).count(),
                "complaints that should have been answered by now: complaint list",
            ),
            (mismatched.count(), "payments that do not match: premium settle"),
            (owed_back.count(), "refunds that are due: premium refund"),
            (
                overdue.count(),
                "premiums that should have gone to their insurer within 24 hours: premium remit",
            ),
        ] {
            if count > 0 {
                to_do.push(format!("{count} {what}"));
            }
        }
        if let Some(sentence) = partners_without_licence(&store.partners().await?, &catalogue) {
            to_do.push(format!("partners that {sentence}"));
        }
        if let Some(month) = not_closed(store.as_ref(), store.as_ref(), store.as_ref(), today).await? {
            to_do.push(format!("{month} is over and not closed: statement make --month {month}"));
        }
        Ok(Waiting { to_do, premiums: open.len() })
    }
}

/// What there is to say of a deposit that runs low.
fn low(deposit: &Deposit, catalogue: &Catalogue) -> Option<String> {
    let terms = named(catalogue, deposit.insurer, &deposit.name)?;
    (deposit.balance < terms.warn_below)
        .then(|| format!("the deposit {} has {}", deposit.name, deposit.balance.grouped_with_paise()))
}
