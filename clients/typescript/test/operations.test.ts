// Every operation of the document is reachable. CLIENTS_DOCUMENT names the document: scripts/test_clients makes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { OPERATIONS } from "../src/generated/operations.js";
import { Covernote } from "../src/index.js";

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
}

test("every operation of the document has its method", () => {
  const document = JSON.parse(readFileSync(process.env["CLIENTS_DOCUMENT"] ?? "", "utf8")) as Document;
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]) => `${item.operationId} ${method.toUpperCase()} ${path}`),
  );
  assert.ok(described.length > 50);
  assert.deepEqual(OPERATIONS.map((one) => `${one.id} ${one.method} ${one.path}`).sort(), described.sort());
  const methods = Covernote.prototype as unknown as Record<string, unknown>;
  for (const operation of OPERATIONS) assert.equal(typeof methods[operation.id], "function", operation.id);
});
