// Access tokens: one is got when its scopes are needed, and kept until shortly before it ends.

import type { Scope } from "./generated/schema.js";

/** A token, and for how many seconds it is good. */
export interface FetchedToken {
  readonly text: string;
  readonly seconds: number;
}

/** Keeps a token for each set of scopes. */
export class Tokens {
  private readonly keepers = new Map<string, TokenKeeper>();

  constructor(
    private readonly fetchToken: (scopes: readonly Scope[]) => Promise<FetchedToken>,
    private readonly clock: () => number,
  ) {}

  /** A token with these scopes and no others. */
  get(scopes: readonly Scope[]): Promise<string> {
    return this.keeper(scopes).get();
  }

  /** Forgets a token that was refused, unless another one has taken its place. */
  drop(scopes: readonly Scope[], token: string): void {
    this.keeper(scopes).drop(token);
  }

  private keeper(scopes: readonly Scope[]): TokenKeeper {
    const key = scopes.join(" ");
    let keeper = this.keepers.get(key);
    if (!keeper) this.keepers.set(key, (keeper = new TokenKeeper(() => this.fetchToken(scopes), this.clock)));
    return keeper;
  }
}

/** Keeps a token. Calls that need one at once wait for the same one. */
class TokenKeeper {
  private kept: { text: string; ends: number } | undefined;
  private coming: Promise<string> | undefined;

  constructor(
    private readonly fetchToken: () => Promise<FetchedToken>,
    private readonly clock: () => number,
  ) {}

  /** A token that is good for a while yet. */
  get(): Promise<string> {
    if (this.kept && this.clock() < this.kept.ends) return Promise.resolve(this.kept.text);
    this.coming ??= this.renew().finally(() => {
      this.coming = undefined;
    });
    return this.coming;
  }

  /** Forgets a token that was refused, unless another one has taken its place. */
  drop(token: string): void {
    if (this.kept?.text === token) this.kept = undefined;
  }

  private async renew(): Promise<string> {
    const askedAt = this.clock();
    const { text, seconds } = await this.fetchToken();
    this.kept = { text, ends: askedAt + seconds - Math.min(60, seconds / 10) };
    return text;
  }
}
