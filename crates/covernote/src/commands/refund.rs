//! `covernote refund`: refunds of cancelled and of endorsed policies, which insurers pay to the insured (D69).

use domain::date::Date;
use domain::money::Rupees;
use domain::premium::PaymentReference;
use domain::refund::OwedRefund;
use serde_json::json;
use service::on_any_policy;
use service::policy::PolicyShown;

use super::arguments::{read_amount, read_day, read_id, read_reference};
use super::on_service;
use super::policy_view::to_json;
use crate::cli::{PaymentMade, Refund, RefundVerb};
use crate::failure::Result;
use crate::output;

pub(super) fn run(Refund { verb, flags }: Refund) -> Result<()> {
    on_service(&flags, async |service| match verb {
        RefundVerb::List { most, json } => {
            list(&service.policies.refunds_owed(most).await?, json);
            Ok(())
        }
        RefundVerb::Paid { id, payment, json } => {
            let id = read_id("a policy", &id)?;
            let (reference, paid_on, amount) = read_payment(&payment, service.policies.today())?;
            let (refund, paid) = service.refunds.paid(id, reference, paid_on, amount).await?;
            if json {
                output::json(&json!({
                    "policy_id": id.to_string(), "refund": refund.to_string(), "interest": paid.interest.to_string(),
                    "reference": paid.reference.as_str(), "paid_on": paid.paid_on.to_string(),
                }));
            }
            output::message(&format!(
                "{id}: {} was paid back on {}, and {} of interest",
                refund.grouped_with_paise(),
                paid.paid_on,
                paid.interest.grouped_with_paise()
            ));
            Ok(())
        }
    })
}

/// The refund of a policy that is owed first, what for, and the interest that is owed today.
fn owed(shown: &PolicyShown) -> Option<(&OwedRefund, &'static str, Rupees)> {
    on_any_policy!(&shown.policy, policy => {
        let refund = policy.refund_owed()?;
        let cancelled = policy.cancellation.as_ref().filter(|one| one.confirmed_refund() == Some(refund));
        let endorsed = policy.made_endorsements().find(|made| made.refund.as_ref() == Some(refund));
        let endorsed = endorsed.map(|made| made.change.kind().word());
        let reason = cancelled.map(|cancellation| cancellation.reason.word()).or(endorsed)?;
        Some((refund, reason, refund.interest_on(shown.today)))
    })
}

/// A payment that was made: what it is called, its day, and its amount where somebody told it.
pub(super) fn read_payment(
    payment: &PaymentMade,
    today: Date,
) -> Result<(PaymentReference, Date, Option<Rupees>)> {
    let PaymentMade { reference, paid_on, amount } = payment;
    let reference = read_reference(reference)?;
    let paid_on = paid_on.as_deref().map(|day| read_day("--paid-on", day)).transpose()?;
    let amount = amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?;
    Ok((reference, paid_on.unwrap_or(today), amount))
}

fn list(refunds: &[PolicyShown], as_json: bool) {
    if as_json {
        let refund = |shown: &PolicyShown| {
            let mut printed = to_json(shown);
            if let Some((refund, reason, interest)) = owed(shown) {
                printed["refund"] = refund.owed().to_string().into();
                printed["refund_for"] = reason.into();
                printed["refund_due_on"] = refund.due_on.to_string().into();
                printed["interest_today"] = interest.to_string().into();
                printed["late"] = refund.is_late(shown.today).into();
            }
            printed
        };
        output::json(&json!({ "refunds": refunds.iter().map(refund).collect::<Vec<_>>() }));
        return;
    }
    let row = |shown: &PolicyShown| {
        let (refund, reason, interest) = owed(shown)?;
        Some(vec![
            shown.policy.id().to_string(),
            shown.covered.insurer.clone(),
            reason.to_owned(),
            refund.owed().grouped_with_paise(),
            refund.due_on.to_string(),
            if refund.is_late(shown.today) { "LATE".into() } else { String::new() },
            if interest > Rupees::ZERO { interest.grouped_with_paise() } else { String::new() },
        ])
    };
    output::table(
        &["policy_id", "insurer", "reason", "refund", "due on", "", "interest today"],
        refunds.iter().filter_map(row).collect(),
    );
}
