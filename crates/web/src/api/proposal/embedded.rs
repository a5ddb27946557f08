//! `/v1/embedded/proposal`: creates and shows proposals, and changes their status (interface §5 to §7; D24 to
//! D30, D43, D44).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::context::key;
use domain::credit_life::{ProposalRequest, ProposalStatus, Submission};
use domain::date::Date;
use domain::id::{PartnerId, QuoteId, RecommendationId, kind};
use domain::person::Person;
use domain::premium::PremiumState;
use serde::Serialize;
use service::proposal::embedded::{ProposalDraft as Made, ProposalState, ProposalView};
use utoipa::ToSchema;

use crate::api::common::context::ContextDraft;
use crate::api::common::endpoint::{ANY_DAY, Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::common::people::{NomineeDraft, PersonDraft, Who, check_nominees, nominee, person};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, ProposalRead, ProposalWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::path::PathId;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{IdText, Items, describe, draft, items, named, text};

/// Maximum number of people in one list, such as the nominees.
pub(crate) const MOST_PEOPLE: usize = 50;

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/embedded/proposal",
    id: "createProposal",
    tag: "Credit protection",
    summary: "Create a proposal",
    description: "Makes a proposal from an item of a quote. The status DRAFT only saves the proposal. SUBMITTED submits it.",
    access: Access::Scope(Scope::ProposalWrite),
    takes: Some(Takes::Json {
        schema: || describe(|fields| ProposalDraft::read(fields, ANY_DAY)),
        example: example::proposal,
    }),
    gives: Gives::payload::<StateAnswer>(201, "The proposal."),
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Makes a proposal from an item of a quote (interface §5).
async fn post(
    State(app): State<App>,
    caller: Caller<ProposalWrite>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let request = proposal_request(&app, caller.partner, &body).await?;
    let proposals = &app.service.embedded_proposals;
    let draft = proposals.make(caller.partner, request).await;
    let show = |draft: &Made| StateAnswer::of(&draft.state);
    attempt
        .answer(&app, draft, StatusCode::CREATED, show, async |draft, kept| proposals.keep(draft, kept).await)
        .await
}

/// Reads the body of a proposal.
async fn proposal_request(app: &App, of: PartnerId, body: &Body) -> Result<ProposalRequest> {
    let today = app.service.policies.today_of(of);
    let mut draft = body.draft(|fields| ProposalDraft::read(fields, today))?;
    if let Some(quote) = draft.parts.quote
        && !draft.faults.0.is_empty()
    {
        // Also report what is wrong with the quote, so that one response has all faults (D11).
        let recommendation = draft.parts.recommendation;
        let faults = app.service.embedded_proposals.quote_faults(of, quote, recommendation).await?;
        draft.faults.0.extend(faults.0);
    }
    draft.finish(ProposalDraft::finish)
}

pub(super) static PUT: Endpoint = Endpoint {
    method: Verb::Put,
    path: "/v1/embedded/proposal/{proposal_id}",
    id: "replaceProposal",
    tag: "Credit protection",
    summary: "Replace a draft",
    description: "Replaces a proposal that has the status DRAFT. The body is that of a new proposal. SUBMITTED also submits it.",
    access: Access::Scope(Scope::ProposalWrite),
    takes: Some(Takes::Json {
        schema: || describe(|fields| ProposalDraft::read(fields, ANY_DAY)),
        example: example::proposal,
    }),
    gives: Gives::payload::<StateAnswer>(200, "The replaced proposal."),
    refuses: &[Code::S4000, Code::R4040],
    idempotent: true,
    handler: || answered_by(put),
    ..Endpoint::PLAIN
};

/// Replaces a draft (D147).
async fn put(
    State(app): State<App>,
    caller: Caller<ProposalWrite>,
    id: PathId<kind::Proposal>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let request = proposal_request(&app, caller.partner, &body).await?;
    let id = id.known("proposal")?;
    let proposals = &app.service.embedded_proposals;
    let draft = proposals.replace(caller.partner, id, request).await;
    let show = |draft: &Made| StateAnswer::of(&draft.state);
    attempt
        .answer(&app, draft, StatusCode::OK, show, async |draft, kept| proposals.keep(draft, kept).await)
        .await
}

pub(super) static STATUS: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/embedded/proposal/{proposal_id}/status",
    id: "getProposalStatus",
    tag: "Credit protection",
    summary: "Get a proposal's status",
    description: "Returns the status of a proposal. A COMPLETED proposal has a download address of its certificate, valid for 10 minutes.",
    access: Access::Scope(Scope::ProposalRead),
    gives: Gives::payload::<ViewAnswer<'static>>(200, "The status."),
    refuses: &[Code::R4040],
    handler: || answered_by(get_status),
    ..Endpoint::PLAIN
};

