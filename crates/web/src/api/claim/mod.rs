//! `/v1/claims`: report, read and withdraw claims (D81, D82).
//!
//! Uses `access`, `common`.

pub(crate) mod document;
pub(crate) mod insurer;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::bank::Ifsc;
use domain::claim::{
    AccountNumber, ClaimDocument, ClaimKind, ClaimNotice, ClaimState, ClaimTransfer, Claimant, PayeeAccount,
};
use domain::id::{PolicyId, kind};
use domain::line::LineOfBusiness;
use domain::money::PlainAmount;
use domain::period::IsoDate;
use domain::person::{Email, IndianMobile, PersonalLine};
use domain::proposal::{Actor, Move};
use serde::Serialize;
use service::claim::settlement::ClaimWithdrawal;
use service::claim::{ClaimShown, ClaimView};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::common::list::{PageEnds, claim_parameters, list_ask};
use crate::api::common::policy_fields::MEMBER;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::path::PathId;
use crate::query::Query;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{IdText, describe, described, object, text};
use crate::sight::{Masked, Sight};

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &POST,
    &LIST,
    &GET,
    &WITHDRAW,
    &document::POST,
    &document::GET,
    &insurer::GET,
    &insurer::DOCUMENT,
    &insurer::POST,
];

static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/claims",
    id: "makeClaim",
    tag: "Claims",
    summary: "Report a claim",
    description: "Reports a loss on one of your policies. The response lists the documents that the claim needs, and the day by which the insurer must settle the claim. If the same claim was already reported, the error S4090 names that claim. Unless the product has another rule, a claim is the same if person, kind and day are the same; for a death, if the person is the same. Rejected and withdrawn claims do not count. The operator limits the number of claims on a policy and in a day.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(notice), example: example::claim }),
    gives: Gives::payload::<ClaimDetail>(201, "The claim."),
    refuses: &[Code::R4040, Code::S4090, Code::A4290],
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Records a claim that the partner reports.
async fn post(
    State(app): State<App>,
    caller: Caller<PolicyWrite>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let (policy, notice) = body.read(notice)?;
    let claims = &app.service.claims;
    let draft = claims.intimate(caller.partner, policy, notice, Actor::Partner).await;
    let today = app.service.policies.today_of(caller.partner);
    let show = |draft: &service::claim::ClaimDraft| {
        let shown = ClaimShown { claim: draft.claim.clone(), today };
        ClaimDetail::of(&ClaimView { shown, history: draft.moves().to_vec() }, &[], &Sight::Partner)
    };
    attempt
        .answer(&app, draft, StatusCode::CREATED, show, async |draft, kept| claims.keep(draft, kept).await)
        .await
}

static WITHDRAW: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/claims/{claim_id}/withdrawal",
    id: "withdrawClaim",
    tag: "Claims",
    summary: "Withdraw a claim",
    description: "Withdraws a claim that is neither paid nor refused. A reason is required. The claim then stays WITHDRAWN and uses no cover. Afterwards, you can cancel the policy or report the claim again.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(withdrawal), example: example::withdrawal }),
    gives: Gives::payload::<ClaimDetail>(200, "The claim."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    idempotent: true,
    handler: || answered_by(withdraw),
    ..Endpoint::PLAIN
};

/// Withdraws one of the partner's claims.
async fn withdraw(
    State(app): State<App>,
    caller: Caller<PolicyWrite>,
    id: PathId<kind::Claim>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let reason = body.read(withdrawal)?;
    let id = id.known("claim")?;
    let claims = &app.service.claims;
    let papers = app.service.claim_papers.list(caller.partner, id).await?;
    let draft = claims.withdraw(caller.partner, id, Actor::Partner, reason).await;
    let show = |draft: &ClaimWithdrawal| ClaimDetail::of(&draft.view, &papers, &Sight::Partner);
    let keep = async |draft, kept| claims.keep_withdrawal(draft, kept).await;
    Box::pin(attempt.answer(&app, draft, StatusCode::OK, show, keep)).await
}

