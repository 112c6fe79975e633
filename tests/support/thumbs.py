"""A simulated scorekeeper on the table's page: each act with as few taps as possible.

Letters count as well, and so does a swipe that brings further chips into sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from domain.record.decisions import Act
from domain.record.position import UNKNOWN, Position
from domain.record.values import Ref
from domain.scorekeeping import picking, taps
from domain.scorekeeping.command import Command
from domain.scorekeeping.picking import Pick
from domain.scorekeeping.taps import Tap
from tests.support.scorekeepers import Name, Typist

#: A tap, and how many chips are seen at once on a phone.
TAP, SEEN = "▣", 6


class Thumb(Typist):
    """Taps what a dealt match did; `keys` are the taps and letters, act by act."""

    def _quick(self, wanted: Act, name: Name) -> tuple[str, Command] | None:
        """The big button, a chip, cards one after the other, or a card out of a hand."""
        return next(self._ways(wanted, name, 0), None)

    def _typed(self, wanted: Act, text: str, name: Name) -> tuple[str, Command] | None:
        found = super()._typed(wanted, text, name)
        return (TAP + found[0], found[1]) if found is not None else None

    def _unsaid(
        self, act: Act, text: str, seat: int, name: Name, passes: list[tuple[Act, str]]
    ) -> str:
        wanted, self._aimed = self._here(act), any(act.picks) and " -> " in text
        self.text_ = text
        for keys, command in self._ways(wanted, name, len(passes)) if passes else ():
            passes.clear()
            self._carry_out(command, wanted, keys, name)
            return keys
        return ""  # then the passes are tapped

    def _ways(self, wanted: Act, name: Name, passes: int) -> Iterator[tuple[str, Command]]:
        """The ways to do it after so many passes, those with the fewest taps first."""
        line = self.input_line
        stop = self._stop(passes) if passes else None

        def same(one: Tap) -> bool:
            command = one.command
            return command.passes == passes and self._same(command, wanted, name, stop)

        usual = taps.usual(line)
        if usual is not None and same(usual):
            yield TAP, usual.command
        chips = taps.chips(line)
        ways = [
            (min(1 + at // SEEN, *_touches(one, chips)), one.command)
            for at, one in enumerate(chips)
            if same(one)
        ]
        yield from ((TAP * n, command) for n, command in sorted(ways, key=lambda way: way[0])[:1])
        yield from self._picked(wanted, name, same) if not passes else ()
        yield from self._unseen(wanted, name, stop or self.session.pos, same)

    def _picked(
        self, wanted: Act, name: Name, same: Callable[[Tap], bool]
    ) -> Iterator[tuple[str, Command]]:
        """The chip of an act, each of its picks, and the act."""
        for one in picking.possible(self.input_line):
            done = list[tuple[Ref, str]]()
            for wished in [ref for picks in wanted.picks for ref in picks]:
                found = picking.going_on(self.input_line, one.seat, one.option, done)
                free = found.free if found is not None else ()
                done += [(p.ref, p.card) for p in free if self._stands_for(p, wished, name)][:1]
            found = picking.going_on(self.input_line, one.seat, one.option, done)
            if found is not None and found.tap is not None and same(found.tap):
                yield TAP * (len(done) + 2), found.tap.command

    def _stands_for(self, pick: Pick, wished: Ref, name: Name) -> bool:
        """Whether it is that card, or an unseen one beside it that is named as that one."""
        if not pick.card or not isinstance(wished, int) or not isinstance(pick.ref, int):
            return pick.ref == wished
        place = self.session.pos.card(pick.ref).place
        there = self.session.pos.cards.get(wished)
        same = there is not None and there.place == place
        return same and pick.card == self.named(wished, name)

    def _unseen(
        self, wanted: Act, name: Name, pos: Position, same: object
    ) -> Iterator[tuple[str, Command]]:
        """The place of its card and its name; and what is done with it, if nobody knows that."""
        assert callable(same)
        line, now = self.input_line, self.session.pos
        card = pos.cards.get(int(wanted.card)) if isinstance(wanted.card, int) else None
        if card is None or card.id or card.place not in now.zones:
            return
        lying = taps.lying(now, card.place)
        known = taps.of_unseen(line, lying)
        meant = self.named(int(wanted.card), name)
        for one in filter(same, known):
            yield TAP * 2, one.command
        for one in known:
            act = one.command.act
            if act.kind == wanted.kind and meant in one.command.names.values():
                self.session.tried(one.command)
                for way in filter(same, taps.written_out(line, one.command)[1]):
                    yield TAP * 3, way.command
        if lying and meant in taps.unused(line, lying, known):
            for asked in taps.asked_about(line, lying[0], meant):
                trial = self.link.trial(asked)
                offer = trial.offer if trial is not None else None
                for one in taps.named(line, lying[0], asked, offer) if offer is not None else ():
                    if same(one):
                        yield TAP * 3, one.command

    def _answer(self, name: Name) -> tuple[str, Command]:
        """One tap for each card that is asked for: all it may be can be seen."""
        keys, command = "", None
        while self.input_line.question is not None:
            (number, _), *_ = self.input_line.question.cards  # type: ignore[attr-defined]
            card = self.named(number, name) or UNKNOWN
            listed = [one.names for one in self.input_line.question.answers("")]
            assert {number: card} in listed, card
            self.input_line.type(self._shortest(number, card))
            command = self.input_line.enter(self.input_line.understood())
            keys += TAP
        assert command is not None
        return keys, command


def _touches(one: Tap, chips: Sequence[Tap]) -> list[int]:
    """In how many touches of cards it is done: until it is the only one that they leave.

    One card alone shows its acts, of which one is tapped then.
    """
    refs = [*dict.fromkeys(one.refs)]
    found = [99]
    for n in range(1, len(refs) + 1):
        for some in permutations(refs, n):
            fit = [chip for chip in chips if {*some} <= {*chip.refs}]
            if len(fit) == 1 and n > 1:
                found.append(n)
            elif len(fit) <= SEEN:
                found.append(n + 1)
    return found
