//! `/v1/claims`: claims are made known and read (D81, D82).
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
    AccountNumber, ClaimDocument, ClaimKind, ClaimNotice, ClaimState, Claimant, PayeeAccount,
};
use domain::id::{PolicyId, kind};
use domain::line::LineOfBusiness;
use domain::money::PlainAmount;
use domain::period::IsoDate;
use domain::person::{Email, IndianMobile, PersonalLine};
use domain::proposal::{Actor, Move};
use serde::Serialize;
use serde_json::{Map, Value};
use service::Faults;
use service::claim::settlement::ClaimWithdrawal;
use service::claim::{ClaimShown, ClaimView};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::common::list::{PageEnds, claim_parameters, list_ask};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::path::PathId;
use crate::query::Query;
use crate::reader::{Fields, read_object};
use crate::response::{Payload, json};
use crate::shape::{IdText, WholeNumber, describe, object, text};

/// Its endpoints, as the document goes through them.
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

const MEMBER: &str = "the number of one of the policy's members, from 1 on,";

static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/claims",
    id: "makeClaim",
    tag: "Claims",
    summary: "Make a claim known",
    description: "The first notice of a loss on one of the partner's policies. The answer has the papers that the claim needs and the day by which the insurer is to have settled it. The same claim again is S4090 and names the first one: a death of the same person on any day, another event of the same person, kind and day, or as the product says. A rejected or withdrawn claim counts no more. A policy, and a partner on a day, have as many claims as the operator set.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(notice), example: example::claim }),
    gives: Gives::payload::<ClaimDetail>(201, "The claim."),
    refuses: &[Code::R4040, Code::S4090, Code::A4290],
    idempotent: true,
    guide: "claims.md#making-a-claim-known",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Takes the first notice.
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
        ClaimDetail::of(&ClaimView { shown, history: draft.moves().to_vec() }, &[])
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
    description: "Takes a claim back that is neither paid nor refused, for a reason. It is WITHDRAWN for good, takes nothing of the cover, and keeps nobody from cancelling the policy or making the claim again.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(withdrawal), example: example::withdrawal }),
    gives: Gives::payload::<ClaimDetail>(200, "The claim."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    idempotent: true,
    guide: "claims.md#withdrawing-a-claim",
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
    let show = |draft: &ClaimWithdrawal| ClaimDetail::of(&draft.view, &papers);
    attempt
        .answer(&app, draft, StatusCode::OK, show, async |draft, kept| {
            claims.keep_withdrawal(draft, kept).await
        })
        .await
}

/// Reads why a claim is withdrawn.
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
    description: "The partner's claims by the day of their notice, newest first: those of some days, or on policies of a session; all of them where neither is given.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(claim_parameters)),
    gives: Gives::json::<ClaimPage>(200, "A page of claims."),
    guide: "claims.md#reading-claims",
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
    description: "Where a claim stands, what was told, which papers it needs and which came, by when it is to be settled and whether that is late, what is paid, and every move.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<ClaimDetail>(200, "The claim."),
    refuses: &[Code::R4040],
    guide: "claims.md#reading-claims",
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
    Ok(json(StatusCode::OK, &Payload { payload: ClaimDetail::of(&view, &papers) }))
}

