"""The console that commands write on; tables are laid out in `sheet`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console


class Output(Console):
    """Output in the reader's language, which `worded` has; it tells the command if nobody reads."""

    def __init__(self, worded: Callable[[str], str], **options: Any) -> None:
        super().__init__(**options)
        self._worded = worded

    def print(self, *objects: Any, **options: Any) -> None:
        shown = (self._worded(one) if isinstance(one, str) else one for one in objects)
        super().print(*shown, **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
