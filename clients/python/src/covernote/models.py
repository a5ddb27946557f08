"""Types of all bodies, answers and events."""

from .generated.models import *  # noqa: F403
