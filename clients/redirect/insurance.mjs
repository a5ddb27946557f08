// Opens the hosted journey for a signed-in customer: GET /insurance gets a token, opens a session and answers 303.
// If a call fails, the customer reads when to try again, and your log has the status and the request id.
// Put it behind your own sign-in, take user_id from there, and prevent prefetching: each call uses a token.
// Node 18 or later: node insurance.mjs
// Settings are in the environment: README.md lists them.
import { createServer } from "node:http";
const env = process.env;

async function post(path, body, headers) {
  const answer = await fetch(env.INSURANCE_API + path, { method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers }, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw { name: answer.status, headers: answer.headers };
  return answer.json();
}

createServer(async (request, response) => {
  if (request.method !== "GET" || request.url.split("?")[0] !== "/insurance") return response.writeHead(404).end();
  const user_id = "user-42"; // who is signed in, from your own session
  const answer = (status, text, headers) => response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", ...headers }).end(text);
  try {
    const { access_token } = (await post("/v1/auth/token", { client_id: env.INSURANCE_CLIENT_ID,
      client_secret: env.INSURANCE_CLIENT_SECRET, user_id, scopes: ["business.session"] })).payload;
    const { session_id } = await post("/v1/business/session", {}, { Authorization: `Bearer ${access_token}` });
    // Store session_id with user_id here.
    const query = new URLSearchParams({ session_token: access_token, session_id });
    if (env.INSURANCE_RETURN) query.set("return_url", env.INSURANCE_RETURN);
    answer(303, "", { Location: `${env.INSURANCE_JOURNEY}/health?${query}` });
  } catch ({ name, headers }) {
    console.error(`covernote: ${name}, request ${headers?.get("x-request-id") ?? "-"}`);
    const wait = Number(headers?.get("retry-after")) || 300;
    answer(503, `Insurance cannot be opened now. Please try again in ${Math.ceil(wait / 60)} min.`,
      { "Retry-After": wait });
  }
}).listen(env.PORT ?? 3000, "127.0.0.1");
