//! `GET /v1/policies` and `GET /v1/policies/{policy_id}`: a partner's policies of both lines of business
//! (D66, D67).
//!
//! Uses `common`, `proposal`.

pub(crate) mod cancellation;
pub(crate) mod certificate_check;
pub(crate) mod document;
pub(crate) mod endorsement;
pub(crate) mod health;
pub(crate) mod renewal;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::cancellation::Cancellation;
use domain::endorsement::Endorsement;
use domain::id::kind;
use domain::money::Rupees;
use domain::policy_state::PolicyState;
use domain::refund::{OwedRefund, RefundPayment};
use serde::Serialize;
use service::line::Covered;
use service::policy::{PolicyShown, PolicyView};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{PageEnds, list_ask, policy_parameters};
use crate::api::common::premium::PremiumSplit;
use crate::app::App;
use crate::caller::{Caller, PolicyRead};
use crate::error::{Code, Result};
use crate::path::PathId;
use crate::query::Query;
use crate::response::{Payload, json};
use crate::shape::describe;
use crate::sight::{Masked, Sight};

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &LIST,
    &GET,
    &document::GET,
    &cancellation::QUOTE,
    &cancellation::POST,
    &endorsement::QUOTE,
    &endorsement::POST,
    &renewal::LIST,
    &renewal::QUOTE,
    &renewal::POST,
    &health::LIST,
    &health::GET,
];

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/policies",
    id: "listPolicies",
    tag: "Policies",
    summary: "List policies",
    description: "Lists your policies of both lines of business by day of issue, newest first. Filter by days and status, by session, or by reference. Without a filter, it lists all policies.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(policy_parameters)),
    gives: Gives::json::<PolicyPage>(200, "A page of policies."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's policies.
async fn list(State(app): State<App>, caller: Caller<PolicyRead>, query: Query) -> Result<Response> {
    let page = app.service.policies.list(caller.partner, list_ask(query, policy_parameters)).await?;
    let (ends, records) = PageEnds::of(page);
    let answer = PolicyPage {
        policies: records.iter().map(|policy| PolicySummary::of(policy, &Sight::Partner)).collect(),
        ends,
    };
    Ok(json(StatusCode::OK, &answer))
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/policies/{policy_id}",
    id: "getPolicy",
    tag: "Policies",
    summary: "Get a policy",
    description: "Returns a policy with all its data: status, cover, insured people, premium, addresses of documents with a new address of the certificate, endorsements, cancellation, and what you can do next.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<PolicyDetail>(200, "The policy."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's policies.
async fn get(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Policy>,
) -> Result<Response> {
    let id = id.known("policy")?;
    let view = app.service.policies.view(caller.partner, id).await?;
    Ok(json(StatusCode::OK, &Payload { payload: PolicyDetail::of(&view, &Sight::Partner) }))
}

/// A page of policies.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyPage {
    /// Policies of this page, newest first.
    policies: Vec<PolicySummary>,
    #[serde(flatten)]
    ends: PageEnds,
}

/// Summary of a policy. Amounts are rupees with two decimals, as text. Days are `YYYY-MM-DD` in Asia/Kolkata.
#[derive(Serialize, ToSchema)]
pub struct PolicySummary {
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Policy number of this service, as on the certificate.
    policy_number: String,
    /// Policy number of the insurer. `null` if the insurer has no number of its own, or has not sent it yet.
    #[schema(required = true)]
    insurer_policy_number: Option<String>,
    /// Line of business: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Name of the insurer.
    insurer: String,
    /// Name of the product.
    product: String,
    /// Name of the variant.
    variant: String,
    /// Status of the policy today.
    #[schema(pattern = "^(ISSUED|CANCELLATION_REQUESTED|CANCELLED|LAPSED|EXPIRED|RENEWED|TERMINATED)$")]
    status: &'static str,
    /// Time since which the policy has this status.
    #[schema(format = "date-time")]
    status_since: String,
    /// Time when the policy was issued.
    #[schema(format = "date-time")]
    issued_at: String,
    /// First day of cover. `null` for an imported policy whose record does not have this day.
    #[schema(required = true, format = "date")]
    cover_starts: Option<String>,
    /// Last day of cover.
    #[schema(format = "date")]
    cover_ends: String,
    /// Sum insured at the start of cover, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// Premium of the policy, without and with tax.
    premium: PremiumSplit,
    /// Id of the proposal from which the policy was issued. `null` for an imported policy.
    #[schema(required = true)]
    proposal_id: Option<String>,
    /// Id of the session in which the policy was sold. `null` if there was no session.
    #[schema(required = true)]
    session_id: Option<String>,
    /// Your reference for the sale, such as the loan account number.
    #[schema(required = true, value_type = Option<String>)]
    reference: Option<Masked>,
}

/// A policy with all its data.
#[derive(Serialize, ToSchema)]
pub struct PolicyDetail {
    #[serde(flatten)]
    summary: PolicySummary,
    /// Id of the quote from which the policy was sold. `null` if unknown.
    #[schema(required = true)]
    quote_id: Option<String>,
    /// Id of the variant in the catalogue.
    variant_id: String,
    /// Unique identification number (UIN) of the product. `null` for an imported policy.
    #[schema(required = true)]
    uin: Option<String>,
    /// How the premium reached the insurer: `deposit` (from a deposit with the insurer), `link` (the
    /// insurer's payment link), `here` (a payment page of this service) or `partner` (you collected and paid
    /// it). `null` for an imported policy.
    #[schema(required = true)]
    paid_by: Option<&'static str>,
    /// People whom the policy covers.
    members: Vec<PolicyMember>,
    /// Sum insured in each policy year, if it decreases over time. Empty if it stays the same.
    cover_schedule: Vec<CoverYear>,
    /// Download addresses of the policy's documents.
    papers: PolicyPapers,
    /// Every status change after the issue of the policy, oldest first.
    history: Vec<PolicyMove>,
    /// Latest request to cancel the policy. `null` if there was none.
    #[schema(required = true)]
    cancellation: Option<CancellationShown>,
    /// Claims on this policy, oldest first.
    claims: Vec<ClaimRef>,
    /// What claims can still use of each benefit, today or, after the end of cover, on its last day. Empty if claims must be
    /// reported to the insurer.
    cover_left: Vec<CoverLeftShown>,
    /// All requested endorsements, oldest first.
    endorsements: Vec<EndorsementShown>,
    /// Kinds of endorsement that you can request now. An endorsement quote checks further rules.
    may_endorse: Vec<&'static str>,
    /// When the policy can be renewed, and the policies before and after it.
    renewal: RenewalShown,
    /// Kinds of claim that you can report. Empty if claims must be reported to the insurer.
    may_claim_for: Vec<&'static str>,
    /// Reasons for which you can cancel the policy now. A cancellation quote checks further rules of each
    /// reason.
    may_cancel_for: Vec<&'static str>,
}

/// Benefit for one kind of claim: the full amount, and the part that can still be approved today.
#[derive(Serialize, ToSchema)]
pub(crate) struct CoverLeftShown {
    /// Kind of claim for which the benefit pays.
    #[schema(pattern = "^(DEATH|DISABILITY|HOSPITALISATION|OTHER)$")]
    kind: &'static str,
    /// Number of the insured member with this benefit, from 1. `null` if all members share the benefit.
    #[schema(required = true)]
    member: Option<u16>,
    /// Day of the amounts: today, or the last day of cover.
    #[schema(format = "date")]
    on: String,
    /// Full amount of the benefit, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    most: String,
    /// Part of the benefit that is left after approved claims, in rupees. Other kinds of claim can reduce it,
    /// too, because benefits can share one sum.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    left: String,
}

/// When a policy can be renewed, and the policies before and after it.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalShown {
    /// Whether the policy can be renewed now.
    may_renew: bool,
    /// First day on which the policy can be renewed. `null` if it cannot be renewed.
    #[schema(required = true, format = "date")]
    renewable_from: Option<String>,
    /// Last day on which the policy can be renewed: the last of its days of grace. `null` if it cannot be
    /// renewed.
    #[schema(required = true, format = "date")]
    renewable_until: Option<String>,
    /// Id of the policy that this policy renews. `null` if this policy is not a renewal.
    #[schema(required = true)]
    renews: Option<String>,
    /// Id of the policy that renews this policy. `null` if there is none.
    #[schema(required = true)]
    renewed_by: Option<String>,
    /// Day since which the members have had cover without a gap. `null` if this policy is not a renewal.
    #[schema(required = true, format = "date")]
    covered_since: Option<String>,
}

