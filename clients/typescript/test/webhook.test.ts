// Messages that are taken as webhooks, and those that are refused.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";

import { SignatureError, verifyWebhook } from "../src/index.js";

const SECRET = `whsec_${Buffer.alloc(32, "k").toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, "o").toString("base64")}`;
const BODY = '{"id":"evt_1","type":"policy.issued","data":{"reference":"ऋण-००१"}}';
const NOW = 1_795_000_000;

function signed(secret = SECRET, body: string | Uint8Array = BODY, sentAt = String(NOW)): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`evt_1.${sentAt}.`).update(body).digest("base64")}`;
}

function headers(signature: string, sentAt = String(NOW)): Record<string, string> {
  return { "Webhook-Id": "evt_1", "webhook-timestamp": sentAt, "webhook-signature": signature };
}

async function isRefused(given: Record<string, string>, body: string | Uint8Array = BODY): Promise<void> {
  await assert.rejects(verifyWebhook(SECRET, body, given, { now: NOW }), SignatureError);
}

test("a signed message is an event", async () => {
  for (const given of [headers(signed()), new Headers(headers(signed()))]) {
    for (const body of [BODY, new TextEncoder().encode(BODY)]) {
      const event = await verifyWebhook(SECRET, body, given, { now: NOW });
      assert.deepEqual([event.id, event.type], ["evt_1", "policy.issued"]);
    }
  }
});

test("a known signature is taken", async () => {
  // Computed with openssl, not with this library.
  const given = {
    "webhook-id": "msg_1",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,9o7UeFkn1GjVbcY4emAJruJCYqgH2EIf8u/slvVRBZI=",
  };
  await verifyWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"test": 2432232314}', given, { now: 1614265330 });
});

test("one good signature of several is enough", async () => {
  const several = `v1a,abc v1,%%% ${signed(OTHER)} ${signed()}`;
  await verifyWebhook(SECRET, BODY, headers(several), { now: NOW });
  await verifyWebhook([OTHER, SECRET], BODY, headers(signed()), { now: NOW });
  await isRefused(headers(signed(OTHER)));
});

test("a changed message is refused", async () => {
  await isRefused(headers(signed()), `${BODY} `);
  await isRefused({ ...headers(signed()), "Webhook-Id": "evt_2" });
  await isRefused({ ...headers(signed()), "webhook-timestamp": String(NOW + 1) });
  await isRefused(headers(`v2${signed().slice(2)}`));
});

test("five minutes are the limit", async () => {
  for (const seconds of [300, -300]) {
    const sentAt = String(NOW - seconds);
    await verifyWebhook(SECRET, BODY, headers(signed(SECRET, BODY, sentAt), sentAt), { now: NOW });
  }
  for (const seconds of [301, -301]) {
    const sentAt = String(NOW - seconds);
    await isRefused(headers(signed(SECRET, BODY, sentAt), sentAt));
  }
});

test("what is no message is refused", async () => {
  for (const name of ["Webhook-Id", "webhook-timestamp", "webhook-signature"]) {
    const given = headers(signed());
    delete given[name];
    await isRefused(given);
  }
  for (const sentAt of ["", "x", "-1", "1e9", "9".repeat(400)]) {
    await isRefused(headers(signed(SECRET, BODY, sentAt), sentAt));
  }
  await isRefused(headers(signed(SECRET, "no JSON")), "no JSON");
  const noText = Uint8Array.of(255);
  await isRefused(headers(signed(SECRET, noText)), noText);
});

test("a secret that is none is a mistake of the program", async () => {
  for (const secret of ["", "whsec_", "whsec_%%%", "whsec_ऋ"]) {
    await assert.rejects(verifyWebhook(secret, BODY, headers(signed()), { now: NOW }), TypeError);
  }
});
