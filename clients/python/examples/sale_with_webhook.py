"""From credentials to a verified webhook, against `cargo run -- serve --demo`."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from covernote import Covernote, verify_webhook
from covernote.models import Proposer

BASE_URL = os.environ.get("DEMO_URL", "http://127.0.0.1:8080")
messages: list[tuple[dict[str, str], bytes]] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        messages.append((dict(self.headers), self.rfile.read(length)))
        self.send_response(204)
        self.end_headers()


server = HTTPServer(("127.0.0.1", 0), Receiver)
arrival = Thread(target=server.handle_request, daemon=True)  # One message is enough.
arrival.start()

with server, Covernote(BASE_URL, "demo-test", "demo-test-secret") as client:
    hooks = f"http://127.0.0.1:{server.server_port}/hooks"
    endpoint = client.add_webhook_endpoint({"url": hooks, "types": ["policy.issued"]})
    # fmt: off
    quote = client.create_quote({
        "date_of_birth": "15/06/1990", "gender": "FEMALE",
        "cover_amount": "500000.00", "policy_term": 24,
    })
    proposer: Proposer = {
        "title": "MS", "first_name": "Asha", "last_name": "Rao",
        "date_of_birth": "15/06/1990", "gender": "FEMALE", "marital_status": "MARRIED",
        "email": "asha.rao@example.com", "mobile": "9876543210", "nationality": "IND",
        "education": "GRADUATE", "occupation": "SALARIED",
        "organization": "PRIVATE_LTD", "annual_income": "900000",
        "address": {
            "address_line_1": "12 Lake Road", "address_line_2": "Indiranagar",
            "city": "Bengaluru", "state": "Karnataka", "pincode": "560038",
        },
        "documents": [{"document_type": "PAN", "document_number": "ABCPR1234K"}],
    }
    proposal = client.create_proposal({
        "quote_id": quote["quote_id"],
        "recommendation_id": quote["recommendations"][0]["recommendation_id"],
        "status": "SUBMITTED", "proposer": proposer, "insured_members": [{**proposer}],
    })
    # fmt: on
    client.update_proposal(proposal["proposal_id"], {"status": "COMPLETED"})

    arrival.join(timeout=30)
    headers, body = messages[0]
    event = verify_webhook(endpoint["secret"], body, headers)
    assert event["type"] == "policy.issued"
    print("verified:", event["type"], event["data"]["number"], event["data"]["premium"])
    client.remove_webhook_endpoint(endpoint["endpoint_id"])
