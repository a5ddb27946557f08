"""The schemas of the service. Made by scripts/clients: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias
from typing_extensions import TypedDict


class About(TypedDict):
    """
    Record that an event is about.
    """

    href: str | None
    """
    API path from which you can read this record. `null` for a secret and a journey.
    """
    id: str
    """
    Id of this record.
    """
    object: str
    """
    Kind of record that the event is about.
    """


class AccountShown(TypedDict):
    """
    Bank account to which a claim is paid.
    """

    holder: str
    """
    Name of the account holder.
    """
    ifsc: str
    """
    Code of the bank branch (IFSC).
    """
    number_ends_in: str
    """
    Last four characters of the account number.
    """


class AddClaimDocumentQuery(TypedDict):
    """
    The query of addClaimDocument.
    """

    paper: NotRequired[str]
    """
    Id of a document in the claim's `papers`. Without this parameter, the upload is an additional document.
    """


class AddWebhookEndpointBody(TypedDict, closed=True):
    description: NotRequired[str | None]
    types: list[str]
    url: str
    """
    An https address. Private networks are refused unless the operator allows them.
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
    Age of a family member.
    """

    age: float
    """
    Age in years.
    """


class Alive(TypedDict):
    """
    Result of the liveness probe.
    """

    status: str
    """
    Always `alive`.
    """


class AmountRange(TypedDict):
    """
    Range of amounts, in rupees.
    """

    least: str
    """
    Lowest allowed amount, in rupees.
    """
    most: str
    """
    Highest allowed amount, in rupees.
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
    Note for the history of the policy: one line of at most 200 characters.
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
        "PAYMENT_BOUNCED",
    ]
    """
    One of FREE_LOOK, LOAN_COOLING_OFF, LOAN_FORECLOSED, NOT_DISBURSED, CUSTOMER, DUPLICATE, MIS_SALE, MISSTATEMENT, FRAUD, PAYMENT_BOUNCED.
    """
    received_on: NotRequired[str | None]
    """
    Day on which the customer received the policy, YYYY-MM-DD. Default: the first download of the certificate, else the day of issue.
    """
    refund: str
    """
    Total of the cancellation quote, in rupees. Another total is refused.
    """


