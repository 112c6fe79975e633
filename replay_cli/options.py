"""Options that several commands share, and get as one argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def gathering(command: F, options: Sequence[Callable[[Any], Any]], wrapped: Any) -> F:
    """`wrapped`, which calls a command with what it made of these options, in that one's place.

    It has the command's name, help and options; these come before them, in their order.
    """
    wrapped.__name__, wrapped.__doc__ = command.__name__, command.__doc__
    wrapped.__click_params__ = getattr(command, "__click_params__", [])
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[no-any-return]
