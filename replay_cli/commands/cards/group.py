"""The group `kifu cards`: `kifu cards WORDS` looks cards up, other commands have names.

Each is loaded when it is called. A card that is called like one of them is found by `search`.
"""

from __future__ import annotations

from importlib import import_module

import click

from replay_cli.commands.groups import DefaultGroup

#: The commands of the group, each in the module of its name, and a line about it.
COMMANDS = {
    "search": "Look up cards (what WORDS alone do).",
    "compile": "Make card data of lists of printed cards.",
    "check": "Compare lists of printed cards with the card data: errata, new cards.",
}


class CardsGroup(DefaultGroup):
    """Loads a command when it is called for; the first word that names none is looked up."""

    default, alone = "search", True

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"replay_cli.commands.cards.{cmd_name}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def line(self, ctx: click.Context, name: str) -> str:
        return COMMANDS[name]


@click.command("cards", cls=CardsGroup, subcommand_metavar="[WORDS] | COMMAND")
def cards_command() -> None:
    """Look up cards by id, name or any other data (`unit blue`)."""
