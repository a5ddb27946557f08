//! `GET /v1/renewals`, `POST /v1/policies/{policy_id}/renewal-quote` and `…/renewal`: which policies are due to be renewed, what a
//! renewal costs, and the proposal by which another policy follows (D91).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::id::{PartnerId, ProposalId, kind};
use domain::money::{PlainAmount, Rupees};
use domain::proposal::Actor;
use rating::Step;
use serde::Serialize;
use service::proposal::renewal::{RenewalDraft, RenewalDue, RenewalQuote, WaitingPeriod};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::common::list::{UncountedEnds, list_ask, renewal_parameters};
use crate::api::common::premium::PremiumSplit;
use crate::api::policy::PolicySummary;
use crate::api::policy::cancellation::RefundStep;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::journey::status_address;
use crate::path::PathId;
use crate::query::Query;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{WholeNumber, describe, text};

const YEARS: &str = "a whole number of years, such as 1,";

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/renewals",
    id: "listRenewals",
    tag: "Policies",
    summary: "List policies that are due to be renewed",
    description: "The partner's health policies that can be renewed today or from a day to come, neither renewed nor cancelled: those whose cover ends on some days, else within the earliest notice of the catalogue, and those in their days of grace. The one that ends first comes first. `notice` is the last notice that has come: 45, 30, 15 or 1 day before the end, as the catalogue says.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(renewal_parameters)),
    gives: Gives::json::<RenewalPage>(200, "A page of policies that are due."),
    guide: "policies.md#renewing-a-policy",
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's policies that are due.
async fn list(State(app): State<App>, caller: Caller<PolicyRead>, query: Query) -> Result<Response> {
    let page = app.service.renewals.due(caller.partner, list_ask(query, renewal_parameters)).await?;
    let (ends, records) = UncountedEnds::of_page(page);
    let answer = RenewalPage { policies: records.iter().map(RenewalDueShown::of).collect(), ends };
    Ok(json(StatusCode::OK, &answer))
}

pub(super) static QUOTE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/renewal-quote",
    id: "quoteRenewal",
    tag: "Policies",
    summary: "Quote a renewal",
    description: "What the same plan would cost the same people for another term, by the catalogue of today and with their ages of the first day: to the paisa and step by step, with the waiting period that they have served. Nothing changes. `years` is as long as before where it is left out.",
    access: Access::Scope(Scope::PolicyRead),
    takes: Some(Takes::Json { schema: || describe(ask), example: example::renewal_quote }),
    gives: Gives::payload::<RenewalQuoteShown>(200, "What it costs."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090, Code::E5030],
    guide: "policies.md#renewing-a-policy",
    handler: || answered_by(quote),
    ..Endpoint::PLAIN
};

/// Says what a renewal costs.
async fn quote(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Policy>,
    body: Body,
) -> Result<Response> {
    let years = body.read(ask)?;
    let quote = app.service.renewals.quote(caller.partner, id.known("policy")?, years).await?;
    Ok(json(StatusCode::OK, &Payload { payload: RenewalQuoteShown::of(&quote) }))
}

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/renewal",
    id: "renewPolicy",
    tag: "Policies",
    summary: "Renew a policy",
    description: "Makes a proposal for another term, which `GET /v1/proposals/{proposal_id}` shows like any other: it is decided like the product's other proposals, and its premium is received before the new policy is issued. The policy that it renews is then RENEWED and covers until its own last day. `premium` is the total of the quote: another amount on this day is S4090, and nothing changes. Of a policy one renewal at a time is under way.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(request), example: example::renewal }),
    gives: Gives::payload::<RenewalAnswer>(201, "The renewal's proposal was made."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090, Code::E5030],
    idempotent: true,
    guide: "policies.md#renewing-a-policy",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Renews a policy.
async fn post(
    State(app): State<App>,
    caller: Caller<PolicyWrite>,
    id: PathId<kind::Policy>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let (years, premium) = body.read(request)?;
    let id = id.known("policy")?;
    let renewals = &app.service.renewals;
    let draft = renewals.request(caller.partner, id, years, Some(premium), Actor::Partner).await;
    let show = |draft: &RenewalDraft| RenewalAnswer::of(&app, caller.partner, draft);
    attempt
        .answer(&app, draft, StatusCode::CREATED, show, async |draft, kept| renewals.keep(draft, kept).await)
        .await
}

/// Reads for how many years.
#[expect(clippy::option_option, reason = "nothing was read, or no years were asked for")]
fn years(fields: &mut Fields<'_>) -> Option<Option<u8>> {
    let years = fields.optional("years", WholeNumber { wanted: YEARS })?;
    Some(years.map(|years| u8::try_from(years).unwrap_or(u8::MAX)))
}

/// Reads what is asked of a quote.
#[expect(clippy::option_option, reason = "nothing was read, or no years were asked for")]
fn ask(fields: &mut Fields<'_>) -> Option<Option<u8>> {
    let years = years(fields);
    fields.nothing_but(&["years"]);
    years
}

