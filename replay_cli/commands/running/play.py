"""`kifu play`: a server for two friends, and the page where one invites the other."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from replay_cli.commands.running.network import PORT, on_network
from replay_cli.output import FilePath
from replay_cli.reaching.connection import DATA
from replay_cli.reaching.hosting import PATIENT
from service.server import serve
from service.settings import Serving, Settings
from service.telemetry import logs

EPILOG = """\b
kifu play            with somebody at this machine, or by an address of your own that leads to it
kifu play --lan      with a phone or another machine on your network
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
def play_command(data: Path, http_port: int, lan: bool, browser: bool) -> None:
    """Play with a friend: pick a game and a deck, send a link, begin (until Ctrl-C)."""
    logs.to_stderr("warning")
    network = on_network(data, http_port, None, None, "") if lan else None
    settings = Settings(
        data=data, port=0, http_port=network.port if network else http_port,
        http_host="0.0.0.0" if network else "", http_cert=network.cert if network else None,
        http_key=network.key if network else None, web=network.web if network else "",
        announce=True, patience=PATIENT,
    )  # fmt: skip

    def ready(serving: Serving) -> None:
        page = invitation(serving)
        click.echo("Pick a game and a deck, and send the link that you get to your friend.")
        click.echo(f"This page lets you in, once and within an hour: {page}")
        if network is not None:
            network.show()
        if browser:
            webbrowser.open(page)

    serve(settings, ready)


def invitation(serving: Serving) -> str:
    """The page where the organiser of a server invites, once it has let him in."""
    address, _, key = serving.entrance.partition("#")
    return f"{address}?to=/play#{key}"
