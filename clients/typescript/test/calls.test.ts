// Calls against a service that answers by a script: tokens, retries, pages, errors.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ApiError,
  Covernote,
  NoAnswerError,
  type Answered,
  type CovernoteSettings,
  type CreateQuoteBody,
} from "../src/index.js";
import { OPERATIONS } from "../src/generated/operations.js";
import { waitAfter, RETRY } from "../src/retry.js";
import { Transport } from "../src/transport.js";

const QUOTE: CreateQuoteBody = {
  date_of_birth: "15/06/1990",
  gender: "FEMALE",
  cover_amount: "500000.00",
  policy_term: 24,
};

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
}

function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: code, title: "a title", detail: "a detail", instance: "/v1" };
  return answer(status, body, { "x-request-id": "r-1", ...headers });
}

/** What Node's fetch throws. */
function failed(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

/** Answers tokens by itself, and everything else by a script. */
class Service {
  readonly requests: { url: URL; headers: Headers; body: unknown }[] = [];
  readonly waits: number[] = [];
  readonly answered: Answered[] = [];
  tokens = 0;
  /** The scopes of each token. */
  readonly scopes: string[][] = [];
  now = 0;

  constructor(public answers: (Response | Error)[]) {}

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.pathname === "/v1/auth/token") {
      this.tokens += 1;
      this.scopes.push((JSON.parse(String(init.body)) as { scopes: string[] }).scopes);
      return answer(200, { payload: { access_token: `token-${this.tokens}`, expires_in: 3600, token_type: "Bearer" } });
    }
    this.requests.push({ url, headers: new Headers(init.headers), body: init.body });
    const next = this.answers.shift();
    if (next === undefined) throw new Error("the script is over");
    if (next instanceof Error) throw next;
    return next;
  };

  readonly world = {
    fetch: this.fetch,
    clock: (): number => this.now,
    sleep: async (seconds: number): Promise<void> => {
      this.waits.push(seconds);
      this.now += seconds;
    },
    chance: (): number => 1,
  };

  client(settings: Partial<CovernoteSettings> = {}): Covernote {
    const onAnswer = (answered: Answered): void => void this.answered.push(answered);
    return new Covernote(
      { baseUrl: "http://service/", clientId: "id", clientSecret: "secret", onAnswer, ...settings },
      this.world,
    );
  }

  sent(header: string): (string | null)[] {
    return this.requests.map((request) => request.headers.get(header));
  }
}

test("one token serves many calls until shortly before it ends", async () => {
  const service = new Service(Array.from({ length: 5 }, () => answer(200, { events: [] })));
  const client = service.client();
  for (const [now, tokens] of [
    [0, 1],
    [3539, 1],
    [3541, 2],
  ] as const) {
    service.now = now;
    await client.listEvents();
    assert.equal(service.tokens, tokens);
  }
  service.now = 9000;
  await Promise.all([client.listEvents(), client.listEvents()]);
  assert.equal(service.tokens, 3, "calls that need one at once wait for the same one");
});

test("a token that is refused is replaced once", async () => {
  const service = new Service([refusal(401, "A4001"), answer(201, { payload: {} })]);
  const client = service.client({ retry: { attempts: 1 } });
  await client.addWebhookEndpoint({ url: "https://partner.example", types: ["*"] });
  assert.deepEqual(service.sent("authorization"), ["Bearer token-1", "Bearer token-2"]);
  service.answers = [refusal(401, "A4001"), refusal(401, "A4001")];
  await assert.rejects(client.listEvents(), { code: "A4001" });
  assert.deepEqual([service.tokens, service.answers], [3, []]);
});

