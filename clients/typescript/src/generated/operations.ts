// Made by scripts/clients from the OpenAPI document: do not edit.

import type { Call, CallOptions, Download, Operation, Upload } from "../operation.js";
import type {
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
  MakeClaimBody,
  OpenSessionBody,
  PoliciesAnswer,
  PolicyAnswer,
  PolicyDetail,
  PolicyPage,
  ProposalAnswer,
  ProposalDetail,
  ProposalPage,
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
} from "./schema.js";

export const ADD_CLAIM_DOCUMENT: Operation = {
  id: "addClaimDocument",
  method: "POST",
  path: "/v1/claims/{claim_id}/documents",
  scope: "business.policy.write",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const ADD_WEBHOOK_ENDPOINT: Operation = {
  id: "addWebhookEndpoint",
  method: "POST",
  path: "/v1/webhooks/endpoints",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const ADVANCE_SANDBOX_CLOCK: Operation = {
  id: "advanceSandboxClock",
  method: "POST",
  path: "/v1/sandbox/clock",
  scope: "business",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const CANCEL_POLICY: Operation = {
  id: "cancelPolicy",
  method: "POST",
  path: "/v1/policies/{policy_id}/cancellation",
  scope: "business.policy.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const CHANGE_WEBHOOK_ENDPOINT: Operation = {
  id: "changeWebhookEndpoint",
  method: "PATCH",
  path: "/v1/webhooks/endpoints/{endpoint_id}",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const CREATE_PROPOSAL: Operation = {
  id: "createProposal",
  method: "POST",
  path: "/v1/embedded/proposal",
  scope: "business.proposal.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const CREATE_QUOTE: Operation = {
  id: "createQuote",
  method: "POST",
  path: "/v1/embedded/quote",
  scope: "business.quote.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const DECIDE_SANDBOX_CLAIM: Operation = {
  id: "decideSandboxClaim",
  method: "POST",
  path: "/v1/sandbox/claims/{claim_id}/decide",
  scope: "business",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const DECIDE_SANDBOX_POLICY: Operation = {
  id: "decideSandboxPolicy",
  method: "POST",
  path: "/v1/sandbox/policies/{policy_id}/decide",
  scope: "business",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const DECIDE_SANDBOX_PROPOSAL: Operation = {
  id: "decideSandboxProposal",
  method: "POST",
  path: "/v1/sandbox/proposals/{proposal_id}/decide",
  scope: "business",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const DOWNLOAD_CERTIFICATE: Operation = {
  id: "downloadCertificate",
  method: "GET",
  path: "/v1/embedded/policy/{address}",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "bytes",
};
export const DOWNLOAD_STATEMENT: Operation = {
  id: "downloadStatement",
  method: "GET",
  path: "/v1/statements/files/{address}",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "bytes",
};
export const ENDORSE_POLICY: Operation = {
  id: "endorsePolicy",
  method: "POST",
  path: "/v1/policies/{policy_id}/endorsement",
  scope: "business.policy.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const FIRE_SANDBOX_EVENT: Operation = {
  id: "fireSandboxEvent",
  method: "POST",
  path: "/v1/sandbox/webhooks/fire",
  scope: "business",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const GENERATE_RECOMMENDATION: Operation = {
  id: "generateRecommendation",
  method: "POST",
  path: "/v1/business/health/recommendation",
  scope: "business.quote.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const TOKEN: Operation = {
  id: "generateToken",
  method: "POST",
  path: "/v1/auth/token",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_CLAIM: Operation = {
  id: "getClaim",
  method: "GET",
  path: "/v1/claims/{claim_id}",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_CLAIM_DOCUMENT: Operation = {
  id: "getClaimDocument",
  method: "GET",
  path: "/v1/claims/{claim_id}/documents/{document_id}",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "bytes",
};
export const GET_CLAIM_DOCUMENT_OF_INSURER: Operation = {
  id: "getClaimDocumentOfInsurer",
  method: "GET",
  path: "/v1/insurers/{insurer_id}/claims/{claim_id}/documents/{document_id}",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "bytes",
};
export const GET_CLAIM_OF_INSURER: Operation = {
  id: "getClaimOfInsurer",
  method: "GET",
  path: "/v1/insurers/{insurer_id}/claims/{claim_id}",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_EVENT: Operation = {
  id: "getEvent",
  method: "GET",
  path: "/v1/events/{event_id}",
  scope: "business.webhook",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_POLICY: Operation = {
  id: "getPolicy",
  method: "GET",
  path: "/v1/policies/{policy_id}",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_POLICY_LEGACY: Operation = {
  id: "getPolicyLegacy",
  method: "GET",
  path: "/v1/business/health/policies/{policy_id}",
  scope: "business",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const GET_PROPOSAL: Operation = {
  id: "getProposal",
  method: "GET",
  path: "/v1/proposals/{proposal_id}",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_PROPOSAL_LEGACY: Operation = {
  id: "getProposalLegacy",
  method: "GET",
  path: "/v1/business/health/proposals/{proposal_id}",
  scope: "business.proposal.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const GET_PROPOSAL_STATUS: Operation = {
  id: "getProposalStatus",
  method: "GET",
  path: "/v1/embedded/proposal/{proposal_id}/status",
  scope: "business.proposal.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_QUOTE: Operation = {
  id: "getQuote",
  method: "GET",
  path: "/v1/business/health/quotes/{quote_id}",
  scope: "business.quote.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const GET_RECOMMENDATION: Operation = {
  id: "getRecommendation",
  method: "GET",
  path: "/v1/business/health/recommendation/{quote_id}",
  scope: "business.quote.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_STATEMENT: Operation = {
  id: "getStatement",
  method: "GET",
  path: "/v1/statements/{statement_id}",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const GET_WEBHOOK_ENDPOINT: Operation = {
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/v1/webhooks/endpoints/{endpoint_id}",
  scope: "business.webhook",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const IS_ALIVE: Operation = {
  id: "isAlive",
  method: "GET",
  path: "/livez",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const IS_READY: Operation = {
  id: "isReady",
  method: "GET",
  path: "/readyz",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_CLAIMS: Operation = {
  id: "listClaims",
  method: "GET",
  path: "/v1/claims",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_EVENTS: Operation = {
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  scope: "business.webhook",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_POLICIES: Operation = {
  id: "listPolicies",
  method: "GET",
  path: "/v1/policies",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_POLICIES_LEGACY: Operation = {
  id: "listPoliciesLegacy",
  method: "GET",
  path: "/v1/business/health/policies",
  scope: "business",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_PROPOSALS: Operation = {
  id: "listProposals",
  method: "GET",
  path: "/v1/proposals",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_PROPOSALS_LEGACY: Operation = {
  id: "listProposalsLegacy",
  method: "GET",
  path: "/v1/business/health/proposals",
  scope: "business.proposal.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_PUBLIC_KEYS: Operation = {
  id: "listPublicKeys",
  method: "GET",
  path: "/.well-known/jwks.json",
  scope: undefined,
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_QUOTES: Operation = {
  id: "listQuotes",
  method: "GET",
  path: "/v1/business/health/quotes",
  scope: "business.quote.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_RENEWALS: Operation = {
  id: "listRenewals",
  method: "GET",
  path: "/v1/renewals",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_REQUESTS: Operation = {
  id: "listRequests",
  method: "GET",
  path: "/v1/requests",
  scope: "business",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_STATEMENTS: Operation = {
  id: "listStatements",
  method: "GET",
  path: "/v1/statements",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_WEBHOOK_DELIVERIES: Operation = {
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries",
  scope: "business.webhook",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const LIST_WEBHOOK_ENDPOINTS: Operation = {
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/v1/webhooks/endpoints",
  scope: "business.webhook",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const MAKE_CLAIM: Operation = {
  id: "makeClaim",
  method: "POST",
  path: "/v1/claims",
  scope: "business.policy.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const OPEN_SESSION: Operation = {
  id: "openSession",
  method: "POST",
  path: "/v1/business/session",
  scope: "business.session",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "json",
};
export const PING_WEBHOOK_ENDPOINT: Operation = {
  id: "pingWebhookEndpoint",
  method: "POST",
  path: "/v1/webhooks/endpoints/{endpoint_id}/ping",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const QUOTE_CANCELLATION: Operation = {
  id: "quoteCancellation",
  method: "POST",
  path: "/v1/policies/{policy_id}/cancellation-quote",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const QUOTE_ENDORSEMENT: Operation = {
  id: "quoteEndorsement",
  method: "POST",
  path: "/v1/policies/{policy_id}/endorsement-quote",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const QUOTE_RENEWAL: Operation = {
  id: "quoteRenewal",
  method: "POST",
  path: "/v1/policies/{policy_id}/renewal-quote",
  scope: "business.policy.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const READ_CREDIT_OPTIONS: Operation = {
  id: "readCreditOptions",
  method: "GET",
  path: "/v1/embedded/options",
  scope: "business.quote.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const READ_HEALTH_OPTIONS: Operation = {
  id: "readHealthOptions",
  method: "GET",
  path: "/v1/business/health/options",
  scope: "business.quote.read",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const READ_SANDBOX_CLOCK: Operation = {
  id: "readSandboxClock",
  method: "GET",
  path: "/v1/sandbox/clock",
  scope: "business",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const RECOVER_WEBHOOK_DELIVERIES: Operation = {
  id: "recoverWebhookDeliveries",
  method: "POST",
  path: "/v1/webhooks/endpoints/{endpoint_id}/recover",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const REMOVE_SANDBOX_DATA: Operation = {
  id: "removeSandboxData",
  method: "DELETE",
  path: "/v1/sandbox/data",
  scope: "business",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "payload",
};
export const REMOVE_WEBHOOK_ENDPOINT: Operation = {
  id: "removeWebhookEndpoint",
  method: "DELETE",
  path: "/v1/webhooks/endpoints/{endpoint_id}",
  scope: "business.webhook",
  keyed: false,
  safe: true,
  tagged: false,
  gives: "json",
};
export const RENEW_POLICY: Operation = {
  id: "renewPolicy",
  method: "POST",
  path: "/v1/policies/{policy_id}/renewal",
  scope: "business.policy.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const REPLAY_EVENT: Operation = {
  id: "replayEvent",
  method: "POST",
  path: "/v1/events/{event_id}/replay",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const REPORT_RECEIPT: Operation = {
  id: "reportReceipt",
  method: "POST",
  path: "/v1/premiums/receipts",
  scope: "business.policy.write",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const RETRY_WEBHOOK_DELIVERY: Operation = {
  id: "retryWebhookDelivery",
  method: "POST",
  path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const ROTATE_WEBHOOK_SECRET: Operation = {
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/v1/webhooks/endpoints/{endpoint_id}/rotate",
  scope: "business.webhook",
  keyed: false,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const TELL_CLAIM_STATUS: Operation = {
  id: "tellClaimStatus",
  method: "POST",
  path: "/v1/insurers/{insurer_id}/claims/{claim_id}/status",
  scope: undefined,
  keyed: false,
  safe: false,
  tagged: false,
  gives: "json",
};
export const TELL_DECISION: Operation = {
  id: "tellDecision",
  method: "POST",
  path: "/v1/insurers/{insurer_id}/decisions",
  scope: undefined,
  keyed: false,
  safe: false,
  tagged: false,
  gives: "json",
};
export const TELL_PAYMENT: Operation = {
  id: "tellPayment",
  method: "POST",
  path: "/v1/payments/callback",
  scope: undefined,
  keyed: false,
  safe: false,
  tagged: false,
  gives: "json",
};
export const TELL_RECEIPT: Operation = {
  id: "tellReceipt",
  method: "POST",
  path: "/v1/insurers/{insurer_id}/receipts",
  scope: undefined,
  keyed: false,
  safe: false,
  tagged: false,
  gives: "json",
};
export const UPDATE_PROPOSAL: Operation = {
  id: "updateProposal",
  method: "PATCH",
  path: "/v1/embedded/proposal/{proposal_id}",
  scope: "business.proposal.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};
export const WITHDRAW_CLAIM: Operation = {
  id: "withdrawClaim",
  method: "POST",
  path: "/v1/claims/{claim_id}/withdrawal",
  scope: "business.policy.write",
  keyed: true,
  safe: false,
  tagged: false,
  gives: "payload",
};

/** Every operation of the document. */
export const OPERATIONS: readonly Operation[] = [
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
];

/** A method for every operation. The client says how one is carried out. */
export abstract class Operations {
  protected abstract call(operation: Operation, call: Call): Promise<unknown>;

  protected abstract records(operation: Operation, field: string, call: Call): AsyncGenerator<unknown, void, undefined>;

  /**
   * Upload a paper of a claim. The bytes of a PDF, JPEG or PNG as they are, under their media type: at most 10 MiB, and as many and as much for a claim, a policy and a day as the operator set. The first bytes must show the type that is told. `paper` says which of the claim's papers it is. Needs the scope `business.policy.write`.
   *
   * `POST /v1/claims/{claim_id}/documents`
   */
  async addClaimDocument(
    claimId: string,
    upload: Upload<"application/pdf" | "image/jpeg" | "image/png">,
    query: AddClaimDocumentQuery = {},
    options?: CallOptions,
  ): Promise<DocumentShown> {
    return (await this.call(ADD_CLAIM_DOCUMENT, {
      path: { claim_id: claimId },
      upload,
      query: { ...query },
      options,
    })) as DocumentShown;
  }

  /**
   * Add an endpoint. Has the partner's events delivered to an address: those of some types, or `*`. The answer alone has the secret with which messages are signed. At most 10 endpoints, each with an address of its own. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints`
   */
  async addWebhookEndpoint(body: AddWebhookEndpointBody, options?: CallOptions): Promise<EndpointWithSecret> {
    return (await this.call(ADD_WEBHOOK_ENDPOINT, { body, options })) as EndpointWithSecret;
  }

  /**
   * Move the clock forward. For test partners alone: by days, hours, minutes and seconds together, or to an instant; by at most 400 days at once. Whatever falls due by it happens before the answer: payments that come late, reminders to renew, ends and lapses of policies. It never goes back; removing the test data sets it to the time. Needs the scope `business`.
   *
   * `POST /v1/sandbox/clock`
   */
  async advanceSandboxClock(body: AdvanceSandboxClockBody, options?: CallOptions): Promise<SandboxClockAdvanced> {
    return (await this.call(ADVANCE_SANDBOX_CLOCK, { body, options })) as SandboxClockAdvanced;
  }

  /**
   * Cancel a policy. Asks for the cancellation of the policy as of today. Where the operator or the insurer decides the product's proposals, it is CANCELLATION_REQUESTED until they confirm or refuse it, and the policy covers until then; elsewhere it is CANCELLED at once. `refund` is the total of the quote: another amount on this day is S4090, and nothing changes. The insurer pays the refund to the insured. Needs the scope `business.policy.write`.
   *
   * `POST /v1/policies/{policy_id}/cancellation`
   */
  async cancelPolicy(policyId: string, body: CancelPolicyBody, options?: CallOptions): Promise<CancellationAnswer> {
    return (await this.call(CANCEL_POLICY, { path: { policy_id: policyId }, body, options })) as CancellationAnswer;
  }

  /**
   * Change an endpoint. Changes what is named. One that is enabled again goes on with what was waiting; recover adds what happened meanwhile. Needs the scope `business.webhook`.
   *
   * `PATCH /v1/webhooks/endpoints/{endpoint_id}`
   */
  async changeWebhookEndpoint(
    endpointId: string,
    body: ChangeWebhookEndpointBody,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    return (await this.call(CHANGE_WEBHOOK_ENDPOINT, {
      path: { endpoint_id: endpointId },
      body,
      options,
    })) as WebhookEndpoint;
  }

  /**
   * Create a proposal. Turns a quote's recommendation into a proposal: saved with DRAFT, submitted with SUBMITTED. Needs the scope `business.proposal.write`.
   *
   * `POST /v1/embedded/proposal`
   */
  async createProposal(body: CreateProposalBody, options?: CallOptions): Promise<StateAnswer> {
    return (await this.call(CREATE_PROPOSAL, { body, options })) as StateAnswer;
  }

  /**
   * Create a quote. Prices every credit-protection variant open to the partner. One that cannot be priced is an item with is_error true and a sentence in error_message; the answer is 200 all the same. Needs the scope `business.quote.write`.
   *
   * `POST /v1/embedded/quote`
   */
  async createQuote(body: CreateQuoteBody, options?: CallOptions): Promise<QuoteAnswer> {
    return (await this.call(CREATE_QUOTE, { body, options })) as QuoteAnswer;
  }

  /**
   * Decide a claim. For test partners alone: moves a claim as its insurer would. APPROVED needs `approved_amount`, REJECTED and REPUDIATED a `reason`. PAID pays what is owed on the day of your clock. Needs the scope `business`.
   *
   * `POST /v1/sandbox/claims/{claim_id}/decide`
   */
  async decideSandboxClaim(
    claimId: string,
    body: DecideSandboxClaimBody,
    options?: CallOptions,
  ): Promise<SandboxClaimDecided> {
    return (await this.call(DECIDE_SANDBOX_CLAIM, {
      path: { claim_id: claimId },
      body,
      options,
    })) as SandboxClaimDecided;
  }

  /**
   * Decide what was asked for a policy. For test partners alone: confirms or refuses the cancellation of a policy that was asked for, else its endorsement, as the insurer or the operator would. What an endorsement costs is paid then. Needs the scope `business`.
   *
   * `POST /v1/sandbox/policies/{policy_id}/decide`
   */
  async decideSandboxPolicy(
    policyId: string,
    body: DecideSandboxPolicyBody,
    options?: CallOptions,
  ): Promise<SandboxPolicyDecided> {
    return (await this.call(DECIDE_SANDBOX_POLICY, {
      path: { policy_id: policyId },
      body,
      options,
    })) as SandboxPolicyDecided;
  }

  /**
   * Decide a proposal. For test partners alone: decides a submitted proposal of any line, as its insurer or the operator would. An acceptance whose premium has not come waits for it. Needs the scope `business`.
   *
   * `POST /v1/sandbox/proposals/{proposal_id}/decide`
   */
  async decideSandboxProposal(
    proposalId: string,
    body: DecideSandboxProposalBody,
    options?: CallOptions,
  ): Promise<SandboxProposalDecided> {
    return (await this.call(DECIDE_SANDBOX_PROPOSAL, {
      path: { proposal_id: proposalId },
      body,
      options,
    })) as SandboxProposalDecided;
  }

  /**
   * Download a certificate. The certificate behind a policy_url. The address is its own key and needs no bearer token.
   *
   * `GET /v1/embedded/policy/{address}`
   */
  async downloadCertificate(address: string, options?: CallOptions): Promise<Download> {
    return (await this.call(DOWNLOAD_CERTIFICATE, { path: { address }, options })) as Download;
  }

  /**
   * Download a file of a statement. The file behind a url of a statement, as an attachment. The address is its own key and needs no bearer token.
   *
   * `GET /v1/statements/files/{address}`
   */
  async downloadStatement(address: string, options?: CallOptions): Promise<Download> {
    return (await this.call(DOWNLOAD_STATEMENT, { path: { address }, options })) as Download;
  }

  /**
   * Endorse a policy. Changes the policy as its quote says. It is MADE at once, with a new certificate, where nobody confirms it and nothing is to be paid; else it is REQUESTED, and the policy stays as it is until the operator or the insurer confirm it. `charge` and `refund` are the totals of the quote, left out where they are nought: other amounts on this day are S4090, and nothing changes. Only one endorsement of a policy waits at a time. Needs the scope `business.policy.write`.
   *
   * `POST /v1/policies/{policy_id}/endorsement`
   */
  async endorsePolicy(policyId: string, body: EndorsePolicyBody, options?: CallOptions): Promise<EndorsementAnswer> {
    return (await this.call(ENDORSE_POLICY, { path: { policy_id: policyId }, body, options })) as EndorsementAnswer;
  }

  /**
   * Send an event. For test partners alone: an event of a type is made up of a subject that there is not, listed, and delivered to every endpoint that asks for its type, signed as every other. For endpoint.ping use the endpoint's own ping. Needs the scope `business`.
   *
   * `POST /v1/sandbox/webhooks/fire`
   */
  async fireSandboxEvent(body: FireSandboxEventBody, options?: CallOptions): Promise<SandboxEventFired> {
    return (await this.call(FIRE_SANDBOX_EVENT, { body, options })) as SandboxEventFired;
  }

  /**
   * Generate a recommendation. Starts a job that prices every health variant of the kind asked for and ranks what is offered. The answer is the job's id; poll for the result every 2 to 3 seconds. Needs the scope `business.quote.write`.
   *
   * `POST /v1/business/health/recommendation`
   */
  async generateRecommendation(body: GenerateRecommendationBody, options?: CallOptions): Promise<JobAnswer> {
    return (await this.call(GENERATE_RECOMMENDATION, { body, options })) as JobAnswer;
  }

  /**
   * Generate a token. Exchanges API credentials for a bearer token that lasts an hour. At most 100 in any sliding hour, unless the operator set another figure.
   *
   * `POST /v1/auth/token`
   */
  async generateToken(body: GenerateTokenBody, options?: CallOptions): Promise<TokenAnswer> {
    return (await this.call(TOKEN, { body, options })) as TokenAnswer;
  }

  /**
   * Get a claim. Where a claim stands, what was told, which papers it needs and which came, by when it is to be settled and whether that is late, what is paid, and every move. Needs the scope `business.policy.read`.
   *
   * `GET /v1/claims/{claim_id}`
   */
  async getClaim(claimId: string, options?: CallOptions): Promise<ClaimDetail> {
    return (await this.call(GET_CLAIM, { path: { claim_id: claimId }, options })) as ClaimDetail;
  }

  /**
   * Download a paper of a claim. The bytes as they were uploaded, as an attachment. Needs the scope `business.policy.read`.
   *
   * `GET /v1/claims/{claim_id}/documents/{document_id}`
   */
  async getClaimDocument(claimId: string, documentId: string, options?: CallOptions): Promise<Download> {
    return (await this.call(GET_CLAIM_DOCUMENT, {
      path: { claim_id: claimId, document_id: documentId },
      options,
    })) as Download;
  }

  /**
   * Download a paper of a claim on one's own policy. For insurers alone: the bytes as they were uploaded, as an attachment.
   *
   * `GET /v1/insurers/{insurer_id}/claims/{claim_id}/documents/{document_id}`
   */
  async getClaimDocumentOfInsurer(
    insurerId: string,
    claimId: string,
    documentId: string,
    options?: CallOptions,
  ): Promise<Download> {
    return (await this.call(GET_CLAIM_DOCUMENT_OF_INSURER, {
      path: { insurer_id: insurerId, claim_id: claimId, document_id: documentId },
      options,
    })) as Download;
  }

  /**
   * Get a claim on one's own policy. For insurers alone: where a claim on a policy of theirs stands, and which papers came. The insurer shows itself as it does when it tells a decision.
   *
   * `GET /v1/insurers/{insurer_id}/claims/{claim_id}`
   */
  async getClaimOfInsurer(insurerId: string, claimId: string, options?: CallOptions): Promise<InsurersClaim> {
    return (await this.call(GET_CLAIM_OF_INSURER, {
      path: { insurer_id: insurerId, claim_id: claimId },
      options,
    })) as InsurersClaim;
  }

  /**
   * Get an event. An event of the last 30 days, as it was delivered. Needs the scope `business.webhook`.
   *
   * `GET /v1/events/{event_id}`
   */
  async getEvent(eventId: string, options?: CallOptions): Promise<Event> {
    return (await this.call(GET_EVENT, { path: { event_id: eventId }, options })) as Event;
  }

  /**
   * Get a policy. Everything that the partner may know of one of its policies: where it stands and since when, what it covers and for whom, what it cost, its papers with a fresh address of the certificate, its endorsements, what became of a cancellation, and what may be done next. Needs the scope `business.policy.read`.
   *
   * `GET /v1/policies/{policy_id}`
   */
  async getPolicy(policyId: string, options?: CallOptions): Promise<PolicyDetail> {
    return (await this.call(GET_POLICY, { path: { policy_id: policyId }, options })) as PolicyDetail;
  }

  /**
   * Get a health policy (deprecated). For partners that the operator marked as existing users alone. The id is our own or the insurer's policy number, which may hold any characters. Needs the scope `business`.
   *
   * `GET /v1/business/health/policies/{policy_id}`
   * @deprecated
   */
  async getPolicyLegacy(policyId: string, options?: CallOptions): Promise<PolicyAnswer> {
    return (await this.call(GET_POLICY_LEGACY, { path: { policy_id: policyId }, options })) as PolicyAnswer;
  }

  /**
   * Get a proposal. Where one of the partner's proposals of any line stands, what is missing and from whom, its policy once there is one, and every move that it made. Needs the scope `business.policy.read`.
   *
   * `GET /v1/proposals/{proposal_id}`
   */
  async getProposal(proposalId: string, options?: CallOptions): Promise<ProposalDetail> {
    return (await this.call(GET_PROPOSAL, { path: { proposal_id: proposalId }, options })) as ProposalDetail;
  }

  /**
   * Get a health proposal (deprecated). For partners that the operator marked as existing users alone. Needs the scope `business.proposal.read`.
   *
   * `GET /v1/business/health/proposals/{proposal_id}`
   * @deprecated
   */
  async getProposalLegacy(proposalId: string, options?: CallOptions): Promise<ProposalAnswer> {
    return (await this.call(GET_PROPOSAL_LEGACY, { path: { proposal_id: proposalId }, options })) as ProposalAnswer;
  }

  /**
   * Get a proposal's status. Where the proposal stands; once COMPLETED, with a download address of the certificate that is valid for 10 minutes. Needs the scope `business.proposal.read`.
   *
   * `GET /v1/embedded/proposal/{proposal_id}/status`
   */
  async getProposalStatus(proposalId: string, options?: CallOptions): Promise<ViewAnswer> {
    return (await this.call(GET_PROPOSAL_STATUS, { path: { proposal_id: proposalId }, options })) as ViewAnswer;
  }

  /**
   * Get a health quote. One of the partner's health quotes, as far as its job has come. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/quotes/{quote_id}`
   */
  async getQuote(quoteId: string, options?: CallOptions): Promise<StoredQuoteAnswer> {
    return (await this.call(GET_QUOTE, { path: { quote_id: quoteId }, options })) as StoredQuoteAnswer;
  }

  /**
   * Get a recommendation. How far the job has come: completed_variants of total_variants. Once its status is success, what is offered, best first; where anything is, exactly one is recommended. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/recommendation/{quote_id}`
   */
  async getRecommendation(quoteId: string, options?: CallOptions): Promise<RecommendationJob> {
    return (await this.call(GET_RECOMMENDATION, { path: { quote_id: quoteId }, options })) as RecommendationJob;
  }

  /**
   * Get a statement. A statement with its totals, and an address for each of its files, good for 10 minutes. Needs the scope `business.policy.read`.
   *
   * `GET /v1/statements/{statement_id}`
   */
  async getStatement(statementId: string, options?: CallOptions): Promise<StatementDetail> {
    return (await this.call(GET_STATEMENT, { path: { statement_id: statementId }, options })) as StatementDetail;
  }

  /**
   * Get an endpoint. One of the partner's endpoints, with how deliveries to it went of late. Needs the scope `business.webhook`.
   *
   * `GET /v1/webhooks/endpoints/{endpoint_id}`
   */
  async getWebhookEndpoint(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return (await this.call(GET_WEBHOOK_ENDPOINT, { path: { endpoint_id: endpointId }, options })) as WebhookEndpoint;
  }

  /**
   * Is the process alive?. Answers as long as the process can.
   *
   * `GET /livez`
   */
  async isAlive(options?: CallOptions): Promise<Alive> {
    return (await this.call(IS_ALIVE, { options })) as Alive;
  }

  /**
   * Should the process get requests?. Looks at the store and whether the process is stopping.
   *
   * `GET /readyz`
   */
  async isReady(options?: CallOptions): Promise<Ready> {
    return (await this.call(IS_READY, { options })) as Ready;
  }

  /**
   * List claims. The partner's claims by the day of their notice, newest first: those of some days, or on policies of a session; all of them where neither is given. Needs the scope `business.policy.read`.
   *
   * `GET /v1/claims`
   */
  async listClaims(query: ListClaimsQuery = {}, options?: CallOptions): Promise<ClaimPage> {
    return (await this.call(LIST_CLAIMS, { query: { ...query }, options })) as ClaimPage;
  }

  /**
   * The records of all pages of listClaims, fetched as they are needed.
   *
   * `GET /v1/claims`
   */
  iterateClaims(
    query: ListClaimsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<ClaimPage["claims"][number], void, undefined> {
    const records = this.records(LIST_CLAIMS, "claims", { query: { ...query }, options });
    return records as AsyncGenerator<ClaimPage["claims"][number], void, undefined>;
  }

  /**
   * List events. What happened to the partner's quotes, proposals, policies, claims and statements in the last 30 days, newest first: all of it, or of a type, of a subject, of some time. Needs the scope `business.webhook`.
   *
   * `GET /v1/events`
   */
  async listEvents(query: ListEventsQuery = {}, options?: CallOptions): Promise<EventList> {
    return (await this.call(LIST_EVENTS, { query: { ...query }, options })) as EventList;
  }

  /**
   * The records of all pages of listEvents, fetched as they are needed.
   *
   * `GET /v1/events`
   */
  iterateEvents(
    query: ListEventsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<EventList["events"][number], void, undefined> {
    const records = this.records(LIST_EVENTS, "events", { query: { ...query }, options });
    return records as AsyncGenerator<EventList["events"][number], void, undefined>;
  }

  /**
   * List policies. The partner's policies of every line by the day of issue, newest first: those of some days, in one state where `status` is given, or of a session, or under a reference; all of them where none of these is given. Needs the scope `business.policy.read`.
   *
   * `GET /v1/policies`
   */
  async listPolicies(query: ListPoliciesQuery = {}, options?: CallOptions): Promise<PolicyPage> {
    return (await this.call(LIST_POLICIES, { query: { ...query }, options })) as PolicyPage;
  }

  /**
   * The records of all pages of listPolicies, fetched as they are needed.
   *
   * `GET /v1/policies`
   */
  iteratePolicies(
    query: ListPoliciesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<PolicyPage["policies"][number], void, undefined> {
    const records = this.records(LIST_POLICIES, "policies", { query: { ...query }, options });
    return records as AsyncGenerator<PolicyPage["policies"][number], void, undefined>;
  }

  /**
   * List health policies (deprecated). For partners that the operator marked as existing users alone. The partner's health policies by the day of issue, newest first, with the parameters of the quotes' list; all of them where neither session nor dates are given. Needs the scope `business`.
   *
   * `GET /v1/business/health/policies`
   * @deprecated
   */
  async listPoliciesLegacy(query: ListPoliciesLegacyQuery = {}, options?: CallOptions): Promise<PoliciesAnswer> {
    return (await this.call(LIST_POLICIES_LEGACY, { query: { ...query }, options })) as PoliciesAnswer;
  }

  /**
   * The records of all pages of listPoliciesLegacy, fetched as they are needed.
   *
   * `GET /v1/business/health/policies`
   * @deprecated
   */
  iteratePoliciesLegacy(
    query: ListPoliciesLegacyQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<PoliciesAnswer["policies"][number], void, undefined> {
    const records = this.records(LIST_POLICIES_LEGACY, "policies", { query: { ...query }, options });
    return records as AsyncGenerator<PoliciesAnswer["policies"][number], void, undefined>;
  }

  /**
   * List proposals. The partner's proposals of every line by the day of creation, newest first: those of some days, of a session, or under a reference. Each says where it stands and since when, what is missing and from whom, and its policy once there is one. Needs the scope `business.policy.read`.
   *
   * `GET /v1/proposals`
   */
  async listProposals(query: ListProposalsQuery = {}, options?: CallOptions): Promise<ProposalPage> {
    return (await this.call(LIST_PROPOSALS, { query: { ...query }, options })) as ProposalPage;
  }

  /**
   * The records of all pages of listProposals, fetched as they are needed.
   *
   * `GET /v1/proposals`
   */
  iterateProposals(
    query: ListProposalsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<ProposalPage["proposals"][number], void, undefined> {
    const records = this.records(LIST_PROPOSALS, "proposals", { query: { ...query }, options });
    return records as AsyncGenerator<ProposalPage["proposals"][number], void, undefined>;
  }

  /**
   * List health proposals (deprecated). For partners that the operator marked as existing users alone. The partner's health proposals, newest first, with the parameters of the quotes' list. Needs the scope `business.proposal.read`.
   *
   * `GET /v1/business/health/proposals`
   * @deprecated
   */
  async listProposalsLegacy(query: ListProposalsLegacyQuery = {}, options?: CallOptions): Promise<ProposalsAnswer> {
    return (await this.call(LIST_PROPOSALS_LEGACY, { query: { ...query }, options })) as ProposalsAnswer;
  }

  /**
   * The records of all pages of listProposalsLegacy, fetched as they are needed.
   *
   * `GET /v1/business/health/proposals`
   * @deprecated
   */
  iterateProposalsLegacy(
    query: ListProposalsLegacyQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<ProposalsAnswer["proposals"][number], void, undefined> {
    const records = this.records(LIST_PROPOSALS_LEGACY, "proposals", { query: { ...query }, options });
    return records as AsyncGenerator<ProposalsAnswer["proposals"][number], void, undefined>;
  }

  /**
   * List the public keys. The keys that tokens are signed with, for those who check tokens themselves.
   *
   * `GET /.well-known/jwks.json`
   */
  async listPublicKeys(options?: CallOptions): Promise<KeySet> {
    return (await this.call(LIST_PUBLIC_KEYS, { options })) as KeySet;
  }

  /**
   * List health quotes. The partner's health quotes, newest first: those of a session, or those of up to eight days in Asia/Kolkata. Go on with next and the end_cursor of a page, back with prev and its start_cursor; a cursor carries its filter. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/quotes`
   */
  async listQuotes(query: ListQuotesQuery = {}, options?: CallOptions): Promise<QuotesAnswer> {
    return (await this.call(LIST_QUOTES, { query: { ...query }, options })) as QuotesAnswer;
  }

  /**
   * The records of all pages of listQuotes, fetched as they are needed.
   *
   * `GET /v1/business/health/quotes`
   */
  iterateQuotes(
    query: ListQuotesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<QuotesAnswer["quotes"][number], void, undefined> {
    const records = this.records(LIST_QUOTES, "quotes", { query: { ...query }, options });
    return records as AsyncGenerator<QuotesAnswer["quotes"][number], void, undefined>;
  }

  /**
   * List policies that are due to be renewed. The partner's health policies that can be renewed today or from a day to come, neither renewed nor cancelled: those whose cover ends on some days, else within the earliest notice of the catalogue, and those in their days of grace. The one that ends first comes first. `notice` is the last notice that has come: 45, 30, 15 or 1 day before the end, as the catalogue says. Needs the scope `business.policy.read`.
   *
   * `GET /v1/renewals`
   */
  async listRenewals(query: ListRenewalsQuery = {}, options?: CallOptions): Promise<RenewalPage> {
    return (await this.call(LIST_RENEWALS, { query: { ...query }, options })) as RenewalPage;
  }

  /**
   * The records of all pages of listRenewals, fetched as they are needed.
   *
   * `GET /v1/renewals`
   */
  iterateRenewals(
    query: ListRenewalsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<RenewalPage["policies"][number], void, undefined> {
    const records = this.records(LIST_RENEWALS, "policies", { query: { ...query }, options });
    return records as AsyncGenerator<RenewalPage["policies"][number], void, undefined>;
  }

  /**
   * List your requests. What you sent, newest first: the newest 10,000 requests of at most 7 days that came with a good token, each with its route, the status and code of the answer, its length and its id. No bodies, no ids of paths and no queries are kept. A request is here a second after its answer. Needs the scope `business`.
   *
   * `GET /v1/requests`
   */
  async listRequests(query: ListRequestsQuery = {}, options?: CallOptions): Promise<RequestList> {
    return (await this.call(LIST_REQUESTS, { query: { ...query }, options })) as RequestList;
  }

  /**
   * The records of all pages of listRequests, fetched as they are needed.
   *
   * `GET /v1/requests`
   */
  iterateRequests(
    query: ListRequestsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<RequestList["requests"][number], void, undefined> {
    const records = this.records(LIST_REQUESTS, "requests", { query: { ...query }, options });
    return records as AsyncGenerator<RequestList["requests"][number], void, undefined>;
  }

  /**
   * List statements. The partner's own statements of closed months, the newest month first: ten years of them at most. Needs the scope `business.policy.read`.
   *
   * `GET /v1/statements`
   */
  async listStatements(options?: CallOptions): Promise<StatementList> {
    return (await this.call(LIST_STATEMENTS, { options })) as StatementList;
  }

  /**
   * List deliveries. The events of the last 30 days that are or were to be delivered to an endpoint, newest first, each with its latest attempts. Needs the scope `business.webhook`.
   *
   * `GET /v1/webhooks/endpoints/{endpoint_id}/deliveries`
   */
  async listWebhookDeliveries(
    endpointId: string,
    query: ListWebhookDeliveriesQuery = {},
    options?: CallOptions,
  ): Promise<DeliveryList> {
    return (await this.call(LIST_WEBHOOK_DELIVERIES, {
      path: { endpoint_id: endpointId },
      query: { ...query },
      options,
    })) as DeliveryList;
  }

  /**
   * The records of all pages of listWebhookDeliveries, fetched as they are needed.
   *
   * `GET /v1/webhooks/endpoints/{endpoint_id}/deliveries`
   */
  iterateWebhookDeliveries(
    endpointId: string,
    query: ListWebhookDeliveriesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<DeliveryList["deliveries"][number], void, undefined> {
    const records = this.records(LIST_WEBHOOK_DELIVERIES, "deliveries", {
      path: { endpoint_id: endpointId },
      query: { ...query },
      options,
    });
    return records as AsyncGenerator<DeliveryList["deliveries"][number], void, undefined>;
  }

  /**
   * List endpoints. The partner's endpoints, oldest first, with how deliveries to them went of late. Needs the scope `business.webhook`.
   *
   * `GET /v1/webhooks/endpoints`
   */
  async listWebhookEndpoints(options?: CallOptions): Promise<EndpointList> {
    return (await this.call(LIST_WEBHOOK_ENDPOINTS, { options })) as EndpointList;
  }

  /**
   * Make a claim known. The first notice of a loss on one of the partner's policies. The answer has the papers that the claim needs and the day by which the insurer is to have settled it. The same claim again is S4090 and names the first one: a death of the same person on any day, another event of the same person, kind and day, or as the product says. A rejected or withdrawn claim counts no more. A policy, and a partner on a day, have as many claims as the operator set. Needs the scope `business.policy.write`.
   *
   * `POST /v1/claims`
   */
  async makeClaim(body: MakeClaimBody, options?: CallOptions): Promise<ClaimDetail> {
    return (await this.call(MAKE_CLAIM, { body, options })) as ClaimDetail;
  }

  /**
   * Open a session. Opens a session that the quotes of one customer can name, with whatever metadata the partner wants to remember of it. Needs the scope `business.session`.
   *
   * `POST /v1/business/session`
   */
  async openSession(body: OpenSessionBody, options?: CallOptions): Promise<SessionAnswer> {
    return (await this.call(OPEN_SESSION, { body, options })) as SessionAnswer;
  }

  /**
   * Try an endpoint. Has an event `endpoint.ping` sent to this endpoint alone, at most ten times in a minute. Its delivery says what came of it. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints/{endpoint_id}/ping`
   */
  async pingWebhookEndpoint(endpointId: string, options?: CallOptions): Promise<SentShown> {
    return (await this.call(PING_WEBHOOK_ENDPOINT, { path: { endpoint_id: endpointId }, options })) as SentShown;
  }

  /**
   * Quote a cancellation. What would come back if the policy were cancelled today, to the paisa and step by step, each step with the line of the catalogue that it follows. Nothing changes. Needs the scope `business.policy.read`.
   *
   * `POST /v1/policies/{policy_id}/cancellation-quote`
   */
  async quoteCancellation(
    policyId: string,
    body: QuoteCancellationBody,
    options?: CallOptions,
  ): Promise<CancellationQuoteShown> {
    return (await this.call(QUOTE_CANCELLATION, {
      path: { policy_id: policyId },
      body,
      options,
    })) as CancellationQuoteShown;
  }

  /**
   * Quote an endorsement. What it would cost or give back if the policy were changed today: for a date of birth and for less cover the premium is found again by the rates of the day on which it was sold, to the paisa and step by step. Nothing changes. `kind` says what is changed, and one field beside it says to what: `nominees`, `contact`, `name`, `date_of_birth`, `loan_account`, `assignee` or `sum_insured`. Needs the scope `business.policy.read`.
   *
   * `POST /v1/policies/{policy_id}/endorsement-quote`
   */
  async quoteEndorsement(
    policyId: string,
    body: QuoteEndorsementBody,
    options?: CallOptions,
  ): Promise<EndorsementQuoteShown> {
    return (await this.call(QUOTE_ENDORSEMENT, {
      path: { policy_id: policyId },
      body,
      options,
    })) as EndorsementQuoteShown;
  }

  /**
   * Quote a renewal. What the same plan would cost the same people for another term, by the catalogue of today and with their ages of the first day: to the paisa and step by step, with the waiting period that they have served. Nothing changes. `years` is as long as before where it is left out. Needs the scope `business.policy.read`.
   *
   * `POST /v1/policies/{policy_id}/renewal-quote`
   */
  async quoteRenewal(policyId: string, body: QuoteRenewalBody, options?: CallOptions): Promise<RenewalQuoteShown> {
    return (await this.call(QUOTE_RENEWAL, { path: { policy_id: policyId }, body, options })) as RenewalQuoteShown;
  }

  /**
   * Read what can be quoted. The insurers and variants of credit protection that are open to you, with the limits of each, and the riders that can be asked for. `ETag` changes with the catalogue alone: send it as `If-None-Match`, and the answer is 304 while nothing has changed. Needs the scope `business.quote.read`.
   *
   * `GET /v1/embedded/options`
   */
  async readCreditOptions(options?: CallOptions): Promise<CreditOptions> {
    return (await this.call(READ_CREDIT_OPTIONS, { options })) as CreditOptions;
  }

  /**
   * Read what can be recommended. Illnesses, filter tags, sums insured, deductibles, and the insurers and variants of health plans that are open to you, with the limits of each. `ETag` changes with the catalogue alone: send it as `If-None-Match`, and the answer is 304 while nothing has changed. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/options`
   */
  async readHealthOptions(options?: CallOptions): Promise<HealthOptions> {
    return (await this.call(READ_HEALTH_OPTIONS, { options })) as HealthOptions;
  }

  /**
   * Read the clock. For test partners alone. Quotes, covers, premiums, claims and renewals go by this clock; ids, tokens, signed addresses, idempotency keys and the timestamps of deliveries go by the time itself. Needs the scope `business`.
   *
   * `GET /v1/sandbox/clock`
   */
  async readSandboxClock(options?: CallOptions): Promise<SandboxClock> {
    return (await this.call(READ_SANDBOX_CLOCK, { options })) as SandboxClock;
  }

  /**
   * Send what was missed. Sends every event since an instant, at most 14 days ago, that the endpoint asks for and has not taken: 10,000 with one request, the oldest first, behind what happens meanwhile. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints/{endpoint_id}/recover`
   */
  async recoverWebhookDeliveries(
    endpointId: string,
    body: RecoverWebhookDeliveriesBody,
    options?: CallOptions,
  ): Promise<RecoveredShown> {
    return (await this.call(RECOVER_WEBHOOK_DELIVERIES, {
      path: { endpoint_id: endpointId },
      body,
      options,
    })) as RecoveredShown;
  }

  /**
   * Remove the test data. For test partners alone: removes everything that the partner did, and sets its clock to the time. Secrets, tokens and endpoints stay. Where `complete` is false, the same request goes on. Needs the scope `business`.
   *
   * `DELETE /v1/sandbox/data`
   */
  async removeSandboxData(options?: CallOptions): Promise<SandboxDataRemoved> {
    return (await this.call(REMOVE_SANDBOX_DATA, { options })) as SandboxDataRemoved;
  }

  /**
   * Remove an endpoint. Nothing is delivered to it any more, and what became of its deliveries is gone. Needs the scope `business.webhook`.
   *
   * `DELETE /v1/webhooks/endpoints/{endpoint_id}`
   */
  async removeWebhookEndpoint(endpointId: string, options?: CallOptions): Promise<RemoveWebhookEndpointAnswer> {
    return (await this.call(REMOVE_WEBHOOK_ENDPOINT, {
      path: { endpoint_id: endpointId },
      options,
    })) as RemoveWebhookEndpointAnswer;
  }

  /**
   * Renew a policy. Makes a proposal for another term, which `GET /v1/proposals/{proposal_id}` shows like any other: it is decided like the product's other proposals, and its premium is received before the new policy is issued. The policy that it renews is then RENEWED and covers until its own last day. `premium` is the total of the quote: another amount on this day is S4090, and nothing changes. Of a policy one renewal at a time is under way. Needs the scope `business.policy.write`.
   *
   * `POST /v1/policies/{policy_id}/renewal`
   */
  async renewPolicy(policyId: string, body: RenewPolicyBody, options?: CallOptions): Promise<RenewalAnswer> {
    return (await this.call(RENEW_POLICY, { path: { policy_id: policyId }, body, options })) as RenewalAnswer;
  }

  /**
   * Send an event again. Sends an event again to every enabled endpoint that asks for its type, whatever became of it there. Needs the scope `business.webhook`.
   *
   * `POST /v1/events/{event_id}/replay`
   */
  async replayEvent(eventId: string, options?: CallOptions): Promise<ReplayedShown> {
    return (await this.call(REPLAY_EVENT, { path: { event_id: eventId }, options })) as ReplayedShown;
  }

  /**
   * Report a payment of premiums. Reports one payment to the insurer: for one proposal or for many, each with its amount. An amount that is exactly the premium issues the policy of a proposal that was accepted, and lets the others be completed; any other amount is a mismatch that the operator settles. The reference makes it safe to repeat: the same payment again changes nothing and is answered 200. Needs the scope `business.policy.write`.
   *
   * `POST /v1/premiums/receipts`
   */
  async reportReceipt(body: ReportReceiptBody, options?: CallOptions): Promise<ReceiptAnswer> {
    return (await this.call(REPORT_RECEIPT, { body, options })) as ReceiptAnswer;
  }

  /**
   * Send a delivery again. Sends the event again now, whatever became of it, and from there on by the schedule. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry`
   */
  async retryWebhookDelivery(endpointId: string, eventId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return (await this.call(RETRY_WEBHOOK_DELIVERY, {
      path: { endpoint_id: endpointId, event_id: eventId },
      options,
    })) as WebhookDelivery;
  }

  /**
   * Give an endpoint another secret. The answer alone has the new secret. Messages are signed with the one before as well for 24 hours, or as many as `overlap_hours` says, up to 168; 0 ends it at once. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints/{endpoint_id}/rotate`
   */
  async rotateWebhookSecret(
    endpointId: string,
    body: RotateWebhookSecretBody,
    options?: CallOptions,
  ): Promise<EndpointWithSecret> {
    return (await this.call(ROTATE_WEBHOOK_SECRET, {
      path: { endpoint_id: endpointId },
      body,
      options,
    })) as EndpointWithSecret;
  }

  /**
   * Tell what becomes of a claim. For insurers alone: where a claim on a policy of theirs stands now, or that it was paid. Telling the same again changes nothing.
   *
   * `POST /v1/insurers/{insurer_id}/claims/{claim_id}/status`
   */
  async tellClaimStatus(
    insurerId: string,
    claimId: string,
    body: TellClaimStatusBody,
    options?: CallOptions,
  ): Promise<TellClaimStatusAnswer> {
    return (await this.call(TELL_CLAIM_STATUS, {
      path: { insurer_id: insurerId, claim_id: claimId },
      body,
      options,
    })) as TellClaimStatusAnswer;
  }

  /**
   * Tell a decision. For insurers alone: what was decided of a proposal that was handed over. The insurer shows itself as it does when it is asked: by the shared secret as a bearer, or by an HMAC. Telling the same again changes nothing.
   *
   * `POST /v1/insurers/{insurer_id}/decisions`
   */
  async tellDecision(insurerId: string, body: TellDecisionBody, options?: CallOptions): Promise<TellDecisionAnswer> {
    return (await this.call(TELL_DECISION, { path: { insurer_id: insurerId }, body, options })) as TellDecisionAnswer;
  }

  /**
   * Tell a payment. For the operator's payment gateway alone: a customer paid a premium on its page. The body is the gateway's own, and its signature is in the gateway's own header. Telling the same again changes nothing.
   *
   * `POST /v1/payments/callback`
   */
  async tellPayment(options?: CallOptions): Promise<TellPaymentAnswer> {
    return (await this.call(TELL_PAYMENT, { options })) as TellPaymentAnswer;
  }

  /**
   * Tell a receipt. For insurers alone: a payment of premiums that came in, for proposals of their products. The insurer shows itself as it does when it tells a decision. Telling the same again changes nothing.
   *
   * `POST /v1/insurers/{insurer_id}/receipts`
   */
  async tellReceipt(insurerId: string, body: TellReceiptBody, options?: CallOptions): Promise<TellReceiptAnswer> {
    return (await this.call(TELL_RECEIPT, { path: { insurer_id: insurerId }, body, options })) as TellReceiptAnswer;
  }

  /**
   * Update a proposal. Moves the proposal: DRAFT to PENDING or REJECTED, PENDING to COMPLETED or REJECTED. COMPLETED issues the policy. Needs the scope `business.proposal.write`.
   *
   * `PATCH /v1/embedded/proposal/{proposal_id}`
   */
  async updateProposal(proposalId: string, body: UpdateProposalBody, options?: CallOptions): Promise<StateAnswer> {
    return (await this.call(UPDATE_PROPOSAL, { path: { proposal_id: proposalId }, body, options })) as StateAnswer;
  }

  /**
   * Withdraw a claim. Takes a claim back that is neither paid nor refused, for a reason. It is WITHDRAWN for good, takes nothing of the cover, and keeps nobody from cancelling the policy or making the claim again. Needs the scope `business.policy.write`.
   *
   * `POST /v1/claims/{claim_id}/withdrawal`
   */
  async withdrawClaim(claimId: string, body: WithdrawClaimBody, options?: CallOptions): Promise<ClaimDetail> {
    return (await this.call(WITHDRAW_CLAIM, { path: { claim_id: claimId }, body, options })) as ClaimDetail;
  }
}
