// Errors: what a call of the client may end with instead of an answer.

/** Every error of this client. */
export class CovernoteError extends Error {
  override name = "CovernoteError";
}

/** No answer came: the connection failed or the time was over. The request may have been done all the same. */
export class NoAnswerError extends CovernoteError {
  override name = "NoAnswerError";
}

/** A message is not a webhook of the service: refuse it. */
export class SignatureError extends CovernoteError {
  override name = "SignatureError";
}

/** A fault of a request, at its field. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** What is known of a refusal. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** The code to decide by, such as `V4000`; undefined where something before the service answered. */
  readonly code: string | undefined;
  /** What the code means, for people. */
  readonly title: string;
  /** What is wrong with this request, for people; may be empty. */
  readonly detail: string;
  /** Path of the request. */
  readonly instance: string;
  /** Every fault of the request, where the code is V4000. */
  readonly additionalInfo: readonly Fault[];
  /** Names the request in the operator's log. Log it. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined;
}

/** The service refused a request, or could not do it. */
export class ApiError extends CovernoteError implements Refusal {
  override name = "ApiError";
  readonly status: number;
  readonly code: string | undefined;
  readonly title: string;
  readonly detail: string;
  readonly instance: string;
  readonly additionalInfo: readonly Fault[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal) {
    const faults = refusal.additionalInfo.map((fault) => `\n  ${fault.field}: ${fault.message}`).join("");
    const named = refusal.requestId ? ` (request ${refusal.requestId})` : "";
    super(`${refusal.status} ${refusal.code ?? ""} ${refusal.title}: ${refusal.detail}${named}${faults}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.title = refusal.title;
    this.detail = refusal.detail;
    this.instance = refusal.instance;
    this.additionalInfo = refusal.additionalInfo;
    this.requestId = refusal.requestId;
    this.retryAfter = refusal.retryAfter;
  }
}