/// Reads a first notice.
fn notice(fields: &mut Fields<'_>) -> Option<(PolicyId, ClaimNotice)> {
    let policy = fields.required("policy_id", IdText::<kind::Policy>::of("the id of one of your policies"));
    let kind = fields.required("kind", text::<ClaimKind>());
    let event_on = fields.required("event_on", text::<IsoDate>());
    let cause = fields.required("cause", text::<PersonalLine>());
    let place = fields.optional("place", text::<PersonalLine>());
    let member = fields.optional("member", WholeNumber { wanted: MEMBER });
    let claimant = fields.required("claimant", object(claimant));
    let account = fields.optional("account", object(account));
    let claimed = fields.optional("claimed_amount", text::<PlainAmount>());
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

/// Reads a claim that an operator takes from a caller: the fields of `POST /v1/claims`.
///
/// # Errors
/// Every fault of it.
pub fn read_claim(object: &Map<String, Value>) -> Result<(PolicyId, ClaimNotice), Faults> {
    match read_object(object, notice) {
        (Some(read), faults) if faults.0.is_empty() => Ok(read),
        (_, faults) => Err(faults),
    }
}

fn claimant(fields: &mut Fields<'_>) -> Option<Claimant> {
    let name = fields.required("name", text::<PersonalLine>());
    let relation = fields.required("relation", text::<PersonalLine>());
    let phone = fields.required("mobile", text::<IndianMobile>());
    let email = fields.optional("email", text::<Email>());
    fields.nothing_but(&["name", "relation", "mobile", "email"]);
    Some(Claimant { name: name?, relation: relation?, phone: phone?.0, email: email? })
}

fn account(fields: &mut Fields<'_>) -> Option<PayeeAccount> {
    let holder = fields.required("holder", text::<PersonalLine>());
    let number = fields.required("number", text::<AccountNumber>());
    let ifsc = fields.required("ifsc", text::<Ifsc>());
    fields.nothing_but(&["holder", "number", "ifsc"]);
    Some(PayeeAccount { holder: holder?, number: number?, ifsc: ifsc? })
}

/// A page of claims.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimPage {
    /// The claims, newest first.
    claims: Vec<ClaimSummary>,
    #[serde(flatten)]
    ends: PageEnds,
}

/// A claim in short. Amounts are rupees with two decimals, as text; days are `YYYY-MM-DD` in Asia/Kolkata.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimSummary {
    /// Its id: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// The policy.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// The policy's line: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// What it is made for.
    #[schema(pattern = "^(DEATH|DISABILITY|HOSPITALISATION|OTHER)$")]
    kind: &'static str,
    /// The day of the event.
    #[schema(format = "date")]
    event_on: String,
    /// Where it stands.
    #[schema(
        pattern = "^(INTIMATED|UNDER_ASSESSMENT|UNDER_INVESTIGATION|APPROVED|PAID|REJECTED|REPUDIATED|WITHDRAWN)$"
    )]
    status: &'static str,
    /// Since when.
    #[schema(format = "date-time")]
    status_since: String,
    /// When it was made known.
    #[schema(format = "date-time")]
    notified_at: String,
    /// The day by which the insurer is to have settled it.
    #[schema(format = "date")]
    settle_by: String,
    /// Whether that day is over and it is not settled.
    is_late: bool,
    /// What the insurer pays, once it is approved.
    #[schema(required = true, pattern = r"^[0-9]+\.[0-9]{2}$")]
    approved_amount: Option<String>,
}

/// A claim with everything that its partner may know.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimDetail {
    #[serde(flatten)]
    summary: ClaimSummary,
    /// What happened.
    cause: String,
    /// Where.
    #[schema(required = true)]
    place: Option<String>,
    /// To whom.
    member: ClaimMember,
    /// Who claims.
    claimant: ClaimantShown,
    /// Where it is to be paid.
    #[schema(required = true)]
    account: Option<AccountShown>,
    /// What was claimed.
    #[schema(required = true, pattern = r"^[0-9]+\.[0-9]{2}$")]
    claimed_amount: Option<String>,
    /// The papers that it needs.
    papers: Vec<PaperShown>,
    /// What was uploaded.
    documents: Vec<DocumentShown>,
    /// The payment, once it was made.
    #[schema(required = true)]
    paid: Option<ClaimPaid>,
    /// Every move, oldest first, the notice included.
    history: Vec<ClaimMove>,
}

/// Who it happened to.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimMember {
    /// The place among the policy's members, from 1 on.
    number: u16,
    /// Full name.
    name: String,
}

