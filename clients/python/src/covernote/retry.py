"""Retries: how often, after how long, and which requests may be sent again."""

import random
from collections.abc import Callable
from dataclasses import dataclass

#: Answers after which the same request may be sent again. 500, 502, 503 and 504 leave open whether it was done.
TRANSIENT = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Retry:
    """How a request is sent again. ``Retry(attempts=1)`` never does."""

    #: Most attempts of one call, the first one included.
    attempts: int = 5
    #: Seconds that the attempts of one call and the waits between them may take together. An attempt that runs when
    #: they are over is not ended.
    total: float = 60.0
    #: Seconds before the second attempt; twice as many before each one that follows.
    first_wait: float = 1.0
    #: Most seconds between two attempts, unless the service asks for more.
    longest_wait: float = 20.0

    def wait(
        self,
        attempt: int,
        spent: float,
        retry_after: float | None,
        chance: Callable[[], float] = random.random,
    ) -> float | None:
        """Seconds to wait after this attempt, counted from 1; ``None`` to give up.

        The wait is at least what the service asks for. Without that it is between half and all of a wait that doubles.
        """
        if attempt >= self.attempts:
            return None
        if retry_after is None:
            wait = min(self.first_wait * 2 ** (attempt - 1), self.longest_wait) * (0.5 + chance() / 2)
        else:
            wait = retry_after + chance() * min(1.0, self.first_wait)
        return wait if spent + wait <= self.total else None


def may_send_again(*, repeatable: bool, status: int | None, was_sent: bool) -> bool:
    """Whether a request may be sent once more after this outcome: a status, or no answer.

    A request is repeatable if it changes nothing, or has an idempotency key. Any other is sent again only where it
    certainly was not done: nothing was sent, or the service refused it for its number.
    """
    if status is None:
        return repeatable or not was_sent
    return status in TRANSIENT and (repeatable or status == 429)
