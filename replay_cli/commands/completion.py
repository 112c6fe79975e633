"""`kifu completion`: the script by which a shell completes commands and arguments."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

EXAMPLES = """\b
eval "$(kifu completion bash)"                                     in ~/.bashrc
eval "$(kifu completion zsh)"                                      in ~/.zshrc
kifu completion fish > ~/.config/fish/completions/kifu.fish        once
"""


@click.command("completion", epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print the script by which SHELL completes commands, options, games, decks and matches."""
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(ctx.find_root().command, {}, "kifu", "_KIFU_COMPLETE").source())
