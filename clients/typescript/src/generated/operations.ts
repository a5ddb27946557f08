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
export const REPLACE_PROPOSAL: Operation = {
  id: "replaceProposal",
  method: "PUT",
  path: "/v1/embedded/proposal/{proposal_id}",
  scope: "business.proposal.write",
  keyed: true,
  safe: true,
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
];

/** A method for every operation. The client says how one is carried out. */
export abstract class Operations {
  protected abstract call(operation: Operation, call: Call): Promise<unknown>;

  protected abstract records(operation: Operation, field: string, call: Call): AsyncGenerator<unknown, void, undefined>;

  /**
   * Upload a document of a claim. Uploads a PDF, JPEG or PNG of at most 10 MiB as raw bytes, with its media type. The first bytes must match the media type. The operator limits the number and total size of documents for a claim, a policy and a day. Needs the scope `business.policy.write`.
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
   * Add an endpoint. Adds an endpoint: an address that receives your events of some types, or of all types with `*`. Only this response shows the secret with which messages are signed. You can have at most 10 endpoints with different addresses. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints`
   */
  async addWebhookEndpoint(body: AddWebhookEndpointBody, options?: CallOptions): Promise<EndpointWithSecret> {
    return (await this.call(ADD_WEBHOOK_ENDPOINT, { body, options })) as EndpointWithSecret;
  }

  /**
   * Move the clock forward. Only for test partners. Moves your clock forward by the sum of `days`, `hours`, `minutes` and `seconds`, or to the instant `to`, by at most 400 days at once. Everything that falls due happens before the response: late premiums, renewal reminders, ends of policies and of their days of grace. The clock never goes back, but removing the test data resets it to real time. Needs the scope `business`.
   *
   * `POST /v1/sandbox/clock`
   */
  async advanceSandboxClock(body: AdvanceSandboxClockBody, options?: CallOptions): Promise<SandboxClockAdvanced> {
    return (await this.call(ADVANCE_SANDBOX_CLOCK, { body, options })) as SandboxClockAdvanced;
  }

  /**
   * Cancel a policy. Requests the cancellation of the policy as of today. If the operator or the insurer decides the product's proposals, the policy is CANCELLATION_REQUESTED and still covers until they confirm or refuse. Otherwise it is CANCELLED at once. `refund` is the total of the quote. If the refund has changed since the quote, the response is S4090 and nothing changes. The insurer pays the refund to the insured. Needs the scope `business.policy.write`.
   *
   * `POST /v1/policies/{policy_id}/cancellation`
   */
  async cancelPolicy(policyId: string, body: CancelPolicyBody, options?: CallOptions): Promise<CancellationAnswer> {
    return (await this.call(CANCEL_POLICY, { path: { policy_id: policyId }, body, options })) as CancellationAnswer;
  }

  /**
   * Change an endpoint. Changes the fields that you send. An endpoint that is enabled again gets the events that were waiting. To send events that happened while it was disabled, use `POST /v1/webhooks/endpoints/{endpoint_id}/recover`. Needs the scope `business.webhook`.
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
   * Create a proposal. Makes a proposal from an item of a quote. The status DRAFT only saves the proposal. SUBMITTED submits it. Needs the scope `business.proposal.write`.
   *
   * `POST /v1/embedded/proposal`
   */
  async createProposal(body: CreateProposalBody, options?: CallOptions): Promise<StateAnswer> {
    return (await this.call(CREATE_PROPOSAL, { body, options })) as StateAnswer;
  }

  /**
   * Create a quote. Prices every credit-protection variant that you can sell. A variant without a price is an item with `is_error` true and a sentence in `error_message`. The status is 200 even if no variant has a price. Needs the scope `business.quote.write`.
   *
   * `POST /v1/embedded/quote`
   */
  async createQuote(body: CreateQuoteBody, options?: CallOptions): Promise<QuoteAnswer> {
    return (await this.call(CREATE_QUOTE, { body, options })) as QuoteAnswer;
  }

