"""Cards that leave the field, with the cards attached to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.engine.table import Table


class Riders(Struct, frozen=True):
    """Where cards go whose host leaves, and by which rules.

    They move along with it, each to its own owner's: `apart` is cited for one whose host is
    another's. Or, with a zone `to`, they go there, for the reason `why`, unless they are among
    those that leave. None: the game itself moves them.
    """

    cites: tuple[str, ...]
    to: str | None = ""
    why: str = ""
    apart: tuple[str, ...] = ()


#: They move along, without further citation.
ALONG = Riders(())
#: They stay for the game to move.
STAY = Riders((), to=None)


def leave(
    t: Table,
    numbers: Sequence[int],
    whither: Callable[[int], str],
    why: str,
    *cites: str,
    riders: Riders = ALONG,
    at: int | None = None,
    mixed: bool = False,
) -> list[int]:
    """Cards leave, `whither` for each owner's, at one moment; their numbers there.

    Each owner's arrive in the order in which they are given.
    """
    cards, arrived = t.pos.cards, []
    hosts = () if riders.to is None else numbers
    lying = [rider for n in hosts for rider in cards[n].attached if rider not in numbers]
    going = [*numbers, *(lying if not riders.to else ())]
    owners = {number: cards[number].owner for number in going}
    strangers = [one for one in lying if cards[cards[one].host].owner != cards[one].owner]
    with t.at_once():
        for owner in dict.fromkeys(owners.values()):
            theirs = [number for number in going if owners[number] == owner]
            also = riders.cites if any(one in lying for one in theirs) else ()
            also += riders.apart if any(one in strangers for one in theirs) else ()
            arrived += t.move(theirs, whither(owner), why, *cites, *also, at=at, mixed=mixed)
        for rider in lying if riders.to else ():
            t.move([rider], f"{riders.to}/{cards[rider].owner}", riders.why, *riders.cites)
    return arrived