impl RenewalShown {
    fn of(view: &PolicyView) -> Self {
        let (renews, renewed_by) = (view.shown.policy.renews(), view.shown.policy.renewed_by);
        RenewalShown {
            may_renew: view.may_renew,
            renewable_from: view.renewable.map(|days| days.first.to_string()),
            renewable_until: view.renewable.map(|days| days.last.to_string()),
            renews: renews.map(|renewal| renewal.policy.to_string()),
            renewed_by: renewed_by.map(|policy| policy.to_string()),
            covered_since: renews.map(|renewal| renewal.covered_since.to_string()),
        }
    }
}

/// An endorsement that was requested for a policy.
#[derive(Serialize, ToSchema)]
pub struct EndorsementShown {
    /// Number of this endorsement among all endorsements of the policy, from 1.
    number: u16,
    /// Kind of endorsement.
    #[schema(pattern = "^(NOMINEE|CONTACT|NAME|DATE_OF_BIRTH|LOAN_ACCOUNT|ASSIGNMENT|COVER_REDUCTION)$")]
    kind: &'static str,
    /// Number of the member whose data changes, from 1. `null` if the endorsement changes the policy itself.
    #[schema(required = true)]
    member: Option<u16>,
    /// Status of the endorsement.
    #[schema(pattern = "^(REQUESTED|MADE|REFUSED)$")]
    status: &'static str,
    /// Time when the endorsement was requested.
    #[schema(format = "date-time")]
    asked_at: String,
    /// Who requested the endorsement.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    asked_by: &'static str,
    /// Time when the endorsement was made or refused. `null` until then.
    #[schema(required = true, format = "date-time")]
    decided_at: Option<String>,
    /// Reason for the refusal, in the words of the party that refused. `null` if the endorsement was not
    /// refused.
    #[schema(required = true, value_type = Option<String>)]
    reason: Option<Masked>,
    /// Amount that must be paid to the insurer before the endorsement is made. Usually zero.
    charge: PremiumSplit,
    /// Amount that the insurer refunds after the endorsement is made. Usually zero.
    refund: PremiumSplit,
    /// Part of the refund, in rupees, that goes back to the deposit from which the premium was paid. Absent
    /// if the insured gets the whole refund.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    refund_to_deposit: Option<String>,
    /// Day by which the insurer must pay the refund. `null` if the insurer owes no refund.
    #[schema(required = true, format = "date")]
    refund_due_on: Option<String>,
    /// Payment of the refund. `null` until the insurer pays it.
    #[schema(required = true)]
    refund_paid: Option<RefundPaid>,
}

