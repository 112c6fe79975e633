"""The tags of a transcript: the terms of the match, and its result.

`written` makes them from a position's heading, `opening` turns them into what a match is opened
with. What the rulebook settles (version, digests) or the acts bring about (the result) is written,
and only compared when it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import asdict

from domain.engine.match import MODES, Deck, Opening
from domain.engine.rulebook import IMPORTED, Rulebook
from domain.record.events import Origin
from domain.record.position import Heading, Position, seat_letter
from domain.record.schema.policy import Clocks, EndOfTime, PenaltyKind, Policy
from domain.record.views import OFFICIAL, PUBLIC
from domain.text import decklists
from domain.text.transcript.lines import SEATS, BadTranscript, Tag
from domain.words.phrases import joined, message_of, phrase

VERSION = "1"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# -- writing ---------------------------------------------------------------------------------------


def written(p: Position, viewer: int, origin: Origin | None) -> list[Tag]:
    """The tags of a match, in their order; `p` is the position as the viewer sees it at the end."""
    h = p.heading
    tags = [
        ("Kifu", VERSION),
        ("Game", h.game),
        ("Engine", h.engine),
        ("Mode", h.options.get(IMPORTED, h.mode)),
        ("BestOf", h.best_of),
        ("Date", date(h.at)),
        *_seats(h),
        ("Viewer", viewer_name(viewer)),
        ("Result", result(p)),
    ]
    if origin is not None:
        tags.append(("ForkOf", f"{origin.match} {origin.seq}"))
    options = {key: value for key, value in h.options.items() if key != IMPORTED}
    superseded = [scored(one.winner, one.score) for one in p.results[:-1]]
    more = {
        "Superseded": superseded,
        "Chance": h.chance,
        "Labels": h.labels,
        "Options": options,
        "Policy": _policy(h.policy),
    }
    tags += [(name, value) for name, value in more.items() if value]
    tags += [("Print", card) for card in h.prints]
    tags.append(("Digests", h.digests))
    return [Tag(name, value) for name, value in tags]


def _seats(h: Heading) -> Iterator[tuple[str, Any]]:
    for seat, name in enumerate(h.seats):
        letter = seat_letter(seat)
        yield f"Seat{letter}", name
        deck, parts = h.decks.get(seat, ("", None))
        yield f"Deck{letter}", deck
        if parts is not None:
            yield f"List{letter}", {part: decklists.rows(cards) for part, cards in parts.items()}


def date(at: int) -> str:
    """Milliseconds since 1970 as a date."""
    moment = _EPOCH + timedelta(milliseconds=at)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def viewer_name(viewer: int) -> str:
    """A viewer as he is called."""
    return {OFFICIAL: "official", PUBLIC: "public"}.get(viewer) or seat_letter(viewer)


def result(p: Position) -> str:
    """The winner and the games won: `A 2-1`, `draw 1-1`; `*` while it goes on."""
    return scored(p.winner, p.score) if p.over else "*"


def scored(winner: int, score: Sequence[int]) -> str:
    """A result as it is written."""
    won = "-".join(map(str, score))
    return f"{seat_letter(winner) if winner >= 0 else 'draw'} {won}"


def _policy(policy: Policy) -> dict[str, Any]:
    """The differences of a policy from the default."""

    def differing(value: Any, usual: Any) -> dict[str, Any]:
        return {k: v for k, v in asdict(value).items() if v != getattr(usual, k)}

    found = differing(policy, Policy())
    for name, usual in (("clocks", Clocks()), ("end", EndOfTime())):
        if name in found:
            found[name] = differing(found[name], usual)
    if "penalties" in found:
        found["penalties"] = [differing(kind, PenaltyKind("")) for kind in found["penalties"]]
    return found


# -- reading ---------------------------------------------------------------------------------------


class Tags:
    """The tags of a text, by name."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self._tags: dict[str, Tag] = {}
        self.prints = tuple(str(tag.value) for tag in tags if tag.name.lower() == "print")
        for tag in tags:
            name = tag.name.lower()
            if name in self._tags and name != "print":
                raise BadTranscript(tag.line, phrase("there are two tags {name}", name=tag.name))
            self._tags[name] = tag

    def line(self, name: str) -> int:
        """Where a tag stands; the first line where it does not."""
        found = self._tags.get(name.lower())
        return found.line if found is not None else 1

    def get(self, name: str, usual: Any = None) -> Any:
        """The value of a tag; it must be of the usual one's type, if there is one."""
        found = self._tags.get(name.lower())
        if found is None:
            return usual
        if usual is not None and not isinstance(found.value, type(usual)):
            if isinstance(usual, int) and str(found.value).isdecimal():
                return int(found.value)
            raise BadTranscript(
                found.line, phrase("{name} can't be {value!r}", name=found.name, value=found.value)
            )
        return found.value


