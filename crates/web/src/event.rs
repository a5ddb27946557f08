//! Events as partners read them, in lists and in deliveries (D95).

use domain::event::{Event, EventData, EventFamily, EventObject};
use domain::line::LineOfBusiness;
use domain::proposal::Actor;
use serde::Serialize;
use utoipa::ToSchema;

/// An event: one of your records has changed. It has ids, statuses and money, but no personal data. Read the
/// record at `href`.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventShown {
    /// Id of the event, the same in every delivery: `evt_…`.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    id: String,
    /// Type of the event, such as `policy.issued`.
    #[serde(rename = "type")]
    #[schema(example = "policy.issued")]
    kind: &'static str,
    /// Time of the event. For a test partner, the time of your own clock.
    #[schema(format = "date-time")]
    timestamp: String,
    /// Version of the fields that `data` has for this type of event.
    #[schema(example = 1)]
    version: u32,
    /// `live`, or `test` if you are a test partner.
    #[schema(pattern = "^(live|test)$")]
    mode: &'static str,
    /// Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    /// arrive in another order.
    #[schema(minimum = 1)]
    sequence: u64,
    /// Data of the event. `family` in the data says which fields it has.
    data: EventDataShown,
}

impl EventShown {
    pub(crate) fn of(event: &Event, is_test: bool) -> Self {
        EventShown {
            id: event.id.to_string(),
            kind: event.kind.word(),
            timestamp: event.data.by_its_clock.unwrap_or(event.at).to_string(),
            version: event.kind.version(),
            mode: if is_test { "test" } else { "live" },
            sequence: event.sequence,
            data: EventDataShown::of(event),
        }
    }
}

/// Body of an event's delivery. Its bytes are identical for every attempt.
pub fn body(event: &Event, is_test: bool) -> Vec<u8> {
    serde_json::to_vec(&EventShown::of(event, is_test)).expect("texts and numbers serialise")
}

/// Data of an event. `family` says which fields it has.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = EventData)]
pub(crate) enum EventDataShown {
    Recommendation(RecommendationEvent),
    Journey(JourneyEvent),
    Proposal(ProposalEvent),
    /// A payment for a proposal.
    Premium(PremiumEvent),
    Policy(PolicyEvent),
    /// A policy that can be renewed.
    Renewal(RenewalEvent),
    Endorsement(EndorsementEvent),
    /// A refund of a policy.
    Refund(RefundEvent),
    Claim(ClaimEvent),
    Statement(StatementEvent),
    /// Variants that the partner can sell.
    Catalogue(CatalogueEvent),
    /// A client secret of the partner.
    Credential(CredentialEvent),
    Endpoint(EndpointEvent),
}