/// Reads a request with what it expects to cost.
fn request(fields: &mut Fields<'_>) -> Option<(Option<u8>, Rupees)> {
    let years = years(fields);
    let premium = fields.required("premium", text::<PlainAmount>());
    fields.nothing_but(&["years", "premium"]);
    Some((years?, premium?.0))
}

/// A page of policies that are due.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalPage {
    /// The policies, the one that ends first before the others.
    policies: Vec<RenewalDueShown>,
    #[serde(flatten)]
    ends: UncountedEnds,
}

/// A policy that is due to be renewed.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalDueShown {
    #[serde(flatten)]
    policy: PolicySummary,
    /// First day on which it can be renewed. Null where the catalogue has no rules for it any more.
    #[schema(required = true, format = "date")]
    renewable_from: Option<String>,
    /// Last day on which it can be renewed: its grace ends then.
    #[schema(format = "date")]
    renewable_until: String,
    /// The last notice that has come, in days before the end of its cover. Null before the first one, and after the end.
    #[schema(required = true)]
    notice: Option<u16>,
}

impl RenewalDueShown {
    fn of(due: &RenewalDue) -> Self {
        RenewalDueShown {
            policy: PolicySummary::of(&due.shown),
            renewable_from: due.from.map(|day| day.to_string()),
            renewable_until: due.until.to_string(),
            notice: due.notice,
        }
    }
}

/// What a renewal costs today.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalQuoteShown {
    /// The policy that is renewed.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Years of cover.
    years: u8,
    /// First day of the new cover if the premium comes today: the day after the policy's last one, or today in its days of grace.
    #[schema(format = "date")]
    cover_starts: String,
    /// Last day of the new cover.
    #[schema(format = "date")]
    cover_ends: String,
    /// Days between the two policies on which nobody is covered; nought before the policy's last day.
    days_without_cover: u32,
    /// Last day on which the policy can be renewed.
    #[schema(format = "date")]
    renewable_until: String,
    /// Sum insured.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// Deductible in a year; nought for none.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    deductible: String,
    /// Part of every claim that the customer bears, in percent.
    copay_percent: u8,
    /// What it costs.
    premium: PremiumSplit,
    /// What the policy that is renewed costs.
    premium_before: PremiumSplit,
    /// How it came to this premium, in order. Empty where the insurer priced it.
    steps: Vec<RefundStep>,
    /// Since when its people are covered without a break.
    #[schema(format = "date")]
    covered_since: String,
    /// The waiting period for pre-existing diseases.
    waiting_period: WaitingPeriodShown,
    /// Where the rules of renewal come from.
    source: String,
    /// Who decides the renewal's proposal. `straight-through`: nobody, the policy is issued with its premium.
    #[schema(pattern = "^(partner|operator|insurer|straight-through)$")]
    confirmed_by: &'static str,
    /// How the premium reaches the insurer: `deposit`, `link`, `here` or `partner`.
    #[schema(pattern = "^(deposit|link|here|partner)$")]
    paid_by: &'static str,
}

/// A waiting period on the first day of a renewal.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingPeriodShown {
    /// Months of cover after which what waits is covered; nought for none.
    months: u16,
    /// How many of them are served then, with those that were brought along from another insurer.
    served_months: u16,
    /// The first day on which what waits is covered.
    #[schema(format = "date")]
    over_on: String,
}

impl WaitingPeriodShown {
    fn of(WaitingPeriod { months, served, over_on }: WaitingPeriod) -> Self {
        WaitingPeriodShown { months, served_months: served, over_on: over_on.to_string() }
    }
}

impl RenewalQuoteShown {
    pub(crate) fn of(quote: &RenewalQuote) -> Self {
        RenewalQuoteShown {
            policy_id: quote.policy.to_string(),
            years: quote.years,
            cover_starts: quote.period.starts.to_string(),
            cover_ends: quote.period.ends.to_string(),
            days_without_cover: quote.days_without_cover,
            renewable_until: quote.until.to_string(),
            sum_insured: quote.sum_insured.to_string(),
            deductible: quote.deductible.to_string(),
            copay_percent: quote.copay_percent,
            premium: PremiumSplit::of(quote.premium),
            premium_before: PremiumSplit::of(quote.before),
            steps: quote.steps.iter().map(|step: &Step| RefundStep::of(step)).collect(),
            covered_since: quote.covered_since.to_string(),
            waiting_period: WaitingPeriodShown::of(quote.waiting),
            source: quote.source.clone(),
            confirmed_by: quote.confirmed_by.word(),
            paid_by: quote.route.word(),
        }
    }
}

/// A renewal under way.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalAnswer {
    /// Its proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// The page where the customer reads how it stands, and pays where that is done here or by the insurer's link. It opens for 90
    /// days. Null where no pages are served.
    #[schema(required = true, format = "uri")]
    status_url: Option<String>,
    #[serde(flatten)]
    quote: RenewalQuoteShown,
}

impl RenewalAnswer {
    fn of(app: &App, of: PartnerId, draft: &RenewalDraft) -> Self {
        let proposal: ProposalId = draft.proposal;
        RenewalAnswer {
            proposal_id: proposal.to_string(),
            status_url: status_address(app, of, proposal),
            quote: RenewalQuoteShown::of(&draft.quote),
        }
    }
}
