// Operations of the document, as the client carries them out. generated/operations.ts has a row for each.

import type { Scope } from "./generated/schema.js";

/** One operation. */
export interface Operation {
  /** Its name in the document. */
  readonly id: string;
  readonly method: string;
  /** Its path, with parameters in braces. */
  readonly path: string;
  /** The scope that its access token needs. Undefined: it takes no token. */
  readonly scope: Scope | undefined;
  /** Whether it takes an idempotency key. */
  readonly keyed: boolean;
  /** Whether doing it twice is as good as doing it once. */
  readonly safe: boolean;
  /** Whether its answer has an ETag, so that an answer that is known need not come again. */
  readonly tagged: boolean;
  /** What its answer is: JSON, the `payload` of a JSON object, or bytes. */
  readonly gives: "json" | "payload" | "bytes";
}

/** What a single call does otherwise than the client. */
export interface CallOptions {
  /** Seconds that one attempt may take. */
  readonly timeout?: number;
  /** The idempotency key, instead of a new one. A program that keeps it can make the same call after a crash. */
  readonly idempotencyKey?: string;
  /** The bearer token, instead of the client's: an insurer's secret, for the operations of insurers. */
  readonly bearer?: string;
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Bytes to send, with their media type. */
export interface Upload<MediaType extends string = string> {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: MediaType;
}

/** Bytes that came, with their media type and the name that the service gives them. */
export interface Download {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  readonly filename: string | undefined;
}

/** One attempt that was answered, for logs and metrics. It has no personal data. */
export interface Answered {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Which attempt of its call, from 1. */
  readonly attempt: number;
  /** Names the request in the operator's log. */
  readonly requestId: string | undefined;
  /** Whether this is the answer to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

export type QueryValue = string | number | boolean | null | undefined;

/** What a call has beside its operation. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly upload?: Upload;
  readonly options?: CallOptions | undefined;
}