  /**
   * Decide a claim. Only for test partners. Changes the status of a claim, as its insurer would. APPROVED needs `approved_amount`. REJECTED and REPUDIATED need a `reason`. PAID pays the amount that is owed on the day of your clock. Needs the scope `business`.
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
   * Decide a cancellation or endorsement. Only for test partners. Confirms or refuses the requested cancellation of a policy, as the insurer or the operator would. If no cancellation is requested, decides the policy's waiting endorsement. Confirming an endorsement also pays its charge. Needs the scope `business`.
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
   * Decide a proposal. Only for test partners. Decides a submitted proposal, as its insurer or the operator would. An accepted proposal waits until its premium is received. Needs the scope `business`.
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
   * Download a certificate. Downloads the certificate at a `policy_url`. The address includes the permission: no bearer token is needed.
   *
   * `GET /v1/embedded/policy/{address}`
   */
  async downloadCertificate(address: string, options?: CallOptions): Promise<Download> {
    return (await this.call(DOWNLOAD_CERTIFICATE, { path: { address }, options })) as Download;
  }

  /**
   * Download a file of a statement. Downloads the file at a `url` of a statement, as an attachment. The address includes the permission: no bearer token is needed.
   *
   * `GET /v1/statements/files/{address}`
   */
  async downloadStatement(address: string, options?: CallOptions): Promise<Download> {
    return (await this.call(DOWNLOAD_STATEMENT, { path: { address }, options })) as Download;
  }

  /**
   * Endorse a policy. Changes the policy as quoted. If nobody must confirm the change and nothing must be paid, it is MADE at once, with a new certificate. Otherwise it is REQUESTED, and the policy stays unchanged until the operator or the insurer confirms. `charge` and `refund` are the totals of the quote; leave out zeros. If they have changed since the quote, the response is S4090 and nothing changes. A policy can have only one REQUESTED endorsement at a time. Needs the scope `business.policy.write`.
   *
   * `POST /v1/policies/{policy_id}/endorsement`
   */
  async endorsePolicy(policyId: string, body: EndorsePolicyBody, options?: CallOptions): Promise<EndorsementAnswer> {
    return (await this.call(ENDORSE_POLICY, { path: { policy_id: policyId }, body, options })) as EndorsementAnswer;
  }

  /**
   * Send an event. Only for test partners. Sends an event of this type about an invented record. The event is listed and signed like a real event, and delivered to every endpoint that subscribes to its type. For `endpoint.ping`, use `POST /v1/webhooks/endpoints/{endpoint_id}/ping`. Needs the scope `business`.
   *
   * `POST /v1/sandbox/webhooks/fire`
   */
  async fireSandboxEvent(body: FireSandboxEventBody, options?: CallOptions): Promise<SandboxEventFired> {
    return (await this.call(FIRE_SANDBOX_EVENT, { body, options })) as SandboxEventFired;
  }

  /**
   * Generate a recommendation. Starts a job that prices every health variant of this plan type and ranks the offers. The response has the job's id. Read the result with this id every 2 to 3 seconds, until the job ends. Needs the scope `business.quote.write`.
   *
   * `POST /v1/business/health/recommendation`
   */
  async generateRecommendation(body: GenerateRecommendationBody, options?: CallOptions): Promise<JobAnswer> {
    return (await this.call(GENERATE_RECOMMENDATION, { body, options })) as JobAnswer;
  }

  /**
   * Generate a token. Exchanges your credentials for a bearer token that is valid for an hour. You get at most 100 tokens in any 60 minutes, unless the operator set another limit.
   *
   * `POST /v1/auth/token`
   */
  async generateToken(body: GenerateTokenBody, options?: CallOptions): Promise<TokenAnswer> {
    return (await this.call(TOKEN, { body, options })) as TokenAnswer;
  }

