"""Where a match stands and what is open, in phrases.

What lies on the table is in `zones` and `tiles`; how cards and zones are named is in `names`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.proof import draws
from domain.telling import notices
from domain.telling.board.model import Act
from domain.telling.names import Names, countdown, letter, player, players, time_left
from domain.words.phrases import Phrase, phrase


class State(Names):
    """A position, as phrases."""

    # -- where it stands -------------------------------------------------------------------------

    def where(self) -> list[str]:
        """The turn, the step, the score, the result."""
        p, manifest = self.pos, self.book.manifest
        parts: list[str] = [
            phrase("turn {n}", n=p.turn) if p.turn else phrase("before the first turn")
        ]
        if p.heading.waits:
            parts = [phrase("not begun"), notices.waiting(p.heading.waits, p.heading.labels)]
        if p.turn_seat >= 0 and p.turn:
            parts = [phrase("turn {n}, {player}'s", n=p.turn, player=player(p.turn_seat))]
        parts += [manifest.label("steps", step) for step in self._steps()]
        if p.heading.best_of > 1:
            score = "–".join(map(str, p.score))
            parts.append(phrase("game {n}, {score}", n=p.game, score=score))
        if p.over:
            won = phrase("over: {player} won", player=player(p.winner))
            parts.append(won if p.winner >= 0 else phrase("over: a draw"))
            if len(p.results) > 1:
                parts.append(phrase("corrected (entry {n})", n=p.results[-1].seq))
        return parts

    def _steps(self) -> Iterator[str]:
        """The step, after the one that what is open came out of and goes back to."""
        p, declared = self.pos, self.book.manifest.words("steps")
        facts = (value for frame in reversed(p.frames) for value in frame.facts.values())
        around = (step for step in facts if isinstance(step, str) and step in declared)
        back = next((step for step in around if step != p.step), "")
        if back:
            phase = back.partition("/")[0]
            yield phase if phase in declared else back
        if p.stands_in:
            yield p.stands_in

    def time(self) -> list[str]:
        """The round's clock, what is left of the match once time is called, whether it goes on."""
        p = self.pos
        notes: list[str] = []
        if p.over:
            return notes
        if "round" in p.clocks:
            notes.append(phrase("round {time}", time=countdown(p.left("round", p.time))))
        if p.called:
            notes.append(time_left(p, p.time))
        if p.paused >= 0:
            notes.append(phrase("the match is paused"))
        return notes

    def warnings(self) -> Iterator[Phrase]:
        """Warnings that everybody should see: that it is unofficial, or predictable."""
        heading = self.pos.heading
        if heading.fork:
            yield phrase("UNOFFICIAL: forked from match {match}", match=heading.fork)
        if heading.chance == draws.SEED:
            yield notices.SEEDED

    # -- what is open ----------------------------------------------------------------------------

    def attack(self) -> str:
        """Who attacks what; empty if nobody does."""
        p = self.pos
        if p.attack is None:
            return ""
        attacker = self.ref(p.attack.attacker, apart=True)
        target = self.ref(p.attack.target, apart=True)
        attack = self.book.manifest.label("frames", "attack")
        return phrase(
            "{what}: {attacker} → {target}", what=attack, attacker=attacker, target=target
        )

    def acts(self) -> Iterator[Act]:
        """The acts that wait or are carried out, the latest last."""
        for act in self.pos.pending.values():
            effect = act.effect.partition("/")[2] or act.kind
            state = "{card}: {effect} effect waits"
            if act.resolving:
                state = "{card}: {effect} effect being carried out"
            text = phrase(state, card=self.ref(act.source), effect=effect)
            if act.targets:
                text = phrase("{act}, on {targets}", act=text, targets=self.refs(act.targets))
            link = self.link(act.id)
            if link:
                text = phrase("{player}: {act}", player=letter(act.seat), act=text)
            yield Act(act.id, link, act.seat, text, act.resolving)

    def scheduled(self) -> Iterator[Phrase]:
        """The effects that are due later."""
        manifest = self.book.manifest
        for one in self.pos.scheduled.values():
            what = manifest.label("declarations", one.kind) if one.kind else phrase("effect")
            due = manifest.label("durations", one.due)
            card = self.ref(one.source)
            yield phrase("{card}: {what}, later ({due})", card=card, what=what, due=due)

    def decision(self) -> str:
        """The open decision, and whose it is; empty if there is none."""
        one = self.pos.decision
        if one is None:
            return ""
        kind, who = self.book.manifest.label("decisions", one.kind), players(one.seats)
        return phrase("decision {n}: {who}, {what}", n=one.n, who=who, what=kind)
