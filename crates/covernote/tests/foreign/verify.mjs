// Verifies messages with the library of Standard Webhooks, as a partner's server in JavaScript does.
// Same input and output as verify.py.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Webhook, WebhookVerificationError } = createRequire(import.meta.url)("standardwebhooks");
const { headers, body, taken_by, refused_by } = JSON.parse(readFileSync(0, "utf8"));

function takes(secret, body, headers) {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (fault) {
    if (fault instanceof WebhookVerificationError) return false;
    throw fault;
  }
}

function must(holds, what) {
  if (!holds) {
    console.error(what);
    process.exit(1);
  }
}

for (const secret of taken_by) {
  must(takes(secret, body, headers), "a message is refused that is signed with its secret");
  must(!takes(secret, body + " ", headers), "a changed body is taken");
  must(!takes(secret, body, { ...headers, "webhook-id": "evt_other" }), "another id is taken");
}
for (const secret of refused_by) {
  must(!takes(secret, body, headers), "a message is taken that is not signed with its secret");
}
