//! `POST /v1/policies/{policy_id}/endorsement-quote` and `…/endorsement`: calculates the charge or refund of
//! an endorsement, and endorses a policy (D89).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::date::Date;
use domain::endorsement::{CoverTerms, EndorsementChange, EndorsementKind, NewContact};
use domain::id::kind;
use domain::money::{CoverAmount, PlainAmount, Rupees};
use domain::person::{Email, Mobile, Nominee, PersonalLine};
use domain::proposal::Actor;
use rating::Step;
use serde::Serialize;
use serde_json::{Map, Value};
use service::Faults;
use service::policy::endorsement::{EndorsementAsk, EndorsementDraft, EndorsementQuote};
use utoipa::ToSchema;

use crate::api::common::endpoint::{ANY_DAY, Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::policy_fields::{MEMBER, read_note};
use crate::api::common::premium::PremiumSplit;
use crate::api::common::{example, people};
use crate::api::policy::cancellation::RefundStep;
use crate::api::proposal::embedded::MOST_PEOPLE;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::path::PathId;
use crate::reader::{Fields, read_object};
use crate::response::{Payload, json};
use crate::shape::{birth_date, describe, described, draft, items, named, object, text};

/// For each kind of endorsement, the request field that has the new value.
const CHANGES: &[(&str, EndorsementKind)] = &[
    ("nominees", EndorsementKind::Nominee),
    ("contact", EndorsementKind::Contact),
    ("name", EndorsementKind::Name),
    ("date_of_birth", EndorsementKind::DateOfBirth),
    ("loan_account", EndorsementKind::LoanAccount),
    ("assignee", EndorsementKind::Assignment),
    ("sum_insured", EndorsementKind::CoverReduction),
];

/// Fields that only some kinds of endorsement have. In another kind, they may be there without a value.
const OF_A_KIND: &[&str] =
    &["member", "nominees", "contact", "name", "date_of_birth", "loan_account", "assignee", "sum_insured"];

pub(super) static QUOTE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/endorsement-quote",
    id: "quoteEndorsement",
    tag: "Policies",
    summary: "Quote an endorsement",
    description: "Returns the charge or refund if the policy were changed today. Changes nothing. For a new date of birth or a lower sum insured, the premium is calculated again by the rates of the day of sale, to the paisa and step by step. `kind` says what to change. One more field has the new value: `nominees`, `contact`, `name`, `date_of_birth`, `loan_account`, `assignee` or `sum_insured`.",
    access: Access::Scope(Scope::PolicyRead),
    takes: Some(Takes::Json {
        schema: || describe(|fields| ask(fields, ANY_DAY)),
        example: example::endorsement_quote,
    }),
    gives: Gives::payload::<EndorsementQuoteShown>(200, "The charge or refund."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    handler: || answered_by(quote),
    ..Endpoint::PLAIN
};

/// Calculates the charge or refund if the policy were endorsed today.
async fn quote(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Policy>,
    body: Body,
) -> Result<Response> {
    let today = app.service.policies.today_of(caller.partner);
    let ask = body.read(|fields| ask(fields, today))?;
    let quote = app.service.endorsements.quote(caller.partner, id.known("policy")?, &ask).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndorsementQuoteShown::of(&quote) }))
}

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/endorsement",
    id: "endorsePolicy",
    tag: "Policies",
    summary: "Endorse a policy",
    description: "Changes the policy as quoted. If nobody must confirm the change and nothing must be paid, it is MADE at once, with a new certificate. Otherwise it is REQUESTED, and the policy stays unchanged until the operator or the insurer confirms. `charge` and `refund` are the totals of the quote; leave out zeros. If they have changed since the quote, the response is S4090 and nothing changes. A policy can have only one REQUESTED endorsement at a time.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json {
        schema: || describe(|fields| request(fields, ANY_DAY)),
        example: example::endorsement,
    }),
    gives: Gives::payload::<EndorsementAnswer>(200, "The endorsement is requested or made."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Requests an endorsement of a policy.
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
    let today = app.service.policies.today_of(caller.partner);
    let (ask, expected) = body.read(|fields| request(fields, today))?;
    let id = id.known("policy")?;
    let endorsements = &app.service.endorsements;
    let draft = endorsements.request(caller.partner, id, &ask, Some(expected)).await;
    let show = |draft: &EndorsementDraft| EndorsementAnswer {
        number: draft.number,
        status: draft.state.word(),
        quote: EndorsementQuoteShown::of(&draft.quote),
    };
    attempt
        .answer(&app, draft, StatusCode::OK, show, async |draft, kept| endorsements.keep(draft, kept).await)
        .await
}