  /**
   * Get a claim. Returns a claim: its status, the reported facts, needed and uploaded documents, the day by which the insurer must settle it, the payment, and every status change. Needs the scope `business.policy.read`.
   *
   * `GET /v1/claims/{claim_id}`
   */
  async getClaim(claimId: string, options?: CallOptions): Promise<ClaimDetail> {
    return (await this.call(GET_CLAIM, { path: { claim_id: claimId }, options })) as ClaimDetail;
  }

  /**
   * Download a document of a claim. Returns the uploaded bytes of the document as an attachment. Needs the scope `business.policy.read`.
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
   * Download a document of a claim on your own policy. Only for insurers. Returns the uploaded bytes of the document as an attachment.
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
   * Get a claim on your own policy. Only for insurers. Returns the status, cover and documents of a claim on one of your policies. Authenticate as for `POST /v1/insurers/{insurer_id}/decisions`.
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
   * Get an event. Returns one event of the last 30 days, as it was delivered. Needs the scope `business.webhook`.
   *
   * `GET /v1/events/{event_id}`
   */
  async getEvent(eventId: string, options?: CallOptions): Promise<Event> {
    return (await this.call(GET_EVENT, { path: { event_id: eventId }, options })) as Event;
  }

  /**
   * Get a policy. Returns a policy with all its data: status, cover, insured people, premium, addresses of documents with a new address of the certificate, endorsements, cancellation, and what you can do next. Needs the scope `business.policy.read`.
   *
   * `GET /v1/policies/{policy_id}`
   */
  async getPolicy(policyId: string, options?: CallOptions): Promise<PolicyDetail> {
    return (await this.call(GET_POLICY, { path: { policy_id: policyId }, options })) as PolicyDetail;
  }

  /**
   * Get a health policy (deprecated). Only for partners that the operator marked as existing users. The id is this service's policy id, or the insurer's policy number, which can have any characters. Needs the scope `business`.
   *
   * `GET /v1/business/health/policies/{policy_id}`
   * @deprecated
   */
  async getPolicyLegacy(policyId: string, options?: CallOptions): Promise<PolicyAnswer> {
    return (await this.call(GET_POLICY_LEGACY, { path: { policy_id: policyId }, options })) as PolicyAnswer;
  }

  /**
   * Get a proposal. Returns a proposal of either line of business: its status, the missing steps and who must take them, the policy once it exists, and every status change. Needs the scope `business.policy.read`.
   *
   * `GET /v1/proposals/{proposal_id}`
   */
  async getProposal(proposalId: string, options?: CallOptions): Promise<ProposalDetail> {
    return (await this.call(GET_PROPOSAL, { path: { proposal_id: proposalId }, options })) as ProposalDetail;
  }

  /**
   * Get a health proposal (deprecated). Only for partners that the operator marked as existing users. Returns a health proposal. Needs the scope `business.proposal.read`.
   *
   * `GET /v1/business/health/proposals/{proposal_id}`
   * @deprecated
   */
  async getProposalLegacy(proposalId: string, options?: CallOptions): Promise<ProposalAnswer> {
    return (await this.call(GET_PROPOSAL_LEGACY, { path: { proposal_id: proposalId }, options })) as ProposalAnswer;
  }

  /**
   * Get a proposal's status. Returns the status of a proposal. A COMPLETED proposal has a download address of its certificate, valid for 10 minutes. Needs the scope `business.proposal.read`.
   *
   * `GET /v1/embedded/proposal/{proposal_id}/status`
   */
  async getProposalStatus(proposalId: string, options?: CallOptions): Promise<ViewAnswer> {
    return (await this.call(GET_PROPOSAL_STATUS, { path: { proposal_id: proposalId }, options })) as ViewAnswer;
  }

  /**
   * Get a health quote. Returns a health quote with the results of its job so far. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/quotes/{quote_id}`
   */
  async getQuote(quoteId: string, options?: CallOptions): Promise<StoredQuoteAnswer> {
    return (await this.call(GET_QUOTE, { path: { quote_id: quoteId }, options })) as StoredQuoteAnswer;
  }

