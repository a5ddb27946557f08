// Webhooks: messages are verified as Standard Webhooks 1.0 says, and read as events.

import { SignatureError } from "./errors.js";
import type { WebhookEvent } from "./generated/events.js";

/** Seconds that a message may be older or newer than this machine's clock says. */
export const TOLERANCE = 300;

/** Headers as fetch has them, or as a server of Node has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Instead of {@link TOLERANCE}. */
  readonly tolerance?: number;
  /** Stands for the clock, in seconds since 1970. */
  readonly now?: number;
}

/**
 * The event of a message that was signed with one of these secrets. `body` is the body as it came, byte for byte.
 *
 * @throws {SignatureError} for every other message.
 * @throws {TypeError} for a secret that is none.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  body: string | Uint8Array,
  headers: WebhookHeaders,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = await Promise.all((typeof secret === "string" ? [secret] : secret).map(keyOf));
  const id = header(headers, "webhook-id");
  const sentAt = header(headers, "webhook-timestamp");
  const signatures = signaturesOf(header(headers, "webhook-signature"));
  if (!/^[0-9]{1,15}$/.test(sentAt)) throw new SignatureError("webhook-timestamp is not a number of seconds");
  const now = options.now ?? Date.now() / 1000;
  if (Math.abs(now - Number(sentAt)) > (options.tolerance ?? TOLERANCE)) {
    throw new SignatureError("the message is too old, or from the future");
  }
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${sentAt}.`);
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);
  // WebCrypto compares in constant time. Every pair is compared: how long it takes does not say which one is right.
  const pairs = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed)),
  );
  if (!(await Promise.all(pairs)).includes(true)) {
    throw new SignatureError("no signature of the message is one of these secrets");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content)) as WebhookEvent;
  } catch (fault) {
    throw new SignatureError("the message is signed, but is not JSON", { cause: fault });
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.startsWith("whsec_") ? secret.slice("whsec_".length) : secret);
  if (!bytes?.length) throw new TypeError("a secret is whsec_ and base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === "object" ? value?.[0] : value;
  if (!text) throw new SignatureError(`the header ${name} is missing`);
  return text;
}

/** The signatures of version 1. Others are for receivers that know them. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(" ").flatMap((one) => {
    const bytes = one.startsWith("v1,") ? fromBase64(one.slice("v1,".length)) : undefined;
    return bytes ? [bytes] : [];
  });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
