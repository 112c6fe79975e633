"""The event vocabulary: everything that can happen at any table, in any game.

An event says what changed, never how to compute it: `folding.fold` needs no rules to apply one.
What it may tell whom is decided by its `Sealed` fields (`values`, `views`); that it happened is
never a secret. Events of officials are in `interventions`; an entry is an event in its place
(`entries`).

Tags are stored and are also the field numbers of the wire message, so a tag is never reused.
Class names read as sentences (`CardsMoved`); `entries.name_of` gives public names (`cards.moved`).
The position that events add up to is in `position`; the verbs that emit them are in `engine.table`.
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.decisions import Act, Answer, Offer
from domain.record.schema.policy import Policy
from domain.record.values import Change, Fact, Ref, Sealed, Value


class Event(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of the closed union of all events (`entries.AnyEvent`)."""


class Origin(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a fork comes from: a match and the last of its entries that both share."""

    match: str
    seq: int


class Stated(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What somebody at a real table stated along with an act.

    `names` says which cards are which: those that were turned up by the act, or by what came of it.
    `offer` is what was open to the seat once its cards were named, and what its answer refers to;
    None: the offer as it stood. `who` entered it. An empty name: nobody can say any more which card
    of its hand that is, and the seat reads as much (`views.redact`).
    """

    names: tuple[tuple[int, str], ...] = ()
    offer: Offer | None = None
    who: str = ""


# -- the match ------------------------------------------------------------------------------------


class MatchOpened(Event, frozen=True, kw_only=True, tag=1):
    """A record begins. `at` is milliseconds since 1970; every later time counts from it.

    `mode` is `dealer` (the service deals) or `table` (real cards, known once they are named).
    `prints` are cards outside the catalogue, as JSON in the form of card data. `chance` says where
    it comes from (`proof.draws`), `commitment` is what the service is bound by where that is from
    seeds, under this `id`. `waits`: nothing is asked until the match begins
    (`interventions.MatchBegan`), by an official's word or once the seeds are there.
    """

    game: str
    engine: str
    digests: dict[str, str]  # "manifest", "rules", "cards": SHA-256, hex
    mode: str
    best_of: int
    seats: tuple[str, ...]
    labels: dict[str, str]
    options: dict[str, Value]
    at: int
    origin: Origin | None = None
    ticket: Sealed[str]
    policy: Policy = Policy()
    prints: tuple[str, ...] = ()
    chance: str = ""
    commitment: bytes = b""
    waits: str = ""
    id: str = ""


class DeckRegistered(Event, frozen=True, tag=2):
    """A seat hands in its list: how many cards each part has for all, which ones for the owner."""

    seat: int
    name: str
    sizes: dict[str, int]
    cards: Sealed[dict[str, tuple[str, ...]]]


class GameBegan(Event, frozen=True, tag=3):
    """Game `n` of the match (from 1) begins; a game of a series starts on an empty table."""

    n: int


class SeatLost(Event, frozen=True, tag=4):
    """These seats meet a condition of defeat, together."""

    seats: tuple[int, ...]
    why: str


class GameEnded(Event, frozen=True, tag=5):
    """A game is over; `winner` is -1 where nobody won."""

    winner: int
    why: str


class MatchEnded(Event, frozen=True, tag=6):
    """The record closes. `score` is games won, one number a seat; `winner` is -1 for a draw."""

    winner: int
    score: tuple[int, ...]


# -- the flow -------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True, tag=7):
    """Turn `n` (from 1, both seats counted) begins; `seat` is the turn player."""

    n: int
    seat: int


class StepBegan(Event, frozen=True, tag=8):
    """The game enters a step, named by its path in the manifest (`main/attack/block`)."""

    path: str


class FrameOpened(Event, frozen=True, tag=9):
    """Something with a beginning and an end opens: an attack, an effect, a window.

    `parent` is the frame it opens within (0: the match), `cause` the entry that set it off.
    """

    id: int
    kind: str
    parent: int
    cause: int
    facts: dict[str, Fact]


class FrameClosed(Event, frozen=True, tag=10):
    """A frame ends; `outcome` is empty where nothing special is to be said."""

    id: int
    outcome: str = ""


# -- decisions ------------------------------------------------------------------------------------


class DecisionOpened(Event, frozen=True, tag=11):
    """The game waits for somebody.

    `digest` is that of the position just before (`Position.digest`). `rest` marks a resting point:
    the step has emitted nothing yet, so that a rulebook can be started anew from here.
    """

    n: int
    seats: tuple[int, ...]
    kind: str
    about: Ref
    rest: bool
    digest: Sealed[bytes]


class OptionsOffered(Event, frozen=True, tag=12):
    """What one seat may choose from at decision `n`: legal options only."""

    n: int
    seat: int
    offer: Sealed[Offer]


class DecisionMade(Event, frozen=True, tag=13):
    """A seat's answer. `ms`: how long it took; `origin`: `seat`, `implied`, `timeout`, `official`.

    Or `auto`: an auto-pass of the seat gave it; everybody else reads `seat` there. `ticket` is what
    the sender named his command by, so that a repeat finds the first answer; a digest of
    what it said may follow (`name#digest`). Where the answer is not for all to read, `act` is what
    all can see of it: a card they can't tell apart is named by its place (`hand/0`).
    """

    n: int
    seat: int
    answer: Sealed[Answer]
    ms: int
    origin: str
    ticket: Sealed[str]
    act: Act | None
    stated: Sealed[Stated]


class Interjected(Event, frozen=True, tag=14):
    """An act that stands open beside any decision: conceding, tidying one's own trash."""

    seat: int
    kind: str
    about: Ref
    picks: Sealed[tuple[Ref, ...]]
    ticket: Sealed[str]
    stated: Sealed[Stated]


# -- cards ----------------------------------------------------------------------------------------


class CardsMade(Event, frozen=True, tag=20):
    """Cards come into the game: a deck laid down, a token placed from outside.

    `part`: which part of their owner's list they are, if one.
    """

    n: int
    cards: Sealed[tuple[int, ...]]
    place: str
    owner: int
    token: bool
    up: bool
    orient: str
    why: str
    part: str = ""


class CardsMoved(Event, frozen=True, tag=21):
    """`n` cards leave `src` for `dst`, at one moment.

    `was` and `now` are their numbers before and after, pairwise, each for those who can follow
    cards in that zone. `kept`: they stay the objects that they are, by the same numbers, and arrive
    as they are listed, from the lowest up; else they arrive in the order of their new numbers, and
    where there is no `now` (as opposed to one that is hidden), they were mixed at a real table, so
    that nobody can say which is which. They arrive on top, or the first of them at index `at` from
    the bottom.
    """

    n: int
    was: Sealed[tuple[int, ...]]
    now: Sealed[tuple[int, ...]]
    src: str
    dst: str
    at: int | None
    up: bool
    orient: str
    why: str
    kept: bool = False


class CardsTurned(Event, frozen=True, tag=22):
    """Cards that stay in place are turned: over (`up`), or sideways (`orient`); None: unchanged."""

    cards: tuple[int, ...]
    up: bool | None
    orient: str | None


class CardsKnown(Event, frozen=True, tag=23):
    """An audience learns which cards these are: pairs of a number and a card id.

    A number that the audience could not follow so far stands for the topmost unknown card there.
    An id is empty where it is still unknown.
    """

    n: int
    place: str
    cards: Sealed[tuple[tuple[int, str], ...]]
    why: str


class CardsOrdered(Event, frozen=True, tag=24):
    """A whole zone gets a new order, bottom to top.

    A shuffle also renumbers: `base` is the first of the new numbers, given from the bottom up;
    0 where every card keeps its number and `order` lists them.
    `order` holds the old indices (shuffled) or the numbers (kept); nothing where real cards were
    shuffled, since nobody knows.
    """

    place: str
    n: int
    base: int
    order: Sealed[tuple[int, ...]]
    why: str


class CardsControlled(Event, frozen=True, tag=25):
    """Control of cards passes to a seat."""

    cards: tuple[int, ...]
    seat: int


class CardsAttached(Event, frozen=True, tag=26):
    """Cards in play are laid with a host in a role (`pilot`, `material`); host 0: no longer.

    They leave their place in their zone for it. Whether they count as lying there all the same is
    declared by the manifest, role by role (`Manifest.lies`).
    """

    cards: tuple[int, ...]
    host: int
    role: str


class CardsDefined(Event, frozen=True, tag=27):
    """An effect says what a card counts as, beside its print; no figures: it is itself again."""

    cards: tuple[int, ...]
    figures: dict[str, Value]


class CardsRemoved(Event, frozen=True, tag=28):
    """Cards leave the game for good."""

    cards: tuple[int, ...]
    why: str


class DepartureBegan(Event, frozen=True, tag=29):
    """Cards are on their way out (destroyed, returning, out of cores) and not gone yet.

    `responsible` is the blamed card or seat, `to` the zone they will go to. A second departure of
    the same card replaces the first; one without a cause calls it off. What the cards were when
    they began to depart is kept in the position (`position.Departure`).
    """

    cards: tuple[int, ...]
    cause: str
    responsible: Ref
    to: str


class CardsLinked(Event, frozen=True, tag=35):
    """Cards that lie in a place of their own belong to another card (equipment); host 0: no longer.

    It ends by itself when either of the two leaves as the object that it was.
    """

    cards: tuple[int, ...]
    host: int
    role: str


# -- numbers --------------------------------------------------------------------------------------


class CountersMoved(Event, frozen=True, tag=30):
    """`n` counters of a kind change holders; an empty holder is the endless supply."""

    kind: str
    n: int
    src: Ref
    dst: Ref


class ModifierBegan(Event, frozen=True, tag=31):
    """A lasting effect starts. It ends at `until`, or when its last target has left.

    `scope` names a filter in the source's card data where the targets may change; else `targets`
    are all there are.
    """

    id: int
    source: Ref
    targets: tuple[Ref, ...]
    change: Change
    until: str
    scope: str = ""


class ModifierEnded(Event, frozen=True, tag=32):
    """Lasting effects end."""

    ids: tuple[int, ...]
    why: str


class StatsSet(Event, frozen=True, tag=33):
    """Derived numbers in force that changed: triples of subject, key, value (None: no more)."""

    stats: Sealed[tuple[tuple[Ref, str, Value], ...]]


class Marked(Event, frozen=True, tag=34):
    """A fact the game will ask about later is noted on a card, a seat, a frame; None: erased."""

    subject: Ref
    key: str
    value: Value


# -- effects --------------------------------------------------------------------------------------


class EffectTriggered(Event, frozen=True, tag=40):
    """An effect's condition was met; it waits. `cause` is the entry that met it.

    `group`: which others it triggered with, as the game groups them; 0: those of its moment.
    `about`: the card that it befell, or 0.
    """

    id: int
    effect: str
    source: Ref
    seat: int
    cause: int
    optional: bool = False
    group: int = 0
    about: Ref = 0


class ActDeclared(Event, frozen=True, tag=41):
    """Somebody declares an act: plays a card, activates an effect, adds a link to a chain."""

    id: int
    kind: str
    source: Ref
    effect: str
    seat: int
    targets: tuple[Ref, ...] = ()
    x: int = 0
    speed: int = 0
    mode: str = ""


class ActResolving(Event, frozen=True, tag=42):
    """A waiting effect or a declared act begins to be carried out, as a frame of its own."""

    id: int
    frame: int


class ActEnded(Event, frozen=True, tag=43):
    """It is over, and so is its frame: `resolved`, `declined`, `negated`, `void`."""

    id: int
    outcome: str


class NotDone(Event, frozen=True, tag=44):
    """Something that was asked for did not happen, or only in part.

    `why`: `declined`, `missed`, `replaced`, `forbidden`, `no target`, `already`, `impossible`.
    """

    what: str
    ref: Ref
    why: str
    asked: int = 0
    done: int = 0


class EffectScheduled(Event, frozen=True, tag=45):
    """Something is due later: the effect of a text (`card id/name`), or else what `kind` says.

    It is due when what `due` names (a word for durations) next comes, not before turn `turn`, and
    only in a turn of seat `whose` (-1: of anybody). `targets` is what it will be about; nobody has
    to be there any more when it comes.
    """

    id: int
    kind: str
    effect: str
    source: Ref
    seat: int
    due: str
    turn: int = 0
    whose: int = -1
    targets: tuple[Ref, ...] = ()
    x: int = 0


class ScheduleEnded(Event, frozen=True, tag=46):
    """What was scheduled is no longer: it came due (`resolved`), or was lifted (`void`)."""

    ids: tuple[int, ...]
    outcome: str


# -- combat ---------------------------------------------------------------------------------------


class AttackDeclared(Event, frozen=True, tag=50):
    """An attack on a card or a seat."""

    attacker: int
    target: Ref


class AttackChanged(Event, frozen=True, tag=51):
    """The target changes, or a defender steps in (`defender` 0: none)."""

    target: Ref
    defender: int
    why: str


class AttackEnded(Event, frozen=True, tag=52):
    """The attack is over: `fought`, `broken off`."""

    outcome: str


class DamageDealt(Event, frozen=True, tag=53):
    """A source deals damage; what it does to counters or life follows as entries of its own."""

    source: Ref
    to: Ref
    n: int
    kind: str  # "battle" | "effect"


# -- chance ---------------------------------------------------------------------------------------


class ChanceDrawn(Event, frozen=True, tag=60):
    """Chance decided: a shuffle's order, a die, a coin. `of` is how many outcomes or cards."""

    kind: str
    of: int
    result: Sealed[tuple[int, ...]]
