"""Where a match is read from to be looked at by one viewer: a server, or an exported file.

Both give the same: its book, the entries as that viewer may see them, what the rulebook says of an
act at a past decision, and the verdict on the record. A file is somebody's: it shows no more than
the one who exported it saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import click
from kifu.v1 import match_service_pb2
from msgspec import Struct
from msgspec.structs import replace

from domain import games
from domain.engine.checks import hindsight
from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, Verdict
from domain.engine.driver import adopted, resting
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry, prints_in
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.position import decoded
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.telling.book import Book
from domain.telling.record import Record
from domain.text.notation import BadText
from domain.words.phrases import phrase
from replay_cli import record
from replay_cli.checking import verifying
from replay_cli.output import FORBIDDEN, MISSING, USAGE, Failed, language, say
from replay_cli.reaching import places
from replay_cli.reaching.connection import Access, F, Reader, own_view, viewer_of
from replay_cli.reaching.looking import Look
from replay_cli.typed import asked
from service.client.convert import NO_NAMES

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook
    from service.client.client import Client


#: What files of matches are called.
STORE = ".kifu"


class Answer(Struct, frozen=True):
    """Whether an act could be done at a decision, or what forbade it; `unverified`: a caveat."""

    allowed: bool
    reason: str = ""
    text: str = ""
    rules: tuple[str, ...] = ()
    unverified: str = ""


class Source(Protocol):
    """A match as one viewer sees it. `viewer` is who that is (`domain.record.views`)."""

    @property
    def id(self) -> str:
        """The id of the match."""

    @property
    def book(self) -> Book:
        """Its game's manifest, cards and rules."""

    @property
    def viewer(self) -> int:
        """The viewer."""

    @property
    def record(self) -> Record:
        """Its entries in the viewer's view."""

    def why_not(self, n: int, seat: int, act: Act, names: Mapping[int, str] = NO_NAMES) -> Answer:
        """Why a seat could not do this at decision `n`; uses only what the viewer saw.

        Who sees everything may say by `names` which cards the unseen ones are.
        """

    def verdict(self) -> Verdict:
        """The result of a replay, compared with the record."""


@contextmanager
def source(
    access: Access, match: str, eyes: str, why: str = "", *, yes: bool = False
) -> Iterator[Source]:
    """A match of a server or of a file, through the eyes that `--as` names; raises `Failed`."""
    path = Path(match)
    if match and places.is_path(match) and not path.exists():
        raise places.not_there(match)
    if match and path.suffix == STORE and path.is_file():
        access, match = replace(access, server="", data=path), ""
    elif match and path.is_file():
        yield File(path, eyes)
        return
    with access.open() as client:
        found = Served(client, Reader(client, match), eyes, why)
        _warn_of_look(found, why, yes)
        yield found


def _warn_of_look(at: Served, why: str, yes: bool) -> None:
    """An official who is about to look at what is hidden is warned; of a live match he says why."""
    if at.viewer == PUBLIC:
        return
    if not at.looks_are_recorded:
        Look(why, yes).warn(at.reader, at.viewer)
        return
    if not why:
        raise Failed(
            "a look at hidden information in this match is recorded: give a reason", USAGE,
            [phrase("--why REASON goes into the record, with who you are;"),
             phrase("--as public shows what everybody may know")],
        )  # fmt: skip
    if not yes:
        click.echo(f"kifu: {say('your access is recorded in the match')}", err=True)


def why_option(command: F) -> F:
    """`--why`, `--yes`: an official's reason to look at what is hidden, and no warning."""
    text = "Do not warn of looks that are recorded."
    command = click.option("-y", "--yes", is_flag=True, help=text)(command)
    return click.option(
        "--why", default="", help="The reason for looking at hidden information, which is recorded."
    )(command)


def ask(at: Source, n: int, text: str) -> tuple[int, Answer]:
    """The seat of an act at a decision, and the answer; raises `Failed`."""
    pos = at.record.after(at.record.find(Point(decision=n)))
    rules = cast("Rulebook", at.book)
    try:
        seat, act, names = asked.read(text, rules, pos, at.viewer, sees_all=at.viewer == OFFICIAL)
    except BadText as error:
        raise Failed(phrase("{text!r} can't be read: {error}", text=text, error=error)) from None
    return seat, at.why_not(n, seat, act, names)


