"""`kifu serve`: the service, for real use."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path

import click

from domain.record.proof.anchors import policy
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.policy import Policy
from domain.words.phrases import phrase
from replay_cli.commands.running.network import on_network
from replay_cli.output import BadValue, FilePath, Misused, as_json, json_option, say
from replay_cli.reaching.connection import DATA
from replay_cli.reaching.hosting import PATIENT
from replay_cli.reaching.places import named
from service.server import serve
from service.settings import EXPOSED, Serving, Settings
from service.store.opening import is_address
from service.telemetry import logs
from service.web.site import Look

EPILOG = """
Next to the file are FILE-key, which signs tokens, FILE-token, the organiser's token, and
FILE-log-key, which signs checkpoints (kifu audit key); all can be read by you only. While it runs,
other commands on this machine reach it by --data FILE; from elsewhere by --server HOST:PORT --token
TOKEN. For calls from elsewhere name a certificate: without TLS whoever is on the network can read
what is sent, tokens included. An organiser's token that got into wrong hands is made worthless by:
kifu tokens revoke --role organiser

A caller who asks for too much at once is told when to try again (RESOURCE_EXHAUSTED, RetryInfo): so
many streams by one connection, so much work that waits for one token. A request has 256 KiB at
most, a transcript 1 MiB.
"""


def policy_in(file: Path) -> Policy:
    """The policy in a file; raises `click.BadParameter`."""
    try:
        return policy.parse(file.read_text("utf-8"))
    except (Malformed, UnicodeDecodeError) as error:
        raise BadValue(
            phrase("{file}: {error}", file=file, error=error), param_hint="--witnesses"
        ) from error


def _origins(_: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Sites as browsers name them: a scheme, a host in lower case, a port where it is another."""
    found = tuple(one.rstrip("/").lower() for one in given)
    for one in found:
        if one != "*" and not re.fullmatch(r"https?://[^/?#@\s]+", one):
            raise BadValue(
                phrase("{one} is no site, as https://example.org is", one=one), param=option
            )
    return found


def _addresses(text: str) -> tuple[str, ...]:
    """The addresses and networks that are named; raises `click.BadParameter`."""
    found = tuple(filter(None, (one.strip() for one in text.split(","))))
    try:
        for one in found:
            ip_network(one)
    except ValueError as error:
        raise BadValue(str(error), param_hint="--proxies") from error
    return found