impl EndorsementShown {
    /// The endorsement as the partners' API shows it.
    pub fn of(endorsement: &Endorsement, sight: &Sight<'_>) -> Self {
        let refund = endorsement.refund.as_ref();
        let owed = refund.filter(|refund| endorsement.is_made() && refund.owed() > Rupees::ZERO);
        EndorsementShown {
            number: endorsement.number,
            kind: endorsement.change.kind().word(),
            member: endorsement.change.member(),
            status: endorsement.state.word(),
            asked_at: endorsement.asked_at.to_string(),
            asked_by: endorsement.asked_by.word(),
            decided_at: endorsement.decided_at.map(|at| at.to_string()),
            reason: endorsement.reason.as_ref().map(|reason| sight.text("reason", reason)),
            charge: PremiumSplit::of(endorsement.charge),
            refund: PremiumSplit::of(refund.map(|refund| refund.amount).unwrap_or_default()),
            refund_to_deposit: refund.and_then(OwedRefund::back_to_deposit).map(|back| back.to_string()),
            refund_due_on: owed.map(|refund| refund.due_on.to_string()),
            refund_paid: refund.and_then(|refund| refund.paid.as_ref()).map(RefundPaid::of),
        }
    }
}

/// A claim on this policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimRef {
    /// Id of the claim: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// Kind of claim.
    #[schema(pattern = "^(DEATH|DISABILITY|HOSPITALISATION|OTHER)$")]
    kind: &'static str,
    /// Status of the claim.
    #[schema(
        pattern = "^(INTIMATED|UNDER_ASSESSMENT|UNDER_INVESTIGATION|APPROVED|PAID|REJECTED|REPUDIATED|WITHDRAWN)$"
    )]
    status: &'static str,
}

/// A person whom the policy covers.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyMember {
    /// Full name of the person.
    #[schema(value_type = String)]
    name: Masked,
    /// Date of birth of the person.
    #[schema(format = "date", value_type = String)]
    date_of_birth: Masked,
    /// Relationship of the person to the proposer. `null` if the line of business does not record it.
    #[schema(required = true, value_type = Option<String>)]
    relationship: Option<Masked>,
}

