"""How a command reaches its matches: a server and a token, or a file.

`--server HOST:PORT` with a token (`--token`, `KIFU_TOKEN`) is a client like any other. `--data
FILE` finds the server that runs on the file, or runs one for as long as the command takes, and
speaks as its organiser. Without either it is `KIFU_SERVER`, `KIFU_DATA`, `KIFU_HOST` with
`KIFU_PORT`, or `matches.kifu`; where there is no such file, the server that one has joined last
(`joined`), as is one's token at a server for which none is given. How addresses and files are
written is in `places`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.book import Book, CardFacts, Gist
from domain.telling.names import letter
from domain.words.phrases import phrase
from replay_cli.options import gathering
from replay_cli.output import (
    FORBIDDEN,
    MISSING,
    USAGE,
    BadValue,
    Failed,
    FilePath,
    Misused,
    console,
    language,
)
from replay_cli.reaching import completing, joined, places

if TYPE_CHECKING:
    from service.client.client import Client

F = TypeVar("F", bound=Callable[..., Any])

DATA = Path("matches.kifu")


#: How addresses of databases begin, as texts and as paths.
_DATABASES = ("postgresql:/", "postgres:/")


class _DataFile(FilePath):
    """A file of matches; other commands for databases are named when it is opened."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if str(value).startswith(_DATABASES):
            return Path(value)
        return super().convert(value, param, ctx)


class Access(Struct, frozen=True):
    """The options about where the matches are."""

    server: str = ""
    token: str = ""
    data: Path | None = None
    tls_root: Path | None = None
    tls: bool = False

    @property
    def at_hand(self) -> Path | None:
        """The file of matches that is meant; None if a server is."""
        here = self._joined(False)
        return None if here.server else here.data or DATA

    @contextmanager
    def open(self, *, new: bool = False, adds: bool = False) -> Iterator[Client]:
        """A client, for as long as it is needed; `new`: a missing file is created.

        `adds`: the command adds something to the record; so does one that makes its file.
        """
        from replay_cli.reaching import hosting

        here = self._joined(new)
        if here is not self:
            with here.open(new=new, adds=adds) as client:
                yield client
            return
        if self.server:
            with (
                places.naming_address(self.server),
                self._connected(self.server, self.token) as client,
            ):
                yield client
            return
        data = self.data or DATA
        if str(data).startswith(_DATABASES):  # it may have a password in it
            raise Failed(
                "a database is no file of matches: its matches are reached through a server",
                MISSING, [phrase("name one with --server HOST:PORT --token @FILE;"),
                          phrase("`kifu store copy postgresql://… FILE` makes a file of it")],
            )  # fmt: skip
        served = hosting.running(data)
        if not data.exists() and not new:
            raise Failed(
                phrase("there is no file {data}, and no server was named", data=data), MISSING,
                [phrase("name one with --server HOST:PORT, or a file with --data FILE;"),
                 phrase("`kifu demo` makes a file with a match in it")],
            )  # fmt: skip
        if data.exists():
            places.check_file(data, adds=adds or new or bool(served))
        with hosting.reached(data, adds=adds or new) as found:
            if found.token:  # one of our own
                here = replace(self, tls=False, tls_root=None)
                with here._connected(found.address, self.token or found.token) as client:
                    yield client
                return
            token = self.token or _read(data.with_name(data.name + "-token"))
            with (
                places.naming_address(found.address),
                self._connected(found.address, token) as client,
            ):
                yield client

    def _connected(self, address: str, token: str) -> Client:
        """A client of a server that runs; raises `Failed` if no certificate can be read."""
        from service.client.client import connect  # which loads gRPC

        tag = language().tag
        try:
            return connect(address, token, tls_root=self.tls_root, tls=self.tls, language=tag)
        except OSError as error:
            text = phrase(
                "the certificate in {root} can't be read: {strerror}",
                root=self.tls_root,
                strerror=error.strerror,
            )
            raise Failed(text, MISSING) from error

    def _joined(self, new: bool) -> Access:
        """The same with the place where one has joined, as the default."""
        if self.server:
            token = self.token or joined.token(self.server)
            return self if token == self.token else replace(self, token=token)
        if self.data is not None or new or DATA.exists() or (kept := joined.find()) is None:
            return self
        root = Path(kept.tls_root) if kept.tls_root else None
        return replace(
            self, server=kept.server, token=self.token or kept.token, tls=kept.tls, tls_root=root
        )


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except UnicodeDecodeError as error:
        raise Failed(phrase("there is no token in {path}", path=path), FORBIDDEN) from error
    except OSError as error:
        raise Failed(
            phrase(
                "the token in {path} can't be read: {strerror}", path=path, strerror=error.strerror
            ),
            FORBIDDEN,
        ) from error