impl EventDataShown {
    fn of(event: &Event) -> Self {
        let (family, data) = (event.kind.family(), &event.data);
        let object = family.object();
        let id = object.id(event.subject);
        let about = About { href: address_of(object, &id), object: object.word(), family: family.word(), id };
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let amount = data.amount.map(|amount| amount.to_string());
        let money = || amount.clone().unwrap_or_default();
        let (due_on, paid_on) =
            (data.due_on.map(|day| day.to_string()), data.paid_on.map(|day| day.to_string()));
        let line = data.line.map_or("", LineOfBusiness::word);
        let moved_by = data.moved_by.map_or("", Actor::word);
        let reference = data.reference.as_ref().map(|reference| reference.reveal().to_owned());
        let sale = || SaleOfEvent::of(data);
        match family {
            EventFamily::Recommendation => {
                let (priced, not_priced) = data.priced.unwrap_or_default();
                EventDataShown::Recommendation(RecommendationEvent { about, priced, not_priced })
            }
            EventFamily::Journey => EventDataShown::Journey(JourneyEvent {
                about,
                session_id: data.session.map(|id| id.to_string()).unwrap_or_default(),
                proposal_id: data.proposal.map(|id| id.to_string()),
                quote_id: data.quote.map(|id| id.to_string()),
                reference,
            }),
            EventFamily::Proposal => EventDataShown::Proposal(ProposalEvent {
                about,
                line,
                status: text(&data.status),
                previous_status: data.previous_status.clone(),
                moved_by,
                quote_id: data.quote.map(|id| id.to_string()),
                policy_id: data.policy.map(|id| id.to_string()),
                reference,
                premium: money(),
            }),
            EventFamily::Premium => EventDataShown::Premium(PremiumEvent {
                about,
                outcome: text(&data.status),
                amount: money(),
                received_on: paid_on.unwrap_or_default(),
                reported_by: moved_by,
                reference,
            }),
            EventFamily::Policy => EventDataShown::Policy(PolicyEvent {
                about,
                status: text(&data.status),
                previous_status: data.previous_status.clone(),
                moved_by,
                renewed_by: data.policy.map(|id| id.to_string()),
                premium: money(),
                sale: sale(),
            }),
            EventFamily::Renewal => EventDataShown::Renewal(RenewalEvent {
                about,
                status: text(&data.status),
                last_day: due_on.unwrap_or_default(),
                days_left: data.nth.unwrap_or_default(),
                renewable_until: data.until.map(|day| day.to_string()).unwrap_or_default(),
                premium: money(),
                sale: sale(),
            }),
            EventFamily::Endorsement => EventDataShown::Endorsement(EndorsementEvent {
                about,
                endorsement: data.nth.unwrap_or_default(),
                kind: text(&data.kind),
                endorsement_status: text(&data.status),
                moved_by,
                sale: sale(),
            }),
            EventFamily::Refund => {
                let (refund, due_on) = (money(), due_on.unwrap_or_default());
                EventDataShown::Refund(RefundEvent { about, refund, due_on, paid_on, sale: sale() })
            }
            EventFamily::Claim => EventDataShown::Claim(ClaimEvent {
                about,
                policy_id: data.policy.map(|id| id.to_string()).unwrap_or_default(),
                line,
                kind: text(&data.kind),
                status: text(&data.status),
                previous_status: data.previous_status.clone(),
                moved_by,
                approved_amount: amount,
                paid_on,
                reference,
            }),
            EventFamily::Statement => EventDataShown::Statement(StatementEvent {
                about,
                number: text(&data.number),
                month: text(&data.month),
                kind: text(&data.kind),
                payable: money(),
                paid_on,
            }),
            EventFamily::Catalogue => {
                let (credit_life, health) = data.priced.unwrap_or_default();
                EventDataShown::Catalogue(CatalogueEvent { about, credit_life, health })
            }
            EventFamily::Endpoint => EventDataShown::Endpoint(EndpointEvent {
                about,
                endpoint_status: text(&data.status),
                disabled_by: data.kind.clone(),
            }),
            EventFamily::Credential => {
                EventDataShown::Credential(CredentialEvent { about, secret: data.nth.unwrap_or_default() })
            }
        }
    }
}

/// API path of the record that the event is about. `None` for a secret and a journey, which no endpoint
/// returns.
fn address_of(object: EventObject, id: &str) -> Option<String> {
    match object {
        EventObject::Recommendation => Some(format!("/v1/business/health/recommendation/{id}")),
        EventObject::Journey => None,
        EventObject::Catalogue => Some("/v1/embedded/options".to_owned()),
        EventObject::Proposal => Some(format!("/v1/proposals/{id}")),
        EventObject::Policy => Some(format!("/v1/policies/{id}")),
        EventObject::Claim => Some(format!("/v1/claims/{id}")),
        EventObject::Statement => Some(format!("/v1/statements/{id}")),
        EventObject::Endpoint => Some(format!("/v1/webhooks/endpoints/{id}")),
        EventObject::Credential => None,
    }
}

/// Record that an event is about.
#[derive(Serialize, ToSchema)]
pub(crate) struct About {
    /// Kind of record that the event is about.
    #[schema(example = "policy")]
    object: &'static str,
    /// Id of this record.
    #[schema(example = "pol_01m5vvw3xreqg9aaa1afd2xg99")]
    id: String,
    /// Group of event types with the same data. It decides which other fields the data has.
    #[schema(example = "policy")]
    family: &'static str,
    /// API path from which you can read this record. `null` for a secret and a journey.
    #[schema(required = true, example = "/v1/policies/pol_01m5vvw3xreqg9aaa1afd2xg99")]
    href: Option<String>,
}

