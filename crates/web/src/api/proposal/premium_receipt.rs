//! `POST /v1/premiums/receipts` and `POST /v1/insurers/{insurer_id}/receipts`: a partner or an insurer
//! reports a payment of premiums (D64).

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
use crate::shape::{IdText, describe, described, list, object, text, validated};

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/premiums/receipts",
    id: "reportReceipt",
    tag: "Premiums",
    summary: "Report a payment of premiums",
    description: "Reports one payment that you made to the insurer, for one or many proposals, each with its amount. If the amount is exactly the premium, an accepted proposal gets its policy, and an undecided one can be completed. Any other amount is a mismatch, which the operator settles. Repeating the payment with the same reference changes nothing and returns 200.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json {
        schema: || describe(|fields| receipt(fields, ANY_DAY)),
        example: example::receipt,
    }),
    gives: Gives::payload::<ReceiptAnswer>(201, "The payment is accepted, with the outcome of each item."),
    refuses: &[Code::S4090],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Records a payment that a partner reports.
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
    summary: "Report a receipt",
    description: "Only for insurers. Reports a received payment of premiums for proposals of your products. Authenticate as for `POST /v1/insurers/{insurer_id}/decisions`. Repeating the report changes nothing.",
    access: Access::Open,
    takes: Some(Takes::Json {
        schema: || describe(|fields| receipt(fields, ANY_DAY)),
        example: example::receipt,
    }),
    gives: Gives::empty_object(200, "The payment is accepted."),
    refuses: &[Code::A4001, Code::S4090],
    handler: || answered_by(insurer_post),
    ..Endpoint::PLAIN
};

/// Records a payment that an insurer reports.
async fn insurer_post(State(app): State<App>, call: InsurerCall, body: Result<Body>) -> Result<Response> {
    let insurer = call.check(&app, &body)?;
    let today = app.service.policies.today();
    let payment = body?.read(|fields| receipt(fields, today))?;
    app.service.premiums.receive(Teller::Insurer(insurer), payment).await?;
    Ok(answer_json(StatusCode::OK, &json!({})))
}

/// Reads the body of a receipt. `today` is the day in Asia/Kolkata.
pub(crate) fn receipt(fields: &mut Fields<'_>, today: Date) -> Option<Payment> {
    let until_today = validated(move |day: CalendarDate| (day.0 <= today).then_some(day.0))
        .wanted_as("a real calendar date written DD/MM/YYYY, not after today");
    let reference = fields.required(
        "reference",
        described::<PaymentReference>(
            "Reference of the payment, such as the bank's UTR: at most 64 letters, digits and `-/.:_`.",
        ),
    );
    let amount = fields.required("amount", text::<PaidAmount>());
    let received_on = fields.required("received_on", until_today);
    let lines = fields.required("items", list(object(item), 1, MOST_LINES));
    fields.nothing_but(&["reference", "amount", "received_on", "items"]);
    Some(Payment { reference: reference?, amount: amount?.0, received_on: received_on?, lines: lines? })
}

/// Reads an item of a payment: a proposal's id, and the amount for this proposal.
fn item(fields: &mut Fields<'_>) -> Option<(ProposalId, Rupees)> {
    let wanted = "the id of a proposal, pro_ and 26 characters";
    let proposal = fields.required("proposal_id", IdText::<kind::Proposal>::of(wanted));
    let amount = fields.required("amount", text::<PaidAmount>());
    fields.nothing_but(&["proposal_id", "amount"]);
    Some((proposal?, amount?.0))
}

/// A payment that was recorded.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptAnswer {
    /// Reference of the payment, as in the request.
    reference: String,
    /// Total of the payment, in rupees with two decimals.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    amount: String,
    /// Result for each item of the payment, in the order of the request.
    items: Vec<ReceiptItem>,
}

/// Result for one item of a payment.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptItem {
    /// Id of the proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Part of the payment for this proposal, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    amount: String,
    /// `matched`: the amount is exactly the premium. `mismatch`: the amount differs from the premium, and the
    /// operator settles it. `refund_due`: the proposal ended without a policy, so the payment goes back.
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