/// Sum insured in one policy year.
#[derive(Serialize, ToSchema)]
pub(crate) struct CoverYear {
    /// Number of the policy year, from 1.
    year: u32,
    /// Sum insured at the start of this policy year, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
}

/// Download addresses of a policy's documents.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyPapers {
    /// Download address of the certificate, valid for 10 minutes. `null` for an imported policy.
    #[schema(required = true, format = "uri", value_type = Option<String>)]
    certificate: Option<Masked>,
    /// Address of the policy wording, which has all terms and conditions.
    #[schema(required = true, format = "uri")]
    policy_wording: Option<String>,
    /// Address of the product's brochure.
    #[schema(required = true, format = "uri")]
    brochure: Option<String>,
    /// Address of the product's Customer Information Sheet.
    #[schema(required = true, format = "uri")]
    customer_information_sheet: Option<String>,
}

/// A status change of a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyMove {
    /// Time of the status change.
    #[schema(format = "date-time")]
    at: String,
    /// Who changed the status: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    by: &'static str,
    /// Status before the change.
    #[schema(pattern = "^(ISSUED|CANCELLATION_REQUESTED|CANCELLED|LAPSED|EXPIRED|RENEWED|TERMINATED)$")]
    from: &'static str,
    /// Status after the change.
    #[schema(pattern = "^(ISSUED|CANCELLATION_REQUESTED|CANCELLED|LAPSED|EXPIRED|RENEWED|TERMINATED)$")]
    to: &'static str,
    /// Reason for the change, in the words of the party in `by`. `null` if none was given.
    #[schema(required = true, value_type = Option<String>)]
    reason: Option<Masked>,
}

/// A request to cancel a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct CancellationShown {
    /// Reason for which the cancellation was requested.
    reason: &'static str,
    /// Time when the cancellation was requested. If the cancellation is confirmed, this day in Asia/Kolkata
    /// is the last day of cover.
    #[schema(format = "date-time")]
    asked_at: String,
    /// Who requested the cancellation.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    asked_by: &'static str,
    /// Result of the request. `requested`: not decided yet, so the policy still covers. `confirmed`: the
    /// policy is cancelled. `refused`: the policy continues.
    #[schema(pattern = "^(requested|confirmed|refused)$")]
    outcome: &'static str,
    /// Amount that the insurer refunds if the cancellation is confirmed.
    refund: PremiumSplit,
    /// Part of the refund, in rupees, that goes back to the deposit from which the premium was paid. Absent
    /// if the insured gets the whole refund.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    refund_to_deposit: Option<String>,
    /// Part of the refund, in rupees, that is owed to nobody, because the bank took the payment back. Absent if it did
    /// not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    refund_bounced: Option<String>,
    /// Day by which the insurer must pay the refund. `null` if the insurer owes no refund.
    #[schema(required = true, format = "date")]
    refund_due_on: Option<String>,
    /// Payment of the refund. `null` until the insurer pays it.
    #[schema(required = true)]
    refund_paid: Option<RefundPaid>,
}

/// Payment of a refund by the insurer.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundPaid {
    /// Reference of the payment, such as the bank's UTR.
    reference: String,
    /// Day of the payment.
    #[schema(format = "date")]
    paid_on: String,
    /// Interest for late payment, in rupees, in addition to the refund.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    interest: String,
}

impl PolicySummary {
    /// The policy as the receiver may see it.
    pub fn of(shown: &PolicyShown, sight: &Sight<'_>) -> Self {
        let Covered { insurer, product_name, variant_name, starts, .. } = &shown.covered;
        let policy = &shown.policy;
        PolicySummary {
            policy_id: policy.id.to_string(),
            policy_number: policy.number.to_string(),
            insurer_policy_number: policy.insurer_number.as_ref().map(ToString::to_string),
            line: policy.line().word(),
            insurer: insurer.clone(),
            product: product_name.clone(),
            variant: variant_name.clone(),
            status: shown.state().word(),
            status_since: shown.state_since().to_string(),
            issued_at: policy.issued_at.to_string(),
            cover_starts: starts.map(|day| day.to_string()),
            cover_ends: policy.last_day().to_string(),
            sum_insured: policy.sum_insured.to_string(),
            premium: PremiumSplit::of(policy.premium),
            proposal_id: policy.proposal.map(|proposal| proposal.to_string()),
            session_id: policy.session.map(|session| session.to_string()),
            reference: policy.reference.as_ref().map(|reference| sight.reference(reference)),
        }
    }
}