/// Data about the sale of the policy that an event is about.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaleOfEvent {
    /// Line of business: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Id of the proposal from which the policy was issued. `null` for an imported policy.
    #[schema(required = true, pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: Option<String>,
    /// Policy number of this service, as on the certificate.
    number: String,
    /// Policy number of the insurer. `null` if the insurer has no number of its own, or has not sent it yet.
    #[schema(required = true)]
    insurer_number: Option<String>,
    /// Your reference for the sale, such as the loan account number.
    #[schema(required = true)]
    reference: Option<String>,
}

impl SaleOfEvent {
    fn of(data: &EventData) -> Self {
        SaleOfEvent {
            line: data.line.map_or("", LineOfBusiness::word),
            proposal_id: data.proposal.map(|id| id.to_string()),
            number: data.number.clone().unwrap_or_default(),
            insurer_number: data.insurer_number.clone(),
            reference: data.reference.as_ref().map(|reference| reference.reveal().to_owned()),
        }
    }
}

/// Data of an event about a recommendation.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecommendationEvent {
    #[serde(flatten)]
    about: About,
    /// Number of variants for which the quote has a price.
    #[schema(example = 11)]
    priced: u32,
    /// Number of variants for which the quote has no price.
    #[schema(example = 1)]
    not_priced: u32,
}

/// Data of an event about a hosted journey.
#[derive(Serialize, ToSchema)]
pub(crate) struct JourneyEvent {
    #[serde(flatten)]
    about: About,
    /// Id of the journey's session: the session in the journey's address, or a new one.
    #[schema(pattern = "^ses_[0-9a-z]{26}$")]
    session_id: String,
    /// Id of the proposal that the customer made in this journey, if any.
    #[schema(required = true, pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: Option<String>,
    /// Id of the quote that the customer saw last.
    #[schema(required = true, pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: Option<String>,
    /// `user_id` of the token that opened the journey.
    #[schema(required = true)]
    reference: Option<String>,
}

/// Data of an event about a proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalEvent {
    #[serde(flatten)]
    about: About,
    /// Line of business: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Status of the proposal after the event. Each line of business has its own statuses.
    #[schema(example = "COMPLETED")]
    status: String,
    /// Status of the proposal before the event. `null` for a new proposal.
    #[schema(required = true)]
    previous_status: Option<String>,
    /// Who changed the status: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    /// Id of the quote from which the proposal was made.
    #[schema(required = true, pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: Option<String>,
    /// Id of the policy. `null` until the policy is issued.
    #[schema(required = true, pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: Option<String>,
    /// Your reference for the sale, such as the loan account number.
    #[schema(required = true)]
    reference: Option<String>,
    /// Premium with tax, in rupees.
    #[schema(example = "1180.00")]
    premium: String,
}

/// Data of an event about a payment for a proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct PremiumEvent {
    #[serde(flatten)]
    about: About,
    /// Result for this proposal. `matched`: the amount is exactly the premium. `mismatch`: the amount
    /// differs. `refund_due`: the proposal ended, so the payment goes back. `reversed`: the payment was
    /// recorded by mistake, or the bank took it back.
    #[schema(example = "matched")]
    outcome: String,
    /// Part of the payment for this proposal, in rupees.
    #[schema(example = "1180.00")]
    amount: String,
    /// Day on which the payment was received, or reversed, in Asia/Kolkata.
    #[schema(format = "date")]
    received_on: String,
    /// Who reported the payment, or reversed it.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    reported_by: &'static str,
    /// Your reference for the sale, such as the loan account number.
    #[schema(required = true)]
    reference: Option<String>,
}