/// Reads the reason of a withdrawal.
fn withdrawal(fields: &mut Fields<'_>) -> Option<PersonalLine> {
    let reason = fields.required("reason", text::<PersonalLine>());
    fields.nothing_but(&["reason"]);
    reason
}

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/claims",
    id: "listClaims",
    tag: "Claims",
    summary: "List claims",
    description: "Lists your claims by the day on which they were reported, newest first. Filter by days, or by the session of their policies. Without a filter, it lists all claims.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(claim_parameters)),
    gives: Gives::json::<ClaimPage>(200, "A page of claims."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's claims.
async fn list(State(app): State<App>, caller: Caller<PolicyRead>, query: Query) -> Result<Response> {
    let page = app.service.claims.list(caller.partner, list_ask(query, claim_parameters)).await?;
    let (ends, records) = PageEnds::of(page);
    let answer = ClaimPage { claims: records.iter().map(ClaimSummary::of).collect(), ends };
    Ok(json(StatusCode::OK, &answer))
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/claims/{claim_id}",
    id: "getClaim",
    tag: "Claims",
    summary: "Get a claim",
    description: "Returns a claim: its status, the reported facts, needed and uploaded documents, the day by which the insurer must settle it, the payment, and every status change.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<ClaimDetail>(200, "The claim."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's claims.
async fn get(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Claim>,
) -> Result<Response> {
    let view = app.service.claims.view(caller.partner, id.known("claim")?).await?;
    let papers = app.service.claim_papers.list(caller.partner, view.shown.claim.id).await?;
    Ok(json(StatusCode::OK, &Payload { payload: ClaimDetail::of(&view, &papers, &Sight::Partner) }))
}

/// Reads the body of a claim report.
fn notice(fields: &mut Fields<'_>) -> Option<(PolicyId, ClaimNotice)> {
    let policy = fields.required("policy_id", IdText::<kind::Policy>::of("the id of one of your policies"));
    let kind = fields.required("kind", text::<ClaimKind>());
    let event_on = fields.required(
        "event_on",
        described::<IsoDate>("Day of the loss, YYYY-MM-DD. The policy must cover this day."),
    );
    let cause = fields
        .required("cause", described::<PersonalLine>("What happened: one line of at most 200 characters."));
    let place = fields.optional(
        "place",
        described::<PersonalLine>(
            "Where the loss happened, such as the town or hospital: one line of at most 200 characters.",
        ),
    );
    let member = fields.optional("member", MEMBER);
    let claimant = fields.required("claimant", object(claimant));
    let account = fields.optional("account", object(account));
    let claimed = fields
        .optional("claimed_amount", described::<PlainAmount>("Amount that the claimant claims, in rupees."));
    fields.nothing_but(&[
        "policy_id",
        "kind",
        "event_on",
        "cause",
        "place",
        "member",
        "claimant",
        "account",
        "claimed_amount",
    ]);
    let notice = ClaimNotice {
        kind: kind?,
        event_on: event_on?.0,
        cause: cause?,
        place: place?,
        member: member?.map_or(1, |number| u16::try_from(number).unwrap_or(u16::MAX)),
        claimant: claimant?,
        account: account?,
        claimed: claimed?.map(|amount| amount.0),
    };
    Some((policy?, notice))
}

fn claimant(fields: &mut Fields<'_>) -> Option<Claimant> {
    let name = fields.required("name", text::<PersonalLine>());
    let relation = fields.required(
        "relation",
        described::<PersonalLine>(
            "Relation of the claimant to the insured person, such as `SPOUSE` or `SELF`.",
        ),
    );
    let phone = fields.required("mobile", text::<IndianMobile>());
    let email = fields.optional("email", text::<Email>());
    fields.nothing_but(&["name", "relation", "mobile", "email"]);
    Some(Claimant { name: name?, relation: relation?, phone: phone?.0, email: email? })
}

fn account(fields: &mut Fields<'_>) -> Option<PayeeAccount> {
    let holder = fields.required("holder", described::<PersonalLine>("Name of the account holder."));
    let number = fields.required("number", text::<AccountNumber>());
    let ifsc = fields.required("ifsc", text::<Ifsc>());
    fields.nothing_but(&["holder", "number", "ifsc"]);
    Some(PayeeAccount { holder: holder?, number: number?, ifsc: ifsc? })
}

/// A page of claims.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimPage {
    /// Claims of this page, newest first.
    claims: Vec<ClaimSummary>,
    #[serde(flatten)]
    ends: PageEnds,
}

/// Summary of a claim. Amounts are rupees with two decimals, as text. Days are `YYYY-MM-DD` in Asia/Kolkata.
#[derive(Serialize, ToSchema)]
pub struct ClaimSummary {
    /// Id of the claim: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Line of business of the policy: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Kind of claim.
    #[schema(pattern = "^(DEATH|DISABILITY|HOSPITALISATION|OTHER)$")]
    kind: &'static str,
    /// Day of the loss, such as the day of death or of admission to a hospital.
    #[schema(format = "date")]
    event_on: String,
    /// Status of the claim.
    #[schema(
        pattern = "^(INTIMATED|UNDER_ASSESSMENT|UNDER_INVESTIGATION|APPROVED|PAID|REJECTED|REPUDIATED|WITHDRAWN)$"
    )]
    status: &'static str,
    /// Time since which the claim has this status.
    #[schema(format = "date-time")]
    status_since: String,
    /// Time when the claim was reported.
    #[schema(format = "date-time")]
    notified_at: String,
    /// Day by which the insurer must settle the claim.
    #[schema(format = "date")]
    settle_by: String,
    /// Whether the day `settle_by` has passed and the claim is still open.
    is_late: bool,
    /// Amount that the insurer pays, in rupees. `null` until the claim is approved.
    #[schema(required = true, pattern = r"^[0-9]+\.[0-9]{2}$")]
    approved_amount: Option<String>,
}