impl PolicyDetail {
    /// The policy as the receiver may see it.
    pub fn of(view: &PolicyView, sight: &Sight<'_>) -> Self {
        let PolicyView { shown, certificate, history, may_cancel_for, may_endorse, may_claim_for, .. } = view;
        let endorsements = &shown.policy.endorsements;
        let covered = &shown.covered;
        let product = covered.product.as_deref();
        let papers = product.map(|product| &product.papers);
        let state = shown.state();
        let cancellation = shown.policy.cancellation.as_ref();
        PolicyDetail {
            summary: PolicySummary::of(shown, sight),
            quote_id: covered.quote_id.clone(),
            variant_id: covered.variant_id.clone(),
            uin: product.map(|product| product.uin.clone()),
            paid_by: product.map(|product| product.premium.route().word()),
            members: covered
                .members
                .iter()
                .map(|member| PolicyMember {
                    name: sight.name("members", &member.name),
                    date_of_birth: sight.born("members", member.born),
                    relationship: member.relationship.as_ref().map(|word| sight.text("members", word)),
                })
                .collect(),
            cover_schedule: covered
                .schedule
                .iter()
                .map(|(year, cover)| CoverYear { year: *year, sum_insured: cover.to_string() })
                .collect(),
            papers: PolicyPapers {
                certificate: certificate.as_ref().map(|address| sight.any("papers", address)),
                policy_wording: papers.and_then(|papers| papers.policy_wording.clone()),
                brochure: papers.and_then(|papers| papers.brochure.clone()),
                customer_information_sheet: papers
                    .and_then(|papers| papers.customer_information_sheet.clone()),
            },
            history: history
                .iter()
                .map(|made| PolicyMove {
                    at: made.at.to_string(),
                    by: made.by.word(),
                    from: made.from.unwrap_or(PolicyState::Issued).word(),
                    to: made.to.word(),
                    reason: made.reason.as_ref().map(|reason| sight.text("reason", reason)),
                })
                .collect(),
            cancellation: cancellation.map(|cancellation| CancellationShown::of(cancellation, state)),
            claims: view
                .claims
                .iter()
                .map(|claim| ClaimRef {
                    claim_id: claim.id.to_string(),
                    kind: claim.notice.kind.word(),
                    status: claim.state.word(),
                })
                .collect(),
            cover_left: view
                .cover_left
                .iter()
                .map(|left| CoverLeftShown {
                    kind: left.kind.word(),
                    member: left.member,
                    on: left.on.to_string(),
                    most: left.most.to_string(),
                    left: left.left.to_string(),
                })
                .collect(),
            endorsements: endorsements.iter().map(|one| EndorsementShown::of(one, sight)).collect(),
            renewal: RenewalShown::of(view),
            may_endorse: may_endorse.iter().map(|kind| kind.word()).collect(),
            may_claim_for: may_claim_for.iter().map(|kind| kind.word()).collect(),
            may_cancel_for: may_cancel_for.iter().map(|reason| reason.word()).collect(),
        }
    }
}

impl CancellationShown {
    fn of(cancellation: &Cancellation, state: PolicyState) -> Self {
        let outcome = match (cancellation.confirmed_at, state) {
            (Some(_), _) => "confirmed",
            (None, PolicyState::CancellationRequested) => "requested",
            (None, _) => "refused",
        };
        let owed = cancellation.confirmed_refund().filter(|refund| refund.owed() > Rupees::ZERO);
        CancellationShown {
            reason: cancellation.reason.word(),
            asked_at: cancellation.asked_at.to_string(),
            asked_by: cancellation.asked_by.word(),
            outcome,
            refund: PremiumSplit::of(cancellation.refund.amount),
            refund_to_deposit: cancellation.refund.back_to_deposit().map(|back| back.to_string()),
            refund_bounced: cancellation.refund.bounced.map(|bounced| bounced.to_string()),
            refund_due_on: owed.map(|refund| refund.due_on.to_string()),
            refund_paid: cancellation.refund.paid.as_ref().map(RefundPaid::of),
        }
    }
}

impl RefundPaid {
    fn of(paid: &RefundPayment) -> Self {
        RefundPaid {
            reference: paid.reference.as_str().to_owned(),
            paid_on: paid.paid_on.to_string(),
            interest: paid.interest.to_string(),
        }
    }
}
