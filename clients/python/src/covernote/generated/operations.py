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
        """Upload a paper of a claim. The bytes of a PDF, JPEG or PNG as they are, under their media type: at most 10 MiB, and as many and as much for a claim, a policy and a day as the operator set. The first bytes must show the type that is told. ``paper`` says which of the claim's papers it is. Needs the scope ``business.policy.write``.

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
        """Add an endpoint. Has the partner's events delivered to an address: those of some types, or ``*``. The answer alone has the secret with which messages are signed. At most 10 endpoints, each with an address of its own. Needs the scope ``business.webhook``.

        ``POST /v1/webhooks/endpoints``
        """
        return cast(EndpointWithSecret, self._call(ADD_WEBHOOK_ENDPOINT, body=body, options=options))

    def advance_sandbox_clock(
        self,
        body: AdvanceSandboxClockBody,
        options: CallOptions | None = None,
    ) -> SandboxClockAdvanced:
        """Move the clock forward. For test partners alone: by days, hours, minutes and seconds together, or to an instant; by at most 400 days at once. Whatever falls due by it happens before the answer: payments that come late, reminders to renew, ends and lapses of policies. It never goes back; removing the test data sets it to the time. Needs the scope ``business``.

        ``POST /v1/sandbox/clock``
        """
        return cast(SandboxClockAdvanced, self._call(ADVANCE_SANDBOX_CLOCK, body=body, options=options))

    def cancel_policy(
        self,
        policy_id: str,
        body: CancelPolicyBody,
        options: CallOptions | None = None,
    ) -> CancellationAnswer:
        """Cancel a policy. Asks for the cancellation of the policy as of today. Where the operator or the insurer decides the product's proposals, it is CANCELLATION_REQUESTED until they confirm or refuse it, and the policy covers until then; elsewhere it is CANCELLED at once. ``refund`` is the total of the quote: another amount on this day is S4090, and nothing changes. The insurer pays the refund to the insured. Needs the scope ``business.policy.write``.

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
        """Change an endpoint. Changes what is named. One that is enabled again goes on with what was waiting; recover adds what happened meanwhile. Needs the scope ``business.webhook``.

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
        """Create a proposal. Turns a quote's recommendation into a proposal: saved with DRAFT, submitted with SUBMITTED. Needs the scope ``business.proposal.write``.

        ``POST /v1/embedded/proposal``
        """
        return cast(StateAnswer, self._call(CREATE_PROPOSAL, body=body, options=options))

    def create_quote(self, body: CreateQuoteBody, options: CallOptions | None = None) -> QuoteAnswer:
        """Create a quote. Prices every credit-protection variant open to the partner. One that cannot be priced is an item with is_error true and a sentence in error_message; the answer is 200 all the same. Needs the scope ``business.quote.write``.

        ``POST /v1/embedded/quote``
        """
        return cast(QuoteAnswer, self._call(CREATE_QUOTE, body=body, options=options))

    def decide_sandbox_claim(
        self,
        claim_id: str,
        body: DecideSandboxClaimBody,
        options: CallOptions | None = None,
    ) -> SandboxClaimDecided:
        """Decide a claim. For test partners alone: moves a claim as its insurer would. APPROVED needs ``approved_amount``, REJECTED and REPUDIATED a ``reason``. PAID pays what is owed on the day of your clock. Needs the scope ``business``.

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
        """Decide what was asked for a policy. For test partners alone: confirms or refuses the cancellation of a policy that was asked for, else its endorsement, as the insurer or the operator would. What an endorsement costs is paid then. Needs the scope ``business``.

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
        """Decide a proposal. For test partners alone: decides a submitted proposal of any line, as its insurer or the operator would. An acceptance whose premium has not come waits for it. Needs the scope ``business``.

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
        """Download a certificate. The certificate behind a policy_url. The address is its own key and needs no bearer token.

        ``GET /v1/embedded/policy/{address}``
        """
        return cast(Download, self._call(DOWNLOAD_CERTIFICATE, path={"address": address}, options=options))

    def download_statement(self, address: str, options: CallOptions | None = None) -> Download:
        """Download a file of a statement. The file behind a url of a statement, as an attachment. The address is its own key and needs no bearer token.

        ``GET /v1/statements/files/{address}``
        """
        return cast(Download, self._call(DOWNLOAD_STATEMENT, path={"address": address}, options=options))

    def endorse_policy(
        self,
        policy_id: str,
        body: EndorsePolicyBody,
        options: CallOptions | None = None,
    ) -> EndorsementAnswer:
        """Endorse a policy. Changes the policy as its quote says. It is MADE at once, with a new certificate, where nobody confirms it and nothing is to be paid; else it is REQUESTED, and the policy stays as it is until the operator or the insurer confirm it. ``charge`` and ``refund`` are the totals of the quote, left out where they are nought: other amounts on this day are S4090, and nothing changes. Only one endorsement of a policy waits at a time. Needs the scope ``business.policy.write``.

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
        """Send an event. For test partners alone: an event of a type is made up of a subject that there is not, listed, and delivered to every endpoint that asks for its type, signed as every other. For endpoint.ping use the endpoint's own ping. Needs the scope ``business``.

        ``POST /v1/sandbox/webhooks/fire``
        """
        return cast(SandboxEventFired, self._call(FIRE_SANDBOX_EVENT, body=body, options=options))

    def generate_recommendation(
        self,
        body: GenerateRecommendationBody,
        options: CallOptions | None = None,
    ) -> JobAnswer:
        """Generate a recommendation. Starts a job that prices every health variant of the kind asked for and ranks what is offered. The answer is the job's id; poll for the result every 2 to 3 seconds. Needs the scope ``business.quote.write``.

        ``POST /v1/business/health/recommendation``
        """
        return cast(JobAnswer, self._call(GENERATE_RECOMMENDATION, body=body, options=options))

    def generate_token(self, body: GenerateTokenBody, options: CallOptions | None = None) -> TokenAnswer:
        """Generate a token. Exchanges API credentials for a bearer token that lasts an hour. At most 100 in any sliding hour, unless the operator set another figure.

        ``POST /v1/auth/token``
        """
        return cast(TokenAnswer, self._call(TOKEN, body=body, options=options))

    def get_claim(self, claim_id: str, options: CallOptions | None = None) -> ClaimDetail:
        """Get a claim. Where a claim stands, what was told, which papers it needs and which came, by when it is to be settled and whether that is late, what is paid, and every move. Needs the scope ``business.policy.read``.

        ``GET /v1/claims/{claim_id}``
        """
        return cast(ClaimDetail, self._call(GET_CLAIM, path={"claim_id": claim_id}, options=options))

    def get_claim_document(
        self,
        claim_id: str,
        document_id: str,
        options: CallOptions | None = None,
    ) -> Download:
        """Download a paper of a claim. The bytes as they were uploaded, as an attachment. Needs the scope ``business.policy.read``.

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
        """Download a paper of a claim on one's own policy. For insurers alone: the bytes as they were uploaded, as an attachment.

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
        """Get a claim on one's own policy. For insurers alone: where a claim on a policy of theirs stands, and which papers came. The insurer shows itself as it does when it tells a decision.

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
        """Get an event. An event of the last 30 days, as it was delivered. Needs the scope ``business.webhook``.

        ``GET /v1/events/{event_id}``
        """
        return cast(Event, self._call(GET_EVENT, path={"event_id": event_id}, options=options))

    def get_policy(self, policy_id: str, options: CallOptions | None = None) -> PolicyDetail:
        """Get a policy. Everything that the partner may know of one of its policies: where it stands and since when, what it covers and for whom, what it cost, its papers with a fresh address of the certificate, its endorsements, what became of a cancellation, and what may be done next. Needs the scope ``business.policy.read``.

        ``GET /v1/policies/{policy_id}``
        """
        return cast(PolicyDetail, self._call(GET_POLICY, path={"policy_id": policy_id}, options=options))

    def get_policy_legacy(self, policy_id: str, options: CallOptions | None = None) -> PolicyAnswer:
        """Get a health policy (deprecated). For partners that the operator marked as existing users alone. The id is our own or the insurer's policy number, which may hold any characters. Needs the scope ``business``.

        ``GET /v1/business/health/policies/{policy_id}``

        .. deprecated::
        """
        return cast(PolicyAnswer, self._call(GET_POLICY_LEGACY, path={"policy_id": policy_id}, options=options))

    def get_proposal(self, proposal_id: str, options: CallOptions | None = None) -> ProposalDetail:
        """Get a proposal. Where one of the partner's proposals of any line stands, what is missing and from whom, its policy once there is one, and every move that it made. Needs the scope ``business.policy.read``.

        ``GET /v1/proposals/{proposal_id}``
        """
        return cast(ProposalDetail, self._call(GET_PROPOSAL, path={"proposal_id": proposal_id}, options=options))

    def get_proposal_legacy(self, proposal_id: str, options: CallOptions | None = None) -> ProposalAnswer:
        """Get a health proposal (deprecated). For partners that the operator marked as existing users alone. Needs the scope ``business.proposal.read``.

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
        """Get a proposal's status. Where the proposal stands; once COMPLETED, with a download address of the certificate that is valid for 10 minutes. Needs the scope ``business.proposal.read``.

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
        """Get a health quote. One of the partner's health quotes, as far as its job has come. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/quotes/{quote_id}``
        """
        return cast(StoredQuoteAnswer, self._call(GET_QUOTE, path={"quote_id": quote_id}, options=options))

    def get_recommendation(self, quote_id: str, options: CallOptions | None = None) -> RecommendationJob:
        """Get a recommendation. How far the job has come: completed_variants of total_variants. Once its status is success, what is offered, best first; where anything is, exactly one is recommended. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/recommendation/{quote_id}``
        """
        return cast(RecommendationJob, self._call(GET_RECOMMENDATION, path={"quote_id": quote_id}, options=options))

    def get_statement(self, statement_id: str, options: CallOptions | None = None) -> StatementDetail:
        """Get a statement. A statement with its totals, and an address for each of its files, good for 10 minutes. Needs the scope ``business.policy.read``.

        ``GET /v1/statements/{statement_id}``
        """
        return cast(StatementDetail, self._call(GET_STATEMENT, path={"statement_id": statement_id}, options=options))

    def get_webhook_endpoint(self, endpoint_id: str, options: CallOptions | None = None) -> WebhookEndpoint:
        """Get an endpoint. One of the partner's endpoints, with how deliveries to it went of late. Needs the scope ``business.webhook``.

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
        """Is the process alive?. Answers as long as the process can.

        ``GET /livez``
        """
        return cast(Alive, self._call(IS_ALIVE, options=options))

    def is_ready(self, options: CallOptions | None = None) -> Ready:
        """Should the process get requests?. Looks at the store and whether the process is stopping.

        ``GET /readyz``
        """
        return cast(Ready, self._call(IS_READY, options=options))

    def list_claims(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListClaimsQuery],
    ) -> ClaimPage:
        """List claims. The partner's claims by the day of their notice, newest first: those of some days, or on policies of a session; all of them where neither is given. Needs the scope ``business.policy.read``.

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
        """List events. What happened to the partner's quotes, proposals, policies, claims and statements in the last 30 days, newest first: all of it, or of a type, of a subject, of some time. Needs the scope ``business.webhook``.

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
        """List policies. The partner's policies of every line by the day of issue, newest first: those of some days, in one state where ``status`` is given, or of a session, or under a reference; all of them where none of these is given. Needs the scope ``business.policy.read``.

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
        """List health policies (deprecated). For partners that the operator marked as existing users alone. The partner's health policies by the day of issue, newest first, with the parameters of the quotes' list; all of them where neither session nor dates are given. Needs the scope ``business``.

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
        """List proposals. The partner's proposals of every line by the day of creation, newest first: those of some days, of a session, or under a reference. Each says where it stands and since when, what is missing and from whom, and its policy once there is one. Needs the scope ``business.policy.read``.

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
        """List health proposals (deprecated). For partners that the operator marked as existing users alone. The partner's health proposals, newest first, with the parameters of the quotes' list. Needs the scope ``business.proposal.read``.

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
        """List the public keys. The keys that tokens are signed with, for those who check tokens themselves.

        ``GET /.well-known/jwks.json``
        """
        return cast(KeySet, self._call(LIST_PUBLIC_KEYS, options=options))

    def list_quotes(
        self,
        options: CallOptions | None = None,
        **query: Unpack[ListQuotesQuery],
    ) -> QuotesAnswer:
        """List health quotes. The partner's health quotes, newest first: those of a session, or those of up to eight days in Asia/Kolkata. Go on with next and the end_cursor of a page, back with prev and its start_cursor; a cursor carries its filter. Needs the scope ``business.quote.read``.

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
        """List policies that are due to be renewed. The partner's health policies that can be renewed today or from a day to come, neither renewed nor cancelled: those whose cover ends on some days, else within the earliest notice of the catalogue, and those in their days of grace. The one that ends first comes first. ``notice`` is the last notice that has come: 45, 30, 15 or 1 day before the end, as the catalogue says. Needs the scope ``business.policy.read``.

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
        """List your requests. What you sent, newest first: the newest 10,000 requests of at most 7 days that came with a good token, each with its route, the status and code of the answer, its length and its id. No bodies, no ids of paths and no queries are kept. A request is here a second after its answer. Needs the scope ``business``.

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
        """List statements. The partner's own statements of closed months, the newest month first: ten years of them at most. Needs the scope ``business.policy.read``.

        ``GET /v1/statements``
        """
        return cast(StatementList, self._call(LIST_STATEMENTS, options=options))

    def list_webhook_deliveries(
        self,
        endpoint_id: str,
        options: CallOptions | None = None,
        **query: Unpack[ListWebhookDeliveriesQuery],
    ) -> DeliveryList:
        """List deliveries. The events of the last 30 days that are or were to be delivered to an endpoint, newest first, each with its latest attempts. Needs the scope ``business.webhook``.

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
        """List endpoints. The partner's endpoints, oldest first, with how deliveries to them went of late. Needs the scope ``business.webhook``.

        ``GET /v1/webhooks/endpoints``
        """
        return cast(EndpointList, self._call(LIST_WEBHOOK_ENDPOINTS, options=options))

    def make_claim(self, body: MakeClaimBody, options: CallOptions | None = None) -> ClaimDetail:
        """Make a claim known. The first notice of a loss on one of the partner's policies. The answer has the papers that the claim needs and the day by which the insurer is to have settled it. The same claim again is S4090 and names the first one: a death of the same person on any day, another event of the same person, kind and day, or as the product says. A rejected or withdrawn claim counts no more. A policy, and a partner on a day, have as many claims as the operator set. Needs the scope ``business.policy.write``.

        ``POST /v1/claims``
        """
        return cast(ClaimDetail, self._call(MAKE_CLAIM, body=body, options=options))

    def open_session(self, body: OpenSessionBody, options: CallOptions | None = None) -> SessionAnswer:
        """Open a session. Opens a session that the quotes of one customer can name, with whatever metadata the partner wants to remember of it. Needs the scope ``business.session``.

        ``POST /v1/business/session``
        """
        return cast(SessionAnswer, self._call(OPEN_SESSION, body=body, options=options))

    def ping_webhook_endpoint(self, endpoint_id: str, options: CallOptions | None = None) -> SentShown:
        """Try an endpoint. Has an event ``endpoint.ping`` sent to this endpoint alone, at most ten times in a minute. Its delivery says what came of it. Needs the scope ``business.webhook``.

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
        """Quote a cancellation. What would come back if the policy were cancelled today, to the paisa and step by step, each step with the line of the catalogue that it follows. Nothing changes. Needs the scope ``business.policy.read``.

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
        """Quote an endorsement. What it would cost or give back if the policy were changed today: for a date of birth and for less cover the premium is found again by the rates of the day on which it was sold, to the paisa and step by step. Nothing changes. ``kind`` says what is changed, and one field beside it says to what: ``nominees``, ``contact``, ``name``, ``date_of_birth``, ``loan_account``, ``assignee`` or ``sum_insured``. Needs the scope ``business.policy.read``.

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
        """Quote a renewal. What the same plan would cost the same people for another term, by the catalogue of today and with their ages of the first day: to the paisa and step by step, with the waiting period that they have served. Nothing changes. ``years`` is as long as before where it is left out. Needs the scope ``business.policy.read``.

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
        """Read what can be quoted. The insurers and variants of credit protection that are open to you, with the limits of each, and the riders that can be asked for. ``ETag`` changes with the catalogue alone: send it as ``If-None-Match``, and the answer is 304 while nothing has changed. Needs the scope ``business.quote.read``.

        ``GET /v1/embedded/options``
        """
        return cast(CreditOptions, self._call(READ_CREDIT_OPTIONS, options=options))

    def read_health_options(self, options: CallOptions | None = None) -> HealthOptions:
        """Read what can be recommended. Illnesses, filter tags, sums insured, deductibles, and the insurers and variants of health plans that are open to you, with the limits of each. ``ETag`` changes with the catalogue alone: send it as ``If-None-Match``, and the answer is 304 while nothing has changed. Needs the scope ``business.quote.read``.

        ``GET /v1/business/health/options``
        """
        return cast(HealthOptions, self._call(READ_HEALTH_OPTIONS, options=options))

    def read_sandbox_clock(self, options: CallOptions | None = None) -> SandboxClock:
        """Read the clock. For test partners alone. Quotes, covers, premiums, claims and renewals go by this clock; ids, tokens, signed addresses, idempotency keys and the timestamps of deliveries go by the time itself. Needs the scope ``business``.

        ``GET /v1/sandbox/clock``
        """
        return cast(SandboxClock, self._call(READ_SANDBOX_CLOCK, options=options))

    def recover_webhook_deliveries(
        self,
        endpoint_id: str,
        body: RecoverWebhookDeliveriesBody,
        options: CallOptions | None = None,
    ) -> RecoveredShown:
        """Send what was missed. Sends every event since an instant, at most 14 days ago, that the endpoint asks for and has not taken: 10,000 with one request, the oldest first, behind what happens meanwhile. Needs the scope ``business.webhook``.

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
        """Remove the test data. For test partners alone: removes everything that the partner did, and sets its clock to the time. Secrets, tokens and endpoints stay. Where ``complete`` is false, the same request goes on. Needs the scope ``business``.

        ``DELETE /v1/sandbox/data``
        """
        return cast(SandboxDataRemoved, self._call(REMOVE_SANDBOX_DATA, options=options))

    def remove_webhook_endpoint(
        self, endpoint_id: str, options: CallOptions | None = None
    ) -> RemoveWebhookEndpointAnswer:
        """Remove an endpoint. Nothing is delivered to it any more, and what became of its deliveries is gone. Needs the scope ``business.webhook``.

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
        """Renew a policy. Makes a proposal for another term, which ``GET /v1/proposals/{proposal_id}`` shows like any other: it is decided like the product's other proposals, and its premium is received before the new policy is issued. The policy that it renews is then RENEWED and covers until its own last day. ``premium`` is the total of the quote: another amount on this day is S4090, and nothing changes. Of a policy one renewal at a time is under way. Needs the scope ``business.policy.write``.

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

    def replay_event(self, event_id: str, options: CallOptions | None = None) -> ReplayedShown:
        """Send an event again. Sends an event again to every enabled endpoint that asks for its type, whatever became of it there. Needs the scope ``business.webhook``.

        ``POST /v1/events/{event_id}/replay``
        """
        return cast(ReplayedShown, self._call(REPLAY_EVENT, path={"event_id": event_id}, options=options))

    def report_receipt(self, body: ReportReceiptBody, options: CallOptions | None = None) -> ReceiptAnswer:
        """Report a payment of premiums. Reports one payment to the insurer: for one proposal or for many, each with its amount. An amount that is exactly the premium issues the policy of a proposal that was accepted, and lets the others be completed; any other amount is a mismatch that the operator settles. The reference makes it safe to repeat: the same payment again changes nothing and is answered 200. Needs the scope ``business.policy.write``.

        ``POST /v1/premiums/receipts``
        """
        return cast(ReceiptAnswer, self._call(REPORT_RECEIPT, body=body, options=options))

    def retry_webhook_delivery(
        self,
        endpoint_id: str,
        event_id: str,
        options: CallOptions | None = None,
    ) -> WebhookDelivery:
        """Send a delivery again. Sends the event again now, whatever became of it, and from there on by the schedule. Needs the scope ``business.webhook``.

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
        """Give an endpoint another secret. The answer alone has the new secret. Messages are signed with the one before as well for 24 hours, or as many as ``overlap_hours`` says, up to 168; 0 ends it at once. Needs the scope ``business.webhook``.

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
        """Tell what becomes of a claim. For insurers alone: where a claim on a policy of theirs stands now, or that it was paid. Telling the same again changes nothing.

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
        """Tell a decision. For insurers alone: what was decided of a proposal that was handed over. The insurer shows itself as it does when it is asked: by the shared secret as a bearer, or by an HMAC. Telling the same again changes nothing.

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
        """Tell a payment. For the operator's payment gateway alone: a customer paid a premium on its page. The body is the gateway's own, and its signature is in the gateway's own header. Telling the same again changes nothing.

        ``POST /v1/payments/callback``
        """
        return cast(TellPaymentAnswer, self._call(TELL_PAYMENT, options=options))

    def tell_receipt(
        self,
        insurer_id: str,
        body: TellReceiptBody,
        options: CallOptions | None = None,
    ) -> TellReceiptAnswer:
        """Tell a receipt. For insurers alone: a payment of premiums that came in, for proposals of their products. The insurer shows itself as it does when it tells a decision. Telling the same again changes nothing.

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
        """Update a proposal. Moves the proposal: DRAFT to PENDING or REJECTED, PENDING to COMPLETED or REJECTED. COMPLETED issues the policy. Needs the scope ``business.proposal.write``.

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
        """Withdraw a claim. Takes a claim back that is neither paid nor refused, for a reason. It is WITHDRAWN for good, takes nothing of the cover, and keeps nobody from cancelling the policy or making the claim again. Needs the scope ``business.policy.write``.

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
