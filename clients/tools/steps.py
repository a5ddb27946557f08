"""Requests in an order that works against the demo: what the collections of Postman and of Bruno have.

A sale comes first, then what can be read and done with it. Operations that nobody has put in order here follow by
themselves, with the ids that are known by then: of them only a documented status is asked.
"""

from dataclasses import dataclass, field
from typing import Any

from document import Operation

#: Variables that whoever runs a collection sets, with the values of the demo.
SETTINGS = {"base_url": "http://127.0.0.1:8080", "client_id": "demo", "client_secret": "demo-secret"}

#: A paper to upload: a PDF that says so in its first bytes.
PAPER = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"

#: Today in India, in JavaScript.
TODAY = "new Date(Date.now() + 19800000).toISOString().slice(0, 10)"

#: A day ago, as an instant.
YESTERDAY = "new Date(Date.now() - 86400000).toISOString()"


@dataclass
class Step:
    """One request, in an order. In its texts `{{name}}` stands for a variable."""

    operation: str
    #: What it is called, instead of the operation's summary.
    title: str | None = None
    #: Fields of the example body that are others.
    body: dict[str, Any] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    #: Values of path parameters that do not have the variable of their own name.
    path: dict[str, str] = field(default_factory=dict)
    #: Variables for later requests: JavaScript with the answer as `json`.
    keeps: dict[str, str] = field(default_factory=dict)
    #: Whether any documented status below 500 will do: the demo does not have what this needs.
    any_status: bool = False
    #: Whether it is sent again while this is not true: JavaScript with the answer as `json`.
    until: str | None = None
    #: The variable that must be `yes`, or a run leaves it out: it cannot be undone.
    only_if: str | None = None


_SALE = {
    "quote_id": "json.payload.quote_id",
    "recommendation_id": "json.payload.recommendations[0].recommendation_id",
}
_OTHERS_PATH = {"address": "unknown", "statement_id": "stm_00000000000000000000000000"}
_INSURER = {"insurer_id": "ins_00000000000000000000000000"}

ORDER = [
    Step(
        "generateToken",
        body={"client_id": "{{client_id}}", "client_secret": "{{client_secret}}"},
        keeps={"access_token": "json.payload.access_token", "today": TODAY, "yesterday": YESTERDAY},
    ),
    Step(
        "addWebhookEndpoint",
        body={"url": "https://partner.example/hooks/{{$guid}}"},
        keeps={"endpoint_id": "json.payload.endpoint_id"},
    ),
    Step("openSession", keeps={"session_id": "json.session_id"}),
    Step("createQuote", keeps=_SALE),
    Step("createProposal", keeps={"proposal_id": "json.payload.proposal_id"}),
    Step("updateProposal", title="Complete the proposal"),
    Step("getProposalStatus", keeps={"address": 'json.payload.policy_url.split("/").pop()'}),
    Step("downloadCertificate"),
    Step("listProposals", query={"created_from": "{{today}}", "limit": "10"}),
    Step("getProposal"),
    Step(
        "listPolicies",
        query={"issued_from": "{{today}}", "limit": "10"},
        keeps={"policy_id": "json.policies[0].policy_id"},
    ),
    Step("getPolicy"),
    Step("quoteEndorsement"),
    Step("endorsePolicy"),
    Step("makeClaim", body={"event_on": "{{today}}"}, keeps={"claim_id": "json.payload.claim_id"}),
    Step("listClaims", query={"created_from": "{{today}}"}),
    Step("getClaim"),
    Step("addClaimDocument", keeps={"document_id": "json.payload.document_id"}),
    Step("getClaimDocument"),
    Step("createQuote", title="Ask for another quote", keeps=_SALE),
    Step("createProposal", title="Make another proposal", keeps={"proposal_id": "json.payload.proposal_id"}),
    Step("updateProposal", title="Complete that proposal"),
    Step(
        "listPolicies",
        title="Find its policy",
        query={"issued_from": "{{today}}", "limit": "1"},
        keeps={"policy_id": "json.policies[0].policy_id"},
    ),
    Step("quoteCancellation", body={"received_on": "{{today}}"}, keeps={"refund": "json.payload.refund.total"}),
    Step("cancelPolicy", body={"received_on": "{{today}}", "refund": "{{refund}}"}),
    Step("listRenewals"),
    Step("quoteRenewal", any_status=True),
    Step("renewPolicy", any_status=True),
    Step("reportReceipt", any_status=True),
    Step("listStatements"),
    Step("getStatement", path=_OTHERS_PATH, any_status=True),
    Step("downloadStatement", path=_OTHERS_PATH, any_status=True),
    Step(
        "generateRecommendation",
        body={"session_id": "{{session_id}}"},
        keeps={"quote_id": "json.payload.quote_id"},
    ),
    Step("getRecommendation", until='json.payload.status === "success"'),
    Step("listQuotes", query={"session_id": "{{session_id}}"}),
    Step("getQuote"),
    Step(
        "listProposalsLegacy",
        query={"end_date": "2026-11-07"},
        keeps={"legacy_proposal_id": "json.proposals[0].proposal_id"},
    ),
    Step("getProposalLegacy", path={"proposal_id": "{{legacy_proposal_id}}"}),
    Step("listPoliciesLegacy", query={"limit": "2"}, keeps={"legacy_policy_id": "json.policies[0].policy_id"}),
    Step("getPolicyLegacy", path={"policy_id": "{{legacy_policy_id}}"}),
    Step("listEvents", query={"type": "policy.issued"}, keeps={"event_id": "json.events[0].id"}),
    Step("getEvent"),
    Step("replayEvent"),
    Step("listWebhookEndpoints"),
    Step("getWebhookEndpoint"),
    Step("pingWebhookEndpoint"),
    Step("listWebhookDeliveries"),
    Step("retryWebhookDelivery"),
    Step("recoverWebhookDeliveries", body={"since": "{{yesterday}}"}),
    Step("rotateWebhookSecret"),
    Step("changeWebhookEndpoint"),
    Step("listPublicKeys"),
    Step("isAlive"),
    Step("isReady"),
    Step("tellDecision", path=_INSURER, any_status=True),
    Step("tellReceipt", path=_INSURER, any_status=True),
    Step("tellClaimStatus", path=_INSURER, any_status=True),
    Step("getClaimOfInsurer", path=_INSURER, any_status=True),
    Step("getClaimDocumentOfInsurer", path=_INSURER, any_status=True),
    Step("tellPayment", any_status=True),
]

