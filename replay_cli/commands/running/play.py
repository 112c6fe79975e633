"""`kifu play`: a server for two friends, and the page where one invites, or plays alone."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from domain.words.phrases import phrase
from replay_cli.commands.running.alone import play_alone
from replay_cli.commands.running.network import PORT, on_network
from replay_cli.output import FilePath, Misused, need_terminal, say
from replay_cli.playing.policy.sitting import Rival
from replay_cli.reaching import completing
from replay_cli.reaching.connection import DATA
from replay_cli.reaching.hosting import PATIENT
from service.server import serve
from service.settings import Serving, Settings
from service.telemetry import logs

EPILOG = """\b
kifu play            with somebody at this machine, or by an address of your own that leads to it
kifu play --lan      with a phone or another machine on your network
kifu play --against bot
                     with the computer, in this terminal; the page has a button for it, too
"""


@click.command("play", epilog=EPILOG)
@click.option(
    "-d", "--data", type=FilePath(dir_okay=False), default=DATA, envvar="KIFU_DATA",
    show_default=True, help="The file of matches; created if missing.",
)  # fmt: skip
@click.option(
    "--http", "http_port", envvar="KIFU_HTTP", type=click.IntRange(0, 65535), default=PORT,
    show_default=True, help="The port of the pages; 0: a free one.",
)  # fmt: skip
@click.option("--lan", is_flag=True, help="Let others on this network in, by TLS.")
@click.option("--browser/--no-browser", default=True, help="Open the page in the browser.")
@click.option(
    "--against", type=click.Choice(["bot"]), help="Play against the computer, in this terminal."
)
@completing.game_option
@completing.edition_option
@click.option(
    "--decks", metavar="X,Y", default="", help="Your deck and the computer's, by name or file."
)
@click.option("--seed", type=click.IntRange(0), help="Makes the luck of the match repeatable.")
def play_command(
    data: Path, http_port: int, lan: bool, browser: bool, against: str | None, game: str,
    edition: str, decks: str, seed: int | None,
) -> None:  # fmt: skip
    """Play with a friend: pick a game and a deck, send a link, begin (until Ctrl-C)."""
    if against:
        need_terminal()
        play_alone(data, game, edition, decks, seed)
        return
    if game or edition or decks or seed is not None:
        raise Misused("the game and decks are picked on the page, but for --against bot")
    rival = Rival("play")
    logs.to_stderr("warning")
    network = on_network(data, http_port, None, None, "") if lan else None
    settings = Settings(
        data=data, port=0, http_port=network.port if network else http_port,
        http_host="0.0.0.0" if network else "", http_cert=network.cert if network else None,
        http_key=network.key if network else None, web=network.web if network else "",
        announce=True, patience=PATIENT, rival=rival,
    )  # fmt: skip

    def ready(serving: Serving) -> None:
        rival.address = serving.address
        page = invitation(serving)
        pick = phrase("Pick a game and a deck, and send the link that you get to your friend.")
        click.echo(say(pick))
        lets_in = phrase("This page lets you in, once and within an hour: {page}", page=page)
        click.echo(say(lets_in))
        if network is not None:
            network.show()
        if browser:
            webbrowser.open(page)

    serve(settings, ready)


def invitation(serving: Serving) -> str:
    """The page where the organiser of a server invites, once it has let him in."""
    address, _, key = serving.entrance.partition("#")
    return f"{address}?to=/play#{key}"