test("a call has a token with the one scope that it needs", async () => {
  const service = new Service(Array.from({ length: 4 }, () => answer(200, { payload: {}, events: [] })));
  const client = service.client();
  await client.createQuote(QUOTE);
  await client.listEvents();
  await client.listWebhookEndpoints();
  await client.createQuote(QUOTE);
  assert.deepEqual(service.scopes, [["business.quote.write"], ["business.webhook"]]);
  const tokens = ["Bearer token-1", "Bearer token-2", "Bearer token-2", "Bearer token-1"];
  assert.deepEqual(service.sent("authorization"), tokens);
});

test("every operation asks for its scope alone", async () => {
  for (const operation of OPERATIONS) {
    if (operation.id === "generateToken") continue;
    const service = new Service([answer(200, { payload: {} })]);
    const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "1"]));
    const calls = service.client() as unknown as { call: (asked: typeof operation, call: object) => Promise<unknown> };
    await calls.call(operation, { path });
    assert.deepEqual(service.scopes, operation.scope ? [[operation.scope]] : [], operation.id);
  }
});

test("named scopes are those of one token for all calls", async () => {
  const service = new Service(Array.from({ length: 2 }, () => answer(200, { payload: {}, events: [] })));
  const client = service.client({ scopes: ["business.quote.write", "business.webhook"] });
  await client.createQuote(QUOTE);
  await client.listEvents();
  assert.deepEqual(service.scopes, [["business.quote.write", "business.webhook"]]);
});

test("a refused token of one scope leaves the others", async () => {
  const good = (): Response => answer(200, { payload: {}, events: [] });
  const service = new Service([good(), good(), refusal(401, "A4001"), good(), good()]);
  const client = service.client();
  await client.listEvents();
  await client.createQuote(QUOTE);
  await client.createQuote(QUOTE);
  await client.listEvents();
  assert.deepEqual(service.scopes, [["business.webhook"], ["business.quote.write"], ["business.quote.write"]]);
});

test("a token for another request has the scopes that are named", async () => {
  const service = new Service([]);
  const client = service.client();
  assert.equal(await client.accessToken("business.session"), "token-1");
  assert.equal(await client.accessToken("business.session"), "token-1");
  await assert.rejects(client.accessToken(), TypeError);
  const wide = service.client({ scopes: ["business"] });
  assert.deepEqual([await wide.accessToken(), await wide.accessToken("business.session")], ["token-2", "token-3"]);
  assert.deepEqual(service.scopes, [["business.session"], ["business"], ["business.session"]]);
});

test("an insurer's secret stands for the token", async () => {
  const service = new Service([refusal(401, "A4001")]);
  await assert.rejects(service.client().getClaimOfInsurer("ins_1", "clm_1", { bearer: "secret" }), ApiError);
  assert.deepEqual([service.sent("authorization"), service.tokens], [["Bearer secret"], 0]);
});

test("a request with a key is the same request each time", async () => {
  const done = answer(200, { payload: { quote_id: "quo_1" } }, { "idempotency-replayed": "true" });
  const service = new Service([
    refusal(503, "E5030", { "retry-after": "7" }),
    failed("ECONNRESET"),
    answer(502, undefined),
    done,
  ]);
  const quote = await service.client().createQuote(QUOTE);
  assert.equal(quote.quote_id, "quo_1");
  const keys = service.sent("idempotency-key");
  assert.ok(keys[0]);
  assert.equal(new Set(keys).size, 1);
  assert.equal(new Set(service.requests.map((request) => request.body)).size, 1);
  assert.deepEqual(service.waits, [8, 2, 4]);
  const told = service.answered.slice(1).map((one) => [one.status, one.attempt, one.replayed]);
  assert.deepEqual(told, [
    [503, 1, false],
    [502, 3, false],
    [200, 4, true],
  ]);
});

test("a key can be given", async () => {
  const service = new Service([answer(200, { payload: {} })]);
  await service.client().createQuote(QUOTE, { idempotencyKey: "sale-17" });
  assert.deepEqual(service.sent("idempotency-key"), ["sale-17"]);
});

