"""An act that is built part by part: the picks, the next possible picks, the rest.

The page sends the option, the picks so far and how many parts are closed; what comes next follows
from the same code that bots and scorekeepers use (`domain.record.fitting.steps`). The offer is that
of the open decision; if that has changed, the page is told to look again.
"""

from __future__ import annotations

from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict
from grpc import StatusCode
from msgspec import Struct

from domain.record.decisions import NUMBER, SECRET, TEXTS, Act, Misfit, Offer, Option, Part
from domain.record.fitting.steps import Picks, Step, rest, step
from domain.record.fitting.usual import paid
from domain.record.values import Ref
from domain.telling.likeness import likeness
from domain.telling.names import counted
from domain.words.phrases import Phrase, joined, phrase
from service import wire
from service.api.calls.errors import Fault, malformed
from service.web.answers import rendered
from service.web.seats import asked
from service.web.seats.seated import Seated
from service.web.site import Site

#: Numbers are buttons up to so many; then they are typed.
BUTTONS = 24


class Asking(Struct, forbid_unknown_fields=True):
    """The state of a page: the option, its picks, and how many of its parts are closed.

    `interjects`: it is about an open act, by its number, and not about an option. `usual`: its
    payment is filled in (`domain.record.fitting.usual`).
    """

    decision: int
    option: int = 0
    picks: list[list[int | str]] = []
    closed: int = 0
    interjects: bool = False
    usual: bool = False


def read(body: bytes) -> Asking:
    """Read the state of a page; raises `Fault`."""
    try:
        return msgspec.json.decode(body, type=Asking)
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise malformed("body", "must say decision, option, picks and closed") from None


async def answer(site: Site, found: Seated, asking: Asking) -> dict[str, Any]:
    """The next step, as a fragment and as data; raises `Fault`."""
    offer, option = await _option(site, found, asking)
    try:
        now = step(offer, option, tuple(map(tuple, asking.picks)), asking.closed)
        now = paid(offer, option, now) if asking.usual else now
    except (Misfit, ValueError, IndexError, TypeError) as error:
        text = "This can't be completed."
        raise Fault(StatusCode.FAILED_PRECONDITION, "NOT_COMPLETED", text) from error
    shown = Panel(found, offer, option, now)
    html = rendered("seats/building.html", found.language, panel=shown)
    left = rest(offer, option, now) if now.at < len(option.parts) else None
    return {
        "html": html,
        "at": now.at,
        "picks": now.picks,
        "can": now.can,
        "enough": now.enough,
        "done": now.at == len(option.parts),
        "rest": left,
        "announced": found.language.say(shown.announced),
        "act": _sent(option, now.picks) if now.at == len(option.parts) else None,
        "interjects": asking.interjects,
    }


async def _option(site: Site, found: Seated, asking: Asking) -> tuple[Offer, Option]:
    decision = found.pos.decision
    if decision is None or decision.n != asking.decision:
        current = decision.n if decision is not None else 0
        text = "Another decision is open by now."
        raise Fault(StatusCode.ABORTED, "DECISION_STALE", text, current=current)
    if asking.interjects:
        acts = await asked.open_acts(site, found)
        act = acts[asking.option] if 0 <= asking.option < len(acts) else None
        offer = asked.ordering(found.pos, act) if act is not None else None
        if act is not None and offer is None:
            offer = Offer((Option(act.kind, act.card),))
        at = 0
    else:
        offer, at = asked.offer_of(found), asking.option
    if offer is None or not 0 <= at < len(offer.options):
        raise malformed("option", "is not one of those offered")
    return offer, offer.options[at]


def _sent(option: Option, picks: Picks) -> dict[str, Any]:
    """The act, as a request has it in JSON."""
    act = option.act(picks)
    return MessageToDict(wire.act(act))


