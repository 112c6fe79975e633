"""The design tokens of pages: what is text on what can be read (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

_TEXT = ("ink", "dim", "seat-0", "seat-1", "seat-2", "seat-3", "good", "bad")
_FRAMES = ("red", "rust", "gold", "yellow", "green", "teal", "blue", "purple", "plum", "white",
           "grey", "black")  # fmt: skip


def tokens(scheme: str) -> dict[str, str]:
    """The colours of a scheme, as `#rrggbb`."""
    files_ = ("design.css", "dark.css") if scheme == "dark" else ("design.css",)
    texts = [(files("service.web") / "layout/static" / one).read_text("utf-8") for one in files_]
    return {
        name: value for text in texts for name, value in re.findall(r"--([\w-]+): (#\w{6});", text)
    }


def contrast(one: str, other: str) -> float:
    a, b = sorted((light(one), light(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


def light(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read(scheme: str) -> None:
    found = tokens(scheme)
    pairs = [(text, ground) for text in _TEXT for ground in ("paper", "card")]
    pairs += [("ink", ground) for ground in ("felt", "felt-edge")]
    pairs += [("ink", f"plate-{name}") for name in _FRAMES]
    pairs += [("gem", "card"), ("gem-soul", "card"), ("paper", "seat-0"), ("paper", "seat-1")]
    pale = {pair: contrast(*(found[name] for name in pair)) for pair in pairs}
    assert {pair: n for pair, n in pale.items() if n < 4.5} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_can_be_seen(scheme: str) -> None:
    found = tokens(scheme)
    for ground in ("paper", "card", "felt"):
        assert contrast(found["focus"], found[ground]) >= 3


def test_the_colours_of_seats_stand_in_one_file() -> None:
    for sheet in Path(str(files("service.web"))).rglob("*.css"):
        rules = re.findall(r"([^{}]*\.seat-\d[^{}]*)\{([^}]*)\}", sheet.read_text("utf-8"))
        named = [selector for selector, body in rules if re.search(r"var\(--seat-\d\)", body)]
        assert bool(named) == (sheet.name == "design.css"), sheet
