"""The fields of officials' acts (`domain.text.desk`) as arguments and options of commands.

`MatchFirst` is a command about a match, which is its first word wherever it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from domain.officials.acts import BeginMatch
from domain.text import desk
from domain.words.fields import Kind, Typed, typed
from domain.words.phrases import message_of
from replay_cli.output import FilePath, say

Decorator = Callable[[Any], Any]


class Word(click.ParamType):  # type: ignore[type-arg]
    """A field as it is typed; what can't be read is a mistake of usage."""

    def __init__(self, one: Typed) -> None:
        self.one, self.name = one, "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value of a text; a value that was converted already stays as it is."""
        try:
            return desk.value(self.one, value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(say(message_of(error)), param, ctx)


def parameters(fields: Sequence[Typed]) -> tuple[Decorator, ...]:
    """The arguments and options of an act, in order."""
    return tuple(map(parameter, fields))


def options(*decorators: Decorator) -> Decorator:
    """Several of them as one."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def parameter(one: Typed) -> Decorator:
    """A field as an argument in its place, or as an option."""
    field, kind = one.field, _type(one)
    if not field.flags:
        metavar = one.word if one.needed else f"[{one.word}]"
        return click.argument(one.name, type=kind, metavar=metavar, required=one.needed)
    text = f"{field.help}."
    if field.kind in (Kind.YES, Kind.RUNNING):
        default = False if field.kind == Kind.YES else None
        return click.option(*field.flags, one.name, default=default, help=text, is_flag=True)
    return click.option(
        *field.flags, one.name, type=kind, help=text, metavar=field.word or None, default=None,
        multiple=one.many, required=one.needed,
    )  # fmt: skip


def _type(one: Typed) -> Any:
    match one.field.kind:
        case Kind.WAY:
            return click.Choice(list(desk.BACK))
        case Kind.PRINT:
            return FilePath(exists=True, dir_okay=False)
        case Kind.NUMBER:
            return click.IntRange(one.field.least)
    return Word(one)


rolls_option = parameter(typed(BeginMatch)["rolls"])


def _reads(place: click.Argument, word: str) -> bool:
    """Whether a word may be meant for a place, where it is not clear whether a match is named."""
    try:
        return bool(isinstance(place.type, Word) and [desk.value(place.type.one, word)])
    except ValueError:
        return False


class MatchFirst(click.Command):
    """A command whose first word is its match, which may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words, with an empty one where no match is named."""
        places = [one for one in self.params if isinstance(one, click.Argument)]
        needed = sum(one.required for one in places)
        most = len(places) - 1  # without the match
        bare = click.Command(self.name)
        bare.params += [one for one in self.params if isinstance(one, click.Option)]
        _, words, _ = bare.make_parser(ctx).parse_args([*args])
        left_out = len(words) <= needed or (
            len(words) <= most and any(_reads(one, words[0]) for one in places[1:2])
        )
        if left_out and not ctx.resilient_parsing:
            args = ["", *args]
        return super().parse_args(ctx, args)
