"""Checks chance: derives every draw of a record again from the seeds that were opened at its end.

`audit` says what is proven, what is not, and what is wrong, claim by claim, each with its entry. It
believes nobody: a seed counts if it fits what its owner was bound to before others could know
theirs. The consequences of draws are checked by `verify`; if chance came from elsewhere (a real
table, a known seed, a service's own), nothing can be proven, and the audit says so. How draws are
derived is in `record.proof.draws`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.engine.opening.terms import MODES
from domain.record.entries import Entry
from domain.record.events import ChanceDrawn, MatchEnded, MatchOpened
from domain.record.interventions import MatchBegan, SeedCommitted, SeedGiven, SeedsOpened
from domain.record.position import seat_letter
from domain.record.proof import draws
from domain.words.phrases import Phrase, joined, phrase

PROVEN, UNPROVEN, WRONG = "proven", "unproven", "wrong"
#: The kind of a claim of a draw whose result is not for the viewer whose copy it is.
UNSEEN = "unseen"


class Claim(Struct, frozen=True):
    """One thing that was found, about entry `seq` (0: none), a `seat` and a `draw` (or none).

    `kind` is what the caller goes by; `verdict` one of the three above; `text` for people.
    """

    kind: str
    verdict: str
    text: Phrase
    seq: int = 0
    seat: int = -1
    draw: int = 0


class Audit(Struct, frozen=True):
    """The audit of a record's chance: its source, how many draws, what is proven."""

    source: str
    draws: int
    derived: int
    claims: tuple[Claim, ...]

    @property
    def text(self) -> str:
        """The worst of what was found, in a sentence; of many like claims the first alone."""
        worst = [claim for claim in self.claims if claim.verdict == self.verdict]
        first = {claim.kind: claim.text for claim in reversed(worst)}
        return joined("; ", reversed(first.values()))

    @property
    def hidden(self) -> bool:
        """Whether nothing is open but what a viewer's copy keeps from him."""
        found = {claim.kind for claim in self.claims if claim.verdict == UNPROVEN}
        return self.verdict == UNPROVEN and found == {UNSEEN}

    @property
    def verdict(self) -> str:
        """The worst of what was found."""
        found = {claim.verdict for claim in self.claims}
        return WRONG if WRONG in found else UNPROVEN if UNPROVEN in found else PROVEN


def audit(log: Sequence[Entry], own: tuple[int, bytes] | None = None) -> Audit:
    """Check the chance of a record, or of one viewer's copy of it. O(entries).

    All entries are wanted, those of abandoned lines too: draws are numbered through. `own` is a
    seat and the seed that it knows it gave.
    """
    opened = log[0].event if log else None
    if not isinstance(opened, MatchOpened):
        claim = Claim("headless", UNPROVEN, phrase("the record does not begin with its opening"))
        return Audit("", 0, 0, (claim,))
    drawn = [entry for entry in log if isinstance(entry.event, ChanceDrawn)]
    if opened.chance != draws.SHARED or not opened.commitment:
        return Audit(opened.chance, len(drawn), 0, (_of_another_source(opened),))
    return _Shared(log, opened, drawn, own).audit()


def _of_another_source(opened: MatchOpened) -> Claim:
    """Why nothing can be proven of chance that is not from the seeds of all."""
    if opened.origin is not None:
        text = phrase("a fork is played on with other chance than the match that it is from")
        return Claim("fork", UNPROVEN, text, 1)
    texts = {
        draws.TABLE: phrase("at a real table chance can't be proven, only how it was dealt with"),
        draws.SEED: phrase("SEEDED: chance came from a known seed, which predicts every draw"),
        draws.SYSTEM: phrase("chance was the service's own: it can't be checked"),
        draws.SHARED: phrase(
            "it was recorded again: the seeds are with the record that was played"
        ),
    }
    unsaid = phrase("the record does not say where its chance came from")
    if not opened.chance and opened.mode == MODES[1]:
        return Claim(draws.TABLE, UNPROVEN, texts[draws.TABLE], 1)
    text = texts.get(opened.chance, unsaid)
    kind = "again" if opened.chance == draws.SHARED else opened.chance or "unsaid"
    return Claim(kind, UNPROVEN, text, 1)


