"""The texts of the commands' help, read off the commands.

How they are shown is in `replay_cli.pages`; `translatable` has all there is to translate.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

import click

from domain.words.phrases import Phrase
from replay_cli.pages import CLICK, first_sentence, paragraphs


def of_click() -> Iterator[tuple[str, str]]:
    """The texts that click has of its own, each with its module."""
    for module in CLICK:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for one in node.args if node.func.id in ("_", "ngettext") else ():
                    if isinstance(one, ast.Constant) and isinstance(one.value, str):
                        yield one.value, module.__name__


def sentences(command: click.Command, name: str = "kifu") -> Iterator[tuple[str, str]]:
    """All texts of a command's help and of the commands below it, each with the command."""
    context = click.Context(command, info_name=name)
    for text in (command.help, command.epilog):
        for rows in paragraphs((text or "").partition("\f")[0]):
            yield from ((str(one), name) for row in rows for one in row if type(one) is Phrase)
    yield first_sentence(command), name
    for param in command.get_params(context):
        if isinstance(param, click.Option) and param.help and not param.hidden:
            yield " ".join(inspect.cleandoc(param.help).split()), name
    for entry in getattr(command, "entries", {}).values():
        yield from ((entry.section, name), (entry.line, name))
    if isinstance(command, click.Group):
        if line := getattr(command, "line", None):
            yield from ((line(context, one), name) for one in command.list_commands(context))
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from sentences(found, f"{name} {below}")