/// Reads an endorsement that an operator makes: the fields of an endorsement quote, and `note`.
///
/// # Errors
/// All faults of the fields.
pub fn read_endorsement(
    object: &Map<String, Value>,
    today: Date,
) -> Result<(EndorsementChange, Option<PersonalLine>), Faults> {
    let (read, faults) = read_object(object, |fields| {
        let (change, known) = change(fields, today);
        let note = read_note(fields);
        fields.nothing_but_or_absent(&[known.as_slice(), &["note"]].concat(), OF_A_KIND);
        Some((change?, note?))
    });
    match read {
        Some(read) if faults.0.is_empty() => Ok(read),
        _ => Err(faults),
    }
}

/// JSON Schema of what [`read_endorsement`] reads: for each kind of endorsement, the field with the new value.
pub fn endorsement_schema() -> Value {
    describe(|fields: &mut Fields<'_>| {
        let _ = change(fields, Date::MAX);
        read_note(fields)
    })
}

/// Reads the body of an endorsement quote.
fn ask(fields: &mut Fields<'_>, today: Date) -> Option<EndorsementAsk> {
    let (change, known) = change(fields, today);
    fields.nothing_but_or_absent(&known, OF_A_KIND);
    Some(EndorsementAsk { change: change?, by: Actor::Partner, note: None })
}

/// Reads the body of an endorsement. Returns the request, with the charge and refund that the partner
/// expects.
fn request(fields: &mut Fields<'_>, today: Date) -> Option<(EndorsementAsk, (Rupees, Rupees))> {
    let (change, known) = change(fields, today);
    let charge = fields.optional(
        "charge",
        described::<PlainAmount>("Total of `charge` in the endorsement quote, in rupees. Default: 0."),
    );
    let refund = fields.optional(
        "refund",
        described::<PlainAmount>("Total of `refund` in the endorsement quote, in rupees. Default: 0."),
    );
    let note = read_note(fields);
    fields.nothing_but_or_absent(&[known.as_slice(), &["charge", "refund", "note"]].concat(), OF_A_KIND);
    let amount = |amount: Option<PlainAmount>| amount.map_or(Rupees::ZERO, |amount| amount.0);
    let ask = EndorsementAsk { change: change?, by: Actor::Partner, note: note? };
    Some((ask, (amount(charge?), amount(refund?))))
}

