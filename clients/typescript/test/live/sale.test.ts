// A sale against a running demo, whose address is in DEMO_URL: scripts/test_clients starts one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Covernote, NoAnswerError, SignatureError, verifyWebhook } from "../../src/index.js";
import type { Answered, CreateProposalBody, Proposer, Scope } from "../../src/index.js";
import { losingProxy, receiver } from "./servers.js";

const BASE_URL = process.env["DEMO_URL"] ?? "";

function partner(baseUrl = BASE_URL, answered: Answered[] = [], scopes: Scope[] = []): Covernote {
  return new Covernote({
    baseUrl,
    clientId: "demo",
    clientSecret: "demo-secret",
    scopes,
    onAnswer: (one) => answered.push(one),
  });
}

/** A proposal for the cheapest recommendation of a new quote. */
async function proposal(client: Covernote, reference: string): Promise<CreateProposalBody> {
  const quote = await client.createQuote({
    date_of_birth: "15/06/1990",
    gender: "FEMALE",
    cover_amount: "500000.00",
    policy_term: 24,
  });
  const [cheapest] = quote.recommendations;
  assert.ok(cheapest && !cheapest.is_error);
  const proposer: Proposer = {
    title: "MS",
    first_name: "Asha",
    last_name: "Rao",
    email: "asha.rao@example.com",
    mobile: "9876543210",
    date_of_birth: "15/06/1990",
    gender: "FEMALE",
    marital_status: "MARRIED",
    nationality: "IND",
    education: "GRADUATE",
    occupation: "SALARIED",
    organization: "PRIVATE_LTD",
    annual_income: "900000",
    address: {
      address_line_1: "12 Lake Road",
      address_line_2: "Indiranagar",
      city: "Bengaluru",
      state: "Karnataka",
      pincode: "560038",
    },
    documents: [{ document_type: "PAN", document_number: "ABCPR1234K" }],
  };
  return {
    quote_id: quote.quote_id,
    recommendation_id: cheapest.recommendation_id,
    status: "SUBMITTED",
    proposer,
    insured_members: [proposer],
    context_data: [{ key: "loan_account_number", values: [reference] }],
  };
}

test("a sale ends with a certificate and a verified webhook", { timeout: 60_000 }, async () => {
  const client = partner();
  const partners = await receiver();
  const reference = `LN-${crypto.randomUUID()}`;
  try {
    const { endpoint_id, secret } = await client.addWebhookEndpoint({
      url: `${partners.url}/hooks`,
      types: ["policy.issued"],
    });
    const { proposal_id, status } = await client.createProposal(await proposal(client, reference));
    assert.equal(status, "PENDING");
    assert.equal((await client.updateProposal(proposal_id, { status: "COMPLETED" })).status, "COMPLETED");
    const { policy_url } = await client.getProposalStatus(proposal_id);
    assert.ok(policy_url);
    const certificate = await client.download(policy_url);
    assert.equal(new TextDecoder().decode(certificate.content.slice(0, 4)), "%PDF");
    assert.match(certificate.filename ?? "", /^certificate-.*\.pdf$/);

    const message = await partners.next();
    const event = await verifyWebhook(secret, message.body, message.headers);
    assert.ok(event.type === "policy.issued");
    assert.equal(event.data.reference, reference);
    const policy = await client.getPolicy(event.data.id);
    assert.equal(policy.policy_number, event.data.number);
    const changed = new TextDecoder().decode(message.body) + " ";
    await assert.rejects(verifyWebhook(secret, changed, message.headers), SignatureError);

    const rotated = await client.rotateWebhookSecret(endpoint_id, {});
    await client.pingWebhookEndpoint(endpoint_id);
    const ping = await partners.next();
    for (const secrets of [secret, rotated.secret, [secret, rotated.secret]]) {
      assert.equal((await verifyWebhook(secrets, ping.body, ping.headers)).type, "endpoint.ping");
    }
    await client.removeWebhookEndpoint(endpoint_id);
  } finally {
    partners.close();
  }
});

