"""How many of something a seat may have where they lie: what comes over that, and whether any is.

What is done about it (room is made, the card stays where it was, the play is refused) is the game's
to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from domain.record.position import Position
from domain.words.phrases import Phrase, phrase


class Limit(Struct, frozen=True):
    """At most so many of these cards lie with a seat, by this rule; `what` they are, in words."""

    what: Phrase
    most: int
    rule: str
    lying: Callable[[Position, int], Sequence[int]]

    def room(self, p: Position, seat: int) -> int:
        """How many more may come."""
        return max(0, self.most - len(self.lying(p, seat)))

    def over(self, p: Position, seat: int, coming: int = 0) -> int:
        """How many there are too many of, or would be with those that come."""
        return max(0, len(self.lying(p, seat)) + coming - self.most)


def surplus(p: Position, seat: int, limits: Iterable[Limit]) -> Iterator[Phrase]:
    """A sentence for each limit that a seat is over."""
    for limit in limits:
        if limit.over(p, seat):
            yield phrase(
                "seat {seat} has {n} {what}",
                seat=seat,
                n=len(limit.lying(p, seat)),
                what=limit.what,
            )
