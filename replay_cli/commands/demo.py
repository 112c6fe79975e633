"""`kifu demo`: a match of two bots through a real server, as it happens, and a look back into it.

The server is the one that `kifu serve` runs, here on a free loopback port. Each bot is a client
with its seat's token, and looks ahead by what it may see (`playing.policy`). The transcript is
written from the official's stream, as it arrives.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Queue

import click
from rich.console import Console
from rich.text import Text

from domain import games
from domain.games import FIRST
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.points import Point
from domain.record.proof import draws
from domain.record.values import Value
from domain.telling.book import Book
from domain.telling.names import clock, player
from domain.telling.narration import Narrator
from domain.telling.record import Record, Taken
from domain.words.phrases import Phrase, phrase
from replay_cli import cells
from replay_cli.checking.verifying import Result
from replay_cli.commands.keeping.verify import print_verdict, result_of
from replay_cli.commands.running.open import event_options
from replay_cli.commands.viewing.watch import columns_of
from replay_cli.drawing import board, choices
from replay_cli.drawing.heads import head_data
from replay_cli.output import (
    BadValue,
    FilePath,
    Misused,
    as_json,
    console,
    hang,
    json_option,
    say,
    styled,
    width,
)
from replay_cli.playing.policy.player import Player
from replay_cli.playing.policy.sitting import sit
from replay_cli.reaching import completing, hosting
from replay_cli.reaching.connection import book_to_open
from replay_cli.reaching.hosting import Hosted
from replay_cli.typed import lists
from service.client.client import Client, Opened, connect

#: Seconds between two choices, so that the eye can follow, in a transcript and on a board; none
#: where nobody watches.
PACE, WEB_PACE = 0.015, 0.7
DATA = Path("demo.kifu")


@click.command("demo")
@click.option(
    "--seed", type=click.IntRange(0),
    help="Makes the match repeatable; else chance comes from seeds of service and bots.",
)  # fmt: skip
@click.option("--decks", metavar="X,Y", default="", help="Decks by name or file, one a player.")
@completing.game_option
@completing.edition_option
@click.option(
    "-d",
    "--data",
    type=FilePath(dir_okay=False),
    default=DATA,
    show_default=True,
    help="The file that keeps the match.",
)
@click.option("--best-of", type=click.Choice(["1", "3"]), default="1", show_default=True)
@event_options
@click.option("--web", is_flag=True, help="Show it in a browser, until Ctrl-C.")
@click.option("--pace", type=click.FloatRange(0), help="Seconds between two choices.")
@json_option
def demo_command(
    seed: int | None, decks: str, game: str, edition: str, data: Path, best_of: str,
    settings: Path | None, options: dict[str, Value], prints: tuple[Path, ...], yes: bool,
    web: bool,
    pace: float | None, as_data: bool,
) -> None:  # fmt: skip
    """Record a match of two bots through a real server, then look back into it."""
    if web and as_data:
        raise Misused("--web goes on until Ctrl-C, and --json reports once at the end")
    bots = random.SystemRandom().randrange(10**6) if seed is None else seed
    watched = WEB_PACE if web else PACE if sys.stdout.isatty() else 0.0
    rest = watched if pace is None else pace
    out = Console(quiet=True) if as_data else console()
    anew = data == DATA and not data.exists()  # what it has is for show, and can be thrown away
    if anew and data.with_name(f"{data.name}-token").exists():
        gone = phrase("{file} is gone, with its matches: another one is begun.\n", file=data)
        out.print(say(gone))
    with (
        hosting.hosted(data, web=web, anew=anew) as serving,
        connect(serving.address, serving.token) as client,
    ):
        book = book_to_open(client, game, edition)
        listed, brought = lists.opened_with(_decks(book, decks), book, prints, yes=yes)
        opened = client.open_match(
            book.manifest.game, [f"{one.name} bot" for one in listed], [one.deck for one in listed],
            best_of=int(best_of), labels={"event": "demo"}, seed=seed, prints=brought,
            chance=draws.SHARED if seed is None else "",
            policy=lists.policy(settings) if settings is not None else None, options=options,
            edition=book.manifest.edition or FIRST,
        )  # fmt: skip
        book = book.further(brought)
        out.print(say(_where(serving.address, opened.id, seed, data)), style="bold")
        if web:
            _tell_where(out, serving, opened)
        record = _play(out, client, book, opened, bots, rest)
        moment = last_choice(record)
        if moment is not None:
            _look_back(out, client, book, opened, moment)
        found = client.verify(opened.id)
        result = result_of(opened.id, found)
        out.rule(Text(say(phrase("Verified")), "bold"), align="left")
        print_verdict(out, result)
        if web:
            _serve_on(out, serving, opened)
    _what_next(out, data, moment, record)
    if as_data:
        as_json(_summary(opened, data, seed, moment, record, result))


def _where(address: str, match: str, seed: int | None, data: Path) -> Phrase:
    """What is recorded, and where."""
    text = "A real server at {address} records match {match} in {data}.\n"
    if seed is not None:
        text = "A real server at {address} records match {match} (seed {seed}) in {data}.\n"
    return phrase(text, address=address, match=match, seed=seed, data=data)


def _decks(book: Book, wanted: str) -> list[str]:
    every = [*book.decks]
    names = wanted.split(",") if wanted else [every[0], every[len(every) // 2]]
    if len(names) != book.manifest.seats:
        raise BadValue(
            phrase("{seats} are needed", seats=book.manifest.seats), param_hint="--decks"
        )
    return names


# -- the match -------------------------------------------------------------------------------------


def _play(
    out: Console, client: Client, book: Book, opened: Opened, seed: int, pace: float
) -> Record:
    """Let the bots play, telling what happens; the whole record."""
    news: Queue[Entry | Exception | None] = Queue()
    official = client.with_token(opened.official)
    _in_thread(news, lambda: _follow(official, opened.id, news))
    for seat, token in enumerate(opened.seats):
        player = Player(games.rulebook(book.manifest.game), seat, seed)
        _in_thread(news, partial(sit, client.with_token(token), opened.id, player, pace))
    columns = columns_of(book.manifest.steps, numbered=True)
    narrator, log = Narrator(book), list[Entry]()
    while (entry := news.get()) is not None:
        if isinstance(entry, Exception):
            raise entry
        log.append(entry)
        for line in narrator.feed(entry):
            if not line.minor:
                out.print(columns.render(line))
    for line in narrator.close():
        out.print(columns.render(line))
    return Record(log)


def _in_thread(news: Queue[Entry | Exception | None], work: Callable[[], None]) -> None:
    """Do something in a thread of its own; an exception there is put into `news` as well."""

    def run() -> None:
        try:
            work()
        except Exception as error:
            news.put(error)

    threading.Thread(target=run, daemon=True).start()


def _follow(client: Client, match: str, news: Queue[Entry | Exception | None]) -> None:
    """Hand on the entries as they come; None at the end."""
    for entry in client.watch(match):
        news.put(entry)
    news.put(None)


# -- in a browser ----------------------------------------------------------------------------------


def _tell_where(out: Console, serving: Hosted, opened: Opened) -> None:
    """Say where the match is shown, before it is played."""
    page = f"/m/{opened.id}"
    whole = serving.entrance.replace("/in#", f"/in?to={page}?as=official#")
    shown = phrase("In a browser: {address}", address=f"{serving.web}{page}")
    out.print(say(shown), style="bold", soft_wrap=True)
    both = phrase("With both hands (once, within an hour): {address}\n", address=whole)
    out.print(say(both), soft_wrap=True)
    sys.stdout.flush()


def _serve_on(out: Console, serving: Hosted, opened: Opened) -> None:
    """Go on serving what was played until Ctrl-C."""
    where = f"{serving.web}/m/{opened.id}"
    text = phrase("It is still there: {address} (Ctrl-C ends it)", address=where)
    out.print(say(text), soft_wrap=True)
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        threading.Event().wait()


# -- looking back ----------------------------------------------------------------------------------


def last_choice(record: Record) -> Taken | None:
    """The last decision of a losing seat that had more than one option."""
    ended = [entry.event for entry in record.line if isinstance(entry.event, ev.MatchEnded)]
    winner = ended[-1].winner if ended else -1
    real = [
        one
        for one in record.decisions
        if one.seat != winner and one.offer is not None and len(one.offer.options) > 1 and one.made
    ]
    return real[-1] if real else None


def _look_back(out: Console, client: Client, book: Book, opened: Opened, moment: Taken) -> None:
    """The table at a decision through every seat's eyes, what could be done, what was."""
    point = Point(decision=moment.n)
    kind = book.manifest.label("decisions", moment.kind)
    out.print()
    title = phrase("Back to decision {n}: the last real choice of {player}",
                   n=moment.n, player=player(moment.seat))  # fmt: skip
    out.rule(Text(say(title), "bold"), align="left")
    for seat, token in enumerate(opened.seats):
        pos = client.with_token(token).position(opened.id, point)
        eyes = phrase("\nas {player} saw it at {time}:",
                      player=player(seat), time=clock(moment.time))  # fmt: skip
        out.print(say(eyes), style="italic")
        out.print(board.draw(book, pos, near=seat, width=width()))
    whole = client.position(opened.id, point)
    if moment.offer is not None and moment.act is not None:
        could = phrase("\n{player} could ({kind}):", player=player(moment.seat), kind=kind)
        out.print(say(could), style="italic")
        out.print(choices.options(book, whole, moment.seat, moment.offer, moment.act))
        taken = choices.taken_text(book, whole, moment.offer, moment.act)
        out.print(say(phrase("and chose: {act}", act=taken)), style="bold")
        for cite in moment.why:
            out.print(hang(f"  {cite}  ", say(book.gist(cite))), style="dim")
    out.print()