/// Reads the requested change. Also returns the names of the fields that this kind of endorsement allows.
fn change(fields: &mut Fields<'_>, today: Date) -> (Option<EndorsementChange>, Vec<&'static str>) {
    let kind = fields.required("kind", text::<EndorsementKind>());
    let is = |of: EndorsementKind| kind == Some(of);
    let is_of_member =
        is(EndorsementKind::Contact) || is(EndorsementKind::Name) || is(EndorsementKind::DateOfBirth);
    let member = fields.optional("member", MEMBER);
    let person = named("Nominee", draft(|fields: &mut Fields<'_>| people::nominee(fields, today)));
    let nominees =
        fields.required_when(is(EndorsementKind::Nominee), "nominees", items(person, 1, MOST_PEOPLE));
    people::check_nominees(fields, "nominees", nominees.as_ref().and_then(Option::as_ref), &[], today);
    let contact = fields.required_when(is(EndorsementKind::Contact), "contact", object(contact));
    let name = fields.required_when(is(EndorsementKind::Name), "name", object(people::name));
    let born = fields.required_when(is(EndorsementKind::DateOfBirth), "date_of_birth", birth_date(today));
    let loan_account =
        fields.required_when(is(EndorsementKind::LoanAccount), "loan_account", people::short_printed_line());
    let assignee =
        fields.required_when(is(EndorsementKind::Assignment), "assignee", people::short_printed_line());
    let sum_insured =
        fields.required_when(is(EndorsementKind::CoverReduction), "sum_insured", text::<CoverAmount>());
    let mut known = vec!["kind"];
    known.extend(is_of_member.then_some("member"));
    known.extend(CHANGES.iter().filter(|(_, of)| kind.is_none_or(|kind| kind == *of)).map(|(name, _)| *name));
    if kind.is_none() {
        known.push("member");
    }
    let read = || {
        let member = member?.map_or(1, |number| u16::try_from(number).unwrap_or(u16::MAX));
        Some(match kind? {
            EndorsementKind::Nominee => {
                let nominees: Vec<Nominee> = nominees??.finish(people::NomineeDraft::finish)?;
                EndorsementChange::Nominees(nominees)
            }
            EndorsementKind::Contact => EndorsementChange::Contact { member, contact: Box::new(contact??) },
            EndorsementKind::Name => EndorsementChange::Name { member, name: Box::new(name??) },
            EndorsementKind::DateOfBirth => EndorsementChange::DateOfBirth { member, born: born?? },
            EndorsementKind::LoanAccount => EndorsementChange::LoanAccount(loan_account??),
            EndorsementKind::Assignment => EndorsementChange::Assignment(assignee??),
            EndorsementKind::CoverReduction => EndorsementChange::CoverReduction(sum_insured??.amount()),
        })
    };
    (read(), known)
}

/// Reads new contact data: at least one of address, mobile and email.
fn contact(fields: &mut Fields<'_>) -> Option<NewContact> {
    let address = fields.optional("address", people::address());
    let mobile = fields.optional("mobile", text::<Mobile>());
    let country_code = people::country_code(fields);
    let email = fields.optional("email", text::<Email>());
    fields.nothing_but(&["address", "mobile", "country_code", "email"]);
    if !["address", "mobile", "email"].iter().any(|name| fields.has(name)) {
        fields.fault("address", "Required: address, mobile or email.");
    }
    Some(NewContact { address: address?, phone: people::phone(mobile?, country_code?), email: email? })
}

/// Sum insured of a policy, and the premium for it.
#[derive(Serialize, ToSchema)]
pub(crate) struct CoverTermsShown {
    /// Sum insured at the start of cover, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    sum_insured: String,
    /// Premium for this sum insured.
    premium: PremiumSplit,
}

impl CoverTermsShown {
    fn of(terms: CoverTerms) -> Self {
        CoverTermsShown {
            sum_insured: terms.sum_insured.to_string(),
            premium: PremiumSplit::of(terms.premium),
        }
    }
}

/// Charge or refund if the policy were endorsed today.
#[derive(Serialize, ToSchema)]
pub struct EndorsementQuoteShown {
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Kind of endorsement.
    #[schema(pattern = "^(NOMINEE|CONTACT|NAME|DATE_OF_BIRTH|LOAN_ACCOUNT|ASSIGNMENT|COVER_REDUCTION)$")]
    kind: &'static str,
    /// Sum insured and premium before the endorsement.
    before: CoverTermsShown,
    /// Sum insured and premium after the endorsement.
    after: CoverTermsShown,
    /// Amount that must be paid to the insurer before the endorsement is made. Usually zero.
    charge: PremiumSplit,
    /// Refund that the insurer pays to the insured. Usually zero.
    refund: PremiumSplit,
    /// Day by which the insurer must pay the refund. `null` if there is no refund.
    #[schema(required = true, format = "date")]
    refund_due_on: Option<String>,
    /// Steps of the calculation, in order. Empty if the endorsement does not change the premium.
    steps: Vec<RefundStep>,
    /// Source of the rule for this endorsement, such as a regulation, as the catalogue cites it.
    source: String,
    /// Who confirms the endorsement. If `straight-through`, nobody: the endorsement is made at once, or as
    /// soon as its charge is paid.
    #[schema(pattern = "^(operator|insurer|straight-through)$")]
    confirmed_by: &'static str,
}

/// Result of endorsing a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndorsementAnswer {
    /// Number of this endorsement among all endorsements of the policy, from 1.
    number: u16,
    /// Status of the endorsement.
    #[schema(pattern = "^(REQUESTED|MADE)$")]
    status: &'static str,
    #[serde(flatten)]
    quote: EndorsementQuoteShown,
}

impl EndorsementQuoteShown {
    /// The quote as the partners' API shows it.
    pub fn of(quote: &EndorsementQuote) -> Self {
        let refund = quote.refund.as_ref();
        EndorsementQuoteShown {
            policy_id: quote.policy.to_string(),
            kind: quote.kind.word(),
            before: CoverTermsShown::of(quote.before),
            after: CoverTermsShown::of(quote.after),
            charge: PremiumSplit::of(quote.charge),
            refund: PremiumSplit::of(refund.map(|refund| refund.amount).unwrap_or_default()),
            refund_due_on: refund.map(|refund| refund.due_on.to_string()),
            steps: quote.steps.iter().map(|step: &Step| RefundStep::of(step)).collect(),
            source: quote.source.clone(),
            confirmed_by: quote.confirmed_by.word(),
        }
    }
}
