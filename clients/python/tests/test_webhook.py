"""Messages that are taken as webhooks, and those that are refused."""

import base64
import hashlib
import hmac
import unittest

from covernote import SignatureError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 32).decode()
BODY = '{"id":"evt_1","type":"policy.issued","data":{"reference":"ऋण-००१"}}'.encode()
NOW = 1_795_000_000


def signed(secret: str = SECRET, body: bytes = BODY, sent_at: str = str(NOW), identity: str = "evt_1") -> str:
    """A signature as the service makes it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{identity}.{sent_at}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()


def headers(signature: str, sent_at: str = str(NOW)) -> dict[str, str]:
    """The headers of a message."""
    return {"Webhook-Id": "evt_1", "webhook-timestamp": sent_at, "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def is_refused(self, given: dict[str, str], body: bytes = BODY, secret: str = SECRET) -> None:
        with self.assertRaises(SignatureError):
            verify_webhook(secret, body, given, now=NOW)

    def test_a_signed_message_is_an_event(self) -> None:
        event = verify_webhook(SECRET, BODY, headers(signed()), now=NOW)
        self.assertEqual((event["id"], event["type"]), ("evt_1", "policy.issued"))

    def test_a_known_signature_is_taken(self) -> None:
        # Computed with openssl, not with this library.
        body = b'{"test": 2432232314}'
        signature = "v1,9o7UeFkn1GjVbcY4emAJruJCYqgH2EIf8u/slvVRBZI="
        given = {"webhook-id": "msg_1", "webhook-timestamp": "1614265330", "webhook-signature": signature}
        verify_webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body, given, now=1614265330)

    def test_one_good_signature_of_several_is_enough(self) -> None:
        signatures = f"v1a,abc v1,%%% {signed(OTHER)} {signed()}"
        verify_webhook(SECRET, BODY, headers(signatures), now=NOW)
        verify_webhook([OTHER, SECRET], BODY, headers(signed()), now=NOW)
        self.is_refused(headers(signed(OTHER)))

    def test_a_changed_message_is_refused(self) -> None:
        self.is_refused(headers(signed()), body=BODY + b" ")
        self.is_refused(headers(signed()) | {"Webhook-Id": "evt_2"})
        self.is_refused(headers(signed()) | {"webhook-timestamp": str(NOW + 1)})
        self.is_refused(headers("v2" + signed()[2:]))

    def test_five_minutes_are_the_limit(self) -> None:
        for seconds in (300, -300):
            sent_at = str(NOW - seconds)
            verify_webhook(SECRET, BODY, headers(signed(sent_at=sent_at), sent_at), now=NOW)
        for seconds in (301, -301):
            sent_at = str(NOW - seconds)
            self.is_refused(headers(signed(sent_at=sent_at), sent_at))

    def test_what_is_no_message_is_refused(self) -> None:
        for name in ("Webhook-Id", "webhook-timestamp", "webhook-signature"):
            given = headers(signed())
            del given[name]
            self.is_refused(given)
        for sent_at in ("", "x", "-1", "1e9", "9" * 400):
            self.is_refused(headers(signed(sent_at=sent_at), sent_at))
        self.is_refused(headers(signed(body=b"no JSON")), body=b"no JSON")
        self.is_refused(headers(signed(body=b"\xff")), body=b"\xff")

    def test_a_secret_that_is_none_is_a_mistake_of_the_program(self) -> None:
        for secret in ("", "whsec_", "whsec_%%%", "whsec_ऋ"):
            with self.assertRaises(ValueError):
                verify_webhook(secret, BODY, headers(signed()), now=NOW)
