//! `/v1/insurers/{insurer_id}/claims/{claim_id}`: an insurer reads a claim with its documents, and reports
//! the claim's status over HTTP (D94).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::claim::{ClaimState, PaperType, RefundsAfter, WaivedPaper};
use domain::date::Date;
use domain::id::kind;
use domain::period::IsoDate;
use domain::person::PersonalLine;
use domain::premium::{PaidAmount, PaymentReference};
use domain::text::FromText;
use serde::Serialize;
use serde_json::json as object;
use service::claim::insurer::ClaimTold;
use service::claim::settlement::{ClaimPaid, ClaimVerdict};
use utoipa::ToSchema;

use crate::api::access::insurer_caller::InsurerCall;
use crate::api::claim::DocumentShown;
use crate::api::claim::document::paper_response;
use crate::api::common::endpoint::{ANY_DAY, Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::body::Body;
use crate::context::{Admitted, RequestContext};
use crate::error::{Code, Result};
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{PlainText, describe, described, list, object as fields_of, text, validated};

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/insurers/{insurer_id}/claims/{claim_id}",
    id: "getClaimOfInsurer",
    tag: "Insurers",
    summary: "Get a claim on your own policy",
    description: "Only for insurers. Returns the status, cover and documents of a claim on one of your policies. Authenticate as for `POST /v1/insurers/{insurer_id}/decisions`.",
    access: Access::Open,
    gives: Gives::payload::<InsurersClaim>(200, "The claim."),
    refuses: &[Code::A4001, Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows a claim to the insurer of its policy.
async fn get(State(app): State<App>, _: Admitted, call: InsurerCall) -> Result<Response> {
    let insurer = call.is_of(&app, &[])?;
    let claim = call.id::<kind::Claim>("claim_id").known("claim")?;
    let (claim, cover, papers) = app.service.insurer_claims.papers(insurer, claim).await?;
    let payload = InsurersClaim {
        claim_id: claim.id.to_string(),
        policy_id: claim.policy.to_string(),
        status: claim.state.word(),
        settle_by: claim.settle_by().to_string(),
        cover: InsurersCover {
            sum_insured: cover.sum_insured.to_string(),
            most: cover.most.to_string(),
            left: cover.left.to_string(),
            policy_status: cover.policy_state.word(),
            refunded_after: cover.refunded_after.to_string(),
            nominees: cover
                .nominees
                .iter()
                .map(|nominee| InsurersNominee {
                    name: nominee.name.reveal().to_owned(),
                    relationship: nominee.relationship.reveal().to_owned(),
                })
                .collect(),
        },
        approved_amount: claim.payable().map(|amount| amount.to_string()),
        documents: papers.iter().map(DocumentShown::of).collect(),
    };
    Ok(json(StatusCode::OK, &Payload { payload }))
}

pub(super) static DOCUMENT: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/insurers/{insurer_id}/claims/{claim_id}/documents/{document_id}",
    id: "getClaimDocumentOfInsurer",
    tag: "Insurers",
    summary: "Download a document of a claim on your own policy",
    description: "Only for insurers. Returns the uploaded bytes of the document as an attachment.",
    access: Access::Open,
    gives: Gives::bytes(200, "The document.", PaperType::WORDS),
    refuses: &[Code::A4001, Code::R4040],
    handler: || answered_by(document),
    ..Endpoint::PLAIN
};

/// Returns an uploaded document to the insurer of the claim.
async fn document(
    State(app): State<App>,
    _: Admitted,
    call: InsurerCall,
    context: RequestContext,
) -> Result<Response> {
    let insurer = call.is_of(&app, &[])?;
    let claim = call.id::<kind::Claim>("claim_id").known("claim")?;
    let id = call.id::<kind::ClaimDocument>("document_id").known("document")?;
    let (of, paper) = app.service.insurer_claims.paper(insurer, claim, id).await?;
    Ok(paper_response(&app, &context, of, &paper))
}

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/insurers/{insurer_id}/claims/{claim_id}/status",
    id: "tellClaimStatus",
    tag: "Insurers",
    summary: "Report the status of a claim",
    description: "Only for insurers. Reports the status or the payment of a claim on one of your policies. Repeating the report changes nothing.",
    access: Access::Open,
    takes: Some(Takes::Json {
        schema: || describe(|fields| told(fields, ANY_DAY)),
        example: example::claim_status,
    }),
    gives: Gives::empty_object(200, "The report is accepted."),
    refuses: &[Code::A4001, Code::R4040, Code::S4000, Code::S4090],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Records the status or the payment of a claim, as the insurer reports it.
async fn post(State(app): State<App>, call: InsurerCall, body: Result<Body>) -> Result<Response> {
    let insurer = call.check(&app, &body)?;
    let today = app.service.policies.today();
    let told = body?.read(|fields| told(fields, today))?;
    let claim = call.id::<kind::Claim>("claim_id").known("claim")?;
    app.service.insurer_claims.hear(insurer, claim, told).await?;
    Ok(json(StatusCode::OK, &object!({})))
}

/// Reads the body of an insurer's report about a claim. `today` is the day in Asia/Kolkata.
fn told(fields: &mut Fields<'_>, today: Date) -> Option<ClaimTold> {
    let until_today = validated(move |day: IsoDate| (day.0 <= today).then_some(day.0))
        .wanted_as("a real calendar date written YYYY-MM-DD, not after today");
    let status = fields.required("status", text::<ClaimState>());
    let approved =
        fields.optional("approved_amount", described::<PaidAmount>("Amount that you approved, in rupees."));
    let refunds = fields.optional("refunds", text::<RefundsAfter>());
    let reason = fields.optional("reason", PlainText::of(2000));
    let reference = fields.optional(
        "reference",
        described::<PaymentReference>("Reference of your payment, such as the bank's UTR."),
    );
    let paid_on = fields.optional("paid_on", until_today);
    let amount = fields.optional(
        "amount",
        described::<PaidAmount>("Amount that you paid, in rupees. Less than what is left is a part."),
    );
    let payee = fields.optional("payee", text::<PersonalLine>());
    let transfer_total = fields.optional(
        "transfer_total",
        described::<PaidAmount>("Total of your bank transfer, in rupees, if it also pays other claims."),
    );
    let waived = fields.optional("waived", list(fields_of(waiver), 0, 20));
    fields.nothing_but(&[
        "status",
        "approved_amount",
        "refunds",
        "reason",
        "reference",
        "paid_on",
        "amount",
        "payee",
        "transfer_total",
        "waived",
    ]);
    if let Some(status) = status {
        let is_refused = matches!(status, ClaimState::Rejected | ClaimState::Repudiated);
        belongs(fields, "approved_amount", &approved, ClaimState::Approved, status);
        belongs(fields, "reference", &reference, ClaimState::Paid, status);
        belongs(fields, "paid_on", &paid_on, ClaimState::Paid, status);
        if status != ClaimState::Approved {
            belongs(fields, "refunds", &refunds, ClaimState::Approved, status);
        }
        if status != ClaimState::Paid {
            belongs(fields, "amount", &amount, ClaimState::Paid, status);
            belongs(fields, "payee", &payee, ClaimState::Paid, status);
            belongs(fields, "transfer_total", &transfer_total, ClaimState::Paid, status);
            belongs(fields, "waived", &waived, ClaimState::Paid, status);
        }
        if is_refused && reason.as_ref().is_some_and(Option::is_none) {
            fields.fault(
                "reason",
                "Required: the reason for the refusal, in words that the claimant can read.",
            );
        }
    }
    let (state, approved, refunds, reason) = (status?, approved?, refunds?, reason?);
    let (reference, paid_on, amount, payee, waived) = (reference?, paid_on?, amount?, payee?, waived?);
    let transfer_total = transfer_total?.map(|total| total.0);
    Some(match (reference, paid_on) {
        (Some(reference), Some(paid_on)) => {
            let amount = amount.map(|amount| amount.0);
            let waived = waived.unwrap_or_default();
            ClaimTold::Paid(ClaimPaid { reference, paid_on, amount, payee, transfer_total, waived })
        }
        _ => ClaimTold::Stands(ClaimVerdict {
            state,
            approved: approved.map(|amount| amount.0),
            refunds,
            reason: reason.as_deref().and_then(PersonalLine::of_words),
        }),
    })
}

/// Reads an item of `waived`: a document without which the insurer paid the claim, and the reason.
fn waiver(fields: &mut Fields<'_>) -> Option<WaivedPaper> {
    let paper = fields.required("paper", PlainText::line(100));
    let reason = fields.required("reason", text::<PersonalLine>());
    fields.nothing_but(&["paper", "reason"]);
    Some(WaivedPaper { paper: paper?, reason: reason? })
}

/// Records a fault if `field` is missing although the status is `beside`, or present although it is another.
fn belongs<T>(
    fields: &mut Fields<'_>,
    field: &'static str,
    read: &Option<Option<T>>,
    beside: ClaimState,
    status: ClaimState,
) {
    match (status == beside, read) {
        (true, Some(None)) => {
            fields.fault(field, format!("Required with {}.", beside.word()));
        }
        (false, Some(Some(_))) => {
            fields.fault(
                field,
                format!("Not allowed with {}: send this field only with {}.", status.word(), beside.word()),
            );
        }
        _ => {}
    }
}

/// A claim on one of your policies.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsurersClaim {
    /// Id of the claim: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Current status of the claim.
    status: &'static str,
    /// Day by which the law requires you to settle the claim.
    #[schema(format = "date")]
    settle_by: String,
    /// What the policy covered on the day of the loss.
    cover: InsurersCover,
    /// Approved amount, in rupees with two decimals. `null` until the claim is approved.
    #[schema(required = true, pattern = r"^[0-9]+\.[0-9]{2}$")]
    approved_amount: Option<String>,
    /// Uploaded documents of the claim, oldest first.
    documents: Vec<DocumentShown>,
}

/// What a policy covered on the day of a loss.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsurersCover {
    /// Sum insured on the day of the loss, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// Full benefit that the product pays for this kind of claim, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    most: String,
    /// Most that can be approved for this claim, in rupees: the part of the benefit that other claims leave.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    left: String,
    /// Nominees on the day of the loss.
    nominees: Vec<InsurersNominee>,
    /// Status of the policy today.
    policy_status: &'static str,
    /// Premium that was refunded for days after the event, in rupees. If it is above zero, an approval must say in
    /// `refunds` whether the payment deducts it.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    refunded_after: String,
}

/// A nominee on the day of the loss.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsurersNominee {
    /// Full name of the nominee.
    name: String,
    /// Relationship of the nominee to the insured person.
    relationship: String,
}