test("a request without a key is not sent again where it may have been done", async () => {
  for (const outcome of [
    failed("ECONNRESET"),
    failed("UND_ERR_SOCKET"),
    refusal(503, "E5030"),
    refusal(500, "E5000"),
  ]) {
    const service = new Service([outcome]);
    await assert.rejects(service.client().pingWebhookEndpoint("whe_1"));
    assert.deepEqual([service.sent("idempotency-key"), service.waits], [[null], []]);
  }
});

test("a request without a key is sent again where it was not done", async () => {
  for (const outcome of [failed("ECONNREFUSED"), refusal(429, "A4290", { "retry-after": "3" })]) {
    const service = new Service([outcome, answer(202, { payload: {} })]);
    await service.client().pingWebhookEndpoint("whe_1");
    assert.equal(service.requests.length, 2);
  }
});

test("what reads is sent again", async () => {
  const service = new Service([failed("ECONNRESET"), answer(200, { payload: {} })]);
  await service.client().quoteCancellation("pol_1", { reason: "FREE_LOOK" });
  assert.deepEqual(service.sent("idempotency-key"), [null, null]);
});

test("a refusal is final", async () => {
  for (const [status, code] of [
    [400, "V4000"],
    [403, "A4030"],
    [404, "R4040"],
    [409, "S4090"],
    [422, "V4220"],
  ] as const) {
    const service = new Service([refusal(status, code)]);
    await assert.rejects(service.client().createQuote(QUOTE), { status, code });
  }
});

test("attempts and time are bounded", async () => {
  let service = new Service(Array.from({ length: 9 }, () => failed("ECONNREFUSED")));
  await assert.rejects(service.client().listEvents(), NoAnswerError);
  assert.deepEqual(service.waits, [1, 2, 4, 8]);
  service = new Service(Array.from({ length: 9 }, () => refusal(503, "E5030", { "retry-after": "25" })));
  await assert.rejects(service.client().listEvents(), { retryAfter: 25 });
  assert.deepEqual(service.waits, [26, 26]);
});

test("waits differ from client to client", () => {
  assert.equal(
    waitAfter(RETRY, 1, 0, undefined, () => 0),
    0.5,
  );
  assert.equal(
    waitAfter(RETRY, 1, 0, undefined, () => 1),
    1,
  );
  assert.equal(
    waitAfter(RETRY, 1, 0, 5, () => 0),
    5,
  );
});

test("a call ends when its signal is aborted", async () => {
  const service = new Service([failed("ECONNRESET")]);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(service.client().listEvents({}, { signal }), { message: "enough" });
  assert.deepEqual(service.waits, []);
});

test("an attempt that takes too long is no answer", async () => {
  const fetch = (_: unknown, init?: RequestInit): Promise<Response> =>
    new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error)));
  const client = new Covernote({
    baseUrl: "http://service",
    clientId: "",
    clientSecret: "",
    retry: { attempts: 1 },
    fetch,
  });
  // The clock of a time limit does not keep a process alive.
  const alive = setTimeout(() => {}, 10_000);
  await assert.rejects(client.isReady({ timeout: 0.01 }), NoAnswerError);
  clearTimeout(alive);
});

test("a refusal has all that the service says", async () => {
  const faults = [{ field: "gender", message: "a message" }];
  const body = { type: "V4000", title: "t", detail: "d", instance: "/i", additional_info: faults };
  const service = new Service([answer(400, body, { "x-request-id": "r-1" })]);
  await assert.rejects(service.client().createQuote(QUOTE), (error: unknown) => {
    assert.ok(error instanceof ApiError);
    const { code, title, detail, instance, requestId, additionalInfo } = error;
    assert.deepEqual(
      [code, title, detail, instance, requestId, additionalInfo],
      ["V4000", "t", "d", "/i", "r-1", faults],
    );
    assert.match(error.message, /gender: a message/);
    return true;
  });
});

