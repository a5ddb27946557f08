// Access tokens: one is got when it is needed, and kept until shortly before it ends.

/** A token, and for how many seconds it is good. */
export interface FetchedToken {
  readonly text: string;
  readonly seconds: number;
}

/** Keeps a token. Calls that need one at once wait for the same one. */
export class TokenKeeper {
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