class CatalogueEvent(About):
    """
    Data of an event about a change of what you can sell.
    """

    credit_life: int
    """
    Number of credit-life variants that you can sell.
    """
    family: Literal["catalogue"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    health: int
    """
    Number of health variants that you can sell.
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
    An https address. Private networks are refused unless the operator allows them.
    """


class ClaimEvent(About):
    """
    Data of an event about a claim.
    """

    approved_amount: str | None
    """
    Amount that the insurer pays, in rupees. `null` until the claim is approved.
    """
    family: Literal["claim"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    kind: str
    """
    Kind of claim.
    """
    line: str
    """
    Line of business: `credit-life` or `health`.
    """
    moved_by: str
    """
    Who changed the status of the claim.
    """
    paid_on: str | None
    """
    Day on which the insurer paid the claim. `null` until then.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    previous_status: str | None
    """
    Status of the claim before the event. `null` for a new claim.
    """
    reference: str | None
    """
    Your reference for the sale, as it was when the claim was reported.
    """
    status: str
    """
    Status of the claim after the event.
    """


class ClaimIntimatedEvent(TypedDict):
    """
    claim.intimated: A claim was reported. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.intimated"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimMember(TypedDict):
    """
    Insured person to whom the loss of a claim happened.
    """

    name: str
    """
    Full name of the person.
    """
    number: int
    """
    Number of the person among the policy's members, from 1.
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
    Payment of a claim.
    """

    interest: str
    """
    Interest for late payment, in rupees, in addition to the approved amount.
    """
    paid_on: str
    """
    Day of the payment.
    """
    reference: str
    """
    Reference of the payment, such as the bank's UTR.
    """


class ClaimPaidEvent(TypedDict):
    """
    claim.paid: A claim was paid. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.paid"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimPapersAskedEvent(TypedDict):
    """
    claim.papers_asked: Documents of a claim were asked for. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.papers_asked"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimPartPaidEvent(TypedDict):
    """
    claim.part_paid: The insurer paid a part of a claim. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.part_paid"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimRef(TypedDict):
    """
    A claim on this policy.
    """

    claim_id: str
    """
    Id of the claim: `clm_…`.
    """
    kind: str
    """
    Kind of claim.
    """
    status: str
    """
    Status of the claim.
    """


class ClaimRejectedEvent(TypedDict):
    """
    claim.rejected: The insurer will not pay a claim. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.rejected"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimSummary(TypedDict):
    """
    Summary of a claim. Amounts are rupees with two decimals, as text. Days are `YYYY-MM-DD` in Asia/Kolkata.
    """

    approved_amount: str | None
    """
    Amount that the insurer pays, in rupees. `null` until the claim is approved.
    """
    claim_id: str
    """
    Id of the claim: `clm_…`.
    """
    event_on: str
    """
    Day of the loss, such as the day of death or of admission to a hospital.
    """
    is_late: bool
    """
    Whether the day `settle_by` has passed and the claim is still open.
    """
    kind: str
    """
    Kind of claim.
    """
    line: str
    """
    Line of business of the policy: `credit-life` or `health`.
    """
    notified_at: str
    """
    Time when the claim was reported.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    settle_by: str
    """
    Day by which the insurer must settle the claim.
    """
    status: str
    """
    Status of the claim.
    """
    status_since: str
    """
    Time since which the claim has this status.
    """


class ClaimTransferShown(TypedDict):
    """
    A transfer of money for a claim that is paid in several.
    """

    amount: str
    """
    Amount, in rupees.
    """
    paid_on: str
    """
    Day of the transfer.
    """
    payee: str | None
    """
    Who received it. `null` if the payee is not known.
    """
    reference: str
    """
    Reference of the transfer, such as the bank's UTR.
    """


class ClaimUnderReviewEvent(TypedDict):
    """
    claim.under_review: The insurer assesses or investigates a claim. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.under_review"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimWithdrawnEvent(TypedDict):
    """
    claim.withdrawn: A claim was withdrawn; nothing is paid. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.withdrawn"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimantShown(TypedDict):
    """
    Person who makes a claim.
    """

    email: str | None
    """
    E-mail address of the claimant. `null` if the report has none.
    """
    mobile: str
    """
    Mobile number of the claimant, 10 digits.
    """
    name: str
    """
    Full name of the claimant.
    """
    relation: str
    """
    Relation of the claimant to the insured person.
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
    Benefit for one kind of claim: the full amount, and the part that can still be approved today.
    """

    kind: str
    """
    Kind of claim for which the benefit pays.
    """
    left: str
    """
    Part of the benefit that is left after approved claims, in rupees. Other kinds of claim can reduce it,
    too, because benefits can share one sum.
    """
    member: int | None
    """
    Number of the insured member with this benefit, from 1. `null` if all members share the benefit.
    """
    most: str
    """
    Full amount of the benefit, in rupees.
    """
    on: str
    """
    Day of the amounts: today, or the last day of cover.
    """


class CoverYear(TypedDict):
    """
    Sum insured in one policy year.
    """

    sum_insured: str
    """
    Sum insured at the start of this policy year, in rupees.
    """
    year: int
    """
    Number of the policy year, from 1.
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
    Data of an event about one of your secrets.
    """

    family: Literal["credential"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    secret: int
    """
    Number of the secret among all your secrets, from 1.
    """


class CredentialRevokedEvent(TypedDict):
    """
    credential.revoked: An API secret of the partner was revoked. The event is about a credential; the type of `data` is `CredentialEvent`.
    """

    data: CredentialEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["credential.revoked"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
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
    An amount in rupees above zero and at most 1000000000000, digits with at most two decimals.
    """
    reason: NotRequired[str | None]
    refunds: NotRequired[Literal["DEDUCT", "KEEP"]]
    """
    One of DEDUCT, KEEP.
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
    An uploaded document of a claim.
    """

    added_at: str
    """
    Time of the upload.
    """
    bytes: int
    """
    Size of the document, in bytes.
    """
    document_id: str
    """
    Id of the upload: `doc_…`.
    """
    media_type: str
    """
    Media type of the document.
    """
    paper: str | None
    """
    Id of this document in the claim's `papers`. `null` if `papers` does not list the document.
    """
    sha256: str
    """
    SHA-256 of the document's bytes, in hexadecimal digits.
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
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    title: Literal["MR", "MRS", "MS"]
    """
    One of MR, MRS, MS.
    """


class EndpointEvent(About):
    """
    Data of an event about a webhook endpoint.
    """

    disabled_by: str | None
    """
    Why the endpoint is disabled: by `partner` or `operator`, `gone` (the endpoint answered 410) or
    `failing` (the endpoint accepted nothing for five days). `null` if it is enabled.
    """
    endpoint_status: str
    """
    Whether events are sent to the endpoint: `enabled` or `disabled`.
    """
    family: Literal["endpoint"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """


class EndpointFailingEvent(TypedDict):
    """
    endpoint.failing: An endpoint has accepted no event for a day. The event is about a endpoint; the type of `data` is `EndpointEvent`.
    """

    data: EndpointEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["endpoint.failing"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class EndpointPingEvent(TypedDict):
    """
    endpoint.ping: Somebody requested a test event for an endpoint. The event is about a endpoint; the type of `data` is `EndpointEvent`.
    """

    data: EndpointEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["endpoint.ping"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class FamilyMember(TypedDict):
    age: float


class FireSandboxEventBody(TypedDict, closed=True):
    type: Literal[
        "recommendation.completed",
        "journey.applied",
        "journey.expired",
        "proposal.created",
        "proposal.replaced",
        "proposal.submitted",
        "proposal.under_review",
        "proposal.referred",
        "proposal.completed",
        "proposal.rejected",
        "proposal.cancelled",
        "premium.received",
        "premium.reversed",
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
        "claim.papers_asked",
        "claim.under_review",
        "claim.approved",
        "claim.rejected",
        "claim.part_paid",
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
    The type of an event, such as policy.issued, other than endpoint.ping.
    """


SelectedPED: TypeAlias = str | int


class Info(TypedDict):
    """
    An invalid field of the request.
    """

    field: str
    """
    Path of the invalid field in the body, or name of the query parameter.
    """
    message: str
    """
    Message that says what the value must be.
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
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    gender: Literal["MALE", "FEMALE"]
    """
    One of MALE, FEMALE.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    marital_status: Literal["SINGLE", "SEPARATED", "MARRIED", "DIVORCED", "WIDOWED"]
    """
    One of SINGLE, SEPARATED, MARRIED, DIVORCED, WIDOWED.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
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
    A nominee on the day of the loss.
    """

    name: str
    """
    Full name of the nominee.
    """
    relationship: str
    """
    Relationship of the nominee to the insured person.
    """


class JobAnswer(TypedDict):
    """
    A started recommendation job.
    """

    quote_id: str
    """
    Id of the quote. Read the result of the job with it: `quo_…`.
    """


class JourneyEvent(About):
    """
    Data of an event about a hosted journey.
    """

    family: Literal["journey"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    proposal_id: str | None
    """
    Id of the proposal that the customer made in this journey, if any.
    """
    quote_id: str | None
    """
    Id of the quote that the customer saw last.
    """
    reference: str | None
    """
    `user_id` of the token that opened the journey.
    """
    session_id: str
    """
    Id of the journey's session: the session in the journey's address, or a new one.
    """


class JourneyExpiredEvent(TypedDict):
    """
    journey.expired: A customer did not return to the hosted pages for a day, so the answers were deleted. The event is about a journey; the type of `data` is `JourneyEvent`.
    """

    data: JourneyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["journey.expired"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ListClaimsQuery(TypedDict):
    """
    The query of listClaims.
    """

    created_from: NotRequired[str]
    """
    First day on which claims were reported, in Asia/Kolkata. Without `created_to`, the list covers the 31 days from this day.
    """
    created_to: NotRequired[str]
    """
    Last day on which claims were reported, in Asia/Kolkata, at most 30 days after `created_from`. Without `created_from`, the list covers the 31 days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    session_id: NotRequired[str]
    """
    Only claims on policies of this session. Cannot be combined with days.
    """


class ListEventsQuery(TypedDict):
    """
    The query of listEvents.
    """

    delivered: NotRequired[Literal["true", "false"]]
    """
    `false`: events that an endpoint still has to accept or never accepted. `true`: all other events.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    since: NotRequired[str]
    """
    Only events at or after this instant (RFC 3339).
    """
    subject: NotRequired[str]
    """
    Only events about this record: id of a quote, proposal, policy, claim or statement.
    """
    type: NotRequired[
        Literal[
            "recommendation.completed",
            "journey.applied",
            "journey.expired",
            "proposal.created",
            "proposal.replaced",
            "proposal.submitted",
            "proposal.under_review",
            "proposal.referred",
            "proposal.completed",
            "proposal.rejected",
            "proposal.cancelled",
            "premium.received",
            "premium.reversed",
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
            "claim.papers_asked",
            "claim.under_review",
            "claim.approved",
            "claim.rejected",
            "claim.part_paid",
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
    Only events of this type.
    """
    until: NotRequired[str]
    """
    Only events before this instant (RFC 3339).
    """


class ListPoliciesLegacyQuery(TypedDict):
    """
    The query of listPoliciesLegacy.
    """

    end_date: NotRequired[str]
    """
    Last day, in Asia/Kolkata, at most 7 days after `start_date`. Without `start_date`, the list covers the seven days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    session_id: NotRequired[str]
    """
    Only records of this session. Cannot be combined with days.
    """
    start_date: NotRequired[str]
    """
    First day, in Asia/Kolkata. Without `end_date`, the list covers the seven days from this day.
    """


class ListPoliciesQuery(TypedDict):
    """
    The query of listPolicies.
    """

    issued_from: NotRequired[str]
    """
    First day of issue, in Asia/Kolkata. Without `issued_to`, the list covers the 31 days from this day.
    """
    issued_to: NotRequired[str]
    """
    Last day of issue, in Asia/Kolkata, at most 30 days after `issued_from`. Without `issued_from`, the list covers the 31 days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    reference: NotRequired[str]
    """
    Only records with this reference of yours. The reference is the value of the `context_data` key that you agreed with the operator, or the `user_id` of the token that opened the journey. Cannot be combined with other filters.
    """
    session_id: NotRequired[str]
    """
    Only policies of this session. Cannot be combined with days.
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
    Only policies that have this status today. Needs `issued_from` or `issued_to`.
    """


class ListProposalsLegacyQuery(TypedDict):
    """
    The query of listProposalsLegacy.
    """

    end_date: NotRequired[str]
    """
    Last day, in Asia/Kolkata, at most 7 days after `start_date`. Without `start_date`, the list covers the seven days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    session_id: NotRequired[str]
    """
    Only records of this session. Cannot be combined with days.
    """
    start_date: NotRequired[str]
    """
    First day, in Asia/Kolkata. Without `end_date`, the list covers the seven days from this day.
    """


class ListProposalsQuery(TypedDict):
    """
    The query of listProposals.
    """

    created_from: NotRequired[str]
    """
    First day of creation, in Asia/Kolkata. Without `created_to`, the list covers the 31 days from this day.
    """
    created_to: NotRequired[str]
    """
    Last day of creation, in Asia/Kolkata, at most 30 days after `created_from`. Without `created_from`, the list covers the 31 days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    reference: NotRequired[str]
    """
    Only records with this reference of yours. The reference is the value of the `context_data` key that you agreed with the operator, or the `user_id` of the token that opened the journey. Cannot be combined with other filters.
    """
    session_id: NotRequired[str]
    """
    Only proposals of this session. Cannot be combined with days.
    """


class ListQuotesQuery(TypedDict):
    """
    The query of listQuotes.
    """

    end_date: NotRequired[str]
    """
    Last day, in Asia/Kolkata, at most 7 days after `start_date`. Without `start_date`, the list covers the seven days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    session_id: NotRequired[str]
    """
    Only records of this session. Cannot be combined with days.
    """
    start_date: NotRequired[str]
    """
    First day, in Asia/Kolkata. Without `end_date`, the list covers the seven days from this day.
    """


class ListRenewalsQuery(TypedDict):
    """
    The query of listRenewals.
    """

    ends_from: NotRequired[str]
    """
    Only policies whose last day of cover is this day or later. Without `ends_to`, the list covers the 31 days from this day.
    """
    ends_to: NotRequired[str]
    """
    Only policies whose last day of cover is this day or earlier, at most 91 days after `ends_from`. Without `ends_from`, the list covers the 31 days up to this day.
    """
    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """


class ListRequestsQuery(TypedDict):
    """
    The query of listRequests.
    """

    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    since: NotRequired[str]
    """
    Only requests answered at or after this instant.
    """
    status: NotRequired[str]
    """
    Only requests with this response status, such as 503, or of this class, such as 4xx.
    """
    until: NotRequired[str]
    """
    Only requests answered before this instant.
    """


class ListWebhookDeliveriesQuery(TypedDict):
    """
    The query of listWebhookDeliveries.
    """

    limit: NotRequired[int]
    """
    Maximum number of records in the page.
    """
    next: NotRequired[str]
    """
    `end_cursor` of a page. Returns the page after it.
    """
    prev: NotRequired[str]
    """
    `start_cursor` of a page. Returns the page before it.
    """
    status: NotRequired[Literal["pending", "delivered", "failed"]]
    """
    Only deliveries with this status.
    """


class LoggedRequest(TypedDict):
    """
    One of your requests, with its result.
    """

    at: str
    """
    Time of the response.
    """
    code: str | None
    """
    Error code of the response. `null` if the response is not an error.
    """
    duration_ms: float
    """
    Time that the server needed for the request, in milliseconds.
    """
    method: str
    """
    HTTP method of the request.
    """
    request_id: str
    """
    Value of the response's `X-Request-Id`.
    """
    route: str
    """
    Path of the operation, with parameter names instead of values.
    """
    status: int
    """
    HTTP status of the response.
    """


class Account(TypedDict, closed=True):
    holder: str
    """
    Name of the account holder.
    """
    ifsc: str
    """
    An IFSC: 4 letters, a zero, and 6 letters or digits.
    """
    number: str
    """
    An account number of 6 to 20 letters and digits.
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
    Relation of the claimant to the insured person, such as `SPOUSE` or `SELF`.
    """


class MakeClaimBody(TypedDict, closed=True):
    account: NotRequired[Account | None]
    cause: str
    """
    What happened: one line of at most 200 characters.
    """
    claimant: Claimant
    claimed_amount: NotRequired[str | None]
    """
    Amount that the claimant claims, in rupees.
    """
    event_on: str
    """
    Day of the loss, YYYY-MM-DD. The policy must cover this day.
    """
    kind: Literal["DEATH", "DISABILITY", "HOSPITALISATION", "OTHER"]
    """
    One of DEATH, DISABILITY, HOSPITALISATION, OTHER.
    """
    member: NotRequired[int | None]
    """
    The number of one of the policy's members, from 1.
    """
    place: NotRequired[str | None]
    """
    Where the loss happened, such as the town or hospital: one line of at most 200 characters.
    """
    policy_id: str
    """
    The id of one of your policies.
    """


class MemberShown(TypedDict):
    """
    A person whom the policy covers.
    """

    dob: str
    gender: str
    member_id: str
    name: str
    pre_existing_diseases: list[str]
    """
    Names of the member's pre-existing diseases. Can be empty.
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
    Family members, grouped by relation to the customer.
    """

    daughter: NotRequired[list[AgeAnswer]]
    father: NotRequired[list[AgeAnswer]]
    mother: NotRequired[list[AgeAnswer]]
    self: NotRequired[list[AgeAnswer]]
    son: NotRequired[list[AgeAnswer]]
    spouse: NotRequired[list[AgeAnswer]]


class NamedOption(TypedDict):
    """
    An illness or a filter tag.
    """

    id: str
    """
    Id of the illness or tag, for requests and responses.
    """
    name: str
    """
    Name of the illness or tag, for people.
    """


class NomineeShown(TypedDict):
    """
    A nominee of the policyholder.
    """

    nominee_id: str
    nominee_name: str
    nominee_phone: str | None
    relationship: str


class Offered(TypedDict):
    """
    Insurer, product and variant of an offer.
    """

    company_claim_settlement_ratio: float
    """
    Claims that the insurer settled, in percent of all claims that the insurer received.
    """
    company_description: str
    """
    Description of the insurer for customers.
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
    Number of hospitals where the insurer pays the hospital directly (cashless treatment).
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
    An insurer whose variants you can sell.
    """

    insurer_id: str
    """
    Id of the insurer: `ins_…`.
    """
    logo: str
    """
    Address of the insurer's logo.
    """
    name: str
    """
    Name of the insurer.
    """


class PageEnds(TypedDict):
    """
    Position of a page in its list, with the number of all records.
    """

    count: int
    """
    Number of all records that match the filter, on all pages.
    """
    end_cursor: str
    """
    Cursor to get the next page: send it as `next`. Empty if the page has no records and you did not send
    `prev`.
    """
    has_next: bool
    """
    Whether the list has older records after this page.
    """
    has_prev: bool
    """
    Whether the list has newer records before this page.
    """
    start_cursor: str
    """
    Cursor to get the previous page: send it as `prev`. Empty if the page has no records and you sent
    neither `next` nor `prev`.
    """


class PaperShown(TypedDict):
    """
    A document that a claim needs.
    """

    id: str
    """
    Id of the document. Send it as the query parameter `paper` of an upload.
    """
    name: str
    """
    Name of the document, for people.
    """
    received: bool
    """
    Whether this document was uploaded.
    """
    required: bool
    """
    Whether the insurer needs this document to pay the claim.
    """
    waived: str | None
    """
    Reason why the insurer paid without this document. `null` if the insurer did not.
    """


class PapersAskedShown(TypedDict):
    """
    Request for documents of a claim.
    """

    asked_at: str
    """
    When they were asked for.
    """
    by: str
    """
    Day by which the documents should come.
    """
    text: str
    """
    What is needed, in words for the claimant.
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
    A person whom the policy covers.
    """

    date_of_birth: str
    """
    Date of birth of the person.
    """
    name: str
    """
    Full name of the person.
    """
    relationship: str | None
    """
    Relationship of the person to the proposer. `null` if the line of business does not record it.
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
    Download addresses of a policy's documents.
    """

    brochure: str | None
    """
    Address of the product's brochure.
    """
    certificate: str | None
    """
    Download address of the certificate, valid for 10 minutes. `null` for an imported policy.
    """
    customer_information_sheet: str | None
    """
    Address of the product's Customer Information Sheet.
    """
    policy_wording: str | None
    """
    Address of the policy wording, which has all terms and conditions.
    """


class PremiumEvent(About):
    """
    Data of an event about a payment for a proposal.
    """

    amount: str
    """
    Part of the payment for this proposal, in rupees.
    """
    family: Literal["premium"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    outcome: str
    """
    Result for this proposal. `matched`: the amount is exactly the premium. `mismatch`: the amount
    differs. `refund_due`: the proposal ended, so the payment goes back. `reversed`: the payment was
    recorded by mistake, or the bank took it back.
    """
    received_on: str
    """
    Day on which the payment was received, or reversed, in Asia/Kolkata.
    """
    reference: str | None
    """
    Your reference for the sale, such as the loan account number.
    """
    reported_by: str
    """
    Who reported the payment, or reversed it.
    """


class PremiumMismatchEvent(TypedDict):
    """
    premium.mismatch: A payment differs from the premium due, or will be refunded. The event is about a proposal; the type of `data` is `PremiumEvent`.
    """

    data: PremiumEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["premium.mismatch"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PremiumReceivedEvent(TypedDict):
    """
    premium.received: The premium of a proposal was paid. The event is about a proposal; the type of `data` is `PremiumEvent`.
    """

    data: PremiumEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["premium.received"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PremiumReversedEvent(TypedDict):
    """
    premium.reversed: A payment for a proposal was taken back; its premium is due again. The event is about a proposal; the type of `data` is `PremiumEvent`.
    """

    data: PremiumEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["premium.reversed"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PremiumSplit(TypedDict):
    """
    A premium or refund, split into amount and tax, in rupees with two decimals.
    """

    base: str
    """
    Amount without tax, in rupees.
    """
    gst: str
    """
    Goods and services tax (GST), in rupees.
    """
    total: str
    """
    Amount with tax, in rupees: `base` plus `gst`.
    """


class ProposalEvent(About):
    """
    Data of an event about a proposal.
    """

    family: Literal["proposal"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    line: str
    """
    Line of business: `credit-life` or `health`.
    """
    moved_by: str
    """
    Who changed the status: `partner`, `operator`, `insurer`, `service` or `customer`.
    """
    policy_id: str | None
    """
    Id of the policy. `null` until the policy is issued.
    """
    premium: str
    """
    Premium with tax, in rupees.
    """
    previous_status: str | None
    """
    Status of the proposal before the event. `null` for a new proposal.
    """
    quote_id: str | None
    """
    Id of the quote from which the proposal was made.
    """
    reference: str | None
    """
    Your reference for the sale, such as the loan account number.
    """
    status: str
    """
    Status of the proposal after the event. Each line of business has its own statuses.
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
    proposal.referred: A proposal continues outside this service until the operator records the decision. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.referred"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalRejectedEvent(TypedDict):
    """
    proposal.rejected: A proposal was refused. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.rejected"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalReplacedEvent(TypedDict):
    """
    proposal.replaced: The partner replaced a draft of a proposal. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.replaced"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalSubmittedEvent(TypedDict):
    """
    proposal.submitted: A proposal was submitted. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.submitted"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalSummary(TypedDict):
    """
    Summary of a proposal. Amounts are rupees with two decimals, as text.
    """

    awaits: list[AwaitsShown]
    """
    Steps that are missing before the policy is issued. Empty if the proposal has its final status.
    """
    created_at: str
    """
    Time when the proposal was created.
    """
    insurer: str | None
    """
    Name of the insurer. `null` for an imported proposal.
    """
    line: str
    """
    Line of business: `credit-life` or `health`.
    """
    paid_by: str | None
    """
    How the premium reaches the insurer: `deposit` (from a deposit with the insurer), `link` (the
    insurer's payment link), `here` (a payment page of this service) or `partner` (you collect and pay
    it). `null` before the submission, after a refusal, and for an imported proposal.
    """
    policy_id: str | None
    """
    Id of the policy: `pol_…`. `null` until the policy is issued.
    """
    premium: PremiumSplit
    """
    Premium of the proposal, without and with tax.
    """
    premium_state: str | None
    """
    State of the premium. `null` if none is recorded. A premium from a deposit is recorded only when the
    policy is issued.
    """
    product: str | None
    """
    Name of the product. `null` for an imported proposal.
    """
    proposal_id: str
    """
    Id of the proposal: `pro_…`.
    """
    quote_id: str
    """
    Id of the quote. For an imported proposal, the id in the imported record.
    """
    reason: str | None
    """
    Reason for the last status change, in the words of the party that made it. `null` if none was given.
    """
    reference: str | None
    """
    Your reference for the sale, such as the loan account number.
    """
    session_id: str | None
    """
    Id of the session in which the proposal was made. `null` if there was no session.
    """
    status: str
    """
    Status of the proposal. Each line of business has its own statuses.
    """
    status_since: str
    """
    Time since which the proposal has this status.
    """
    variant_id: str
    """
    Id of the variant in the catalogue. For an imported proposal, the id in the imported record.
    """


class ProposalUnderReviewEvent(TypedDict):
    """
    proposal.under_review: A proposal passed the first checks, or its insurer reviews it. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.under_review"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
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
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    gender: Literal["MALE", "FEMALE"]
    """
    One of MALE, FEMALE.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    marital_status: Literal["SINGLE", "SEPARATED", "MARRIED", "DIVORCED", "WIDOWED"]
    """
    One of SINGLE, SEPARATED, MARRIED, DIVORCED, WIDOWED.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
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
    A policyholder. The fields of address and bank account appear twice: flat and nested (D34).
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
        "PAYMENT_BOUNCED",
    ]
    """
    One of FREE_LOOK, LOAN_COOLING_OFF, LOAN_FORECLOSED, NOT_DISBURSED, CUSTOMER, DUPLICATE, MIS_SALE, MISSTATEMENT, FRAUD, PAYMENT_BOUNCED.
    """
    received_on: NotRequired[str | None]
    """
    Day on which the customer received the policy, YYYY-MM-DD. Default: the first download of the certificate, else the day of issue.
    """


class QuoteRenewalBody(TypedDict, closed=True):
    years: NotRequired[int | None]
    """
    A whole number of years, such as 1.
    """


class Ready(TypedDict):
    """
    Result of the readiness probe.
    """

    catalogue: str
    """
    Hash of the catalogue that the process uses.
    """
    status: str
    """
    Always `ready`.
    """
    storage: str
    """
    Always `ok`, because a process that cannot read and write the database returns 503 instead.
    """
    unapproved_catalogue: NotRequired[str | None]
    """
    Hash of the process's catalogue folder, if the operator's team did not approve it, so that it is not used.
    """


class ReceiptItem(TypedDict):
    """
    Result for one item of a payment.
    """

    amount: str
    """
    Part of the payment for this proposal, in rupees.
    """
    outcome: str
    """
    `matched`: the amount is exactly the premium. `mismatch`: the amount differs from the premium, and the
    operator settles it. `refund_due`: the proposal ended without a policy, so the payment goes back.
    """
    proposal_id: str
    """
    Id of the proposal: `pro_…`.
    """


class RecommendationAnswer(TypedDict):
    """
    Item of a quote: one variant, with its price if there is one.
    """

    base_premium: str
    """
    Premium without tax, in rupees with two decimals. `"0"` if the variant has no price.
    """
    error_message: str
    """
    Why the variant has no price, as a sentence for your customer. Empty if `is_error` is false.
    """
    gst: str
    """
    Goods and services tax (GST), in rupees with two decimals. `"0"` if the variant has no price.
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
    `true` if the variant has no price.
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
    Id of the item: `rec_…`.
    """
    total_premium: str
    """
    Premium with tax, in rupees: `base_premium` plus `gst`. `"0"` if the variant has no price.
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
    Data of an event about a recommendation.
    """

    family: Literal["recommendation"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    not_priced: int
    """
    Number of variants for which the quote has no price.
    """
    priced: int
    """
    Number of variants for which the quote has a price.
    """


class RecoverWebhookDeliveriesBody(TypedDict, closed=True):
    since: str
    """
    An instant such as 2026-11-20T04:30:00Z.
    """


class RecoveredShown(TypedDict):
    """
    Result of the request to send missed events.
    """

    deliveries: int
    """
    Number of missed events that will be sent. If it is 10,000, there can be more: repeat the request
    after these are delivered.
    """


class RefundPaid(TypedDict):
    """
    Payment of a refund by the insurer.
    """

    interest: str
    """
    Interest for late payment, in rupees, in addition to the refund.
    """
    paid_on: str
    """
    Day of the payment.
    """
    reference: str
    """
    Reference of the payment, such as the bank's UTR.
    """


class RefundStep(TypedDict):
    """
    A step in the calculation of a premium, charge or refund.
    """

    amount: str
    """
    Amount after the step, in rupees with two to four decimals.
    """
    factor: str
    """
    Factor of the step, such as `+10 %`. Empty if the step has no factor.
    """
    rule: str | None
    """
    Catalogue line with the rule of this step, as `file:line`. `null` if the step uses a value of the
    policy.
    """
    step: str
    """
    Description of the step, for people.
    """


class RemoveWebhookEndpointAnswer(TypedDict):
    pass


class RenewPolicyBody(TypedDict, closed=True):
    premium: str
    """
    Premium of the renewal quote, in rupees. Another premium is refused.
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
    Day since which the members have had cover without a gap. `null` if this policy is not a renewal.
    """
    may_renew: bool
    """
    Whether the policy can be renewed now.
    """
    renewable_from: str | None
    """
    First day on which the policy can be renewed. `null` if it cannot be renewed.
    """
    renewable_until: str | None
    """
    Last day on which the policy can be renewed: the last of its days of grace. `null` if it cannot be
    renewed.
    """
    renewed_by: str | None
    """
    Id of the policy that renews this policy. `null` if there is none.
    """
    renews: str | None
    """
    Id of the policy that this policy renews. `null` if this policy is not a renewal.
    """


class ReplayedShown(TypedDict):
    """
    Result of the request to send an event again.
    """

    endpoints: int
    """
    Number of endpoints to which the event will be sent.
    """


class Item(TypedDict, closed=True):
    amount: str
    """
    An amount in rupees above zero and at most 1000000000000, digits with at most two decimals.
    """
    proposal_id: str
    """
    The id of a proposal, pro_ and 26 characters.
    """


class ReportReceiptBody(TypedDict, closed=True):
    amount: str
    """
    An amount in rupees above zero and at most 1000000000000, digits with at most two decimals.
    """
    items: list[Item]
    received_on: str
    """
    A real calendar date written DD/MM/YYYY, not after today.
    """
    reference: str
    """
    Reference of the payment, such as the bank's UTR: at most 64 letters, digits and `-/.:_`.
    """


class RiderShown(TypedDict):
    """
    An extra benefit (rider) beside the plan.
    """

    id: str
    name: str


class RotateWebhookSecretBody(TypedDict, closed=True):
    overlap_hours: NotRequired[int | None]


class SaleOfEvent(TypedDict):
    """
    Data about the sale of the policy that an event is about.
    """

    insurer_number: str | None
    """
    Policy number of the insurer. `null` if the insurer has no number of its own, or has not sent it yet.
    """
    line: str
    """
    Line of business: `credit-life` or `health`.
    """
    number: str
    """
    Policy number of this service, as on the certificate.
    """
    proposal_id: str | None
    """
    Id of the proposal from which the policy was issued. `null` for an imported policy.
    """
    reference: str | None
    """
    Your reference for the sale, such as the loan account number.
    """


class SandboxClaimDecided(TypedDict):
    """
    Result of deciding a claim.
    """

    claim_id: str
    """
    Id of the claim: `clm_…`.
    """
    status: str
    """
    New status of the claim.
    """


class SandboxClock(TypedDict):
    """
    Your clock, as a test partner.
    """

    ahead_seconds: int
    """
    Seconds by which your clock is ahead of real time.
    """
    now: str
    """
    Time that your clock shows.
    """
    real_time: str
    """
    Real time of the server.
    """


class SandboxClockAdvanced(SandboxClock):
    """
    Result of moving your clock.
    """

    events: int
    """
    Number of events that the move of the clock caused, such as renewal reminders and ends of policies.
    """
    settled: bool
    """
    Whether all work that fell due is done. If `false`, the work continues after this response.
    """


class SandboxDataRemoved(TypedDict):
    """
    Result of removing the test data.
    """

    complete: bool
    """
    Whether all test data is removed. If `false`, send the request again.
    """
    records: int
    """
    Number of database rows that were removed.
    """


class SandboxEventFired(TypedDict):
    """
    An event made in the sandbox.
    """

    event_id: str
    """
    Id of the event: `evt_…`.
    """


class SandboxPolicyDecided(TypedDict):
    """
    Result of deciding a cancellation or an endorsement.
    """

    endorsement: int | None
    """
    Number of the endorsement that was decided. `null` if a cancellation was decided.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    status: str | None
    """
    New status of the policy. `null` if an endorsement was decided.
    """


class SandboxProposalDecided(TypedDict):
    """
    Result of deciding a proposal.
    """

    proposal_id: str
    """
    Id of the proposal: `pro_…`.
    """
    status: str
    """
    New status of the proposal.
    """
    waits_for_premium: bool
    """
    Whether the proposal is accepted, but still waits for its premium.
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
    An event that will be sent to the endpoint.
    """

    event_id: str
    """
    Id of the event: `evt_…`.
    """


class SessionAnswer(TypedDict):
    """
    An open session.
    """

    metadata: dict[str, str]
    """
    Metadata from the request, `{}` if there was none.
    """
    session_id: str
    """
    Id of the session: `ses_…`.
    """


class StateAnswer(TypedDict):
    """
    Result of making a proposal or changing its status.
    """

    proposal_id: str
    """
    Id of the proposal: `pro_…`.
    """
    status: str
    """
    Status of the proposal: DRAFT, PENDING, COMPLETED or REJECTED.
    """


class StatementEvent(About):
    """
    Data of an event about a statement.
    """

    family: Literal["statement"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    kind: str
    """
    Kind of statement, such as `commission`.
    """
    month: str
    """
    Month that the statement covers, in Asia/Kolkata.
    """
    number: str
    """
    Unique number of the statement.
    """
    paid_on: str | None
    """
    Day on which the operator paid the statement. `null` until then.
    """
    payable: str
    """
    Amount that the operator owes you, in rupees. Negative if you owe the operator.
    """


class StatementFileShown(TypedDict):
    """
    A file of a statement.
    """

    bytes: int
    """
    Size of the file, in bytes.
    """
    format: str
    """
    Format of the file: `csv` or `xlsx`.
    """
    sha256: str
    """
    SHA-256 of the file, in hexadecimal digits.
    """
    url: str
    """
    Download address of the file, valid for 10 minutes. You need no token.
    """


class StatementPaid(TypedDict):
    """
    The operator's payment of a statement.
    """

    amount: str
    """
    Amount paid, in rupees.
    """
    paid_on: str
    """
    Day of the payment, in Asia/Kolkata.
    """
    reference: str
    """
    Reference of the payment, such as the bank's UTR.
    """


class StatementPaidEvent(TypedDict):
    """
    statement.paid: The operator paid a statement of the partner. The event is about a statement; the type of `data` is `StatementEvent`.
    """

    data: StatementEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["statement.paid"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class StatementReadyEvent(TypedDict):
    """
    statement.ready: A statement of the partner was made. The event is about a statement; the type of `data` is `StatementEvent`.
    """

    data: StatementEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["statement.ready"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class StatementSummary(TypedDict):
    """
    Summary of a monthly statement.
    """

    kind: str
    """
    Kind of statement, such as `commission`.
    """
    made_at: str
    """
    Time when the statement was made.
    """
    month: str
    """
    Month that the statement covers, in Asia/Kolkata.
    """
    number: str
    """
    Unique number of the statement.
    """
    paid: NotRequired[StatementPaid | None]
    rows: int
    """
    Number of rows in the statement's files.
    """
    statement_id: str
    """
    Id of the statement: `stm_…`.
    """
    totals: dict[str, str]
    """
    Totals in rupees, by name. Amounts that you must pay back are negative.
    """


class StoredMember(TypedDict):
    """
    A family member.
    """

    age: float
    """
    Age in years.
    """
    relation: str
    """
    Relation of the family member to the customer.
    """


class StoredPremium(TypedDict):
    """
    Premium of a variant for one tenure.
    """

    premium: str
    """
    Premium with tax for the whole tenure, in rupees with two decimals.
    """
    tenure: int
    """
    Tenure in years.
    """


class StoredRecommendation(Offered):
    """
    An offered variant.
    """

    premium_details: list[StoredPremium]
    """
    Premium of the variant for each tenure, shortest tenure first.
    """
    recommendation_id: str
    """
    Id of the offer: `rec_…`.
    """
    recommended: bool
    """
    Whether this variant is the recommended one. At most one variant is recommended, and none while the
    job runs.
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
    Amount that you paid, in rupees. Less than what is left is a part.
    """
    approved_amount: NotRequired[str | None]
    """
    Amount that you approved, in rupees.
    """
    paid_on: NotRequired[str | None]
    """
    A real calendar date written YYYY-MM-DD, not after today.
    """
    payee: NotRequired[str | None]
    """
    One line of text of at most 200 characters.
    """
    reason: NotRequired[str | None]
    reference: NotRequired[str | None]
    """
    Reference of your payment, such as the bank's UTR.
    """
    refunds: NotRequired[Literal["DEDUCT", "KEEP"]]
    """
    One of DEDUCT, KEEP.
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
    transfer_total: NotRequired[str | None]
    """
    Total of your bank transfer, in rupees, if it also pays other claims.
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
    A policy number on one line, 1 to 100 characters, not what a spreadsheet makes of one (1.23457E+17, #N/A).
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
    An amount in rupees above zero and at most 1000000000000, digits with at most two decimals.
    """
    items: list[Item]
    received_on: str
    """
    A real calendar date written DD/MM/YYYY, not after today.
    """
    reference: str
    """
    Reference of the payment, such as the bank's UTR: at most 64 letters, digits and `-/.:_`.
    """


class TenureAnswer(TypedDict):
    """
    Premium of a variant for one tenure.
    """

    deductible: float
    """
    Deductible for a year, in rupees.
    """
    premium: float
    """
    Premium with tax for the whole tenure, in rupees.
    """
    tenure: int
    """
    Tenure in years.
    """


class TokenAnswer(TypedDict):
    """
    An access token.
    """

    access_token: str
    """
    Access token, a JWT. Send it as `Authorization: Bearer <ACCESS_TOKEN>`.
    """
    expires_in: int
    """
    Seconds until the token expires.
    """
    token_type: str
    """
    Always `Bearer`.
    """


class UncountedEnds(TypedDict):
    """
    Position of a page in its list, if the records of the list are not counted.
    """

    count: int | None
    """
    Always `null`, because the records of this list are not counted.
    """
    end_cursor: str
    """
    Cursor to get the next page: send it as `next`. Empty if the page has no records and you did not send
    `prev`.
    """
    has_next: bool
    """
    Whether the list has more records after this page.
    """
    has_prev: bool
    """
    Whether the list has records before this page.
    """
    start_cursor: str
    """
    Cursor to get the previous page: send it as `prev`. Empty if the page has no records and you sent
    neither `next` nor `prev`.
    """


class UpdateProposalBody(TypedDict, closed=True):
    status: Literal["DRAFT", "PENDING", "COMPLETED", "REJECTED"]
    """
    One of DRAFT, PENDING, COMPLETED, REJECTED.
    """


class VariantAnswer(Offered):
    """
    An offered variant.
    """

    filter_tags_ids: list[str]
    """
    Ids of the variant's filter tags.
    """
    online: bool
    """
    Whether customers can buy the variant online.
    """
    parent_variant_id: NotRequired[str | None]
    """
    Id of the base variant that this variant extends, if any.
    """
    recommended: bool
    """
    Whether this variant is the recommended one. Exactly one offer is recommended.
    """
    tenure_map: list[TenureAnswer]
    """
    Premium of the variant for each tenure, shortest tenure first.
    """
    variant_description: str
    """
    Description of the variant for customers.
    """


class ViewAnswer(TypedDict):
    """
    Status of a proposal, with the certificate's address and the state of the premium.
    """

    policy_url: NotRequired[str | None]
    """
    Download address of the certificate, valid for 10 minutes. Present only if the status is COMPLETED.
    """
    premium: NotRequired[str | None]
    """
    State of the premium, present only while the policy waits for it: `due`, `received`, or `mismatch` if
    a wrong amount was received.
    """
    proposal_id: str
    """
    Id of the proposal: `pro_…`.
    """
    status: str
    """
    Status of the proposal: DRAFT, PENDING, COMPLETED or REJECTED.
    """


class WaitingPeriodShown(TypedDict):
    """
    Waiting period for pre-existing diseases, as of the first day of a renewal.
    """

    months: int
    """
    Length of the waiting period, in months of cover. Zero if there is no waiting period.
    """
    over_on: str
    """
    First day on which pre-existing diseases are covered.
    """
    served_months: int
    """
    Months of the waiting period that are over on the first day of the renewal, including months with
    another insurer.
    """


class WebhookAttempt(TypedDict):
    """
    An attempt to deliver an event.
    """

    answer: str | None
    """
    Beginning of your server's response body, at most 2 KiB. `null` if there was no response.
    """
    at: str
    """
    Time when the attempt started.
    """
    error: str | None
    """
    Why there was no response. `null` if there was a response.
    """
    milliseconds: int
    """
    Duration of the attempt, in milliseconds.
    """
    status_code: int | None
    """
    HTTP status of your server's response. `null` if there was no response.
    """


class WebhookDelivery(TypedDict):
    """
    Delivery of one event to one endpoint.
    """

    attempts: list[WebhookAttempt]
    """
    Latest delivery attempts, oldest first.
    """
    event_id: str
    """
    Id of the event: `evt_…`.
    """
    next_attempt_at: str | None
    """
    Time of the next delivery attempt. `null` if none is planned.
    """
    status: str
    """
    Status of the delivery. `pending`: not accepted yet. `delivered`: accepted. `failed`: not accepted in
    any scheduled attempt.
    """


class WebhookEndpoint(TypedDict):
    """
    A webhook endpoint: an address that receives your events.
    """

    created_at: str
    """
    Time when the endpoint was added.
    """
    description: str | None
    """
    Your description of the endpoint.
    """
    disabled_at: str | None
    """
    Time since which the endpoint is disabled. `null` if it is enabled.
    """
    disabled_by: str | None
    """
    Why the endpoint is disabled: by `partner` or `operator`, `gone` (the endpoint answered 410) or
    `failing` (the endpoint accepted nothing for five days). `null` if it is enabled.
    """
    endpoint_id: str
    """
    Id of the endpoint: `whe_…`.
    """
    failing_since: str | None
    """
    Time of the first failed delivery attempt since the last successful one. `null` if none failed.
    """
    failures: int
    """
    Number of failed delivery attempts since the last successful one.
    """
    secret_since: str
    """
    Time when the newest signing secret was made.
    """
    status: str
    """
    Whether events are sent to the endpoint: `enabled` or `disabled`.
    """
    types: list[str]
    """
    Event types that the endpoint subscribes to, or only `*` for all.
    """
    url: str
    """
    Address (URL) to which events are sent.
    """


class WholeRange(TypedDict):
    """
    Range of whole numbers.
    """

    least: int
    """
    Lowest allowed number.
    """
    most: int
    """
    Highest allowed number.
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
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
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
    Refund of a policy if it were cancelled today.
    """

    confirmed_by: str
    """
    Who confirms the cancellation. If `partner` or `straight-through`, the cancellation takes effect at
    once.
    """
    effective_on: str
    """
    Last day of cover: today in Asia/Kolkata.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    reason: str
    """
    Reason of the cancellation.
    """
    refund: PremiumSplit
    """
    Refund that the insurer pays to the insured.
    """
    refund_due_on: str
    """
    Day by which the insurer must pay the refund.
    """
    source: str
    """
    Source of the refund rule, such as a regulation, as the catalogue cites it.
    """
    steps: list[RefundStep]
    """
    Steps of the refund's calculation, in order.
    """


class CancellationShown(TypedDict):
    """
    A request to cancel a policy.
    """

    asked_at: str
    """
    Time when the cancellation was requested. If the cancellation is confirmed, this day in Asia/Kolkata
    is the last day of cover.
    """
    asked_by: str
    """
    Who requested the cancellation.
    """
    outcome: str
    """
    Result of the request. `requested`: not decided yet, so the policy still covers. `confirmed`: the
    policy is cancelled. `refused`: the policy continues.
    """
    reason: str
    """
    Reason for which the cancellation was requested.
    """
    refund: PremiumSplit
    """
    Amount that the insurer refunds if the cancellation is confirmed.
    """
    refund_bounced: NotRequired[str | None]
    """
    Part of the refund, in rupees, that is owed to nobody, because the bank took the payment back. Absent if it did
    not.
    """
    refund_due_on: str | None
    """
    Day by which the insurer must pay the refund. `null` if the insurer owes no refund.
    """
    refund_paid: RefundPaid | None
    refund_to_deposit: NotRequired[str | None]
    """
    Part of the refund, in rupees, that goes back to the deposit from which the premium was paid. Absent
    if the insured gets the whole refund.
    """


class CatalogueChangedEvent(TypedDict):
    """
    catalogue.changed: The plans that the partner may sell changed. The event is about a catalogue; the type of `data` is `CatalogueEvent`.
    """

    data: CatalogueEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["catalogue.changed"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimApprovedEvent(TypedDict):
    """
    claim.approved: The insurer will pay a claim. The event is about a claim; the type of `data` is `ClaimEvent`.
    """

    data: ClaimEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["claim.approved"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ClaimDetail(ClaimSummary):
    """
    A claim with all its data.
    """

    account: AccountShown | None
    cause: str
    """
    Cause of the loss, such as a road accident.
    """
    claimant: ClaimantShown
    """
    Person who makes the claim.
    """
    claimed_amount: str | None
    """
    Claimed amount, in rupees. `null` if the report has none.
    """
    documents: list[DocumentShown]
    """
    Uploaded documents of the claim.
    """
    history: list[ClaimMove]
    """
    Every status change of the claim, oldest first. The first one is the report of the claim.
    """
    member: ClaimMember
    """
    Insured person to whom the loss happened.
    """
    paid: ClaimPaid | None
    papers: list[PaperShown]
    """
    Documents that the claim needs, uploaded or not.
    """
    papers_asked: NotRequired[PapersAskedShown | None]
    place: str | None
    """
    Where the loss happened, such as the town or hospital. `null` if the report does not say.
    """
    transfers: NotRequired[list[ClaimTransferShown]]
    """
    Transfers of a claim that is paid in several, or to a named payee, oldest first. Absent if there are none.
    """


class ClaimPage(PageEnds):
    """
    A page of claims.
    """

    claims: list[ClaimSummary]
    """
    Claims of this page, newest first.
    """


class CoverTermsShown(TypedDict):
    """
    Sum insured of a policy, and the premium for it.
    """

    premium: PremiumSplit
    """
    Premium for this sum insured.
    """
    sum_insured: str
    """
    Sum insured at the start of cover, in rupees.
    """


class CredentialAddedEvent(TypedDict):
    """
    credential.added: The partner got another API secret. The event is about a credential; the type of `data` is `CredentialEvent`.
    """

    data: CredentialEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["credential.added"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class CreditOption(TypedDict):
    """
    A variant of credit protection, with its limits.
    """

    age_at_entry: WholeRange
    """
    Allowed ages of the insured when cover begins, in completed years.
    """
    cover_amount: AmountRange
    """
    Allowed amounts of cover, in rupees.
    """
    insurer_id: str
    """
    Id of the insurer: `ins_…`.
    """
    joint_life: bool
    """
    Whether the variant can price two people together. To insure a second person, send
    `joint_date_of_birth` and `joint_gender` in the `context_data` of the quote. Without these, the
    variant prices one person.
    """
    policy_term: WholeRange
    """
    Allowed terms of cover, in months.
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


class CreditOptions(TypedDict):
    """
    Options for credit-protection quotes.
    """

    insurers: list[OptionInsurer]
    """
    Insurers whose variants you can sell.
    """
    variants: list[CreditOption]
    """
    Variants that you can sell, in the order of the catalogue.
    """


class DeliveryList(UncountedEnds):
    """
    A page of deliveries.
    """

    deliveries: list[WebhookDelivery]
    """
    Deliveries of this page, newest first.
    """


class EndorsementEvent(About, SaleOfEvent):
    """
    Data of an event about an endorsement of a policy.
    """

    endorsement: int
    """
    Number of this endorsement among all endorsements of the policy, from 1.
    """
    endorsement_status: str
    """
    Status of the endorsement after the event: `REQUESTED`, `MADE` or `REFUSED`.
    """
    family: Literal["endorsement"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    kind: str
    """
    Kind of endorsement.
    """
    moved_by: str
    """
    Who requested, made or refused the endorsement.
    """


class EndorsementQuoteShown(TypedDict):
    """
    Charge or refund if the policy were endorsed today.
    """

    after: CoverTermsShown
    """
    Sum insured and premium after the endorsement.
    """
    before: CoverTermsShown
    """
    Sum insured and premium before the endorsement.
    """
    charge: PremiumSplit
    """
    Amount that must be paid to the insurer before the endorsement is made. Usually zero.
    """
    confirmed_by: str
    """
    Who confirms the endorsement. If `straight-through`, nobody: the endorsement is made at once, or as
    soon as its charge is paid.
    """
    kind: str
    """
    Kind of endorsement.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    refund: PremiumSplit
    """
    Refund that the insurer pays to the insured. Usually zero.
    """
    refund_due_on: str | None
    """
    Day by which the insurer must pay the refund. `null` if there is no refund.
    """
    source: str
    """
    Source of the rule for this endorsement, such as a regulation, as the catalogue cites it.
    """
    steps: list[RefundStep]
    """
    Steps of the calculation, in order. Empty if the endorsement does not change the premium.
    """


class EndorsementRefusedEvent(TypedDict):
    """
    endorsement.refused: An endorsement was refused. The event is about a policy; the type of `data` is `EndorsementEvent`.
    """

    data: EndorsementEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["endorsement.refused"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class EndorsementRequestedEvent(TypedDict):
    """
    endorsement.requested: An endorsement was requested. The event is about a policy; the type of `data` is `EndorsementEvent`.
    """

    data: EndorsementEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["endorsement.requested"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class EndorsementShown(TypedDict):
    """
    An endorsement that was requested for a policy.
    """

    asked_at: str
    """
    Time when the endorsement was requested.
    """
    asked_by: str
    """
    Who requested the endorsement.
    """
    charge: PremiumSplit
    """
    Amount that must be paid to the insurer before the endorsement is made. Usually zero.
    """
    decided_at: str | None
    """
    Time when the endorsement was made or refused. `null` until then.
    """
    kind: str
    """
    Kind of endorsement.
    """
    member: int | None
    """
    Number of the member whose data changes, from 1. `null` if the endorsement changes the policy itself.
    """
    number: int
    """
    Number of this endorsement among all endorsements of the policy, from 1.
    """
    reason: str | None
    """
    Reason for the refusal, in the words of the party that refused. `null` if the endorsement was not
    refused.
    """
    refund: PremiumSplit
    """
    Amount that the insurer refunds after the endorsement is made. Usually zero.
    """
    refund_due_on: str | None
    """
    Day by which the insurer must pay the refund. `null` if the insurer owes no refund.
    """
    refund_paid: RefundPaid | None
    refund_to_deposit: NotRequired[str | None]
    """
    Part of the refund, in rupees, that goes back to the deposit from which the premium was paid. Absent
    if the insured gets the whole refund.
    """
    status: str
    """
    Status of the endorsement.
    """


class EndpointDisabledEvent(TypedDict):
    """
    endpoint.disabled: An endpoint was disabled: it accepted no event for days, or responded with status 410. The event is about a endpoint; the type of `data` is `EndpointEvent`.
    """

    data: EndpointEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["endpoint.disabled"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class EndpointList(TypedDict):
    """
    List of your webhook endpoints.
    """

    endpoints: list[WebhookEndpoint]
    """
    Webhook endpoints, oldest first.
    """


class EndpointWithSecret(WebhookEndpoint):
    """
    A webhook endpoint with its newest signing secret.
    """

    secret: str
    """
    Signing secret: `whsec_` and base64. Only this response shows it.
    """


class ErrorObject(TypedDict):
    """
    Error object of every response with status 400 or above.
    """

    additional_info: NotRequired[list[Info] | None]
    """
    Only for validation errors: every invalid field.
    """
    detail: str
    """
    Detailed message. Can be empty.
    """
    instance: str
    """
    Path of the request that failed.
    """
    reason: NotRequired[str | None]
    """
    Only for S4090: reason of the conflict.
    """
    title: str
    """
    Title of the error code.
    """
    type: str
    """
    Error code, such as `V4000`.
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
    The years that the customer's present policy has run, zero or more.
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
    The credential that the operator gave you.
    """
    client_secret: str
    """
    The credential that the operator gave you.
    """
    scopes: NotRequired[list[Scope] | None]
    user_id: NotRequired[str | None]


class HealthOption(TypedDict):
    """
    A health variant, with its limits.
    """

    adult_age: WholeRange
    """
    Allowed ages of adults when cover begins, in completed years.
    """
    adults: WholeRange
    """
    Allowed numbers of adults in a family.
    """
    child_age: WholeRange
    """
    Allowed ages of children when cover begins, in completed years.
    """
    children: WholeRange
    """
    Allowed numbers of children in a family.
    """
    deductibles: list[str]
    """
    Deductibles of the variant, in rupees, lowest first.
    """
    filter_tags: list[str]
    """
    Ids of the variant's filter tags.
    """
    insurer_id: str
    """
    Id of the insurer: `ins_…`.
    """
    online: bool
    """
    Whether customers can buy the variant online, without an agent.
    """
    pincode_prefixes: list[str]
    """
    First digits of pincodes (postal codes) where the variant is sold. The longest match decides. `*`
    matches all pincodes without another match.
    """
    plan_type: str
    """
    Kind of plan: `base` or `super_top_up`.
    """
    product_id: str
    """
    Id of the product: `pro_…`.
    """
    product_name: str
    """
    Name of the product.
    """
    relations: list[str]
    """
    Relations to the customer that the variant covers, as keys of `members`.
    """
    sums_insured: list[str]
    """
    Sums insured of the variant, in rupees, lowest first.
    """
    variant_id: str
    """
    Id of the variant: `vrt_…`.
    """
    variant_name: str
    """
    Name of the variant.
    """


class HealthOptions(TypedDict):
    """
    Options for health recommendations.
    """

    deductibles: list[str]
    """
    Deductibles that at least one variant offers, in rupees, lowest first.
    """
    filter_tags: list[NamedOption]
    """
    Filter tags of variants. `filter_tags_ids` of a recommendation has their ids.
    """
    illnesses: list[NamedOption]
    """
    Illnesses that you can send in `selectedPEDs`.
    """
    insurers: list[OptionInsurer]
    """
    Insurers whose variants you can sell.
    """
    sums_insured: list[str]
    """
    Sums insured that at least one variant offers, in rupees, lowest first.
    """
    variants: list[HealthOption]
    """
    Variants that you can sell, in the order of the catalogue.
    """


class InsurersCover(TypedDict):
    """
    What a policy covered on the day of a loss.
    """

    left: str
    """
    Most that can be approved for this claim, in rupees: the part of the benefit that other claims leave.
    """
    most: str
    """
    Full benefit that the product pays for this kind of claim, in rupees.
    """
    nominees: list[InsurersNominee]
    """
    Nominees on the day of the loss.
    """
    policy_status: str
    """
    Status of the policy today.
    """
    refunded_after: str
    """
    Premium that was refunded for days after the event, in rupees. If it is above zero, an approval must say in
    `refunds` whether the payment deducts it.
    """
    sum_insured: str
    """
    Sum insured on the day of the loss, in rupees.
    """


class JourneyAppliedEvent(TypedDict):
    """
    journey.applied: A customer applied for a plan on the hosted pages. The event is about a journey; the type of `data` is `JourneyEvent`.
    """

    data: JourneyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["journey.applied"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class KeySet(TypedDict):
    """
    A set of public keys (RFC 7517).
    """

    keys: list[PublicKey]


class LegacyPolicy(PlanShown):
    """
    A health policy. Amounts are rupees, as text.
    """

    expiry_date: str
    """
    Last day of cover.
    """
    gross_premium: str
    """
    Premium with tax, in rupees with two decimals.
    """
    insured_members: list[MemberShown]
    """
    People whom the policy covers.
    """
    insurer_logo: str
    """
    Address of the insurer's logo.
    """
    insurer_policy_number: str
    """
    Policy number of the insurer. Same as `policy_number` if the insurer has no number of its own.
    """
    issuance_date: str
    """
    Day on which the policy was issued.
    """
    nominees: list[NomineeShown]
    """
    Nominees: people who receive the insurer's payment if the policyholder cannot.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    policy_number: str
    """
    Policy number of this service.
    """
    policy_type: str
    """
    `FRESH` or `PORTABILITY`. An imported policy can have a type of its original system.
    """
    previous_policy_id: str | None
    """
    Id of the policy that came before this policy, if any.
    """
    proposal_id: str | None
    """
    Id of the proposal from which the policy was issued.
    """
    proposer_details: ProposerDetails
    """
    The policyholder's details.
    """
    quote_id: str | None
    """
    Id of the quote from which the policy was sold.
    """
    riders: list[RiderShown]
    """
    Extra benefits (riders) beside the plan.
    """
    session_id: str | None
    """
    Id of the session in which the policy was sold. `null` if there was no session.
    """
    status: str
    """
    Status of the policy: `ISSUED`, or another one such as `CANCELLED`. An imported policy can have a
    status of its original system.
    """
    sum_insured: str
    """
    Sum insured, in whole rupees.
    """
    tenure: int
    """
    Length of the cover, in years.
    """


class LegacyProposal(PlanShown):
    """
    A health proposal. Amounts are rupees with two decimals, as text.
    """

    cancelled_reason: str | None
    """
    Reason why the proposal was cancelled, if it was.
    """
    email: str
    """
    E-mail address of the proposer.
    """
    form_responses: Any
    """
    Answers in the application form. In the list, this is an object with section names as keys. In the
    response with one proposal, it is a list of objects with `section_name` and `response_data`. The
    sections of this service are proposer, insured, nominee and health.
    """
    gross_premium: str
    """
    Premium with tax, in rupees.
    """
    insurer_proposal_id: str | None
    """
    Id that the insurer gave the proposal, if any.
    """
    name: str
    """
    Name of the proposer.
    """
    net_premium: str
    """
    Premium without tax, in rupees.
    """
    phone: str
    """
    Mobile number of the proposer, 10 digits.
    """
    proposal_id: str
    """
    Id of the proposal: `pro_…`.
    """
    quote_id: str
    """
    Id of the quote from which the proposal was made.
    """
    rejection_reason: str | None
    """
    Reason why the proposal was rejected, if it was.
    """
    session_id: str | None
    """
    Id of the session in which the proposal was made. `null` if there was no session.
    """
    status: str
    """
    Status of the proposal.
    """
    tenure: int
    """
    Length of the cover, in years.
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
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    last_name: str
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
    """
    middle_name: NotRequired[str | None]
    """
    One line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters.
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
    A page of health policies.
    """

    count: int
    """
    Number of all policies that match the filter, on all pages.
    """
    end_cursor: str
    """
    Cursor to get the next page: send it as `next`. Empty if the page has no policies and you did not send
    `prev`.
    """
    has_next: bool
    """
    Whether the list has older policies after this page.
    """
    has_prev: bool
    """
    Whether the list has newer policies before this page.
    """
    policies: list[LegacyPolicy]
    """
    Policies of this page, newest first.
    """
    session_id: str | None
    """
    Session id from the request. `null` if you did not filter by session.
    """
    start_cursor: str
    """
    Cursor to get the previous page: send it as `prev`. Empty if the page has no policies and you sent
    neither `next` nor `prev`.
    """
    total_count: int
    """
    Same as `count` (D34).
    """


class PolicyAnswer(TypedDict):
    """
    Response with one health policy.
    """

    policy: LegacyPolicy
    """
    The health policy.
    """


class PolicyEvent(About, SaleOfEvent):
    """
    Data of an event about a policy.
    """

    family: Literal["policy"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    moved_by: str
    """
    Who changed the status of the policy.
    """
    premium: str
    """
    Premium with tax, in rupees.
    """
    previous_status: str | None
    """
    Status of the policy before the event. `null` for a new policy.
    """
    renewed_by: str | None
    """
    Id of the policy that renews this policy, if any.
    """
    status: str
    """
    Status of the policy after the event.
    """


class PolicyExpiredEvent(TypedDict):
    """
    policy.expired: The last day of a policy is over. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.expired"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicyIssuedEvent(TypedDict):
    """
    policy.issued: A policy was issued. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.issued"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicyLapsedEvent(TypedDict):
    """
    policy.lapsed: The days of grace of a policy are over: the policy can no longer be renewed. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.lapsed"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicyRenewedEvent(TypedDict):
    """
    policy.renewed: A policy was renewed by another one. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.renewed"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicySummary(TypedDict):
    """
    Summary of a policy. Amounts are rupees with two decimals, as text. Days are `YYYY-MM-DD` in Asia/Kolkata.
    """

    cover_ends: str
    """
    Last day of cover.
    """
    cover_starts: str | None
    """
    First day of cover. `null` for an imported policy whose record does not have this day.
    """
    insurer: str
    """
    Name of the insurer.
    """
    insurer_policy_number: str | None
    """
    Policy number of the insurer. `null` if the insurer has no number of its own, or has not sent it yet.
    """
    issued_at: str
    """
    Time when the policy was issued.
    """
    line: str
    """
    Line of business: `credit-life` or `health`.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    policy_number: str
    """
    Policy number of this service, as on the certificate.
    """
    premium: PremiumSplit
    """
    Premium of the policy, without and with tax.
    """
    product: str
    """
    Name of the product.
    """
    proposal_id: str | None
    """
    Id of the proposal from which the policy was issued. `null` for an imported policy.
    """
    reference: str | None
    """
    Your reference for the sale, such as the loan account number.
    """
    session_id: str | None
    """
    Id of the session in which the policy was sold. `null` if there was no session.
    """
    status: str
    """
    Status of the policy today.
    """
    status_since: str
    """
    Time since which the policy has this status.
    """
    sum_insured: str
    """
    Sum insured at the start of cover, in rupees.
    """
    variant: str
    """
    Name of the variant.
    """


class PolicyTerminatedEvent(TypedDict):
    """
    policy.terminated: A paid claim ended the cover of the last insured person. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.terminated"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalAnswer(TypedDict):
    """
    Response with one health proposal.
    """

    proposal: LegacyProposal
    """
    The health proposal. Its `form_responses` is a list of sections.
    """


class ProposalCancelledEvent(TypedDict):
    """
    proposal.cancelled: A proposal failed the first checks. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.cancelled"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalCompletedEvent(TypedDict):
    """
    proposal.completed: A proposal was accepted and its policy issued. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.completed"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalCreatedEvent(TypedDict):
    """
    proposal.created: A proposal was saved, but not submitted. The event is about a proposal; the type of `data` is `ProposalEvent`.
    """

    data: ProposalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["proposal.created"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class ProposalDetail(ProposalSummary):
    """
    A proposal with all its status changes.
    """

    history: list[ProposalMove]
    """
    Every status change, oldest first. The first one is the creation of the proposal.
    """


class ProposalPage(PageEnds):
    """
    A page of proposals.
    """

    proposals: list[ProposalSummary]
    """
    Proposals of this page, newest first.
    """


class ProposalsAnswer(TypedDict):
    """
    A page of health proposals.
    """

    count: int
    """
    Number of all proposals that match the filter, on all pages.
    """
    end_cursor: str
    """
    Cursor to get the next page: send it as `next`. Empty if the page has no proposals and you did not
    send `prev`.
    """
    has_next: bool
    """
    Whether the list has older proposals after this page.
    """
    has_prev: bool
    """
    Whether the list has newer proposals before this page.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Metadata of the session in the request. Absent if you did not filter by session, or if the session has
    no metadata.
    """
    proposals: list[LegacyProposal]
    """
    Proposals of this page, newest first. Their `form_responses` is an object with section names as keys.
    """
    session_id: str | None
    """
    Session id from the request. `null` if you did not filter by session.
    """
    start_cursor: str
    """
    Cursor to get the previous page: send it as `prev`. Empty if the page has no proposals and you sent
    neither `next` nor `prev`.
    """


class QuoteAnswer(TypedDict):
    """
    A quote for credit protection.
    """

    matched_products: int
    """
    Number of items in `recommendations`.
    """
    quote_id: str
    """
    Id of the quote: `quo_…`.
    """
    recommendations: list[RecommendationAnswer]
    """
    One item for each variant. Items with a price come first, the cheapest at the top.
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
    The number of one of the policy's members, from 1.
    """
    name: NotRequired[Name]
    nominees: NotRequired[list[Nominee]]
    sum_insured: NotRequired[str]
    """
    An amount above zero, digits with two decimals, such as "500000.00".
    """


class ReceiptAnswer(TypedDict):
    """
    A payment that was recorded.
    """

    amount: str
    """
    Total of the payment, in rupees with two decimals.
    """
    items: list[ReceiptItem]
    """
    Result for each item of the payment, in the order of the request.
    """
    reference: str
    """
    Reference of the payment, as in the request.
    """


class RecommendationCompletedEvent(TypedDict):
    """
    recommendation.completed: All plans of a health quote are priced and ranked. The event is about a recommendation; the type of `data` is `RecommendationEvent`.
    """

    data: RecommendationEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["recommendation.completed"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class RecommendationJob(TypedDict):
    """
    A recommendation job, with its progress and its result.
    """

    completed_variants: int
    """
    Number of variants that the job has finished, including variants without an offer.
    """
    copay: NotRequired[int | None]
    """
    Co-pay of the recommended variant, in percent. Absent while the job is pending.
    """
    customer_email: str
    """
    E-mail address of the customer.
    """
    customer_gender: str
    """
    Gender of the customer, as in the request.
    """
    customer_name: str
    """
    Name of the customer.
    """
    customer_phone: str
    """
    Mobile number of the customer, 10 digits.
    """
    deductible: NotRequired[float | None]
    """
    Deductible of the recommendation, in rupees. Absent while the job is pending.
    """
    id: NotRequired[str | None]
    """
    Id of the recommendation: `rec_…`. Absent while the job is pending.
    """
    member_details: NotRequired[MembersAnswer | None]
    new_recommendations: list[VariantAnswer]
    """
    Offers, best first. Empty while the job is pending.
    """
    pincode: str
    """
    Pincode (postal code) of the customer.
    """
    plan_type: str
    """
    Kind of plan: `BASE` or `SUPER_TOP_UP`.
    """
    quote_id: str
    """
    Id of the quote: `quo_…`.
    """
    status: str
    """
    Status of the job: `pending` or `success`.
    """
    sum_insured: float
    """
    Sum insured for the recommendation, in rupees.
    """
    total_variants: int
    """
    Number of variants that the job prices.
    """


class RefundEvent(About, SaleOfEvent):
    """
    Data of an event about a refund from the insurer to the insured.
    """

    due_on: str
    """
    Day by which the insurer must pay the refund.
    """
    family: Literal["refund"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    paid_on: str | None
    """
    Day on which the insurer paid the refund. `null` until then.
    """
    refund: str
    """
    Refund with tax, in rupees.
    """


class RefundPaidEvent(TypedDict):
    """
    refund.paid: The insurer paid a refund to the insured. The event is about a policy; the type of `data` is `RefundEvent`.
    """

    data: RefundEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["refund.paid"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class RenewalDueShown(PolicySummary):
    """
    A policy that can be renewed, now or later.
    """

    notice: int | None
    """
    Latest renewal reminder that is due, in days before the end of cover, such as 30. `null` before the
    first reminder, and after the end of cover.
    """
    renewable_from: str | None
    """
    First day on which the policy can be renewed. `null` if the catalogue no longer has renewal rules for
    this policy.
    """
    renewable_until: str
    """
    Last day on which the policy can be renewed: the last of its days of grace.
    """


class RenewalEvent(About, SaleOfEvent):
    """
    Data of an event about a policy that can be renewed.
    """

    days_left: int
    """
    Days that remain until `last_day`.
    """
    family: Literal["renewal"]
    """
    Group of event types with the same data. It decides which other fields the data has.
    """
    last_day: str
    """
    Last day of the policy's cover.
    """
    premium: str
    """
    Premium of this policy with tax, in rupees. The renewal can have another premium.
    """
    renewable_until: str
    """
    Last day on which the policy can be renewed: the last of its days of grace.
    """
    status: str
    """
    Status of the policy.
    """


class RenewalPage(UncountedEnds):
    """
    A page of policies to renew.
    """

    policies: list[RenewalDueShown]
    """
    Policies of this page, by last day of cover, earliest first.
    """


class RenewalQuoteShown(TypedDict):
    """
    Premium if the policy were renewed today.
    """

    confirmed_by: str
    """
    Who decides the renewal's proposal. If `straight-through`, nobody: the policy is issued as soon as its
    premium is received.
    """
    copay_percent: int
    """
    Part of each claim that the customer pays, in percent.
    """
    cover_ends: str
    """
    Last day of the new cover.
    """
    cover_starts: str
    """
    First day of the new cover, if the premium is received today. It is the day after the old policy's
    last day, or today if the old policy has already ended.
    """
    covered_since: str
    """
    Day since which the members have had cover without a gap.
    """
    days_without_cover: int
    """
    Days without cover between the old policy and its renewal. Zero if the old policy has not ended.
    """
    deductible: str
    """
    Amount of each year's bills that the customer pays first, in rupees. Zero if the plan has no
    deductible.
    """
    paid_by: str
    """
    How the premium reaches the insurer: `deposit` (from a deposit with the insurer), `link` (the
    insurer's payment link), `here` (a payment page of this service) or `partner` (you collect and pay
    it).
    """
    policy_id: str
    """
    Id of the policy that is renewed: `pol_…`.
    """
    premium: PremiumSplit
    """
    Premium of the renewal, without and with tax.
    """
    premium_before: PremiumSplit
    """
    Premium of the policy that is renewed, without and with tax.
    """
    renewable_until: str
    """
    Last day on which the policy can be renewed: the last of its days of grace.
    """
    source: str
    """
    Source of the renewal rules, such as a regulation, as the catalogue cites it.
    """
    steps: list[RefundStep]
    """
    Steps of the premium's calculation, in order. Empty if the insurer calculated the premium.
    """
    sum_insured: str
    """
    Sum insured of the renewal, in rupees.
    """
    waiting_period: WaitingPeriodShown
    """
    Waiting period for pre-existing diseases: its length, and how much of it is over.
    """
    years: int
    """
    Length of the new cover, in years.
    """


class ReplaceProposalBody(TypedDict):
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


class RequestList(UncountedEnds):
    """
    A page of requests.
    """

    requests: list[LoggedRequest]
    """
    Requests of this page, newest first.
    """


class StatementDetail(StatementSummary):
    """
    A statement with its files.
    """

    files: list[StatementFileShown]
    """
    Files of the statement.
    """


class StatementList(TypedDict):
    """
    List of your statements.
    """

    statements: list[StatementSummary]
    """
    Statements, newest month first.
    """


class StoredQuote(TypedDict):
    """
    A stored health quote. Its amounts are text.
    """

    completed_variants: int
    """
    Number of variants that the quote's job has finished.
    """
    customer_email: str
    """
    E-mail address of the customer.
    """
    customer_gender: str
    """
    Gender of the customer, as in the request.
    """
    customer_name: str
    """
    Name of the customer.
    """
    customer_phone: str
    """
    Mobile number of the customer, 10 digits.
    """
    deductible: str
    """
    Deductible, in whole rupees.
    """
    member_details: list[StoredMember]
    """
    Family members, one item for each.
    """
    pincode: str
    """
    Pincode (postal code) of the customer.
    """
    plan_type: str
    """
    Kind of plan: `BASE` or `SUPER_TOP_UP`.
    """
    quote_id: str
    """
    Id of the quote: `quo_…`.
    """
    recommendations: list[StoredRecommendation]
    """
    Offers that the job has found so far. Once all variants are finished, the best offer comes first.
    """
    session_id: str | None
    """
    Id of the session in which the quote was made. `null` if there was no session.
    """
    sum_insured: str
    """
    Sum insured, in whole rupees.
    """
    total_variants: int
    """
    Number of variants that the quote's job prices.
    """


class StoredQuoteAnswer(TypedDict):
    """
    Response with one health quote.
    """

    quote: StoredQuote
    """
    The health quote.
    """


class CancellationAnswer(CancellationQuoteShown):
    """
    Result of cancelling a policy.
    """

    status: str
    """
    Status of the policy after the request.
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
    Total of `charge` in the endorsement quote, in rupees. Default: 0.
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
    The number of one of the policy's members, from 1.
    """
    name: NotRequired[Name]
    nominees: NotRequired[list[Nominee]]
    note: NotRequired[str | None]
    """
    Note for the history of the policy: one line of at most 200 characters.
    """
    refund: NotRequired[str | None]
    """
    Total of `refund` in the endorsement quote, in rupees. Default: 0.
    """
    sum_insured: NotRequired[str]
    """
    An amount above zero, digits with two decimals, such as "500000.00".
    """


class EndorsementAnswer(EndorsementQuoteShown):
    """
    Result of endorsing a policy.
    """

    number: int
    """
    Number of this endorsement among all endorsements of the policy, from 1.
    """
    status: str
    """
    Status of the endorsement.
    """


class EndorsementAppliedEvent(TypedDict):
    """
    endorsement.applied: An endorsement is now part of the policy. The event is about a policy; the type of `data` is `EndorsementEvent`.
    """

    data: EndorsementEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["endorsement.applied"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
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
Data of an event. `family` says which fields it has.
"""


class InsurersClaim(TypedDict):
    """
    A claim on one of your policies.
    """

    approved_amount: str | None
    """
    Approved amount, in rupees with two decimals. `null` until the claim is approved.
    """
    claim_id: str
    """
    Id of the claim: `clm_…`.
    """
    cover: InsurersCover
    """
    What the policy covered on the day of the loss.
    """
    documents: list[DocumentShown]
    """
    Uploaded documents of the claim, oldest first.
    """
    policy_id: str
    """
    Id of the policy: `pol_…`.
    """
    settle_by: str
    """
    Day by which the law requires you to settle the claim.
    """
    status: str
    """
    Current status of the claim.
    """


class PolicyCancellationRefusedEvent(TypedDict):
    """
    policy.cancellation_refused: The cancellation of a policy was refused; the policy continues. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.cancellation_refused"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicyCancellationRequestedEvent(TypedDict):
    """
    policy.cancellation_requested: The cancellation of a policy was requested. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.cancellation_requested"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicyCancelledEvent(TypedDict):
    """
    policy.cancelled: A policy was cancelled. The event is about a policy; the type of `data` is `PolicyEvent`.
    """

    data: PolicyEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.cancelled"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class PolicyDetail(PolicySummary):
    """
    A policy with all its data.
    """

    cancellation: CancellationShown | None
    claims: list[ClaimRef]
    """
    Claims on this policy, oldest first.
    """
    cover_left: list[CoverLeftShown]
    """
    What claims can still use of each benefit, today or, after the end of cover, on its last day. Empty if claims must be
    reported to the insurer.
    """
    cover_schedule: list[CoverYear]
    """
    Sum insured in each policy year, if it decreases over time. Empty if it stays the same.
    """
    endorsements: list[EndorsementShown]
    """
    All requested endorsements, oldest first.
    """
    history: list[PolicyMove]
    """
    Every status change after the issue of the policy, oldest first.
    """
    may_cancel_for: list[str]
    """
    Reasons for which you can cancel the policy now. A cancellation quote checks further rules of each
    reason.
    """
    may_claim_for: list[str]
    """
    Kinds of claim that you can report. Empty if claims must be reported to the insurer.
    """
    may_endorse: list[str]
    """
    Kinds of endorsement that you can request now. An endorsement quote checks further rules.
    """
    members: list[PolicyMember]
    """
    People whom the policy covers.
    """
    paid_by: str | None
    """
    How the premium reached the insurer: `deposit` (from a deposit with the insurer), `link` (the
    insurer's payment link), `here` (a payment page of this service) or `partner` (you collected and paid
    it). `null` for an imported policy.
    """
    papers: PolicyPapers
    """
    Download addresses of the policy's documents.
    """
    quote_id: str | None
    """
    Id of the quote from which the policy was sold. `null` if unknown.
    """
    renewal: RenewalShown
    """
    When the policy can be renewed, and the policies before and after it.
    """
    uin: str | None
    """
    Unique identification number (UIN) of the product. `null` for an imported policy.
    """
    variant_id: str
    """
    Id of the variant in the catalogue.
    """


class PolicyPage(PageEnds):
    """
    A page of policies.
    """

    policies: list[PolicySummary]
    """
    Policies of this page, newest first.
    """


class PolicyRenewalDueEvent(TypedDict):
    """
    policy.renewal_due: A policy can be renewed, and a reminder is due. The event is about a policy; the type of `data` is `RenewalEvent`.
    """

    data: RenewalEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["policy.renewal_due"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class QuotesAnswer(TypedDict):
    """
    A page of health quotes.
    """

    count: int
    """
    Number of all quotes that match the filter, on all pages.
    """
    end_cursor: str
    """
    Cursor to get the next page: send it as `next`. Empty if the page has no quotes and you did not send
    `prev`.
    """
    has_next: bool
    """
    Whether the list has older quotes after this page.
    """
    has_prev: bool
    """
    Whether the list has newer quotes before this page.
    """
    quotes: list[StoredQuote]
    """
    Quotes of this page, newest first.
    """
    session_id: str | None
    """
    Session id from the request. `null` if you did not filter by session.
    """
    start_cursor: str
    """
    Cursor to get the previous page: send it as `prev`. Empty if the page has no quotes and you sent
    neither `next` nor `prev`.
    """


class RefundDueEvent(TypedDict):
    """
    refund.due: The insurer owes a refund to the insured. The event is about a policy; the type of `data` is `RefundEvent`.
    """

    data: RefundEvent
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: Literal["refund.due"]
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class RenewalAnswer(RenewalQuoteShown):
    """
    Result of renewing a policy.
    """

    proposal_id: str
    """
    Id of the renewal's proposal: `pro_…`.
    """
    status_url: str | None
    """
    Address of the page where your customer sees the status, and pays if the premium is paid online. The
    address works for 90 days. `null` if hosted pages are off.
    """


WebhookEvent: TypeAlias = (
    CatalogueChangedEvent
    | ClaimApprovedEvent
    | ClaimIntimatedEvent
    | ClaimPaidEvent
    | ClaimPapersAskedEvent
    | ClaimPartPaidEvent
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
    | PremiumReversedEvent
    | ProposalCancelledEvent
    | ProposalCompletedEvent
    | ProposalCreatedEvent
    | ProposalReferredEvent
    | ProposalRejectedEvent
    | ProposalReplacedEvent
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
    An event: one of your records has changed. It has ids, statuses and money, but no personal data. Read the
    record at `href`.
    """

    data: EventData
    """
    Data of the event. `family` in the data says which fields it has.
    """
    id: str
    """
    Id of the event, the same in every delivery: `evt_…`.
    """
    mode: str
    """
    `live`, or `test` if you are a test partner.
    """
    sequence: int
    """
    Number of the event among all events about the same record, from 1, without gaps. Deliveries can
    arrive in another order.
    """
    timestamp: str
    """
    Time of the event. For a test partner, the time of your own clock.
    """
    type: str
    """
    Type of the event, such as `policy.issued`.
    """
    version: int
    """
    Version of the fields that `data` has for this type of event.
    """


class EventList(UncountedEnds):
    """
    A page of events.
    """

    events: list[Event]
    """
    Events of this page, newest first.
    """
