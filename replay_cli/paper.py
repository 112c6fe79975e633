"""The console that commands write on; tables are laid out in `sheet`."""

from __future__ import annotations

from rich.console import Console


class Output(Console):
    """Output that tells the command if nobody reads any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