def opening(tags: Tags, rules: Rulebook, lists: Mapping[int, Deck]) -> Opening:
    """The terms that open the match; `lists` are decks that the text does not contain, by seat."""
    n, mode = rules.manifest.seats, str(tags.get("Mode", "table"))
    if mode not in MODES:
        raise BadTranscript(
            tags.line("Mode"),
            phrase("Mode is {modes}, not {mode!r}", modes=joined(" or ", MODES), mode=mode),
        )
    seats = tuple(str(tags.get(f"Seat{SEATS[seat]}", SEATS[seat])) for seat in range(n))
    return Opening(
        seats,
        tuple(_deck(tags, seat, rules, lists) for seat in range(n)),
        _at(tags),
        tags.get("BestOf", 1),
        "table",
        _plain(tags, "Labels", (str,)),
        {
            **_plain(tags, "Options", (str, int, bool, type(None))),
            IMPORTED: mode,
        },
        policy=_policy_of(tags),
        prints=tags.prints,
        chance=str(tags.get("Chance", "")),
    )


def _plain(tags: Tags, name: str, kinds: tuple[type, ...]) -> dict[str, Any]:
    facts = tags.get(name, {})
    if not all(isinstance(value, kinds) for value in facts.values()):
        raise BadTranscript(
            tags.line(name), phrase("{name} can't be {facts!r}", name=name, facts=facts)
        )
    return dict(facts)


def _deck(tags: Tags, seat: int, rules: Rulebook, lists: Mapping[int, Deck]) -> Deck:
    letter = SEATS[seat]
    name = str(tags.get(f"Deck{letter}", ""))
    listed = tags.get(f"List{letter}", {})
    line = tags.line(f"List{letter}")
    if listed:
        try:
            return Deck(name, {str(part): _cards(line, rows) for part, rows in listed.items()})
        except (TypeError, AttributeError):
            raise BadTranscript(line, phrase('a list is {PART: ["2 CARD", …]}')) from None
    if seat in lists:
        return Deck(name, lists[seat].parts)
    if name in rules.decks:
        return Deck(name, rules.decks[name])
    line = tags.line(f"Deck{letter}")
    raise BadTranscript(
        line,
        phrase(
            "the list of {letter} is not stated, and there is no deck {name!r}",
            letter=letter,
            name=name,
        ),
    )


def _cards(line: int, rows: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(rows, list):
        raise TypeError
    try:
        return tuple(decklists.cards(rows))
    except ValueError as error:
        raise BadTranscript(line, message_of(error)) from None


def _at(tags: Tags) -> int:
    text = str(tags.get("Date", date(0)))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadTranscript(tags.line("Date"), phrase("{text!r} is no date", text=text)) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def _policy_of(tags: Tags) -> Policy:
    facts = dict(tags.get("Policy", {}))
    try:
        if "penalties" in facts:
            facts["penalties"] = tuple(PenaltyKind(**kind) for kind in facts["penalties"])
        if "clocks" in facts:
            facts["clocks"] = Clocks(**facts["clocks"])
        if "end" in facts:
            end = facts["end"]
            facts["end"] = EndOfTime(**{**end, "tiebreaks": tuple(end.get("tiebreaks", ()))})
        return msgspec.json.decode(msgspec.json.encode(Policy(**facts)), type=Policy)
    except (TypeError, AttributeError, ValueError) as error:
        raise BadTranscript(
            tags.line("Policy"), phrase("the policy can't be meant: {error}", error=error)
        ) from None


def viewer_of(tags: Tags) -> int:
    """Through whose eyes a text was written; an official's if it does not say."""
    text = str(tags.get("Viewer", "official"))
    named = {"official": OFFICIAL, "public": PUBLIC}
    named |= {letter.lower(): seat for seat, letter in enumerate(SEATS)}
    if text.lower() not in named:
        raise BadTranscript(tags.line("Viewer"), phrase("{text!r} is no viewer", text=text))
    return named[text.lower()]
