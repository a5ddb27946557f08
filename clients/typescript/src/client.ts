// The client: every operation of the service, with tokens, retries and pages taken care of.

import { Operations, TOKEN } from "./generated/operations.js";
import type { RecommendationJob } from "./generated/schema.js";
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
  /** Scopes of its tokens: `business`, which stands for all that the operator has enabled, unless named. */
  readonly scopes?: readonly string[];
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

  constructor(settings: CovernoteSettings, world: Partial<World> = {}) {
    super();
    const { clientId, clientSecret, scopes = ["business"], userId } = settings;
    const credentials = {
      client_id: clientId,
      client_secret: clientSecret,
      scopes,
      ...(userId && { user_id: userId }),
    };
    const fetchToken = async (): Promise<FetchedToken> => {
      const token = (await this.#transport.call(TOKEN, { body: credentials })) as {
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
        retry: { ...RETRY, ...settings.retry },
        timeout: settings.timeout ?? TIMEOUT,
        onAnswer: settings.onAnswer,
      },
      this.#world,
    );
  }

  /** The token that the client uses now, for what is not a call of it. */
  accessToken(): Promise<string> {
    return this.#transport.tokens.get();
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
