//! An event as partners read it: in lists, and in what is delivered to their endpoints (D95).

use domain::event::{Event, EventData, EventFamily, EventObject};
use domain::line::LineOfBusiness;
use domain::proposal::Actor;
use serde::Serialize;
use utoipa::ToSchema;

/// An event. It has ids, states and money; who is insured is read at `href`.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventShown {
    /// Its id, the same however often it is delivered: `evt_…`.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    id: String,
    /// What happened.
    #[serde(rename = "type")]
    #[schema(example = "policy.issued")]
    kind: &'static str,
    /// When it happened; of a test partner, by its own clock.
    #[schema(format = "date-time")]
    timestamp: String,
    /// The version of what this type tells.
    #[schema(example = 1)]
    version: u32,
    /// `live`, or `test` where it is a test partner's.
    #[schema(pattern = "^(live|test)$")]
    mode: &'static str,
    /// Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    #[schema(minimum = 1)]
    sequence: u64,
    /// What it is about.
    data: EventDataShown,
}

impl EventShown {
    /// An event as it is read.
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

/// The bytes that are sent to an endpoint: the same as often as they are sent.
pub fn body(event: &Event, is_test: bool) -> Vec<u8> {
    serde_json::to_vec(&EventShown::of(event, is_test)).expect("texts and numbers serialise")
}

/// What an event tells, by what it is about.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = EventData)]
pub(crate) enum EventDataShown {
    /// Of a recommendation.
    Recommendation(RecommendationEvent),
    /// Of a journey.
    Journey(JourneyEvent),
    /// Of a proposal.
    Proposal(ProposalEvent),
    /// Of a payment of its premium.
    Premium(PremiumEvent),
    /// Of a policy.
    Policy(PolicyEvent),
    /// Of a policy that can be renewed.
    Renewal(RenewalEvent),
    /// Of an endorsement of a policy.
    Endorsement(EndorsementEvent),
    /// Of a refund of a policy.
    Refund(RefundEvent),
    /// Of a claim.
    Claim(ClaimEvent),
    /// Of a statement.
    Statement(StatementEvent),
    /// Of what the partner may sell.
    Catalogue(CatalogueEvent),
    /// Of a secret of the partner.
    Credential(CredentialEvent),
    /// Of an endpoint.
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

/// Where the subject of an event is read. None for what nobody reads: a secret, a journey.
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

/// What every event tells of its subject.
#[derive(Serialize, ToSchema)]
pub(crate) struct About {
    /// What kind of thing it is about.
    #[schema(example = "policy")]
    object: &'static str,
    /// Its id, as its own reads show it.
    #[schema(example = "pol_01m5vvw3xreqg9aaa1afd2xg99")]
    id: String,
    /// What it tells of that thing: the fields below follow from it.
    #[schema(example = "policy")]
    family: &'static str,
    /// Where it is read, below the address of this service. `null` for a secret and a journey.
    #[schema(required = true, example = "/v1/policies/pol_01m5vvw3xreqg9aaa1afd2xg99")]
    href: Option<String>,
}

/// What every event of a policy tells of its sale.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaleOfEvent {
    /// `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// The proposal. `null` for an imported policy.
    #[schema(required = true, pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: Option<String>,
    /// The number on the certificate.
    number: String,
    /// The insurer's own number, where it is another.
    #[schema(required = true)]
    insurer_number: Option<String>,
    /// What you call the sale.
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

/// What is told of a recommendation.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecommendationEvent {
    #[serde(flatten)]
    about: About,
    /// Variants with a price.
    #[schema(example = 11)]
    priced: u32,
    /// Variants without one.
    #[schema(example = 1)]
    not_priced: u32,
}

/// What is told of a journey.
#[derive(Serialize, ToSchema)]
pub(crate) struct JourneyEvent {
    #[serde(flatten)]
    about: About,
    /// Its session: that of the address, else one that began with it.
    #[schema(pattern = "^ses_[0-9a-z]{26}$")]
    session_id: String,
    /// The proposal that came of it.
    #[schema(required = true, pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: Option<String>,
    /// The quote that was shown last.
    #[schema(required = true, pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: Option<String>,
    /// The `user_id` of the token that opened it.
    #[schema(required = true)]
    reference: Option<String>,
}

/// What is told of a proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalEvent {
    #[serde(flatten)]
    about: About,
    /// `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Where it stands then, in the words of its line.
    #[schema(example = "COMPLETED")]
    status: String,
    /// Where it stood before. `null` for a new one.
    #[schema(required = true)]
    previous_status: Option<String>,
    /// Who moved it: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    /// Its quote.
    #[schema(required = true, pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: Option<String>,
    /// Its policy, where it has come to one.
    #[schema(required = true, pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: Option<String>,
    /// What you call the sale.
    #[schema(required = true)]
    reference: Option<String>,
    /// Its premium with tax, in rupees.
    #[schema(example = "1180.00")]
    premium: String,
}