/// Shows the status of a proposal (interface §6).
async fn get_status(
    State(app): State<App>,
    caller: Caller<ProposalRead>,
    id: PathId<kind::Proposal>,
) -> Result<Response> {
    let view = app.service.embedded_proposals.view(caller.partner, id.known("proposal")?).await?;
    Ok(json(StatusCode::OK, &Payload { payload: ViewAnswer::of(&view) }))
}

pub(super) static PATCH: Endpoint = Endpoint {
    method: Verb::Patch,
    path: "/v1/embedded/proposal/{proposal_id}",
    id: "updateProposal",
    tag: "Credit protection",
    summary: "Update a proposal",
    description: "Changes the status of a proposal: DRAFT to PENDING or REJECTED, PENDING to COMPLETED or REJECTED. COMPLETED issues the policy.",
    access: Access::Scope(Scope::ProposalWrite),
    takes: Some(Takes::Json { schema: || describe(next_status), example: example::next_status }),
    gives: Gives::payload::<StateAnswer>(200, "The new status."),
    refuses: &[Code::S4000, Code::R4040],
    idempotent: true,
    handler: || answered_by(patch),
    ..Endpoint::PLAIN
};

/// Changes the status of a proposal (interface §7; D28).
async fn patch(
    State(app): State<App>,
    caller: Caller<ProposalWrite>,
    id: PathId<kind::Proposal>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let next = body.read(next_status)?;
    let id = id.known("proposal")?;
    let proposals = &app.service.embedded_proposals;
    let draft = proposals.make_move(caller.partner, id, next).await;
    let show = |draft: &Made| StateAnswer::of(&draft.state);
    attempt
        .answer(&app, draft, StatusCode::OK, show, async |draft, kept| proposals.keep(draft, kept).await)
        .await
}

/// Reads the body of a status change, which has only the field `status` (D12).
pub(crate) fn next_status(fields: &mut Fields<'_>) -> Option<ProposalStatus> {
    let status = fields.required("status", text::<ProposalStatus>());
    fields.nothing_but(&["status"]);
    status
}

/// Parsed body of a proposal, possibly with faults.
pub(crate) struct ProposalDraft {
    quote: Option<QuoteId>,
    recommendation: Option<RecommendationId>,
    submission: Option<Submission>,
    proposer: Option<PersonDraft>,
    insured_members: Option<Items<PersonDraft>>,
    nominees: Option<Items<NomineeDraft>>,
    context: ContextDraft,
}

