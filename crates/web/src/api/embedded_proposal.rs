//! `/v1/embedded/proposal`: created, looked at, moved along (interface §5 to §7; D24 to D30, D43, D44).

use std::cell::Cell;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::context::key;
use domain::credit_life::{ProposalRequest, ProposalStatus, Submission};
use domain::date::Date;
use domain::id::{QuoteId, RecommendationId, kind};
use domain::person::Share;
use rust_decimal::Decimal;
use serde::Serialize;
use service::embedded_proposal::{ProposalState, ProposalView};
use service::idempotency::Answering;
use utoipa::ToSchema;

use super::context::context_noting;
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
        let proposed = Proposed::default();
        let (request, mut faults) =
            body.read_with_faults(|fields| proposal_request(fields, today, &proposed))?;
        let Some(request) = request.filter(|_| faults.0.is_empty()) else {
            // What is wrong with the quote is told in the same answer (D11).
            if let (Some(quote), recommendation) = proposed.get() {
                faults.0.extend(app.service.quote_faults(caller.partner, quote, recommendation).await?.0);
            }
            return Err(Problem::invalid(faults));
        };
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

/// What is proposed, as far as it could be read: known even where the rest of the body has faults.
type Proposed = Cell<(Option<QuoteId>, Option<RecommendationId>)>;

/// Reads the body of a proposal, by the day in Asia/Kolkata.
pub(crate) fn proposal_request(
    fields: &mut Fields<'_>,
    today: Date,
    proposed: &Proposed,
) -> Option<ProposalRequest> {
    let noted = Noted::default();
    let quote = fields.required("quote_id", IdText::<kind::Quote>::of("the id of one of your quotes"));
    let recommendation = fields.required(
        "recommendation_id",
        IdText::<kind::Recommendation>::of("the id of one of the quote's recommendations"),
    );
    proposed.set((quote, recommendation));
    let submission = fields.required("status", text::<Submission>());
    let proposer = fields.required("proposer", object(|fields| person(fields, Who::Proposer, today, &noted)));
    let insured = object(|fields| person(fields, Who::InsuredMember, today, &noted));
    let insured_members = fields.required("insured_members", list(insured, 1, MOST_PEOPLE));
    let nominee =
        fields.optional("nominee", list(object(|fields| nominee(fields, today, &noted)), 0, MOST_PEOPLE));
    let whole = shares_total(fields, &noted);
    let context = context_noting(fields, "context_data", &noted.told);
    let told = others_told(fields, &noted);
    (whole && told).then_some(())?;
    Some(ProposalRequest {
        quote: quote?,
        recommendation: recommendation?,
        submission: submission?,
        proposer: proposer?,
        insured_members: insured_members?,
        nominees: nominee?.unwrap_or_default(),
        context: context?,
    })
}

/// Judges whether the shares are above zero and total exactly 100, once every nominee's could be read (D26).
fn shares_total(fields: &mut Fields<'_>, noted: &Noted) -> bool {
    let shares = noted.shares.borrow();
    let all_read = fields.length_of("nominee") == Some(shares.len());
    let each = shares.iter().all(|share| Share::percent(*share).is_some());
    // Added only once each is at most a hundred: larger ones could not be added at all.
    let whole = each && shares.iter().sum::<Decimal>() == Share::WHOLE;
    let wrong = !shares.is_empty() && all_read && !whole;
    if wrong {
        let message = "Shares that are not each above 0 and together 100 were found; percentage_sharing of all nominees must total exactly 100.";
        fields.fault("nominee", message);
    }
    !wrong
}

/// Judges whether `OTHERS` is told in the context data (D27).
fn others_told(fields: &mut Fields<'_>, noted: &Noted) -> bool {
    let asked = [
        (noted.other_occupation.get(), key::OCCUPATION_OTHER, "occupation"),
        (noted.other_organization.get(), key::ORGANIZATION_OTHER, "organization"),
    ];
    let mut all_told = true;
    for (others, key, field) in asked {
        if others && !noted.told.borrow().iter().any(|told| told == key) {
            all_told = false;
            fields.fault("context_data", format!("An {field} of OTHERS was found without what it is; an entry with the key {key} is wanted."));
        }
    }
    all_told
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