  /**
   * Get a recommendation. Returns the progress of the job: `completed_variants` of `total_variants`. If the status is `success`, the response has the offers, best first. If there is any offer, exactly one is recommended. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/recommendation/{quote_id}`
   */
  async getRecommendation(quoteId: string, options?: CallOptions): Promise<RecommendationJob> {
    return (await this.call(GET_RECOMMENDATION, { path: { quote_id: quoteId }, options })) as RecommendationJob;
  }

  /**
   * Get a statement. Returns a statement with its totals, and a download address of each file. The addresses work for 10 minutes. Needs the scope `business.policy.read`.
   *
   * `GET /v1/statements/{statement_id}`
   */
  async getStatement(statementId: string, options?: CallOptions): Promise<StatementDetail> {
    return (await this.call(GET_STATEMENT, { path: { statement_id: statementId }, options })) as StatementDetail;
  }

  /**
   * Get an endpoint. Returns an endpoint with its number of failed delivery attempts. Needs the scope `business.webhook`.
   *
   * `GET /v1/webhooks/endpoints/{endpoint_id}`
   */
  async getWebhookEndpoint(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return (await this.call(GET_WEBHOOK_ENDPOINT, { path: { endpoint_id: endpointId }, options })) as WebhookEndpoint;
  }

  /**
   * Is the process alive?. Returns 200 as long as the process can answer.
   *
   * `GET /livez`
   */
  async isAlive(options?: CallOptions): Promise<Alive> {
    return (await this.call(IS_ALIVE, { options })) as Alive;
  }

  /**
   * Should the process get requests?. Checks that the database can be used and that the process is not stopping.
   *
   * `GET /readyz`
   */
  async isReady(options?: CallOptions): Promise<Ready> {
    return (await this.call(IS_READY, { options })) as Ready;
  }

  /**
   * List claims. Lists your claims by the day on which they were reported, newest first. Filter by days, or by the session of their policies. Without a filter, it lists all claims. Needs the scope `business.policy.read`.
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
   * List events. Lists the events of your quotes, proposals, policies, claims and statements in the last 30 days, newest first. Filter by type, by subject or by time. Needs the scope `business.webhook`.
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
   * List policies. Lists your policies of both lines of business by day of issue, newest first. Filter by days and status, by session, or by reference. Without a filter, it lists all policies. Needs the scope `business.policy.read`.
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
   * List health policies (deprecated). Only for partners that the operator marked as existing users. Lists your health policies by day of issue, newest first. The parameters are those of the list of health quotes. Without a filter, it lists all policies. Needs the scope `business`.
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
   * List proposals. Lists your proposals of both lines of business by day of creation, newest first. Filter by days, by session, or by reference: a filter is required. Each proposal has its status, the missing steps and who must take them, and the policy once it exists. Needs the scope `business.policy.read`.
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
   * List health proposals (deprecated). Only for partners that the operator marked as existing users. Lists your health proposals, newest first. The parameters are those of the list of health quotes. Needs the scope `business.proposal.read`.
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
   * List the public keys. Lists the public keys that verify access tokens. You need them only if you check tokens yourself.
   *
   * `GET /.well-known/jwks.json`
   */
  async listPublicKeys(options?: CallOptions): Promise<KeySet> {
    return (await this.call(LIST_PUBLIC_KEYS, { options })) as KeySet;
  }

  /**
   * List health quotes. Lists your health quotes, newest first. Filter by session, or by at most eight days in Asia/Kolkata: a filter is required. Send a page's `end_cursor` as `next` to get the following page, its `start_cursor` as `prev` to go back. A cursor includes the filter of its list. Needs the scope `business.quote.read`.
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
   * List policies to renew. Lists your health policies that can be renewed, now or later, and are neither renewed nor cancelled. The policy that ends first comes first. Filter by last day of cover. Without a filter, it lists policies whose first reminder is due, and policies in their days of grace. `notice` is the latest reminder that is due: usually 45, 30, 15 or 1 day before the end of cover. Needs the scope `business.policy.read`.
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
   * List your requests. Lists your authenticated requests of the last 7 days, at most 10,000, newest first. Each request has its route, status, error code, duration and id. Bodies, ids in paths and queries are not stored. A request is listed one second after its response. Needs the scope `business`.
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
   * List statements. Lists your statements of closed months, newest month first, of at most the last ten years. Needs the scope `business.policy.read`.
   *
   * `GET /v1/statements`
   */
  async listStatements(options?: CallOptions): Promise<StatementList> {
    return (await this.call(LIST_STATEMENTS, { options })) as StatementList;
  }

