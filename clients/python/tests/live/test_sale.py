"""A sale against a running demo, whose address is in DEMO_URL: scripts/test_clients starts one."""

import base64
import itertools
import json
import os
import unittest
import uuid
from collections.abc import Iterable

from covernote import Answered, ApiError, CallOptions, Covernote, NoAnswerError, SignatureError, verify_webhook
from covernote.models import CreateProposalBody, Document, Proposer, Scope

from .servers import LosingProxy, Receiver

BASE_URL = os.environ["DEMO_URL"]
PROPOSAL = "/v1/embedded/proposal"


def partner(
    base_url: str = BASE_URL, answered: list[Answered] | None = None, scopes: Iterable[Scope] = ()
) -> Covernote:
    """A client of the demo's partner."""
    on_answer = None if answered is None else answered.append
    return Covernote(base_url, "demo", "demo-secret", on_answer=on_answer, scopes=scopes)


def proposal(client: Covernote, reference: str) -> CreateProposalBody:
    """A proposal for the cheapest recommendation of a new quote."""
    quote = client.create_quote(
        {"date_of_birth": "15/06/1990", "gender": "FEMALE", "cover_amount": "500000.00", "policy_term": 24}
    )
    pan: Document = {"document_type": "PAN", "document_number": "ABCPR1234K"}
    proposer: Proposer = {
        "title": "MS",
        "first_name": "Asha",
        "last_name": "Rao",
        "email": "asha.rao@example.com",
        "mobile": "9876543210",
        "date_of_birth": "15/06/1990",
        "gender": "FEMALE",
        "marital_status": "MARRIED",
        "nationality": "IND",
        "education": "GRADUATE",
        "occupation": "SALARIED",
        "organization": "PRIVATE_LTD",
        "annual_income": "900000",
        "address": {
            "address_line_1": "12 Lake Road",
            "address_line_2": "Indiranagar",
            "city": "Bengaluru",
            "state": "Karnataka",
            "pincode": "560038",
        },
        "documents": [pan],
    }
    return {
        "quote_id": quote["quote_id"],
        "recommendation_id": quote["recommendations"][0]["recommendation_id"],
        "status": "SUBMITTED",
        "proposer": proposer,
        "insured_members": [{**proposer}],
        "context_data": [{"key": "loan_account_number", "values": [reference]}],
    }


