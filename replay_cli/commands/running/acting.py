"""Shared by the commands of officials: the match as they see it, and the act they type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import click

from domain.engine.rulebook import Rulebook
from domain.officials.acts import OfficialAct
from domain.record.position import Position
from domain.record.views import PUBLIC
from domain.scorekeeping.line.questions import RollQuestion
from domain.telling.book import Book
from domain.telling.names import letter
from domain.text import desk, notation
from domain.words.fields import Kind
from domain.words.phrases import joined, message_of, phrase
from replay_cli.output import REFUSED, BadValue, Failed, say
from replay_cli.reaching.connection import Reader
from replay_cli.typed import lists
from service.client.connection import CallError

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask first.")


class Seen:
    """A match as an official sees it while he types: with what is hidden, where he has to look."""

    def __init__(self, reader: Reader, *, whole: bool = False) -> None:
        self.reader, self._whole = reader, whole

    @cached_property
    def pos(self) -> Position:
        """How it stands."""
        return self.reader.client.position(self.reader.id, view=None if self._whole else PUBLIC)

    @property
    def rules(self) -> Rulebook:
        """The known data of its game."""
        return cast(Rulebook, self.reader.book)

    def act(self, name: str, given: Mapping[str, Any], *, yes: bool = False) -> OfficialAct:
        """The act that was typed; what can't be read is a mistake of usage.

        Of printed texts in a file what is understood is asked to be accepted, unless `yes`.
        """
        files = [one.name for one in desk.TYPED[name] if one.field.kind == Kind.PRINT]
        game = self.reader.summary.game if files else ""
        read = {one: lists.brought([given[one]], game, yes=yes) for one in files}
        try:
            return desk.meant(name, {**given, **read}, self)
        except notation.BadText as error:
            raise BadValue(message_of(error), param_hint="ACT") from None
        except desk.BadAct as error:
            raise BadValue(message_of(error)) from None


def roll_missing(error: CallError, book: Book, seats: Sequence[str]) -> Exception:
    """The failure where an outcome of chance is missing, with the way to state it; or any other."""
    if error.reason != "ROLL_REQUIRED":
        return error
    kind, of = error.metadata["kind"], int(error.metadata["of"])
    asked = RollQuestion(kind, of, tuple(seats), book.manifest.label("chances", kind))
    hint = "name it with --roll: a player's letter, or outcomes counted from 0"
    return Failed(say(asked.text), REFUSED, [hint])


def seat_of(reader: Reader, name: str) -> int:
    """The seat that a letter names."""
    letters = [letter(seat) for seat in range(reader.book.manifest.seats)]
    if name.upper() not in letters:
        raise BadValue(
            phrase(
                "{name!r} is no player; there are {letters}",
                name=name,
                letters=joined(" and ", letters),
            )
        )
    return letters.index(name.upper())