#: What comes after everything else.
AT_LAST = [
    Step("removeWebhookEndpoint"),
    Step("removeSandboxData", any_status=True, only_if="remove_test_data"),
]

#: Fields of bodies that are replaced by the variable of their name once there is one.
_IDS = {
    "quote_id",
    "recommendation_id",
    "proposal_id",
    "policy_id",
    "session_id",
    "claim_id",
    "endpoint_id",
    "event_id",
}


@dataclass
class Request:
    """One request of a collection."""

    operation: Operation
    title: str
    #: With variables in the places of its parameters.
    path: str
    query: dict[str, str]
    #: JSON, or the text of a paper.
    body: Any
    media_type: str | None
    statuses: list[int]
    keeps: dict[str, str]
    until: str | None
    only_if: str | None

    @property
    def has_token(self) -> bool:
        """Whether it sends the token."""
        return self.operation.scope is not None


def requests_of(operations: list[Operation]) -> list[Request]:
    """All requests, in their order. Every operation is among them."""
    by_name = {operation.id: operation for operation in operations}
    named = {step.operation for step in ORDER + AT_LAST}
    others = [Step(operation.id, any_status=True) for operation in operations if operation.id not in named]
    known: set[str] = set()
    requests = []
    for step in ORDER + others + AT_LAST:
        operation = by_name.get(step.operation)
        if operation:
            requests.append(_request(step, operation, known))
            known |= step.keeps.keys()
    return requests


def test_script(request: Request) -> list[tuple[str, str]]:
    """What is asked of an answer: sentences, each with its condition in JavaScript.

    There `status` is the status and `header` gives a header by its name.
    """
    allowed = ", ".join(map(str, request.statuses))
    return [
        (f"status is {allowed.replace(', ', ' or ')}", f"[{allowed}].includes(status)"),
        ("X-Request-Id is there", 'Boolean(header("x-request-id"))'),
    ]


def _request(step: Step, operation: Operation, known: set[str]) -> Request:
    path = operation.path
    for name in operation.path_parameters:
        value = step.path.get(name) or (f"{{{{{name}}}}}" if name in known else "unknown")
        path = path.replace(f"{{{name}}}", value)
    body: Any = None
    media_type: str | None = None
    if operation.uploads:
        body, media_type = PAPER, "application/pdf"
    elif operation.body is not None:
        body = (_with_ids(operation.example, known) or {}) | step.body
        media_type = "application/json"
    return Request(
        operation=operation,
        title=step.title or operation.summary,
        path=path,
        query=step.query,
        body=body,
        media_type=media_type,
        statuses=[one for one in operation.statuses if one < 500] if step.any_status else [operation.status],
        keeps=step.keeps,
        until=step.until,
        only_if=step.only_if,
    )


def _with_ids(value: Any, known: set[str]) -> Any:
    if isinstance(value, list):
        return [_with_ids(one, known) for one in value]
    if isinstance(value, dict):
        return {
            name: f"{{{{{name}}}}}" if name in _IDS & known else _with_ids(one, known) for name, one in value.items()
        }
    return value