  /**
   * List deliveries. Lists the events of the last 30 days for an endpoint, newest first, each with its latest delivery attempts. Needs the scope `business.webhook`.
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
   * List endpoints. Lists your endpoints, oldest first, each with its number of failed delivery attempts. Needs the scope `business.webhook`.
   *
   * `GET /v1/webhooks/endpoints`
   */
  async listWebhookEndpoints(options?: CallOptions): Promise<EndpointList> {
    return (await this.call(LIST_WEBHOOK_ENDPOINTS, { options })) as EndpointList;
  }

  /**
   * Report a claim. Reports a loss on one of your policies. The response lists the documents that the claim needs, and the day by which the insurer must settle the claim. If the same claim was already reported, the error S4090 names that claim. Unless the product has another rule, a claim is the same if person, kind and day are the same; for a death, if the person is the same. Rejected and withdrawn claims do not count. The operator limits the number of claims on a policy and in a day. Needs the scope `business.policy.write`.
   *
   * `POST /v1/claims`
   */
  async makeClaim(body: MakeClaimBody, options?: CallOptions): Promise<ClaimDetail> {
    return (await this.call(MAKE_CLAIM, { body, options })) as ClaimDetail;
  }

  /**
   * Open a session. Opens a session that groups the quotes of one customer. `metadata` can have any texts that you want to store with the session. Needs the scope `business.session`.
   *
   * `POST /v1/business/session`
   */
  async openSession(body: OpenSessionBody, options?: CallOptions): Promise<SessionAnswer> {
    return (await this.call(OPEN_SESSION, { body, options })) as SessionAnswer;
  }

  /**
   * Test an endpoint. Sends an event `endpoint.ping` to this endpoint only, at most ten times in a minute. The list of deliveries shows the result. Needs the scope `business.webhook`.
   *
   * `POST /v1/webhooks/endpoints/{endpoint_id}/ping`
   */
  async pingWebhookEndpoint(endpointId: string, options?: CallOptions): Promise<SentShown> {
    return (await this.call(PING_WEBHOOK_ENDPOINT, { path: { endpoint_id: endpointId }, options })) as SentShown;
  }

  /**
   * Quote a cancellation. Returns the refund if the policy were cancelled today, to the paisa. Each step of the calculation names the catalogue line with its rule. Changes nothing. Needs the scope `business.policy.read`.
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
   * Quote an endorsement. Returns the charge or refund if the policy were changed today. Changes nothing. For a new date of birth or a lower sum insured, the premium is calculated again by the rates of the day of sale, to the paisa and step by step. `kind` says what to change. One more field has the new value: `nominees`, `contact`, `name`, `date_of_birth`, `loan_account`, `assignee` or `sum_insured`. Needs the scope `business.policy.read`.
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
   * Quote a renewal. Returns the premium of the same plan for the same people for another term. The premium is exact to the paisa, and uses today's rates and the ages on the first day of the renewal. The response has every step of the calculation, and says how much of the waiting period is over. Changes nothing. Without `years`, the term is as before. Needs the scope `business.policy.read`.
   *
   * `POST /v1/policies/{policy_id}/renewal-quote`
   */
  async quoteRenewal(policyId: string, body: QuoteRenewalBody, options?: CallOptions): Promise<RenewalQuoteShown> {
    return (await this.call(QUOTE_RENEWAL, { path: { policy_id: policyId }, body, options })) as RenewalQuoteShown;
  }

