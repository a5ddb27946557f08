"""The client: every operation of the service, with tokens, retries and pages taken care of."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from .generated.models import RecommendationJob, Scope
from .generated.operations import Operations
from .operation import Answered, CallOptions, Download, Operation
from .retry import Retry
from .token import Scopes
from .transport import QueryValue, Transport

#: Seconds after which an attempt is given up if nothing comes: a little more than the service gives itself.
TIMEOUT = 35.0

#: Seconds between two looks at a recommendation that is not finished.
PAUSE = 2.0


class Covernote(Operations):
    """A partner's client. One serves all threads of a program; close it at the end, or use it in a ``with``.

    ``base_url`` is the service's address. Each call has a token with the one scope that its operation needs; ``scopes``
    names those of one token for all calls instead, which saves requests in a program that starts often. ``http`` is a
    client of httpx to use instead of one of its own, for a proxy or a certificate; whoever made it closes it.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        scopes: Iterable[Scope] = (),
        user_id: str | None = None,
        timeout: float = TIMEOUT,
        retry: Retry | None = None,
        on_answer: Callable[[Answered], None] | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._credentials: dict[str, Any] = {
            "client_id": client_id,
            "client_secret": client_secret,
        }
        self._scopes = tuple(scopes)
        if user_id is not None:
            self._credentials["user_id"] = user_id
        self._is_own = http is None
        self._transport = Transport(
            http or httpx.Client(),
            base_url,
            fetch_token=self._fetch_token,
            scopes=self._scopes,
            retry=retry or Retry(),
            timeout=timeout,
            on_answer=on_answer,
        )

    def access_token(self, *scopes: Scope) -> str:
        """The token that the client keeps for these scopes, for a request of your own. It has no other scopes.

        If you name none, they are the client's. A link to the journey needs a new token: ``generate_token`` gets one.
        """
        wanted = scopes or self._scopes
        if not wanted:
            raise ValueError("the client has no scopes of its own: name those of the token")
        return self._transport.tokens.get(wanted)

    def download(self, url: str, options: CallOptions | None = None) -> Download:
        """Reads an address that an answer has, such as a ``policy_url``. It is its own key: no token is sent along."""
        return self._transport.download(url, options)

    def wait_for_recommendation(
        self, quote_id: str, *, timeout: float = 60.0, options: CallOptions | None = None
    ) -> RecommendationJob:
        """The recommendation, once it is finished.

        Raises ``TimeoutError`` if it is not finished after so many seconds. It goes on: you may ask again.
        """
        end = self._transport.now() + timeout
        while True:
            job = self.get_recommendation(quote_id, options)
            if job["status"] == "success":
                return job
            if self._transport.now() + PAUSE > end:
                done, total = job["completed_variants"], job["total_variants"]
                raise TimeoutError(f"{quote_id} is not finished after {timeout:g} seconds: {done} of {total} variants")
            self._transport.pause(PAUSE)

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _fetch_token(self, scopes: Scopes) -> tuple[str, float]:
        token = self._transport.call(self._TOKEN, {}, {}, {**self._credentials, "scopes": list(scopes)}, None)
        return token["access_token"], float(token["expires_in"])

    def _call(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, QueryValue] = {},
        body: object = None,
        options: CallOptions | None = None,
    ) -> Any:
        return self._transport.call(operation, path, query, body, options)

    def _records(
        self,
        operation: Operation,
        field: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, QueryValue] = {},
        options: CallOptions | None = None,
    ) -> Iterator[Any]:
        """The records of all pages. A cursor is sent with the filter of its list: not every cursor has it."""
        while True:
            page = self._transport.call(operation, path, query, None, options)
            yield from page[field]
            if not page["has_next"]:
                return
            query = {**query, "next": page["end_cursor"]}
