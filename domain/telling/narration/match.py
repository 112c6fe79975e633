"""Sentences for matches, games and answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from domain.record import events as ev
from domain.record.decisions import TEXT, Act, Option
from domain.record.entries import Entry
from domain.record.interventions import (
    MatchBegan,
    ResultCorrected,
    SeedCommitted,
    SeedGiven,
    SeedsOpened,
    ShuffleWitnessed,
)
from domain.record.values import Ref
from domain.record.views import answered
from domain.telling import notices
from domain.telling.names import (
    clauses,
    letter,
    player,
    players,
)
from domain.telling.narration.narrator import (
    Draft,
    Narrator,
    fixed,
    is_choice,
    narrates,
    narrates_before,
)
from domain.text.cardfacts import called
from domain.words.phrases import Phrase, joined, labelled, phrase

# -- the match -----------------------------------------------------------------------------------


@narrates(ev.MatchOpened)
def _opened(n: Narrator, e: Entry, v: ev.MatchOpened) -> None:
    seats = joined(
        ", ",
        (
            phrase("{letter} is {name}", letter=letter(seat), name=name)
            for seat, name in enumerate(v.seats)
        ),
    )
    title = n.book.manifest.called
    if v.best_of != 1:
        title = phrase("{game}, best of {n}", game=title, n=v.best_of)
    n.line(e, -1, labelled(title, seats), "note")
    if v.origin is not None:
        text = phrase(
            "UNOFFICIAL: forked from match {match} at entry {seq}, and not played so",
            match=v.origin.match,
            seq=v.origin.seq,
        )
        n.line(e, -1, text, "note")
    if chance := notices.chance(v.chance):
        n.line(e, -1, chance, "note")
    if v.waits:
        n.line(e, -1, notices.waiting(v.waits, v.labels), "note")


@narrates(MatchBegan)
def _began(n: Narrator, e: Entry, v: MatchBegan) -> None:
    n.line(e, -1, phrase("the match begins"), "note")
    for seat, how in v.without:
        n.line(e, seat, notices.without(seat, how), "note")


@narrates(SeedCommitted)
def _committed(n: Narrator, e: Entry, v: SeedCommitted) -> None:
    who = player(v.seat)
    text = phrase("{player} is bound to a seed for chance", player=who)
    if not v.commitment:
        text = phrase("the match begins without a seed of {player}", player=who)
    n.line(e, v.seat, text, "note")


@narrates(SeedGiven)
def _given(n: Narrator, e: Entry, v: SeedGiven) -> None:
    who = player(v.seat)
    n.line(e, v.seat, phrase("{player} opens the seed to the service", player=who), "note")


@narrates(SeedsOpened)
def _opened_all(n: Narrator, e: Entry, v: SeedsOpened) -> None:
    n.line(e, -1, notices.opened(v), "note")


@narrates(ShuffleWitnessed)
def _shuffled(n: Narrator, e: Entry, v: ShuffleWitnessed) -> None:
    n.line(e, v.seat, notices.shuffled(v), "note")


@narrates(ev.DeckRegistered)
def _deck(n: Narrator, e: Entry, v: ev.DeckRegistered) -> None:
    sizes = joined(
        ", ", (phrase("{n} {part}", n=size, part=called(part)) for part, size in v.sizes.items())
    )
    n.line(e, v.seat, phrase("plays {name} ({sizes})", name=v.name, sizes=sizes), "note")


@narrates(ev.GameBegan)
def _game(n: Narrator, e: Entry, v: ev.GameBegan) -> None:
    n.line(e, -1, phrase("game {n} begins", n=v.n), "note")


@narrates(ev.SeatLost)
def _lost(n: Narrator, e: Entry, v: ev.SeatLost) -> None:
    why = n.book.manifest.label("reasons", v.why)
    text = "{who} loses: {why}" if len(v.seats) == 1 else "{who} lose: {why}"
    n.line(e, v.seats[0], phrase(text, who=players(v.seats), why=why), "result")


@narrates(ev.GameEnded)
def _game_over(n: Narrator, e: Entry, v: ev.GameEnded) -> None:
    text = phrase("{player} wins game {n}", player=player(v.winner), n=n.pos.game)
    n.line(e, v.winner, text, "result")


@narrates(ev.MatchEnded)
def _match_over(n: Narrator, e: Entry, v: ev.MatchEnded) -> None:
    n.line(e, v.winner, _outcome(v.winner, v.score), "result")


@narrates(ResultCorrected)
def _corrected(n: Narrator, e: Entry, v: ResultCorrected) -> None:
    """The result from now on, and the one that it supersedes, which stays readable."""
    before = n.pos.results[-2] if len(n.pos.results) > 1 else None
    text = phrase("the result is corrected: {result}", result=_outcome(v.winner, v.score))
    if before is not None:
        was = _outcome(before.winner, before.score)
        text = phrase("{text} (it was: {was})", text=text, was=was)
    n.line(e, v.winner, labelled(text, v.note) if v.note else text, "result")
    for seat in v.lost:
        lost = phrase("{player} has lost the whole match by a penalty", player=player(seat))
        n.line(e, seat, lost, "result")


def _outcome(winner: int, score: Sequence[int]) -> Phrase:
    games = "–".join(map(str, score))
    if winner < 0:
        return phrase("the match is a draw, {score}", score=games)
    return phrase("{player} wins the match, {score}", player=player(winner), score=games)


# -- decisions -----------------------------------------------------------------------------------


@narrates_before(ev.DecisionMade)
def _chosen(n: Narrator, e: Entry, v: ev.DecisionMade) -> None:
    """An answer, narrated before it is folded: what was on offer is still there."""
    decision = n.pos.decision
    offered = decision.offers.get(v.seat) if decision is not None else None
    offer, act = answered(v, offered, n.whole)
    for number, identity in v.stated.value.names if v.stated.value is not None else ():
        if number in n.pos.cards:
            n.pos.cards[number].id = identity  # as the fold is about to do
    if offer is None or act is None or (n.quiet and offered is not None and not is_choice(offered)):
        return
    meant = (act.kind, act.card, act.effect)
    option = next((o for o in offer.options if (o.kind, o.card, o.effect) == meant), None)
    if option is None:
        return
    draft = n.open(e, v.seat, n.book.manifest.label("acts", act.kind), kind="act")
    draft.cites, draft.ms = list(e.cites[:1]), v.ms
    draft.actors = {act.card}
    _slots(n, draft, act, option)
    alike = [o for o in offer.options if (o.kind, o.card) == (act.kind, act.card)]
    if len(alike) > 1 and option.effect and "{effect}" not in draft.label:
        effect = n.names.effect(option)
        draft.details.append(fixed(effect))
    n.act = (act.kind, act.card)


def _slots(n: Narrator, draft: Draft, act: Act, option: Option) -> None:
    """Word an act as things are called before it."""
    names = n.names
    card = names.ref(act.card, apart=True) if act.card else ""
    if isinstance(act.card, int) and act.card and names.pos.present(act.card):
        played = names.pos.cards[act.card]
        if played.id and n.book.manifest.zone(played.place).faces != "all":
            card = phrase("{card} ({id})", card=names.card(act.card), id=played.id)
    picked = names.picked(act, option, apart=True)
    every = joined(", ", filter(None, picked.values())) or phrase("nothing")
    for slot, text in {**picked, "": every, "card": card}.items():
        draft.slots[slot] = fixed(text)
    for part, picks in zip(option.parts, act.picks, strict=False):
        if part.pool == TEXT:
            draft.details += [partial(clauses, pick) for pick in picks]


def _text(pick: Ref) -> bool:
    """Whether that is a text that was declared: everything else that is picked has a name."""
    return isinstance(pick, str) and pick.lstrip().startswith("[")


@narrates(ev.Interjected)
def _interjected(n: Narrator, e: Entry, v: ev.Interjected) -> None:
    draft = n.open(e, v.seat, n.book.manifest.label("acts", v.kind), kind="act")
    where = n.names.ref(v.about) if v.about else ""
    draft.slots[""] = draft.slots["card"] = lambda: where
    n.act = (v.kind, v.about)
    draft.details += [partial(clauses, pick) for pick in v.picks.value or () if _text(pick)]
