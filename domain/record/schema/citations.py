"""Citations: the rule index of a game and what a citation may look like.

An id has a space and a number: `gcg:7-6-2-4` is a rule of a book, `gcg@1.9:8-5-2-3` one of a later
edition, where the edition is not known otherwise (`Numbers`), `card:ST01-004/deploy` the text
of a card, `reading:gcg/13` an adopted reading of an ambiguous rule, a row of the index as well,
`house:…` our own procedure, `policy:…` an event's, `ruling:…` an official's, `trm:5.2` a section of
a publisher's manual (`manuals`). An id that exists nowhere is a bug; `known` finds it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

#: Procedures of the recorder itself, where no book says anything.
HOUSE = {
    "house:open": "An organiser opens the match; both lists are handed in before it starts.",
    "house:limited": "An event may play by a list of banned and restricted cards.",
    "house:pool": "A deck built from a pool may have every copy in it, and has a size of its own.",
    "house:released": "An event may bar cards that have not been out for long.",
    "house:sideboard": "An event may have lists with a sideboard, of a set size.",
    "house:begin": "A match may be opened to wait; until it begins nothing is asked and timed.",
    "house:chance": "Where chance comes from is on the record, with what binds those who bring it.",
    "house:concede": "A player may concede a game at any time.",
    "house:series": "A series is decided by games won; nobody wins a game that both lose.",
    "house:shuffle": "Who shuffled real cards, and who cut, may be recorded.",
    "house:side": "Between the games of a series a list is made again out of its cards.",
    "house:loser": "Who lost a game of a series chooses who begins the next.",
    "house:chooser": "An event may say which seat chooses who begins the first game of a match.",
    "house:position": "An official lays out a position, by which a scenario begins.",
    "house:named": "A card of a real table is named once it is turned up, out of the list.",
    "house:time": "Once time is called, play goes on as the event's policy says, then it decides.",
    "house:clock": "An official sets a clock, or states that it has run out.",
    "house:policy": "What an event has settled is part of the record, and must fit its game.",
    "house:official": "What officials do is recorded, with who did it and why.",
    "house:ruling": "An official rules on what happened or on what may be done.",
    "house:penalty": "An official penalises a seat by the scheme of the event.",
    "house:note": "The scorekeeper may add notes to the record.",
    "house:pause": "While an official has a match stand still, no seat may act.",
    "house:implied": "At a real table the next act implies the passes before it, by either seat.",
    "house:auto-pass": "A seat may set an auto-pass, and withdraw it at any time.",
    "house:look": "Where the event says so, officials' looks at hidden information are recorded.",
    "house:irregularity": "An official may let an illegal play stand, marked.",
    "house:correction": "An official corrects a position, where the rulebook can go on from it.",
    "house:rewind": "An official rewinds a match to a decision; undone entries stay readable.",
    "house:undo": "The scorekeeper of a real table may undo his last entry.",
    "house:fork": "Officials may play a copy of a match from any decision on; it is unofficial.",
    "house:prints": "A match may bring cards outside the catalogue; they are part of its record.",
    "house:bounds": "Stated numbers and those computed from them stay within limits.",
    "house:result": "After the end of a match officials may correct its result; the old one stays.",
    "house:endless": "What does not end by itself is stopped, and an official rules on it.",
    "house:hindsight": "What forbade an earlier act is answered from what the asker saw then.",
    "house:engine": "A match stays with the engine that records it, until a newer one is adopted.",
    "house:event": "What happens at an event is on its record, with who says so and when.",
    "house:event-list": "A list is checked as handed in, fixed once accepted, private till shown.",
    "house:event-pods": "Pods are drawn by a seed; who comes later is seated in the smallest.",
    "house:event-pool": "A player's pool is registered till that is closed, private till shown.",
    "house:event-pairing": "In a round a player has one place; who has dropped has none.",
    "house:event-round": "A round is paired, opened, started, ended in this order; then the next.",
    "house:event-result": "A table has one result; it may be corrected at any time, with a reason.",
    "house:event-clock": "Officials set the clocks of a round that is played, for all or for some.",
    "house:event-call": "A table may call a judge; an official takes the call, and settles it.",
    "house:event-penalty": "Penalties of a player are kept across rounds, by the event's scheme.",
    "house:event-decks": "Decks are drawn by chance to be checked; officials say how they were.",
    "house:declared": "Text the catalogue can't express is declared by its controller.",
}


@cache
def manuals() -> Mapping[str, str]:
    """What sections of publishers' manuals say, in our own words, by their ids."""
    from importlib import resources  # which a lookup of a rule need not load

    with (resources.files(__package__) / "manuals.tsv").open(encoding="utf-8") as rows:
        return {row["id"]: row["gist"] for row in csv.DictReader(rows, delimiter="\t")}