  /**
   * Read the options of quotes. Returns the insurers and credit-protection variants that you can sell, with their limits. `ETag` changes only with the catalogue. Send it as `If-None-Match`: the response is 304 until the options change. Needs the scope `business.quote.read`.
   *
   * `GET /v1/embedded/options`
   */
  async readCreditOptions(options?: CallOptions): Promise<CreditOptions> {
    return (await this.call(READ_CREDIT_OPTIONS, { options })) as CreditOptions;
  }

  /**
   * Read the options of recommendations. Returns illnesses, filter tags, sums insured and deductibles, and the insurers and health variants that you can sell, with their limits. `ETag` changes only with the catalogue. Send it as `If-None-Match`: the response is 304 until the options change. Needs the scope `business.quote.read`.
   *
   * `GET /v1/business/health/options`
   */
  async readHealthOptions(options?: CallOptions): Promise<HealthOptions> {
    return (await this.call(READ_HEALTH_OPTIONS, { options })) as HealthOptions;
  }

  /**
   * Read the clock. Only for test partners. Returns your clock. Quotes, covers, premiums, claims and renewals use this clock. Ids, tokens, signed addresses, idempotency keys and timestamps of deliveries use real time. Needs the scope `business`.
   *
   * `GET /v1/sandbox/clock`
   */
  async readSandboxClock(options?: CallOptions): Promise<SandboxClock> {
    return (await this.call(READ_SANDBOX_CLOCK, { options })) as SandboxClock;
  }

  /**
   * Send missed events. Sends all events since the instant `since` that the endpoint subscribes to and has not accepted. `since` is at most 14 days ago. One request sends at most 10,000 events, oldest first. New events are sent before them. Needs the scope `business.webhook`.
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
   * Remove the test data. Only for test partners. Removes all your test data, and resets your clock to real time. Secrets, tokens and endpoints stay. If `complete` is false, send the request again. Needs the scope `business`.
   *
   * `DELETE /v1/sandbox/data`
   */
  async removeSandboxData(options?: CallOptions): Promise<SandboxDataRemoved> {
    return (await this.call(REMOVE_SANDBOX_DATA, { options })) as SandboxDataRemoved;
  }

  /**
   * Remove an endpoint. Removes an endpoint and the history of its deliveries. The endpoint gets no more events. Needs the scope `business.webhook`.
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
   * Renew a policy. Makes a proposal for another term. Read the proposal with `GET /v1/proposals/{proposal_id}`. The proposal is decided like the product's other proposals. The new policy is issued after acceptance and receipt of the premium. The old policy is then RENEWED and covers until its last day. `premium` is the total of the quote. If the premium has changed since the quote, the response is S4090 and nothing changes. A policy can have only one open renewal. Needs the scope `business.policy.write`.
   *
   * `POST /v1/policies/{policy_id}/renewal`
   */
  async renewPolicy(policyId: string, body: RenewPolicyBody, options?: CallOptions): Promise<RenewalAnswer> {
    return (await this.call(RENEW_POLICY, { path: { policy_id: policyId }, body, options })) as RenewalAnswer;
  }

  /**
   * Replace a draft. Replaces a proposal that has the status DRAFT. The body is that of a new proposal. SUBMITTED also submits it. Needs the scope `business.proposal.write`.
   *
   * `PUT /v1/embedded/proposal/{proposal_id}`
   */
  async replaceProposal(proposalId: string, body: ReplaceProposalBody, options?: CallOptions): Promise<StateAnswer> {
    return (await this.call(REPLACE_PROPOSAL, { path: { proposal_id: proposalId }, body, options })) as StateAnswer;
  }

  /**
   * Send an event again. Sends an event again to every enabled endpoint that subscribes to its type, whatever its delivery status. Needs the scope `business.webhook`.
   *
   * `POST /v1/events/{event_id}/replay`
   */
  async replayEvent(eventId: string, options?: CallOptions): Promise<ReplayedShown> {
    return (await this.call(REPLAY_EVENT, { path: { event_id: eventId }, options })) as ReplayedShown;
  }