@click.command("serve", epilog=EPILOG)
@click.option(
    "-d",
    "--data",
    type=FilePath(dir_okay=False),
    default=DATA,
    envvar="KIFU_DATA",
    show_default=True,
    help="The file of matches; created if missing.",
)
@click.option(
    "--anew",
    is_flag=True,
    help="Start a new store although the keys of a lost one are there: FILE is empty or gone.",
)
@click.option(
    "--store",
    envvar="KIFU_STORE",
    default="",
    metavar="postgresql://…",
    help="A database for the matches, which several servers may share; keys are kept next to FILE."
    " @FILE: a file with the address and its password.",
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
    type=FilePath(exists=True),
    help="A certificate …",
)
@click.option(
    "--tls-key",
    envvar="KIFU_TLS_KEY",
    type=FilePath(exists=True),
    help="… and its key.",
)
@click.option(
    "--metrics-port",
    envvar="KIFU_METRICS_PORT",
    type=click.IntRange(0, 65535),
    help="Serve metrics over HTTP (/metrics) on this port.",
)
@click.option(
    "--http",
    "http_port",
    envvar="KIFU_HTTP",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve pages for browsers, and the API over HTTP, on this port.",
)
@click.option(
    "--lan",
    is_flag=True,
    help="Serve pages to the phones of this network, by TLS: the addresses are found, a certificate"
    " is made, and a QR code shown. (Port 8080, or --http.)",
)
@click.option(
    "--web",
    envvar="KIFU_WEB",
    default="",
    metavar="URL",
    help="The public address of the pages, if it differs: https://kifu.example.",
)
@click.option(
    "--proxies",
    envvar="KIFU_PROXIES",
    default="",
    metavar="IP,…",
    help="Proxies whose X-Forwarded-… headers are trusted.",
)
@click.option(
    "--closed",
    envvar="KIFU_CLOSED",
    is_flag=True,
    help="Show pages only to people with a code; otherwise everybody may see what the public sees.",
)
@click.option(
    "--images",
    envvar="KIFU_IMAGES",
    type=FilePath(exists=True, file_okay=False),
    help="A folder with pictures of cards: GAME/CARD.webp (.png, .jpg).",
)
@click.option(
    "--card-photos",
    envvar="KIFU_CARD_PHOTOS",
    is_flag=True,
    help="Keep photos of cards that no catalogue has with the matches that bring them.",
)
@click.option(
    "--themes",
    envvar="KIFU_THEMES",
    type=FilePath(exists=True, file_okay=False),
    help="A folder with themes of overlays: NAME.css.",
)
@click.option(
    "--origin",
    "origins",
    envvar="KIFU_ORIGINS",
    multiple=True,
    metavar="URL",
    callback=_origins,
    help="A site whose pages may call the API (CORS); *: all of them.",
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
    "--drain",
    envvar="KIFU_DRAIN",
    type=click.FloatRange(0, 600),
    default=0.0,
    show_default=True,
    help="Seconds to go on serving after a stop signal, while /readyz and gRPC health report it.",
)
@click.option(
    "--news",
    envvar="KIFU_NEWS",
    default="",
    metavar="WAY",
    help="How servers of one store notify each other: nats://HOST:4222[,…], listen (PostgreSQL, the"
    " default there), poll.",
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
    help="The name of the log of heads, if it is new: an address of yours, e.g. example.org/cup.",
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
    type=FilePath(file_okay=False),
    help="A directory where the log is published as static files.",
)
@click.option(
    "--witnesses",
    type=FilePath(exists=True, dir_okay=False),
    help="A policy file that names the witnesses who sign checkpoints (c2sp.org/tlog-policy).",
)
@click.option(
    "--name",
    envvar="KIFU_NAME",
    default="",
    metavar="NAME",
    help="The name of this server in logs, traces and metrics (default: its host and port).",
)
@click.option(
    "--telemetry",
    envvar="KIFU_TELEMETRY",
    default="",
    metavar="URL",
    help="Send traces and metrics to a collector: otlp://HOST:PORT, otlps://HOST:PORT.",
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
    data: Path, anew: bool, store: str, host: str, port: int, tls_cert: Path | None,
    tls_key: Path | None,
    metrics_port: int | None, http_port: int | None, lan: bool, web: str, proxies: str,
    closed: bool,
    images: Path | None, card_photos: bool, themes: Path | None, origins: tuple[str, ...],
    live: int, idle: float, drain: float, news: str, token_days: float, log_name: str,
    log_every: float,
    log_dir: Path | None, witnesses: Path | None, name: str, telemetry: str, log_level: str,
    as_data: bool,
) -> None:  # fmt: skip
    """Run the service until it is stopped (Ctrl-C)."""
    if (tls_cert is None) != (tls_key is None):
        raise Misused("--tls-cert and --tls-key belong together")
    if (store := named(store)) and not is_address(store):
        raise BadValue("must be postgresql://…", param_hint="--store")
    if web and not re.fullmatch(r"https?://[^/?#\s]+/?", web):
        raise BadValue("must be https://HOST, with a port or not", param_hint="--web")
    logs.to_stderr(log_level)
    network = on_network(data, http_port, tls_cert, tls_key, web) if lan else None
    if network is not None:
        http_port, web = network.port, network.web
    settings = Settings(
        data=data, anew=anew, store=store, host=host, port=port, tls_cert=tls_cert, tls_key=tls_key,
        metrics_port=metrics_port, http_port=http_port, web=web,
        http_host="0.0.0.0" if network else "", http_cert=network.cert if network else None,
        http_key=network.key if network else None, proxies=_addresses(proxies),
        look=Look(
            open=not closed, images=images, card_photos=card_photos, themes=themes,
            origins=origins, web=web.rstrip("/"),
        ),
        live=live, idle=idle, drain=drain, news=news, token_days=token_days,
        name=name, telemetry=telemetry, announce=True, patience=PATIENT,
        log_name=log_name, log_every=log_every, log_dir=log_dir,
        witnesses=policy_in(witnesses) if witnesses is not None else Policy(),
    )  # fmt: skip

    def ready(serving: Serving) -> None:
        if as_data:
            values = {"address": serving.address, "data": serving.where, "token": serving.token}
            web = {"web": serving.web, "entrance": serving.entrance} if serving.web else {}
            as_json({**values, **web})
            return
        if settings.exposed:
            warning = phrase("Warning: {exposed} (--tls-cert, --tls-key).", exposed=EXPOSED)
            click.echo(say(warning), err=True)
        at = phrase("Kifu serves {where} at {at}.", where=serving.where, at=serving.address)
        click.echo(say(at))
        if serving.web:
            click.echo(say(phrase("Its pages are at {web}.", web=serving.web)))
            sign_in = phrase("Sign in as the organiser, once and within an hour: {entrance}",
                             entrance=serving.entrance)  # fmt: skip
            click.echo(say(sign_in))
        if network is not None:
            network.show()
        token = phrase("The organiser's token is in {file}.", file=settings.token_file)
        click.echo(say(token))
        there = f'--server {serving.address} --token "$(cat {settings.token_file})"'
        command = f"kifu list {there if store else f'--data {data}'}"
        click.echo(say(phrase("Try:  {command}", command=command)))

    serve(settings, ready)
