"""Groups of commands: those that load one when it is called for, those with one that is meant.

`LazyGroup` has a table of its commands, by heading, so that its help loads none of them. In a
`DefaultGroup` one is meant where none is named: `kifu audit FILE`, `kifu tokens`. A value with the
name of a command can't be given to the default one without its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar, NamedTuple

import click
from click.shell_completion import CompletionItem

from domain.words.phrases import joined, phrase
from replay_cli.output import Misused
from replay_cli.pages import first_sentence


class Entry(NamedTuple):
    """A command: the module that has it (seen from its package), its heading, a line about it."""

    module: str
    section: str
    line: str


class LazyGroup(click.Group):
    """Loads a command when it is called for, and lists them by heading."""

    #: The commands by their names, and the package that has their modules.
    entries: ClassVar[Mapping[str, Entry]] = {}
    package: ClassVar[str] = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.entries.get(cmd_name)
        if entry is None:
            return None
        module = import_module(f".{entry.module}", self.package)
        found: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.entries and not args[0].startswith("-"):
            near = [name for name in self.entries if name.startswith(args[0][:2])]
            text = "There is no command {name!r}. Did you mean {near}?"
            text = text if near else "There is no command {name!r}."
            raise Misused(phrase(text, name=args[0], near=joined(phrase(" or "), near)), ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so; none of them is loaded for that."""
        found = [
            CompletionItem(name, help=entry.line)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section in dict.fromkeys(entry.section for entry in self.entries.values()):
            rows = [(name, e.line) for name, e in self.entries.items() if e.section == section]
            with formatter.section(section):
                formatter.write_dl(rows, col_max=12)


class DefaultGroup(click.Group):
    """A group whose first word may also be the first argument of its `default` command."""

    default = ""
    #: Whether the default command is meant by no word at all, too; else its help is shown.
    alone = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words of a command, or else those of the default one."""
        known = (*self.list_commands(ctx), *ctx.help_option_names)
        if (args and args[0] not in known) or (not args and self.alone):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Those of the default command, then the commands."""
        click.Command.format_options(self._default(ctx), ctx, formatter)
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.line(ctx, name)) for name in self.list_commands(ctx)])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The epilog of the default command."""
        self._default(ctx).format_epilog(ctx, formatter)

    def line(self, ctx: click.Context, name: str) -> str:
        """The help line of a command."""
        found = self.get_command(ctx, name)
        return first_sentence(found) if found is not None else ""

    def _default(self, ctx: click.Context) -> click.Command:
        found = self.get_command(ctx, self.default)
        assert found is not None
        return found
