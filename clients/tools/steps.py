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

#: What a variable has that found nothing.
UNKNOWN = "unknown"

#: Whether a partner has a sandbox, in JavaScript: by the answer that shows the clock of a test partner.
SANDBOX = f'status === 200 ? "yes" : "{UNKNOWN}"'

#: Today in India by that clock, or by the time itself, in JavaScript.
TODAY = "new Date((status === 200 ? Date.parse(json.payload.now) : Date.now()) + 19800000).toISOString().slice(0, 10)"

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
    #: Whether any documented status below 500 will do, but a refused token: the demo does not have what this needs.
    any_status: bool = False
    #: The variable of what it reads or does something with: if that is unknown, it must not be found.
    needs: str | None = None
    #: Whether it is sent again while this is not true: JavaScript with the answer as `json`.
    until: str | None = None
    #: The variable that must be `yes`, or a run leaves it out: it cannot be undone.
    only_if: str | None = None


@dataclass
class Folder:
    """Steps that belong together. A run goes through the folders in their order."""

    name: str
    steps: list[Step]


_SALE = {
    "quote_id": "json.payload.quote_id",
    "recommendation_id": "json.payload.recommendations[0].recommendation_id",
}
_OTHERS_PATH = {"address": UNKNOWN, "statement_id": "stm_00000000000000000000000000"}
_INSURER = {"insurer_id": "ins_00000000000000000000000000"}

FOLDERS = [
    Folder(
        "Begin",
        [
            Step(
                "generateToken",
                body={"client_id": "{{client_id}}", "client_secret": "{{client_secret}}"},
                keeps={"access_token": "json.payload.access_token", "yesterday": YESTERDAY},
            ),
            # A test partner's days are those of its own clock.
            Step("readSandboxClock", any_status=True, keeps={"sandbox": SANDBOX, "today": TODAY}),
            Step("readCreditOptions"),
            Step("readHealthOptions"),
            Step(
                "addWebhookEndpoint",
                body={"url": "https://partner.example/hooks/{{$guid}}"},
                keeps={"endpoint_id": "json.payload.endpoint_id"},
            ),
            Step("openSession", keeps={"session_id": "json.session_id"}),
        ],
    ),
    Folder(
        "Sell a policy",
        [
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
        ],
    ),
    Folder(
        "Change it, and make a claim",
        [
            Step("quoteEndorsement"),
            Step("endorsePolicy"),
            Step("makeClaim", body={"event_on": "{{today}}"}, keeps={"claim_id": "json.payload.claim_id"}),
            Step("listClaims", query={"created_from": "{{today}}"}),
            Step("getClaim"),
            Step("addClaimDocument", keeps={"document_id": "json.payload.document_id"}),
            Step("getClaimDocument"),
            Step("decideSandboxClaim", needs="sandbox"),
            Step("withdrawClaim"),
        ],
    ),
    Folder(
        "Sell another, and cancel it",
        [
            Step("createQuote", title="Ask for another quote", keeps=_SALE),
            Step(
                "createProposal",
                title="Save a draft",
                body={"status": "DRAFT"},
                keeps={"proposal_id": "json.payload.proposal_id"},
            ),
            Step("replaceProposal", title="Replace the draft, and submit it"),
            Step("updateProposal", title="Complete that proposal"),
            Step(
                "listPolicies",
                title="Find its policy",
                query={"issued_from": "{{today}}", "limit": "1"},
                keeps={"policy_id": "json.policies[0].policy_id"},
            ),
            Step("quoteCancellation", body={"received_on": "{{today}}"}, keeps={"refund": "json.payload.refund.total"}),
            Step("cancelPolicy", body={"received_on": "{{today}}", "refund": "{{refund}}"}),
        ],
    ),
    Folder(
        "Renewals, premiums, statements",
        [
            Step("listRenewals"),
            Step("quoteRenewal", any_status=True),
            Step("renewPolicy", any_status=True),
            Step("reportReceipt", any_status=True),
            Step("listStatements"),
            Step("getStatement", path=_OTHERS_PATH, any_status=True),
            Step("downloadStatement", path=_OTHERS_PATH, any_status=True),
        ],
    ),
    Folder(
        "Recommend health plans",
        [
            Step(
                "generateRecommendation",
                body={"session_id": "{{session_id}}"},
                keeps={"quote_id": "json.payload.quote_id"},
            ),
            Step("getRecommendation", until='json.payload.status === "success"'),
            Step("listQuotes", query={"session_id": "{{session_id}}"}),
            Step("getQuote"),
        ],
    ),
    Folder(
        "Deprecated reads",
        [
            Step(
                "listProposalsLegacy",
                query={"end_date": "2026-11-07"},
                keeps={"legacy_proposal_id": f'json.proposals[0]?.proposal_id ?? "{UNKNOWN}"'},
            ),
            Step("getProposalLegacy", needs="legacy_proposal_id", path={"proposal_id": "{{legacy_proposal_id}}"}),
            Step(
                "listPoliciesLegacy",
                query={"limit": "2"},
                keeps={"legacy_policy_id": f'json.policies[0]?.policy_id ?? "{UNKNOWN}"'},
            ),
            Step("getPolicyLegacy", needs="legacy_policy_id", path={"policy_id": "{{legacy_policy_id}}"}),
        ],
    ),
    Folder(
        "Events and webhooks",
        [
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
        ],
    ),
    Folder(
        "The service itself",
        [Step("listRequests"), Step("listPublicKeys"), Step("isAlive"), Step("isReady")],
    ),
    Folder(
        "For insurers and gateways",
        [
            Step("tellDecision", path=_INSURER, any_status=True),
            Step("tellReceipt", path=_INSURER, any_status=True),
            Step("tellClaimStatus", path=_INSURER, any_status=True),
            Step("getClaimOfInsurer", path=_INSURER, any_status=True),
            Step("getClaimDocumentOfInsurer", path=_INSURER, any_status=True),
            Step("tellPayment", any_status=True),
        ],
    ),
    Folder(
        "Sandbox of a test partner",
        [
            Step("decideSandboxProposal", any_status=True),
            Step("decideSandboxPolicy", any_status=True),
            Step("fireSandboxEvent", needs="sandbox"),
            Step("advanceSandboxClock", needs="sandbox"),
        ],
    ),
]

