"""`kifu audit access`: who has read what is hidden, and whether the log of it is whole."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

import click
from google.protobuf.json_format import MessageToDict

from domain.words.phrases import phrase
from replay_cli.output import REFUSED, Failed, as_json, console, json_option, say, table
from replay_cli.reaching.connection import Access, access_options, match_argument

EXAMPLES = """\b
kifu audit access -d event.kifu            the newest lines, and the head to note down
kifu audit access k7f3q -d event.kifu      only those about a match
kifu audit access --check --head 57:9f…    whether the log still leads there
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
    """Say who has read what is hidden (of MATCH, or of all), the newest first. For organisers.

    A line is written for what officials and organisers see that is no entry of the match itself.
    Each is chained to the one before it: note the head, and later --head tells whether lines were
    altered or are gone.
    """
    noted = _noted(head) if head else None
    with access.open() as client:
        found = [] if checked or noted else [*islice(client.access(match), limit)]
        state = client.check_access(noted)
    now = f"{state.head.n}:{state.head.hash.hex()}"
    if as_data:
        lines = [MessageToDict(line, preserving_proto_field_name=True) for line in found]
        as_json({"lines": lines, "head": now, "fault": state.fault})
    elif found:
        shown = table("n", "when", "who", "match", "what", "as", "entries", "why",
                      right=("n", "entries"))  # fmt: skip
        for line in found:
            when = datetime.fromtimestamp(line.time.seconds, UTC)
            shown.add_row(
                str(line.n), f"{when:%Y-%m-%d %H:%M:%S}", line.who, line.match_id, line.what,
                line.view, str(line.seq), line.why,
            )  # fmt: skip
        console().print(shown)
    if state.fault:
        raise Failed(say(phrase("the log of access is not whole: {fault}", fault=state.fault)),
                     REFUSED)  # fmt: skip
    if not as_data:
        console().print(say(phrase("the log of access is whole; its head is {head}", head=now)))


def _noted(text: str) -> tuple[int, bytes]:
    n, _, digits = text.partition(":")
    try:
        found = int(n), bytes.fromhex(digits)
    except ValueError:
        found = 0, b""
    if len(found[1]) != 32 or found[0] < 0:
        raise click.BadParameter(f"{text!r} is no head such as 57:9f…", param_hint="--head")
    return found
