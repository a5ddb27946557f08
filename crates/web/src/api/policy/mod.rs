//! `GET /v1/policies` and `GET /v1/policies/{policy_id}`: policies of every line as their partner reads them (D66, D67).
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
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::policy_state::PolicyState;
use domain::refund::{OwedRefund, RefundPayment};
use serde::Serialize;
use service::line::Covered;
use service::on_any_policy;
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

/// Its endpoints, as the document goes through them.
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
    description: "The partner's policies of every line by the day of issue, newest first: those of some days, in one state where `status` is given, or of a session, or under a reference; all of them where none of these is given.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(policy_parameters)),
    gives: Gives::json::<PolicyPage>(200, "A page of policies."),
    guide: "policies.md#listing-policies",
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's policies.
async fn list(State(app): State<App>, caller: Caller<PolicyRead>, query: Query) -> Result<Response> {
    let page = app.service.policies.list(caller.partner, list_ask(query, policy_parameters)).await?;
    let (ends, records) = PageEnds::of(page);
    let answer = PolicyPage { policies: records.iter().map(PolicySummary::of).collect(), ends };
    Ok(json(StatusCode::OK, &answer))
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/policies/{policy_id}",
    id: "getPolicy",
    tag: "Policies",
    summary: "Get a policy",
    description: "Everything that the partner may know of one of its policies: where it stands and since when, what it covers and for whom, what it cost, its papers with a fresh address of the certificate, its endorsements, what became of a cancellation, and what may be done next.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<PolicyDetail>(200, "The policy."),
    refuses: &[Code::R4040],
    guide: "policies.md#reading-a-policy",
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
    Ok(json(StatusCode::OK, &Payload { payload: PolicyDetail::of(&view) }))
}

/// A page of policies.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyPage {
    /// The policies, newest first.
    policies: Vec<PolicySummary>,
    #[serde(flatten)]
    ends: PageEnds,
}

/// A policy in short. Amounts are rupees with two decimals, as text; days are `YYYY-MM-DD` in Asia/Kolkata.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicySummary {
    /// Its id: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Our number, which stands on the certificate.
    policy_number: String,
    /// The number under which the insurer keeps it, where it is another.
    #[schema(required = true)]
    insurer_policy_number: Option<String>,
    /// `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Name of the insurer.
    insurer: String,
    /// Name of the product.
    product: String,
    /// Name of the variant.
    variant: String,
    /// Where it stands today.
    #[schema(pattern = "^(ISSUED|CANCELLATION_REQUESTED|CANCELLED|LAPSED|EXPIRED|RENEWED|TERMINATED)$")]
    status: &'static str,
    /// Since when.
    #[schema(format = "date-time")]
    status_since: String,
    /// When it was issued.
    #[schema(format = "date-time")]
    issued_at: String,
    /// First day of cover. Null where an imported record does not tell it.
    #[schema(required = true, format = "date")]
    cover_starts: Option<String>,
    /// Last day of cover.
    #[schema(format = "date")]
    cover_ends: String,
    /// Cover at the start.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// What it costs.
    premium: PremiumSplit,
    /// The proposal that it came of. Null for an imported one.
    #[schema(required = true)]
    proposal_id: Option<String>,
    /// The session that it belongs to.
    #[schema(required = true)]
    session_id: Option<String>,
    /// What you call the sale, such as the loan's account.
    #[schema(required = true)]
    reference: Option<String>,
}

/// A policy with everything that its partner may know.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyDetail {
    #[serde(flatten)]
    summary: PolicySummary,
    /// The quote that it came of, where it is known.
    #[schema(required = true)]
    quote_id: Option<String>,
    /// The variant's id in the catalogue.
    variant_id: String,
    /// The product's unique identification number (UIN). Null for an imported one.
    #[schema(required = true)]
    uin: Option<String>,
    /// How the premium reached the insurer: `deposit`, `link`, `here` or `partner`. Null for an imported one.
    #[schema(required = true)]
    paid_by: Option<&'static str>,
    /// Who is covered.
    members: Vec<PolicyMember>,
    /// Cover in each policy year, where it falls; empty where it stays.
    cover_schedule: Vec<CoverYear>,
    /// Its papers.
    papers: PolicyPapers,
    /// Every move after the issue, oldest first.
    history: Vec<PolicyMove>,
    /// The cancellation that was last asked for.
    #[schema(required = true)]
    cancellation: Option<CancellationShown>,
    /// The claims on it, oldest first.
    claims: Vec<ClaimRef>,
    /// What is left of its benefits today, or on its last day. Empty: its insurer alone takes claims.
    cover_left: Vec<CoverLeftShown>,
    /// The endorsements that were asked for, oldest first.
    endorsements: Vec<EndorsementShown>,
    /// What of it can be endorsed now; the quote judges each by its rules.
    may_endorse: Vec<&'static str>,
    /// When it can be renewed, and the policies before and after it.
    renewal: RenewalShown,
    /// The kinds of claims that it knows; empty where its insurer alone takes claims.
    may_claim_for: Vec<&'static str>,
    /// The reasons for which its cancellation can be asked for now; each has its own rules, which the quote judges.
    may_cancel_for: Vec<&'static str>,
}