def settled_by(cite: str) -> bool:
    """Whether something of an event may be cited so: as its own, or by a section of a manual."""
    return cite.startswith("policy:") or cite in HOUSE or cite in manuals()


#: Rows of a rule index that say what is read into a book where it leaves something open.
READING = "reading"


class Rule(NamedTuple):
    """A row of a rule index, in our own words; those of kind `READING` stand after the book's."""

    id: str
    kind: str
    gist: str
    witness: str
    was: tuple[str, ...] = ()
    change: str = ""


def load(source: Traversable) -> dict[str, Rule]:
    """A rule index from tab-separated id, kind, gist, witness; in the order of the book.

    That of a later edition goes on with the ids of the first edition that a row has taken the place
    of, and how it differs (`CHANGES`).
    """
    rows = csv.reader(
        source.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    lineage = next(rows)[4:] == ["was", "change"]
    return {
        row[0]: Rule(row[0], row[1], row[2], row[3], *(_lineage(*row[4:]) if lineage else ()))
        for row in rows
    }


#: How a row of a later edition differs from those that it was; the nearest first.
CHANGES = ("same", "renumbered", "wording", "meaning", "new")


def _lineage(was: str, change: str) -> tuple[tuple[str, ...], str]:
    return tuple(was.split()), change


class Numbers(dict[str, str]):
    """What the ids in code are called in a later edition; "" for what has gone from the book.

    Code cites the first edition, `gcg:7-6-2`, and what that does not have by the edition that has
    it, `gcg@1.9:13-1-7`. Of several rows that an old id was, the nearest to it is cited. Raises
    `KeyError` for an id of the book that this edition and the first have not.
    """

    def __init__(self, edition: str, first: Mapping[str, Rule], rules: Mapping[str, Rule]) -> None:
        super().__init__(dict.fromkeys(first, ""))
        spaces = {re.escape(re.split(r"[:/](?=[^:/]*$)", id_)[0]) for id_ in first}
        self.own = re.compile(rf"(?<![\w:])(?:{'|'.join(spaces)})(?:@[\w.]+)?[:/]\d[\w-]*")
        for change in reversed(CHANGES):  # what is written last stays
            for rule in reversed(list(rules.values())):
                if rule.change == change:
                    self.update(dict.fromkeys(rule.was, rule.id))
                    self[in_full(rule.id, edition)] = rule.id

    def __missing__(self, cite: str) -> str:
        if self.own.match(cite):
            raise KeyError(cite)
        return cite

    def within(self, text: str) -> str:
        """A text that cites as code does, as this edition does."""
        return self.own.sub(lambda found: self.get(found[0], found[0]), text)

    def cited(self, cites: Iterable[str]) -> tuple[str, ...]:
        """The citations of an entry or a refusal, as this edition numbers them."""
        return tuple(dict.fromkeys(now for cite in cites if (now := self[cite])))


def without_edition(game: str) -> str:
    """The name of a game that is given in an edition of its book (`GAME@EDITION`)."""
    return game.partition("@")[0]


#: Those of the later editions that were loaded, by game.
NUMBERS: dict[str, Numbers] = {}


def in_full(cite: str, edition: str) -> str:
    """A rule or a reading with its edition: `gcg@1.9:7-6-2`, `reading:gcg@1.9/3`."""
    at = cite.find("/" if cite.startswith("reading:") else ":")
    return f"{cite[:at]}@{edition}{cite[at:]}" if edition else cite


def digest(rules: Iterable[Rule]) -> str:
    """SHA-256 over the index, hex."""
    from hashlib import sha256  # which a lookup of a rule need not load

    text = "\n".join(f"{r.id}\t{r.kind}\t{r.gist}" for r in rules)
    return sha256(text.encode()).hexdigest()


def texts(cards: Mapping[str, Any]) -> frozenset[str]:
    """The ids by which cards may be cited: each as a whole, and each of its effects."""
    effects = (f"{id_}/{effect.name}" for id_, card in cards.items() for effect in _effects(card))
    return frozenset((*cards, *effects))


def _effects(card: Any) -> Iterable[Any]:
    found: Iterable[Any] = getattr(card, "effects", ())
    return found


def known(cite: str, rules: Mapping[str, Rule], texts: Container[str]) -> bool:
    """Whether a citation names something that exists."""
    space, _, rest = cite.partition(":")
    if space == "card":
        return rest in texts
    if space in ("policy", "ruling"):
        return bool(rest)
    return cite in rules or cite in HOUSE or cite in manuals()
