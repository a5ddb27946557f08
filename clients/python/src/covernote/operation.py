"""Operations of the document, as the client carries them out. ``generated/operations.py`` has a row for each."""

from dataclasses import dataclass, field
from typing import Literal

from .generated.models import Scope


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    #: Its name in the document.
    id: str
    method: str
    #: Its path, with parameters in braces.
    path: str
    #: The scope that its access token needs. ``None``: it takes no token.
    scope: Scope | None
    #: Whether it takes an idempotency key.
    keyed: bool
    #: Whether doing it twice is as good as doing it once.
    safe: bool
    #: Whether its answer has an ETag, so that an answer that is known need not come again.
    tagged: bool
    #: What its answer is: JSON, the ``payload`` of a JSON object, bytes, or nothing of interest.
    gives: Literal["json", "payload", "bytes"]


@dataclass(frozen=True, slots=True)
class CallOptions:
    """What a single call does otherwise than the client."""

    #: Seconds after which an attempt is given up if nothing comes.
    timeout: float | None = None
    #: The idempotency key, instead of a new one. A program that keeps it can make the same call after a crash.
    idempotency_key: str | None = None
    #: The bearer token, instead of the client's: an insurer's secret, for the operations of insurers.
    bearer: str | None = None
    #: More headers.
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Upload:
    """Bytes to send, with their media type."""

    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Download:
    """Bytes that came, with their media type and the name that the service gives them."""

    content: bytes
    media_type: str
    filename: str | None


@dataclass(frozen=True, slots=True)
class Answered:
    """One attempt that was answered, for logs and metrics. It has no personal data."""

    operation: str
    method: str
    status: int
    #: Which attempt of its call, from 1.
    attempt: int
    #: Names the request in the operator's log.
    request_id: str | None
    #: Whether this is the answer to an earlier request with the same idempotency key.
    replayed: bool
