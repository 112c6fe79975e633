"""The group `kifu audit`: `kifu audit FILE` is its default command, the others have names.

Each is loaded when it is called, like the commands of `main`. A file that bears the name of one of
them is meant by `./NAME`.
"""

from __future__ import annotations

from importlib import import_module

import click

from replay_cli.commands.groups import DefaultGroup

#: The commands of the group: the module of this package that has it, as `NAME_command`, and a line.
COMMANDS = {
    "file": ("file", "Say what of a file is proven (what FILE alone does)."),
    "access": ("access", "List who has looked at hidden cards, of a server or a file."),
    "checkpoint": ("anchors", "Print the newest checkpoint of the log of all matches."),
    "inclusion": ("anchors", "Print what shows that a match is in the log."),
    "tiles": ("anchors", "Write the log as static files."),
    "key": ("anchors", "Print the keys of the log, or change them."),
}


class AuditGroup(DefaultGroup):
    """Loads a command when it is called for; the first word that names none is a file."""

    default = "file"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"replay_cli.commands.audit.{COMMANDS[cmd_name][0]}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def line(self, ctx: click.Context, name: str) -> str:
        return COMMANDS[name][1]


@click.command(
    "audit", cls=AuditGroup, no_args_is_help=True, subcommand_metavar="FILE [MATCH] | COMMAND"
)
def audit_command() -> None:
    """Report what of a record is proven and what is not, from files alone.

    FILE is a file of matches (.kifu), an exported record (.jsonl), an evidence bundle
    (.kifu-proof), or a transcript with its bundle next to it. No server or network is used.
    """