test("a proposal whose answers are lost is made once", { timeout: 60_000 }, async () => {
  const proxy = await losingProxy(BASE_URL, "/v1/embedded/proposal", ["busy", "lost"]);
  const answered: Answered[] = [];
  const client = partner(proxy.url, answered);
  const reference = `LN-${crypto.randomUUID()}`;
  try {
    const body = await proposal(client, reference);
    const made = await client.createProposal(body);
    const told = answered
      .filter((one) => one.operation === "createProposal")
      .map((one) => [one.status, one.attempt, one.replayed]);
    assert.deepEqual(told, [
      [503, 1, false],
      [201, 3, true],
    ]);
    const [first, second, third] = proxy.seen;
    assert.ok(first && second && third);
    assert.ok(first.key && first.key === second.key && second.key === third.key);
    assert.ok(second.at - first.at >= 1000, "Retry-After is waited for");
    const found = [];
    for await (const one of client.iterateProposals({ reference })) found.push(one.proposal_id);
    assert.deepEqual(found, [made.proposal_id]);

    // Hours later, with the same key and the same body, it is still the same proposal.
    const idempotencyKey = `sale-${reference}`;
    const earlier = await client.createProposal(body, { idempotencyKey });
    assert.deepEqual(await client.createProposal(body, { idempotencyKey }), earlier);
  } finally {
    proxy.close();
  }
});

test("a request without a key is left to the caller", { timeout: 60_000 }, async () => {
  const proxy = await losingProxy(BASE_URL, "/v1/webhooks/endpoints", ["lost"]);
  const client = partner(proxy.url);
  const url = `https://partner.example/${crypto.randomUUID()}`;
  try {
    await assert.rejects(client.addWebhookEndpoint({ url, types: ["*"] }), NoAnswerError);
    assert.equal(proxy.seen.length, 1);
    const found = (await client.listWebhookEndpoints()).endpoints.filter((one) => one.url === url);
    assert.equal(found.length, 1, "it was added, although its answer was lost");
    for (const { endpoint_id } of found) await client.removeWebhookEndpoint(endpoint_id);
  } finally {
    proxy.close();
  }
});

test("lists are read over all pages", { timeout: 60_000 }, async () => {
  const client = partner();
  const { session_id } = await client.openSession({ metadata: { campaign: "monsoon" } });
  const made = new Set<string>();
  for (let number = 0; number < 5; number += 1) {
    const { quote_id } = await client.generateRecommendation({
      lead_id: `lead-${number}`,
      user_id: "user-42",
      session_id,
      customer: {
        name: "Asha Rao",
        gender: "Female",
        phoneNumber: "9876543210",
        pinCode: "560038",
        email: "asha.rao@example.com",
      },
      members: { self: [{ age: 34 }] },
      hasPED: false,
    });
    made.add(quote_id);
  }
  const quotes: string[] = [];
  for await (const quote of client.iterateQuotes({ session_id, limit: 2 })) quotes.push(quote.quote_id);
  assert.equal(quotes.length, 5);
  assert.deepEqual(new Set(quotes), made);
  const policies = new Set<string>();
  for await (const policy of client.iteratePolicies({ limit: 3 })) {
    policies.add(policy.policy_id);
    if (policies.size === 10) break;
  }
  assert.equal(policies.size, 10);
});

test("a token has the scopes that were asked for and no others", { timeout: 60_000 }, async () => {
  const wanted: Scope[] = ["business.quote.read", "business.session"];
  const claims = (await partner().accessToken(...wanted)).split(".")[1] ?? "";
  const { scope } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { scope: string };
  assert.deepEqual(scope.split(" ").sort(), wanted);
});

test("a client does no more than its scopes allow", { timeout: 60_000 }, async () => {
  const answered: Answered[] = [];
  const client = partner(BASE_URL, answered, ["business.quote.read"]);
  await client.readCreditOptions();
  await assert.rejects(client.listEvents(), { status: 403, code: "A4030", detail: /business\.webhook/ });
  const operations = answered.map((one) => one.operation);
  assert.deepEqual(operations, ["generateToken", "readCreditOptions", "listEvents"]);
});

test("a refusal names every fault", { timeout: 60_000 }, async () => {
  const wrong = { gender: "X", policy_term: 24, cover_amount: "1" } as unknown as Parameters<
    Covernote["createQuote"]
  >[0];
  const refused = (error: { additionalInfo: { field: string }[]; requestId: string }): boolean => {
    assert.deepEqual(error.additionalInfo.map((fault) => fault.field).sort(), [
      "cover_amount",
      "date_of_birth",
      "gender",
    ]);
    return Boolean(error.requestId);
  };
  await assert.rejects(partner().createQuote(wrong), refused);
  const stranger = new Covernote({ baseUrl: BASE_URL, clientId: "demo", clientSecret: "wrong" });
  await assert.rejects(stranger.listEvents(), { code: "A4001", status: 401 });
});