  /**
   * Report a payment of premiums. Reports one payment that you made to the insurer, for one or many proposals, each with its amount. If the amount is exactly the premium, an accepted proposal gets its policy, and an undecided one can be completed. Any other amount is a mismatch, which the operator settles. Repeating the payment with the same reference changes nothing and returns 200. Needs the scope `business.policy.write`.
   *
   * `POST /v1/premiums/receipts`
   */
  async reportReceipt(body: ReportReceiptBody, options?: CallOptions): Promise<ReceiptAnswer> {
    return (await this.call(REPORT_RECEIPT, { body, options })) as ReceiptAnswer;
  }

  /**
   * Send a delivery again. Sends the event to the endpoint again now, whatever its delivery status. If the attempt fails, the usual retry schedule follows. Needs the scope `business.webhook`.
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
   * Rotate an endpoint's secret. Gives the endpoint a new secret, which only this response shows. For `overlap_hours`, messages are also signed with the old secret: 24 hours by default, at most 168. With 0, the old secret stops at once. Needs the scope `business.webhook`.
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
   * Report the status of a claim. Only for insurers. Reports the status or the payment of a claim on one of your policies. Repeating the report changes nothing.
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
   * Report a decision. Only for insurers. Reports your decision on a proposal that was sent to you. Authenticate as this service does when it calls you: with the shared secret as bearer token, or with an HMAC signature. Repeating the report changes nothing.
   *
   * `POST /v1/insurers/{insurer_id}/decisions`
   */
  async tellDecision(insurerId: string, body: TellDecisionBody, options?: CallOptions): Promise<TellDecisionAnswer> {
    return (await this.call(TELL_DECISION, { path: { insurer_id: insurerId }, body, options })) as TellDecisionAnswer;
  }

  /**
   * Report a customer's payment. Only for the operator's payment gateway. Reports that a customer paid a premium on the gateway's page. The body and the signature header have the gateway's own format. Repeating the report changes nothing.
   *
   * `POST /v1/payments/callback`
   */
  async tellPayment(options?: CallOptions): Promise<TellPaymentAnswer> {
    return (await this.call(TELL_PAYMENT, { options })) as TellPaymentAnswer;
  }

  /**
   * Report a receipt. Only for insurers. Reports a received payment of premiums for proposals of your products. Authenticate as for `POST /v1/insurers/{insurer_id}/decisions`. Repeating the report changes nothing.
   *
   * `POST /v1/insurers/{insurer_id}/receipts`
   */
  async tellReceipt(insurerId: string, body: TellReceiptBody, options?: CallOptions): Promise<TellReceiptAnswer> {
    return (await this.call(TELL_RECEIPT, { path: { insurer_id: insurerId }, body, options })) as TellReceiptAnswer;
  }

  /**
   * Update a proposal. Changes the status of a proposal: DRAFT to PENDING or REJECTED, PENDING to COMPLETED or REJECTED. COMPLETED issues the policy. Needs the scope `business.proposal.write`.
   *
   * `PATCH /v1/embedded/proposal/{proposal_id}`
   */
  async updateProposal(proposalId: string, body: UpdateProposalBody, options?: CallOptions): Promise<StateAnswer> {
    return (await this.call(UPDATE_PROPOSAL, { path: { proposal_id: proposalId }, body, options })) as StateAnswer;
  }

  /**
   * Withdraw a claim. Withdraws a claim that is neither paid nor refused. A reason is required. The claim then stays WITHDRAWN and uses no cover. Afterwards, you can cancel the policy or report the claim again. Needs the scope `business.policy.write`.
   *
   * `POST /v1/claims/{claim_id}/withdrawal`
   */
  async withdrawClaim(claimId: string, body: WithdrawClaimBody, options?: CallOptions): Promise<ClaimDetail> {
    return (await this.call(WITHDRAW_CLAIM, { path: { claim_id: claimId }, body, options })) as ClaimDetail;
  }
}
