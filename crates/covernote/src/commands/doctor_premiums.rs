//! What waits for the operator: low deposits, mismatched premiums, late refunds, claims and complaints, months that are not closed
//! (D63 to D65, D69).

use std::sync::Arc;

use domain::date::day_of;
use domain::money::Rupees;
use domain::premium::{PremiumState, REMIT_WITHIN};
use rating::Catalogue;
use service::clock::{Clock, Random};
use service::on_any_policy;
use service::proposal::deposit::named;
use service::statement::{not_closed, partners_without_licence};
use service::storage::premiums::Deposit;
use service::storage::{AnyPolicy, Storage};

use super::block_on;
use super::finding::Finding;
use crate::failure::Result;
use crate::settings::Settings;
use crate::wiring::{OsRandom, SystemClock, open_store};

/// Open premiums that are looked at.
const MOST: usize = 100_000;

/// Judges the premiums of a store that exists.
pub(super) fn judge(settings: &Settings) -> Finding {
    let looked = block_on(async {
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        let store = open_store(settings, Arc::new(SystemClock), &random).await?;
        let catalogue = service::catalogue::running_on(store.as_ref()).await?;
        look(store.as_ref(), catalogue.as_deref()).await
    });
    match looked {
        Err(failure) => Finding::Bad(failure.to_string()),
        Ok(Looked { to_do, open, .. }) if to_do.is_empty() => {
            Finding::Good(format!("premiums that wait: {open}"))
        }
        Ok(Looked { to_do, .. }) => Finding::Doubtful(to_do.join("; ")),
    }
}

struct Looked {
    to_do: Vec<String>,
    open: usize,
}

async fn look(store: &dyn Storage, catalogue: Option<&Catalogue>) -> Result<Looked> {
    let deposits = store.deposits().await?;
    let mut to_do: Vec<String> = deposits.iter().filter_map(|deposit| low(deposit, catalogue?)).collect();
    let open = store.open_premiums(MOST).await?;
    let mismatched = open.iter().filter(|premium| premium.books.state() == PremiumState::Mismatch);
    let owed_back = open.iter().filter(|premium| premium.books.refundable > Rupees::ZERO);
    let now = SystemClock.now();
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
        (overdue.count(), "premiums that should have gone to their insurer within 24 hours: premium remit"),
    ] {
        if count > 0 {
            to_do.push(format!("{count} {what}"));
        }
    }
    let partners = store.partners().await?;
    if let Some(sentence) = catalogue.and_then(|catalogue| partners_without_licence(&partners, catalogue)) {
        to_do.push(format!("partners that {sentence}"));
    }
    if let Some(month) = not_closed(store, store, store, today).await? {
        to_do.push(format!("{month} is over and not closed: statement make --month {month}"));
    }
    Ok(Looked { to_do, open: open.len() })
}

/// What there is to say of a deposit that runs low.
fn low(deposit: &Deposit, catalogue: &Catalogue) -> Option<String> {
    let terms = named(catalogue, deposit.insurer, &deposit.name)?;
    (deposit.balance < terms.warn_below)
        .then(|| format!("the deposit {} has {}", deposit.name, deposit.balance.grouped_with_paise()))
}
