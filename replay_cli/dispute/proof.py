"""What is proven of the record that a page was made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.words.phrases import phrase
from replay_cli.reaching.source import Source

#: Says line by line what is proven of a match, and what is not.
Prove = Callable[[Source], Sequence[str]]


def not_proven(at: Source) -> Sequence[str]:
    """What is to be said where nobody has looked for a proof."""
    return (phrase("not proven here: that the record was not changed since it was written"),)