class Sale(unittest.TestCase):
    def test_a_sale_ends_with_a_certificate_and_a_verified_webhook(self) -> None:
        reference = f"LN-{uuid.uuid4()}"
        with Receiver() as receiver, partner() as client:
            endpoint = client.add_webhook_endpoint({"url": receiver.url + "/hooks", "types": ["policy.issued"]})
            made = client.create_proposal(proposal(client, reference))
            self.assertEqual(made["status"], "PENDING")
            done = client.update_proposal(made["proposal_id"], {"status": "COMPLETED"})
            self.assertEqual(done["status"], "COMPLETED")
            policy_url = client.get_proposal_status(made["proposal_id"])["policy_url"]
            assert policy_url is not None
            certificate = client.download(policy_url)
            self.assertEqual((certificate.content[:4], certificate.media_type), (b"%PDF", "application/pdf"))
            self.assertRegex(certificate.filename or "", r"^certificate-.*\.pdf$")

            headers, body = receiver.messages.get(timeout=30)
            event = verify_webhook(endpoint["secret"], body, headers)
            assert event["type"] == "policy.issued"
            self.assertEqual(event["data"]["reference"], reference)
            policy = client.get_policy(event["data"]["id"])
            self.assertEqual(policy["policy_number"], event["data"]["number"])
            with self.assertRaises(SignatureError):
                verify_webhook(endpoint["secret"], body + b" ", headers)

            rotated = client.rotate_webhook_secret(endpoint["endpoint_id"], {})
            client.ping_webhook_endpoint(endpoint["endpoint_id"])
            headers, body = receiver.messages.get(timeout=30)
            for secret in (endpoint["secret"], rotated["secret"], [endpoint["secret"], rotated["secret"]]):
                self.assertEqual(verify_webhook(secret, body, headers)["type"], "endpoint.ping")
            client.remove_webhook_endpoint(endpoint["endpoint_id"])

    def test_a_proposal_whose_answers_are_lost_is_made_once(self) -> None:
        reference = f"LN-{uuid.uuid4()}"
        answered: list[Answered] = []
        with LosingProxy(BASE_URL, PROPOSAL, ["busy", "lost"]) as proxy, partner(proxy.url, answered) as client:
            body = proposal(client, reference)
            made = client.create_proposal(body)
            told = [(one.status, one.attempt, one.replayed) for one in answered if one.operation == "createProposal"]
            self.assertEqual(told, [(503, 1, False), (201, 3, True)])
            self.assertEqual(len({one["idempotency-key"] for one in proxy.seen}), 1)
            self.assertGreaterEqual(float(proxy.seen[1]["at"]) - float(proxy.seen[0]["at"]), 1.0)
            found = list(client.iterate_proposals(reference=reference))
            self.assertEqual([one["proposal_id"] for one in found], [made["proposal_id"]])

            # Hours later, with the same key and the same body, it is still the same proposal.
            first = client.create_proposal(body, CallOptions(idempotency_key=f"sale-{reference}"))
            again = client.create_proposal(body, CallOptions(idempotency_key=f"sale-{reference}"))
            self.assertEqual(first, again)

    def test_a_request_without_a_key_is_left_to_the_caller(self) -> None:
        path = "/v1/webhooks/endpoints"
        with LosingProxy(BASE_URL, path, ["lost"]) as proxy, partner(proxy.url) as client:
            url = f"https://partner.example/{uuid.uuid4()}"
            with self.assertRaises(NoAnswerError):
                client.add_webhook_endpoint({"url": url, "types": ["*"]})
            self.assertEqual(len(proxy.seen), 1)
            found = [one for one in client.list_webhook_endpoints()["endpoints"] if one["url"] == url]
            self.assertEqual(len(found), 1, "it was added, although its answer was lost")
            client.remove_webhook_endpoint(found[0]["endpoint_id"])

    def test_lists_are_read_over_all_pages(self) -> None:
        with partner() as client:
            session = client.open_session({"metadata": {"campaign": "monsoon"}})["session_id"]
            made = {
                client.generate_recommendation(
                    {
                        "lead_id": f"lead-{number}",
                        "user_id": "user-42",
                        "session_id": session,
                        "customer": {
                            "name": "Asha Rao",
                            "gender": "Female",
                            "phoneNumber": "9876543210",
                            "pinCode": "560038",
                            "email": "asha.rao@example.com",
                        },
                        "members": {"self": [{"age": 34}]},
                        "hasPED": False,
                    }
                )["quote_id"]
                for number in range(5)
            }
            quotes = [one["quote_id"] for one in client.iterate_quotes(session_id=session, limit=2)]
            self.assertEqual((len(quotes), set(quotes)), (5, made))
            kinds = {one["type"] for one in client.iterate_events(type="recommendation.completed", limit=1)}
            self.assertLessEqual(kinds, {"recommendation.completed"})
            policies = list(itertools.islice(client.iterate_policies(limit=3), 10))
            self.assertEqual(len({one["policy_id"] for one in policies}), 10)

    def test_a_token_has_the_scopes_that_were_asked_for_and_no_others(self) -> None:
        wanted: tuple[Scope, ...] = ("business.quote.read", "business.session")
        with partner() as client:
            claims = client.access_token(*wanted).split(".")[1]
        scopes = json.loads(base64.urlsafe_b64decode(claims + "=="))["scope"]
        self.assertEqual(set(scopes.split()), set(wanted))

    def test_a_client_does_no_more_than_its_scopes_allow(self) -> None:
        answered: list[Answered] = []
        with partner(scopes=["business.quote.read"], answered=answered) as client:
            client.read_credit_options()
            with self.assertRaises(ApiError) as refused:
                client.list_events()
        self.assertEqual((refused.exception.status, refused.exception.code), (403, "A4030"))
        self.assertIn("business.webhook", refused.exception.detail)
        self.assertEqual([one.operation for one in answered], ["generateToken", "readCreditOptions", "listEvents"])

    def test_a_refusal_names_every_fault(self) -> None:
        with partner() as client, self.assertRaises(ApiError) as refused:
            client.create_quote(json.loads('{"gender": "X", "policy_term": 24, "cover_amount": "1"}'))
        error = refused.exception
        self.assertEqual((error.status, error.code, error.instance), (400, "V4000", "/v1/embedded/quote"))
        self.assertEqual({fault.field for fault in error.additional_info}, {"date_of_birth", "gender", "cover_amount"})
        self.assertTrue(error.request_id)
        with Covernote(BASE_URL, "demo", "wrong") as stranger, self.assertRaises(ApiError) as wrong:
            stranger.list_events()
        self.assertEqual(wrong.exception.code, "A4001")
