"""Gathers the content of a dispute page, from a match as one viewer sees it.

Everything but the verdict is made from that viewer's entries, so a page tells him nothing that he
may not know. The parts are made in the modules beside this one; what they fill in is `model`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from domain.record.points import Point
from domain.record.position import Position
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.telling.book import Book
from domain.telling.names import letter, player
from domain.telling.record import Record, Taken
from domain.words.phrases import Phrase, phrase
from replay_cli.dispute import decided, desk, following, refused
from replay_cli.dispute.following import Stretch
from replay_cli.dispute.knowledge import knowledge
from replay_cli.dispute.model import (
    FORMAT,
    Board,
    Dispute,
    MatchFacts,
    Player,
    Rule,
    Verified,
)
from replay_cli.dispute.tables import plain, shown
from replay_cli.output import MISSING, Failed, say
from replay_cli.reaching.source import Source
from service.client.connection import CallError


class Wanted(Struct, frozen=True):
    """The subject of a page: decision `n`, or an entry, or a turn (of a game; 0: the last such).

    `acts` are asked about, as typed; `choices` says after how many further choices it ends.
    """

    n: int = 0
    entry: int = 0
    turn: int = 0
    game: int = 0
    acts: tuple[str, ...] = ()
    choices: int = 1


#: Says line by line what is proven of a match, and what is not.
Prove = Callable[[Source], Sequence[str]]


def not_proven(at: Source) -> Sequence[str]:
    """The line for a page whose record nobody audits."""
    return (phrase("not proven here: that the record was not changed since it was written"),)


def gather(at: Source, wanted: Wanted, prove: Prove = not_proven) -> Dispute:
    """The page; raises `Failed` where there is no such decision."""
    record, book = at.record, at.book
    about = _decisions(record, wanted)
    first, numbers = about[0], list(dict.fromkeys(one.n for one in about))
    stretch = _stretch(record, book, about, wanted)
    asked_at = record.find(Point(decision=first.n))
    made = [one.made for one in about if one.made]
    closed = (max if wanted.turn else min)(made, default=asked_at + 1)  # once, if undone since
    views = {viewer: _seen(record, viewer, at.viewer) for viewer in _viewers(at.viewer, book)}
    spoken = [*desk.officials(record, book, numbers, first.seq, closed)]
    pos = record.after(asked_at)
    page = Dispute(
        FORMAT,
        _name(at.viewer),
        plain(_called(at.viewer)),
        plain(_title(book, about, wanted)),
        wanted.entry,
        _facts(at.id, pos),
        tuple(decided.answered(record, book, one) for one in about),
        tuple(_board(book, view, asked_at, viewer) for viewer, view in views.items()),
        tuple(following.happenings(record, book, stretch, wanted.entry)),
        plain(stretch.ends),
        _board(book, record, stretch.last, at.viewer),
        tuple(refused.asked(at, first.n, text) for text in wanted.acts),
        tuple(knowledge(book, pos, at.viewer)),
        tuple(one for one in spoken if one.what != desk.LOOK),
        tuple(one for one in spoken if one.what == desk.LOOK),
        _verified(at),
        tuple(map(plain, prove(at))),
        (),
        () if wanted.turn else tuple(refused.not_offered(at, first, pos)),
    )
    return _with_rules(page, book)


# -- what it is about ------------------------------------------------------------------------------


def _decisions(record: Record, wanted: Wanted) -> list[Taken]:
    """The decisions that are meant, in order; raises `Failed`."""
    if wanted.turn:
        found = [one for one in record.decisions if one.turn == wanted.turn and not one.abandoned]
        games = {one.n: _game(record, one) for one in found}
        game = wanted.game or max(games.values(), default=0)
        found = [one for one in found if games[one.n] == game]
        missing = phrase("this match has no decision in turn {n}", n=wanted.turn)
    elif wanted.entry:
        there, count = record.lying(wanted.entry)
        seqs = {entry.seq for entry in there.line[:count]}
        opened = [one for one in record.decisions if one.seq in seqs]
        last = max((one.n for one in opened), default=0)
        found = [one for one in opened if one.n == last]
        missing = phrase("there is no decision before entry {seq}", seq=wanted.entry)
    else:
        found = [one for one in record.decisions if one.n == wanted.n]
        missing = phrase("in this match there is no decision {n}", n=wanted.n)
    if not found:
        raise Failed(missing, MISSING)
    return found


def _game(record: Record, one: Taken) -> int:
    return record.after(one.seq).game


def _stretch(record: Record, book: Book, about: Sequence[Taken], wanted: Wanted) -> Stretch:
    """The entries to show after it: of a decision that was made again, after the last time."""
    if wanted.turn:
        return following.of_turn(record, about[0].seq)
    meant = about[-1]
    return following.after_choice(
        record, book, meant.made or meant.seq, wanted.choices, wanted.entry
    )


def _title(book: Book, about: Sequence[Taken], wanted: Wanted) -> Phrase:
    one = about[0]
    if wanted.turn:
        return phrase("turn {n}", n=wanted.turn)
    kind = book.manifest.label("decisions", one.kind)
    decision = phrase("decision {n}, {player}: {kind}", n=one.n, player=player(one.seat), kind=kind)
    if wanted.entry:
        return phrase("entry {seq}, after {decision}", seq=wanted.entry, decision=decision)
    return decision


# -- for whom --------------------------------------------------------------------------------------


def _viewers(viewer: int, book: Book) -> list[int]:
    """Through whose eyes the table is shown to a viewer: his own first, then those he may use."""
    if viewer == OFFICIAL:
        return [OFFICIAL, *range(book.manifest.seats), PUBLIC]
    return [viewer] if viewer == PUBLIC else [viewer, PUBLIC]


def _seen(record: Record, viewer: int, own: int) -> Record:
    return record if viewer == own else Record([redact(entry, viewer) for entry in record.log])


def _name(viewer: int) -> str:
    return {OFFICIAL: "official", PUBLIC: "public"}.get(viewer) or letter(viewer)


def _called(viewer: int) -> Phrase:
    if viewer == OFFICIAL:
        return phrase("officials")
    return phrase("the public") if viewer == PUBLIC else player(viewer)


def _board(book: Book, view: Record, seq: int, viewer: int) -> Board:
    caption = phrase("as {viewer} saw it", viewer=_called(viewer))
    if viewer == OFFICIAL:
        caption = phrase("everything that was recorded")
    return Board(_name(viewer), plain(caption), shown(book, view.after(seq), max(viewer, 0)))


# -- facts -----------------------------------------------------------------------------------------


def _facts(name: str, pos: Position) -> MatchFacts:
    heading = pos.heading
    opened = datetime.fromtimestamp(heading.at / 1000, UTC).isoformat(timespec="seconds")
    return MatchFacts(
        name,
        heading.game,
        heading.engine,
        heading.mode,
        heading.best_of,
        opened,
        tuple(
            Player(seat, letter(seat), player_name, heading.decks.get(seat, ("", None))[0])
            for seat, player_name in enumerate(heading.seats)
        ),
        tuple(sorted(heading.labels.items())),
        heading.fork,
    )


def _verified(at: Source) -> Verified:
    try:
        found = at.verdict()
    except CallError as error:
        return Verified("unknown", 0, error.text, 0, 0)
    return Verified(found.kind, found.seq, plain(found.reason), found.entries, found.decisions)


def _with_rules(page: Dispute, book: Book) -> Dispute:
    """The page with all the rules that it cites, in the order in which they first stand there."""
    cited = dict.fromkeys(_cited(page))
    rules = tuple(Rule(cite, say(book.gist(cite))) for cite in cited)
    return replace(page, rules=rules)


def _cited(page: Dispute) -> Iterator[str]:
    for one in page.decisions:
        yield from (*one.asked_by, *one.allowed_by)
    for line in page.followed:
        yield from line.rules
    for question in page.asked:
        yield from question.rules
    for missing in page.not_offered:
        yield from missing.rules
    for spoken in (*page.officials, *page.looks):
        yield from spoken.rules