/// What is left of a benefit: what can still be approved for an event of today.
#[derive(Serialize, ToSchema)]
pub(crate) struct CoverLeftShown {
    /// The kind of claim.
    #[schema(pattern = "^(DEATH|DISABILITY|HOSPITALISATION|OTHER)$")]
    kind: &'static str,
    /// Whose, as the number of a member from 1 on. Null if all members share it.
    #[schema(required = true)]
    member: Option<u16>,
    /// The benefit in full.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    most: String,
    /// What approved claims leave of it. Benefits may share one sum.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    left: String,
}

/// When a policy can be renewed, and the policies before and after it.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalShown {
    /// Whether it can be renewed now.
    may_renew: bool,
    /// First day on which it can be renewed. Null for a policy that cannot be.
    #[schema(required = true, format = "date")]
    renewable_from: Option<String>,
    /// Last day on which it can be renewed: its grace ends then. Null for a policy that cannot be.
    #[schema(required = true, format = "date")]
    renewable_until: Option<String>,
    /// The policy that it renews. Null for a first one.
    #[schema(required = true)]
    renews: Option<String>,
    /// The policy that follows it.
    #[schema(required = true)]
    renewed_by: Option<String>,
    /// Since when its people are covered without a break, where it renews another one.
    #[schema(required = true, format = "date")]
    covered_since: Option<String>,
}

impl RenewalShown {
    fn of(view: &PolicyView) -> Self {
        let (renews, renewed_by) =
            on_any_policy!(&view.shown.policy, policy => (policy.renews(), policy.renewed_by));
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

/// An endorsement that was asked for.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndorsementShown {
    /// Its number among those of the policy, from 1 on.
    number: u16,
    /// What is changed.
    #[schema(pattern = "^(NOMINEE|CONTACT|NAME|DATE_OF_BIRTH|LOAN_ACCOUNT|ASSIGNMENT|COVER_REDUCTION)$")]
    kind: &'static str,
    /// The number of the member whom it is about, from 1 on. Null where it is about the policy.
    #[schema(required = true)]
    member: Option<u16>,
    /// Where it stands.
    #[schema(pattern = "^(REQUESTED|MADE|REFUSED)$")]
    status: &'static str,
    /// When it was asked for.
    #[schema(format = "date-time")]
    asked_at: String,
    /// Who asked.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    asked_by: &'static str,
    /// When it was made or refused.
    #[schema(required = true, format = "date-time")]
    decided_at: Option<String>,
    /// Why it was refused, in the words of who did.
    #[schema(required = true)]
    reason: Option<String>,
    /// What is to be paid for it, before it is made; nought for most.
    charge: PremiumSplit,
    /// What comes back once it is made; nought for most.
    refund: PremiumSplit,
    /// What of the refund goes back to the deposit that paid the premium. Left out if all of it is the insured's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    refund_to_deposit: Option<String>,
    /// The day by which the insurer is to have paid it. Null where nothing is owed.
    #[schema(required = true, format = "date")]
    refund_due_on: Option<String>,
    /// The payment of the refund, once it was made.
    #[schema(required = true)]
    refund_paid: Option<RefundPaid>,
}

impl EndorsementShown {
    pub(crate) fn of(endorsement: &Endorsement) -> Self {
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
            reason: endorsement.reason.as_ref().map(|reason| reason.reveal().to_owned()),
            charge: PremiumSplit::of(endorsement.charge),
            refund: PremiumSplit::of(refund.map(|refund| refund.amount).unwrap_or_default()),
            refund_to_deposit: refund.and_then(OwedRefund::back_to_deposit).map(|back| back.to_string()),
            refund_due_on: owed.map(|refund| refund.due_on.to_string()),
            refund_paid: refund.and_then(|refund| refund.paid.as_ref()).map(RefundPaid::of),
        }
    }
}

/// A claim on a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimRef {
    /// Its id: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// What it is made for.
    #[schema(pattern = "^(DEATH|DISABILITY|HOSPITALISATION|OTHER)$")]
    kind: &'static str,
    /// Where it stands.
    #[schema(
        pattern = "^(INTIMATED|UNDER_ASSESSMENT|UNDER_INVESTIGATION|APPROVED|PAID|REJECTED|REPUDIATED)$"
    )]
    status: &'static str,
}

/// Somebody who is covered.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyMember {
    /// Full name.
    name: String,
    /// Day of birth.
    #[schema(format = "date")]
    date_of_birth: String,
    /// What the person is to the proposer, where the line of business knows it.
    #[schema(required = true)]
    relationship: Option<String>,
}

/// Cover in a policy year.
#[derive(Serialize, ToSchema)]
pub(crate) struct CoverYear {
    /// The year, counted from 1.
    year: u32,
    /// Cover at its start.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
}

/// Addresses of a policy's papers.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyPapers {
    /// Download address of the certificate, valid for 10 minutes. Null for an imported policy.
    #[schema(required = true, format = "uri")]
    certificate: Option<String>,
    /// All terms and conditions.
    #[schema(required = true, format = "uri")]
    policy_wording: Option<String>,
    /// The brochure.
    #[schema(required = true, format = "uri")]
    brochure: Option<String>,
    /// The Customer Information Sheet.
    #[schema(required = true, format = "uri")]
    customer_information_sheet: Option<String>,
}