test("what stands before the service may refuse in its own words", async () => {
  for (const body of ["<html>", '["no"]', ""]) {
    const service = new Service([new Response(body, { status: 403, statusText: "Forbidden" })]);
    await assert.rejects(service.client().listEvents(), { code: undefined, title: "Forbidden" });
  }
});

test("what is no answer of the service is an error", async () => {
  const elsewhere = new Response(null, { status: 302, headers: { location: "https://login.example" } });
  await assert.rejects(new Service([elsewhere]).client().listEvents(), { name: "ApiError", status: 302 });
  await assert.rejects(new Service([new Response("<html>")]).client().listEvents(), { name: "CovernoteError" });
});

test("pages follow one another with their filter", async () => {
  const service = new Service([
    answer(200, { events: [{ id: "1" }, { id: "2" }], has_next: true, end_cursor: "2" }),
    answer(200, { events: [{ id: "3" }], has_next: false, end_cursor: "3" }),
  ]);
  const ids = [];
  for await (const event of service.client().iterateEvents({ type: "policy.issued", limit: 2 })) ids.push(event.id);
  assert.deepEqual(ids, ["1", "2", "3"]);
  const queries = service.requests.map((request) => request.url.search);
  assert.deepEqual(queries, ["?type=policy.issued&limit=2", "?type=policy.issued&limit=2&next=2"]);
});

test("a recommendation is waited for", async () => {
  const job = (status: string): Response =>
    answer(200, { payload: { status, completed_variants: 1, total_variants: 3 } });
  const service = new Service([job("pending"), job("pending"), job("success")]);
  assert.equal((await service.client().waitForRecommendation("quo_1")).status, "success");
  assert.deepEqual(service.waits, [2, 2]);
  const slow = new Service([job("pending"), job("pending"), job("pending")]);
  await assert.rejects(slow.client().waitForRecommendation("quo_1", 5), /1 of 3 variants/);
  assert.equal(slow.requests.length, 3);
});

test("a path holds any id", async () => {
  const service = new Service([answer(200, { policy: {} })]);
  await service.client().getPolicyLegacy("IGI/2026/00002 ?");
  assert.equal(service.requests[0]?.url.pathname, "/v1/business/health/policies/IGI%2F2026%2F00002%20%3F");
  for (const bad of ["", ".", ".."]) await assert.rejects(service.client().getPolicyLegacy(bad), TypeError);
});

test("bytes come with their name", async () => {
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": 'attachment; filename="certificate-1.pdf"',
  };
  const service = new Service([new Response("%PDF", { headers })]);
  const certificate = await service.client().download("http://service/v1/embedded/policy/x");
  assert.deepEqual(
    [new TextDecoder().decode(certificate.content), certificate.filename],
    ["%PDF", "certificate-1.pdf"],
  );
  assert.deepEqual(service.sent("authorization"), [null]);
});

test("an answer with an ETag is not sent twice", async () => {
  const service = new Service([
    answer(200, { n: 1 }, { etag: '"a"' }),
    answer(304, undefined, { etag: '"a"' }),
    answer(200, { n: 2 }, { etag: '"b"' }),
  ]);
  const settings = {
    baseUrl: "http://service",
    retry: RETRY,
    timeout: 1,
    onAnswer: undefined,
    fetchToken: async () => ({ text: "t", seconds: 60 }),
    scopes: [],
  };
  const transport = new Transport(settings, service.world);
  const reads = {
    id: "x",
    method: "GET",
    path: "/x",
    scope: "business",
    keyed: false,
    safe: true,
    tagged: true,
    gives: "json",
  } as const;
  const answers = [];
  for (let n = 0; n < 3; n += 1) answers.push(await transport.call(reads, {}));
  assert.deepEqual(answers, [{ n: 1 }, { n: 1 }, { n: 2 }]);
  assert.deepEqual(service.sent("if-none-match"), [null, '"a"', '"a"']);
});
