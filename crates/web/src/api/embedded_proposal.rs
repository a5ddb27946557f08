//! `/v1/embedded/proposal`: created, looked at, moved along (interface §5 to §7; D24 to D30, D43, D44).

use std::cell::Cell;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::context::key;
use domain::date::Date;
use domain::id::{QuoteId, RecommendationId, kind};
use domain::person::Share;
use domain::proposal::{ProposalRequest, ProposalStatus, Submission};
use rust_decimal::Decimal;
use serde::Serialize;
use service::embedded_proposal::{ProposalState, ProposalView};
use service::idempotency::Answering;
use utoipa::ToSchema;

use super::context::context;
use super::people::{Noted, Who, nominee, person};
use crate::answer::{Payload, json, keepable};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, ProposalRead, ProposalWrite};
use crate::error::Problem;
use crate::once::Once;
use crate::path::PathId;
use crate::reader::Fields;
use crate::shape::{IdText, list, object, text};

/// People of one list, at most.
const MOST_PEOPLE: usize = 50;

/// `POST /v1/embedded/proposal`: turns a quote's recommendation into a proposal (§5).
pub(crate) async fn post(
    State(app): State<App>,
    caller: Caller<ProposalWrite>,
    once: Once,
    body: Body,
) -> Result<Response, Problem> {
    once.or_replay(&app, caller.partner, &body, async |attempt| {
        let today = app.service.today();
        let request = body.read(|fields| proposal_request(fields, today))?;
        let make = |state: &ProposalState| {
            keepable(StatusCode::CREATED, &Payload { payload: StateAnswer::of(state) })
        };
        Ok(app.service.propose(caller.partner, request, Answering::new(attempt, &make)).await?)
    })
    .await
}

/// `GET /v1/embedded/proposal/{proposal_id}/status`: where a proposal stands (§6).
pub(crate) async fn get_status(
    State(app): State<App>,
    caller: Caller<ProposalRead>,
    id: PathId<kind::Proposal>,
) -> Result<Response, Problem> {
    let view = app.service.proposal_view(caller.partner, id.known("proposal")?).await?;
    Ok(json(StatusCode::OK, &Payload { payload: ViewAnswer::of(&view) }))
}

/// `PATCH /v1/embedded/proposal/{proposal_id}`: moves a proposal along (§7, D28).
pub(crate) async fn patch(
    State(app): State<App>,
    caller: Caller<ProposalWrite>,
    id: PathId<kind::Proposal>,
    once: Once,
    body: Body,
) -> Result<Response, Problem> {
    once.or_replay(&app, caller.partner, &body, async |attempt| {
        let next = body.read(next_status)?;
        let id = id.known("proposal")?;
        let make =
            |state: &ProposalState| keepable(StatusCode::OK, &Payload { payload: StateAnswer::of(state) });
        Ok(app.service.move_proposal(caller.partner, id, next, Answering::new(attempt, &make)).await?)
    })
    .await
}

/// Reads the body of a PATCH: `status` alone (D12).
pub(crate) fn next_status(fields: &mut Fields<'_>) -> Option<ProposalStatus> {
    let status = fields.required("status", text::<ProposalStatus>());
    fields.nothing_but(&["status"]);
    status
}

/// Reads the body of a proposal, by the day in Asia/Kolkata.
pub(crate) fn proposal_request(fields: &mut Fields<'_>, today: Date) -> Option<ProposalRequest> {
    let noted = Noted::default();
    let quote = fields.required("quote_id", IdText::<kind::Quote>::of("the id of one of your quotes: quo_…"));
    let recommendation = fields.required(
        "recommendation_id",
        IdText::<kind::Recommendation>::of("the id of one of the quote's recommendations: rec_…"),
    );
    let submission = fields.required("status", text::<Submission>());
    let proposer = fields.required("proposer", object(|fields| person(fields, Who::Proposer, today, &noted)));
    let insured = object(|fields| person(fields, Who::InsuredMember, today, &noted));
    let insured_members = fields.required("insured_members", list(insured, 1, MOST_PEOPLE));
    let nominees = Cell::new(0);
    let one = object(|fields| {
        nominees.set(nominees.get() + 1);
        nominee(fields, today, &noted)
    });
    let nominee = fields.optional("nominee", list(one, 0, MOST_PEOPLE));
    let whole = shares_total(fields, &noted, nominees.get());
    let context = context(fields, "context_data");
    let told = others_told(fields, &noted, context.as_ref());
    (whole && told).then_some(())?;
    let quote: QuoteId = quote?;
    let recommendation: RecommendationId = recommendation?;
    Some(ProposalRequest {
        quote,
        recommendation,
        submission: submission?,
        proposer: proposer?,
        insured_members: insured_members?,
        nominees: nominee?.unwrap_or_default(),
        context: context?,
    })
}

/// Judges whether the shares total exactly 100, once every nominee's could be read (D26).
fn shares_total(fields: &mut Fields<'_>, noted: &Noted, nominees: usize) -> bool {
    let shares = noted.shares.borrow();
    let total: Decimal = shares.iter().copied().sum();
    let wrong = nominees > 0 && shares.len() == nominees && total != Share::WHOLE;
    if wrong {
        fields.fault("nominee", "Shares that do not total 100 were found; percentage_sharing of all nominees must total exactly 100.");
    }
    !wrong
}

/// Judges whether `OTHERS` is told in the context data (D27).
fn others_told(fields: &mut Fields<'_>, noted: &Noted, context: Option<&domain::context::Context>) -> bool {
    let asked = [
        (noted.other_occupation.get(), key::OCCUPATION_OTHER, "occupation"),
        (noted.other_organization.get(), key::ORGANIZATION_OTHER, "organization"),
    ];
    let mut told = true;
    for (others, key, field) in asked {
        if others && context.is_some_and(|context| context.first(key).is_none()) {
            told = false;
            fields.fault("context_data", format!("An {field} of OTHERS was found without what it is; an entry with the key {key} is wanted."));
        }
    }
    told
}

/// A proposal and where it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct StateAnswer {
    /// Its id: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// One of DRAFT, PENDING, COMPLETED, REJECTED.
    #[schema(pattern = "^(DRAFT|PENDING|COMPLETED|REJECTED)$")]
    status: &'static str,
}

/// A proposal's status.
#[derive(Serialize, ToSchema)]
pub(crate) struct ViewAnswer<'a> {
    /// Its id: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// One of DRAFT, PENDING, COMPLETED, REJECTED.
    #[schema(pattern = "^(DRAFT|PENDING|COMPLETED|REJECTED)$")]
    status: &'static str,
    /// Download address of the certificate, valid for 10 minutes; present when the status is COMPLETED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    policy_url: Option<&'a str>,
}

impl StateAnswer {
    fn of(state: &ProposalState) -> Self {
        StateAnswer { proposal_id: state.id.to_string(), status: state.status.word() }
    }
}

impl<'a> ViewAnswer<'a> {
    fn of(ProposalView { state, policy_url }: &'a ProposalView) -> Self {
        ViewAnswer {
            proposal_id: state.id.to_string(),
            status: state.status.word(),
            policy_url: policy_url.as_deref(),
        }
    }
}
