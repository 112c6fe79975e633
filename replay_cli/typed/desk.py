"""The table of officials' acts (`domain.text.desk`) as arguments and options of commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from domain.text.desk import ACTS, Word

Decorator = Callable[[Any], Any]


class Typed(click.ParamType):  # type: ignore[type-arg]
    """A word of the table; what can't be read is a mistake of usage."""

    def __init__(self, word: Word) -> None:
        self.word, self.name = word, "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What a text stands for; what was converted already stays as it is."""
        try:
            return self.word.value(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


def words(name: str) -> tuple[Decorator, ...]:
    """The arguments and options of an act, in order."""
    return tuple(map(_decorator, ACTS[name]))


def words_of(name: str) -> Decorator:
    """All of them, for one command."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(words(name)):
            command = decorator(command)
        return command

    return decorate


def _decorator(word: Word) -> Decorator:
    if not word.flags:
        return click.argument(word.name, type=_type(word))
    if word.bare:
        return click.option(*word.flags, word.name, is_flag=True, help=word.help)
    return click.option(
        *word.flags, word.name, type=_type(word), help=word.help, metavar=word.metavar or None,
        multiple=word.many, required=word.required,
        default=None if word.many or word.required else word.default or word.left_out(),
    )  # fmt: skip


def _type(word: Word) -> Any:
    if word.among:
        return click.Choice(list(word.among))
    return click.IntRange(word.least) if word.least >= 0 else Typed(word)
