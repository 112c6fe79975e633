"""The manifest: a rulebook's declaration of its table, for code that knows no rules.

Zones with who sees faces and who can follow a card; steps, kinds of counters, marks, reasons and
acts, with their display names. Boards, transcripts and views are drawn from it; a word in the
record that its manifest does not declare is a bug (`wording.faults`). Its digest is in the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.record.position import seat_of, zone_of
from domain.record.proof.canonical import canonical
from domain.record.schema.citations import NUMBERS, Numbers, in_full, without_edition
from domain.record.values import EVERYONE, OFFICIALS
from domain.words.phrases import Phrase, joined, renamed, word
from domain.words.tables import Language


class Zone(Struct, frozen=True):
    """A kind of zone. `faces` and `follow` say who: `all`, `owner` or `none`.

    A card that lies face up is seen and followed by all wherever it lies; one that lies face down
    where all faces are seen may be looked at by `down`.
    `alike`: all its cards are the same, so that everybody knows which they are, seen or not.
    `shared`: one for all seats. `ordered`: the order means something. `orients`: the ways a card
    may lie, the one it arrives in first. `row` places it on a board (0 nearest the rival; -1: not
    drawn), `style` says how: `cards`, `passing` (cards; nothing while there are none), `stack` (a
    count), `pile` (a count and the top card), `counters` (what it holds, and no cards).
    """

    name: str
    label: str
    faces: str
    follow: str
    ordered: bool = False
    shared: bool = False
    orients: tuple[str, ...] = ()
    row: int = -1
    style: str = "cards"
    down: str = "none"
    alike: bool = False


class Word(Struct, frozen=True):
    """A word of the record and how people read it; `{…}` in a label is filled in by the reader."""

    name: str
    label: str


def words(*names: str | tuple[str, str] | Word) -> tuple[Word, ...]:
    """Words with their labels; a word that stands alone is read as it is."""
    pairs = ((one, one) if isinstance(one, str) else one for one in names)
    return tuple(pair if isinstance(pair, Word) else Word(*pair) for pair in pairs)


class Slots(Struct, frozen=True):
    """A zone of each seat with `n` places; a card's `mark` says in which it lies, from 1.

    `elsewhere` is the mark of a seat's card that lies elsewhere and holds one of them all the same.
    """

    zone: str
    mark: str
    n: int
    elsewhere: str = ""


class Conserved(Struct, frozen=True):
    """Counters of a kind none of which gets lost: a card that leaves hands them over.

    They go to the zone `to` of the card's owner, by this rule.
    """

    kind: str
    to: str
    rule: str


#: Words of the recorder itself, which every game declares beside its own.
REASONS = (
    Word("time", "time was over"),
    Word("penalty", "penalised with the game"),
    Word("match-loss", "penalised with the match"),
    Word("correction", "corrected"),
    Word("rewind", "put back"),
)
FRAMES = (Word("official", "official"),)
OUTCOMES = (
    Word("resolved", "resolved"),
    Word("declined", "declined"),
    Word("void", "void"),
    Word("fought", "fought"),
    Word("broken off", "broken off"),
)
DURATIONS = (Word("constant", "as long as its text holds"), Word("turn", "during this turn"))
CHANCES = (
    Word("shuffle", "a shuffle"),
    Word("order", "an order"),
    Word("chooser", "who chooses who begins"),
)
DAMAGES = (Word("battle", "battle damage"), Word("effect", "effect damage"))
#: What card texts ask for in all games (`effects.language.words.INSTRUCTIONS`).
ATTEMPTS = tuple(
    Word(name, name)
    for name in (
        "draw", "discard", "shuffle", "look", "damage", "recover", "destroy", "rest", "ready",
        "modify", "gain", "lose", "forbid", "allow", "control", "move", "deploy", "pair", "token",
        "perform", "one-of", "trigger",
    )
)  # fmt: skip


#: What it says of acts for those who enter or narrate them; reading a record needs nothing of it.
_ASIDE: dict[str, Any] = {
    "passes": (), "answers": {}, "chains": (), "signs": (), "free": (), "composed": {},
}  # fmt: skip

#: The lists of words.
KINDS = (
    "steps", "acts", "parts", "decisions", "counters", "stats", "marks", "reasons", "frames",
    "roles", "outcomes", "durations", "chances", "damages", "declarations", "attempts",
)  # fmt: skip


class Manifest(Struct, frozen=True, dict=True):
    """Everything a reader of the record needs to name what he sees."""

    game: str
    title: str
    prefix: str  # of this rulebook's rule ids, without the colon
    version: str
    zones: tuple[Zone, ...]
    steps: tuple[Word, ...]
    acts: tuple[Word, ...]
    parts: tuple[Word, ...]
    decisions: tuple[Word, ...]
    counters: tuple[Word, ...]
    stats: tuple[Word, ...]
    marks: tuple[Word, ...]
    reasons: tuple[Word, ...]
    frames: tuple[Word, ...]
    badges: tuple[str, ...] = ()  # the figures that a board shows beside a card, in order
    seats: int = 2
    roles: tuple[Word, ...] = ()  # as what a card lies with its host
    outcomes: tuple[Word, ...] = OUTCOMES
    durations: tuple[Word, ...] = DURATIONS
    chances: tuple[Word, ...] = CHANCES
    damages: tuple[Word, ...] = DAMAGES
    declarations: tuple[Word, ...] = ()  # the kinds of acts that are declared, and wait
    attempts: tuple[Word, ...] = ATTEMPTS  # what may turn out not to be done
    apart: tuple[str, ...] = ()  # the roles in which a card with a host lies in no zone
    conserved: tuple[Conserved, ...] = ()  # the kinds of counters of which none gets lost
    passes: tuple[str, ...] = ()  # the acts that let a chance to act go by
    slots: tuple[Slots, ...] = ()  # the zones whose places are counted
    answers: dict[str, tuple[str, ...]] = {}  # kinds of decisions, and the acts that they may get
    chains: tuple[str, ...] = ()  # the frames in which acts answer one another, the last done first
    signs: tuple[Word, ...] = ()  # for kinds of counters, badges, and how cards lie
    free: tuple[str, ...] = ()  # the acts that use nothing up: they may be done for ever
    composed: dict[str, tuple[str, ...]] = {}  # acts whose parts stand in fixed places, and these

    @property
    def name(self) -> str:
        """The name of the game, in whichever edition of its book."""
        return without_edition(self.game)

    @property
    def edition(self) -> str:
        """The edition of its rulebook, where that is a later one (`GAME@EDITION`); else empty."""
        return self.game.partition("@")[2]

    @property
    def numbers(self) -> Numbers | None:
        """What the ids in code are called here; None: as in the first edition."""
        return NUMBERS.get(self.game)

    def cited(self, cites: tuple[str, ...]) -> tuple[str, ...]:
        """What code cites, as the record does; `KeyError` for what this edition never heard of."""
        return self.numbers.cited(cites) if self.numbers is not None else cites

    def in_full(self, cites: Iterable[str]) -> tuple[str, ...]:
        """What the record cites, as code does: with the edition, where it is a later one."""
        own = (f"{self.prefix}:", f"reading:{self.prefix}/")
        return tuple(in_full(one, self.edition) if one.startswith(own) else one for one in cites)

    def zone(self, place: str) -> Zone:
        """The declaration behind a place (`hand/0`); `KeyError` if it is not declared."""
        return self._zones[zone_of(place)]

    def lies(self, role: str) -> bool:
        """Whether a card that is laid with a host in a role counts as lying in the host's zone."""
        return role not in self.apart

    def lies_up(self, place: str) -> bool:
        """Whether cards lie face up in a place by default."""
        return self.zone(place).faces == "all"

    def made(self, place: str, up: bool | None = None) -> int:
        """The audience that knows which cards are laid there from outside the game."""
        return EVERYONE if self.zone(place).alike else self.faces(place, up)

    def faces(self, place: str, up: bool | None = None) -> int:
        """The audience that sees the faces of cards in a place, lying as usual or as given."""
        zone = self.zone(place)
        if up:
            return EVERYONE
        down = zone.faces == "all" and up is not None
        return _audience(zone.down if down else zone.faces, place)

    def follow(self, place: str, up: bool | None = None) -> int:
        """The audience that can tell one card in a place from another."""
        return EVERYONE if up else _audience(self.zone(place).follow, place)

    def places(self) -> Iterator[str]:
        """Every place of the table, seat by seat, shared ones last."""
        for seat in range(self.seats):
            yield from (f"{zone.name}/{seat}" for zone in self.zones if not zone.shared)
        yield from (zone.name for zone in self.zones if zone.shared)

    def label(self, kind: str, name: str) -> Phrase:
        """The display name of a word of a kind (`steps`, `acts`, …); the word itself if none."""
        return self._words[kind].get(name) or Phrase(name)

    def sign(self, name: str) -> str:
        """The sign for a kind of counters, a badge or an orientation; "" if it has none."""
        return self._signs.get(name, "")

    def lying(self, orient: str) -> Phrase:
        """How a card lies, in words."""
        return word(orient, f"{self.name}/orients")

    def barred(self, act: str) -> Phrase:
        """The text of what is forbidden or allowed: a figure, or a word of card data (`attack`)."""
        plain = self.label("stats", act).replace("-", " ")
        if act in self._words["stats"]:
            return renamed(self.label("stats", act), plain)
        return word(plain, f"{self.name}/barred")

    @property
    def called(self) -> Phrase:
        """The title of the game."""
        title = word(self.title.removesuffix(f" {self.edition}"), f"{self.name}/title")
        return joined(" ", (title, self.edition)) if self.edition else title

    def in_language(self, language: Language) -> Manifest:
        """The manifest with its display names in another language."""
        labels = {
            kind: tuple(
                replace(one, label=language.say(self.label(kind, one.name)))
                for one in getattr(self, kind)
            )
            for kind in ("zones", *KINDS)
        }
        return replace(self, title=language.say(self.called), **labels)

    def words(self, kind: str) -> Mapping[str, Phrase]:
        """The words of a list (`zones`, `steps`, …) with their display names."""
        return self._words[kind]

    @cached_property
    def _zones(self) -> Mapping[str, Zone]:
        return {zone.name: zone for zone in self.zones}

    @cached_property
    def _signs(self) -> Mapping[str, str]:
        return {one.name: one.label for one in self.signs}

    @cached_property
    def _words(self) -> Mapping[str, Mapping[str, Phrase]]:
        return {
            kind: {one.name: word(one.label, f"{self.name}/{kind}") for one in getattr(self, kind)}
            for kind in ("zones", *KINDS)
        }

    def digest(self) -> str:
        """SHA-256 of the manifest, hex; what has its default is left out, however deep it lies."""
        return sha256(canonical(replace(self, **_ASIDE))).hexdigest()


def _audience(who: str, place: str) -> int:
    if who == "all":
        return EVERYONE
    return 1 << seat_of(place) if who == "owner" else OFFICIALS
