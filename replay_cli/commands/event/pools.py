"""`kifu event pods` and `pools`: who drafts with whom, and the cards that decks are built from.

Players register theirs on the event's page (`service.web.events`), until that is closed. Decks are
handed in as at any event (`decks`), and compared with the pools there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click
from msgspec import to_builtins

from domain.engine.match import Deck as Given
from domain.telling.names import cards, count
from domain.tournament.acts import rows as acts
from domain.tournament.record import Deck
from domain.words.phrases import labelled, phrase
from replay_cli.commands.event.at import At, command, doing
from replay_cli.commands.event.decks import FILE, book_of, given, of_file, shown_as
from replay_cli.commands.groups import DefaultGroup
from replay_cli.output import MISSING, REFUSED, Failed, console, say, table
from replay_cli.pages import Commands
from replay_cli.tournament import overview
from service.client.connection import CallError


class PodsGroup(DefaultGroup):
    """Without a word, those there are."""

    default, alone = "show", True


@click.group("pods", cls=PodsGroup, subcommand_metavar="[COMMAND]")
def pods_command() -> None:
    """Draw pods; show who sits where in them without a subcommand."""


@command("show", group=pods_command, adds=False)
def show_pods_command(at: At) -> None:
    """Show who sits where, with whom on his left and on his right."""
    found = overview.pods(at.state)
    if at.as_data:
        at.answer(to_builtins({"pods": found, "seed": at.state.seed}))
        return
    shown = table("pod", "seat", "player", "on the left", "on the right", right=("pod", "seat"))
    for one in found:
        name = phrase("{name} (dropped)", name=one.name) if one.dropped else one.name
        shown.add_row(str(one.pod), str(one.seat), name, one.left, one.right)
    console().print(shown if found else say(phrase("no pods are drawn")))


def _redrawn(at: At, act: acts.DrawPods) -> str:
    if act.add or not at.state.pods:
        return ""
    pools = count(len(at.state.pools), "{n} pool is registered", "{n} pools are registered")
    text = "The pods are drawn again, and all sit down anew; {pools} by now."
    return say(phrase(text, pools=pools))


@doing("draw", acts.DrawPods, ask=_redrawn, group=pods_command)
def draw_command(at: At, act: acts.DrawPods, _: object) -> Sequence[str]:
    """Draw the pods of all who play, of like sizes, or (--add) seat who came late in them."""
    pods = at.state.pods
    sizes = ", ".join(str(len(pod)) for pod in pods)
    return [
        phrase(
            "{pods}: {sizes}. kifu event print pods",
            pods=count(len(pods), "{n} pod", "{n} pods"),
            sizes=sizes,
        )
    ]


@click.group("pools", cls=Commands, no_args_is_help=True)
def pools_command() -> None:
    """Pools, out of which decks are built: private until lists are published."""


@command("import", click.argument("file", type=FILE), group=pools_command)
def import_command(at: At, file: Path) -> None:
    """Register the pools of players from FILE (columns: name or key, pool, which is a file)."""
    _register(at, of_file(at, file))


@command("register", click.argument("who"), click.argument("pool"), group=pools_command)
def register_command(at: At, who: str, pool: str) -> None:
    """Register the pool of player WHO: POOL is a file, as of a list."""
    _register(at, {at.person(who).number: given(at, pool)})


def _register(at: At, found: Mapping[int, Deck]) -> None:
    """Register pools; of those that are refused all are named, once the others are registered."""
    refused = dict[int, str]()
    for player, pool in found.items():
        parts = {part: [*cards] for part, cards in pool.parts.items()}
        try:
            at.client.register_pool(at.id, player, Given(pool.name, parts))
        except CallError as error:
            if not error.rules:
                raise
            refused[player] = labelled(at.name(player), error.text)
    done = [player for player in found if player not in refused]
    registered = count(len(done), "{n} pool is registered", "{n} pools are registered")
    if refused:
        raise Failed(
            phrase("{registered}; refused:", registered=registered), REFUSED, refused.values()
        )
    faulty = [row for row in _stages(at, done) if row["fault"]]
    lines = [
        phrase("{name}: his list does not fit: {fault}", name=row["name"], fault=row["fault"])
        for row in faulty
    ]
    at.answer({"pools": len(done)}, phrase("{registered}.", registered=registered), *lines)


@command("check", group=pools_command, adds=False)
def check_command(at: At) -> None:
    """Show who has registered a pool, of how many cards, and who has not."""
    rows = _stages(at, at.look().players)
    if at.as_data:
        at.answer(rows)
        return
    shown = table("no", "player", "cards", "by", "list", right=("no", "cards"))
    for row in rows:
        cells = (row[name] for name in ("number", "name", "cards", "by", "fault"))
        shown.add_row(*map(str, cells))
    console().print(shown if rows else phrase("there are no players"))


def _stages(at: At, players: Iterable[int]) -> list[dict[str, object]]:
    state = at.client.get_tournament(at.id, with_lists=True)
    found = []
    for number in players:
        one, pool = state.players[number], state.pools.get(number)
        handed = state.lists.get(one.list)
        found.append({
            "number": number, "name": one.name,
            "cards": len(pool.cards) if pool is not None else "", "by": pool.by if pool else "",
            "fault": "; ".join(handed.faults) if handed is not None else "",
        })  # fmt: skip
    return found


@command("show", click.argument("who"), group=pools_command, adds=False)
def show_command(at: At, who: str) -> None:
    """Show the pool of player WHO, if you may read it."""
    one = at.person(who)
    pool = at.client.get_tournament(at.id, with_lists=True).pools.get(one.number)
    if pool is None or not pool.cards:
        raise Failed(phrase("there is no pool of {name} that you may read", name=one.name), MISSING)
    head = phrase("{player}: {cards}, registered by {by}",
                  player=one.name, cards=cards(len(pool.cards)), by=pool.by)  # fmt: skip
    at.answer({"cards": pool.cards, "by": pool.by}, head, *shown_as(book_of(at), pool.cards))


@doing("close", acts.ClosePools, group=pools_command)
def close_command(at: At, act: acts.ClosePools, _: object) -> Sequence[str]:
    """Let players register no more pools themselves (on the event's page, by their codes)."""
    if act.open:
        return [phrase("Players may register their pools.")]
    return [phrase("Players register no more pools.")]
