"""The schemas of the service. Made by scripts/clients: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias
from typing_extensions import TypedDict


class About(TypedDict):
    """
    What every event tells of its subject.
    """

    href: str | None
    """
    Where it is read, below the address of this service. `null` for a secret and a journey.
    """
    id: str
    """
    Its id, as its own reads show it.
    """
    object: str
    """
    What kind of thing it is about.
    """


class AccountShown(TypedDict):
    """
    The account to which a claim is paid.
    """

    holder: str
    """
    Whose it is.
    """
    ifsc: str
    """
    The code of its branch.
    """
    number_ends_in: str
    """
    The last four characters of its number.
    """


class AddClaimDocumentQuery(TypedDict):
    """
    The query of addClaimDocument.
    """

    paper: NotRequired[str]
    """
    Which of the claim's papers it is, by its id. Without it, another paper.
    """


class AddWebhookEndpointBody(TypedDict, closed=True):
    description: NotRequired[str | None]
    types: list[str]
    url: str
    """
    An https address. Networks inside are refused unless the operator has opened them.
    """


class Address(TypedDict):
    address_line_1: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    address_line_2: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    address_line_3: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    city: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    country: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    pincode: str
    """
    A pincode of 6 digits.
    """
    state: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """


class AddressShown(TypedDict):
    address_line_1: str
    address_line_2: str | None
    city: str
    country: str
    pincode: str
    state: str


class AdvanceSandboxClockBody(TypedDict, closed=True):
    days: NotRequired[int | None]
    """
    A whole number of days above zero.
    """
    hours: NotRequired[int | None]
    """
    A whole number of hours above zero.
    """
    minutes: NotRequired[int | None]
    """
    A whole number of minutes above zero.
    """
    seconds: NotRequired[int | None]
    """
    A whole number of seconds above zero.
    """
    to: NotRequired[str | None]
    """
    An instant such as 2026-11-20T04:30:00Z.
    """


class AgeAnswer(TypedDict):
    """
    A person's age.
    """

    age: float
    """
    In years.
    """


class Alive(TypedDict):
    """
    The process answers.
    """

    status: str
    """
    Always `alive`.
    """


class AmountRange(TypedDict):
    """
    Amounts in rupees from the least to the most.
    """

    least: str
    """
    The least.
    """
    most: str
    """
    The most.
    """


AwaitsShown = TypedDict(
    "AwaitsShown",
    {
        "from": str,
        "what": str,
    },
)


class BankShown(TypedDict):
    bank_account_number: str | None
    bank_id: str | None
    bank_name: str | None
    branch_id: str | None
    branch_name: str | None
    ifsc_code: str | None


class CancelPolicyBody(TypedDict, closed=True):
    note: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    reason: Literal[
        "FREE_LOOK",
        "LOAN_COOLING_OFF",
        "LOAN_FORECLOSED",
        "NOT_DISBURSED",
        "CUSTOMER",
        "DUPLICATE",
        "MIS_SALE",
        "MISSTATEMENT",
        "FRAUD",
    ]
    """
    One of FREE_LOOK, LOAN_COOLING_OFF, LOAN_FORECLOSED, NOT_DISBURSED, CUSTOMER, DUPLICATE, MIS_SALE, MISSTATEMENT, FRAUD.
    """
    received_on: NotRequired[str | None]
    """
    A real calendar date written YYYY-MM-DD.
    """
    refund: str
    """
    An amount in rupees, digits with at most two decimals.
    """


