"""Whatever is printed fits the terminal, narrow or wide, and breaks no word: help and answers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from rich.cells import cell_len

from replay_cli.main import kifu
from replay_cli.output import console, table
from service.store.derived import listing
from service.store.records import Records, Work
from tests.support.marks import each
from tests.support.serving import Running, running
from tests.unit.cli.clis import log, run

WIDTHS = (60, 80, 100)


def commands(
    command: click.Command, context: click.Context, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command, click.Context]]:
    """A command, and all that are in it, each with what its help is made in."""
    yield path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            inner = found.make_context(name, [], parent=context, resilient_parsing=True)
            yield from commands(found, inner, (*path, name))


@pytest.mark.parametrize("width", WIDTHS)
def test_help_fits(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    root = kifu.make_context("kifu", ["list"], resilient_parsing=True)
    for path, command, context in commands(kifu, root):
        page = command.get_help(context)
        assert command.help, f"{path} has no help"
        _, _, below = page.partition("\n\n")  # the usage, whose words may be repeated...
        assert "..." not in below, f"{path} is cut off"
        for line in page.splitlines():
            assert len(line) <= width, (path, line)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("pages") / "pages.kifu"
    with closing(Records(data)) as records:
        records.write(Work("aaaaa", log(3), listing.derive("aaaaa", log(3))))
    with running(data) as found:
        yield found


SERVED = ("list", "show", "show --decision 60", "decisions", "decisions --decision 60",
          "watch --all", "why 300", "diff 20 60", "verify", "audit access",
          "why-not --decision 60 A:pass", "show nosuch", "auto-pass")  # fmt: skip
ALONE = ("rules", "rules 7-6-2 --game gundam", *(f"cards --game {game}" for game in
         ("gundam", "hollow_flux", "yugioh", "battle_spirits")))  # fmt: skip


@pytest.mark.parametrize("width", each(2, [min(WIDTHS), max(WIDTHS)]))
def test_answers_fit(width: int, served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    where = ("--server", served.address, "--token", served.token)
    monkeypatch.setenv("COLUMNS", str(width))
    for args in (*SERVED, *ALONE):
        words = args.split()
        found = run(*words, *(where if args in SERVED else ()), code=CODES.get(args, 0))
        for line in found.output.splitlines():
            assert cell_len(line.rstrip()) <= width, (args, line)


CODES = {"show nosuch": 3, "auto-pass": 4}


def test_a_column_is_no_narrower_than_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ["a sentence of several words", "Unforeseen Incident", "12", "Resource"]
    for width in range(50, 90):
        monkeypatch.setenv("COLUMNS", str(width))
        sheet = table("what it is about", "card", "n", "paid with", right=("n",))
        for _ in range(2):
            sheet.add_row(*cells)
        with console().capture() as caught:
            console().print(sheet)
        out = console()
        with out.capture() as caught:
            out.print(sheet)
        text = caught.get()
        assert max(map(cell_len, text.splitlines())) <= width
        for word in itertools.chain.from_iterable(cell.split() for cell in cells):
            assert text.split().count(word) == 2, (width, text)


def test_rows_that_fit_nowhere_are_printed_one_below_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    sheet = table("key", "value", "other", whole=("value",))
    sheet.add_row("k", "v" * 45, "few words")
    sheet.add_row("l", "short", "")
    out = console()
    with out.capture() as caught:
        out.print(sheet)
    heads = [line.split()[0] for line in caught.get().splitlines() if line.strip()]
    assert [head for head in heads if head in ("key", "value", "other")] == [
        "key", "value", "other", "key", "value",
    ]  # fmt: skip


def test_design_are_never_folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run(
        "open", "--tokens", "--deck", "ST01", "--deck", "ST03", "-d", tmp_path / "o.kifu"
    ).stdout
    assert [line.split()[0] for line in lines.splitlines() if "eyJ" in line] == [
        "official", "player", "player", "public",
    ]  # fmt: skip
