//! `/v1/insurers/{insurer_id}/claims/{claim_id}`: an insurer over HTTP reads a claim's papers and tells what becomes of it (D94).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::claim::{ClaimState, PaperType, WaivedPaper};
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
use crate::shape::{PlainText, describe, list, object as fields_of, text, validated};

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/insurers/{insurer_id}/claims/{claim_id}",
    id: "getClaimOfInsurer",
    tag: "Insurers",
    summary: "Get a claim on one's own policy",
    description: "For insurers alone: where a claim on a policy of theirs stands, and which papers came. The insurer shows itself as it does when it tells a decision.",
    access: Access::Instead("the insurer's secret"),
    gives: Gives::payload::<InsurersClaim>(200, "The claim."),
    refuses: &[Code::A4001, Code::R4040],
    guide: "insurers.md#claims-and-their-papers",
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows a claim to its insurer.
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
    summary: "Download a paper of a claim on one's own policy",
    description: "For insurers alone: the bytes as they were uploaded, as an attachment.",
    access: Access::Instead("the insurer's secret"),
    gives: Gives::bytes(200, "The paper.", PaperType::WORDS),
    refuses: &[Code::A4001, Code::R4040],
    guide: "insurers.md#claims-and-their-papers",
    handler: || answered_by(document),
    ..Endpoint::PLAIN
};

/// Gives a paper to its insurer.
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
    summary: "Tell what becomes of a claim",
    description: "For insurers alone: where a claim on a policy of theirs stands now, or that it was paid. Telling the same again changes nothing.",
    access: Access::Instead("the insurer's secret"),
    takes: Some(Takes::Json {
        schema: || describe(|fields| told(fields, ANY_DAY)),
        example: example::claim_status,
    }),
    gives: Gives::empty_object(200, "It is taken."),
    refuses: &[Code::A4001, Code::R4040, Code::S4000, Code::S4090],
    guide: "insurers.md#claims-and-their-papers",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Takes what an insurer tells of a claim.
async fn post(State(app): State<App>, call: InsurerCall, body: Result<Body>) -> Result<Response> {
    let insurer = call.check(&app, &body)?;
    let today = app.service.policies.today();
    let told = body?.read(|fields| told(fields, today))?;
    let claim = call.id::<kind::Claim>("claim_id").known("claim")?;
    app.service.insurer_claims.hear(insurer, claim, told).await?;
    Ok(json(StatusCode::OK, &object!({})))
}

/// Reads what is told of a claim, by the day in Asia/Kolkata.
fn told(fields: &mut Fields<'_>, today: Date) -> Option<ClaimTold> {
    let until_today = move |day: IsoDate| match day.0 <= today {
        true => Ok(day.0),
        false => Err("A date after today"),
    };
    let status = fields.required("status", text::<ClaimState>());
    let approved = fields.optional("approved_amount", text::<PaidAmount>());
    let reason = fields.optional("reason", PlainText::of(2000));
    let reference = fields.optional("reference", text::<PaymentReference>());
    let paid_on = fields.optional("paid_on", validated(until_today));
    let amount = fields.optional("amount", text::<PaidAmount>());
    let waived = fields.optional("waived", list(fields_of(waiver), 0, 20));
    fields.nothing_but(&["status", "approved_amount", "reason", "reference", "paid_on", "amount", "waived"]);
    if let Some(status) = status {
        let is_refused = matches!(status, ClaimState::Rejected | ClaimState::Repudiated);
        belongs(fields, "approved_amount", &approved, ClaimState::Approved, status);
        belongs(fields, "reference", &reference, ClaimState::Paid, status);
        belongs(fields, "paid_on", &paid_on, ClaimState::Paid, status);
        if status != ClaimState::Paid {
            belongs(fields, "amount", &amount, ClaimState::Paid, status);
            belongs(fields, "waived", &waived, ClaimState::Paid, status);
        }
        if is_refused && reason.as_ref().is_some_and(Option::is_none) {
            fields.fault("reason", "Required: why nothing is paid, in words that the claimant reads.");
        }
    }
    let (state, approved, reason) = (status?, approved?, reason?);
    let (reference, paid_on, amount, waived) = (reference?, paid_on?, amount?, waived?);
    Some(match (reference, paid_on) {
        (Some(reference), Some(paid_on)) => {
            let amount = amount.map(|amount| amount.0);
            ClaimTold::Paid(ClaimPaid { reference, paid_on, amount, waived: waived.unwrap_or_default() })
        }
        _ => ClaimTold::Stands(ClaimVerdict {
            state,
            approved: approved.map(|amount| amount.0),
            reason: reason.as_deref().and_then(PersonalLine::of_words),
        }),
    })
}

/// Reads a required paper without which the insurer paid.
fn waiver(fields: &mut Fields<'_>) -> Option<WaivedPaper> {
    let paper = fields.required("paper", PlainText::line(100));
    let reason = fields.required("reason", text::<PersonalLine>());
    fields.nothing_but(&["paper", "reason"]);
    Some(WaivedPaper { paper: paper?, reason: reason? })
}

/// Finds a field that is wanted beside one status and missing there, or that stands beside another one.
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
                format!("Not allowed with {}: it belongs to {}.", status.word(), beside.word()),
            );
        }
        _ => {}
    }
}

/// A claim as its insurer reads it.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsurersClaim {
    /// Its id: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// The policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Where it stands.
    status: &'static str,
    /// By when the law wants it settled.
    #[schema(format = "date")]
    settle_by: String,
    /// The cover that it draws on.
    cover: InsurersCover,
    /// What was approved.
    #[schema(required = true, pattern = r"^[0-9]+\.[0-9]{2}$")]
    approved_amount: Option<String>,
    /// The papers that came, oldest first.
    documents: Vec<DocumentShown>,
}

/// The cover that a claim draws on: of the policy as it was on the day of the event.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsurersCover {
    /// The cover on that day.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// The product's benefit for such events in full.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    most: String,
    /// What other claims leave of it: no more can be approved.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    left: String,
    /// Who was the nominee on that day.
    nominees: Vec<InsurersNominee>,
}

/// A nominee.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsurersNominee {
    /// Full name.
    name: String,
    /// What the nominee is to the insured person.
    relationship: String,
}