def event_option(text: str, *, named: bool = True) -> Callable[[Any], Any]:
    """The option that names an event, by id or name; KIFU_EVENT does so too where it is `named`."""
    return click.option(
        "-e", "--event", default="", envvar="KIFU_EVENT" if named else None, metavar="EVENT",
        help=text,
    )  # fmt: skip


def access_options(command: F) -> F:
    """`--server`, `--token`, `--data`, `--tls`: where the matches are, as `access`."""
    options = [
        click.option(
            "-s", "--server", metavar="HOST:PORT", envvar="KIFU_SERVER",
            callback=lambda ctx, option, text: places.address(text) if text else "",
            help="The server that has the match.",
        ),
        click.option(
            "-t", "--token", metavar="TOKEN", envvar="KIFU_TOKEN",
            help="Your token, or @FILE that contains one.",
        ),
        click.option(
            "-d", "--data", metavar="FILE", envvar="KIFU_DATA",
            type=_DataFile(dir_okay=False),
            help=f"A file of matches instead of a server (default: {DATA}).",
        ),
        click.option(
            "--tls", is_flag=True, envvar="KIFU_TLS", help="Speak TLS with the server.",
        ),
        click.option(
            "--tls-ca", "--tls-root", "tls_root", metavar="FILE", envvar="KIFU_TLS_CA",
            type=FilePath(exists=True, dir_okay=False),
            help="The certificate to trust, if it is not public.",
        ),
    ]  # fmt: skip

    def wrapped(
        *args: Any,
        server: str,
        token: str | None,
        data: Path | None,
        tls: bool,
        tls_root: Path | None,
        **kwargs: Any,
    ) -> Any:
        given = click.get_current_context().get_parameter_source("data")
        if data is not None and given is click.core.ParameterSource.COMMANDLINE:
            server = ""
        elif data is None and not server:
            server = places.listening(*(os.environ.get(f"KIFU_{w}", "") for w in ("HOST", "PORT")))
        text = token or ""
        if text.startswith("@"):
            text = _read(Path(text[1:]))
        if not re.fullmatch(r"[\x21-\x7e]*", text):
            where = f" in {token[1:]}" if token and token[0] == "@" else ""
            raise Failed(phrase("what is given{where} is no token", where=where), FORBIDDEN)
        access = Access(server, text, data, tls_root, tls)
        return command(*args, access=access, **kwargs)

    return gathering(command, options, wrapped)


# -- which match, which point, whose eyes --------------------------------------------------------


def match_argument(command: F) -> F:
    """The match that a command is about; the newest if none is named."""
    return click.argument(
        "match", required=False, default="", callback=_there, shell_complete=completing.matches
    )(command)


def _there(ctx: object, argument: object, match: str) -> str:
    """A name for a match, unless it is a missing file."""
    if places.is_path(match) and not Path(match).exists():
        raise places.not_there(match)
    return match


def no_file(match: str) -> str:
    """A name for a match; raises `Failed` if it is a file, or looks like one."""
    if not places.is_path(_there(None, None, match)):
        return match
    raise Failed(
        phrase("{match} is a file, and a match is called by its id here", match=match), USAGE,
        [phrase("a file of matches is named by --data FILE; `kifu list` has the ids"),
         phrase("an exported one is read by `kifu replay`, `verify`, `audit`, `dispute` and"
                " `why-not`")],
    )  # fmt: skip


def point_options(command: F) -> F:
    """`--decision`, `--seq`, `--time`: a point of the match."""
    for option in (
        click.option("--time", "at_time", metavar="M:SS", help="At this time of the match."),
        click.option("--seq", "at_seq", type=click.IntRange(1), help="After this entry."),
        click.option("--decision", "at_decision", type=click.IntRange(1), help="At this decision."),
    ):
        command = option(command)
    return command


def view_option(command: F) -> F:
    """`--as`: whose eyes to look through."""
    return click.option(
        "--as", "eyes", metavar="WHO", default="",
        help="As seen by A, B, public or official, if your token allows it.",
    )(command)  # fmt: skip


