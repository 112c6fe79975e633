"""`kifu serve`: the service, for real use."""

from __future__ import annotations

from pathlib import Path

import click

from domain.record.proof.anchors import policy
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.policy import Policy
from replay_cli.output import as_json, json_option
from replay_cli.reaching.connection import DATA
from service import logs
from service.server import EXPOSED, Serving, Settings, serve

EPILOG = """
Beside the file lie FILE-key, which signs tokens, FILE-token, the organiser's token, and
FILE-log-key, which signs checkpoints (kifu audit key); all can be read by you only. While it runs,
other commands on this machine reach it by --data FILE; from elsewhere by --server HOST:PORT --token
TOKEN. For calls from elsewhere name a certificate: without TLS whoever is on the network can read
what is sent, tokens included. An organiser's token that got into wrong hands is made worthless by:
kifu tokens revoke --role organiser

A caller who asks for too much at once is told when to try again (RESOURCE_EXHAUSTED, RetryInfo): so
many streams by one connection, so much work that waits for one token. A request has 256 KiB at
most, a transcript 4 MiB.
"""


def policy_in(file: Path) -> Policy:
    """The policy in a file; raises `click.BadParameter`."""
    try:
        return policy.parse(file.read_text("utf-8"))
    except (Malformed, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--witnesses") from error


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
@click.option(
    "--host",
    envvar="KIFU_HOST",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on.",
)
@click.option(
    "-p",
    "--port",
    envvar="KIFU_PORT",
    type=click.IntRange(0, 65535),
    default=7777,
    show_default=True,
    help="The port; 0: a free one.",
)
@click.option(
    "--tls-cert",
    envvar="KIFU_TLS_CERT",
    type=click.Path(exists=True, path_type=Path),
    help="A certificate …",
)
@click.option(
    "--tls-key",
    envvar="KIFU_TLS_KEY",
    type=click.Path(exists=True, path_type=Path),
    help="… and its key.",
)
@click.option(
    "--metrics-port",
    envvar="KIFU_METRICS_PORT",
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
    "--log-name",
    metavar="NAME",
    default="",
    help="What the log of heads is called, if it is new: an address of yours, as example.org/cup.",
)
@click.option(
    "--log-every",
    type=click.FloatRange(0.1),
    default=5.0,
    show_default=True,
    help="Seconds of play after which a checkpoint is signed.",
)
@click.option(
    "--log-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="A directory where the log is published as static files.",
)
@click.option(
    "--witnesses",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A policy with the witnesses that are to sign checkpoints (c2sp.org/tlog-policy).",
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
    metrics_port: int | None, live: int, idle: float, token_days: float, log_name: str,
    log_every: float, log_dir: Path | None, witnesses: Path | None, log_level: str, as_data: bool,
) -> None:  # fmt: skip
    """Run the service until it is told to stop (Ctrl-C)."""
    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    logs.to_stderr(log_level)
    settings = Settings(
        data=data, host=host, port=port, tls_cert=tls_cert, tls_key=tls_key,
        metrics_port=metrics_port, live=live, idle=idle, token_days=token_days,
        announce=True, log_name=log_name, log_every=log_every, log_dir=log_dir,
        witnesses=policy_in(witnesses) if witnesses is not None else Policy(),
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
