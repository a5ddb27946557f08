"""Transport: one call is one or more attempts over HTTP, and ends with an answer or an error."""

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from .errors import ApiError, CovernoteError, Fault, NoAnswerError
from .operation import Answered, CallOptions, Download, Operation, Upload
from .retry import Retry, may_send_again
from .token import Scopes, Tokens

#: Answers that are kept to be compared by their ETag.
_MOST_TAGGED = 64

#: The connection was never made, so nothing was sent.
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

QueryValue = str | int | float | bool | None


class Transport:
    """Carries out operations over one pool of connections. Threads may share it."""

    def __init__(
        self,
        http: httpx.Client,
        base_url: str,
        *,
        fetch_token: Callable[[Scopes], tuple[str, float]],
        scopes: Scopes,
        retry: Retry,
        timeout: float,
        on_answer: Callable[[Answered], None] | None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.http = http
        self.base_url = base_url.rstrip("/")
        self.tokens = Tokens(fetch_token, clock)
        self._scopes = scopes
        self._retry = retry
        self._timeout = timeout
        self._on_answer = on_answer
        self._sleep = sleep
        self._clock = clock
        self._chance = chance
        self._tagged: dict[str, tuple[str, bytes]] = {}

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return self._clock()

    def pause(self, seconds: float) -> None:
        """Waits."""
        self._sleep(seconds)

    def call(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, QueryValue],
        body: object,
        options: CallOptions | None,
    ) -> Any:
        """Carries out an operation. What it returns is as ``operation.gives`` says."""
        options = options or CallOptions()
        filled = re.sub(r"\{(\w+)\}", lambda name: _path_segment(path[name[1]]), operation.path)
        headers = dict(options.headers)
        content: bytes | None = None
        if isinstance(body, Upload):
            content, headers["Content-Type"] = body.content, body.media_type
        elif body is not None:
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        if operation.keyed:
            headers["Idempotency-Key"] = options.idempotency_key or str(uuid.uuid4())
        url = httpx.URL(
            self.base_url + filled,
            params={name: _query_text(value) for name, value in query.items() if value is not None},
        )
        known = self._tagged.get(str(url)) if operation.tagged else None
        if known:
            headers["If-None-Match"] = known[0]
        response = self._send(operation, url, headers, content, options)
        if operation.gives == "bytes":
            return download_of(response)
        text = response.content
        if known and response.status_code == 304:
            text = known[1]
        elif operation.tagged and "etag" in response.headers:
            if len(self._tagged) >= _MOST_TAGGED:
                self._tagged.clear()
            self._tagged[str(url)] = (response.headers["etag"], text)
        try:
            answer = json.loads(text) if text else None
        except ValueError as fault:
            raise CovernoteError(
                f"{operation.id}: an answer came that is not JSON, status {response.status_code}"
            ) from fault
        return answer["payload"] if operation.gives == "payload" and answer is not None else answer

    def download(self, url: str, options: CallOptions | None = None) -> Download:
        """Reads an address that an answer has, such as a ``policy_url``. It is its own key: no token is sent along."""
        reads = Operation("download", "GET", "", scope=None, keyed=False, safe=True, tagged=False, gives="bytes")
        options = options or CallOptions()
        return download_of(self._send(reads, httpx.URL(url), dict(options.headers), None, options))

    def _send(
        self,
        operation: Operation,
        url: httpx.URL,
        headers: dict[str, str],
        content: bytes | None,
        options: CallOptions,
    ) -> httpx.Response:
        """Sends a request until it is answered for good, always the same bytes with the same idempotency key."""
        began = self._clock()
        attempt, was_renewed = 1, False
        while True:
            scopes = self._scopes_for(operation, options)
            token = self.tokens.get(scopes) if scopes else options.bearer
            if token is not None:
                headers["Authorization"] = f"Bearer {token}"
            failure: ApiError | NoAnswerError
            try:
                response = self.http.request(
                    operation.method,
                    url,
                    headers=headers,
                    content=content,
                    timeout=self._timeout if options.timeout is None else options.timeout,
                )
            except (httpx.LocalProtocolError, httpx.UnsupportedProtocol):
                raise  # The address or a header is wrong, and stays so.
            except httpx.TransportError as fault:
                status, was_sent, retry_after = None, not isinstance(fault, _NEVER_SENT), None
                failure = NoAnswerError(
                    f"{operation.id}: no answer in {attempt} attempts: {type(fault).__name__}: {fault}"
                )
                failure.__cause__ = fault
            else:
                self._told(operation, response, attempt)
                if response.is_success or response.status_code == 304:
                    return response
                failure = api_error_of(response)
                status, was_sent, retry_after = failure.status, True, failure.retry_after
                if failure.code == "A4001" and scopes and token is not None and not was_renewed:
                    # Refused before it was looked at, so this counts as no attempt, and needs no key.
                    self.tokens.drop(scopes, token)
                    was_renewed = True
                    continue
            repeatable = operation.safe or operation.keyed
            if not may_send_again(repeatable=repeatable, status=status, was_sent=was_sent):
                raise failure
            wait = self._retry.wait(attempt, self._clock() - began, retry_after, self._chance)
            if wait is None:
                raise failure
            self._sleep(wait)
            attempt += 1

    def _scopes_for(self, operation: Operation, options: CallOptions) -> Scopes | None:
        """The scopes of the client's token for a call: its own, or the least. ``None``: it takes none of its tokens."""
        if options.bearer is not None or operation.scope is None:
            return None
        return self._scopes or (operation.scope,)

    def _told(self, operation: Operation, response: httpx.Response, attempt: int) -> None:
        if self._on_answer is not None:
            replayed = response.headers.get("idempotency-replayed") == "true"
            request_id = response.headers.get("x-request-id")
            self._on_answer(
                Answered(operation.id, operation.method, response.status_code, attempt, request_id, replayed)
            )


def api_error_of(response: httpx.Response) -> ApiError:
    """The error of a refused request. What stands before the service may refuse with any body."""
    try:
        body = response.json()
    except ValueError:
        body = None
    said: dict[str, Any] = body if isinstance(body, dict) and isinstance(body.get("type"), str) else {}
    faults = said.get("additional_info") or []
    return ApiError(
        status=response.status_code,
        code=said.get("type"),
        title=str(said.get("title", response.reason_phrase)),
        detail=str(said.get("detail", "")),
        instance=str(said.get("instance", response.request.url.path)),
        additional_info=tuple(Fault(str(one["field"]), str(one["message"])) for one in faults),
        request_id=response.headers.get("x-request-id"),
        retry_after=_seconds(response.headers.get("retry-after")),
    )


def download_of(response: httpx.Response) -> Download:
    """The bytes of a response."""
    named = re.search(r'filename="?([^";]+)', response.headers.get("content-disposition", ""))
    return Download(response.content, response.headers.get("content-type", ""), named[1] if named else None)


def _seconds(retry_after: str | None) -> float | None:
    """The seconds of a Retry-After. The service writes no dates."""
    return float(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None


def _path_segment(value: str) -> str:
    if value in ("", ".", ".."):
        raise ValueError(f"{value!r} cannot stand in a path")
    return quote(value, safe="")


def _query_text(value: QueryValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
