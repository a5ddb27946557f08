// Transport: one call is one or more attempts over HTTP, and ends with an answer or an error.

import { ApiError, CovernoteError, NoAnswerError, type Fault } from "./errors.js";
import type { Scope } from "./generated/schema.js";
import type { Answered, Call, CallOptions, Download, Operation } from "./operation.js";
import { maySendAgain, waitAfter, type Retry } from "./retry.js";
import { Tokens, type FetchedToken } from "./token.js";

/** Answers that are kept to be compared by their ETag. */
const MOST_TAGGED = 64;

/** What Node says where the connection was never made, so that nothing was sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What the world is asked for. Tests give their own. */
export interface World {
  readonly fetch: typeof fetch;
  /** Seconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Waits for seconds, or until a signal aborts. */
  readonly sleep: (seconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A number from 0 to 1. */
  readonly chance: () => number;
}

export interface TransportSettings {
  readonly baseUrl: string;
  readonly fetchToken: (scopes: readonly Scope[]) => Promise<FetchedToken>;
  /** Those of every token; without any, a call has a token with the scope of its operation. */
  readonly scopes: readonly Scope[];
  readonly retry: Retry;
  readonly timeout: number;
  readonly onAnswer: ((answered: Answered) => void) | undefined;
}

/** An answer whose body is here. */
interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Carries out operations. */
export class Transport {
  readonly tokens: Tokens;
  private readonly tagged = new Map<string, { tag: string; content: Uint8Array<ArrayBuffer> }>();

  constructor(
    private readonly settings: TransportSettings,
    private readonly world: World,
  ) {
    this.tokens = new Tokens(settings.fetchToken, world.clock);
  }

  /** Carries out an operation. What it returns is as `operation.gives` says. */
  async call(operation: Operation, call: Call): Promise<unknown> {
    const options = call.options ?? {};
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(call.path?.[name] ?? ""));
    const url = new URL(this.settings.baseUrl.replace(/\/+$/, "") + path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers = new Headers(options.headers);
    let content: string | Uint8Array<ArrayBuffer> | undefined;
    if (call.upload) {
      content = call.upload.content;
      headers.set("Content-Type", call.upload.mediaType);
    } else if (call.body !== undefined) {
      content = JSON.stringify(call.body);
      headers.set("Content-Type", "application/json");
    }
    if (operation.keyed) headers.set("Idempotency-Key", options.idempotencyKey ?? crypto.randomUUID());
    const known = operation.tagged ? this.tagged.get(url.href) : undefined;
    if (known) headers.set("If-None-Match", known.tag);
    const received = await this.send(operation, url, headers, content, options);
    if (operation.gives === "bytes") return downloadOf(received);
    let { content: bytes } = received;
    const tag = received.headers.get("etag");
    if (known && received.status === 304) {
      bytes = known.content;
    } else if (operation.tagged && tag) {
      if (this.tagged.size >= MOST_TAGGED) this.tagged.clear();
      this.tagged.set(url.href, { tag, content: bytes });
    }
    let answer: unknown;
    try {
      answer = bytes.length ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    } catch (fault) {
      const what = `${operation.id}: an answer came that is not JSON, status ${received.status}`;
      throw new CovernoteError(what, { cause: fault });
    }
    return operation.gives === "payload" && isRecord(answer) ? answer["payload"] : answer;
  }

  /** Reads an address that an answer has. It is its own key: no token is sent along. */
  async download(url: string, options: CallOptions = {}): Promise<Download> {
    const reads = {
      id: "download",
      method: "GET",
      path: "",
      scope: undefined,
      keyed: false,
      safe: true,
      tagged: false,
      gives: "bytes",
    } as const;
    return downloadOf(await this.send(reads, new URL(url), new Headers(options.headers), undefined, options));
  }

