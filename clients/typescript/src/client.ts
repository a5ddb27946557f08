// The client: every operation of the service, with tokens, retries and pages taken care of.

import { Operations, TOKEN } from "./generated/operations.js";
import type { RecommendationJob, Scope } from "./generated/schema.js";
import type { Answered, Call, CallOptions, Download, Operation } from "./operation.js";
import { RETRY, type Retry } from "./retry.js";
import { Transport, type World } from "./transport.js";
import type { FetchedToken } from "./token.js";

/** Seconds that one attempt may take: a little more than the service gives itself. */
const TIMEOUT = 35;

/** Seconds between two looks at a recommendation that is not finished. */
const PAUSE = 2;

export interface CovernoteSettings {
  /** The service's address. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * The scopes of one token for all calls, which saves requests in a program that starts often. Without them, each call has
   * a token with the one scope that its operation needs.
   */
  readonly scopes?: readonly Scope[];
  /** The end user for whom its tokens are. */
  readonly userId?: string;
  /** Seconds that one attempt may take: 35. */
  readonly timeout?: number;
  readonly retry?: Partial<Retry>;
  /** Is told of every answer, for logs and metrics. */
  readonly onAnswer?: (answered: Answered) => void;
  /** Instead of the global one, for a proxy or a certificate. */
  readonly fetch?: typeof fetch;
}

/** A partner's client. One serves a whole program. */
export class Covernote extends Operations {
  readonly #transport: Transport;
  readonly #world: World;
  readonly #scopes: readonly Scope[];

  constructor(settings: CovernoteSettings, world: Partial<World> = {}) {
    super();
    const { clientId, clientSecret, scopes = [], userId } = settings;
    this.#scopes = scopes;
    const credentials = {
      client_id: clientId,
      client_secret: clientSecret,
      ...(userId && { user_id: userId }),
    };
    const fetchToken = async (wanted: readonly Scope[]): Promise<FetchedToken> => {
      const token = (await this.#transport.call(TOKEN, { body: { ...credentials, scopes: wanted } })) as {
        access_token: string;
        expires_in: number;
      };
      return { text: token.access_token, seconds: token.expires_in };
    };
    this.#world = {
      fetch: settings.fetch ?? ((...asked) => fetch(...asked)),
      clock,
      sleep,
      chance: Math.random,
      ...world,
    };
    this.#transport = new Transport(
      {
        baseUrl: settings.baseUrl,
        fetchToken,
        scopes,
        retry: { ...RETRY, ...settings.retry },
        timeout: settings.timeout ?? TIMEOUT,
        onAnswer: settings.onAnswer,
      },
      this.#world,
    );
  }

  /**
   * The token that the client keeps for these scopes, for a request of your own. It has no other scopes. If you name none,
   * they are the client's. A link to the journey needs a new token: `generateToken` gets one.
   */
  async accessToken(...scopes: Scope[]): Promise<string> {
    const wanted = scopes.length > 0 ? scopes : this.#scopes;
    if (wanted.length === 0) throw new TypeError("the client has no scopes of its own: name those of the token");
    return this.#transport.tokens.get(wanted);
  }

  /** Reads an address that an answer has, such as a `policy_url`. It is its own key: no token is sent along. */
  download(url: string, options?: CallOptions): Promise<Download> {
    return this.#transport.download(url, options);
  }

  /**
   * The recommendation, once it is finished. Fails if it is not finished after `timeout` seconds (60): it goes on, and you
   * may ask again.
   */
  async waitForRecommendation(quoteId: string, timeout = 60, options: CallOptions = {}): Promise<RecommendationJob> {
    const { clock, sleep } = this.#world;
    const end = clock() + timeout;
    for (;;) {
      const job = await this.getRecommendation(quoteId, options);
      if (job.status === "success") return job;
      if (clock() + PAUSE > end) {
        const done = `${job.completed_variants} of ${job.total_variants} variants`;
        throw new Error(`${quoteId} is not finished after ${timeout} seconds: ${done}`);
      }
      await sleep(PAUSE, options.signal);
    }
  }

  protected override call(operation: Operation, call: Call): Promise<unknown> {
    return this.#transport.call(operation, call);
  }

  /** The records of all pages. A cursor is sent with the filter of its list: not every cursor has it. */
  protected override async *records(
    operation: Operation,
    field: string,
    call: Call,
  ): AsyncGenerator<unknown, void, undefined> {
    let query = call.query;
    for (;;) {
      const page = (await this.#transport.call(operation, { ...call, query })) as Record<string, unknown>;
      yield* page[field] as unknown[];
      if (!page["has_next"]) return;
      query = { ...query, next: page["end_cursor"] as string };
    }
  }
}

function clock(): number {
  return performance.now() / 1000;
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
