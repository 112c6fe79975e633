"""`kifu serve`: the service, for real use."""

from __future__ import annotations

from pathlib import Path

import click

from replay_cli.output import as_json, json_option
from replay_cli.reaching.connection import DATA
from service import logs
from service.server import EXPOSED, Serving, Settings, serve

EPILOG = """\b
Beside the file lie FILE-key, which signs tokens, and FILE-token, the organiser's
token; both can be read by you only. While it runs, other commands on this machine
reach it by --data FILE; from elsewhere by --server HOST:PORT --token TOKEN. For
calls from elsewhere name a certificate: without TLS whoever is on the network can
read what is sent, tokens included. An organiser's token that got into wrong hands
is made worthless by: kifu tokens revoke

A caller who asks for too much at once is told when to try again
(RESOURCE_EXHAUSTED, RetryInfo): so many streams by one connection, so much work
that waits for one token. A request has 256 KiB at most, a transcript 4 MiB.
"""


@click.command("serve", epilog=EPILOG)
@click.option(
    "-d",
    "--data",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DATA,
    envvar="KIFU_DATA",
    show_default=True,
    help="The file of matches; made if need be.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "-p",
    "--port",
    type=click.IntRange(0, 65535),
    default=7777,
    show_default=True,
    help="The port; 0: a free one.",
)
@click.option("--tls-cert", type=click.Path(exists=True, path_type=Path), help="A certificate …")
@click.option("--tls-key", type=click.Path(exists=True, path_type=Path), help="… and its key.")
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    help="Serve metrics over HTTP (/metrics) on this port.",
)
@click.option(
    "--live",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Matches kept in memory at most.",
)
@click.option(
    "--idle",
    type=click.FloatRange(1),
    default=600.0,
    show_default=True,
    help="Seconds after which an idle match leaves memory.",
)
@click.option(
    "--token-days",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="How long the tokens of a match last.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="What to log, as JSON on standard error.",
)
@json_option
def serve_command(
    data: Path, host: str, port: int, tls_cert: Path | None, tls_key: Path | None,
    metrics_port: int | None, live: int, idle: float, token_days: float, log_level: str,
    as_data: bool,
) -> None:  # fmt: skip
    """Run the service until it is told to stop (Ctrl-C)."""
    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    logs.to_stderr(log_level)
    settings = Settings(
        data=data, host=host, port=port, tls_cert=tls_cert, tls_key=tls_key,
        metrics_port=metrics_port, live=live, idle=idle, token_days=token_days,
        announce=True,
    )  # fmt: skip

    def ready(serving: Serving) -> None:
        if as_data:
            as_json({"address": serving.address, "data": str(data), "token": serving.token})
            return
        if settings.exposed:
            click.echo(f"Warning: {EXPOSED} (--tls-cert, --tls-key).", err=True)
        click.echo(f"Kifu serves {data} at {serving.address}.")
        click.echo(f"The organiser's token is in {settings.token_file}.")
        click.echo(f"Try:  kifu list --data {data}")

    serve(settings, ready)