  /** Sends a request until it is answered for good, always the same bytes with the same idempotency key. */
  private async send(
    operation: Operation,
    url: URL,
    headers: Headers,
    content: string | Uint8Array<ArrayBuffer> | undefined,
    options: CallOptions,
  ): Promise<Received> {
    const began = this.world.clock();
    let wasRenewed = false;
    for (let attempt = 1; ; attempt += 1) {
      const scopes = this.scopesFor(operation, options);
      const token = scopes ? await this.tokens.get(scopes) : options.bearer;
      if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
      let failure: ApiError | NoAnswerError;
      let wasSent = true;
      try {
        const received = await this.attempt(operation, url, headers, content, options);
        this.tell(operation, received, attempt);
        if ((received.status >= 200 && received.status < 300) || received.status === 304) return received;
        const refusal = apiErrorOf(received, url);
        failure = refusal;
        if (refusal.code === "A4001" && scopes && token !== undefined && !wasRenewed) {
          // Refused before it was looked at, so this counts as no attempt, and needs no key.
          this.tokens.drop(scopes, token);
          wasRenewed = true;
          attempt -= 1;
          continue;
        }
      } catch (fault) {
        options.signal?.throwIfAborted();
        const { code, message } = reasonOf(fault);
        wasSent = !NEVER_SENT.has(code);
        failure = new NoAnswerError(`${operation.id}: no answer in ${attempt} attempts: ${message}`, { cause: fault });
      }
      const refusal = failure instanceof ApiError ? failure : undefined;
      const repeatable = operation.safe || operation.keyed;
      if (!maySendAgain({ repeatable, status: refusal?.status, wasSent })) throw failure;
      const spent = this.world.clock() - began;
      const wait = waitAfter(this.settings.retry, attempt, spent, refusal?.retryAfter, this.world.chance);
      if (wait === undefined) throw failure;
      await this.world.sleep(wait, options.signal);
    }
  }

  /** The scopes of the client's token for a call: its own, or the least. Undefined: it takes none of its tokens. */
  private scopesFor(operation: Operation, options: CallOptions): readonly Scope[] | undefined {
    if (options.bearer !== undefined || operation.scope === undefined) return undefined;
    return this.settings.scopes.length > 0 ? this.settings.scopes : [operation.scope];
  }

  private async attempt(
    operation: Operation,
    url: URL,
    headers: Headers,
    content: string | Uint8Array<ArrayBuffer> | undefined,
    options: CallOptions,
  ): Promise<Received> {
    const timeout = AbortSignal.timeout((options.timeout ?? this.settings.timeout) * 1000);
    const response = await this.world.fetch(url, {
      method: operation.method,
      headers,
      body: content ?? null,
      redirect: "manual",
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const { status, statusText } = response;
    return { status, statusText, headers: response.headers, content: new Uint8Array(await response.arrayBuffer()) };
  }

  private tell(operation: Operation, received: Received, attempt: number): void {
    this.settings.onAnswer?.({
      operation: operation.id,
      method: operation.method,
      status: received.status,
      attempt,
      requestId: received.headers.get("x-request-id") ?? undefined,
      replayed: received.headers.get("idempotency-replayed") === "true",
    });
  }
}

/** The error of a refused request. What stands before the service may refuse with any body. */
function apiErrorOf(received: Received, url: URL): ApiError {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(received.content));
  } catch {
    body = undefined;
  }
  const said = isRecord(body) && typeof body["type"] === "string" ? body : {};
  const text = (name: string, otherwise: string): string => (typeof said[name] === "string" ? said[name] : otherwise);
  const retryAfter = received.headers.get("retry-after") ?? "";
  return new ApiError({
    status: received.status,
    code: typeof said["type"] === "string" ? said["type"] : undefined,
    title: text("title", received.statusText),
    detail: text("detail", ""),
    instance: text("instance", url.pathname),
    additionalInfo: Array.isArray(said["additional_info"]) ? (said["additional_info"] as Fault[]) : [],
    requestId: received.headers.get("x-request-id") ?? undefined,
    // The service writes no dates.
    retryAfter: /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  });
}

function downloadOf(received: Received): Download {
  const named = /filename="?([^";]+)/.exec(received.headers.get("content-disposition") ?? "");
  const mediaType = received.headers.get("content-type") ?? "";
  return { content: received.content, mediaType, filename: named?.[1] };
}

/** Node says why a connection failed in the cause of the fault. */
function reasonOf(fault: unknown): { code: unknown; message: string } {
  const cause = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
  const code = isRecord(cause) ? cause["code"] : undefined;
  return { code, message: cause instanceof Error ? cause.message || String(code) : String(cause) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function pathSegment(value: string): string {
  if (value === "" || value === "." || value === "..") throw new TypeError(`"${value}" cannot stand in a path`);
  return encodeURIComponent(value);
}
