"""Client of covernote, the insurance partner service. ``README.md`` shows how to use it."""

from .client import Covernote
from .errors import ApiError, CovernoteError, Fault, NoAnswerError, SignatureError
from .generated.events import WebhookEvent
from .operation import Answered, CallOptions, Download
from .retry import Retry
from .webhook import verify_webhook

__all__ = [
    "Answered",
    "ApiError",
    "CallOptions",
    "Covernote",
    "CovernoteError",
    "Download",
    "Fault",
    "NoAnswerError",
    "Retry",
    "SignatureError",
    "WebhookEvent",
    "verify_webhook",
]
