"""Webhooks: messages are verified as Standard Webhooks 1.0 says, and read as events."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import cast

from .errors import SignatureError
from .generated.events import WebhookEvent

#: Seconds that a message may be older or newer than this machine's clock says.
TOLERANCE = 300

_PREFIX = "whsec_"


def verify_webhook(
    secret: str | Iterable[str],
    body: bytes | str,
    headers: Mapping[str, str],
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a message that was signed with one of these secrets.

    ``body`` is the body as it came, byte for byte. ``now`` stands for the clock, in seconds since 1970.

    Raises :class:`SignatureError` for every other message, and :class:`ValueError` for a secret that is none.
    """
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    given = {name.lower(): value for name, value in headers.items()}
    identity, sent_at, signatures = (
        _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not (sent_at.isascii() and sent_at.isdigit() and len(sent_at) <= 15):
        raise SignatureError("webhook-timestamp is not a number of seconds")
    if abs((time.time() if now is None else now) - int(sent_at)) > tolerance:
        raise SignatureError("the message is too old, or from the future")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{identity}.{sent_at}.".encode() + content
    expected = [hmac.digest(key, signed, hashlib.sha256) for key in keys]
    # Every pair is compared, in constant time: how long it takes does not say which one is right.
    matches = [hmac.compare_digest(one, signature) for signature in _signatures(signatures) for one in expected]
    if not any(matches):
        raise SignatureError("no signature of the message is one of these secrets")
    try:
        event = json.loads(content)
    except ValueError as fault:
        raise SignatureError("the message is signed, but is not JSON") from fault
    return cast(WebhookEvent, event)


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except ValueError as fault:
        raise ValueError("a secret is whsec_ and base64") from fault
    if not key:
        raise ValueError("a secret is whsec_ and base64")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise SignatureError(f"the header {name} is missing")
    return value


def _signatures(header: str) -> list[bytes]:
    """The signatures of version 1. Others are for receivers that know them."""
    found = []
    for one in header.split(" "):
        version, _, text = one.partition(",")
        if version == "v1":
            try:
                found.append(base64.b64decode(text, validate=True))
            except ValueError:
                continue
    return found
