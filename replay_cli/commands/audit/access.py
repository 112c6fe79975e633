"""`kifu audit access`: who read hidden information, and whether the log of it is complete."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

import click
from google.protobuf.json_format import MessageToDict
from kifu.v1 import admin_service_pb2

from domain.words.phrases import phrase
from replay_cli.output import (
    REFUSED,
    BadValue,
    Failed,
    as_json,
    console,
    json_option,
    say,
    table,
    write_table,
)
from replay_cli.reaching.connection import Access, access_options, match_argument

if TYPE_CHECKING:
    from service.client.client import Client

EXAMPLES = """\b
kifu audit access -d event.kifu            the newest lines, and the head to note down
kifu audit access k7f3q -d event.kifu      only those about a match
kifu audit access --check --head 57:9f…    whether the log still leads there
kifu audit access --check -s HOST:PORT     of servers that share a database: all logs, with heads
"""


@click.command("access", epilog=EXAMPLES)
@match_argument
@click.option("-n", "--limit", type=click.IntRange(1), default=50, show_default=True)
@click.option("--check", "checked", is_flag=True, help="Check that the log is whole.")
@click.option("--head", metavar="N:HASH", default="", help="A head noted earlier: check it too.")
@access_options
@json_option
def access_command(
    match: str, limit: int, checked: bool, head: str, access: Access, as_data: bool
) -> None:
    """List who read hidden information (of MATCH, or of all), the newest first. For organisers.

    A line is written for hidden information that officials and organisers see without an entry in
    the match. Each line is chained to the one before it: note the head, and later --head finds
    altered or missing lines. Servers that share a database keep a log for each match: without MATCH
    all are read, and --check prints their heads.
    """
    noted = _noted(head) if head else None
    with access.open() as client:
        found = [] if checked or noted else [*islice(client.access(match), limit)]
        state = client.check_access(noted, match)
        heads = _heads(client) if checked and not state.HasField("head") else {}
    now = _written(state.head) if state.HasField("head") else ""
    if as_data:
        lines = [MessageToDict(line, preserving_proto_field_name=True) for line in found]
        as_json({"lines": lines, "head": now, "heads": heads, "fault": state.fault})
    elif heads:
        shown = table("match", "head")
        for name, text in heads.items():
            shown.add_row(name, text)
        write_table(shown)
    elif found:
        shown = table("n", "when", "who", "match", "what", "as", "entries", "why",
                      right=("n", "entries"))  # fmt: skip
        for line in found:
            when = datetime.fromtimestamp(line.time.seconds, UTC)
            shown.add_row(
                str(line.n), f"{when:%Y-%m-%d %H:%M:%S}", line.who, line.match_id, line.what,
                line.view, str(line.seq), line.why,
            )  # fmt: skip
        write_table(shown)
    if state.fault:
        raise Failed(say(phrase("the log of access is not whole: {fault}", fault=state.fault)),
                     REFUSED)  # fmt: skip
    if as_data:
        return
    whole = phrase("the log of access is whole; its head is {head}", head=now)
    if not now:
        whole = phrase("the logs of access are whole, of {n} matches", n=len(heads))
        if not checked:
            whole = phrase("the logs of access are whole; --check says the head of each")
    console().print(say(whole))


def _heads(client: Client) -> dict[str, str]:
    """The heads of the logs of all matches that have one, by the ids of matches. O(lines)."""
    found = dict[str, str]()
    for line in client.access():
        if line.match_id not in found:
            found[line.match_id] = _written(client.check_access(match=line.match_id).head)
    return found


def _written(head: admin_service_pb2.AccessHead) -> str:
    return f"{head.n}:{head.hash.hex()}"


def _noted(text: str) -> tuple[int, bytes]:
    n, _, digits = text.partition(":")
    try:
        found = int(n), bytes.fromhex(digits)
    except ValueError:
        found = 0, b""
    if len(found[1]) != 32 or found[0] < 0:
        raise BadValue(phrase("{text!r} is no head such as 57:9f…", text=text), param_hint="--head")
    return found
