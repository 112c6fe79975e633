"""`kifu verify`: replays a record and compares, by its own digests and by the rulebook.

Through the server for a match, or in this process for a file: an exported record, or every match of
a store file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from kifu.v1 import match_service_pb2
from rich.console import Console

from domain.engine.checks import chance
from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, Verdict
from domain.telling.names import count
from domain.words.phrases import joined, labelled, phrase
from replay_cli import record
from replay_cli.checking import verifying
from replay_cli.checking.verifying import Result
from replay_cli.drawing.heads import head_data, head_line
from replay_cli.output import (
    MISSING,
    REFUSED,
    Failed,
    Misused,
    as_json,
    console,
    json_option,
    progress_bar,
    say,
    styled,
)
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument
from replay_cli.reaching.source import verdict_of
from service import wire

PROOFS = {chance.PROVEN: "green", chance.UNPROVEN: "yellow", chance.WRONG: "bold red"}
#: Verdicts on the chance of a record, and on the record, for people.
PROVEN = {
    chance.PROVEN: phrase("proven"), chance.UNPROVEN: phrase("unproven"),
    chance.WRONG: phrase("wrong"),
}  # fmt: skip
KINDS = {
    EXACT: phrase("exact"), UNVERIFIED: phrase("unverified"), DIVERGED: phrase("diverged"),
}  # fmt: skip
STYLES = {EXACT: "green", UNVERIFIED: "yellow", DIVERGED: "bold red"}


@click.command("verify")
@match_argument
@click.option(
    "--offline", is_flag=True, help="Check every match of a store file (--data), without a server."
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
    help="With --offline: the number of processes.",
)  # fmt: skip
@access_options
@json_option
def verify_command(match: str, offline: bool, jobs: int, access: Access, as_data: bool) -> None:
    """Verify MATCH (default: the newest), or a FILE: an exported record, an archive.

    Folds the record and plays it again by its rulebook. The verdict is exact, unverified (the
    positions are right, but this rulebook is not the one it was played by) or diverged, with the
    first entry that differs; only diverged fails, or entries that are not those that were chained,
    or what a file derives from a record (its listing, its snapshots) and is not so, or a file's log
    of heads that lacks leaves. Of events in a file it says whether their records are those that
    were written.
    """
    results: Iterable[Result]
    if match and Path(match).is_file() and record.is_store(Path(match)):
        results = _store(Path(match), "", jobs, quiet=as_data)
    elif match and Path(match).is_file():
        log = record.read(Path(match))
        found_so = verifying.chance_of(log)
        results = [Result(match, verifying.check(log), chance=found_so)]
    elif offline:
        if access.data is None or not access.data.exists():
            raise Misused("--offline needs --data FILE")
        results = _store(access.data, match, jobs, quiet=as_data)
    else:
        with access.open() as client:
            reader = Reader(client, match)
            found = client.verify(reader.id)
            results = [result_of(reader.id, found)]
            if access.at_hand is not None:
                results += verifying.check_log(access.at_hand)
    report(results, as_data)


def result_of(match: str, found: match_service_pb2.VerifyMatchResponse) -> Result:
    """The result in a response."""
    head = wire.head_of(found.head) if found.HasField("head") else None
    proof = (found.chance, phrase(found.chance_reason))
    return Result(
        phrase("match {match}", match=match),
        verdict_of(found),
        found.derived,
        head,
        found.broken,
        proof,
    )


def _store(path: Path, match: str, jobs: int, *, quiet: bool) -> Iterator[Result]:
    """The matches of a file, with a bar that moves on a terminal; then its events."""
    wanted = verifying.matches(path)
    if match and match not in wanted:
        raise Failed(phrase("in {path} there is no match {match}", path=path, match=match), MISSING)
    wanted = [match] if match else wanted
    with progress_bar(quiet=quiet or len(wanted) == 1) as bar:
        task = bar.add_task(say(phrase("verifying")), total=len(wanted))
        for result in verifying.check_all(path, wanted, jobs):
            bar.advance(task)
            yield result
    yield from verifying.check_log(path)
    if not match:
        yield from verifying.check_events(path)


def report(results: Iterable[Result], as_data: bool) -> None:
    """Say what is found; ends the command with exit code 1 if a record diverged."""
    out, reported = console(), list[Result]()
    for result in results:
        reported.append(result)
        if not as_data:
            print_verdict(out, result)
    if as_data:
        as_json(
            [
                {
                    "subject": r.subject,
                    **_data(r.verdict),
                    "derived": [*r.derived],
                    "head": head_data(r.head),
                    "chain": r.chain,
                    "chance": r.chance[0],
                }
                for r in reported
            ]
        )
    elif len(reported) > 1:
        kinds = Counter(result.verdict.kind for result in reported)
        found = joined(
            ", ",
            [
                phrase("{n} {kind}", n=kinds[kind], kind=KINDS[kind])
                for kind in STYLES
                if kind in kinds
            ],
        )
        subjects = Counter(result.subject.partition(" ")[0] for result in reported)
        of = [count(subjects["match"], "{n} match", "{n} matches")]
        if subjects["event"]:
            of.append(count(subjects["event"], "{n} event", "{n} events"))
        out.print(say(labelled(joined(phrase(" and "), of), found)), style="bold")
    if any(_fails(one) for one in reported):
        raise click.exceptions.Exit(REFUSED)


def _fails(r: Result) -> bool:
    return r.verdict.kind == DIVERGED or bool(r.derived or r.chain) or r.chance[0] == chance.WRONG


def print_verdict(out: Console, result: Result) -> None:
    """One verdict as a line."""
    verdict = result.verdict
    kind = KINDS[verdict.kind]
    if verdict.seq:
        kind = phrase("{kind} at entry {n}", kind=kind, n=verdict.seq)
    counted = phrase("{entries} entries, {decisions} decisions",
                     entries=verdict.entries, decisions=verdict.decisions)  # fmt: skip
    text = phrase("{text} ({why})", text=phrase(verdict.reason), why=counted)
    out.print(styled(
        (say(labelled(result.subject, "")), ""), (say(kind), STYLES[verdict.kind]),
        (f" – {say(text)}", ""),
    ))  # fmt: skip
    if result.head is not None:
        out.print(f"  {head_line(result.head)}", style="dim")
    if result.chain:
        chain = phrase("but {fault}; nothing is proven of it", fault=result.chain)
        out.print(f"  {say(chain)}", style="bold red")
    proven, why = result.chance
    if proven:
        lead = say(labelled(phrase("chance"), ""))
        found = say(PROVEN[proven])
        out.print(styled((f"  {lead}", ""), (found, PROOFS[proven]), (f" – {say(why)}", "")))
    for fault in result.derived:
        rebuild = phrase("but {fault}; `kifu store rebuild FILE` rebuilds it", fault=fault)
        out.print(f"  {say(rebuild)}", style="yellow")


def _data(verdict: Verdict) -> dict[str, object]:
    return {name: getattr(verdict, name) for name in verdict.__struct_fields__}