/// Data of an event about a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyEvent {
    #[serde(flatten)]
    about: About,
    /// Status of the policy after the event.
    #[schema(example = "ISSUED")]
    status: String,
    /// Status of the policy before the event. `null` for a new policy.
    #[schema(required = true)]
    previous_status: Option<String>,
    /// Who changed the status of the policy.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    /// Id of the policy that renews this policy, if any.
    #[schema(required = true, pattern = "^pol_[0-9a-z]{26}$")]
    renewed_by: Option<String>,
    /// Premium with tax, in rupees.
    #[schema(example = "1180.00")]
    premium: String,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// Data of an event about a policy that can be renewed.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalEvent {
    #[serde(flatten)]
    about: About,
    /// Status of the policy.
    #[schema(example = "ISSUED")]
    status: String,
    /// Last day of the policy's cover.
    #[schema(format = "date")]
    last_day: String,
    /// Days that remain until `last_day`.
    #[schema(example = 30)]
    days_left: u32,
    /// Last day on which the policy can be renewed: the last of its days of grace.
    #[schema(format = "date")]
    renewable_until: String,
    /// Premium of this policy with tax, in rupees. The renewal can have another premium.
    #[schema(example = "11800.00")]
    premium: String,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// Data of an event about an endorsement of a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndorsementEvent {
    #[serde(flatten)]
    about: About,
    /// Number of this endorsement among all endorsements of the policy, from 1.
    #[schema(minimum = 1)]
    endorsement: u32,
    /// Kind of endorsement.
    #[schema(example = "NOMINEE")]
    kind: String,
    /// Status of the endorsement after the event: `REQUESTED`, `MADE` or `REFUSED`.
    #[schema(pattern = "^(REQUESTED|MADE|REFUSED)$")]
    endorsement_status: String,
    /// Who requested, made or refused the endorsement.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// Data of an event about a refund from the insurer to the insured.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundEvent {
    #[serde(flatten)]
    about: About,
    /// Refund with tax, in rupees.
    #[schema(example = "590.00")]
    refund: String,
    /// Day by which the insurer must pay the refund.
    #[schema(format = "date")]
    due_on: String,
    /// Day on which the insurer paid the refund. `null` until then.
    #[schema(required = true, format = "date")]
    paid_on: Option<String>,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// Data of an event about a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimEvent {
    #[serde(flatten)]
    about: About,
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Line of business: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Kind of claim.
    #[schema(example = "DEATH")]
    kind: String,
    /// Status of the claim after the event.
    #[schema(example = "APPROVED")]
    status: String,
    /// Status of the claim before the event. `null` for a new claim.
    #[schema(required = true)]
    previous_status: Option<String>,
    /// Who changed the status of the claim.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    /// Amount that the insurer pays, in rupees. `null` until the claim is approved.
    #[schema(required = true)]
    approved_amount: Option<String>,
    /// Day on which the insurer paid the claim. `null` until then.
    #[schema(required = true, format = "date")]
    paid_on: Option<String>,
    /// Your reference for the sale, as it was when the claim was reported.
    #[schema(required = true)]
    reference: Option<String>,
}

/// Data of an event about a statement.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementEvent {
    #[serde(flatten)]
    about: About,
    /// Unique number of the statement.
    #[schema(example = "CS-202611-0001")]
    number: String,
    /// Month that the statement covers, in Asia/Kolkata.
    #[schema(example = "2026-11")]
    month: String,
    /// Kind of statement, such as `commission`.
    #[schema(example = "commission")]
    kind: String,
    /// Amount that the operator owes you, in rupees. Negative if you owe the operator.
    #[schema(example = "1062.00")]
    payable: String,
    /// Day on which the operator paid the statement. `null` until then.
    #[schema(required = true, format = "date")]
    paid_on: Option<String>,
}

/// Data of an event about a change of what you can sell.
#[derive(Serialize, ToSchema)]
pub(crate) struct CatalogueEvent {
    #[serde(flatten)]
    about: About,
    /// Number of credit-life variants that you can sell.
    #[schema(example = 9)]
    credit_life: u32,
    /// Number of health variants that you can sell.
    #[schema(example = 12)]
    health: u32,
}

/// Data of an event about one of your secrets.
#[derive(Serialize, ToSchema)]
pub(crate) struct CredentialEvent {
    #[serde(flatten)]
    about: About,
    /// Number of the secret among all your secrets, from 1.
    #[schema(minimum = 1)]
    secret: u32,
}

/// Data of an event about a webhook endpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointEvent {
    #[serde(flatten)]
    about: About,
    /// Whether events are sent to the endpoint: `enabled` or `disabled`.
    #[schema(pattern = "^(enabled|disabled)$")]
    endpoint_status: String,
    /// Why the endpoint is disabled: by `partner` or `operator`, `gone` (the endpoint answered 410) or
    /// `failing` (the endpoint accepted nothing for five days). `null` if it is enabled.
    #[schema(required = true, pattern = "^(partner|operator|gone|failing)$")]
    disabled_by: Option<String>,
}