class Served:
    """A match that a server has."""

    def __init__(self, client: Client, reader: Reader, eyes: str, why: str) -> None:
        self._client, self.why = client, why
        self.reader, self.id = reader, reader.id
        asked, own = viewer_of(eyes, reader.book), own_view(client)
        self.viewer = own if asked is None else asked
        if self.viewer not in (PUBLIC, own) and own != OFFICIAL:
            raise Failed("you may not look through their eyes", FORBIDDEN)

    @property
    def book(self) -> Book:
        """Its game's manifest, cards and rules."""
        return self.reader.book

    @cached_property
    def looks_are_recorded(self) -> bool:
        """Whether that one looks at what is hidden becomes an entry of the match."""
        match, who = self.reader.summary, self._client.who_am_i()
        kept = match.policy.replay_evidence not in ("", "none")
        live = match.state == match_service_pb2.MATCH_STATE_LIVE and not match.unofficial
        return kept and live and who.role in ("organiser", "official")

    @cached_property
    def record(self) -> Record:
        """Its entries in the viewer's view."""
        return Record([*self._client.events(self.id, view=self.viewer, why=self.why)])

    def why_not(self, n: int, seat: int, act: Act, names: Mapping[int, str] = NO_NAMES) -> Answer:
        """The server's answer."""
        found = self._client.why_not(
            self.id, act, seat, decision=n, view=self.viewer, why=self.why, names=names
        )
        return Answer(found.allowed, found.reason, found.text, tuple(found.rules), found.unverified)

    def verdict(self) -> Verdict:
        """The server's result."""
        return verdict_of(self._client.verify(self.id))


def verdict_of(found: match_service_pb2.VerifyMatchResponse) -> Verdict:
    """A verdict that came over the wire."""
    kind = (UNVERIFIED, EXACT, UNVERIFIED, DIVERGED)[found.verdict]
    return Verdict(kind, found.seq, found.reason, found.entries, found.decisions)


class File:
    """A match in a file that `kifu export` wrote."""

    def __init__(self, path: Path, eyes: str) -> None:
        """Raises `Failed` if the file shows less than is asked for."""
        self.path, self.id, self._log = path, path.stem, record.read(path)
        opened = self._log[0].event
        game = opened.game if isinstance(opened, ev.MatchOpened) else ""
        if not isinstance(opened, ev.MatchOpened) or game not in games.every():
            raise Failed(
                phrase(
                    "{path} is a record of a game that is not here: {game!r}", path=path, game=game
                ),
                MISSING,
            )
        self.rules = games.rulebook(game)
        self.book = Book.of(self.rules, language()).further(prints_in(self._log))
        self._owner = owner(self._log)
        self._starts: dict[int, tuple[bytes, Sequence[Entry]]] = {}
        asked = viewer_of(eyes, self.book)
        self.viewer = self._owner if asked is None else asked
        if self.viewer not in (PUBLIC, self._owner) and self._owner != OFFICIAL:
            raise Failed(phrase("{path} does not show what they saw", path=path), FORBIDDEN)

    @cached_property
    def record(self) -> Record:
        """Its entries in the viewer's view."""
        return Record([redact(entry, self.viewer) for entry in self._log])

    def why_not(self, n: int, seat: int, act: Act, names: Mapping[int, str] = NO_NAMES) -> Answer:
        """The installed rulebook's answer."""
        pos = self.record.after(self.record.find(Point(decision=n)))
        if hindsight.sees_all(self.viewer, seat) and self._owner == OFFICIAL:
            base, line = self._leading_to(n)
            start = decoded(base) if base else None
            refusal = hindsight.resumed(self.rules, line, seat, act, start, names)
        else:
            refusal = hindsight.as_seen(self.rules, pos, self.viewer, seat, act)
        unverified = say(hindsight.unverified(pos.heading.digests, self.rules))
        if refusal is None:
            return Answer(True, unverified=unverified)
        return Answer(False, refusal.fault, say(refusal.text), refusal.rules, unverified)

    def _leading_to(self, n: int) -> tuple[bytes, Sequence[Entry]]:
        """The start for resuming the match at a decision: a position, and the entries after it.

        Empty: from its beginning.
        """
        if n not in self._starts:
            whole = Record(self._log)
            there, count = whole.lying(whole.find(Point(decision=n)))
            line = there.line[:count]
            rest = resting(line)
            if adopted(line, rest):
                rest = 0
            self._starts[n] = (fold_all(line[:rest]).encoded() if rest else b"", line[rest:])
        return self._starts[n]

    def verdict(self) -> Verdict:
        """The result of this process."""
        return verifying.check(self._log)


def owner(log: Sequence[Entry]) -> int:
    """Whose view of a match these entries are: they tell the lists that he may know."""
    lists = [entry.event for entry in log if isinstance(entry.event, ev.DeckRegistered)]
    known = {one.seat for one in lists if one.cards.value is not None}
    if len(known) == len({one.seat for one in lists}):
        return OFFICIAL
    return known.pop() if known else PUBLIC
