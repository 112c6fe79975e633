"""Draws the parts of the table's page: the board, the last lines, and what may be tapped.

Every act that is drawn is remembered by its text (`kept.Kept.shown`): a tap records what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from domain.engine.opening import terms
from domain.record.decisions import Offer
from domain.record.position import seat_of, zone_of
from domain.record.values import Ref
from domain.scorekeeping import picking, taps
from domain.scorekeeping.command import (
    NOBODY_KNOWS,
    Command,
    NamesMissing,
    Outcome,
    Rejected,
    RollMissing,
)
from domain.scorekeeping.line.questions import Question, naming, roll_question
from domain.scorekeeping.suggestions.suggest import Row
from domain.scorekeeping.taps import Tap
from domain.scorekeeping.understanding.understood import Understood
from domain.telling import notices
from domain.telling.board import board_of
from domain.telling.names import Names, clock_name, letter
from domain.telling.narration.narrator import Line
from domain.text import foreign
from domain.tournament.state import place_of
from service.web.answers import rendered
from service.web.board.zones import laid_shared, laid_side
from service.web.cards.linking import linked, own_cards
from service.web.table import bringing
from service.web.table.kept import Keeper
from service.web.table.recording import Result, Several, Unsure

#: How many lines of the transcript are shown.
LINES = 30


def state(keeper: Keeper, near: int) -> dict[str, Any]:
    """The parts of the page, after the last entry, with seat `near` at the bottom."""
    session = keeper.session
    return {
        "seq": session.seq,
        "over": session.pos.over,
        "html": {
            "head": _part(keeper, "head", **_head(keeper)),
            "board": _part(keeper, "board", **_board(keeper, near)),
            "lines": _part(
                keeper, "lines", lines=_last(keeper), letter=letter, linked=_linked(keeper)
            ),
            "dock": dock(keeper),
        },
        "undo": keeper.language.say(_undone(keeper)),
        "clocks": _clocks(keeper),
        "rules": keeper.rules,
    }


def dock(keeper: Keeper) -> str:
    """What may be tapped while nothing is typed."""
    line, pos = keeper.kept.line, keeper.session.pos
    usual = taps.usual(line)
    chips = taps.chips(line)
    _remember(keeper, filter(None, (usual, *chips)))
    several = picking.possible(line)
    waits = pos.heading.waits
    labels = pos.heading.labels
    return _part(
        keeper, "dock",
        usual=usual, chips=chips, several=several,
        begins=waits == terms.OFFICIAL,
        waits=notices.waiting(waits, labels) if waits else "",
        over=notices.won(pos.winner, pos.score) if pos.over else "",
    )  # fmt: skip


def understood(keeper: Keeper, found: Understood) -> str:
    """What a typed line means, and what else it may mean."""
    line = keeper.kept.line
    first = taps.tap(line, found.command) if found.command is not None else None
    rows = [taps.tap(line, one.command, one.alike) for one in found.rows if isinstance(one, Row)]
    rows = [one for one in rows if first is None or one.text != first.text]
    _remember(keeper, filter(None, (first, *rows)))
    return _part(
        keeper, "line",
        typed=found.typed, first=first, refused=found.refused, problem=found.problem, rows=rows,
        gists=_gists(keeper, found.refused), rules=keeper.rules,
    )  # fmt: skip


def of_place(keeper: Keeper, place: str) -> str:
    """What may be done with the cards of a place."""
    pos, line = keeper.session.pos, keeper.kept.line
    lying_unseen = taps.lying(pos, place)
    unseen = taps.of_unseen(line, lying_unseen)
    known = [n for n in pos.zone(place) if n and pos.card(n).id]
    acts = [one for one in taps.chips(line) if {*known} & {*one.refs}]
    _remember(keeper, (*unseen, *acts))
    title = Names(keeper.session.book, pos).place(place)
    lying = [(n, keeper.session.book.name(pos.card(n).id)) for n in known]
    return _part(
        keeper,
        "place",
        title=title,
        zone=zone_of(place),
        n=len(pos.zone(place)),
        unseen=unseen,
        acts=acts,
        lying=lying,
        lines=(),
        renaming="",
        names=taps.unused(line, lying_unseen, unseen),
        first=lying_unseen[0] if lying_unseen else 0,
    )


def of_card(keeper: Keeper, number: int) -> str:
    """What may be said of a card: what it can do, and what may be typed of it."""
    pos, line = keeper.session.pos, keeper.kept.line
    unseen = taps.of_unseen(line, [number]) if not pos.card(number).id else []
    acts = [one for one in taps.chips(line) if number in one.refs]
    _remember(keeper, (*unseen, *acts))
    called = line.table(pos.card(number).controller).called(number)
    photo, has_photo = bringing.photo_of(keeper, pos.card(number).id)
    return _part(
        keeper, "place", title=_linked(keeper)(called), zone="", n=0, unseen=unseen, acts=acts,
        lying=(), lines=[*taps.verbs(line, number)], names={}, first=number,
        renaming=taps.renaming(line, number), photo=photo, has_photo=has_photo,
    )  # fmt: skip


def of_picks(keeper: Keeper, of: tuple[int, int], picked: Sequence[tuple[Ref, str]]) -> str:
    """What may be picked next for an act; the dock, if it is none for which several may be."""
    found = picking.going_on(keeper.kept.line, *of, picked)
    if found is None:
        return dock(keeper)
    _remember(keeper, filter(None, (found.tap,)))
    return _part(keeper, "picks", found=found)


def of_named(keeper: Keeper, number: int, card: str, found: Sequence[tuple[Command, Offer]]) -> str:
    """The acts of a card that was named, by what the service offers it at each decision."""
    line = keeper.kept.line
    rows = [one for asked, offer in found for one in taps.named(line, number, asked, offer)]
    rows = [*{one.bare: one for one in reversed(rows)}.values()][::-1]
    _remember(keeper, rows)
    return _part(
        keeper, "place", title=keeper.session.book.name(card), zone="", n=0, unseen=rows, acts=(),
        lying=(), lines=() if rows else [*taps.verbs(line, number, card)], names={}, first=number,
        renaming="",
    )  # fmt: skip


def result(keeper: Keeper, found: Result) -> dict[str, str]:
    """What became of a tap, where it was not recorded: a question, or why not."""
    outcome, command = found.outcome, found.command
    match outcome:
        case Rejected():
            html = _part(
                keeper, "refused",
                text=keeper.kept.line.shown(command) if command is not None else "",
                refused=outcome, gists=_gists(keeper, outcome),
                anyway=keeper.rules and bool(outcome.rules) and command is not None,
            )  # fmt: skip
            return {"refused": html}
        case Several(ways=ways):
            _remember(keeper, ways)
            return {"asked": _part(keeper, "ways", ways=ways)}
        case Unsure(text=text):
            return {"unsure": keeper.language.say(text)}
        case NamesMissing() | RollMissing() if command is not None:
            return {"asked": asked(keeper, _question(keeper, outcome, command), "")}
    return {}


def _question(keeper: Keeper, outcome: Outcome, command: Any) -> Question:
    if isinstance(outcome, NamesMissing):
        return naming(keeper.session, command, outcome.cards)
    assert isinstance(outcome, RollMissing)
    return roll_question(keeper.session, outcome.kind, outcome.of)


def asked(keeper: Keeper, question: Question, typed: str) -> str:
    """A question that has to be answered first, with its answers."""
    answers = question.answers(typed)
    cards = getattr(question, "cards", ())
    return _part(
        keeper, "asked",
        question=question, typed=typed, answers=answers, nobody=NOBODY_KNOWS,
        card=cards[0][0] if cards else 0,
        order=getattr(question, "kind", "") == "order",
    )  # fmt: skip


# -- parts -----------------------------------------------------------------------------------------


def _part(keeper: Keeper, name: str, **more: Any) -> str:
    game, language = keeper.session.pos.heading.game, keeper.language
    return rendered(
        f"table/parts/{name}.html",
        language,
        shown=lambda text: foreign.shown(language.say(text), game, language.tag),
        **more,
    )


def _remember(keeper: Keeper, shown: Iterable[Tap]) -> None:
    keeper.kept.shown.update({one.text: one.command for one in shown})


def _gists(keeper: Keeper, refused: Rejected | None) -> Sequence[tuple[str, str]]:
    book = keeper.session.book
    return [(rule, book.gist(rule)) for rule in refused.rules[:2]] if refused is not None else ()


def _head(keeper: Keeper) -> dict[str, Any]:
    """Whose decision it is, and of which kind."""
    session = keeper.session
    pos, decision = session.pos, session.decision
    manifest = session.book.manifest
    return {
        "pos": pos,
        "asked": [(n, letter(n), pos.heading.seats[n]) for n in decision.seats] if decision else [],
        "kind": manifest.label("decisions", decision.kind) if decision is not None else "",
        "step": manifest.label("steps", pos.step) if pos.step else "",
        "place": place_of(keeper.match),
        "paused": pos.paused >= 0,
    }


def _board(keeper: Keeper, near: int) -> dict[str, Any]:
    """Both sides, the near one last."""
    session = keeper.session
    board = board_of(session.book, session.pos, near)
    *far, last = board.sides
    mat, seats = board.look.side, [side.seat for side in board.sides]
    shared, _ = laid_shared(board.shared, board.look.shared, seats)
    return {
        "board": board,
        "sides": [(laid_side(one, mat, -1), "far") for one in far]
        + [(laid_side(last, mat, 1), "near")],
        "shared": shared,
    }


def _last(keeper: Keeper) -> list[tuple[Line, bool]]:
    """The last lines, the latest first, and which are undone."""
    session = keeper.session
    found = session.lines[-LINES:][::-1]
    say = keeper.language.say
    return [(replace(one, text=say(one.text)), session.abandoned(one.seq)) for one in found]


def _linked(keeper: Keeper) -> Callable[[str], Markup]:
    """What puts links to what cards say into texts."""
    heading = keeper.session.pos.heading
    book = keeper.site.book(heading.game, keeper.language)
    own = own_cards(keeper.match, heading.prints)
    return linked(heading.game, book, keeper.language, own)


def _undone(keeper: Keeper) -> str:
    """What would be taken back: the last act that stands; empty: nothing."""
    session = keeper.session
    if session.pos.over:
        return notices.won(session.pos.winner, session.pos.score) if keeper.rules else ""
    acts = (
        line
        for line in reversed(session.lines)
        if line.kind == "act" and line.seat >= 0 and not session.abandoned(line.seq)
    )
    last = next(acts, None)
    return f"{letter(last.seat)} {keeper.language.say(last.text)}" if last is not None else ""


def _clocks(keeper: Keeper) -> list[dict[str, Any]]:
    pos = keeper.session.pos
    now = keeper.site.matches.clock() - pos.heading.at
    return [
        {
            "label": letter(seat_of(name)) if name.startswith("seat/")
            else keeper.language.say(clock_name(name)),
            "left": pos.left(name, now),
            "runs": pos.left(name, now + 1000) != pos.left(name, now),
        }
        for name in pos.clocks
    ]  # fmt: skip