class Panel:
    """The template's data for an act that is being built."""

    def __init__(self, found: Seated, offer: Offer, option: Option, now: Step) -> None:
        self._found, self._offer, self._option, self._now = found, offer, option, now
        self._names = found.names
        self.done = now.at == len(option.parts)
        self.print, self.named = (
            found.print_of(option.card),
            found.names.ref(option.card) if option.card else "",
        )
        self.enough, self.single = now.enough, len(offer.options) == 1
        self.kind = "" if self.done else _kind(option.parts[now.at])

    @property
    def sentence(self) -> Phrase:
        """The act built so far."""
        option, picks = self._option, self._now.picks
        act = option.act(picks)
        names = self._names
        texts = [names.act(act, option, apart=True), *names.rest_of(act, option, apart=True)]
        if option.effect.partition("/")[2]:
            texts.append(names.effect(option))
        return joined("; ", texts)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts, with what is picked for each."""
        manifest, now = self._found.book.manifest, self._now
        return [
            {
                "at": at,
                "name": manifest.label("parts", part.name),
                "now": at == now.at,
                "open": at > now.at,
                "ordered": part.limits is not None and part.limits.ordered,
                "picks": self._picked(part, now.picks[at] if at < len(now.picks) else ()),
                "fixed": part.pool < 0,
            }
            for at, part in enumerate(self._option.parts)
        ]

    def _picked(self, part: Part, picks: tuple[Ref, ...]) -> list[str]:
        if part.pool in TEXTS:
            return [str(one) or self._found.language.say(phrase("as it is")) for one in picks]
        if part.pool == NUMBER:
            return [str(one) for one in picks]
        return [self._names.ref(ref, apart=True) for ref in picks]

    @property
    def count(self) -> Phrase:
        """How many are picked of how many."""
        part, now = self._option.parts[self._now.at], self._now
        n = len(now.picks[now.at])
        if part.low == part.high:
            return phrase("{n} of {of}", n=n, of=part.high)
        if now.enough and not now.can:
            return phrase("{n}", n=n)
        if not part.low:
            return phrase("{n} of at most {high}", n=n, high=part.high)
        return phrase("{n} picked, of {low} to {high}", n=n, low=part.low, high=part.high)

    @property
    def asks(self) -> Phrase:
        """The next question."""
        part = self._option.parts[self._now.at]
        name = self._found.book.manifest.label("parts", part.name)
        if self.kind == "number":
            return phrase("{part}: a number from {low} to {high}", part=name, low=part.low,
                          high=part.high)  # fmt: skip
        if self.kind == "text":
            return phrase("{part}: a text", part=name)
        return phrase("{part}: {count}", part=name, count=self.count)

    @property
    def announced(self) -> Phrase:
        """The text for screen readers."""
        if self.done:
            return phrase("Ready: {act}", act=self.sentence)
        return phrase("{asks}", asks=self.asks)

    @property
    def can(self) -> list[dict[str, Any]]:
        """The next possible picks; those that nobody can tell apart are one."""
        part, found = self._option.parts[self._now.at], dict[Any, dict[str, Any]]()
        for ref in self._now.can:
            one = {"text": str(ref)} if part.pool == NUMBER else self._described(ref)
            kind = ref if part.pool == NUMBER else self._kind_of(ref)
            found.setdefault((one["text"], kind), {"ref": ref, "n": 0, "more": "", **one})["n"] += 1
        return list(found.values())

    def _described(self, ref: Ref) -> dict[str, Any]:
        """A card or a place by its name, and what else tells it from others."""
        pos, names = self._found.pos, self._names
        card = pos.cards.get(ref) if isinstance(ref, int) else None
        more = list[str]()
        if isinstance(ref, int) and card is not None:
            more = [*(one.words for one in names.figures(ref, card)), names.place(card.place)]
        return {"text": names.ref(ref, apart=True), "more": joined(" · ", more)}

    def _kind_of(self, ref: Ref) -> Any:
        found = self._found
        return likeness(found.book, found.pos, Act("", ref))

    @property
    def low(self) -> int:
        """The least number."""
        return self._option.parts[self._now.at].low

    @property
    def high(self) -> int:
        """The greatest number, or how long a text may be."""
        return self._option.parts[self._now.at].high

    @property
    def typed(self) -> bool:
        """Whether a number is typed, there being too many for buttons."""
        return self.kind == "number" and not 0 < len(self._now.can) <= BUTTONS

    @property
    def secret(self) -> bool:
        """Whether others learn nothing of a text."""
        return self._option.parts[self._now.at].pool == SECRET

    @property
    def list(self) -> list[tuple[str, str]]:
        """The seat's list, part by part: a secret text makes it again."""
        _, parts = self._found.pos.heading.decks.get(self._found.seat, ("", None))
        name = self._found.book.name
        return [(part, counted(map(name, cards))) for part, cards in (parts or {}).items()]

    @property
    def rest(self) -> Phrase | None:
        """The default of the remaining picks; None: nothing can be proposed."""
        left = rest(self._offer, self._option, self._now)
        if left is None or self.done:
            return None
        texts = []
        for at, part in enumerate(self._option.parts):
            before = len(self._now.picks[at]) if at < len(self._now.picks) else 0
            if at < self._now.at or len(left[at]) <= before:
                continue
            name = self._found.book.manifest.label("parts", part.name)
            picks = self._picked(part, left[at])
            texts.append(phrase("{part} {picks}", part=name, picks=counted(picks)))
        return joined("; ", texts) if texts else None


def _kind(part: Part) -> str:
    return "number" if part.pool == NUMBER else "text" if part.pool in TEXTS else "pool"
