//! `GET /v1/renewals`, `POST /v1/policies/{policy_id}/renewal-quote` and `…/renewal`: lists policies to
//! renew, calculates the premium of a renewal, and renews a policy (D91).

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
use crate::shape::{WholeNumber, describe, described};
use crate::sight::Sight;

const YEARS: &str = "a whole number of years, such as 1";

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/renewals",
    id: "listRenewals",
    tag: "Policies",
    summary: "List policies to renew",
    description: "Lists your health policies that can be renewed, now or later, and are neither renewed nor cancelled. The policy that ends first comes first. Filter by last day of cover. Without a filter, it lists policies whose first reminder is due, and policies in their days of grace. `notice` is the latest reminder that is due: usually 45, 30, 15 or 1 day before the end of cover.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(renewal_parameters)),
    gives: Gives::json::<RenewalPage>(200, "A page of policies to renew."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's policies that can be renewed.
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
    description: "Returns the premium of the same plan for the same people for another term. The premium is exact to the paisa, and uses today's rates and the ages on the first day of the renewal. The response has every step of the calculation, and says how much of the waiting period is over. Changes nothing. Without `years`, the term is as before.",
    access: Access::Scope(Scope::PolicyRead),
    takes: Some(Takes::Json { schema: || describe(ask), example: example::renewal_quote }),
    gives: Gives::payload::<RenewalQuoteShown>(200, "The premium of the renewal."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090, Code::E5030],
    handler: || answered_by(quote),
    ..Endpoint::PLAIN
};

/// Calculates the premium if the policy were renewed today.
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
    description: "Makes a proposal for another term. Read the proposal with `GET /v1/proposals/{proposal_id}`. The proposal is decided like the product's other proposals. The new policy is issued after acceptance and receipt of the premium. The old policy is then RENEWED and covers until its last day. `premium` is the total of the quote. If the premium has changed since the quote, the response is S4090 and nothing changes. A policy can have only one open renewal.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(request), example: example::renewal }),
    gives: Gives::payload::<RenewalAnswer>(201, "The proposal of the renewal is made."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090, Code::E5030],
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Makes the proposal for a renewal.
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

/// Reads `years`, the requested length of the renewal. Outer `None`: a fault. Inner `None`: an absent field.
#[expect(clippy::option_option, reason = "nothing was read, or no years were asked for")]
fn years(fields: &mut Fields<'_>) -> Option<Option<u8>> {
    let years = fields.optional("years", WholeNumber { wanted: YEARS })?;
    Some(years.map(|years| u8::try_from(years).unwrap_or(u8::MAX)))
}

/// Reads the body of a renewal quote: only the optional `years`.
#[expect(clippy::option_option, reason = "nothing was read, or no years were asked for")]
fn ask(fields: &mut Fields<'_>) -> Option<Option<u8>> {
    let years = years(fields);
    fields.nothing_but(&["years"]);
    years
}

/// Reads the body of a renewal. Returns the requested years and the premium that the partner expects.
fn request(fields: &mut Fields<'_>) -> Option<(Option<u8>, Rupees)> {
    let years = years(fields);
    let premium = fields.required(
        "premium",
        described::<PlainAmount>("Premium of the renewal quote, in rupees. Another premium is refused."),
    );
    fields.nothing_but(&["years", "premium"]);
    Some((years?, premium?.0))
}

/// A page of policies to renew.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalPage {
    /// Policies of this page, by last day of cover, earliest first.
    policies: Vec<RenewalDueShown>,
    #[serde(flatten)]
    ends: UncountedEnds,
}

/// A policy that can be renewed, now or later.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalDueShown {
    #[serde(flatten)]
    policy: PolicySummary,
    /// First day on which the policy can be renewed. `null` if the catalogue no longer has renewal rules for
    /// this policy.
    #[schema(required = true, format = "date")]
    renewable_from: Option<String>,
    /// Last day on which the policy can be renewed: the last of its days of grace.
    #[schema(format = "date")]
    renewable_until: String,
    /// Latest renewal reminder that is due, in days before the end of cover, such as 30. `null` before the
    /// first reminder, and after the end of cover.
    #[schema(required = true)]
    notice: Option<u16>,
}

impl RenewalDueShown {
    fn of(due: &RenewalDue) -> Self {
        RenewalDueShown {
            policy: PolicySummary::of(&due.shown, &Sight::Partner),
            renewable_from: due.from.map(|day| day.to_string()),
            renewable_until: due.until.to_string(),
            notice: due.notice,
        }
    }
}

/// Premium if the policy were renewed today.
#[derive(Serialize, ToSchema)]
pub struct RenewalQuoteShown {
    /// Id of the policy that is renewed: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Length of the new cover, in years.
    years: u8,
    /// First day of the new cover, if the premium is received today. It is the day after the old policy's
    /// last day, or today if the old policy has already ended.
    #[schema(format = "date")]
    cover_starts: String,
    /// Last day of the new cover.
    #[schema(format = "date")]
    cover_ends: String,
    /// Days without cover between the old policy and its renewal. Zero if the old policy has not ended.
    days_without_cover: u32,
    /// Last day on which the policy can be renewed: the last of its days of grace.
    #[schema(format = "date")]
    renewable_until: String,
    /// Sum insured of the renewal, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// Amount of each year's bills that the customer pays first, in rupees. Zero if the plan has no
    /// deductible.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    deductible: String,
    /// Part of each claim that the customer pays, in percent.
    copay_percent: u8,
    /// Premium of the renewal, without and with tax.
    premium: PremiumSplit,
    /// Premium of the policy that is renewed, without and with tax.
    premium_before: PremiumSplit,
    /// Steps of the premium's calculation, in order. Empty if the insurer calculated the premium.
    steps: Vec<RefundStep>,
    /// Day since which the members have had cover without a gap.
    #[schema(format = "date")]
    covered_since: String,
    /// Waiting period for pre-existing diseases: its length, and how much of it is over.
    waiting_period: WaitingPeriodShown,
    /// Source of the renewal rules, such as a regulation, as the catalogue cites it.
    source: String,
    /// Who decides the renewal's proposal. If `straight-through`, nobody: the policy is issued as soon as its
    /// premium is received.
    #[schema(pattern = "^(partner|operator|insurer|straight-through)$")]
    confirmed_by: &'static str,
    /// How the premium reaches the insurer: `deposit` (from a deposit with the insurer), `link` (the
    /// insurer's payment link), `here` (a payment page of this service) or `partner` (you collect and pay
    /// it).
    #[schema(pattern = "^(deposit|link|here|partner)$")]
    paid_by: &'static str,
}

/// Waiting period for pre-existing diseases, as of the first day of a renewal.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingPeriodShown {
    /// Length of the waiting period, in months of cover. Zero if there is no waiting period.
    months: u16,
    /// Months of the waiting period that are over on the first day of the renewal, including months with
    /// another insurer.
    served_months: u16,
    /// First day on which pre-existing diseases are covered.
    #[schema(format = "date")]
    over_on: String,
}

impl WaitingPeriodShown {
    fn of(WaitingPeriod { months, served, over_on }: WaitingPeriod) -> Self {
        WaitingPeriodShown { months, served_months: served, over_on: over_on.to_string() }
    }
}

impl RenewalQuoteShown {
    /// The quote as the partners' API shows it.
    pub fn of(quote: &RenewalQuote) -> Self {
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

/// Result of renewing a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalAnswer {
    /// Id of the renewal's proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Address of the page where your customer sees the status, and pays if the premium is paid online. The
    /// address works for 90 days. `null` if hosted pages are off.
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
