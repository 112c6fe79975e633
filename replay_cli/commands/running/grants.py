"""The tokens of a match's people, as commands print them that open a match or issue new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.telling.names import player
from replay_cli.output import console

if TYPE_CHECKING:
    from service.client.client import Opened


def print_tokens(opened: Opened) -> None:
    """Print each token on a line, which is never folded: it is there to be copied."""
    tokens = [("official", opened.official), ("scorekeeper", opened.scorekeeper)]
    tokens += [(player(seat), token) for seat, token in enumerate(opened.seats)]
    for who, token in [*tokens, ("public", opened.public)]:
        if token:
            console().print(f"  {who:<12} {token}", soft_wrap=True)