/// What is told of a payment of a proposal's premium.
#[derive(Serialize, ToSchema)]
pub(crate) struct PremiumEvent {
    #[serde(flatten)]
    about: About,
    /// What came of the payment: `matched`, `mismatch` or `refund-due`.
    #[schema(example = "matched")]
    outcome: String,
    /// What of the payment was for this proposal, in rupees.
    #[schema(example = "1180.00")]
    amount: String,
    /// The day on which it came, in Asia/Kolkata.
    #[schema(format = "date")]
    received_on: String,
    /// Who reported it.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    reported_by: &'static str,
    /// What you call the sale.
    #[schema(required = true)]
    reference: Option<String>,
}

/// What is told of a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyEvent {
    #[serde(flatten)]
    about: About,
    /// Where it stands then.
    #[schema(example = "ISSUED")]
    status: String,
    /// Where it stood before. `null` for a new one.
    #[schema(required = true)]
    previous_status: Option<String>,
    /// Who moved it.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    /// The policy that follows it.
    #[schema(required = true, pattern = "^pol_[0-9a-z]{26}$")]
    renewed_by: Option<String>,
    /// Its premium with tax, in rupees.
    #[schema(example = "1180.00")]
    premium: String,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// What is told of a policy that can be renewed.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalEvent {
    #[serde(flatten)]
    about: About,
    /// Where it stands.
    #[schema(example = "ISSUED")]
    status: String,
    /// The last day of its cover.
    #[schema(format = "date")]
    last_day: String,
    /// How many days are left until then.
    #[schema(example = 30)]
    days_left: u32,
    /// Until when it can be renewed, the days of grace included.
    #[schema(format = "date")]
    renewable_until: String,
    /// What it cost, with tax, in rupees. The renewal may cost something else.
    #[schema(example = "11800.00")]
    premium: String,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// What is told of an endorsement of a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndorsementEvent {
    #[serde(flatten)]
    about: About,
    /// Its number among those of the policy, from 1 on.
    #[schema(minimum = 1)]
    endorsement: u32,
    /// What is changed.
    #[schema(example = "NOMINEE")]
    kind: String,
    /// Where it stands then: `REQUESTED`, `MADE` or `REFUSED`.
    #[schema(pattern = "^(REQUESTED|MADE|REFUSED)$")]
    endorsement_status: String,
    /// Who asked for it, made it or refused it.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// What is told of a refund that the insurer owes to the insured.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundEvent {
    #[serde(flatten)]
    about: About,
    /// The refund with tax, in rupees.
    #[schema(example = "590.00")]
    refund: String,
    /// The day by which it is to be paid.
    #[schema(format = "date")]
    due_on: String,
    /// The day on which it was paid.
    #[schema(required = true, format = "date")]
    paid_on: Option<String>,
    #[serde(flatten)]
    sale: SaleOfEvent,
}

/// What is told of a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimEvent {
    #[serde(flatten)]
    about: About,
    /// The policy.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// What it is made for.
    #[schema(example = "DEATH")]
    kind: String,
    /// Where it stands then.
    #[schema(example = "APPROVED")]
    status: String,
    /// Where it stood before. `null` for a new one.
    #[schema(required = true)]
    previous_status: Option<String>,
    /// Who moved it.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    moved_by: &'static str,
    /// What the insurer pays, in rupees, once it is approved.
    #[schema(required = true)]
    approved_amount: Option<String>,
    /// The day on which it was paid.
    #[schema(required = true, format = "date")]
    paid_on: Option<String>,
    /// What you called the sale when the claim was made known.
    #[schema(required = true)]
    reference: Option<String>,
}

/// What is told of a statement.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementEvent {
    #[serde(flatten)]
    about: About,
    /// Its number.
    #[schema(example = "CS-202611-0001")]
    number: String,
    /// The month, in Asia/Kolkata.
    #[schema(example = "2026-11")]
    month: String,
    /// What it is about.
    #[schema(example = "commission")]
    kind: String,
    /// What you are owed by it, in rupees; below nought where you owe.
    #[schema(example = "1062.00")]
    payable: String,
    /// The day on which that was paid.
    #[schema(required = true, format = "date")]
    paid_on: Option<String>,
}

/// What is told of what a partner may sell.
#[derive(Serialize, ToSchema)]
pub(crate) struct CatalogueEvent {
    #[serde(flatten)]
    about: About,
    /// Variants of credit life.
    #[schema(example = 9)]
    credit_life: u32,
    /// Variants of health.
    #[schema(example = 12)]
    health: u32,
}

/// What is told of a secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct CredentialEvent {
    #[serde(flatten)]
    about: About,
    /// The secret's number among yours, from 1 on.
    #[schema(minimum = 1)]
    secret: u32,
}

/// What is told of an endpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointEvent {
    #[serde(flatten)]
    about: About,
    /// Whether events are delivered to it: `enabled` or `disabled`.
    #[schema(pattern = "^(enabled|disabled)$")]
    endpoint_status: String,
    /// Why it is disabled: `partner`, `operator`, `gone` (it answered 410) or `failing`.
    #[schema(required = true, pattern = "^(partner|operator|gone|failing)$")]
    disabled_by: Option<String>,
}
