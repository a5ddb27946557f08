"""The operations of the service as methods. Made by scripts/clients from the OpenAPI document: do not edit."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Unpack, cast

from ..operation import CallOptions, Download, Operation, Upload
from .models import (
    AddClaimDocumentQuery,
    AddWebhookEndpointBody,
    AdvanceSandboxClockBody,
    Alive,
    CancelPolicyBody,
    CancellationAnswer,
    CancellationQuoteShown,
    ChangeWebhookEndpointBody,
    ClaimDetail,
    ClaimPage,
    ClaimSummary,
    CreateProposalBody,
    CreateQuoteBody,
    CreditOptions,
    DecideSandboxClaimBody,
    DecideSandboxPolicyBody,
    DecideSandboxProposalBody,
    DeliveryList,
    DocumentShown,
    EndorsePolicyBody,
    EndorsementAnswer,
    EndorsementQuoteShown,
    EndpointList,
    EndpointWithSecret,
    Event,
    EventList,
    FireSandboxEventBody,
    GenerateRecommendationBody,
    GenerateTokenBody,
    HealthOptions,
    InsurersClaim,
    JobAnswer,
    KeySet,
    LegacyPolicy,
    LegacyProposal,
    ListClaimsQuery,
    ListEventsQuery,
    ListPoliciesLegacyQuery,
    ListPoliciesQuery,
    ListProposalsLegacyQuery,
    ListProposalsQuery,
    ListQuotesQuery,
    ListRenewalsQuery,
    ListRequestsQuery,
    ListWebhookDeliveriesQuery,
    LoggedRequest,
    MakeClaimBody,
    OpenSessionBody,
    PoliciesAnswer,
    PolicyAnswer,
    PolicyDetail,
    PolicyPage,
    PolicySummary,
    ProposalAnswer,
    ProposalDetail,
    ProposalPage,
    ProposalSummary,
    ProposalsAnswer,
    QuoteAnswer,
    QuoteCancellationBody,
    QuoteEndorsementBody,
    QuoteRenewalBody,
    QuotesAnswer,
    Ready,
    ReceiptAnswer,
    RecommendationJob,
    RecoverWebhookDeliveriesBody,
    RecoveredShown,
    RemoveWebhookEndpointAnswer,
    RenewPolicyBody,
    RenewalAnswer,
    RenewalDueShown,
    RenewalPage,
    RenewalQuoteShown,
    ReplaceProposalBody,
    ReplayedShown,
    ReportReceiptBody,
    RequestList,
    RotateWebhookSecretBody,
    SandboxClaimDecided,
    SandboxClock,
    SandboxClockAdvanced,
    SandboxDataRemoved,
    SandboxEventFired,
    SandboxPolicyDecided,
    SandboxProposalDecided,
    SentShown,
    SessionAnswer,
    StateAnswer,
    StatementDetail,
    StatementList,
    StoredQuote,
    StoredQuoteAnswer,
    TellClaimStatusAnswer,
    TellClaimStatusBody,
    TellDecisionAnswer,
    TellDecisionBody,
    TellPaymentAnswer,
    TellReceiptAnswer,
    TellReceiptBody,
    TokenAnswer,
    UpdateProposalBody,
    ViewAnswer,
    WebhookDelivery,
    WebhookEndpoint,
    WithdrawClaimBody,
)

ADD_CLAIM_DOCUMENT = Operation(
    id="addClaimDocument",
    method="POST",
    path="/v1/claims/{claim_id}/documents",
    scope="business.policy.write",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
ADD_WEBHOOK_ENDPOINT = Operation(
    id="addWebhookEndpoint",
    method="POST",
    path="/v1/webhooks/endpoints",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
ADVANCE_SANDBOX_CLOCK = Operation(
    id="advanceSandboxClock",
    method="POST",
    path="/v1/sandbox/clock",
    scope="business",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
CANCEL_POLICY = Operation(
    id="cancelPolicy",
    method="POST",
    path="/v1/policies/{policy_id}/cancellation",
    scope="business.policy.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
CHANGE_WEBHOOK_ENDPOINT = Operation(
    id="changeWebhookEndpoint",
    method="PATCH",
    path="/v1/webhooks/endpoints/{endpoint_id}",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
CREATE_PROPOSAL = Operation(
    id="createProposal",
    method="POST",
    path="/v1/embedded/proposal",
    scope="business.proposal.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
CREATE_QUOTE = Operation(
    id="createQuote",
    method="POST",
    path="/v1/embedded/quote",
    scope="business.quote.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
DECIDE_SANDBOX_CLAIM = Operation(
    id="decideSandboxClaim",
    method="POST",
    path="/v1/sandbox/claims/{claim_id}/decide",
    scope="business",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
DECIDE_SANDBOX_POLICY = Operation(
    id="decideSandboxPolicy",
    method="POST",
    path="/v1/sandbox/policies/{policy_id}/decide",
    scope="business",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
DECIDE_SANDBOX_PROPOSAL = Operation(
    id="decideSandboxProposal",
    method="POST",
    path="/v1/sandbox/proposals/{proposal_id}/decide",
    scope="business",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
DOWNLOAD_CERTIFICATE = Operation(
    id="downloadCertificate",
    method="GET",
    path="/v1/embedded/policy/{address}",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="bytes",
)
DOWNLOAD_STATEMENT = Operation(
    id="downloadStatement",
    method="GET",
    path="/v1/statements/files/{address}",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="bytes",
)
ENDORSE_POLICY = Operation(
    id="endorsePolicy",
    method="POST",
    path="/v1/policies/{policy_id}/endorsement",
    scope="business.policy.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
FIRE_SANDBOX_EVENT = Operation(
    id="fireSandboxEvent",
    method="POST",
    path="/v1/sandbox/webhooks/fire",
    scope="business",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
GENERATE_RECOMMENDATION = Operation(
    id="generateRecommendation",
    method="POST",
    path="/v1/business/health/recommendation",
    scope="business.quote.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
TOKEN = Operation(
    id="generateToken",
    method="POST",
    path="/v1/auth/token",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_CLAIM = Operation(
    id="getClaim",
    method="GET",
    path="/v1/claims/{claim_id}",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_CLAIM_DOCUMENT = Operation(
    id="getClaimDocument",
    method="GET",
    path="/v1/claims/{claim_id}/documents/{document_id}",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="bytes",
)
GET_CLAIM_DOCUMENT_OF_INSURER = Operation(
    id="getClaimDocumentOfInsurer",
    method="GET",
    path="/v1/insurers/{insurer_id}/claims/{claim_id}/documents/{document_id}",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="bytes",
)
GET_CLAIM_OF_INSURER = Operation(
    id="getClaimOfInsurer",
    method="GET",
    path="/v1/insurers/{insurer_id}/claims/{claim_id}",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_EVENT = Operation(
    id="getEvent",
    method="GET",
    path="/v1/events/{event_id}",
    scope="business.webhook",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_POLICY = Operation(
    id="getPolicy",
    method="GET",
    path="/v1/policies/{policy_id}",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_POLICY_LEGACY = Operation(
    id="getPolicyLegacy",
    method="GET",
    path="/v1/business/health/policies/{policy_id}",
    scope="business",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
GET_PROPOSAL = Operation(
    id="getProposal",
    method="GET",
    path="/v1/proposals/{proposal_id}",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_PROPOSAL_LEGACY = Operation(
    id="getProposalLegacy",
    method="GET",
    path="/v1/business/health/proposals/{proposal_id}",
    scope="business.proposal.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
GET_PROPOSAL_STATUS = Operation(
    id="getProposalStatus",
    method="GET",
    path="/v1/embedded/proposal/{proposal_id}/status",
    scope="business.proposal.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_QUOTE = Operation(
    id="getQuote",
    method="GET",
    path="/v1/business/health/quotes/{quote_id}",
    scope="business.quote.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
GET_RECOMMENDATION = Operation(
    id="getRecommendation",
    method="GET",
    path="/v1/business/health/recommendation/{quote_id}",
    scope="business.quote.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_STATEMENT = Operation(
    id="getStatement",
    method="GET",
    path="/v1/statements/{statement_id}",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
GET_WEBHOOK_ENDPOINT = Operation(
    id="getWebhookEndpoint",
    method="GET",
    path="/v1/webhooks/endpoints/{endpoint_id}",
    scope="business.webhook",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
IS_ALIVE = Operation(
    id="isAlive",
    method="GET",
    path="/livez",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
IS_READY = Operation(
    id="isReady",
    method="GET",
    path="/readyz",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_CLAIMS = Operation(
    id="listClaims",
    method="GET",
    path="/v1/claims",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_EVENTS = Operation(
    id="listEvents",
    method="GET",
    path="/v1/events",
    scope="business.webhook",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_POLICIES = Operation(
    id="listPolicies",
    method="GET",
    path="/v1/policies",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_POLICIES_LEGACY = Operation(
    id="listPoliciesLegacy",
    method="GET",
    path="/v1/business/health/policies",
    scope="business",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_PROPOSALS = Operation(
    id="listProposals",
    method="GET",
    path="/v1/proposals",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_PROPOSALS_LEGACY = Operation(
    id="listProposalsLegacy",
    method="GET",
    path="/v1/business/health/proposals",
    scope="business.proposal.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_PUBLIC_KEYS = Operation(
    id="listPublicKeys",
    method="GET",
    path="/.well-known/jwks.json",
    scope=None,
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_QUOTES = Operation(
    id="listQuotes",
    method="GET",
    path="/v1/business/health/quotes",
    scope="business.quote.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_RENEWALS = Operation(
    id="listRenewals",
    method="GET",
    path="/v1/renewals",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_REQUESTS = Operation(
    id="listRequests",
    method="GET",
    path="/v1/requests",
    scope="business",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_STATEMENTS = Operation(
    id="listStatements",
    method="GET",
    path="/v1/statements",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_WEBHOOK_DELIVERIES = Operation(
    id="listWebhookDeliveries",
    method="GET",
    path="/v1/webhooks/endpoints/{endpoint_id}/deliveries",
    scope="business.webhook",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
LIST_WEBHOOK_ENDPOINTS = Operation(
    id="listWebhookEndpoints",
    method="GET",
    path="/v1/webhooks/endpoints",
    scope="business.webhook",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
MAKE_CLAIM = Operation(
    id="makeClaim",
    method="POST",
    path="/v1/claims",
    scope="business.policy.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
OPEN_SESSION = Operation(
    id="openSession",
    method="POST",
    path="/v1/business/session",
    scope="business.session",
    keyed=True,
    safe=False,
    tagged=False,
    gives="json",
)
PING_WEBHOOK_ENDPOINT = Operation(
    id="pingWebhookEndpoint",
    method="POST",
    path="/v1/webhooks/endpoints/{endpoint_id}/ping",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
QUOTE_CANCELLATION = Operation(
    id="quoteCancellation",
    method="POST",
    path="/v1/policies/{policy_id}/cancellation-quote",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
QUOTE_ENDORSEMENT = Operation(
    id="quoteEndorsement",
    method="POST",
    path="/v1/policies/{policy_id}/endorsement-quote",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
QUOTE_RENEWAL = Operation(
    id="quoteRenewal",
    method="POST",
    path="/v1/policies/{policy_id}/renewal-quote",
    scope="business.policy.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
READ_CREDIT_OPTIONS = Operation(
    id="readCreditOptions",
    method="GET",
    path="/v1/embedded/options",
    scope="business.quote.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
READ_HEALTH_OPTIONS = Operation(
    id="readHealthOptions",
    method="GET",
    path="/v1/business/health/options",
    scope="business.quote.read",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
READ_SANDBOX_CLOCK = Operation(
    id="readSandboxClock",
    method="GET",
    path="/v1/sandbox/clock",
    scope="business",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
RECOVER_WEBHOOK_DELIVERIES = Operation(
    id="recoverWebhookDeliveries",
    method="POST",
    path="/v1/webhooks/endpoints/{endpoint_id}/recover",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
REMOVE_SANDBOX_DATA = Operation(
    id="removeSandboxData",
    method="DELETE",
    path="/v1/sandbox/data",
    scope="business",
    keyed=False,
    safe=True,
    tagged=False,
    gives="payload",
)
REMOVE_WEBHOOK_ENDPOINT = Operation(
    id="removeWebhookEndpoint",
    method="DELETE",
    path="/v1/webhooks/endpoints/{endpoint_id}",
    scope="business.webhook",
    keyed=False,
    safe=True,
    tagged=False,
    gives="json",
)
RENEW_POLICY = Operation(
    id="renewPolicy",
    method="POST",
    path="/v1/policies/{policy_id}/renewal",
    scope="business.policy.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
REPLACE_PROPOSAL = Operation(
    id="replaceProposal",
    method="PUT",
    path="/v1/embedded/proposal/{proposal_id}",
    scope="business.proposal.write",
    keyed=True,
    safe=True,
    tagged=False,
    gives="payload",
)
REPLAY_EVENT = Operation(
    id="replayEvent",
    method="POST",
    path="/v1/events/{event_id}/replay",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
REPORT_RECEIPT = Operation(
    id="reportReceipt",
    method="POST",
    path="/v1/premiums/receipts",
    scope="business.policy.write",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
RETRY_WEBHOOK_DELIVERY = Operation(
    id="retryWebhookDelivery",
    method="POST",
    path="/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
ROTATE_WEBHOOK_SECRET = Operation(
    id="rotateWebhookSecret",
    method="POST",
    path="/v1/webhooks/endpoints/{endpoint_id}/rotate",
    scope="business.webhook",
    keyed=False,
    safe=False,
    tagged=False,
    gives="payload",
)
TELL_CLAIM_STATUS = Operation(
    id="tellClaimStatus",
    method="POST",
    path="/v1/insurers/{insurer_id}/claims/{claim_id}/status",
    scope=None,
    keyed=False,
    safe=False,
    tagged=False,
    gives="json",
)
TELL_DECISION = Operation(
    id="tellDecision",
    method="POST",
    path="/v1/insurers/{insurer_id}/decisions",
    scope=None,
    keyed=False,
    safe=False,
    tagged=False,
    gives="json",
)
TELL_PAYMENT = Operation(
    id="tellPayment",
    method="POST",
    path="/v1/payments/callback",
    scope=None,
    keyed=False,
    safe=False,
    tagged=False,
    gives="json",
)
TELL_RECEIPT = Operation(
    id="tellReceipt",
    method="POST",
    path="/v1/insurers/{insurer_id}/receipts",
    scope=None,
    keyed=False,
    safe=False,
    tagged=False,
    gives="json",
)
UPDATE_PROPOSAL = Operation(
    id="updateProposal",
    method="PATCH",
    path="/v1/embedded/proposal/{proposal_id}",
    scope="business.proposal.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)
WITHDRAW_CLAIM = Operation(
    id="withdrawClaim",
    method="POST",
    path="/v1/claims/{claim_id}/withdrawal",
    scope="business.policy.write",
    keyed=True,
    safe=False,
    tagged=False,
    gives="payload",
)

#: Every operation of the document.
OPERATIONS = (
    ADD_CLAIM_DOCUMENT,
    ADD_WEBHOOK_ENDPOINT,
    ADVANCE_SANDBOX_CLOCK,
    CANCEL_POLICY,
    CHANGE_WEBHOOK_ENDPOINT,
    CREATE_PROPOSAL,
    CREATE_QUOTE,
    DECIDE_SANDBOX_CLAIM,
    DECIDE_SANDBOX_POLICY,
    DECIDE_SANDBOX_PROPOSAL,
    DOWNLOAD_CERTIFICATE,
    DOWNLOAD_STATEMENT,
    ENDORSE_POLICY,
    FIRE_SANDBOX_EVENT,
    GENERATE_RECOMMENDATION,
    TOKEN,
    GET_CLAIM,
    GET_CLAIM_DOCUMENT,
    GET_CLAIM_DOCUMENT_OF_INSURER,
    GET_CLAIM_OF_INSURER,
    GET_EVENT,
    GET_POLICY,
    GET_POLICY_LEGACY,
    GET_PROPOSAL,
    GET_PROPOSAL_LEGACY,
    GET_PROPOSAL_STATUS,
    GET_QUOTE,
    GET_RECOMMENDATION,
    GET_STATEMENT,
    GET_WEBHOOK_ENDPOINT,
    IS_ALIVE,
    IS_READY,
    LIST_CLAIMS,
    LIST_EVENTS,
    LIST_POLICIES,
    LIST_POLICIES_LEGACY,
    LIST_PROPOSALS,
    LIST_PROPOSALS_LEGACY,
    LIST_PUBLIC_KEYS,
    LIST_QUOTES,
    LIST_RENEWALS,
    LIST_REQUESTS,
    LIST_STATEMENTS,
    LIST_WEBHOOK_DELIVERIES,
    LIST_WEBHOOK_ENDPOINTS,
    MAKE_CLAIM,
    OPEN_SESSION,
    PING_WEBHOOK_ENDPOINT,
    QUOTE_CANCELLATION,
    QUOTE_ENDORSEMENT,
    QUOTE_RENEWAL,
    READ_CREDIT_OPTIONS,
    READ_HEALTH_OPTIONS,
    READ_SANDBOX_CLOCK,
    RECOVER_WEBHOOK_DELIVERIES,
    REMOVE_SANDBOX_DATA,
    REMOVE_WEBHOOK_ENDPOINT,
    RENEW_POLICY,
    REPLACE_PROPOSAL,
    REPLAY_EVENT,
    REPORT_RECEIPT,
    RETRY_WEBHOOK_DELIVERY,
    ROTATE_WEBHOOK_SECRET,
    TELL_CLAIM_STATUS,
    TELL_DECISION,
    TELL_PAYMENT,
    TELL_RECEIPT,
    UPDATE_PROPOSAL,
    WITHDRAW_CLAIM,
)


class Operations:
    """A method for every operation. The client says how one is carried out."""

    _TOKEN = TOKEN

    def _call(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: object = None,
        options: CallOptions | None = None,
    ) -> Any:
        raise NotImplementedError

    def _records(
        self,
        operation: Operation,
        field: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        options: CallOptions | None = None,
    ) -> Iterator[Any]:
        raise NotImplementedError

    def add_claim_document(
        self,
        claim_id: str,
        content: bytes,
        media_type: Literal["application/pdf", "image/jpeg", "image/png"],
        options: CallOptions | None = None,
        **query: Unpack[AddClaimDocumentQuery],
    ) -> DocumentShown:
        """Upload a document of a claim. Uploads a PDF, JPEG or PNG of at most 10 MiB as raw bytes, with its media type. The first bytes must match the media type. The operator limits the number and total size of documents for a claim, a policy and a day. Needs the scope ``business.policy.write``.

        ``POST /v1/claims/{claim_id}/documents``
        """
        return cast(
            DocumentShown,
            self._call(
                ADD_CLAIM_DOCUMENT,
                path={"claim_id": claim_id},
                body=Upload(content, media_type),
                query=cast(dict[str, Any], query),
                options=options,
            ),
        )

    def add_webhook_endpoint(
        self, body: AddWebhookEndpointBody, options: CallOptions | None = None
    ) -> EndpointWithSecret:
        """Add an endpoint. Adds an endpoint: an address that receives your events of some types, or of all types with ``*``. Only this response shows the secret with which messages are signed. You can have at most 10 endpoints with different addresses. Needs the scope ``business.webhook``.

        ``POST /v1/webhooks/endpoints``
        """
        return cast(EndpointWithSecret, self._call(ADD_WEBHOOK_ENDPOINT, body=body, options=options))

    def advance_sandbox_clock(
        self,
        body: AdvanceSandboxClockBody,
        options: CallOptions | None = None,
    ) -> SandboxClockAdvanced:
        """Move the clock forward. Only for test partners. Moves your clock forward by the sum of ``days``, ``hours``, ``minutes`` and ``seconds``, or to the instant ``to``, by at most 400 days at once. Everything that falls due happens before the response: late premiums, renewal reminders, ends of policies and of their days of grace. The clock never goes back, but removing the test data resets it to real time. Needs the scope ``business``.

        ``POST /v1/sandbox/clock``
        """
        return cast(SandboxClockAdvanced, self._call(ADVANCE_SANDBOX_CLOCK, body=body, options=options))

    def cancel_policy(
        self,
        policy_id: str,
        body: CancelPolicyBody,
        options: CallOptions | None = None,
    ) -> CancellationAnswer:
        """Cancel a policy. Requests the cancellation of the policy as of today. If the operator or the insurer decides the product's proposals, the policy is CANCELLATION_REQUESTED and still covers until they confirm or refuse. Otherwise it is CANCELLED at once. ``refund`` is the total of the quote. If the refund has changed since the quote, the response is S4090 and nothing changes. The insurer pays the refund to the insured. Needs the scope ``business.policy.write``.

        ``POST /v1/policies/{policy_id}/cancellation``
        """
        return cast(
            CancellationAnswer,
            self._call(
                CANCEL_POLICY,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def change_webhook_endpoint(
        self,
        endpoint_id: str,
        body: ChangeWebhookEndpointBody,
        options: CallOptions | None = None,
    ) -> WebhookEndpoint:
        """Change an endpoint. Changes the fields that you send. An endpoint that is enabled again gets the events that were waiting. To send events that happened while it was disabled, use ``POST /v1/webhooks/endpoints/{endpoint_id}/recover``. Needs the scope ``business.webhook``.

        ``PATCH /v1/webhooks/endpoints/{endpoint_id}``
        """
        return cast(
            WebhookEndpoint,
            self._call(
                CHANGE_WEBHOOK_ENDPOINT,
                path={"endpoint_id": endpoint_id},
                body=body,
                options=options,
            ),
        )

    def create_proposal(self, body: CreateProposalBody, options: CallOptions | None = None) -> StateAnswer:
        """Create a proposal. Makes a proposal from an item of a quote. The status DRAFT only saves the proposal. SUBMITTED submits it. Needs the scope ``business.proposal.write``.

        ``POST /v1/embedded/proposal``
        """
        return cast(StateAnswer, self._call(CREATE_PROPOSAL, body=body, options=options))

    def create_quote(self, body: CreateQuoteBody, options: CallOptions | None = None) -> QuoteAnswer:
        """Create a quote. Prices every credit-protection variant that you can sell. A variant without a price is an item with ``is_error`` true and a sentence in ``error_message``. The status is 200 even if no variant has a price. Needs the scope ``business.quote.write``.

        ``POST /v1/embedded/quote``
        """
        return cast(QuoteAnswer, self._call(CREATE_QUOTE, body=body, options=options))

    def decide_sandbox_claim(
        self,
        claim_id: str,
        body: DecideSandboxClaimBody,
        options: CallOptions | None = None,
    ) -> SandboxClaimDecided:
        """Decide a claim. Only for test partners. Changes the status of a claim, as its insurer would. APPROVED needs ``approved_amount``. REJECTED and REPUDIATED need a ``reason``. PAID pays the amount that is owed on the day of your clock. Needs the scope ``business``.

        ``POST /v1/sandbox/claims/{claim_id}/decide``
        """
        return cast(
            SandboxClaimDecided,
            self._call(
                DECIDE_SANDBOX_CLAIM,
                path={"claim_id": claim_id},
                body=body,
                options=options,
            ),
        )

    def decide_sandbox_policy(
        self,
        policy_id: str,
        body: DecideSandboxPolicyBody,
        options: CallOptions | None = None,
    ) -> SandboxPolicyDecided:
        """Decide a cancellation or endorsement. Only for test partners. Confirms or refuses the requested cancellation of a policy, as the insurer or the operator would. If no cancellation is requested, decides the policy's waiting endorsement. Confirming an endorsement also pays its charge. Needs the scope ``business``.

        ``POST /v1/sandbox/policies/{policy_id}/decide``
        """
        return cast(
            SandboxPolicyDecided,
            self._call(
                DECIDE_SANDBOX_POLICY,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def decide_sandbox_proposal(
        self,
        proposal_id: str,
        body: DecideSandboxProposalBody,
        options: CallOptions | None = None,
    ) -> SandboxProposalDecided:
        """Decide a proposal. Only for test partners. Decides a submitted proposal, as its insurer or the operator would. An accepted proposal waits until its premium is received. Needs the scope ``business``.

        ``POST /v1/sandbox/proposals/{proposal_id}/decide``
        """
        return cast(
            SandboxProposalDecided,
            self._call(
                DECIDE_SANDBOX_PROPOSAL,
                path={"proposal_id": proposal_id},
                body=body,
                options=options,
            ),
        )

    def download_certificate(self, address: str, options: CallOptions | None = None) -> Download:
        """Download a certificate. Downloads the certificate at a ``policy_url``. The address includes the permission: no bearer token is needed.

        ``GET /v1/embedded/policy/{address}``
        """
        return cast(Download, self._call(DOWNLOAD_CERTIFICATE, path={"address": address}, options=options))

    def download_statement(self, address: str, options: CallOptions | None = None) -> Download:
        """Download a file of a statement. Downloads the file at a ``url`` of a statement, as an attachment. The address includes the permission: no bearer token is needed.

        ``GET /v1/statements/files/{address}``
        """
        return cast(Download, self._call(DOWNLOAD_STATEMENT, path={"address": address}, options=options))

    def endorse_policy(
        self,
        policy_id: str,
        body: EndorsePolicyBody,
        options: CallOptions | None = None,
    ) -> EndorsementAnswer:
        """Endorse a policy. Changes the policy as quoted. If nobody must confirm the change and nothing must be paid, it is MADE at once, with a new certificate. Otherwise it is REQUESTED, and the policy stays unchanged until the operator or the insurer confirms. ``charge`` and ``refund`` are the totals of the quote; leave out zeros. If they have changed since the quote, the response is S4090 and nothing changes. A policy can have only one REQUESTED endorsement at a time. Needs the scope ``business.policy.write``.

        ``POST /v1/policies/{policy_id}/endorsement``
        """
        return cast(
            EndorsementAnswer,
            self._call(
                ENDORSE_POLICY,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def fire_sandbox_event(self, body: FireSandboxEventBody, options: CallOptions | None = None) -> SandboxEventFired:
        """Send an event. Only for test partners. Sends an event of this type about an invented record. The event is listed and signed like a real event, and delivered to every endpoint that subscribes to its type. For ``endpoint.ping``, use ``POST /v1/webhooks/endpoints/{endpoint_id}/ping``. Needs the scope ``business``.

        ``POST /v1/sandbox/webhooks/fire``
        """
        return cast(SandboxEventFired, self._call(FIRE_SANDBOX_EVENT, body=body, options=options))

    def generate_recommendation(
        self,
        body: GenerateRecommendationBody,
        options: CallOptions | None = None,
    ) -> JobAnswer:
        """Generate a recommendation. Starts a job that prices every health variant of this plan type and ranks the offers. The response has the job's id. Read the result with this id every 2 to 3 seconds, until the job ends. Needs the scope ``business.quote.write``.

        ``POST /v1/business/health/recommendation``
        """
        return cast(JobAnswer, self._call(GENERATE_RECOMMENDATION, body=body, options=options))

    def generate_token(self, body: GenerateTokenBody, options: CallOptions | None = None) -> TokenAnswer:
        """Generate a token. Exchanges your credentials for a bearer token that is valid for an hour. You get at most 100 tokens in any 60 minutes, unless the operator set another limit.

        ``POST /v1/auth/token``
        """
        return cast(TokenAnswer, self._call(TOKEN, body=body, options=options))

    def get_claim(self, claim_id: str, options: CallOptions | None = None) -> ClaimDetail:
        """Get a claim. Returns a claim: its status, the reported facts, needed and uploaded documents, the day by which the insurer must settle it, the payment, and every status change. Needs the scope ``business.policy.read``.

        ``GET /v1/claims/{claim_id}``
        """
        return cast(ClaimDetail, self._call(GET_CLAIM, path={"claim_id": claim_id}, options=options))

    def get_claim_document(
        self,
        claim_id: str,
        document_id: str,
        options: CallOptions | None = None,
    ) -> Download:
        """Download a document of a claim. Returns the uploaded bytes of the document as an attachment. Needs the scope ``business.policy.read``.

        ``GET /v1/claims/{claim_id}/documents/{document_id}``
        """
        return cast(
            Download,
            self._call(
                GET_CLAIM_DOCUMENT,
                path={"claim_id": claim_id, "document_id": document_id},
                options=options,
            ),
        )

    def get_claim_document_of_insurer(
        self,
        insurer_id: str,
        claim_id: str,
        document_id: str,
        options: CallOptions | None = None,
    ) -> Download:
        """Download a document of a claim on your own policy. Only for insurers. Returns the uploaded bytes of the document as an attachment.

        ``GET /v1/insurers/{insurer_id}/claims/{claim_id}/documents/{document_id}``
        """
        return cast(
            Download,
            self._call(
                GET_CLAIM_DOCUMENT_OF_INSURER,
                path={"insurer_id": insurer_id, "claim_id": claim_id, "document_id": document_id},
                options=options,
            ),
        )

    def get_claim_of_insurer(
        self,
        insurer_id: str,
        claim_id: str,
        options: CallOptions | None = None,
    ) -> InsurersClaim:
        """Get a claim on your own policy. Only for insurers. Returns the status, cover and documents of a claim on one of your policies. Authenticate as for ``POST /v1/insurers/{insurer_id}/decisions``.

        ``GET /v1/insurers/{insurer_id}/claims/{claim_id}``
        """
        return cast(
            InsurersClaim,
            self._call(
                GET_CLAIM_OF_INSURER,
                path={"insurer_id": insurer_id, "claim_id": claim_id},
                options=options,
            ),
        )

    def get_event(self, event_id: str, options: CallOptions | None = None) -> Event:
        """Get an event. Returns one event of the last 30 days, as it was delivered. Needs the scope ``business.webhook``.

        ``GET /v1/events/{event_id}``
        """
        return cast(Event, self._call(GET_EVENT, path={"event_id": event_id}, options=options))

    def get_policy(self, policy_id: str, options: CallOptions | None = None) -> PolicyDetail:
        """Get a policy. Returns a policy with all its data: status, cover, insured people, premium, addresses of documents with a new address of the certificate, endorsements, cancellation, and what you can do next. Needs the scope ``business.policy.read``.

        ``GET /v1/policies/{policy_id}``
        """
        return cast(PolicyDetail, self._call(GET_POLICY, path={"policy_id": policy_id}, options=options))

    def get_policy_legacy(self, policy_id: str, options: CallOptions | None = None) -> PolicyAnswer:
        """Get a health policy (deprecated). Only for partners that the operator marked as existing users. The id is this service's policy id, or the insurer's policy number, which can have any characters. Needs the scope ``business``.

        ``GET /v1/business/health/policies/{policy_id}``

        .. deprecated::
        """
        return cast(PolicyAnswer, self._call(GET_POLICY_LEGACY, path={"policy_id": policy_id}, options=options))

    def get_proposal(self, proposal_id: str, options: CallOptions | None = None) -> ProposalDetail:
        """Get a proposal. Returns a proposal of either line of business: its status, the missing steps and who must take them, the policy once it exists, and every status change. Needs the scope ``business.policy.read``.

        ``GET /v1/proposals/{proposal_id}``
        """
        return cast(ProposalDetail, self._call(GET_PROPOSAL, path={"proposal_id": proposal_id}, options=options))

    def get_proposal_legacy(self, proposal_id: str, options: CallOptions | None = None) -> ProposalAnswer:
        """Get a health proposal (deprecated). Only for partners that the operator marked as existing users. Returns a health proposal. Needs the scope ``business.proposal.read``.

        ``GET /v1/business/health/proposals/{proposal_id}``

        .. deprecated::
        """
        return cast(
            ProposalAnswer,
            self._call(
                GET_PROPOSAL_LEGACY,
                path={"proposal_id": proposal_id},
                options=options,
            ),
        )

    def get_proposal_status(self, proposal_id: str, options: CallOptions | None = None) -> ViewAnswer:
        """Get a proposal's status. Returns the status of a proposal. A COMPLETED proposal has a download address of its certificate, valid for 10 minutes. Needs the scope ``business.proposal.read``.

        ``GET /v1/embedded/proposal/{proposal_id}/status``
        """
        return cast(
            ViewAnswer,
            self._call(
                GET_PROPOSAL_STATUS,
                path={"proposal_id": proposal_id},
                options=options,
            ),
        )

    def get_quote(self, quote_id: str, options: CallOptions | None = None) -> StoredQuoteAnswer:
        """Get a health quote. Returns a health quote with the results of its job so far. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/quotes/{quote_id}``
        """
        return cast(StoredQuoteAnswer, self._call(GET_QUOTE, path={"quote_id": quote_id}, options=options))

    def get_recommendation(self, quote_id: str, options: CallOptions | None = None) -> RecommendationJob:
        """Get a recommendation. Returns the progress of the job: ``completed_variants`` of ``total_variants``. If the status is ``success``, the response has the offers, best first. If there is any offer, exactly one is recommended. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/recommendation/{quote_id}``
        """
        return cast(RecommendationJob, self._call(GET_RECOMMENDATION, path={"quote_id": quote_id}, options=options))

    def get_statement(self, statement_id: str, options: CallOptions | None = None) -> StatementDetail:
        """Get a statement. Returns a statement with its totals, and a download address of each file. The addresses work for 10 minutes. Needs the scope ``business.policy.read``.

        ``GET /v1/statements/{statement_id}``
        """
        return cast(StatementDetail, self._call(GET_STATEMENT, path={"statement_id": statement_id}, options=options))

    def get_webhook_endpoint(self, endpoint_id: str, options: CallOptions | None = None) -> WebhookEndpoint:
        """Get an endpoint. Returns an endpoint with its number of failed delivery attempts. Needs the scope ``business.webhook``.

        ``GET /v1/webhooks/endpoints/{endpoint_id}``
        """
        return cast(
            WebhookEndpoint,
            self._call(
                GET_WEBHOOK_ENDPOINT,
                path={"endpoint_id": endpoint_id},
                options=options,
            ),
        )

    def is_alive(self, options: CallOptions | None = None) -> Alive:
        """Is the process alive?. Returns 200 as long as the process can answer.

        ``GET /livez``
        """
        return cast(Alive, self._call(IS_ALIVE, options=options))

    def is_ready(self, options: CallOptions | None = None) -> Ready:
        """Should the process get requests?. Checks that the database can be used and that the process is not stopping.

        ``GET /readyz``
        """
        return cast(Ready, self._call(IS_READY, options=options))

    def list_claims(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListClaimsQuery],
    ) -> ClaimPage:
        """List claims. Lists your claims by the day on which they were reported, newest first. Filter by days, or by the session of their policies. Without a filter, it lists all claims. Needs the scope ``business.policy.read``.

        ``GET /v1/claims``
        """
        return cast(ClaimPage, self._call(LIST_CLAIMS, query=cast(dict[str, Any], query), options=options))

    def iterate_claims(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListClaimsQuery],
    ) -> Iterator[ClaimSummary]:
        """The records of all pages of list_claims, fetched as they are needed.

        ``GET /v1/claims``
        """
        return self._records(
            LIST_CLAIMS,
            "claims",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_events(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListEventsQuery],
    ) -> EventList:
        """List events. Lists the events of your quotes, proposals, policies, claims and statements in the last 30 days, newest first. Filter by type, by subject or by time. Needs the scope ``business.webhook``.

        ``GET /v1/events``
        """
        return cast(EventList, self._call(LIST_EVENTS, query=cast(dict[str, Any], query), options=options))

    def iterate_events(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListEventsQuery],
    ) -> Iterator[Event]:
        """The records of all pages of list_events, fetched as they are needed.

        ``GET /v1/events``
        """
        return self._records(
            LIST_EVENTS,
            "events",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_policies(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListPoliciesQuery],
    ) -> PolicyPage:
        """List policies. Lists your policies of both lines of business by day of issue, newest first. Filter by days and status, by session, or by reference. Without a filter, it lists all policies. Needs the scope ``business.policy.read``.

        ``GET /v1/policies``
        """
        return cast(PolicyPage, self._call(LIST_POLICIES, query=cast(dict[str, Any], query), options=options))

    def iterate_policies(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListPoliciesQuery],
    ) -> Iterator[PolicySummary]:
        """The records of all pages of list_policies, fetched as they are needed.

        ``GET /v1/policies``
        """
        return self._records(
            LIST_POLICIES,
            "policies",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_policies_legacy(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListPoliciesLegacyQuery],
    ) -> PoliciesAnswer:
        """List health policies (deprecated). Only for partners that the operator marked as existing users. Lists your health policies by day of issue, newest first. The parameters are those of the list of health quotes. Without a filter, it lists all policies. Needs the scope ``business``.

        ``GET /v1/business/health/policies``

        .. deprecated::
        """
        return cast(
            PoliciesAnswer,
            self._call(
                LIST_POLICIES_LEGACY,
                query=cast(dict[str, Any], query),
                options=options,
            ),
        )

    def iterate_policies_legacy(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListPoliciesLegacyQuery],
    ) -> Iterator[LegacyPolicy]:
        """The records of all pages of list_policies_legacy, fetched as they are needed.

        ``GET /v1/business/health/policies``

        .. deprecated::
        """
        return self._records(
            LIST_POLICIES_LEGACY,
            "policies",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_proposals(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListProposalsQuery],
    ) -> ProposalPage:
        """List proposals. Lists your proposals of both lines of business by day of creation, newest first. Filter by days, by session, or by reference: a filter is required. Each proposal has its status, the missing steps and who must take them, and the policy once it exists. Needs the scope ``business.policy.read``.

        ``GET /v1/proposals``
        """
        return cast(ProposalPage, self._call(LIST_PROPOSALS, query=cast(dict[str, Any], query), options=options))

    def iterate_proposals(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListProposalsQuery],
    ) -> Iterator[ProposalSummary]:
        """The records of all pages of list_proposals, fetched as they are needed.

        ``GET /v1/proposals``
        """
        return self._records(
            LIST_PROPOSALS,
            "proposals",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_proposals_legacy(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListProposalsLegacyQuery],
    ) -> ProposalsAnswer:
        """List health proposals (deprecated). Only for partners that the operator marked as existing users. Lists your health proposals, newest first. The parameters are those of the list of health quotes. Needs the scope ``business.proposal.read``.

        ``GET /v1/business/health/proposals``

        .. deprecated::
        """
        return cast(
            ProposalsAnswer,
            self._call(
                LIST_PROPOSALS_LEGACY,
                query=cast(dict[str, Any], query),
                options=options,
            ),
        )

    def iterate_proposals_legacy(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListProposalsLegacyQuery],
    ) -> Iterator[LegacyProposal]:
        """The records of all pages of list_proposals_legacy, fetched as they are needed.

        ``GET /v1/business/health/proposals``

        .. deprecated::
        """
        return self._records(
            LIST_PROPOSALS_LEGACY,
            "proposals",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_public_keys(self, options: CallOptions | None = None) -> KeySet:
        """List the public keys. Lists the public keys that verify access tokens. You need them only if you check tokens yourself.

        ``GET /.well-known/jwks.json``
        """
        return cast(KeySet, self._call(LIST_PUBLIC_KEYS, options=options))

    def list_quotes(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListQuotesQuery],
    ) -> QuotesAnswer:
        """List health quotes. Lists your health quotes, newest first. Filter by session, or by at most eight days in Asia/Kolkata: a filter is required. Send a page's ``end_cursor`` as ``next`` to get the following page, its ``start_cursor`` as ``prev`` to go back. A cursor includes the filter of its list. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/quotes``
        """
        return cast(QuotesAnswer, self._call(LIST_QUOTES, query=cast(dict[str, Any], query), options=options))

    def iterate_quotes(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListQuotesQuery],
    ) -> Iterator[StoredQuote]:
        """The records of all pages of list_quotes, fetched as they are needed.

        ``GET /v1/business/health/quotes``
        """
        return self._records(
            LIST_QUOTES,
            "quotes",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_renewals(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListRenewalsQuery],
    ) -> RenewalPage:
        """List policies to renew. Lists your health policies that can be renewed, now or later, and are neither renewed nor cancelled. The policy that ends first comes first. Filter by last day of cover. Without a filter, it lists policies whose first reminder is due, and policies in their days of grace. ``notice`` is the latest reminder that is due: usually 45, 30, 15 or 1 day before the end of cover. Needs the scope ``business.policy.read``.

        ``GET /v1/renewals``
        """
        return cast(RenewalPage, self._call(LIST_RENEWALS, query=cast(dict[str, Any], query), options=options))

    def iterate_renewals(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListRenewalsQuery],
    ) -> Iterator[RenewalDueShown]:
        """The records of all pages of list_renewals, fetched as they are needed.

        ``GET /v1/renewals``
        """
        return self._records(
            LIST_RENEWALS,
            "policies",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_requests(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListRequestsQuery],
    ) -> RequestList:
        """List your requests. Lists your authenticated requests of the last 7 days, at most 10,000, newest first. Each request has its route, status, error code, duration and id. Bodies, ids in paths and queries are not stored. A request is listed one second after its response. Needs the scope ``business``.

        ``GET /v1/requests``
        """
        return cast(RequestList, self._call(LIST_REQUESTS, query=cast(dict[str, Any], query), options=options))

    def iterate_requests(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListRequestsQuery],
    ) -> Iterator[LoggedRequest]:
        """The records of all pages of list_requests, fetched as they are needed.

        ``GET /v1/requests``
        """
        return self._records(
            LIST_REQUESTS,
            "requests",
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_statements(self, options: CallOptions | None = None) -> StatementList:
        """List statements. Lists your statements of closed months, newest month first, of at most the last ten years. Needs the scope ``business.policy.read``.

        ``GET /v1/statements``
        """
        return cast(StatementList, self._call(LIST_STATEMENTS, options=options))

    def list_webhook_deliveries(
        self,
        endpoint_id: str,
        options: CallOptions | None = None,
        **query: Unpack[ListWebhookDeliveriesQuery],
    ) -> DeliveryList:
        """List deliveries. Lists the events of the last 30 days for an endpoint, newest first, each with its latest delivery attempts. Needs the scope ``business.webhook``.

        ``GET /v1/webhooks/endpoints/{endpoint_id}/deliveries``
        """
        return cast(
            DeliveryList,
            self._call(
                LIST_WEBHOOK_DELIVERIES,
                path={"endpoint_id": endpoint_id},
                query=cast(dict[str, Any], query),
                options=options,
            ),
        )

    def iterate_webhook_deliveries(
        self,
        endpoint_id: str,
        options: CallOptions | None = None,
        **query: Unpack[ListWebhookDeliveriesQuery],
    ) -> Iterator[WebhookDelivery]:
        """The records of all pages of list_webhook_deliveries, fetched as they are needed.

        ``GET /v1/webhooks/endpoints/{endpoint_id}/deliveries``
        """
        return self._records(
            LIST_WEBHOOK_DELIVERIES,
            "deliveries",
            path={"endpoint_id": endpoint_id},
            query=cast(dict[str, Any], query),
            options=options,
        )

    def list_webhook_endpoints(self, options: CallOptions | None = None) -> EndpointList:
        """List endpoints. Lists your endpoints, oldest first, each with its number of failed delivery attempts. Needs the scope ``business.webhook``.

        ``GET /v1/webhooks/endpoints``
        """
        return cast(EndpointList, self._call(LIST_WEBHOOK_ENDPOINTS, options=options))

    def make_claim(self, body: MakeClaimBody, options: CallOptions | None = None) -> ClaimDetail:
        """Report a claim. Reports a loss on one of your policies. The response lists the documents that the claim needs, and the day by which the insurer must settle the claim. If the same claim was already reported, the error S4090 names that claim. Unless the product has another rule, a claim is the same if person, kind and day are the same; for a death, if the person is the same. Rejected and withdrawn claims do not count. The operator limits the number of claims on a policy and in a day. Needs the scope ``business.policy.write``.

        ``POST /v1/claims``
        """
        return cast(ClaimDetail, self._call(MAKE_CLAIM, body=body, options=options))

    def open_session(self, body: OpenSessionBody, options: CallOptions | None = None) -> SessionAnswer:
        """Open a session. Opens a session that groups the quotes of one customer. ``metadata`` can have any texts that you want to store with the session. Needs the scope ``business.session``.

        ``POST /v1/business/session``
        """
        return cast(SessionAnswer, self._call(OPEN_SESSION, body=body, options=options))

    def ping_webhook_endpoint(self, endpoint_id: str, options: CallOptions | None = None) -> SentShown:
        """Test an endpoint. Sends an event ``endpoint.ping`` to this endpoint only, at most ten times in a minute. The list of deliveries shows the result. Needs the scope ``business.webhook``.

        ``POST /v1/webhooks/endpoints/{endpoint_id}/ping``
        """
        return cast(
            SentShown,
            self._call(
                PING_WEBHOOK_ENDPOINT,
                path={"endpoint_id": endpoint_id},
                options=options,
            ),
        )

    def quote_cancellation(
        self,
        policy_id: str,
        body: QuoteCancellationBody,
        options: CallOptions | None = None,
    ) -> CancellationQuoteShown:
        """Quote a cancellation. Returns the refund if the policy were cancelled today, to the paisa. Each step of the calculation names the catalogue line with its rule. Changes nothing. Needs the scope ``business.policy.read``.

        ``POST /v1/policies/{policy_id}/cancellation-quote``
        """
        return cast(
            CancellationQuoteShown,
            self._call(
                QUOTE_CANCELLATION,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def quote_endorsement(
        self,
        policy_id: str,
        body: QuoteEndorsementBody,
        options: CallOptions | None = None,
    ) -> EndorsementQuoteShown:
        """Quote an endorsement. Returns the charge or refund if the policy were changed today. Changes nothing. For a new date of birth or a lower sum insured, the premium is calculated again by the rates of the day of sale, to the paisa and step by step. ``kind`` says what to change. One more field has the new value: ``nominees``, ``contact``, ``name``, ``date_of_birth``, ``loan_account``, ``assignee`` or ``sum_insured``. Needs the scope ``business.policy.read``.

        ``POST /v1/policies/{policy_id}/endorsement-quote``
        """
        return cast(
            EndorsementQuoteShown,
            self._call(
                QUOTE_ENDORSEMENT,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def quote_renewal(
        self,
        policy_id: str,
        body: QuoteRenewalBody,
        options: CallOptions | None = None,
    ) -> RenewalQuoteShown:
        """Quote a renewal. Returns the premium of the same plan for the same people for another term. The premium is exact to the paisa, and uses today's rates and the ages on the first day of the renewal. The response has every step of the calculation, and says how much of the waiting period is over. Changes nothing. Without ``years``, the term is as before. Needs the scope ``business.policy.read``.

        ``POST /v1/policies/{policy_id}/renewal-quote``
        """
        return cast(
            RenewalQuoteShown,
            self._call(
                QUOTE_RENEWAL,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def read_credit_options(self, options: CallOptions | None = None) -> CreditOptions:
        """Read the options of quotes. Returns the insurers and credit-protection variants that you can sell, with their limits. ``ETag`` changes only with the catalogue. Send it as ``If-None-Match``: the response is 304 until the options change. Needs the scope ``business.quote.read``.

        ``GET /v1/embedded/options``
        """
        return cast(CreditOptions, self._call(READ_CREDIT_OPTIONS, options=options))

    def read_health_options(self, options: CallOptions | None = None) -> HealthOptions:
        """Read the options of recommendations. Returns illnesses, filter tags, sums insured and deductibles, and the insurers and health variants that you can sell, with their limits. ``ETag`` changes only with the catalogue. Send it as ``If-None-Match``: the response is 304 until the options change. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/options``
        """
        return cast(HealthOptions, self._call(READ_HEALTH_OPTIONS, options=options))

    def read_sandbox_clock(self, options: CallOptions | None = None) -> SandboxClock:
        """Read the clock. Only for test partners. Returns your clock. Quotes, covers, premiums, claims and renewals use this clock. Ids, tokens, signed addresses, idempotency keys and timestamps of deliveries use real time. Needs the scope ``business``.

        ``GET /v1/sandbox/clock``
        """
        return cast(SandboxClock, self._call(READ_SANDBOX_CLOCK, options=options))

    def recover_webhook_deliveries(
        self,
        endpoint_id: str,
        body: RecoverWebhookDeliveriesBody,
        options: CallOptions | None = None,
    ) -> RecoveredShown:
        """Send missed events. Sends all events since the instant ``since`` that the endpoint subscribes to and has not accepted. ``since`` is at most 14 days ago. One request sends at most 10,000 events, oldest first. New events are sent before them. Needs the scope ``business.webhook``.

        ``POST /v1/webhooks/endpoints/{endpoint_id}/recover``
        """
        return cast(
            RecoveredShown,
            self._call(
                RECOVER_WEBHOOK_DELIVERIES,
                path={"endpoint_id": endpoint_id},
                body=body,
                options=options,
            ),
        )

    def remove_sandbox_data(self, options: CallOptions | None = None) -> SandboxDataRemoved:
        """Remove the test data. Only for test partners. Removes all your test data, and resets your clock to real time. Secrets, tokens and endpoints stay. If ``complete`` is false, send the request again. Needs the scope ``business``.

        ``DELETE /v1/sandbox/data``
        """
        return cast(SandboxDataRemoved, self._call(REMOVE_SANDBOX_DATA, options=options))

    def remove_webhook_endpoint(
        self, endpoint_id: str, options: CallOptions | None = None
    ) -> RemoveWebhookEndpointAnswer:
        """Remove an endpoint. Removes an endpoint and the history of its deliveries. The endpoint gets no more events. Needs the scope ``business.webhook``.

        ``DELETE /v1/webhooks/endpoints/{endpoint_id}``
        """
        return cast(
            RemoveWebhookEndpointAnswer,
            self._call(
                REMOVE_WEBHOOK_ENDPOINT,
                path={"endpoint_id": endpoint_id},
                options=options,
            ),
        )

    def renew_policy(
        self,
        policy_id: str,
        body: RenewPolicyBody,
        options: CallOptions | None = None,
    ) -> RenewalAnswer:
        """Renew a policy. Makes a proposal for another term. Read the proposal with ``GET /v1/proposals/{proposal_id}``. The proposal is decided like the product's other proposals. The new policy is issued after acceptance and receipt of the premium. The old policy is then RENEWED and covers until its last day. ``premium`` is the total of the quote. If the premium has changed since the quote, the response is S4090 and nothing changes. A policy can have only one open renewal. Needs the scope ``business.policy.write``.

        ``POST /v1/policies/{policy_id}/renewal``
        """
        return cast(
            RenewalAnswer,
            self._call(
                RENEW_POLICY,
                path={"policy_id": policy_id},
                body=body,
                options=options,
            ),
        )

    def replace_proposal(
        self,
        proposal_id: str,
        body: ReplaceProposalBody,
        options: CallOptions | None = None,
    ) -> StateAnswer:
        """Replace a draft. Replaces a proposal that has the status DRAFT. The body is that of a new proposal. SUBMITTED also submits it. Needs the scope ``business.proposal.write``.

        ``PUT /v1/embedded/proposal/{proposal_id}``
        """
        return cast(
            StateAnswer,
            self._call(
                REPLACE_PROPOSAL,
                path={"proposal_id": proposal_id},
                body=body,
                options=options,
            ),
        )

    def replay_event(self, event_id: str, options: CallOptions | None = None) -> ReplayedShown:
        """Send an event again. Sends an event again to every enabled endpoint that subscribes to its type, whatever its delivery status. Needs the scope ``business.webhook``.

        ``POST /v1/events/{event_id}/replay``
        """
        return cast(ReplayedShown, self._call(REPLAY_EVENT, path={"event_id": event_id}, options=options))

    def report_receipt(self, body: ReportReceiptBody, options: CallOptions | None = None) -> ReceiptAnswer:
        """Report a payment of premiums. Reports one payment that you made to the insurer, for one or many proposals, each with its amount. If the amount is exactly the premium, an accepted proposal gets its policy, and an undecided one can be completed. Any other amount is a mismatch, which the operator settles. Repeating the payment with the same reference changes nothing and returns 200. Needs the scope ``business.policy.write``.

        ``POST /v1/premiums/receipts``
        """
        return cast(ReceiptAnswer, self._call(REPORT_RECEIPT, body=body, options=options))

    def retry_webhook_delivery(
        self,
        endpoint_id: str,
        event_id: str,
        options: CallOptions | None = None,
    ) -> WebhookDelivery:
        """Send a delivery again. Sends the event to the endpoint again now, whatever its delivery status. If the attempt fails, the usual retry schedule follows. Needs the scope ``business.webhook``.

        ``POST /v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry``
        """
        return cast(
            WebhookDelivery,
            self._call(
                RETRY_WEBHOOK_DELIVERY,
                path={"endpoint_id": endpoint_id, "event_id": event_id},
                options=options,
            ),
        )

    def rotate_webhook_secret(
        self,
        endpoint_id: str,
        body: RotateWebhookSecretBody,
        options: CallOptions | None = None,
    ) -> EndpointWithSecret:
        """Rotate an endpoint's secret. Gives the endpoint a new secret, which only this response shows. For ``overlap_hours``, messages are also signed with the old secret: 24 hours by default, at most 168. With 0, the old secret stops at once. Needs the scope ``business.webhook``.

        ``POST /v1/webhooks/endpoints/{endpoint_id}/rotate``
        """
        return cast(
            EndpointWithSecret,
            self._call(
                ROTATE_WEBHOOK_SECRET,
                path={"endpoint_id": endpoint_id},
                body=body,
                options=options,
            ),
        )

    def tell_claim_status(
        self,
        insurer_id: str,
        claim_id: str,
        body: TellClaimStatusBody,
        options: CallOptions | None = None,
    ) -> TellClaimStatusAnswer:
        """Report the status of a claim. Only for insurers. Reports the status or the payment of a claim on one of your policies. Repeating the report changes nothing.

        ``POST /v1/insurers/{insurer_id}/claims/{claim_id}/status``
        """
        return cast(
            TellClaimStatusAnswer,
            self._call(
                TELL_CLAIM_STATUS,
                path={"insurer_id": insurer_id, "claim_id": claim_id},
                body=body,
                options=options,
            ),
        )

    def tell_decision(
        self,
        insurer_id: str,
        body: TellDecisionBody,
        options: CallOptions | None = None,
    ) -> TellDecisionAnswer:
        """Report a decision. Only for insurers. Reports your decision on a proposal that was sent to you. Authenticate as this service does when it calls you: with the shared secret as bearer token, or with an HMAC signature. Repeating the report changes nothing.

        ``POST /v1/insurers/{insurer_id}/decisions``
        """
        return cast(
            TellDecisionAnswer,
            self._call(
                TELL_DECISION,
                path={"insurer_id": insurer_id},
                body=body,
                options=options,
            ),
        )

    def tell_payment(self, options: CallOptions | None = None) -> TellPaymentAnswer:
        """Report a customer's payment. Only for the operator's payment gateway. Reports that a customer paid a premium on the gateway's page. The body and the signature header have the gateway's own format. Repeating the report changes nothing.

        ``POST /v1/payments/callback``
        """
        return cast(TellPaymentAnswer, self._call(TELL_PAYMENT, options=options))

    def tell_receipt(
        self,
        insurer_id: str,
        body: TellReceiptBody,
        options: CallOptions | None = None,
    ) -> TellReceiptAnswer:
        """Report a receipt. Only for insurers. Reports a received payment of premiums for proposals of your products. Authenticate as for ``POST /v1/insurers/{insurer_id}/decisions``. Repeating the report changes nothing.

        ``POST /v1/insurers/{insurer_id}/receipts``
        """
        return cast(
            TellReceiptAnswer,
            self._call(
                TELL_RECEIPT,
                path={"insurer_id": insurer_id},
                body=body,
                options=options,
            ),
        )

    def update_proposal(
        self,
        proposal_id: str,
        body: UpdateProposalBody,
        options: CallOptions | None = None,
    ) -> StateAnswer:
        """Update a proposal. Changes the status of a proposal: DRAFT to PENDING or REJECTED, PENDING to COMPLETED or REJECTED. COMPLETED issues the policy. Needs the scope ``business.proposal.write``.

        ``PATCH /v1/embedded/proposal/{proposal_id}``
        """
        return cast(
            StateAnswer,
            self._call(
                UPDATE_PROPOSAL,
                path={"proposal_id": proposal_id},
                body=body,
                options=options,
            ),
        )

    def withdraw_claim(
        self,
        claim_id: str,
        body: WithdrawClaimBody,
        options: CallOptions | None = None,
    ) -> ClaimDetail:
        """Withdraw a claim. Withdraws a claim that is neither paid nor refused. A reason is required. The claim then stays WITHDRAWN and uses no cover. Afterwards, you can cancel the policy or report the claim again. Needs the scope ``business.policy.write``.

        ``POST /v1/claims/{claim_id}/withdrawal``
        """
        return cast(
            ClaimDetail,
            self._call(
                WITHDRAW_CLAIM,
                path={"claim_id": claim_id},
                body=body,
                options=options,
            ),
        )
