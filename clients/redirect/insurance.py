# Opens the hosted journey for a signed-in customer: GET /insurance gets a token, opens a session and answers 303.
# If a call fails, the customer reads when to try again, and your log has the status and the request id.
# Put it behind your own sign-in, take user_id from there, and prevent prefetching: each call uses a token.
# Python 3.9 or later: python3 insurance.py
# Settings are in the environment: README.md lists them.
import json, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import environ as env

def post(path, body, **headers):
    headers["Content-Type"] = "application/json"
    request = urllib.request.Request(env["INSURANCE_API"] + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)

class Insurance(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.split("?")[0] != "/insurance": return self.send_error(404)
        user_id = "user-42"  # who is signed in, from your own session
        try:
            who = {"client_id": env["INSURANCE_CLIENT_ID"], "client_secret": env["INSURANCE_CLIENT_SECRET"]}
            token = post("/v1/auth/token", {**who, "user_id": user_id, "scopes": ["business.session"]})
            token = token["payload"]["access_token"]
            session_id = post("/v1/business/session", {}, Authorization=f"Bearer {token}")["session_id"]
            # Store session_id with user_id here.
            query = {"session_token": token, "session_id": session_id, "return_url": env.get("INSURANCE_RETURN")}
            query = urllib.parse.urlencode({name: value for name, value in query.items() if value})
            status, text, extra = 303, "", ("Location", f"{env['INSURANCE_JOURNEY']}/health?{query}")
        except Exception as fault:
            code, headers = getattr(fault, "code", type(fault).__name__), getattr(fault, "headers", {})
            self.log_error("covernote: %s, request %s", code, headers.get("X-Request-Id", "-"))
            wait = int(headers["Retry-After"]) if headers.get("Retry-After", "").isdigit() else 300
            status, extra = 503, ("Retry-After", wait)
            text = f"Insurance cannot be opened now. Please try again in {-(-wait // 60)} min."
        self.send_response(status)
        for name, value in (extra, ("Content-Type", "text/plain; charset=utf-8"),
                            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

ThreadingHTTPServer(("127.0.0.1", int(env.get("PORT", "3000"))), Insurance).serve_forever()
