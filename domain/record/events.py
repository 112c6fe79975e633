"""The event vocabulary: everything that can happen at any table, in any game.

An event says what changed, never how to compute it: `folding.fold` needs no rules to apply one.
Each field is `Open` to everybody or `Sealed` for an audience (`values`, `views`); that it happened
is never a secret. Events of officials are in `interventions`; an entry is an event in its place
(`entries`).

Tags are stored and are also the field numbers of the wire message, so a tag is never reused.
Class names read as sentences (`CardsMoved`); `entries.name_of` gives public names (`cards.moved`).
The position that events add up to is in `position`; the verbs that emit them are in `engine.table`.
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.decisions import Act, Answer, Offer
from domain.record.groups import Group
from domain.record.schema.policy import Policy
from domain.record.values import Change, Fact, Open, Ref, Sealed, Value


class Event(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of the closed union of all events (`entries.AnyEvent`)."""


class Origin(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a fork comes from: a match and the last of its entries that both share."""

    match: str
    seq: int


class Stated(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The facts that somebody at a real table stated with an act.

    `names` are the cards that the act, or its consequences, turned up. `offer` is what was open to
    the seat once its cards were named, and what its answer refers to; None: the offer as it stood.
    `who` entered it. An empty name: nobody can say any more which card of its hand that is, and the
    seat reads as much (`views.redact`).
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

    game: Open[str]
    engine: Open[str]
    digests: Open[dict[str, str]]  # "manifest", "rules", "cards": SHA-256, hex
    mode: Open[str]
    best_of: Open[int]
    seats: Open[tuple[str, ...]]
    labels: Open[dict[str, str]]
    options: Open[dict[str, Value]]
    at: Open[int]
    origin: Open[Origin | None] = None
    ticket: Sealed[str]
    policy: Open[Policy] = Policy()
    prints: Open[tuple[str, ...]] = ()
    chance: Open[str] = ""
    commitment: Open[bytes] = b""
    waits: Open[str] = ""
    id: Open[str] = ""


class DeckRegistered(Event, frozen=True, tag=2):
    """A seat hands in its list: how many cards each part has for all, which ones for the owner."""

    seat: Open[int]
    name: Open[str]
    sizes: Open[dict[str, int]]
    cards: Sealed[dict[str, tuple[str, ...]]]


class GameBegan(Event, frozen=True, tag=3):
    """Game `n` of the match (from 1) begins; a game of a series starts on an empty table."""

    n: Open[int]


class SeatLost(Event, frozen=True, tag=4):
    """These seats meet a condition of defeat, together."""

    seats: Open[tuple[int, ...]]
    why: Open[str]


class GameEnded(Event, frozen=True, tag=5):
    """A game is over; `winner` is -1 where nobody won."""

    winner: Open[int]
    why: Open[str]


class MatchEnded(Event, frozen=True, tag=6):
    """The record closes. `score` is games won, one number a seat; `winner` is -1 for a draw."""

    winner: Open[int]
    score: Open[tuple[int, ...]]


# -- the flow -------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True, tag=7):
    """Turn `n` (from 1, both seats counted) begins; `seat` is the turn player."""

    n: Open[int]
    seat: Open[int]


class StepBegan(Event, frozen=True, tag=8):
    """The game enters a step, named by its path in the manifest (`main/attack/block`)."""

    path: Open[str]


class FrameOpened(Event, frozen=True, tag=9):
    """Something with a beginning and an end opens: an attack, an effect, a window.

    `parent` is the frame it opens within (0: the match), `cause` the entry that set it off.
    """

    id: Open[int]
    kind: Open[str]
    parent: Open[int]
    cause: Open[int]
    facts: Open[dict[str, Fact]]


class FrameClosed(Event, frozen=True, tag=10):
    """A frame ends; `outcome` is usually empty."""

    id: Open[int]
    outcome: Open[str] = ""


# -- decisions ------------------------------------------------------------------------------------


class DecisionOpened(Event, frozen=True, tag=11):
    """The game waits for somebody.

    `digest` is that of the position just before (`Position.digest`). `rest` marks a resting point:
    the step has emitted nothing yet, so that a rulebook can be started again from here.
    """

    n: Open[int]
    seats: Open[tuple[int, ...]]
    kind: Open[str]
    about: Open[Ref]
    rest: Open[bool]
    digest: Sealed[bytes]


class OptionsOffered(Event, frozen=True, tag=12):
    """The options of one seat at decision `n`: legal ones only."""

    n: Open[int]
    seat: Open[int]
    offer: Sealed[Offer]


class DecisionMade(Event, frozen=True, tag=13):
    """A seat's answer. `ms`: how long it took; `origin`: `seat`, `implied`, `timeout`, `official`.

    Or `auto`: an auto-pass of the seat gave it; everybody else reads `seat` there. `ticket` is the
    sender's name of his command, so that a repeat finds the first answer; a digest of the request
    may follow (`name#digest`). Where the answer is not for all to read, `act` is what all can see
    of it: a card they can't tell apart is named by its place (`hand/0`).
    """

    n: Open[int]
    seat: Open[int]
    answer: Sealed[Answer]
    ms: Open[int]
    origin: Open[str]
    ticket: Sealed[str]
    act: Open[Act | None]
    stated: Sealed[Stated]


class Interjected(Event, frozen=True, tag=14):
    """An act that stands open beside any decision: conceding, tidying one's own trash."""

    seat: Open[int]
    kind: Open[str]
    about: Open[Ref]
    picks: Sealed[tuple[Ref, ...]]
    ticket: Sealed[str]
    stated: Sealed[Stated]


# -- cards ----------------------------------------------------------------------------------------


class CardsMade(Event, frozen=True, tag=20):
    """Cards come into the game: a deck laid down, a token placed from outside.

    `part`: which part of their owner's list they are, if one.
    """

    n: Open[int]
    cards: Sealed[tuple[int, ...]]
    place: Open[str]
    owner: Open[int]
    token: Open[bool]
    up: Open[bool]
    orient: Open[str]
    why: Open[str]
    part: Open[str] = ""


class CardsMoved(Event, frozen=True, tag=21):
    """`n` cards leave `src` for `dst`, at one moment.

    `was` and `now` are their numbers before and after, pairwise, each for those who can follow
    cards in that zone. `kept`: they stay the objects that they are, by the same numbers, and arrive
    as they are listed, from the lowest up; else they arrive in the order of their new numbers, and
    where there is no `now` (as opposed to one that is hidden), they were mixed at a real table, so
    that nobody can say which is which. They arrive on top, or the first of them at index `at` from
    the bottom.
    """

    n: Open[int]
    was: Sealed[tuple[int, ...]]
    now: Sealed[tuple[int, ...]]
    src: Open[str]
    dst: Open[str]
    at: Open[int | None]
    up: Open[bool]
    orient: Open[str]
    why: Open[str]
    kept: Open[bool] = False


class CardsTurned(Event, frozen=True, tag=22):
    """Cards that stay in place are turned: over (`up`), or sideways (`orient`); None: unchanged."""

    cards: Open[tuple[int, ...]]
    up: Open[bool | None]
    orient: Open[str | None]


class CardsKnown(Event, frozen=True, tag=23):
    """An audience learns which cards these are: pairs of a number and a card id.

    A number that the audience could not follow so far stands for the topmost unknown card there.
    An id is empty where it is still unknown.
    """

    n: Open[int]
    place: Open[str]
    cards: Sealed[tuple[tuple[int, str], ...]]
    why: Open[str]


class CardsOrdered(Event, frozen=True, tag=24):
    """A whole zone gets a new order, bottom to top.

    A shuffle also renumbers: `base` is the first of the new numbers, given from the bottom up;
    0 where every card keeps its number and `order` lists them.
    `order` holds the old indices (shuffled) or the numbers (kept); nothing where real cards were
    shuffled, since nobody knows.
    """

    place: Open[str]
    n: Open[int]
    base: Open[int]
    order: Sealed[tuple[int, ...]]
    why: Open[str]


class CardsControlled(Event, frozen=True, tag=25):
    """Control of cards passes to a seat."""

    cards: Open[tuple[int, ...]]
    seat: Open[int]


class CardsAttached(Event, frozen=True, tag=26):
    """Cards in play are laid with a host in a role (`pilot`, `material`); host 0: no longer.

    They leave their place in their zone for it. Whether they count as lying there all the same is
    declared by the manifest, role by role (`Manifest.lies`).
    """

    cards: Open[tuple[int, ...]]
    host: Open[int]
    role: Open[str]


class CardsDefined(Event, frozen=True, tag=27):
    """An effect says what a card counts as, beside its print; no figures: it is itself again."""

    cards: Open[tuple[int, ...]]
    figures: Open[dict[str, Value]]


class CardsRemoved(Event, frozen=True, tag=28):
    """Cards leave the game for good."""

    cards: Open[tuple[int, ...]]
    why: Open[str]


class DepartureBegan(Event, frozen=True, tag=29):
    """Cards are on their way out (destroyed, returning, out of cores) and not gone yet.

    `responsible` is the blamed card or seat, `to` the zone they will go to. A second departure of
    the same card replaces the first; one without a cause calls it off. What the cards were when
    they began to depart is kept in the position (`position.Departure`).
    """

    cards: Open[tuple[int, ...]]
    cause: Open[str]
    responsible: Open[Ref]
    to: Open[str]


class CardsLinked(Event, frozen=True, tag=35):
    """Cards that lie in a place of their own belong to another card (equipment); host 0: no longer.

    It ends by itself when either of the two leaves as the object that it was.
    """

    cards: Open[tuple[int, ...]]
    host: Open[int]
    role: Open[str]


# -- numbers --------------------------------------------------------------------------------------


class CountersMoved(Event, frozen=True, tag=30):
    """`n` counters of a kind change holders; an empty holder is the endless supply."""

    kind: Open[str]
    n: Open[int]
    src: Open[Ref]
    dst: Open[Ref]


class ModifierBegan(Event, frozen=True, tag=31):
    """A lasting effect starts. It ends at `until`, or when its last target has left.

    `scope` says which cards it acts on where that may change; else `targets` are all there are.
    """

    id: Open[int]
    source: Open[Ref]
    targets: Open[tuple[Ref, ...]]
    change: Open[Change]
    until: Open[str]
    scope: Open[Group | None] = None


class ModifierEnded(Event, frozen=True, tag=32):
    """Lasting effects end."""

    ids: Open[tuple[int, ...]]
    why: Open[str]


class StatsSet(Event, frozen=True, tag=33):
    """Derived numbers in force that changed: triples of subject, key, value (None: no more)."""

    stats: Sealed[tuple[tuple[Ref, str, Value], ...]]


class Marked(Event, frozen=True, tag=34):
    """A fact the game will ask about later is noted on a card, a seat, a frame; None: erased."""

    subject: Open[Ref]
    key: Open[str]
    value: Open[Value]


# -- effects --------------------------------------------------------------------------------------


class EffectTriggered(Event, frozen=True, tag=40):
    """An effect's condition was met; it waits. `cause` is the entry that met it.

    `group`: which others it triggered with, as the game groups them; 0: those of its moment.
    `about`: the card that it befell, or 0.
    """

    id: Open[int]
    effect: Open[str]
    source: Open[Ref]
    seat: Open[int]
    cause: Open[int]
    optional: Open[bool] = False
    group: Open[int] = 0
    about: Open[Ref] = 0


class ActDeclared(Event, frozen=True, tag=41):
    """Somebody declares an act: plays a card, activates an effect, adds a link to a chain."""

    id: Open[int]
    kind: Open[str]
    source: Open[Ref]
    effect: Open[str]
    seat: Open[int]
    targets: Open[tuple[Ref, ...]] = ()
    x: Open[int] = 0
    speed: Open[int] = 0
    mode: Open[str] = ""


class ActResolving(Event, frozen=True, tag=42):
    """A waiting effect or a declared act begins to be carried out, as a frame of its own."""

    id: Open[int]
    frame: Open[int]


class ActEnded(Event, frozen=True, tag=43):
    """It is over, and so is its frame: `resolved`, `declined`, `negated`, `void`."""

    id: Open[int]
    outcome: Open[str]


class NotDone(Event, frozen=True, tag=44):
    """Something that was asked for did not happen, or only in part.

    `why`: `declined`, `missed`, `replaced`, `forbidden`, `no target`, `already`, `impossible`.
    """

    what: Open[str]
    ref: Open[Ref]
    why: Open[str]
    asked: Open[int] = 0
    done: Open[int] = 0


class EffectScheduled(Event, frozen=True, tag=45):
    """Something is due later: the effect of a text (`card id/name`), or else what `kind` says.

    It is due when what `due` names (a word for durations) next comes, not before turn `turn`, and
    only in a turn of seat `whose` (-1: of anybody). `targets` is what it will be about; nobody has
    to be there any more when it comes.
    """

    id: Open[int]
    kind: Open[str]
    effect: Open[str]
    source: Open[Ref]
    seat: Open[int]
    due: Open[str]
    turn: Open[int] = 0
    whose: Open[int] = -1
    targets: Open[tuple[Ref, ...]] = ()
    x: Open[int] = 0


class ScheduleEnded(Event, frozen=True, tag=46):
    """A scheduled effect is no longer pending: it came due (`resolved`), or was lifted (`void`)."""

    ids: Open[tuple[int, ...]]
    outcome: Open[str]


# -- combat ---------------------------------------------------------------------------------------


class AttackDeclared(Event, frozen=True, tag=50):
    """An attack on a card or a seat."""

    attacker: Open[int]
    target: Open[Ref]


class AttackChanged(Event, frozen=True, tag=51):
    """The target changes, or a defender steps in (`defender` 0: none)."""

    target: Open[Ref]
    defender: Open[int]
    why: Open[str]


class AttackEnded(Event, frozen=True, tag=52):
    """The attack is over: `fought`, `broken off`."""

    outcome: Open[str]


class DamageDealt(Event, frozen=True, tag=53):
    """A source deals damage; what it does to counters or life follows as entries of its own."""

    source: Open[Ref]
    to: Open[Ref]
    n: Open[int]
    kind: Open[str]  # "battle" | "effect"


# -- chance ---------------------------------------------------------------------------------------


class ChanceDrawn(Event, frozen=True, tag=60):
    """Chance decided: a shuffle's order, a die, a coin. `of` is how many outcomes or cards."""

    kind: Open[str]
    of: Open[int]
    result: Sealed[tuple[int, ...]]