def _what_next(out: Console, data: Path, moment: Taken | None, record: Record) -> None:
    option = f"-d {data}"
    n = moment.n if moment is not None else 1
    seat = "AB"[moment.seat] if moment is not None else "A"
    lost = next((entry.seq for entry in record.line if isinstance(entry.event, ev.SeatLost)), 1)
    out.print(say(phrase("\nThe record stays in {data}. Try:", data=data)), style="bold")
    tries = (
        (f"kifu replay {option}", phrase("step through it with the arrow keys")),
        (f"kifu show {option} --decision {n} --as {seat}", phrase("that board again, any board")),
        (f"kifu decisions {option} --decision {n}", phrase("that decision and its rules")),
        (f"kifu why {option} {lost}", phrase("why the game was lost, cause by cause")),
        (f"kifu watch {option} --as public", phrase("the transcript as the public sees it")),
        (f"kifu verify {option}", phrase("check the record again")),
        (f"kifu serve {option}", phrase("serve it to others")),
    )
    own = [(command, say(what)) for command, what in tries]
    room = max(len(command) for command, _ in own)
    wide = room + max(cells.width(what) for _, what in own) + 4 <= width()
    for command, what in own:
        lead = f"  {command:<{room}}" if wide else f"  {command}\n      "
        out.print(styled((f"{lead}  ", ""), (what, "dim")))


def _summary(
    opened: Opened,
    data: Path,
    seed: int | None,
    moment: Taken | None,
    record: Record,
    result: Result,
) -> dict[str, object]:
    ended = [entry.event for entry in record.line if isinstance(entry.event, ev.MatchEnded)]
    return {
        "match": opened.id,
        "data": str(data),
        "seed": seed,
        "entries": len(record.log),
        "decisions": len(record.decisions),
        "winner": ended[-1].winner if ended else -1,
        "last_choice": moment.n if moment is not None else 0,
        "verdict": result.verdict.kind,
        "head": head_data(result.head),
    }
