"""The hand: cards are drawn to it, and at the end of a turn it is reduced to its limit."""

from __future__ import annotations

from domain.effects.language.instruction import Run
from domain.effects.select import Done, Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.kit.effects.instructions import of_players
from domain.record.decisions import Limits


def draw(t: Table, seat: int, deck: str, n: int, *cites: str) -> int:
    """Draw the top cards of a deck, at most `n` and as many as there are; how many."""
    cards = t.top(f"{deck}/{seat}", n)
    if cards:
        t.move(cards, f"hand/{seat}", "draw", *cites)
    return len(cards)


def drawing(deck: str, rule: str, lacking: str = "", one: str = "") -> Run:
    """Drawing by card texts: from one's own deck, as many as are there, at one moment.

    `lacking`: the rule by which more than are there are not drawn; `one`: that of a single card.
    """

    def players(t: Table, run: Running, seats: list[int], n: int) -> Play:
        drawn, rules = 0, (one, rule) if one and n == 1 else (rule,)
        with t.at_once():
            for seat in seats:
                came = draw(t, seat, deck, n, *rules, run.text)
                if came < n:
                    ref, cites = f"{deck}/{seat}", (lacking or rule, run.text)
                    t.not_done("draw", ref, "impossible", *cites, asked=n, done=came)
                drawn += came
        return Done(n * len(seats), drawn)
        yield

    return of_players(players, deck)


def discard_down(
    t: Table,
    seat: int,
    limit: int,
    rule: str,
    *,
    asks: tuple[str, ...] = (),
    moves: tuple[str, ...] = (),
    limits: Limits | None = None,
) -> Play:
    """A seat discards down to `limit` cards, all at once, those it picks; how many.

    `asks` and `moves` are cited beside the rule for the choice and for the move. `limits` lets a
    player put his discards in order.
    """
    hand = t.pos.zone("hand", seat)
    over = len(hand) - limit
    if over <= 0:
        return 0
    cards = yield from pick(t, seat, "discard", hand, over, rule, *asks, limits=limits)
    t.move(cards, f"trash/{seat}", "discard", rule, *moves)
    return over
