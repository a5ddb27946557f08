//! `POST /v1/premiums/receipts`: a partner reports a payment of premiums; and
//! `POST /v1/insurers/{insurer_id}/receipts`: an insurer does (D64).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::date::{CalendarDate, Date};
use domain::id::{ProposalId, kind};
use domain::money::Rupees;
use domain::premium::{PaidAmount, PaymentReference};
use serde::Serialize;
use serde_json::json;
use service::decision::premium::{LineOutcome, MOST_LINES, Payment, Teller, Told};
use utoipa::ToSchema;

use crate::api::access::insurer_caller::InsurerCall;
use crate::api::common::endpoint::{ANY_DAY, Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyWrite};
use crate::error::{Code, Result};
use crate::reader::Fields;
use crate::response::{Payload, json as answer_json};
use crate::shape::{IdText, describe, list, object, text, validated};

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/premiums/receipts",
    id: "reportReceipt",
    tag: "Premiums",
    summary: "Report a payment of premiums",
    description: "Reports one payment to the insurer: for one proposal or for many, each with its amount. An amount that is exactly the premium issues the policy of a proposal that was accepted, and lets the others be completed; any other amount is a mismatch that the operator settles. The reference makes it safe to repeat: the same payment again changes nothing and is answered 200.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json {
        schema: || describe(|fields| receipt(fields, ANY_DAY)),
        example: example::receipt,
    }),
    gives: Gives::payload::<ReceiptAnswer>(201, "It is taken; what came of each item."),
    refuses: &[Code::S4090],
    guide: "premiums.md#reporting-a-payment",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Takes a payment that a partner reports.
async fn post(State(app): State<App>, caller: Caller<PolicyWrite>, body: Body) -> Result<Response> {
    let today = app.service.policies.today_of(caller.partner);
    let payment = body.read(|fields| receipt(fields, today))?;
    let (reference, amount) = (payment.reference.clone(), payment.amount);
    let told = app.service.premiums.receive(Teller::Partner(caller.partner), payment).await?;
    let status = if told.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(answer_json(status, &Payload { payload: ReceiptAnswer::of(&reference, amount, &told) }))
}

pub(super) static INSURER_POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/insurers/{insurer_id}/receipts",
    id: "tellReceipt",
    tag: "Insurers",
    summary: "Tell a receipt",
    description: "For insurers alone: a payment of premiums that came in, for proposals of their products. The insurer shows itself as it does when it tells a decision. Telling the same again changes nothing.",
    access: Access::Instead("the insurer's secret"),
    takes: Some(Takes::Json {
        schema: || describe(|fields| receipt(fields, ANY_DAY)),
        example: example::receipt,
    }),
    gives: Gives::empty_object(200, "It is taken."),
    refuses: &[Code::A4001, Code::S4090],
    guide: "insurers.md#sending-a-receipt",
    handler: || answered_by(insurer_post),
    ..Endpoint::PLAIN
};

/// Takes a payment that an insurer reports.
async fn insurer_post(State(app): State<App>, call: InsurerCall, body: Result<Body>) -> Result<Response> {
    let insurer = call.check(&app, &body)?;
    let today = app.service.policies.today();
    let payment = body?.read(|fields| receipt(fields, today))?;
    app.service.premiums.receive(Teller::Insurer(insurer), payment).await?;
    Ok(answer_json(StatusCode::OK, &json!({})))
}

/// Reads the body of a receipt, by the day in Asia/Kolkata.
pub(crate) fn receipt(fields: &mut Fields<'_>, today: Date) -> Option<Payment> {
    let until_today = move |day: CalendarDate| match day.0 <= today {
        true => Ok(day.0),
        false => Err("A date after today"),
    };
    let reference = fields.required("reference", text::<PaymentReference>());
    let amount = fields.required("amount", text::<PaidAmount>());
    let received_on = fields.required("received_on", validated(until_today));
    let lines = fields.required("items", list(object(item), 1, MOST_LINES));
    fields.nothing_but(&["reference", "amount", "received_on", "items"]);
    Some(Payment { reference: reference?, amount: amount?.0, received_on: received_on?, lines: lines? })
}

/// Reads what of a payment is for a proposal.
fn item(fields: &mut Fields<'_>) -> Option<(ProposalId, Rupees)> {
    let wanted = "the id of a proposal, pro_ and 26 characters,";
    let proposal = fields.required("proposal_id", IdText::<kind::Proposal>::of(wanted));
    let amount = fields.required("amount", text::<PaidAmount>());
    fields.nothing_but(&["proposal_id", "amount"]);
    Some((proposal?, amount?.0))
}

/// A payment that was taken.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptAnswer {
    /// Its reference, as it was sent.
    reference: String,
    /// All of it, in rupees with two decimals.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    amount: String,
    /// What came of each item, in the order in which they were sent.
    items: Vec<ReceiptItem>,
}

/// What came of a part of a payment.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptItem {
    /// The proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// What of the payment is for it.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    amount: String,
    /// `matched`: it is exactly the premium. `mismatch`: it is not, and the operator settles it. `refund_due`: the
    /// proposal ended without a policy, and it is to be paid back.
    #[schema(pattern = "^(matched|mismatch|refund_due)$")]
    outcome: &'static str,
}

impl ReceiptAnswer {
    fn of(reference: &PaymentReference, amount: Rupees, told: &Told) -> Self {
        let item = |line: &LineOutcome| ReceiptItem {
            proposal_id: line.proposal.to_string(),
            amount: line.amount.to_string(),
            outcome: line.outcome.word(),
        };
        ReceiptAnswer {
            reference: reference.as_str().to_owned(),
            amount: amount.to_string(),
            items: told.lines.iter().map(item).collect(),
        }
    }
}
