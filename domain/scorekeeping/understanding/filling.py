"""Fills in what a command leaves out, once its cards are known to the service.

A card that is named only now may be asked for a target, or for which of its texts is meant. The
service says what is open to it (`Trial.offer`): so what is left out is written out before Enter,
and what else could be picked is suggested. Suggestions that turn out to be no acts are dropped
(`acts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.engine import naming
from domain.engine.naming import Inputs
from domain.record.decisions import Misfit, Offer, Option, act_of
from domain.record.fitting.fit import fit
from domain.record.position import Position
from domain.scorekeeping.command import Command, Trial
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import suggest
from domain.scorekeeping.suggestions.suggest import Row, Table


class Filled(Struct, frozen=True):
    """A command, written out; `certain`: what is on offer is not asked about.

    `trial` is the service's answer about it, if known, `rows` the other possible picks.
    """

    command: Command
    certain: bool = False
    trial: Trial | None = None
    rows: Sequence[Row] = ()


def of(session: Session, command: Command) -> Filled:
    """A command as the service would take it."""
    apart = command.auto_pass is not None or command.withdraws or command.irregular
    apart = apart or command.renames
    if command.implied or command.interjected or apart:
        return Filled(command, certain=True)
    pos, offer = _there(session, command)
    if not command.names and suggest.is_on_offer(offer, command.act):
        return Filled(command, certain=True)
    trial = session.tried(command)
    if trial is None or trial.offer is None:
        return Filled(command, trial=trial)
    options = _options(trial.offer, command)
    if trial.refused is not None and options and not command.act.effect:
        effects = dict.fromkeys(option.effect for option in options)
        if len(effects) > 1:  # the first, unless one is named
            return of(session, _with_effect(session, command, pos, trial.offer, options[0]))
    if trial.refused is not None:
        return Filled(command, trial=trial)
    t = _table(session, command, pos, trial.offer)
    filled = _written_out(t, trial.offer, command, options)
    rows = [*_ways(t, trial.offer, filled, _options(trial.offer, _effectless(filled)))]
    return Filled(filled, trial=trial, rows=rows if len(rows) > 1 else ())


def _effectless(command: Command) -> Command:
    return replace(command, act=replace(command.act, effect=""))


def _with_effect(
    session: Session, command: Command, pos: Position, offer: Offer, option: Option
) -> Command:
    """A command that says which text of its card is meant."""
    act = replace(command.act, effect=option.effect)
    t = _table(session, command, pos, offer)
    return replace(command, act=act, text=t.write(act))


def _table(session: Session, command: Command, pos: Position, offer: Offer) -> Table:
    """The table for writing a command out: the position with the cards known that it names."""
    t = Table(session.book, pos, command.seat, offer, session.habits)
    return replace(t, pos=naming.named(pos, t.rules, Inputs(command.names)))


def table(session: Session, command: Command, offer: Offer) -> Table:
    """The table at a command's decision, with the cards known that it names, and this offer."""
    return _table(session, command, _there(session, command)[0], offer)


def acts(session: Session, rows: Iterable[Row]) -> Iterator[Row]:
    """The suggestions that may be acts, by the service's answers about their cards so far."""
    for row in rows:
        offers = [
            (command, trial.offer)
            for command, trial in session.known_trials()
            if trial.offer is not None and command.names == row.command.names
            and command.passes == row.command.passes
        ] if row.command.names else []  # fmt: skip
        if not offers or any(_may_be(row.command, *one) for one in offers):
            yield row


def _may_be(command: Command, tried: Command, offer: Offer) -> bool:
    if _options(offer, command):
        return suggest.is_on_offer(offer, command.act)
    return not any(command.act.picks) or command.act == tried.act


def _there(session: Session, command: Command) -> tuple[Position, Offer | None]:
    """The position at which a command is to be recorded, and what is on offer to its seat there."""
    if command.passes and session.ahead is not None:
        for stop in session.ahead.stops:
            if stop.passes == command.passes:
                return stop.pos, stop.decision.offers.get(command.seat)
    return session.pos, session.offer(command.seat)


def _options(offer: Offer, command: Command) -> list[Option]:
    act = command.act
    return [
        option
        for option in offer.options
        if (option.kind, option.card) == (act.kind, act.card) and act.effect in ("", option.effect)
    ]


def _written_out(t: Table, offer: Offer, command: Command, options: Sequence[Option]) -> Command:
    """A command with all its picks, in the notation."""
    try:
        whole = act_of(offer, fit(offer, command.act))
    except Misfit:
        return command
    given, parts = len(command.act.picks), options[0].parts
    named_parts = [
        at
        for at, part in enumerate(parts)
        if at < given or suggest.is_written(t.manifest, options[0], part)
    ]
    filled = replace(whole, picks=whole.picks[: max(named_parts, default=-1) + 1])
    more = any(at >= given and whole.picks[at] for at in named_parts)
    return replace(command, act=filled, text=t.write(filled) if more else command.text)


def _ways(t: Table, offer: Offer, command: Command, options: Iterable[Option]) -> Iterator[Row]:
    """The ways in which an act may be done, each written out."""
    for option in options:
        for act in suggest.ways(t, offer, option):
            text = t.write(act)
            yield Row(text, replace(command, act=act, text=text))