/// A claim with all its data.
#[derive(Serialize, ToSchema)]
pub struct ClaimDetail {
    #[serde(flatten)]
    summary: ClaimSummary,
    /// Cause of the loss, such as a road accident.
    #[schema(value_type = String)]
    cause: Masked,
    /// Where the loss happened, such as the town or hospital. `null` if the report does not say.
    #[schema(required = true, value_type = Option<String>)]
    place: Option<Masked>,
    /// Insured person to whom the loss happened.
    member: ClaimMember,
    /// Person who makes the claim.
    claimant: ClaimantShown,
    /// Bank account to which the insurer pays the claim. `null` if the report has none.
    #[schema(required = true)]
    account: Option<AccountShown>,
    /// Claimed amount, in rupees. `null` if the report has none.
    #[schema(required = true, pattern = r"^[0-9]+\.[0-9]{2}$")]
    claimed_amount: Option<String>,
    /// Documents that the claim needs, uploaded or not.
    papers: Vec<PaperShown>,
    /// Uploaded documents of the claim.
    documents: Vec<DocumentShown>,
    /// Payment of the claim. `null` until the claim is paid.
    #[schema(required = true)]
    paid: Option<ClaimPaid>,
    /// Transfers of a claim that is paid in several, or to a named payee, oldest first. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    transfers: Vec<ClaimTransferShown>,
    /// Every status change of the claim, oldest first. The first one is the report of the claim.
    history: Vec<ClaimMove>,
    /// Last request for documents. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    papers_asked: Option<PapersAskedShown>,
}

/// Request for documents of a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct PapersAskedShown {
    /// What is needed, in words for the claimant.
    #[schema(value_type = String)]
    text: Masked,
    /// Day by which the documents should come.
    #[schema(format = "date")]
    by: String,
    /// When they were asked for.
    #[schema(format = "date-time")]
    asked_at: String,
}

/// Insured person to whom the loss of a claim happened.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimMember {
    /// Number of the person among the policy's members, from 1.
    number: u16,
    /// Full name of the person.
    #[schema(value_type = String)]
    name: Masked,
}

/// Person who makes a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimantShown {
    /// Full name of the claimant.
    #[schema(value_type = String)]
    name: Masked,
    /// Relation of the claimant to the insured person.
    #[schema(value_type = String)]
    relation: Masked,
    /// Mobile number of the claimant, 10 digits.
    #[schema(value_type = String)]
    mobile: Masked,
    /// E-mail address of the claimant. `null` if the report has none.
    #[schema(required = true, value_type = Option<String>)]
    email: Option<Masked>,
}

/// Bank account to which a claim is paid.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountShown {
    /// Name of the account holder.
    #[schema(value_type = String)]
    holder: Masked,
    /// Last four characters of the account number.
    #[schema(value_type = String)]
    number_ends_in: Masked,
    /// Code of the bank branch (IFSC).
    #[schema(value_type = String)]
    ifsc: Masked,
}

/// A document that a claim needs.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperShown {
    /// Id of the document. Send it as the query parameter `paper` of an upload.
    id: String,
    /// Name of the document, for people.
    name: String,
    /// Whether the insurer needs this document to pay the claim.
    required: bool,
    /// Whether this document was uploaded.
    received: bool,
    /// Reason why the insurer paid without this document. `null` if the insurer did not.
    #[schema(required = true, value_type = Option<String>)]
    waived: Option<Masked>,
}

/// An uploaded document of a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct DocumentShown {
    /// Id of the upload: `doc_…`.
    #[schema(pattern = "^doc_[0-9a-z]{26}$")]
    document_id: String,
    /// Id of this document in the claim's `papers`. `null` if `papers` does not list the document.
    #[schema(required = true)]
    paper: Option<String>,
    /// Media type of the document.
    #[schema(pattern = "^(application/pdf|image/jpeg|image/png)$")]
    media_type: &'static str,
    /// Size of the document, in bytes.
    bytes: u64,
    /// SHA-256 of the document's bytes, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// Time of the upload.
    #[schema(format = "date-time")]
    added_at: String,
}

/// Payment of a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimPaid {
    /// Reference of the payment, such as the bank's UTR.
    reference: String,
    /// Day of the payment.
    #[schema(format = "date")]
    paid_on: String,
    /// Interest for late payment, in rupees, in addition to the approved amount.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    interest: String,
}