def viewer_of(eyes: str, book: Book) -> int | None:
    """The viewer that `--as` names; None: that of the token."""
    if not eyes:
        return None
    seats = {letter(seat).lower(): seat for seat in range(book.manifest.seats)}
    named = {**seats, "public": PUBLIC, "official": OFFICIAL}
    if eyes.lower() not in named:
        known = ", ".join([*map(letter, seats.values()), "public", "official"])
        raise BadValue(
            phrase("{eyes!r} is not one of {known}", eyes=eyes, known=known), param_hint="--as"
        )
    return named[eyes.lower()]


def own_view(client: Client) -> int:
    """Through whose eyes a token sees."""
    who = client.who_am_i()
    if who.HasField("seat"):
        return int(who.seat)
    return PUBLIC if who.role == "public" else OFFICIAL


def point_of(decision: int | None, seq: int | None, time: str | None) -> Point:
    """The point that the options name; none: now."""
    if sum(given is not None for given in (decision, seq, time)) > 1:
        raise Misused("name one point: --decision, --seq or --time")
    return Point(decision, seq, None if time is None else milliseconds(time))


def milliseconds(text: str, hint: str = "--time") -> int:
    """`90`, `1:30` or `1:02:03.5` in milliseconds; `hint` is what was typed there."""
    try:
        parts = [float(part) for part in text.split(":")]
    except ValueError:
        parts = []
    if not 0 < len(parts) <= 3 or any(part < 0 for part in parts):
        raise BadValue(phrase("{text!r} is no time such as 1:30", text=text), param_hint=hint)
    seconds = 0.0
    for part in parts:
        seconds = seconds * 60 + part
    return round(seconds * 1000)


def parse_point(text: str) -> Point:
    """A point in one word: `57` (a decision), `seq:600`, `1:30` (a time), `now`."""
    if text == "now":
        return Point()
    kind, _, rest = text.partition(":")
    if text.isdecimal() or (kind == "decision" and rest.isdecimal()):
        return Point(decision=int(rest or text))
    if kind == "seq" and rest.isdecimal():
        return Point(seq=int(rest))
    try:
        return Point(time=milliseconds(text))
    except click.BadParameter:
        raise BadValue(
            phrase(
                "{text!r} is no point; say a decision (57), an entry (seq:600), a time "
                "(1:30), or now",
                text=text,
            )
        ) from None


class Reader:
    """A match seen through a client: which one it is, and the book to read it with."""

    def __init__(self, client: Client, match: str) -> None:
        self.client = client
        self.id = no_file(match) or _newest(client)

    @cached_property
    def summary(self) -> Any:
        """The summary of the match without its table.

        Faults of its record are reported first, for all views of it.
        """
        found = self.client.match(self.id)
        if found.broken:
            text = phrase(
                "match {id}: {broken}; nothing is proven of it", id=self.id, broken=found.broken
            )
            console(stderr=True).print(text, style="bold red")
        return found

    @cached_property
    def book(self) -> Book:
        """Its game's manifest, cards and rules; the cards that the match brought are among them."""
        return fetch_book(self.client, self.summary.game).further(self.summary.prints)


def _newest(client: Client) -> str:
    for found in client.list_matches():
        return found.id
    raise Failed("there are no matches", MISSING)


def book_to_open(client: Client, game: str, edition: str) -> Book:
    """The book of a game that something is to be opened of; raises `Failed`."""
    from replay_cli.typed import games

    return fetch_book(client, games.chosen(game, edition, [one.name for one in client.games()]))


def fetch_book(client: Client, game: str) -> Book:
    """A game's book from a server's catalogue."""
    cards = {
        card.id: CardFacts(card.id, card.name, card.type, _Facts(card.facts))
        for card in client.cards(game)
    }
    rules = {rule.id: Gist(rule.id, rule.kind, rule.gist) for rule in client.rules(game)}
    ready, forms = client.listed(game)
    decks = {name: {part: tuple(ids) for part, ids in deck.items()} for name, deck in ready.items()}
    return Book(client.manifest(game).in_language(language()), cards, rules, decks, forms)


class _Facts(Mapping[str, Any]):
    """What the catalogue says of a card, converted when it is asked for: of most it never is."""

    def __init__(self, struct: Any) -> None:
        self._struct = struct

    @cached_property
    def _converted(self) -> dict[str, Any]:
        from google.protobuf.json_format import MessageToDict

        return {key: _whole(value) for key, value in MessageToDict(self._struct).items()}

    def __getitem__(self, key: str) -> Any:
        return self._converted[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._converted)

    def __len__(self) -> int:
        return len(self._converted)


def _whole(value: Any) -> Any:
    """JSON numbers are floats on the wire; figures are integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {key: _whole(one) for key, one in value.items()}
    return value
