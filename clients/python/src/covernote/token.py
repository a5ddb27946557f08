"""Access tokens: one is got when its scopes are needed, and kept until shortly before it ends."""

import threading
import time
from collections.abc import Callable

from .generated.models import Scope

Scopes = tuple[Scope, ...]


class Tokens:
    """Keeps a token for each set of scopes. ``fetch`` gets one: its text, and for how many seconds it is good."""

    def __init__(
        self, fetch: Callable[[Scopes], tuple[str, float]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = threading.Lock()
        self._keepers: dict[Scopes, TokenKeeper] = {}

    def get(self, scopes: Scopes) -> str:
        """A token with these scopes and no others."""
        return self._keeper(scopes).get()

    def drop(self, scopes: Scopes, token: str) -> None:
        """Forgets a token that was refused, unless another one has taken its place."""
        self._keeper(scopes).drop(token)

    def _keeper(self, scopes: Scopes) -> "TokenKeeper":
        with self._lock:
            if scopes not in self._keepers:
                self._keepers[scopes] = TokenKeeper(lambda: self._fetch(scopes), self._clock)
            return self._keepers[scopes]


class TokenKeeper:
    """Keeps a token for all threads that use a client. ``fetch`` gets its text, and for how many seconds it is good."""

    def __init__(self, fetch: Callable[[], tuple[str, float]], clock: Callable[[], float]) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = threading.Lock()
        self._token: str | None = None
        self._ends = 0.0

    def get(self) -> str:
        """A token that is good for a while yet. Threads that need one at once wait for the same one."""
        with self._lock:
            if self._token is None or self._clock() >= self._ends:
                asked_at = self._clock()
                self._token, seconds = self._fetch()
                self._ends = asked_at + seconds - min(60.0, seconds / 10)
            return self._token

    def drop(self, token: str) -> None:
        """Forgets a token that was refused, unless another one has taken its place."""
        with self._lock:
            if self._token == token:
                self._token = None