class _Shared:
    """A record whose chance claims to come from seeds of the service and of the seats."""

    def __init__(
        self,
        log: Sequence[Entry],
        opened: MatchOpened,
        drawn: Sequence[Entry],
        own: tuple[int, bytes] | None,
    ) -> None:
        self.opened, self.drawn, self.own = opened, drawn, own
        self.seats = range(len(opened.seats))
        self.began = next((e for e in log if isinstance(e.event, MatchBegan)), None)
        self.end = next((e for e in log if isinstance(e.event, SeedsOpened)), None)
        self.over = next((e.seq for e in log if isinstance(e.event, MatchEnded)), 0)
        start = self.began.seq if self.began is not None else len(log) + 1
        before = [e for e in log if e.seq < start]
        self.bound = {
            e.event.seat: (e.event.commitment, e.seq)
            for e in before
            if isinstance(e.event, SeedCommitted)
        }
        self.given = {e.event.seat: e for e in before if isinstance(e.event, SeedGiven)}

    def audit(self) -> Audit:
        """All claims."""
        claims = [*self._parts(), *self._order()]
        derived = 0
        if self.end is None:
            claims.append(self._unopened())
        else:
            claims += self._seeds(self.end)
            if not any(claim.verdict == WRONG or claim.kind == "lost" for claim in claims):
                found = [*self._draws(self.end)]
                claims += found
                derived = len(self.drawn) - len(found)
                if not found:
                    text = phrase("all {n} draws follow from the seeds that were opened", n=derived)
                    claims.append(Claim("derived", PROVEN, text, self.end.seq))
        return Audit(self.opened.chance, len(self.drawn), derived, tuple(claims))

    def _parts(self) -> Iterator[Claim]:
        """The seats that have no part in chance."""
        event = self.began.event if self.began is not None else None
        named = dict(event.without) if isinstance(event, MatchBegan) else {}
        for seat in self.seats:
            if self.began is not None and seat not in self.given:
                how = named.get(seat, "")
                text = phrase(
                    "{seat} gave no seed: chance is not proven to it", seat=seat_letter(seat)
                )
                yield Claim(how or "silent", UNPROVEN, text, self.began.seq, seat)
                if not how:
                    text = phrase(
                        "{seat} is not named as one without a seed", seat=seat_letter(seat)
                    )
                    yield Claim("unnamed", WRONG, text, self.began.seq, seat)

    def _order(self) -> Iterator[Claim]:
        """Whether everybody was bound before anybody showed his seed, and before anything fell."""
        first = min((e.seq for e in self.given.values()), default=0)
        for seat, (_, seq) in self.bound.items():
            if 0 < first < seq:
                text = phrase("{seat} was bound after a seed was shown", seat=seat_letter(seat))
                yield Claim("order", WRONG, text, seq, seat)
        began = self.began.seq if self.began is not None else 0
        early = next((e for e in self.drawn if not began or e.seq < began), None)
        if early is not None:
            text = phrase("something was drawn before the match began")
            yield Claim("order", WRONG, text, early.seq)
        if self.end is not None and not 0 < self.over < self.end.seq:
            text = phrase("the seeds were opened before the match was over")
            yield Claim("early", WRONG, text, self.end.seq)

    def _unopened(self) -> Claim:
        if not self.over:
            text = phrase("the seeds are opened once the match is over")
            return Claim("unfinished", UNPROVEN, text)
        text = phrase("the service has not opened its seed: no draw can be checked")
        return Claim("unopened", WRONG, text, self.over)

    def _seeds(self, end: Entry) -> Iterator[Claim]:
        """Whether the seeds that were opened are those that everybody was bound to."""
        event = end.event
        assert isinstance(event, SeedsOpened)
        if not event.service:
            text = phrase("the service has lost its seed: no draw can be checked")
            yield Claim("lost", UNPROVEN, text, end.seq)
        elif draws.of_service(self.opened.id, event.service) != self.opened.commitment:
            text = phrase("the service's seed is not the one it was bound to at the opening")
            yield Claim("unbound", WRONG, text, end.seq)
        if len(event.seats) != len(self.seats):
            yield Claim("unbound", WRONG, phrase("the seats' seeds are not all there"), end.seq)
            return
        for seat, seed in enumerate(event.seats):
            if fault := self._unbound(seat, seed):
                yield Claim("unbound", WRONG, fault, end.seq, seat)

    def _unbound(self, seat: int, seed: bytes) -> Phrase | None:
        """The fault of a seat's seed as it was opened."""
        who, given = seat_letter(seat), self.given.get(seat)
        if self.own is not None and self.own[0] == seat and self.own[1] != seed:
            return phrase("{seat} gave another seed than the one that was opened", seat=who)
        if given is None:
            return phrase("{seat} gave no seed, and one was opened", seat=who) if seed else None
        commitment, _ = self.bound.get(seat, (b"", 0))
        if draws.of_seat(self.opened.commitment, seat, seed) != commitment:
            return phrase("the seed of {seat} is not the one it was bound to", seat=who)
        assert isinstance(given.event, SeedGiven)
        if given.event.seed.value not in (None, seed):
            return phrase("the seed of {seat} is not the one it gave", seat=who)
        return None

    def _draws(self, end: Entry) -> Iterator[Claim]:
        """The draws that differ from the seeds, or can't be checked."""
        event = end.event
        assert isinstance(event, SeedsOpened)
        key = draws.key(self.opened.commitment, event.service, event.seats)
        for n, entry in enumerate(self.drawn, 1):
            drawn = entry.event
            assert isinstance(drawn, ChanceDrawn)
            if entry.seq > end.seq:
                text = phrase("draw {n} fell after the seeds were opened: it is not from them", n=n)
                yield Claim("late", UNPROVEN, text, entry.seq, draw=n)
            elif drawn.result.value is None:
                text = phrase("draw {n} ({kind}) is not in this copy", n=n, kind=drawn.kind)
                yield Claim(UNSEEN, UNPROVEN, text, entry.seq, draw=n)
            elif drawn.result.value != draws.draw(key, n, drawn.kind, drawn.of):
                text = phrase(
                    "draw {n} ({kind}) is not what the seeds lead to", n=n, kind=drawn.kind
                )
                yield Claim("differs", WRONG, text, entry.seq, draw=n)