impl ProposalDraft {
    /// Reads the body of a proposal. `today` is the day in Asia/Kolkata.
    pub(crate) fn read(fields: &mut Fields<'_>, today: Date) -> Self {
        let quote = fields.required("quote_id", IdText::<kind::Quote>::of("the id of one of your quotes"));
        let recommendation = fields.required(
            "recommendation_id",
            IdText::<kind::Recommendation>::of("the id of one of the quote's recommendations"),
        );
        let submission = fields.required("status", text::<Submission>());
        let proposer = named("Proposer", draft(|fields| person(fields, Who::Proposer, today)));
        let proposer = fields.required("proposer", proposer);
        let insured = named("InsuredMember", draft(|fields| person(fields, Who::InsuredMember, today)));
        let insured_members = fields.required("insured_members", items(insured, 1, MOST_PEOPLE));
        let nominee = named("Nominee", draft(|fields| nominee(fields, today)));
        let nominees =
            fields.optional("nominee", items(nominee, 0, MOST_PEOPLE)).map(Option::unwrap_or_default);
        // If an insured person has a fault, nominees are not compared with insured people.
        let insured: Option<Vec<&Person>> = insured_members
            .as_ref()
            .and_then(|items| items.all().map(|draft| draft.and_then(PersonDraft::read)).collect());
        check_nominees(fields, "nominee", nominees.as_ref(), &insured.unwrap_or_default(), today);
        let context = ContextDraft::read(fields, "context_data");
        let draft =
            ProposalDraft { quote, recommendation, submission, proposer, insured_members, nominees, context };
        draft.check_others(fields);
        draft
    }

    /// Checks that the context data describes each field with the value `OTHERS` (D27).
    fn check_others(&self, fields: &mut Fields<'_>) {
        let people = || self.proposer.iter().chain(self.insured_members.iter().flat_map(Items::read));
        let others = [
            (people().any(PersonDraft::has_other_occupation), key::OCCUPATION_OTHER, "occupation"),
            (people().any(PersonDraft::has_other_organization), key::ORGANIZATION_OTHER, "organization"),
        ];
        for (others, key, field) in others {
            if others && !self.context.tells(key) {
                fields.fault(
                    "context_data",
                    format!(
                        "Required because {field} is OTHERS: an entry with the key {key} that describes it."
                    ),
                );
            }
        }
    }

    /// Returns the proposal request, or `None` if a part has a fault.
    pub(crate) fn finish(self) -> Option<ProposalRequest> {
        Some(ProposalRequest {
            quote: self.quote?,
            recommendation: self.recommendation?,
            submission: self.submission?,
            proposer: self.proposer?.finish()?,
            insured_members: self.insured_members?.finish(PersonDraft::finish)?,
            nominees: self.nominees?.finish(NomineeDraft::finish)?,
            context: self.context.finish()?,
        })
    }
}

/// Result of making a proposal or changing its status.
#[derive(Serialize, ToSchema)]
pub(crate) struct StateAnswer {
    /// Id of the proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Status of the proposal: DRAFT, PENDING, COMPLETED or REJECTED.
    #[schema(pattern = "^(DRAFT|PENDING|COMPLETED|REJECTED)$")]
    status: &'static str,
}

/// Status of a proposal, with the certificate's address and the state of the premium.
#[derive(Serialize, ToSchema)]
pub(crate) struct ViewAnswer<'a> {
    /// Id of the proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Status of the proposal: DRAFT, PENDING, COMPLETED or REJECTED.
    #[schema(pattern = "^(DRAFT|PENDING|COMPLETED|REJECTED)$")]
    status: &'static str,
    /// Download address of the certificate, valid for 10 minutes. Present only if the status is COMPLETED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    policy_url: Option<&'a str>,
    /// State of the premium, present only while the policy waits for it: `due`, `received`, or `mismatch` if
    /// a wrong amount was received.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^(due|received|mismatch)$")]
    premium: Option<&'static str>,
}

impl StateAnswer {
    fn of(state: &ProposalState) -> Self {
        StateAnswer { proposal_id: state.id.to_string(), status: state.status.word() }
    }
}

impl<'a> ViewAnswer<'a> {
    fn of(ProposalView { state, policy_url, premium }: &'a ProposalView) -> Self {
        ViewAnswer {
            proposal_id: state.id.to_string(),
            status: state.status.word(),
            policy_url: policy_url.as_deref(),
            premium: premium.map(PremiumState::word),
        }
    }
}
