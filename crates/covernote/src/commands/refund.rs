//! `covernote refund`: refunds of cancelled policies, which insurers pay to the insured (D69).

use domain::cancellation::Cancellation;
use domain::date::Date;
use domain::money::Rupees;
use domain::premium::PaymentReference;
use serde_json::json;
use service::on_any_policy;
use service::policy::PolicyShown;

use super::on_service;
use super::policy::{read_day, read_id, to_json};
use super::premium::{read_amount, read_reference};
use crate::cli::{InsurerPayment, Refund, RefundVerb};
use crate::failure::Failure;
use crate::output;

pub(super) fn run(Refund { verb, flags }: Refund) -> Result<(), Failure> {
    on_service(&flags, async |service| match verb {
        RefundVerb::List { most, json } => {
            list(&service.policies.refunds_owed(most).await?, json);
            Ok(())
        }
        RefundVerb::Paid { id, payment, json } => {
            let id = read_id(&id)?;
            let (reference, paid_on, amount) = read_payment(&payment, service.policies.today())?;
            let (refund, paid) = service.cancellations.refund_paid(id, reference, paid_on, amount).await?;
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

/// The cancellation of a policy whose refund is owed, and the interest that is owed today.
fn owed(shown: &PolicyShown) -> Option<(&Cancellation, Rupees)> {
    let cancellation = on_any_policy!(&shown.policy, policy => policy.cancellation.as_ref())?;
    Some((cancellation, cancellation.interest_on(shown.today)))
}

/// The payment that an insurer made: what it is called, its day, and its amount where somebody told it.
pub(super) fn read_payment(
    payment: &InsurerPayment,
    today: Date,
) -> Result<(PaymentReference, Date, Option<Rupees>), Failure> {
    let InsurerPayment { reference, paid_on, amount } = payment;
    let reference = read_reference(reference)?;
    let paid_on = paid_on.as_deref().map(|day| read_day("--paid-on", day)).transpose()?;
    let amount = amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?;
    Ok((reference, paid_on.unwrap_or(today), amount))
}

fn list(refunds: &[PolicyShown], as_json: bool) {
    if as_json {
        let refund = |shown: &PolicyShown| {
            let mut printed = to_json(shown);
            if let Some((cancellation, interest)) = owed(shown) {
                printed["refund"] = cancellation.refund.total().to_string().into();
                printed["refund_due_on"] = cancellation.due_on.to_string().into();
                printed["interest_today"] = interest.to_string().into();
                printed["late"] = cancellation.is_late(shown.today).into();
            }
            printed
        };
        output::json(&json!({ "refunds": refunds.iter().map(refund).collect::<Vec<_>>() }));
        return;
    }
    let row = |shown: &PolicyShown| {
        let (cancellation, interest) = owed(shown)?;
        Some(vec![
            shown.policy.id().to_string(),
            shown.covered.insurer.clone(),
            cancellation.reason.to_string(),
            cancellation.refund.total().grouped_with_paise(),
            cancellation.due_on.to_string(),
            if cancellation.is_late(shown.today) { "LATE".into() } else { String::new() },
            if interest > Rupees::ZERO { interest.grouped_with_paise() } else { String::new() },
        ])
    };
    output::table(
        &["policy_id", "insurer", "reason", "refund", "due on", "", "interest today"],
        refunds.iter().filter_map(row).collect(),
    );
}
