"""The tables of instructions on the pages are those that their classes make.

    python -m tests.unit.effects.test_reference

writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import domain.effects
from domain import games
from domain.effects.instructions.ways import COMMON, FURTHER
from domain.effects.language.instruction import Instruction
from domain.effects.language.reference import reference, table

EFFECTS = Path(domain.effects.__file__).parent


def tables() -> Iterator[tuple[Path, list[type[Instruction]]]]:
    """The pages, with the instructions that stand on each."""
    yield EFFECTS / "language" / "FURTHER.md", [*FURTHER]
    for game in games.newest():
        known = [*games.rulebook(game).words.instructions.values()]
        page = Path(str(import_module(games.package(game)).__file__)).parent / "effects/WORDS.md"
        if page.exists():
            yield page, [one for one in known if one not in (*COMMON, *FURTHER)]
        else:  # its words are those of the page that explains all of it
            yield EFFECTS / "VOCABULARY.md", known


def written(page: Path, made: list[str]) -> str:
    """A page with a table in the place of the one that it has."""
    text = page.read_text("utf-8")
    (there,) = re.findall(r"^\| `do` \|[^\n]*example.*?(?=\n\n)", text, re.DOTALL | re.MULTILINE)
    return text.replace(there, "\n".join(made))


@pytest.mark.parametrize(("page", "classes"), [*tables()], ids=lambda one: getattr(one, "name", ""))
def test_pages_have_the_tables_that_the_classes_make(
    page: Path, classes: list[type[Instruction]]
) -> None:
    assert "\n".join(table(classes)) in page.read_text("utf-8")


def test_the_words_of_a_game_leave_out_what_its_texts_do_not_speak() -> None:
    listed = reference(games.rulebook("gundam").words)
    assert "| `one-of` | **`options`** |" in listed
    assert "`nth`" not in listed
    assert "| zones | `base`, `battle`," in listed


if __name__ == "__main__":
    for path, those in tables():
        path.write_text(written(path, [*table(those)]), "utf-8")
