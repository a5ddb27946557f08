// Retries: how often, after how long, and which requests may be sent again.

/** How a request is sent again. `{ attempts: 1 }` never does. */
export interface Retry {
  /** Most attempts of one call, the first one included: 5. */
  readonly attempts: number;
  /**
   * Seconds that the attempts of one call and the waits between them may take together: 60. An attempt that runs when
   * they are over is not ended.
   */
  readonly total: number;
  /** Seconds before the second attempt, twice as many before each one that follows: 1. */
  readonly firstWait: number;
  /** Most seconds between two attempts, unless the service asks for more: 20. */
  readonly longestWait: number;
}

export const RETRY: Retry = { attempts: 5, total: 60, firstWait: 1, longestWait: 20 };

/** Answers after which the same request may be sent again. 500, 502, 503 and 504 leave open whether it was done. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Seconds to wait after this attempt, counted from 1; undefined to give up. The wait is at least what the service asks
 * for. Without that it is between half and all of a wait that doubles.
 */
export function waitAfter(
  retry: Retry,
  attempt: number,
  spent: number,
  retryAfter: number | undefined,
  chance: () => number = Math.random,
): number | undefined {
  if (attempt >= retry.attempts) return undefined;
  const wait =
    retryAfter === undefined
      ? Math.min(retry.firstWait * 2 ** (attempt - 1), retry.longestWait) * (0.5 + chance() / 2)
      : retryAfter + chance() * Math.min(1, retry.firstWait);
  return spent + wait <= retry.total ? wait : undefined;
}

/**
 * Whether a request may be sent once more after this outcome: a status, or no answer. A request is repeatable if it
 * changes nothing, or has an idempotency key. Any other is sent again only where it certainly was not done: nothing was
 * sent, or the service refused it for its number.
 */
export function maySendAgain(outcome: { repeatable: boolean; status: number | undefined; wasSent: boolean }): boolean {
  const { repeatable, status, wasSent } = outcome;
  if (status === undefined) return repeatable || !wasSent;
  return TRANSIENT.has(status) && (repeatable || status === 429);
}