/// A move of a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyMove {
    /// When.
    #[schema(format = "date-time")]
    at: String,
    /// Who: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    by: &'static str,
    /// From where.
    #[schema(pattern = "^(ISSUED|CANCELLATION_REQUESTED|CANCELLED|LAPSED|EXPIRED|RENEWED|TERMINATED)$")]
    from: &'static str,
    /// To where.
    #[schema(pattern = "^(ISSUED|CANCELLATION_REQUESTED|CANCELLED|LAPSED|EXPIRED|RENEWED|TERMINATED)$")]
    to: &'static str,
    /// Why, in the words of who moved it.
    #[schema(required = true)]
    reason: Option<String>,
}

/// A cancellation that was asked for.
#[derive(Serialize, ToSchema)]
pub(crate) struct CancellationShown {
    /// Why.
    reason: &'static str,
    /// When it was asked for. Its day in Asia/Kolkata is the last day of cover once it is confirmed.
    #[schema(format = "date-time")]
    asked_at: String,
    /// Who asked.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    asked_by: &'static str,
    /// `requested`: somebody decides, and the policy still covers. `confirmed`: the policy is cancelled. `refused`: it goes on.
    #[schema(pattern = "^(requested|confirmed|refused)$")]
    outcome: &'static str,
    /// What comes back of the premium.
    refund: PremiumSplit,
    /// What of the refund goes back to the deposit that paid the premium. Left out if all of it is the insured's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    refund_to_deposit: Option<String>,
    /// The day by which the insurer is to have paid it. Null where nothing is owed.
    #[schema(required = true, format = "date")]
    refund_due_on: Option<String>,
    /// The payment of the refund, once it was made.
    #[schema(required = true)]
    refund_paid: Option<RefundPaid>,
}

/// A refund that the insurer paid.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundPaid {
    /// What the payment is called where it was made, such as the bank's UTR.
    reference: String,
    /// The day on which it was paid.
    #[schema(format = "date")]
    paid_on: String,
    /// Interest for paying late, beside the refund.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    interest: String,
}

impl PolicySummary {
    pub(crate) fn of(shown: &PolicyShown) -> Self {
        let Covered { insurer, product_name, variant_name, starts, .. } = &shown.covered;
        let (line, status) = (shown.policy.line(), shown.state().word());
        on_any_policy!(&shown.policy, policy => PolicySummary {
            policy_id: policy.id.to_string(),
            policy_number: policy.number.to_string(),
            insurer_policy_number: policy.insurer_number.as_ref().map(ToString::to_string),
            line: LineOfBusiness::word(line),
            insurer: insurer.clone(),
            product: product_name.clone(),
            variant: variant_name.clone(),
            status,
            status_since: shown.state_since().to_string(),
            issued_at: policy.issued_at.to_string(),
            cover_starts: starts.map(|day| day.to_string()),
            cover_ends: policy.last_day().to_string(),
            sum_insured: policy.sum_insured.to_string(),
            premium: PremiumSplit::of(policy.premium),
            proposal_id: policy.proposal.map(|proposal| proposal.to_string()),
            session_id: policy.session.map(|session| session.to_string()),
            reference: policy.reference.as_ref().map(|reference| reference.reveal().to_owned()),
        })
    }
}

impl PolicyDetail {
    pub(crate) fn of(view: &PolicyView) -> Self {
        let PolicyView { shown, certificate, history, may_cancel_for, may_endorse, may_claim_for, .. } = view;
        let endorsements = on_any_policy!(&shown.policy, policy => &policy.endorsements);
        let covered = &shown.covered;
        let product = covered.product.as_deref();
        let papers = product.map(|product| &product.papers);
        let state = shown.state();
        let cancellation = on_any_policy!(&shown.policy, policy => policy.cancellation.as_ref());
        PolicyDetail {
            summary: PolicySummary::of(shown),
            quote_id: covered.quote_id.clone(),
            variant_id: covered.variant_id.clone(),
            uin: product.map(|product| product.uin.clone()),
            paid_by: product.map(|product| product.premium.route().word()),
            members: covered
                .members
                .iter()
                .map(|member| PolicyMember {
                    name: member.name.reveal().to_owned(),
                    date_of_birth: member.born.reveal().to_string(),
                    relationship: member.relationship.as_ref().map(|word| word.reveal().to_owned()),
                })
                .collect(),
            cover_schedule: covered
                .schedule
                .iter()
                .map(|(year, cover)| CoverYear { year: *year, sum_insured: cover.to_string() })
                .collect(),
            papers: PolicyPapers {
                certificate: certificate.clone(),
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
                    reason: made.reason.as_ref().map(|reason| reason.reveal().to_owned()),
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
                    most: left.most.to_string(),
                    left: left.left.to_string(),
                })
                .collect(),
            endorsements: endorsements.iter().map(EndorsementShown::of).collect(),
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
