"""Groups of commands of which one is meant where none is named: `kifu audit FILE`, `kifu tokens`.

What bears the name of one of the commands can't be said to the default one without its name.
"""

from __future__ import annotations

import click

from replay_cli.pages import first_sentence


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
        """That of the default command."""
        self._default(ctx).format_epilog(ctx, formatter)

    def line(self, ctx: click.Context, name: str) -> str:
        """What the help says of a command."""
        found = self.get_command(ctx, name)
        return first_sentence(found) if found is not None else ""

    def _default(self, ctx: click.Context) -> click.Command:
        found = self.get_command(ctx, self.default)
        assert found is not None
        return found