#: Where operations go that have no step above.
OTHERS = "More"

#: What comes after everything else.
AT_LAST = Folder(
    "Clean up",
    [
        Step("removeWebhookEndpoint"),
        Step("removeSandboxData", any_status=True, only_if="remove_test_data"),
    ],
)

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
    needs: str | None
    keeps: dict[str, str]
    until: str | None
    only_if: str | None

    @property
    def has_token(self) -> bool:
        """Whether it sends the token."""
        return self.operation.scope is not None


@dataclass
class Requests:
    """Requests of one folder."""

    folder: str
    requests: list[Request]


def requests_of(operations: list[Operation]) -> list[Requests]:
    """All requests, in their order. Every operation is among them. Names differ, because they tell what comes next."""
    by_name = {operation.id: operation for operation in operations}
    named = {step.operation for folder in [*FOLDERS, AT_LAST] for step in folder.steps}
    others = [Step(operation.id, any_status=True) for operation in operations if operation.id not in named]
    known: set[str] = set()
    titles: set[str] = set()
    found = []
    for folder in [*FOLDERS, Folder(OTHERS, others), AT_LAST]:
        requests = []
        for step in folder.steps:
            operation = by_name.get(step.operation)
            if operation is None:
                continue
            request = _request(step, operation, known)
            if request.title in titles:
                raise ValueError(f"two requests are called {request.title}: give one another title in steps.py")
            titles.add(request.title)
            requests.append(request)
            known |= step.keeps.keys()
        if requests:
            found.append(Requests(folder.name, requests))
    return found


def test_script(request: Request) -> list[tuple[str, str]]:
    """What is asked of an answer: sentences, each with its condition in JavaScript.

    There `status` is the status, `header` gives a header and `variable` a variable by its name.
    """
    allowed = ", ".join(map(str, request.statuses))
    sentence, condition = f"status is {allowed.replace(', ', ' or ')}", f"[{allowed}].includes(status)"
    if request.needs:
        sentence += f", or 404 if there is no {request.needs}"
        condition = f'variable("{request.needs}") === "{UNKNOWN}" ? status === 404 : {condition}'
    return [
        (sentence, condition),
        ("X-Request-Id is there", 'Boolean(header("x-request-id"))'),
    ]


def _request(step: Step, operation: Operation, known: set[str]) -> Request:
    path = operation.path
    for name in operation.path_parameters:
        value = step.path.get(name) or (f"{{{{{name}}}}}" if name in known else UNKNOWN)
        path = path.replace(f"{{{name}}}", value)
    body: Any = None
    media_type: str | None = None
    if operation.uploads:
        body, media_type = PAPER, "application/pdf"
    elif operation.body is not None:
        body = (_with_ids(operation.example, known) or {}) | step.body
        media_type = "application/json"
    statuses = [operation.status]
    if step.any_status:
        refused = {401, 403} if operation.scope is not None else set()
        statuses = [one for one in operation.statuses if one < 500 and one not in refused]
    return Request(
        operation=operation,
        title=step.title or operation.summary,
        path=path,
        query=step.query,
        body=body,
        media_type=media_type,
        statuses=statuses,
        needs=step.needs,
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
