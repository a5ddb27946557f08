"""Errors: what a call of the client may end with instead of an answer."""

from dataclasses import dataclass


class CovernoteError(Exception):
    """Every error of this client."""


class NoAnswerError(CovernoteError):
    """No answer came: the connection failed or the time was over. The request may have been done all the same."""


class SignatureError(CovernoteError):
    """A message is not a webhook of the service: refuse it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a request, at its field."""

    field: str
    message: str


class ApiError(CovernoteError):
    """The service refused a request, or could not do it."""

    def __init__(
        self,
        *,
        status: int,
        code: str | None,
        title: str,
        detail: str,
        instance: str,
        additional_info: tuple[Fault, ...],
        request_id: str | None,
        retry_after: float | None,
    ) -> None:
        #: HTTP status.
        self.status = status
        #: The code to decide by, such as ``V4000``; ``None`` where something before the service answered.
        self.code = code
        #: What the code means, for people.
        self.title = title
        #: What is wrong with this request, for people; may be empty.
        self.detail = detail
        #: Path of the request.
        self.instance = instance
        #: Every fault of the request, where the code is V4000.
        self.additional_info = additional_info
        #: Names the request in the operator's log. Log it.
        self.request_id = request_id
        #: Seconds after which to try again, where the service says so.
        self.retry_after = retry_after
        faults = "".join(f"\n  {fault.field}: {fault.message}" for fault in additional_info)
        named = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status} {code or ''} {title}: {detail}{named}{faults}")
