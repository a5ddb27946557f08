// Client of covernote, the insurance partner service. README.md shows how to use it.

export { Covernote, type CovernoteSettings } from "./client.js";
export { ApiError, CovernoteError, NoAnswerError, SignatureError, type Fault } from "./errors.js";
export type { Answered, CallOptions, Download, Upload } from "./operation.js";
export type { Retry } from "./retry.js";
export { TOLERANCE, verifyWebhook, type VerifyOptions, type WebhookHeaders } from "./webhook.js";
export type * from "./generated/schema.js";