/// A transfer of money for a claim that is paid in several.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimTransferShown {
    /// Who received it. `null` if the payee is not known.
    #[schema(required = true, value_type = Option<String>)]
    payee: Option<Masked>,
    /// Amount, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    amount: String,
    /// Reference of the transfer, such as the bank's UTR.
    reference: String,
    /// Day of the transfer.
    #[schema(format = "date")]
    paid_on: String,
}

/// A status change of a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimMove {
    /// Time of the status change.
    #[schema(format = "date-time")]
    at: String,
    /// Who changed the status: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    by: &'static str,
    /// Status before the change. `null` for the report of the claim.
    #[schema(required = true)]
    from: Option<&'static str>,
    /// Status after the change.
    to: &'static str,
    /// Reason for the change, in the words of the party in `by`. `null` if none was given.
    #[schema(required = true, value_type = Option<String>)]
    reason: Option<Masked>,
}

impl ClaimSummary {
    pub fn of(ClaimShown { claim, today }: &ClaimShown) -> Self {
        ClaimSummary {
            claim_id: claim.id.to_string(),
            policy_id: claim.policy.to_string(),
            line: LineOfBusiness::word(claim.line),
            kind: claim.notice.kind.word(),
            event_on: claim.notice.event_on.to_string(),
            status: claim.state.word(),
            status_since: claim.changed_at.to_string(),
            notified_at: claim.created_at.to_string(),
            settle_by: claim.settle_by().to_string(),
            is_late: claim.is_late(*today),
            approved_amount: claim.payable().map(|amount| amount.to_string()),
        }
    }
}

impl ClaimDetail {
    /// The claim with its uploaded documents, as the receiver may see it.
    pub fn of(view: &ClaimView, documents: &[ClaimDocument], sight: &Sight<'_>) -> Self {
        let claim = &view.shown.claim;
        let notice = &claim.notice;
        let received = |id: &str| documents.iter().any(|document| document.paper.as_deref() == Some(id));
        let made = |made: &Move<ClaimState>| ClaimMove {
            at: made.at.to_string(),
            by: made.by.word(),
            from: made.from.map(ClaimState::word),
            to: made.to.word(),
            reason: made.reason.as_ref().map(|reason| sight.text("reason", reason)),
        };
        let transferred = |transfer: &ClaimTransfer| ClaimTransferShown {
            payee: transfer.payee.as_ref().map(|payee| sight.name("account", payee)),
            amount: transfer.amount.to_string(),
            reference: transfer.reference.as_str().to_owned(),
            paid_on: transfer.paid_on.to_string(),
        };
        ClaimDetail {
            summary: ClaimSummary::of(&view.shown),
            cause: sight.text("cause", &notice.cause),
            place: notice.place.as_ref().map(|place| sight.text("place", place)),
            member: ClaimMember { number: notice.member, name: sight.name("member", &claim.member_name) },
            claimant: ClaimantShown {
                name: sight.name("claimant", &notice.claimant.name),
                relation: sight.text("claimant", &notice.claimant.relation),
                mobile: sight.end("claimant", notice.claimant.phone.reveal()),
                email: notice.claimant.email.as_ref().map(|email| sight.any("claimant", email.reveal())),
            },
            account: notice.account.as_ref().map(|account| AccountShown {
                holder: sight.name("account", &account.holder),
                number_ends_in: sight.any("account", account.number.last_four()),
                ifsc: sight.any("account", account.ifsc.reveal()),
            }),
            claimed_amount: notice.claimed.map(|amount| amount.to_string()),
            papers: claim
                .wanted
                .iter()
                .map(|paper| PaperShown {
                    id: paper.id.clone(),
                    name: paper.name.clone(),
                    required: paper.required,
                    received: received(&paper.id),
                    waived: claim
                        .waived
                        .iter()
                        .find(|waived| waived.paper == paper.id)
                        .map(|waived| sight.text("waived", &waived.reason)),
                })
                .collect(),
            documents: documents.iter().map(DocumentShown::of).collect(),
            paid: claim.paid.as_ref().map(|paid| ClaimPaid {
                reference: paid.reference.as_str().to_owned(),
                paid_on: paid.paid_on.to_string(),
                interest: paid.interest.to_string(),
            }),
            transfers: claim.transfers.iter().map(transferred).collect(),
            history: view.history.iter().map(made).collect(),
            papers_asked: claim.asked.as_ref().map(|asked| PapersAskedShown {
                text: sight.text("reason", &asked.text),
                by: asked.by.to_string(),
                asked_at: asked.asked_at.to_string(),
            }),
        }
    }
}

impl DocumentShown {
    fn of(document: &ClaimDocument) -> Self {
        DocumentShown {
            document_id: document.id.to_string(),
            paper: document.paper.clone(),
            media_type: document.media.word(),
            bytes: document.bytes,
            sha256: document.hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            added_at: document.added_at.to_string(),
        }
    }
}
