"""`kifu desk rewind`, `reopen`, `fork`, `choose`: back in a match, or on with a copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import click
from kifu.v1 import desk_service_pb2

from domain.engine.rulebook import Rulebook
from domain.officials import rewind
from domain.officials.acts import RewindMatch
from domain.record.points import Point
from domain.record.position import Position
from domain.record.views import PUBLIC
from domain.telling import at_event, consequences
from domain.telling.book import Book
from domain.telling.names import Names, clock, letter, player
from domain.text import notation, reading
from domain.text.desk import REOPEN, TYPED
from domain.words.phrases import joined, message_of, phrase
from replay_cli.commands.running.acting import Seen, yes_option
from replay_cli.commands.running.grants import print_token
from replay_cli.drawing.choices import taken_text
from replay_cli.output import BadValue, Failed, Misused, as_json, console, hang, json_option, say
from replay_cli.reaching.asking import confirmed, match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument
from replay_cli.reaching.looking import Look
from replay_cli.reaching.rounds import Rounds
from replay_cli.typed.desk import MatchFirst, options, parameters
from service import wire

EXAMPLES = """\
kifu desk rewind k7f3q 57 --preview                what would be undone, and who saw what since
kifu desk rewind k7f3q 57 --put-back random --why "an illegal block"
kifu desk rewind k7f3q 57 --card 41=as-they-were --why "only that one was seen"
"""
ANSWER = """\
kifu desk choose k7f3q "block with GM"             as the player who is asked would type it
kifu desk choose k7f3q pass
"""


@click.command("rewind", cls=MatchFirst, epilog=f"\b\n{EXAMPLES}")
@match_argument
@options(*parameters([one for one in TYPED["rewind"] if one.name != "why"]))
@click.option("--why", default="", help="The reason, for the record.")
@click.option("--preview", is_flag=True, help="Only say what would be undone.")
@yes_option
@access_options
@json_option
def rewind_command(
    match: str, why: str, preview: bool, yes: bool, access: Access, as_data: bool, **given: Any
) -> None:
    """Go back to DECISION of MATCH; what is undone stays readable.

    A match that is over is live again.
    """
    if not preview and not why.strip():
        raise Misused("say why: --why TEXT")
    with access.open(adds=not preview) as client:
        reader = Reader(client, match_to_write(client, match))
        if preview:
            Look(why, yes or as_data).warn(reader, None, ask=False)
            found = client.preview_rewind(reader.id, given["decision"])
            as_json(found) if as_data else _announce(found, reader, given["decision"])
        else:
            _go_back(Seen(reader), "rewind", {**given, "why": why}, yes, as_data)


@click.command("reopen", cls=MatchFirst)
@match_argument
@options(*parameters(TYPED[REOPEN]))
@yes_option
@access_options
@json_option
def reopen_command(match: str, yes: bool, access: Access, as_data: bool, **given: Any) -> None:
    """Take back the end of MATCH (default: the live one): it is live again at its last decision.

    What was undone stays readable. To go further back: kifu desk rewind.
    """
    with access.open(adds=True) as client:
        seen = Seen(Reader(client, match_to_write(client, match)))
        if not seen.pos.over:
            raise Failed(
                phrase("match {id} is not over: there is no end to take back", id=seen.reader.id)
            )
        _go_back(seen, REOPEN, given, yes, as_data)


def _go_back(seen: Seen, name: str, given: Mapping[str, Any], yes: bool, as_data: bool) -> None:
    """Say what will be undone, ask, and go back."""
    reader, requested = seen.reader, seen.act(name, given)
    assert isinstance(requested, RewindMatch)
    Look(requested.why, yes or as_data).warn(reader, None, ask=False)
    if not as_data:
        _announce(
            reader.client.preview_rewind(reader.id, requested.decision), reader, requested.decision
        )
    if not confirmed(say(consequences.GO_BACK), yes, "Go back?"):
        return
    done = reader.client.record(reader.id, requested)
    if as_data:
        as_json(done)
    else:
        text = phrase("The match went back; decision {n} is open.", n=done.decision)
        console().print(text)


def _announce(found: desk_service_pb2.PreviewRewindResponse, reader: Reader, n: int) -> None:
    """Say what going back undoes, and that a match that is over will be live again."""
    _print(found, reader, n)
    pos = reader.client.position(reader.id, view=PUBLIC)
    if pos.over:
        console().print(say(consequences.revival(pos)))
    at = Rounds(reader.client).at(reader.id)
    if at is not None and (moved := at_event.consequences(RewindMatch(n, ""), None, pos, at)):
        console().print(say(moved), soft_wrap=True)


def _print(found: desk_service_pb2.PreviewRewindResponse, reader: Reader, n: int) -> None:
    out, book = console(), reader.book
    back = phrase(
        "Going back to decision {n} undoes {entries} entries:", n=n, entries=found.entries
    )
    out.print(back, style="bold")
    for one in found.decisions:
        pos = reader.client.position(reader.id, Point(decision=one.n))
        acts = [
            phrase("{player}: {act}", player=player(a.seat), act=_act_text(book, pos, a))
            for a in one.acts
        ]
        lead = f"{one.n:>5}  {clock(one.time)}  "
        undone = joined(phrase("; "), acts) if acts else phrase("no one had answered yet")
        out.print(hang(lead, undone))
    now = reader.client.position(reader.id, view=PUBLIC)
    if found.seen:
        out.print(phrase("Seen since:"), style="bold")
    for seen in found.seen:
        place = Names(book, now).place(seen.place)
        who = phrase("everybody") if seen.all else joined(", ", map(letter, seen.seats))
        text = (
            "{card}, {place}, by {who}; it went to {went}"
            if seen.went
            else "{card}, {place}, by {who}"
        )
        went = Names(book, now).place(seen.went) if seen.went else ""
        text = phrase(text, card=book.name(seen.id), place=place, who=who, went=went)
        out.print(hang(f"@{seen.card:<5} ", text))
    if found.seen and not found.rest:
        near = rewind.near(reader.client.events(reader.id, view=PUBLIC), n)
        out.print(phrase("The decision can't be asked again: cards can only be left as they were."))
        if near:
            out.print(phrase("Those that can: {near}.", near=joined(", ", map(str, near))))


def _act_text(book: Book, pos: Position, undone: desk_service_pb2.UndoneAct) -> str:
    """The act of a seat at the decision that is open in a position."""
    act = wire.act_of(undone.act)
    offer = pos.decision.offers.get(undone.seat) if pos.decision is not None else None
    return Names(book, pos).act(act) if offer is None else taken_text(book, pos, offer, act)


@click.command("fork", cls=MatchFirst, epilog="\b\nkifu desk fork k7f3q 57")
@match_argument
@click.argument("decision", type=click.IntRange(1))
@access_options
@json_option
def fork_command(match: str, decision: int, access: Access, as_data: bool) -> None:
    """Begin an unofficial copy of MATCH (default: the live one) that stands at DECISION."""
    with access.open(adds=True) as client:
        reader = Reader(client, match_to_write(client, match))
        Look(yes=as_data).warn(reader, None, ask=False)
        name, token = client.fork(reader.id, decision)
        organiser = client.who_am_i().role == "organiser"
    if as_data:
        as_json({"match": name, "token": token})
        return
    out = console()
    text = phrase("Fork {name} of {match} stands at decision {n}; it is unofficial.",
                  name=name, match=reader.id, n=decision)  # fmt: skip
    out.print(text)
    if not organiser:  # it is all that lets him in
        print_token("official", token)


@click.command("choose", cls=MatchFirst, epilog=f"\b\n{ANSWER}")
@match_argument
@click.argument("act")
@access_options
@json_option
def choose_command(match: str, act: str, access: Access, as_data: bool) -> None:
    """Answer the open decision of a fork: ACT, as it is typed, for the seat that is asked."""
    with access.open(adds=True) as client:
        reader = Reader(client, match_to_write(client, match, forks=True))
        Look(yes=as_data).warn(reader, None, ask=False)
        pos = client.position(reader.id)
        if pos.decision is None:
            raise Failed("no decision is open")
        seat = pos.decision.seats[0]
        rules = cast(Rulebook, reader.book)
        try:
            meant, names = reading.read(act, pos, rules, seat, pos.decision.offers.get(seat))
        except notation.BadText as error:
            raise BadValue(message_of(error), param_hint="ACT") from None
        done = client.choose(reader.id, pos.decision.n, meant, seat=seat, names=names)
    n = done.next.n if done.next is not None else 0
    if as_data:
        as_json({"first_seq": done.first_seq, "last_seq": done.last_seq, "decision": n})
    else:
        text = "{player} chose; decision {n} is open." if n else "{player} chose; all is over."
        console().print(phrase(text, player=player(seat), n=n))


COMMANDS = (rewind_command, reopen_command, fork_command, choose_command)