/// Who claims.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimantShown {
    /// Full name.
    name: String,
    /// What the claimant is to the insured person.
    relation: String,
    /// Mobile number of 10 digits.
    mobile: String,
    /// E-mail address.
    #[schema(required = true)]
    email: Option<String>,
}

/// The account to which a claim is paid.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountShown {
    /// Whose it is.
    holder: String,
    /// The last four characters of its number.
    number_ends_in: String,
    /// The code of its branch.
    ifsc: String,
}

/// A paper that a claim needs.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperShown {
    /// What uploads name it by: the parameter `paper`.
    id: String,
    /// What it is called.
    name: String,
    /// Whether nothing is paid without it.
    required: bool,
    /// Whether it came.
    received: bool,
    /// Why the claim was paid without it.
    #[schema(required = true)]
    waived: Option<String>,
}

/// A paper that was uploaded.
#[derive(Serialize, ToSchema)]
pub(crate) struct DocumentShown {
    /// Its id: `doc_…`.
    #[schema(pattern = "^doc_[0-9a-z]{26}$")]
    document_id: String,
    /// Which of the papers it is. Null for another one.
    #[schema(required = true)]
    paper: Option<String>,
    /// Its media type.
    #[schema(pattern = "^(application/pdf|image/jpeg|image/png)$")]
    media_type: &'static str,
    /// Its size.
    bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// When it was uploaded.
    #[schema(format = "date-time")]
    added_at: String,
}

/// A claim that was paid.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimPaid {
    /// What the payment is called where it was made, such as the bank's UTR.
    reference: String,
    /// The day on which it was paid.
    #[schema(format = "date")]
    paid_on: String,
    /// Interest for paying late, beside what was approved.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    interest: String,
}

/// A move of a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimMove {
    /// When.
    #[schema(format = "date-time")]
    at: String,
    /// Who: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    by: &'static str,
    /// From where. Null for the notice.
    #[schema(required = true)]
    from: Option<&'static str>,
    /// To where.
    to: &'static str,
    /// Why, in the words of who moved it.
    #[schema(required = true)]
    reason: Option<String>,
}

impl ClaimSummary {
    pub(crate) fn of(ClaimShown { claim, today }: &ClaimShown) -> Self {
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
    pub(crate) fn of(view: &ClaimView, documents: &[ClaimDocument]) -> Self {
        let claim = &view.shown.claim;
        let notice = &claim.notice;
        let plain = |line: &PersonalLine| line.reveal().to_owned();
        let received = |id: &str| documents.iter().any(|document| document.paper.as_deref() == Some(id));
        let made = |made: &Move<ClaimState>| ClaimMove {
            at: made.at.to_string(),
            by: made.by.word(),
            from: made.from.map(ClaimState::word),
            to: made.to.word(),
            reason: made.reason.as_ref().map(plain),
        };
        ClaimDetail {
            summary: ClaimSummary::of(&view.shown),
            cause: plain(&notice.cause),
            place: notice.place.as_ref().map(plain),
            member: ClaimMember { number: notice.member, name: plain(&claim.member_name) },
            claimant: ClaimantShown {
                name: plain(&notice.claimant.name),
                relation: plain(&notice.claimant.relation),
                mobile: notice.claimant.phone.reveal().to_owned(),
                email: notice.claimant.email.as_ref().map(|email| email.reveal().to_owned()),
            },
            account: notice.account.as_ref().map(|account| AccountShown {
                holder: plain(&account.holder),
                number_ends_in: account.number.last_four().to_owned(),
                ifsc: account.ifsc.reveal().to_owned(),
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
                        .map(|waived| plain(&waived.reason)),
                })
                .collect(),
            documents: documents.iter().map(DocumentShown::of).collect(),
            paid: claim.paid.as_ref().map(|paid| ClaimPaid {
                reference: paid.reference.as_str().to_owned(),
                paid_on: paid.paid_on.to_string(),
                interest: paid.interest.to_string(),
            }),
            history: view.history.iter().map(made).collect(),
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