class CatalogueEvent(About):
    """
    What is told of what a partner may sell.
    """

    credit_life: int
    """
    Variants of credit life.
    """
    family: Literal["catalogue"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    health: int
    """
    Variants of health.
    """


class ChangeWebhookEndpointBody(TypedDict, closed=True):
    description: NotRequired[str | None]
    status: NotRequired[Literal["enabled", "disabled"]]
    """
    One of enabled, disabled.
    """
    types: NotRequired[list[str] | None]
    url: NotRequired[str | None]
    """
    An https address. Networks inside are refused unless the operator has opened them.
    """


class ClaimEvent(About):
    """
    What is told of a claim.
    """

    approved_amount: str | None
    """
    What the insurer pays, in rupees, once it is approved.
    """
    family: Literal["claim"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    kind: str
    """
    What it is made for.
    """
    line: str
    """
    `credit-life` or `health`.
    """
    moved_by: str
    """
    Who moved it.
    """
    paid_on: str | None
    """
    The day on which it was paid.
    """
    policy_id: str
    """
    The policy.
    """
    previous_status: str | None
    """
    Where it stood before. `null` for a new one.
    """
    reference: str | None
    """
    What you called the sale when the claim was made known.
    """
    status: str
    """
    Where it stands then.
    """


class ClaimIntimatedEvent(TypedDict):
    """
    claim.intimated: A claim was made known. Is about a claim; `data` is a ClaimEvent.
    """

    data: ClaimEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["claim.intimated"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimMember(TypedDict):
    """
    Who it happened to.
    """

    name: str
    """
    Full name.
    """
    number: int
    """
    The place among the policy's members, from 1 on.
    """


ClaimMove = TypedDict(
    "ClaimMove",
    {
        "at": str,
        "by": str,
        "from": str | None,
        "reason": str | None,
        "to": str,
    },
)


class ClaimPaid(TypedDict):
    """
    A claim that was paid.
    """

    interest: str
    """
    Interest for paying late, beside what was approved.
    """
    paid_on: str
    """
    The day on which it was paid.
    """
    reference: str
    """
    What the payment is called where it was made, such as the bank's UTR.
    """


class ClaimPaidEvent(TypedDict):
    """
    claim.paid: The claim was paid. Is about a claim; `data` is a ClaimEvent.
    """

    data: ClaimEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["claim.paid"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimRef(TypedDict):
    """
    A claim on a policy.
    """

    claim_id: str
    """
    Its id: `clm_…`.
    """
    kind: str
    """
    What it is made for.
    """
    status: str
    """
    Where it stands.
    """


class ClaimRejectedEvent(TypedDict):
    """
    claim.rejected: The insurer does not pay the claim. Is about a claim; `data` is a ClaimEvent.
    """

    data: ClaimEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["claim.rejected"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimSummary(TypedDict):
    """
    A claim in short. Amounts are rupees with two decimals, as text; days are `YYYY-MM-DD` in Asia/Kolkata.
    """

    approved_amount: str | None
    """
    What the insurer pays, once it is approved.
    """
    claim_id: str
    """
    Its id: `clm_…`.
    """
    event_on: str
    """
    The day of the event.
    """
    is_late: bool
    """
    Whether that day is over and it is not settled.
    """
    kind: str
    """
    What it is made for.
    """
    line: str
    """
    The policy's line: `credit-life` or `health`.
    """
    notified_at: str
    """
    When it was made known.
    """
    policy_id: str
    """
    The policy.
    """
    settle_by: str
    """
    The day by which the insurer is to have settled it.
    """
    status: str
    """
    Where it stands.
    """
    status_since: str
    """
    Since when.
    """


class ClaimUnderReviewEvent(TypedDict):
    """
    claim.under_review: The insurer assesses the claim, or has it investigated. Is about a claim; `data` is a ClaimEvent.
    """

    data: ClaimEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["claim.under_review"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimWithdrawnEvent(TypedDict):
    """
    claim.withdrawn: The claim was withdrawn, and nothing is paid. Is about a claim; `data` is a ClaimEvent.
    """

    data: ClaimEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["claim.withdrawn"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimantShown(TypedDict):
    """
    Who claims.
    """

    email: str | None
    """
    E-mail address.
    """
    mobile: str
    """
    Mobile number of 10 digits.
    """
    name: str
    """
    Full name.
    """
    relation: str
    """
    What the claimant is to the insured person.
    """


Value: TypeAlias = str


class ContextEntry(TypedDict):
    key: str
    """
    A key of at most 100 characters.
    """
    values: list[Value]


class CoverLeftShown(TypedDict):
    """
    What is left of a benefit: what can still be approved for an event of today.
    """

    kind: str
    """
    The kind of claim.
    """
    left: str
    """
    What approved claims leave of it. Benefits may share one sum.
    """
    member: int | None
    """
    Whose, as the number of a member from 1 on. Null if all members share it.
    """
    most: str
    """
    The benefit in full.
    """


class CoverYear(TypedDict):
    """
    Cover in a policy year.
    """

    sum_insured: str
    """
    Cover at its start.
    """
    year: int
    """
    The year, counted from 1.
    """


class CreateQuoteBody(TypedDict):
    context_data: NotRequired[list[ContextEntry] | None]
    context_date: NotRequired[list[ContextEntry] | None]
    cover_amount: str
    """
    An amount above zero, digits with two decimals, such as "500000.00".
    """
    date_of_birth: str
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    gender: Literal["MALE", "FEMALE"]
    """
    One of MALE, FEMALE.
    """
    policy_term: int
    """
    A whole number of months above zero.
    """


class CredentialEvent(About):
    """
    What is told of a secret.
    """

    family: Literal["credential"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    secret: int
    """
    The secret's number among yours, from 1 on.
    """


class CredentialRevokedEvent(TypedDict):
    """
    credential.revoked: A secret of the partner gets no tokens any more. Is about a credential; `data` is a CredentialEvent.
    """

    data: CredentialEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["credential.revoked"]
    version: int
    """
    The version of what this type tells.
    """


class Customer(TypedDict):
    email: str
    """
    An e-mail address.
    """
    gender: str
    """
    One line of text of at most 200 characters.
    """
    name: str
    """
    One line of text of at most 200 characters.
    """
    phoneNumber: str
    """
    A mobile number of 10 digits, alone or after +91, 91 or 0.
    """
    pinCode: str
    """
    A pincode of 6 digits, the first not 0.
    """


class DecideSandboxClaimBody(TypedDict, closed=True):
    approved_amount: NotRequired[str | None]
    """
    An amount in rupees above zero, digits with at most two decimals.
    """
    reason: NotRequired[str | None]
    status: Literal[
        "INTIMATED",
        "UNDER_ASSESSMENT",
        "UNDER_INVESTIGATION",
        "APPROVED",
        "PAID",
        "REJECTED",
        "REPUDIATED",
        "WITHDRAWN",
    ]
    """
    One of INTIMATED, UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, PAID, REJECTED, REPUDIATED, WITHDRAWN.
    """


class DecideSandboxPolicyBody(TypedDict, closed=True):
    decision: Literal["CONFIRM", "REFUSE"]
    """
    One of CONFIRM, REFUSE.
    """
    reason: NotRequired[str | None]


class DecideSandboxProposalBody(TypedDict, closed=True):
    decision: Literal["ACCEPT", "REJECT"]
    """
    One of ACCEPT, REJECT.
    """
    reason: NotRequired[str | None]


class Document(TypedDict):
    document_number: str
    """
    One line of text of at most 200 characters.
    """
    document_type: Literal["PAN", "AADHAR", "DRIVING_LICENSE", "PASSPORT", "ELECTRICITY", "VOTER_ID"]
    """
    One of PAN, AADHAR, DRIVING_LICENSE, PASSPORT, ELECTRICITY, VOTER_ID.
    """


class DocumentShown(TypedDict):
    """
    A paper that was uploaded.
    """

    added_at: str
    """
    When it was uploaded.
    """
    bytes: int
    """
    Its size.
    """
    document_id: str
    """
    Its id: `doc_…`.
    """
    media_type: str
    """
    Its media type.
    """
    paper: str | None
    """
    Which of the papers it is. Null for another one.
    """
    sha256: str
    """
    SHA-256 of its bytes, in hexadecimal digits.
    """


class Contact(TypedDict, closed=True):
    address: NotRequired[Address]
    country_code: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    email: NotRequired[str | None]
    """
    An e-mail address.
    """
    mobile: NotRequired[str | None]
    """
    A mobile number of 10 digits.
    """


class Name(TypedDict):
    first_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    title: Literal["MR", "MRS", "MS"]
    """
    One of MR, MRS, MS.
    """


class EndpointEvent(About):
    """
    What is told of an endpoint.
    """

    disabled_by: str | None
    """
    Why it is disabled: `partner`, `operator`, `gone` (it answered 410) or `failing`.
    """
    endpoint_status: str
    """
    Whether events are delivered to it: `enabled` or `disabled`.
    """
    family: Literal["endpoint"]
    """
    What it tells of that thing: the fields below follow from it.
    """


class EndpointFailingEvent(TypedDict):
    """
    endpoint.failing: An endpoint has taken nothing for a day. Is about a endpoint; `data` is a EndpointEvent.
    """

    data: EndpointEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["endpoint.failing"]
    version: int
    """
    The version of what this type tells.
    """


class EndpointPingEvent(TypedDict):
    """
    endpoint.ping: Somebody asked for an event to try an endpoint with. Is about a endpoint; `data` is a EndpointEvent.
    """

    data: EndpointEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["endpoint.ping"]
    version: int
    """
    The version of what this type tells.
    """


class FamilyMember(TypedDict):
    age: float


class FireSandboxEventBody(TypedDict, closed=True):
    type: Literal[
        "recommendation.completed",
        "journey.applied",
        "journey.expired",
        "proposal.created",
        "proposal.submitted",
        "proposal.under_review",
        "proposal.referred",
        "proposal.completed",
        "proposal.rejected",
        "proposal.cancelled",
        "premium.received",
        "premium.mismatch",
        "policy.issued",
        "policy.cancellation_requested",
        "policy.cancelled",
        "policy.cancellation_refused",
        "policy.renewed",
        "policy.renewal_due",
        "policy.expired",
        "policy.lapsed",
        "policy.terminated",
        "endorsement.requested",
        "endorsement.applied",
        "endorsement.refused",
        "refund.due",
        "refund.paid",
        "claim.intimated",
        "claim.under_review",
        "claim.approved",
        "claim.rejected",
        "claim.paid",
        "claim.withdrawn",
        "statement.ready",
        "statement.paid",
        "catalogue.changed",
        "credential.added",
        "credential.revoked",
        "endpoint.failing",
        "endpoint.disabled",
        "endpoint.ping",
    ]
    """
    The type of an event, such as policy.issued.
    """


SelectedPED: TypeAlias = str | int


class Info(TypedDict):
    """
    One fault of what came in.
    """

    field: str
    """
    Path of the field, or the name of the query parameter.
    """
    message: str
    """
    What the value must be.
    """


class InsuredMember(TypedDict):
    address: Address
    annual_income: NotRequired[str | None]
    """
    An amount in rupees, digits with at most two decimals.
    """
    country_code: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    date_of_birth: str
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    documents: list[Document]
    education: Literal[
        "POST_GRADUATE",
        "GRADUATE",
        "12TH_PASS",
        "10TH_PASS",
        "BELOW_10TH",
        "ILLITERATE",
    ]
    """
    One of POST_GRADUATE, GRADUATE, 12TH_PASS, 10TH_PASS, BELOW_10TH, ILLITERATE.
    """
    email: str
    """
    An e-mail address.
    """
    employer: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    first_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    gender: Literal["MALE", "FEMALE"]
    """
    One of MALE, FEMALE.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    marital_status: Literal["SINGLE", "SEPARATED", "MARRIED", "DIVORCED", "WIDOWED"]
    """
    One of SINGLE, SEPARATED, MARRIED, DIVORCED, WIDOWED.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    mobile: str
    """
    A mobile number of 10 digits.
    """
    nationality: Literal["FN", "IND", "NRI", "OCI", "PIO"]
    """
    One of FN, IND, NRI, OCI, PIO.
    """
    occupation: Literal[
        "LABOURER",
        "UNEMPLOYED",
        "HOUSEWIFE",
        "RETIRED",
        "OTHERS",
        "FARMER",
        "SALARIED",
        "SELF_EMPLOYED",
        "SERVICE",
        "STUDENT",
    ]
    """
    One of LABOURER, UNEMPLOYED, HOUSEWIFE, RETIRED, OTHERS, FARMER, SALARIED, SELF_EMPLOYED, SERVICE, STUDENT.
    """
    organization: NotRequired[Literal["GOVERNMENT", "OTHERS", "PUBLIC_LTD", "PRIVATE_LTD"]]
    """
    One of GOVERNMENT, OTHERS, PUBLIC_LTD, PRIVATE_LTD.
    """
    title: Literal["MR", "MRS", "MS"]
    """
    One of MR, MRS, MS.
    """


class InsurersNominee(TypedDict):
    """
    A nominee.
    """

    name: str
    """
    Full name.
    """
    relationship: str
    """
    What the nominee is to the insured person.
    """


class JobAnswer(TypedDict):
    """
    A job that was kept.
    """

    quote_id: str
    """
    Its id, to poll for the result: `quo_…`.
    """


class JourneyEvent(About):
    """
    What is told of a journey.
    """

    family: Literal["journey"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    proposal_id: str | None
    """
    The proposal that came of it.
    """
    quote_id: str | None
    """
    The quote that was shown last.
    """
    reference: str | None
    """
    The `user_id` of the token that opened it.
    """
    session_id: str
    """
    Its session: that of the address, else one that began with it.
    """


class JourneyExpiredEvent(TypedDict):
    """
    journey.expired: A customer of the hosted pages did not come back for a day: what was answered is gone. Is about a journey; `data` is a JourneyEvent.
    """

    data: JourneyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["journey.expired"]
    version: int
    """
    The version of what this type tells.
    """


class ListClaimsQuery(TypedDict):
    """
    The query of listClaims.
    """

    created_from: NotRequired[str]
    """
    First day of notice in Asia/Kolkata. Alone, it stands for the 31 days from it.
    """
    created_to: NotRequired[str]
    """
    Last day of notice in Asia/Kolkata, at most 30 after the first. Alone, it stands for the 31 days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    session_id: NotRequired[str]
    """
    The claims on policies of this session. Not beside dates.
    """


class ListEventsQuery(TypedDict):
    """
    The query of listEvents.
    """

    delivered: NotRequired[Literal["true", "false"]]
    """
    `false`: those that some endpoint has still to take, or never took; `true`: the others.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    since: NotRequired[str]
    """
    Noted at this instant or later (RFC 3339).
    """
    subject: NotRequired[str]
    """
    What happened to this alone: a quote, a proposal, a policy, a claim or a statement by its id.
    """
    type: NotRequired[
        Literal[
            "recommendation.completed",
            "journey.applied",
            "journey.expired",
            "proposal.created",
            "proposal.submitted",
            "proposal.under_review",
            "proposal.referred",
            "proposal.completed",
            "proposal.rejected",
            "proposal.cancelled",
            "premium.received",
            "premium.mismatch",
            "policy.issued",
            "policy.cancellation_requested",
            "policy.cancelled",
            "policy.cancellation_refused",
            "policy.renewed",
            "policy.renewal_due",
            "policy.expired",
            "policy.lapsed",
            "policy.terminated",
            "endorsement.requested",
            "endorsement.applied",
            "endorsement.refused",
            "refund.due",
            "refund.paid",
            "claim.intimated",
            "claim.under_review",
            "claim.approved",
            "claim.rejected",
            "claim.paid",
            "claim.withdrawn",
            "statement.ready",
            "statement.paid",
            "catalogue.changed",
            "credential.added",
            "credential.revoked",
            "endpoint.failing",
            "endpoint.disabled",
            "endpoint.ping",
        ]
    ]
    """
    Those of this type alone.
    """
    until: NotRequired[str]
    """
    Noted before this instant (RFC 3339).
    """


class ListPoliciesLegacyQuery(TypedDict):
    """
    The query of listPoliciesLegacy.
    """

    end_date: NotRequired[str]
    """
    Last day in Asia/Kolkata, at most 7 after the first. Alone, it stands for the seven days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    session_id: NotRequired[str]
    """
    The records of this session. Not beside dates.
    """
    start_date: NotRequired[str]
    """
    First day in Asia/Kolkata. Alone, it stands for the seven days from it.
    """


class ListPoliciesQuery(TypedDict):
    """
    The query of listPolicies.
    """

    issued_from: NotRequired[str]
    """
    First day of issue in Asia/Kolkata. Alone, it stands for the 31 days from it.
    """
    issued_to: NotRequired[str]
    """
    Last day of issue in Asia/Kolkata, at most 30 after the first. Alone, it stands for the 31 days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    reference: NotRequired[str]
    """
    Those that you call so: the value of context_data that the operator has named, or the user_id of the token with which a journey was opened. Alone.
    """
    session_id: NotRequired[str]
    """
    The policies of this session. Not beside dates.
    """
    status: NotRequired[
        Literal[
            "ISSUED",
            "CANCELLATION_REQUESTED",
            "CANCELLED",
            "LAPSED",
            "EXPIRED",
            "RENEWED",
            "TERMINATED",
        ]
    ]
    """
    Those that stand in this state today. Beside dates alone.
    """


class ListProposalsLegacyQuery(TypedDict):
    """
    The query of listProposalsLegacy.
    """

    end_date: NotRequired[str]
    """
    Last day in Asia/Kolkata, at most 7 after the first. Alone, it stands for the seven days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    session_id: NotRequired[str]
    """
    The records of this session. Not beside dates.
    """
    start_date: NotRequired[str]
    """
    First day in Asia/Kolkata. Alone, it stands for the seven days from it.
    """


class ListProposalsQuery(TypedDict):
    """
    The query of listProposals.
    """

    created_from: NotRequired[str]
    """
    First day of creation in Asia/Kolkata. Alone, it stands for the 31 days from it.
    """
    created_to: NotRequired[str]
    """
    Last day of creation in Asia/Kolkata, at most 30 after the first. Alone, it stands for the 31 days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    reference: NotRequired[str]
    """
    Those that you call so: the value of context_data that the operator has named, or the user_id of the token with which a journey was opened. Alone.
    """
    session_id: NotRequired[str]
    """
    The proposals of this session. Not beside dates.
    """


class ListQuotesQuery(TypedDict):
    """
    The query of listQuotes.
    """

    end_date: NotRequired[str]
    """
    Last day in Asia/Kolkata, at most 7 after the first. Alone, it stands for the seven days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    session_id: NotRequired[str]
    """
    The records of this session. Not beside dates.
    """
    start_date: NotRequired[str]
    """
    First day in Asia/Kolkata. Alone, it stands for the seven days from it.
    """


class ListRenewalsQuery(TypedDict):
    """
    The query of listRenewals.
    """

    ends_from: NotRequired[str]
    """
    First of the last days of cover. Alone, it stands for the 31 days from it.
    """
    ends_to: NotRequired[str]
    """
    Last of them, at most 91 after the first. Alone, it stands for the 31 days up to it.
    """
    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """


class ListRequestsQuery(TypedDict):
    """
    The query of listRequests.
    """

    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    since: NotRequired[str]
    """
    Those answered at this instant or later.
    """
    status: NotRequired[str]
    """
    Those answered with this status, such as 503, or with one of a class, such as 4xx.
    """
    until: NotRequired[str]
    """
    Those answered before this instant.
    """


class ListWebhookDeliveriesQuery(TypedDict):
    """
    The query of listWebhookDeliveries.
    """

    limit: NotRequired[int]
    """
    Records of a page.
    """
    next: NotRequired[str]
    """
    The end_cursor of a page: goes on behind it.
    """
    prev: NotRequired[str]
    """
    The start_cursor of a page: goes back before it.
    """
    status: NotRequired[Literal["pending", "delivered", "failed"]]
    """
    Those that stand so alone.
    """


class LoggedRequest(TypedDict):
    """
    A request that was answered.
    """

    at: str
    """
    When it was answered.
    """
    code: str | None
    """
    The code of a refusal. `null` where nothing was refused.
    """
    duration_ms: float
    """
    How long it took here, in milliseconds.
    """
    method: str
    """
    Its method.
    """
    request_id: str
    """
    What the answer's `X-Request-Id` was.
    """
    route: str
    """
    Its route, with the names of its parameters.
    """
    status: int
    """
    The status of the answer.
    """


class Account(TypedDict, closed=True):
    holder: str
    """
    One line of text of at most 200 characters.
    """
    ifsc: str
    """
    An IFSC: 4 letters, a zero, and 6 letters or digits.
    """
    number: str
    """
    The number of an account, 6 to 20 letters and digits.
    """


class Claimant(TypedDict, closed=True):
    email: NotRequired[str | None]
    """
    An e-mail address.
    """
    mobile: str
    """
    A mobile number of 10 digits, alone or after +91, 91 or 0.
    """
    name: str
    """
    One line of text of at most 200 characters.
    """
    relation: str
    """
    One line of text of at most 200 characters.
    """


class MakeClaimBody(TypedDict, closed=True):
    account: NotRequired[Account | None]
    cause: str
    """
    One line of text of at most 200 characters.
    """
    claimant: Claimant
    claimed_amount: NotRequired[str | None]
    """
    An amount in rupees, digits with at most two decimals.
    """
    event_on: str
    """
    A real calendar date written YYYY-MM-DD.
    """
    kind: Literal["DEATH", "DISABILITY", "HOSPITALISATION", "OTHER"]
    """
    One of DEATH, DISABILITY, HOSPITALISATION, OTHER.
    """
    member: NotRequired[int | None]
    """
    The number of one of the policy's members, from 1 on.
    """
    place: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    policy_id: str
    """
    The id of one of your policies.
    """


class MemberShown(TypedDict):
    """
    An insured member.
    """

    dob: str
    gender: str
    member_id: str
    name: str
    pre_existing_diseases: list[str]
    """
    May be empty.
    """
    relationship: str


class Members(TypedDict, closed=True):
    daughter: NotRequired[list[FamilyMember] | None]
    father: NotRequired[list[FamilyMember] | None]
    mother: NotRequired[list[FamilyMember] | None]
    self: NotRequired[list[FamilyMember] | None]
    son: NotRequired[list[FamilyMember] | None]
    spouse: NotRequired[list[FamilyMember] | None]


class MembersAnswer(TypedDict):
    """
    People by what they are to the customer.
    """

    daughter: NotRequired[list[AgeAnswer]]
    father: NotRequired[list[AgeAnswer]]
    mother: NotRequired[list[AgeAnswer]]
    self: NotRequired[list[AgeAnswer]]
    son: NotRequired[list[AgeAnswer]]
    spouse: NotRequired[list[AgeAnswer]]


class NamedOption(TypedDict):
    """
    Something with an id and a name.
    """

    id: str
    """
    Its id, by which requests name it.
    """
    name: str
    """
    Its name, for people.
    """


class NomineeShown(TypedDict):
    """
    A nominee.
    """

    nominee_id: str
    nominee_name: str
    nominee_phone: str | None
    relationship: str


class Offered(TypedDict):
    """
    An insurer's variant.
    """

    company_claim_settlement_ratio: float
    """
    Part of the insurer's claims that it settled, in percent.
    """
    company_description: str
    """
    What a customer should know about the insurer.
    """
    company_id: str
    """
    Id of the insurer: `ins_…`.
    """
    company_logo: str
    """
    Address of the insurer's logo.
    """
    company_name: str
    """
    Name of the insurer.
    """
    company_network_hospital_count: int
    """
    Hospitals that treat without payment in advance.
    """
    product_id: str
    """
    Id of the product: `pro_…`.
    """
    product_name: str
    """
    Name of the product.
    """
    variant_id: str
    """
    Id of the variant: `vrt_…`.
    """
    variant_name: str
    """
    Name of the variant.
    """


class OpenSessionBody(TypedDict):
    metadata: NotRequired[dict[str, str]]


class OptionInsurer(TypedDict):
    """
    An insurer whose variants are open to you.
    """

    insurer_id: str
    """
    Its id.
    """
    logo: str
    """
    Address of its logo.
    """
    name: str
    """
    Its name.
    """


class PageEnds(TypedDict):
    """
    What the pages of the lists over every line say beside their records.
    """

    count: int
    """
    All that match, whatever the page.
    """
    end_cursor: str
    """
    What to send as `next`; empty on an empty page that no cursor led to.
    """
    has_next: bool
    """
    Whether older ones follow.
    """
    has_prev: bool
    """
    Whether newer ones come before.
    """
    start_cursor: str
    """
    What to send as `prev`; empty on an empty page that no cursor led to.
    """


class PaperShown(TypedDict):
    """
    A paper that a claim needs.
    """

    id: str
    """
    What uploads name it by: the parameter `paper`.
    """
    name: str
    """
    What it is called.
    """
    received: bool
    """
    Whether it came.
    """
    required: bool
    """
    Whether nothing is paid without it.
    """
    waived: str | None
    """
    Why the claim was paid without it.
    """


class PlanShown(TypedDict):
    """
    Insurer, product and variant of a proposal or policy.
    """

    insurer_id: str
    """
    Id of the insurer.
    """
    insurer_name: str
    """
    Name of the insurer.
    """
    product_id: str
    """
    Id of the product.
    """
    product_name: str
    """
    Name of the product.
    """
    variant_id: str
    """
    Id of the variant.
    """
    variant_name: str
    """
    Name of the variant.
    """


class PolicyMember(TypedDict):
    """
    Somebody who is covered.
    """

    date_of_birth: str
    """
    Day of birth.
    """
    name: str
    """
    Full name.
    """
    relationship: str | None
    """
    What the person is to the proposer, where the line of business knows it.
    """


PolicyMove = TypedDict(
    "PolicyMove",
    {
        "at": str,
        "by": str,
        "from": str,
        "reason": str | None,
        "to": str,
    },
)


class PolicyPapers(TypedDict):
    """
    Addresses of a policy's papers.
    """

    brochure: str | None
    """
    The brochure.
    """
    certificate: str | None
    """
    Download address of the certificate, valid for 10 minutes. Null for an imported policy.
    """
    customer_information_sheet: str | None
    """
    The Customer Information Sheet.
    """
    policy_wording: str | None
    """
    All terms and conditions.
    """


class PremiumEvent(About):
    """
    What is told of a payment of a proposal's premium.
    """

    amount: str
    """
    What of the payment was for this proposal, in rupees.
    """
    family: Literal["premium"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    outcome: str
    """
    What came of the payment: `matched`, `mismatch` or `refund-due`.
    """
    received_on: str
    """
    The day on which it came, in Asia/Kolkata.
    """
    reference: str | None
    """
    What you call the sale.
    """
    reported_by: str
    """
    Who reported it.
    """


class PremiumMismatchEvent(TypedDict):
    """
    premium.mismatch: A payment for a proposal came that is not what is due, or that goes back. Is about a proposal; `data` is a PremiumEvent.
    """

    data: PremiumEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["premium.mismatch"]
    version: int
    """
    The version of what this type tells.
    """


class PremiumReceivedEvent(TypedDict):
    """
    premium.received: A payment of the premium that is due for a proposal came. Is about a proposal; `data` is a PremiumEvent.
    """

    data: PremiumEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["premium.received"]
    version: int
    """
    The version of what this type tells.
    """


class PremiumSplit(TypedDict):
    """
    An amount of premium with its tax, in rupees with two decimals.
    """

    base: str
    """
    Without tax.
    """
    gst: str
    """
    Tax.
    """
    total: str
    """
    Both together.
    """


class ProposalEvent(About):
    """
    What is told of a proposal.
    """

    family: Literal["proposal"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    line: str
    """
    `credit-life` or `health`.
    """
    moved_by: str
    """
    Who moved it: `partner`, `operator`, `insurer`, `service` or `customer`.
    """
    policy_id: str | None
    """
    Its policy, where it has come to one.
    """
    premium: str
    """
    Its premium with tax, in rupees.
    """
    previous_status: str | None
    """
    Where it stood before. `null` for a new one.
    """
    quote_id: str | None
    """
    Its quote.
    """
    reference: str | None
    """
    What you call the sale.
    """
    status: str
    """
    Where it stands then, in the words of its line.
    """


ProposalMove = TypedDict(
    "ProposalMove",
    {
        "at": str,
        "by": str,
        "from": str | None,
        "reason": str | None,
        "to": str,
    },
)


class ProposalReferredEvent(TypedDict):
    """
    proposal.referred: A proposal goes on outside of this service, until the operator tells what came of it. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.referred"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalRejectedEvent(TypedDict):
    """
    proposal.rejected: A proposal was refused. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.rejected"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalSubmittedEvent(TypedDict):
    """
    proposal.submitted: A proposal was submitted. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.submitted"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalSummary(TypedDict):
    """
    A proposal in short. Amounts are rupees with two decimals, as text.
    """

    awaits: list[AwaitsShown]
    """
    What is missing before it becomes a policy; empty once it is decided.
    """
    created_at: str
    """
    When it was created.
    """
    insurer: str | None
    """
    Name of the insurer. Null for an imported one.
    """
    line: str
    """
    `credit-life` or `health`.
    """
    paid_by: str | None
    """
    How its premium comes: `deposit`, `link`, `here` or `partner`. Null where it is not submitted, was refused or was imported.
    """
    policy_id: str | None
    """
    Its policy, once there is one.
    """
    premium: PremiumSplit
    """
    Its premium.
    """
    premium_state: str | None
    """
    Where its premium stands. Null where nothing is noted of it: a deposit is drawn when the policy is issued.
    """
    product: str | None
    """
    Name of the product. Null for an imported one.
    """
    proposal_id: str
    """
    Its id: `pro_…`.
    """
    quote_id: str
    """
    The quote that it was made from, likewise.
    """
    reason: str | None
    """
    Why it was last moved, in the words of who moved it.
    """
    reference: str | None
    """
    What you call the sale, such as the loan's account.
    """
    session_id: str | None
    """
    The session that it belongs to.
    """
    status: str
    """
    Where it stands, in the words of its line.
    """
    status_since: str
    """
    Since when.
    """
    variant_id: str
    """
    The variant's id in the catalogue; of an imported one as its record has it.
    """


class ProposalUnderReviewEvent(TypedDict):
    """
    proposal.under_review: A proposal passed the checks here, or its insurer looks at it. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.under_review"]
    version: int
    """
    The version of what this type tells.
    """


class Proposer(TypedDict):
    address: Address
    annual_income: str
    """
    An amount in rupees, digits with at most two decimals.
    """
    country_code: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    date_of_birth: str
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    documents: list[Document]
    education: Literal[
        "POST_GRADUATE",
        "GRADUATE",
        "12TH_PASS",
        "10TH_PASS",
        "BELOW_10TH",
        "ILLITERATE",
    ]
    """
    One of POST_GRADUATE, GRADUATE, 12TH_PASS, 10TH_PASS, BELOW_10TH, ILLITERATE.
    """
    email: str
    """
    An e-mail address.
    """
    employer: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    first_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    gender: Literal["MALE", "FEMALE"]
    """
    One of MALE, FEMALE.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    marital_status: Literal["SINGLE", "SEPARATED", "MARRIED", "DIVORCED", "WIDOWED"]
    """
    One of SINGLE, SEPARATED, MARRIED, DIVORCED, WIDOWED.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    mobile: str
    """
    A mobile number of 10 digits.
    """
    nationality: Literal["FN", "IND", "NRI", "OCI", "PIO"]
    """
    One of FN, IND, NRI, OCI, PIO.
    """
    occupation: Literal[
        "LABOURER",
        "UNEMPLOYED",
        "HOUSEWIFE",
        "RETIRED",
        "OTHERS",
        "FARMER",
        "SALARIED",
        "SELF_EMPLOYED",
        "SERVICE",
        "STUDENT",
    ]
    """
    One of LABOURER, UNEMPLOYED, HOUSEWIFE, RETIRED, OTHERS, FARMER, SALARIED, SELF_EMPLOYED, SERVICE, STUDENT.
    """
    organization: Literal["GOVERNMENT", "OTHERS", "PUBLIC_LTD", "PRIVATE_LTD"]
    """
    One of GOVERNMENT, OTHERS, PUBLIC_LTD, PRIVATE_LTD.
    """
    title: Literal["MR", "MRS", "MS"]
    """
    One of MR, MRS, MS.
    """


class ProposerDetails(AddressShown, BankShown):
    """
    Who holds a policy: address and bank both flat and nested (D34).
    """

    address: AddressShown
    bank_details: BankShown | None
    dob: str
    email: str | None
    name: str
    phone: str


class PublicKey(TypedDict):
    """
    A public Ed25519 key (RFC 8037).
    """

    alg: str
    crv: str
    kid: str
    kty: str
    use: str
    x: str


class QuoteCancellationBody(TypedDict, closed=True):
    reason: Literal[
        "FREE_LOOK",
        "LOAN_COOLING_OFF",
        "LOAN_FORECLOSED",
        "NOT_DISBURSED",
        "CUSTOMER",
        "DUPLICATE",
        "MIS_SALE",
        "MISSTATEMENT",
        "FRAUD",
    ]
    """
    One of FREE_LOOK, LOAN_COOLING_OFF, LOAN_FORECLOSED, NOT_DISBURSED, CUSTOMER, DUPLICATE, MIS_SALE, MISSTATEMENT, FRAUD.
    """
    received_on: NotRequired[str | None]
    """
    A real calendar date written YYYY-MM-DD.
    """


class QuoteRenewalBody(TypedDict, closed=True):
    years: NotRequired[int | None]
    """
    A whole number of years, such as 1.
    """


class Ready(TypedDict):
    """
    The process can work: what was looked at.
    """

    catalogue: str
    """
    Hash of the running catalogue.
    """
    status: str
    """
    Always `ready`.
    """
    storage: str
    """
    The store reads and writes.
    """


class ReceiptItem(TypedDict):
    """
    What came of a part of a payment.
    """

    amount: str
    """
    What of the payment is for it.
    """
    outcome: str
    """
    `matched`: it is exactly the premium. `mismatch`: it is not, and the operator settles it. `refund_due`: the
    proposal ended without a policy, and it is to be paid back.
    """
    proposal_id: str
    """
    The proposal: `pro_…`.
    """


class RecommendationAnswer(TypedDict):
    """
    One variant's item.
    """

    base_premium: str
    """
    Premium without tax, in rupees with two places; `"0"` where there is no price.
    """
    error_message: str
    """
    Why not, in a sentence for a person; empty otherwise.
    """
    gst: str
    """
    Tax, likewise.
    """
    insurer_logo: str
    """
    Address of the insurer's logo.
    """
    insurer_name: str
    """
    Name of the insurer.
    """
    is_error: bool
    """
    Whether no price could be given.
    """
    product_id: str
    """
    Id of the product: `pro_…`.
    """
    product_name: str
    """
    Name of the product.
    """
    recommendation_id: str
    """
    Its id: `rec_…`.
    """
    total_premium: str
    """
    Premium with tax, likewise: the two others added.
    """
    variant_id: str
    """
    Id of the variant: `vrt_…`.
    """
    variant_name: str
    """
    Name of the variant.
    """


class RecommendationEvent(About):
    """
    What is told of a recommendation.
    """

    family: Literal["recommendation"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    not_priced: int
    """
    Variants without one.
    """
    priced: int
    """
    Variants with a price.
    """


class RecoverWebhookDeliveriesBody(TypedDict, closed=True):
    since: str
    """
    An instant such as 2026-11-20T04:30:00Z.
    """


class RecoveredShown(TypedDict):
    """
    How much is sent again.
    """

    deliveries: int
    """
    Events that are on their way. 10,000: there may be more, which the same request sends once these have arrived.
    """


class RefundPaid(TypedDict):
    """
    A refund that the insurer paid.
    """

    interest: str
    """
    Interest for paying late, beside the refund.
    """
    paid_on: str
    """
    The day on which it was paid.
    """
    reference: str
    """
    What the payment is called where it was made, such as the bank's UTR.
    """


class RefundStep(TypedDict):
    """
    One step towards a refund, or towards what is to be paid.
    """

    amount: str
    """
    The amount after it, in rupees, as exact as it was calculated.
    """
    factor: str
    """
    Its factor; empty where it has none.
    """
    rule: str | None
    """
    The line of the catalogue that it follows, as `file:line`. Null for a value of the policy.
    """
    step: str
    """
    What it does.
    """


class RemoveWebhookEndpointAnswer(TypedDict):
    pass


class RenewPolicyBody(TypedDict, closed=True):
    premium: str
    """
    An amount in rupees, digits with at most two decimals.
    """
    years: NotRequired[int | None]
    """
    A whole number of years, such as 1.
    """


class RenewalShown(TypedDict):
    """
    When a policy can be renewed, and the policies before and after it.
    """

    covered_since: str | None
    """
    Since when its people are covered without a break, where it renews another one.
    """
    may_renew: bool
    """
    Whether it can be renewed now.
    """
    renewable_from: str | None
    """
    First day on which it can be renewed. Null for a policy that cannot be.
    """
    renewable_until: str | None
    """
    Last day on which it can be renewed: its grace ends then. Null for a policy that cannot be.
    """
    renewed_by: str | None
    """
    The policy that follows it.
    """
    renews: str | None
    """
    The policy that it renews. Null for a first one.
    """


class ReplayedShown(TypedDict):
    """
    How many endpoints an event is sent to again.
    """

    endpoints: int
    """
    Enabled endpoints that ask for its type.
    """


class Item(TypedDict, closed=True):
    amount: str
    """
    An amount in rupees above zero, digits with at most two decimals.
    """
    proposal_id: str
    """
    The id of a proposal, pro_ and 26 characters.
    """


class ReportReceiptBody(TypedDict, closed=True):
    amount: str
    """
    An amount in rupees above zero, digits with at most two decimals.
    """
    items: list[Item]
    received_on: str
    """
    A real calendar date written DD/MM/YYYY.
    """
    reference: str
    """
    The reference of a payment, at most 64 letters, digits, hyphens, slashes, points, colons and underscores.
    """


class RiderShown(TypedDict):
    """
    A rider.
    """

    id: str
    name: str


class RotateWebhookSecretBody(TypedDict, closed=True):
    overlap_hours: NotRequired[int | None]


class SaleOfEvent(TypedDict):
    """
    What every event of a policy tells of its sale.
    """

    insurer_number: str | None
    """
    The insurer's own number, where it is another.
    """
    line: str
    """
    `credit-life` or `health`.
    """
    number: str
    """
    The number on the certificate.
    """
    proposal_id: str | None
    """
    The proposal. `null` for an imported policy.
    """
    reference: str | None
    """
    What you call the sale.
    """


class SandboxClaimDecided(TypedDict):
    """
    A claim that was decided.
    """

    claim_id: str
    """
    The claim.
    """
    status: str
    """
    Where it stands.
    """


class SandboxClock(TypedDict):
    """
    The clock of a test partner.
    """

    ahead_seconds: int
    """
    How far it is ahead.
    """
    now: str
    """
    What it shows.
    """
    real_time: str
    """
    The time itself.
    """


class SandboxClockAdvanced(SandboxClock):
    """
    What became of a move of the clock.
    """

    events: int
    """
    Events that came by the calendar.
    """
    settled: bool
    """
    Whether everything that fell due has happened. `false`: it goes on, for longer than an answer waits.
    """


class SandboxDataRemoved(TypedDict):
    """
    What was removed.
    """

    complete: bool
    """
    Whether that was all.
    """
    records: int
    """
    Rows of the store.
    """


class SandboxEventFired(TypedDict):
    """
    An event that was sent.
    """

    event_id: str
    """
    The event.
    """


class SandboxPolicyDecided(TypedDict):
    """
    What was decided of a policy.
    """

    endorsement: int | None
    """
    The number of the endorsement that was decided.
    """
    policy_id: str
    """
    The policy.
    """
    status: str | None
    """
    Where the policy stands, where its cancellation was decided.
    """


class SandboxProposalDecided(TypedDict):
    """
    A proposal that was decided.
    """

    proposal_id: str
    """
    The proposal.
    """
    status: str
    """
    Where it stands.
    """
    waits_for_premium: bool
    """
    Whether it is accepted, and its policy waits for the premium.
    """


Scope: TypeAlias = Literal[
    "business.session",
    "business",
    "business.quote.read",
    "business.quote.write",
    "business.proposal.read",
    "business.proposal.write",
    "business.policy.write",
    "business.policy.read",
    "business.webhook",
]
"""
One of business.session, business, business.quote.read, business.quote.write, business.proposal.read, business.proposal.write, business.policy.write, business.policy.read, business.webhook.
"""


class SentShown(TypedDict):
    """
    An event that is on its way.
    """

    event_id: str
    """
    Its id.
    """


class SessionAnswer(TypedDict):
    """
    A session that was opened.
    """

    metadata: dict[str, str]
    """
    As it was sent; `{}` where nothing was.
    """
    session_id: str
    """
    Its id: `ses_…`.
    """


class StateAnswer(TypedDict):
    """
    A proposal and where it stands.
    """

    proposal_id: str
    """
    Its id: `pro_…`.
    """
    status: str
    """
    One of DRAFT, PENDING, COMPLETED, REJECTED.
    """


class StatementEvent(About):
    """
    What is told of a statement.
    """

    family: Literal["statement"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    kind: str
    """
    What it is about.
    """
    month: str
    """
    The month, in Asia/Kolkata.
    """
    number: str
    """
    Its number.
    """
    paid_on: str | None
    """
    The day on which that was paid.
    """
    payable: str
    """
    What you are owed by it, in rupees; below nought where you owe.
    """


class StatementFileShown(TypedDict):
    """
    A file of a statement.
    """

    bytes: int
    """
    Its size.
    """
    format: str
    """
    `csv` or `xlsx`.
    """
    sha256: str
    """
    SHA-256 of its bytes, in hexadecimal digits.
    """
    url: str
    """
    Where it can be downloaded for 10 minutes, without a token.
    """


class StatementPaid(TypedDict):
    """
    What the operator paid for a statement.
    """

    amount: str
    """
    What was paid.
    """
    paid_on: str
    """
    The day on which it was paid, in Asia/Kolkata.
    """
    reference: str
    """
    What the payment is called, such as the bank's UTR.
    """


class StatementPaidEvent(TypedDict):
    """
    statement.paid: The operator paid what the partner is owed by a statement. Is about a statement; `data` is a StatementEvent.
    """

    data: StatementEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["statement.paid"]
    version: int
    """
    The version of what this type tells.
    """


class StatementReadyEvent(TypedDict):
    """
    statement.ready: A statement of the partner's was made. Is about a statement; `data` is a StatementEvent.
    """

    data: StatementEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["statement.ready"]
    version: int
    """
    The version of what this type tells.
    """


class StatementSummary(TypedDict):
    """
    A statement in short.
    """

    kind: str
    """
    What it is about.
    """
    made_at: str
    """
    When it was made.
    """
    month: str
    """
    The month, in Asia/Kolkata.
    """
    number: str
    """
    Its number.
    """
    paid: NotRequired[StatementPaid | None]
    rows: int
    """
    Its rows.
    """
    statement_id: str
    """
    Its id.
    """
    totals: dict[str, str]
    """
    Its totals in rupees by their names; what goes back is below nought.
    """


class StoredMember(TypedDict):
    """
    A person of the family.
    """

    age: float
    """
    In years.
    """
    relation: str
    """
    What the person is to the customer.
    """


class StoredPremium(TypedDict):
    """
    What a variant costs for so many years.
    """

    premium: str
    """
    Premium with tax for all of them, in rupees with two places.
    """
    tenure: int
    """
    Years.
    """


class StoredRecommendation(Offered):
    """
    A variant that is offered.
    """

    premium_details: list[StoredPremium]
    """
    What it costs by tenure, shortest first.
    """
    recommendation_id: str
    """
    Its id: `rec_…`.
    """
    recommended: bool
    """
    Whether this is the one recommended: at most one is, and none while variants are open.
    """


class TellClaimStatusAnswer(TypedDict):
    pass


class WaivedItem(TypedDict, closed=True):
    paper: str
    reason: str
    """
    One line of text of at most 200 characters.
    """


class TellClaimStatusBody(TypedDict, closed=True):
    amount: NotRequired[str | None]
    """
    An amount in rupees above zero, digits with at most two decimals.
    """
    approved_amount: NotRequired[str | None]
    """
    An amount in rupees above zero, digits with at most two decimals.
    """
    paid_on: NotRequired[str | None]
    """
    A real calendar date written YYYY-MM-DD.
    """
    reason: NotRequired[str | None]
    reference: NotRequired[str | None]
    """
    The reference of a payment, at most 64 letters, digits, hyphens, slashes, points, colons and underscores.
    """
    status: Literal[
        "INTIMATED",
        "UNDER_ASSESSMENT",
        "UNDER_INVESTIGATION",
        "APPROVED",
        "PAID",
        "REJECTED",
        "REPUDIATED",
        "WITHDRAWN",
    ]
    """
    One of INTIMATED, UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, PAID, REJECTED, REPUDIATED, WITHDRAWN.
    """
    waived: NotRequired[list[WaivedItem] | None]


class TellDecisionAnswer(TypedDict):
    pass


class TellDecisionBody(TypedDict, closed=True):
    decision: Literal["pending", "accepted", "rejected"]
    """
    One of pending, accepted, rejected.
    """
    policy_number: NotRequired[str | None]
    """
    A policy number of 1 to 100 characters that show on one line.
    """
    proposal_id: str
    """
    The id of a proposal, pro_ and 26 characters.
    """
    reason: NotRequired[str | None]


class TellPaymentAnswer(TypedDict):
    pass


class TellReceiptAnswer(TypedDict):
    pass


class TellReceiptBody(TypedDict, closed=True):
    amount: str
    """
    An amount in rupees above zero, digits with at most two decimals.
    """
    items: list[Item]
    received_on: str
    """
    A real calendar date written DD/MM/YYYY.
    """
    reference: str
    """
    The reference of a payment, at most 64 letters, digits, hyphens, slashes, points, colons and underscores.
    """


class TenureAnswer(TypedDict):
    """
    What a variant costs for so many years.
    """

    deductible: float
    """
    Deductible in a year, in rupees.
    """
    premium: float
    """
    Premium with tax for all of them, in rupees.
    """
    tenure: int
    """
    Years.
    """


class TokenAnswer(TypedDict):
    """
    A new token.
    """

    access_token: str
    """
    The JWT to send as `Authorization: Bearer`.
    """
    expires_in: int
    """
    Seconds until it expires.
    """
    token_type: str
    """
    Always `Bearer`.
    """


class UncountedEnds(TypedDict):
    """
    What the pages of lists say whose records nobody counts.
    """

    count: int | None
    """
    `null`: the records of this list are not counted.
    """
    end_cursor: str
    """
    What to send as `next`; empty on an empty page, unless `prev` led to it.
    """
    has_next: bool
    """
    Whether more follow, in the order of the list.
    """
    has_prev: bool
    """
    Whether some come before.
    """
    start_cursor: str
    """
    What to send as `prev`; empty on an empty page that no cursor led to.
    """


class UpdateProposalBody(TypedDict, closed=True):
    status: Literal["DRAFT", "PENDING", "COMPLETED", "REJECTED"]
    """
    One of DRAFT, PENDING, COMPLETED, REJECTED.
    """


class VariantAnswer(Offered):
    """
    A variant that is offered.
    """

    filter_tags_ids: list[str]
    """
    Ids of the tags that it can be filtered by.
    """
    online: bool
    """
    Whether it can be bought online.
    """
    parent_variant_id: NotRequired[str | None]
    """
    The variant that this one builds upon, where there is one.
    """
    recommended: bool
    """
    Whether this is the one recommended: wherever anything is offered, exactly one is.
    """
    tenure_map: list[TenureAnswer]
    """
    What it costs by tenure, shortest first.
    """
    variant_description: str
    """
    What a customer should know about the variant.
    """


class ViewAnswer(TypedDict):
    """
    A proposal's status.
    """

    policy_url: NotRequired[str | None]
    """
    Download address of the certificate, valid for 10 minutes; present when the status is COMPLETED.
    """
    premium: NotRequired[str | None]
    """
    Present while the policy waits for its premium: `due`, `received`, or `mismatch` where another amount came.
    """
    proposal_id: str
    """
    Its id: `pro_…`.
    """
    status: str
    """
    One of DRAFT, PENDING, COMPLETED, REJECTED.
    """


class WaitingPeriodShown(TypedDict):
    """
    A waiting period on the first day of a renewal.
    """

    months: int
    """
    Months of cover after which what waits is covered; nought for none.
    """
    over_on: str
    """
    The first day on which what waits is covered.
    """
    served_months: int
    """
    How many of them are served then, with those that were brought along from another insurer.
    """


class WebhookAttempt(TypedDict):
    """
    An attempt to deliver an event.
    """

    answer: str | None
    """
    The beginning of the server's answer, at most 2 KiB. `null`: there was none.
    """
    at: str
    """
    When it began.
    """
    error: str | None
    """
    Why there was no answer, such as `it cannot be reached`. `null`: there was one.
    """
    milliseconds: int
    """
    Its length.
    """
    status_code: int | None
    """
    The status of the answer. `null`: there was none.
    """


class WebhookDelivery(TypedDict):
    """
    An event on its way to an endpoint.
    """

    attempts: list[WebhookAttempt]
    """
    The latest attempts, oldest first.
    """
    event_id: str
    """
    The event.
    """
    next_attempt_at: str | None
    """
    When it is sent next. `null` where it is not.
    """
    status: str
    """
    `pending`, `delivered`, or `failed`: sent as often as the schedule says, and not taken.
    """


class WebhookEndpoint(TypedDict):
    """
    An endpoint.
    """

    created_at: str
    """
    When it was made.
    """
    description: str | None
    """
    What you call it.
    """
    disabled_at: str | None
    """
    Since when.
    """
    disabled_by: str | None
    """
    Why it is disabled: `partner`, `operator`, `gone` (it answered 410) or `failing` (for five days it took nothing).
    """
    endpoint_id: str
    """
    Its id: `whe_…`.
    """
    failing_since: str | None
    """
    Since when it takes nothing.
    """
    failures: int
    """
    Attempts in a row that it did not take.
    """
    secret_since: str
    """
    When its newest secret was made.
    """
    status: str
    """
    `enabled` or `disabled`.
    """
    types: list[str]
    """
    The types that it asks for, or `*` alone.
    """
    url: str
    """
    Its address.
    """


class WholeRange(TypedDict):
    """
    Numbers from the least to the most.
    """

    least: int
    """
    The least.
    """
    most: int
    """
    The most.
    """


class WithdrawClaimBody(TypedDict, closed=True):
    reason: str
    """
    One line of text of at most 200 characters.
    """


class Appointee(TypedDict):
    address: Address
    country_code: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    date_of_birth: str
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    documents: list[Document]
    first_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    mobile: NotRequired[str | None]
    """
    A mobile number of 10 digits.
    """
    relationship_to_nominee: Literal[
        "HUSBAND",
        "SPOUSE",
        "FATHER",
        "MOTHER",
        "SON",
        "DAUGHTER",
        "OTHERS",
        "BROTHER",
        "SISTER",
        "WIFE",
        "NEPHEW",
        "GRANDMOTHER",
        "UNCLE",
        "SISTER_IN_LAW",
        "GRANDFATHER",
    ]
    """
    One of HUSBAND, SPOUSE, FATHER, MOTHER, SON, DAUGHTER, OTHERS, BROTHER, SISTER, WIFE, NEPHEW, GRANDMOTHER, UNCLE, SISTER_IN_LAW, GRANDFATHER.
    """
    title: Literal["MR", "MRS", "MS"]
    """
    One of MR, MRS, MS.
    """


class CancellationQuoteShown(TypedDict):
    """
    What would come back of a policy that is cancelled today.
    """

    confirmed_by: str
    """
    Who confirms it: `partner` and `straight-through` mean that it is done at once.
    """
    effective_on: str
    """
    The last day of cover: today in Asia/Kolkata.
    """
    policy_id: str
    """
    The policy.
    """
    reason: str
    """
    Why.
    """
    refund: PremiumSplit
    """
    What comes back, from the insurer to the insured.
    """
    refund_due_on: str
    """
    The day by which the insurer is to have paid it.
    """
    source: str
    """
    Where the rule comes from.
    """
    steps: list[RefundStep]
    """
    How it came to that, in order.
    """


class CancellationShown(TypedDict):
    """
    A cancellation that was asked for.
    """

    asked_at: str
    """
    When it was asked for. Its day in Asia/Kolkata is the last day of cover once it is confirmed.
    """
    asked_by: str
    """
    Who asked.
    """
    outcome: str
    """
    `requested`: somebody decides, and the policy still covers. `confirmed`: the policy is cancelled. `refused`: it goes on.
    """
    reason: str
    """
    Why.
    """
    refund: PremiumSplit
    """
    What comes back of the premium.
    """
    refund_due_on: str | None
    """
    The day by which the insurer is to have paid it. Null where nothing is owed.
    """
    refund_paid: RefundPaid | None
    refund_to_deposit: NotRequired[str | None]
    """
    What of the refund goes back to the deposit that paid the premium. Left out if all of it is the insured's.
    """


class CatalogueChangedEvent(TypedDict):
    """
    catalogue.changed: The plans that the partner may sell are others than before. Is about a catalogue; `data` is a CatalogueEvent.
    """

    data: CatalogueEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["catalogue.changed"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimApprovedEvent(TypedDict):
    """
    claim.approved: The insurer pays the claim. Is about a claim; `data` is a ClaimEvent.
    """

    data: ClaimEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["claim.approved"]
    version: int
    """
    The version of what this type tells.
    """


class ClaimDetail(ClaimSummary):
    """
    A claim with everything that its partner may know.
    """

    account: AccountShown | None
    cause: str
    """
    What happened.
    """
    claimant: ClaimantShown
    """
    Who claims.
    """
    claimed_amount: str | None
    """
    What was claimed.
    """
    documents: list[DocumentShown]
    """
    What was uploaded.
    """
    history: list[ClaimMove]
    """
    Every move, oldest first, the notice included.
    """
    member: ClaimMember
    """
    To whom.
    """
    paid: ClaimPaid | None
    papers: list[PaperShown]
    """
    The papers that it needs.
    """
    place: str | None
    """
    Where.
    """


class ClaimPage(PageEnds):
    """
    A page of claims.
    """

    claims: list[ClaimSummary]
    """
    The claims, newest first.
    """


class CoverTermsShown(TypedDict):
    """
    Cover and what it costs.
    """

    premium: PremiumSplit
    """
    What it costs.
    """
    sum_insured: str
    """
    Cover at the start.
    """


class CredentialAddedEvent(TypedDict):
    """
    credential.added: The partner has another secret. Is about a credential; `data` is a CredentialEvent.
    """

    data: CredentialEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["credential.added"]
    version: int
    """
    The version of what this type tells.
    """


class CreditOption(TypedDict):
    """
    A variant of credit protection with its limits.
    """

    age_at_entry: WholeRange
    """
    The age at entry, in completed years.
    """
    cover_amount: AmountRange
    """
    The cover, in rupees.
    """
    insurer_id: str
    """
    Its insurer.
    """
    joint_life: bool
    """
    Whether two people are priced together: `joint_date_of_birth` and `joint_gender` are wanted in `context_data`.
    """
    policy_term: WholeRange
    """
    The length of the cover, in months.
    """
    product_id: str
    """
    Its product.
    """
    product_name: str
    """
    The product's name.
    """
    variant_id: str
    """
    Its id.
    """
    variant_name: str
    """
    Its name.
    """


class CreditOptions(TypedDict):
    """
    What can be quoted of credit protection.
    """

    insurers: list[OptionInsurer]
    """
    Insurers, each once.
    """
    variants: list[CreditOption]
    """
    Variants, in the order of the catalogue.
    """


class DeliveryList(UncountedEnds):
    """
    A page of deliveries.
    """

    deliveries: list[WebhookDelivery]
    """
    The deliveries, newest first.
    """


class EndorsementEvent(About, SaleOfEvent):
    """
    What is told of an endorsement of a policy.
    """

    endorsement: int
    """
    Its number among those of the policy, from 1 on.
    """
    endorsement_status: str
    """
    Where it stands then: `REQUESTED`, `MADE` or `REFUSED`.
    """
    family: Literal["endorsement"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    kind: str
    """
    What is changed.
    """
    moved_by: str
    """
    Who asked for it, made it or refused it.
    """


class EndorsementQuoteShown(TypedDict):
    """
    What an endorsement costs or gives back today.
    """

    after: CoverTermsShown
    """
    The policy as it would be.
    """
    before: CoverTermsShown
    """
    The policy as it is.
    """
    charge: PremiumSplit
    """
    What is to be paid to the insurer before it is made; nought for most.
    """
    confirmed_by: str
    """
    Who confirms it. `straight-through`: nobody, it is made at once, or as soon as its charge was paid.
    """
    kind: str
    """
    What is changed.
    """
    policy_id: str
    """
    The policy.
    """
    refund: PremiumSplit
    """
    What comes back, from the insurer to the insured; nought for most.
    """
    refund_due_on: str | None
    """
    The day by which the insurer is to have paid it. Null where nothing comes back.
    """
    source: str
    """
    Where the rule comes from.
    """
    steps: list[RefundStep]
    """
    How it came to these amounts, in order. Empty where the premium stays.
    """


class EndorsementRefusedEvent(TypedDict):
    """
    endorsement.refused: An endorsement was refused. Is about a policy; `data` is a EndorsementEvent.
    """

    data: EndorsementEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["endorsement.refused"]
    version: int
    """
    The version of what this type tells.
    """


class EndorsementRequestedEvent(TypedDict):
    """
    endorsement.requested: An endorsement was asked for. Is about a policy; `data` is a EndorsementEvent.
    """

    data: EndorsementEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["endorsement.requested"]
    version: int
    """
    The version of what this type tells.
    """


class EndorsementShown(TypedDict):
    """
    An endorsement that was asked for.
    """

    asked_at: str
    """
    When it was asked for.
    """
    asked_by: str
    """
    Who asked.
    """
    charge: PremiumSplit
    """
    What is to be paid for it, before it is made; nought for most.
    """
    decided_at: str | None
    """
    When it was made or refused.
    """
    kind: str
    """
    What is changed.
    """
    member: int | None
    """
    The number of the member whom it is about, from 1 on. Null where it is about the policy.
    """
    number: int
    """
    Its number among those of the policy, from 1 on.
    """
    reason: str | None
    """
    Why it was refused, in the words of who did.
    """
    refund: PremiumSplit
    """
    What comes back once it is made; nought for most.
    """
    refund_due_on: str | None
    """
    The day by which the insurer is to have paid it. Null where nothing is owed.
    """
    refund_paid: RefundPaid | None
    refund_to_deposit: NotRequired[str | None]
    """
    What of the refund goes back to the deposit that paid the premium. Left out if all of it is the insured's.
    """
    status: str
    """
    Where it stands.
    """


class EndpointDisabledEvent(TypedDict):
    """
    endpoint.disabled: An endpoint is no longer delivered to, because it took nothing for days or is gone. Is about a endpoint; `data` is a EndpointEvent.
    """

    data: EndpointEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["endpoint.disabled"]
    version: int
    """
    The version of what this type tells.
    """


class EndpointList(TypedDict):
    """
    A partner's endpoints.
    """

    endpoints: list[WebhookEndpoint]
    """
    The endpoints, oldest first.
    """


class EndpointWithSecret(WebhookEndpoint):
    """
    An endpoint with the secret that it got now.
    """

    secret: str
    """
    The secret, which is shown this once: `whsec_` and base64.
    """


class ErrorObject(TypedDict):
    """
    The error object of every answer with status 400 or above.
    """

    additional_info: NotRequired[list[Info] | None]
    """
    On validation errors alone: every fault.
    """
    detail: str
    """
    Detailed message; may be empty.
    """
    instance: str
    """
    Path of the request that failed.
    """
    reason: NotRequired[str | None]
    """
    Of S4090 alone: why it conflicts with how things stand.
    """
    title: str
    """
    Short description.
    """
    type: str
    """
    Error code.
    """


class GenerateRecommendationBody(TypedDict):
    customer: Customer
    deductible: NotRequired[float | None]
    """
    An amount in rupees, not negative.
    """
    enterprise_id: NotRequired[str | None]
    hasPED: bool
    is_porting: NotRequired[bool | None]
    lead_id: str
    """
    Text of at most 255 characters.
    """
    members: Members
    partner_id: NotRequired[str | None]
    plan_type: NotRequired[Literal["base", "super_top_up"]]
    """
    One of base, super_top_up.
    """
    porting_tenure: NotRequired[float | None]
    """
    The years that the policy at hand has run, not negative.
    """
    selectedPEDs: NotRequired[list[SelectedPED] | None]
    session_id: NotRequired[str | None]
    sum_insured: NotRequired[float | None]
    """
    An amount in rupees, not negative.
    """
    user_id: str
    """
    Text of at most 255 characters.
    """


class GenerateTokenBody(TypedDict):
    client_id: str
    """
    The text that the operator gave you.
    """
    client_secret: str
    """
    The text that the operator gave you.
    """
    scopes: NotRequired[list[Scope] | None]
    user_id: NotRequired[str | None]


class HealthOption(TypedDict):
    """
    A variant of a health plan with its limits.
    """

    adult_age: WholeRange
    """
    Ages of adults at entry, in completed years.
    """
    adults: WholeRange
    """
    How many adults it covers.
    """
    child_age: WholeRange
    """
    Ages of children at entry, in completed years.
    """
    children: WholeRange
    """
    How many children it covers.
    """
    deductibles: list[str]
    """
    The deductibles with which it is sold, in rupees, rising.
    """
    filter_tags: list[str]
    """
    Ids of its filter tags.
    """
    insurer_id: str
    """
    Its insurer.
    """
    online: bool
    """
    Whether it is sold without an agent.
    """
    pincode_prefixes: list[str]
    """
    The beginnings of pincodes where it is sold, of which the longest that fits decides; `*` stands for every other pincode.
    """
    plan_type: str
    """
    `base` or `super_top_up`.
    """
    product_id: str
    """
    Its product.
    """
    product_name: str
    """
    The product's name.
    """
    relations: list[str]
    """
    Who may be covered, as keys of `members`.
    """
    sums_insured: list[str]
    """
    The sums insured with which it is sold, in rupees, rising.
    """
    variant_id: str
    """
    Its id.
    """
    variant_name: str
    """
    Its name.
    """


class HealthOptions(TypedDict):
    """
    What can be recommended.
    """

    deductibles: list[str]
    """
    Every deductible with which some variant is sold, in rupees, rising.
    """
    filter_tags: list[NamedOption]
    """
    What `filter_tags_ids` of a recommendation may name.
    """
    illnesses: list[NamedOption]
    """
    What `selectedPEDs` may name.
    """
    insurers: list[OptionInsurer]
    """
    Insurers, each once.
    """
    sums_insured: list[str]
    """
    Every sum insured with which some variant is sold, in rupees, rising.
    """
    variants: list[HealthOption]
    """
    Variants, in the order of the catalogue.
    """


class InsurersCover(TypedDict):
    """
    The cover that a claim draws on: of the policy as it was on the day of the event.
    """

    left: str
    """
    What other claims leave of it: no more can be approved.
    """
    most: str
    """
    The product's benefit for such events in full.
    """
    nominees: list[InsurersNominee]
    """
    Who was the nominee on that day.
    """
    sum_insured: str
    """
    The cover on that day.
    """


class JourneyAppliedEvent(TypedDict):
    """
    journey.applied: A customer applied for a plan on the hosted pages. Is about a journey; `data` is a JourneyEvent.
    """

    data: JourneyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["journey.applied"]
    version: int
    """
    The version of what this type tells.
    """


class KeySet(TypedDict):
    """
    A set of public keys (RFC 7517).
    """

    keys: list[PublicKey]


class LegacyPolicy(PlanShown):
    """
    A health policy. Amounts are text in rupees.
    """

    expiry_date: str
    """
    The last day of cover.
    """
    gross_premium: str
    """
    Premium with tax, with two indexes.
    """
    insured_members: list[MemberShown]
    """
    Who is insured.
    """
    insurer_logo: str
    """
    Address of the insurer's logo.
    """
    insurer_policy_number: str
    """
    The insurer's number; ours where it has none of its own.
    """
    issuance_date: str
    """
    The day of issue.
    """
    nominees: list[NomineeShown]
    """
    Who is paid when the holder cannot be.
    """
    policy_id: str
    """
    Its id: `pol_…`.
    """
    policy_number: str
    """
    Our number.
    """
    policy_type: str
    """
    `FRESH`, `PORTABILITY`, or the word of an imported record.
    """
    previous_policy_id: str | None
    """
    The policy before it.
    """
    proposal_id: str | None
    """
    The proposal that it came of.
    """
    proposer_details: ProposerDetails
    """
    Who holds it.
    """
    quote_id: str | None
    """
    The quote that it came of.
    """
    riders: list[RiderShown]
    """
    Benefits beside the plan.
    """
    session_id: str | None
    """
    The session it belongs to.
    """
    status: str
    """
    `ISSUED`, or the word of an imported record.
    """
    sum_insured: str
    """
    Sum insured, in whole rupees.
    """
    tenure: int
    """
    Years of cover.
    """


class LegacyProposal(PlanShown):
    """
    A health proposal. Amounts are text in rupees with two places.
    """

    cancelled_reason: str | None
    """
    Why it was cancelled.
    """
    email: str
    """
    The proposer's e-mail address.
    """
    form_responses: Any
    """
    What was answered: in the list an object keyed by section name, in the single read a list of objects with `section_name`
    and `response_data`. Sections of this service: proposer, insured, nominee, health.
    """
    gross_premium: str
    """
    Premium with tax.
    """
    insurer_proposal_id: str | None
    """
    The insurer's own name for it.
    """
    name: str
    """
    The proposer's name.
    """
    net_premium: str
    """
    Premium without tax.
    """
    phone: str
    """
    The proposer's mobile number, 10 digits.
    """
    proposal_id: str
    """
    Its id: `pro_…`.
    """
    quote_id: str
    """
    The quote that it was made of.
    """
    rejection_reason: str | None
    """
    Why it was rejected.
    """
    session_id: str | None
    """
    The session it belongs to.
    """
    status: str
    """
    Where it stands.
    """
    tenure: int
    """
    Years of cover.
    """


class Nominee(TypedDict):
    address: Address
    appointee_details: NotRequired[Appointee]
    country_code: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    date_of_birth: str
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    documents: list[Document]
    first_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India.
    """
    mobile: NotRequired[str | None]
    """
    A mobile number of 10 digits.
    """
    percentage_sharing: float
    """
    A number above 0 and at most 100.
    """
    relationship: Literal[
        "HUSBAND",
        "SPOUSE",
        "FATHER",
        "MOTHER",
        "SON",
        "DAUGHTER",
        "OTHERS",
        "BROTHER",
        "SISTER",
        "WIFE",
        "NEPHEW",
        "GRANDMOTHER",
        "UNCLE",
        "SISTER_IN_LAW",
        "GRANDFATHER",
    ]
    """
    One of HUSBAND, SPOUSE, FATHER, MOTHER, SON, DAUGHTER, OTHERS, BROTHER, SISTER, WIFE, NEPHEW, GRANDMOTHER, UNCLE, SISTER_IN_LAW, GRANDFATHER.
    """
    title: Literal["MR", "MRS", "MS"]
    """
    One of MR, MRS, MS.
    """


class PoliciesAnswer(TypedDict):
    """
    A page of policies.
    """

    count: int
    """
    All that match, whatever the page.
    """
    end_cursor: str
    """
    What to send as `next`; empty on an empty page.
    """
    has_next: bool
    """
    Whether older ones follow.
    """
    has_prev: bool
    """
    Whether newer ones come before.
    """
    policies: list[LegacyPolicy]
    """
    The policies, newest first.
    """
    session_id: str | None
    """
    The session asked for.
    """
    start_cursor: str
    """
    What to send as `prev`; empty on an empty page.
    """
    total_count: int
    """
    The same (D34).
    """


class PolicyAnswer(TypedDict):
    """
    One policy.
    """

    policy: LegacyPolicy
    """
    The policy.
    """


class PolicyEvent(About, SaleOfEvent):
    """
    What is told of a policy.
    """

    family: Literal["policy"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    moved_by: str
    """
    Who moved it.
    """
    premium: str
    """
    Its premium with tax, in rupees.
    """
    previous_status: str | None
    """
    Where it stood before. `null` for a new one.
    """
    renewed_by: str | None
    """
    The policy that follows it.
    """
    status: str
    """
    Where it stands then.
    """


class PolicyExpiredEvent(TypedDict):
    """
    policy.expired: The last day of a policy is over. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.expired"]
    version: int
    """
    The version of what this type tells.
    """


class PolicyIssuedEvent(TypedDict):
    """
    policy.issued: A policy was issued. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.issued"]
    version: int
    """
    The version of what this type tells.
    """


class PolicyLapsedEvent(TypedDict):
    """
    policy.lapsed: The days of grace of a policy are over: it is not renewed any more. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.lapsed"]
    version: int
    """
    The version of what this type tells.
    """


class PolicyRenewedEvent(TypedDict):
    """
    policy.renewed: Another policy follows a policy. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.renewed"]
    version: int
    """
    The version of what this type tells.
    """


class PolicySummary(TypedDict):
    """
    A policy in short. Amounts are rupees with two decimals, as text; days are `YYYY-MM-DD` in Asia/Kolkata.
    """

    cover_ends: str
    """
    Last day of cover.
    """
    cover_starts: str | None
    """
    First day of cover. Null where an imported record does not tell it.
    """
    insurer: str
    """
    Name of the insurer.
    """
    insurer_policy_number: str | None
    """
    The number under which the insurer keeps it, where it is another.
    """
    issued_at: str
    """
    When it was issued.
    """
    line: str
    """
    `credit-life` or `health`.
    """
    policy_id: str
    """
    Its id: `pol_…`.
    """
    policy_number: str
    """
    Our number, which stands on the certificate.
    """
    premium: PremiumSplit
    """
    What it costs.
    """
    product: str
    """
    Name of the product.
    """
    proposal_id: str | None
    """
    The proposal that it came of. Null for an imported one.
    """
    reference: str | None
    """
    What you call the sale, such as the loan's account.
    """
    session_id: str | None
    """
    The session that it belongs to.
    """
    status: str
    """
    Where it stands today.
    """
    status_since: str
    """
    Since when.
    """
    sum_insured: str
    """
    Cover at the start.
    """
    variant: str
    """
    Name of the variant.
    """


class PolicyTerminatedEvent(TypedDict):
    """
    policy.terminated: A paid claim ended the cover of a policy's last life. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.terminated"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalAnswer(TypedDict):
    """
    One proposal.
    """

    proposal: LegacyProposal
    """
    The proposal; `form_responses` is a list of sections.
    """


class ProposalCancelledEvent(TypedDict):
    """
    proposal.cancelled: A proposal failed the checks here. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.cancelled"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalCompletedEvent(TypedDict):
    """
    proposal.completed: A proposal was accepted, and has its policy. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.completed"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalCreatedEvent(TypedDict):
    """
    proposal.created: A proposal was begun, and nobody was asked to decide it yet. Is about a proposal; `data` is a ProposalEvent.
    """

    data: ProposalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["proposal.created"]
    version: int
    """
    The version of what this type tells.
    """


class ProposalDetail(ProposalSummary):
    """
    A proposal with its history.
    """

    history: list[ProposalMove]
    """
    Every move, oldest first, the creation included.
    """


class ProposalPage(PageEnds):
    """
    A page of proposals.
    """

    proposals: list[ProposalSummary]
    """
    The proposals, newest first.
    """


class ProposalsAnswer(TypedDict):
    """
    A page of proposals.
    """

    count: int
    """
    All that match, whatever the page.
    """
    end_cursor: str
    """
    What to send as `next`; empty on an empty page.
    """
    has_next: bool
    """
    Whether older ones follow.
    """
    has_prev: bool
    """
    Whether newer ones come before.
    """
    metadata: NotRequired[dict[str, str]]
    """
    The session's, where a session was asked for and has any.
    """
    proposals: list[LegacyProposal]
    """
    The proposals, newest first; `form_responses` is an object keyed by section.
    """
    session_id: str | None
    """
    The session asked for.
    """
    start_cursor: str
    """
    What to send as `prev`; empty on an empty page.
    """


class QuoteAnswer(TypedDict):
    """
    A quote.
    """

    matched_products: int
    """
    How many items there are.
    """
    quote_id: str
    """
    Its id: `quo_…`.
    """
    recommendations: list[RecommendationAnswer]
    """
    One item per matched variant: priced ones by total premium, then those without a price.
    """


class QuoteEndorsementBody(TypedDict, closed=True):
    assignee: NotRequired[str]
    """
    One line of text of at most 100 characters.
    """
    contact: NotRequired[Contact]
    date_of_birth: NotRequired[str]
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    kind: Literal[
        "NOMINEE",
        "CONTACT",
        "NAME",
        "DATE_OF_BIRTH",
        "LOAN_ACCOUNT",
        "ASSIGNMENT",
        "COVER_REDUCTION",
    ]
    """
    One of NOMINEE, CONTACT, NAME, DATE_OF_BIRTH, LOAN_ACCOUNT, ASSIGNMENT, COVER_REDUCTION.
    """
    loan_account: NotRequired[str]
    """
    One line of text of at most 100 characters.
    """
    member: NotRequired[int | None]
    """
    The number of one of the policy's members, from 1 on.
    """
    name: NotRequired[Name]
    nominees: NotRequired[list[Nominee]]
    sum_insured: NotRequired[str]
    """
    An amount above zero, digits with two decimals, such as "500000.00".
    """


class ReceiptAnswer(TypedDict):
    """
    A payment that was taken.
    """

    amount: str
    """
    All of it, in rupees with two decimals.
    """
    items: list[ReceiptItem]
    """
    What came of each item, in the order in which they were sent.
    """
    reference: str
    """
    Its reference, as it was sent.
    """


class RecommendationCompletedEvent(TypedDict):
    """
    recommendation.completed: All variants of a health quote are priced and ranked. Is about a recommendation; `data` is a RecommendationEvent.
    """

    data: RecommendationEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["recommendation.completed"]
    version: int
    """
    The version of what this type tells.
    """


class RecommendationJob(TypedDict):
    """
    A recommendation job.
    """

    completed_variants: int
    """
    How many are finished, those that are not offered included.
    """
    copay: NotRequired[int | None]
    """
    Co-pay of the recommended variant, in percent; once ready.
    """
    customer_email: str
    """
    The customer's e-mail address.
    """
    customer_gender: str
    """
    The customer's gender, as it was sent.
    """
    customer_name: str
    """
    The customer's name.
    """
    customer_phone: str
    """
    The customer's mobile number, 10 digits.
    """
    deductible: NotRequired[float | None]
    """
    Deductible used, in rupees; once ready.
    """
    id: NotRequired[str | None]
    """
    Id of the recommendation, once it is ready: `rec_…`.
    """
    member_details: NotRequired[MembersAnswer | None]
    new_recommendations: list[VariantAnswer]
    """
    Empty while pending; then what is offered, best first.
    """
    pincode: str
    """
    The customer's pincode.
    """
    plan_type: str
    """
    `BASE` or `SUPER_TOP_UP`.
    """
    quote_id: str
    """
    Its id: `quo_…`.
    """
    status: str
    """
    `pending` or `success`.
    """
    sum_insured: float
    """
    Sum insured used, in rupees.
    """
    total_variants: int
    """
    How many variants are asked.
    """


class RefundEvent(About, SaleOfEvent):
    """
    What is told of a refund that the insurer owes to the insured.
    """

    due_on: str
    """
    The day by which it is to be paid.
    """
    family: Literal["refund"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    paid_on: str | None
    """
    The day on which it was paid.
    """
    refund: str
    """
    The refund with tax, in rupees.
    """


class RefundPaidEvent(TypedDict):
    """
    refund.paid: The insurer paid a refund to the insured. Is about a policy; `data` is a RefundEvent.
    """

    data: RefundEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["refund.paid"]
    version: int
    """
    The version of what this type tells.
    """


class RenewalDueShown(PolicySummary):
    """
    A policy that is due to be renewed.
    """

    notice: int | None
    """
    The last notice that has come, in days before the end of its cover. Null before the first one, and after the end.
    """
    renewable_from: str | None
    """
    First day on which it can be renewed. Null where the catalogue has no rules for it any more.
    """
    renewable_until: str
    """
    Last day on which it can be renewed: its grace ends then.
    """


class RenewalEvent(About, SaleOfEvent):
    """
    What is told of a policy that can be renewed.
    """

    days_left: int
    """
    How many days are left until then.
    """
    family: Literal["renewal"]
    """
    What it tells of that thing: the fields below follow from it.
    """
    last_day: str
    """
    The last day of its cover.
    """
    premium: str
    """
    What it cost, with tax, in rupees. The renewal may cost something else.
    """
    renewable_until: str
    """
    Until when it can be renewed, the days of grace included.
    """
    status: str
    """
    Where it stands.
    """


class RenewalPage(UncountedEnds):
    """
    A page of policies that are due.
    """

    policies: list[RenewalDueShown]
    """
    The policies, the one that ends first before the others.
    """


class RenewalQuoteShown(TypedDict):
    """
    What a renewal costs today.
    """

    confirmed_by: str
    """
    Who decides the renewal's proposal. `straight-through`: nobody, the policy is issued with its premium.
    """
    copay_percent: int
    """
    Part of every claim that the customer bears, in percent.
    """
    cover_ends: str
    """
    Last day of the new cover.
    """
    cover_starts: str
    """
    First day of the new cover if the premium comes today: the day after the policy's last one, or today in its days of grace.
    """
    covered_since: str
    """
    Since when its people are covered without a break.
    """
    days_without_cover: int
    """
    Days between the two policies on which nobody is covered; nought before the policy's last day.
    """
    deductible: str
    """
    Deductible in a year; nought for none.
    """
    paid_by: str
    """
    How the premium reaches the insurer: `deposit`, `link`, `here` or `partner`.
    """
    policy_id: str
    """
    The policy that is renewed.
    """
    premium: PremiumSplit
    """
    What it costs.
    """
    premium_before: PremiumSplit
    """
    What the policy that is renewed costs.
    """
    renewable_until: str
    """
    Last day on which the policy can be renewed.
    """
    source: str
    """
    Where the rules of renewal come from.
    """
    steps: list[RefundStep]
    """
    How it came to this premium, in order. Empty where the insurer priced it.
    """
    sum_insured: str
    """
    Sum insured.
    """
    waiting_period: WaitingPeriodShown
    """
    The waiting period for pre-existing diseases.
    """
    years: int
    """
    Years of cover.
    """


class RequestList(UncountedEnds):
    """
    A page of requests.
    """

    requests: list[LoggedRequest]
    """
    The requests, newest first.
    """


class StatementDetail(StatementSummary):
    """
    A statement with its files.
    """

    files: list[StatementFileShown]
    """
    Its files.
    """


class StatementList(TypedDict):
    """
    A partner's statements.
    """

    statements: list[StatementSummary]
    """
    The statements, the newest month first.
    """


class StoredQuote(TypedDict):
    """
    A quote as it was stored. Amounts are text.
    """

    completed_variants: int
    """
    How many are finished.
    """
    customer_email: str
    """
    The customer's e-mail address.
    """
    customer_gender: str
    """
    The customer's gender, as it was sent.
    """
    customer_name: str
    """
    The customer's name.
    """
    customer_phone: str
    """
    The customer's mobile number, 10 digits.
    """
    deductible: str
    """
    Deductible, in whole rupees.
    """
    member_details: list[StoredMember]
    """
    One item for each person.
    """
    pincode: str
    """
    The customer's pincode.
    """
    plan_type: str
    """
    `BASE` or `SUPER_TOP_UP`.
    """
    quote_id: str
    """
    Its id: `quo_…`.
    """
    recommendations: list[StoredRecommendation]
    """
    What is offered of the variants finished so far, best first once all are.
    """
    session_id: str | None
    """
    The session it belongs to.
    """
    sum_insured: str
    """
    Sum insured, in whole rupees.
    """
    total_variants: int
    """
    How many variants are asked.
    """


class StoredQuoteAnswer(TypedDict):
    """
    One quote.
    """

    quote: StoredQuote
    """
    The quote.
    """


class CancellationAnswer(CancellationQuoteShown):
    """
    A cancellation.
    """

    status: str
    """
    Where the policy stands now.
    """


class CreateProposalBody(TypedDict):
    context_data: NotRequired[list[ContextEntry] | None]
    insured_members: list[InsuredMember]
    nominee: NotRequired[list[Nominee] | None]
    proposer: Proposer
    quote_id: str
    """
    The id of one of your quotes.
    """
    recommendation_id: str
    """
    The id of one of the quote's recommendations.
    """
    status: Literal["DRAFT", "SUBMITTED"]
    """
    One of DRAFT, SUBMITTED.
    """


class EndorsePolicyBody(TypedDict, closed=True):
    assignee: NotRequired[str]
    """
    One line of text of at most 100 characters.
    """
    charge: NotRequired[str | None]
    """
    An amount in rupees, digits with at most two decimals.
    """
    contact: NotRequired[Contact]
    date_of_birth: NotRequired[str]
    """
    A real calendar date before today, written DD/MM/YYYY.
    """
    kind: Literal[
        "NOMINEE",
        "CONTACT",
        "NAME",
        "DATE_OF_BIRTH",
        "LOAN_ACCOUNT",
        "ASSIGNMENT",
        "COVER_REDUCTION",
    ]
    """
    One of NOMINEE, CONTACT, NAME, DATE_OF_BIRTH, LOAN_ACCOUNT, ASSIGNMENT, COVER_REDUCTION.
    """
    loan_account: NotRequired[str]
    """
    One line of text of at most 100 characters.
    """
    member: NotRequired[int | None]
    """
    The number of one of the policy's members, from 1 on.
    """
    name: NotRequired[Name]
    nominees: NotRequired[list[Nominee]]
    note: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    refund: NotRequired[str | None]
    """
    An amount in rupees, digits with at most two decimals.
    """
    sum_insured: NotRequired[str]
    """
    An amount above zero, digits with two decimals, such as "500000.00".
    """


class EndorsementAnswer(EndorsementQuoteShown):
    """
    An endorsement.
    """

    number: int
    """
    Its number among those of the policy, from 1 on.
    """
    status: str
    """
    Where it stands now.
    """


class EndorsementAppliedEvent(TypedDict):
    """
    endorsement.applied: An endorsement is part of the policy now. Is about a policy; `data` is a EndorsementEvent.
    """

    data: EndorsementEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["endorsement.applied"]
    version: int
    """
    The version of what this type tells.
    """


EventData: TypeAlias = (
    RecommendationEvent
    | JourneyEvent
    | ProposalEvent
    | PremiumEvent
    | PolicyEvent
    | RenewalEvent
    | EndorsementEvent
    | RefundEvent
    | ClaimEvent
    | StatementEvent
    | CatalogueEvent
    | CredentialEvent
    | EndpointEvent
)
"""
What an event tells, by what it is about.
"""


class InsurersClaim(TypedDict):
    """
    A claim as its insurer reads it.
    """

    approved_amount: str | None
    """
    What was approved.
    """
    claim_id: str
    """
    Its id: `clm_…`.
    """
    cover: InsurersCover
    """
    The cover that it draws on.
    """
    documents: list[DocumentShown]
    """
    The papers that came, oldest first.
    """
    policy_id: str
    """
    The policy: `pol_…`.
    """
    settle_by: str
    """
    By when the law wants it settled.
    """
    status: str
    """
    Where it stands.
    """


class PolicyCancellationRefusedEvent(TypedDict):
    """
    policy.cancellation_refused: The cancellation of a policy was refused: it goes on. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.cancellation_refused"]
    version: int
    """
    The version of what this type tells.
    """


class PolicyCancellationRequestedEvent(TypedDict):
    """
    policy.cancellation_requested: The cancellation of a policy was asked for. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.cancellation_requested"]
    version: int
    """
    The version of what this type tells.
    """


class PolicyCancelledEvent(TypedDict):
    """
    policy.cancelled: A policy was cancelled. Is about a policy; `data` is a PolicyEvent.
    """

    data: PolicyEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.cancelled"]
    version: int
    """
    The version of what this type tells.
    """


class PolicyDetail(PolicySummary):
    """
    A policy with everything that its partner may know.
    """

    cancellation: CancellationShown | None
    claims: list[ClaimRef]
    """
    The claims on it, oldest first.
    """
    cover_left: list[CoverLeftShown]
    """
    What is left of its benefits today, or on its last day. Empty: its insurer alone takes claims.
    """
    cover_schedule: list[CoverYear]
    """
    Cover in each policy year, where it falls; empty where it stays.
    """
    endorsements: list[EndorsementShown]
    """
    The endorsements that were asked for, oldest first.
    """
    history: list[PolicyMove]
    """
    Every move after the issue, oldest first.
    """
    may_cancel_for: list[str]
    """
    The reasons for which its cancellation can be asked for now; each has its own rules, which the quote judges.
    """
    may_claim_for: list[str]
    """
    The kinds of claims that it knows; empty where its insurer alone takes claims.
    """
    may_endorse: list[str]
    """
    What of it can be endorsed now; the quote judges each by its rules.
    """
    members: list[PolicyMember]
    """
    Who is covered.
    """
    paid_by: str | None
    """
    How the premium reached the insurer: `deposit`, `link`, `here` or `partner`. Null for an imported one.
    """
    papers: PolicyPapers
    """
    Its papers.
    """
    quote_id: str | None
    """
    The quote that it came of, where it is known.
    """
    renewal: RenewalShown
    """
    When it can be renewed, and the policies before and after it.
    """
    uin: str | None
    """
    The product's unique identification number (UIN). Null for an imported one.
    """
    variant_id: str
    """
    The variant's id in the catalogue.
    """


class PolicyPage(PageEnds):
    """
    A page of policies.
    """

    policies: list[PolicySummary]
    """
    The policies, newest first.
    """


class PolicyRenewalDueEvent(TypedDict):
    """
    policy.renewal_due: A policy can be renewed, and the day of a reminder has come. Is about a policy; `data` is a RenewalEvent.
    """

    data: RenewalEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["policy.renewal_due"]
    version: int
    """
    The version of what this type tells.
    """


class QuotesAnswer(TypedDict):
    """
    A page of quotes.
    """

    count: int
    """
    All that match, whatever the page.
    """
    end_cursor: str
    """
    What to send as `next`; empty on an empty page.
    """
    has_next: bool
    """
    Whether older ones follow.
    """
    has_prev: bool
    """
    Whether newer ones come before.
    """
    quotes: list[StoredQuote]
    """
    The quotes, newest first.
    """
    session_id: str | None
    """
    The session asked for.
    """
    start_cursor: str
    """
    What to send as `prev`; empty on an empty page.
    """


class RefundDueEvent(TypedDict):
    """
    refund.due: The insurer owes a refund to the insured. Is about a policy; `data` is a RefundEvent.
    """

    data: RefundEvent
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: Literal["refund.due"]
    version: int
    """
    The version of what this type tells.
    """


class RenewalAnswer(RenewalQuoteShown):
    """
    A renewal under way.
    """

    proposal_id: str
    """
    Its proposal: `pro_…`.
    """
    status_url: str | None
    """
    The page where the customer reads how it stands, and pays where that is done here or by the insurer's link. It opens for 90
    days. Null where no pages are served.
    """


WebhookEvent: TypeAlias = (
    CatalogueChangedEvent
    | ClaimApprovedEvent
    | ClaimIntimatedEvent
    | ClaimPaidEvent
    | ClaimRejectedEvent
    | ClaimUnderReviewEvent
    | ClaimWithdrawnEvent
    | CredentialAddedEvent
    | CredentialRevokedEvent
    | EndorsementAppliedEvent
    | EndorsementRefusedEvent
    | EndorsementRequestedEvent
    | EndpointDisabledEvent
    | EndpointFailingEvent
    | EndpointPingEvent
    | JourneyAppliedEvent
    | JourneyExpiredEvent
    | PolicyCancellationRefusedEvent
    | PolicyCancellationRequestedEvent
    | PolicyCancelledEvent
    | PolicyExpiredEvent
    | PolicyIssuedEvent
    | PolicyLapsedEvent
    | PolicyRenewalDueEvent
    | PolicyRenewedEvent
    | PolicyTerminatedEvent
    | PremiumMismatchEvent
    | PremiumReceivedEvent
    | ProposalCancelledEvent
    | ProposalCompletedEvent
    | ProposalCreatedEvent
    | ProposalReferredEvent
    | ProposalRejectedEvent
    | ProposalSubmittedEvent
    | ProposalUnderReviewEvent
    | RecommendationCompletedEvent
    | RefundDueEvent
    | RefundPaidEvent
    | StatementPaidEvent
    | StatementReadyEvent
)
"""
An event, as a webhook delivers it.
"""


class Event(TypedDict):
    """
    An event. It has ids, states and money; who is insured is read at `href`.
    """

    data: EventData
    """
    What it is about.
    """
    id: str
    """
    Its id, the same however often it is delivered: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` where it is a test partner's.
    """
    sequence: int
    """
    Counts the events of what it is about from 1, without gaps: deliveries may come in another order.
    """
    timestamp: str
    """
    When it happened; of a test partner, by its own clock.
    """
    type: str
    """
    What happened.
    """
    version: int
    """
    The version of what this type tells.
    """


class EventList(UncountedEnds):
    """
    A page of events.
    """

    events: list[Event]
    """
    The events, newest first.
    """
