"""Reads the QR codes that a command has drawn on a terminal: what a telephone would make of them.

Only what `segno` draws of links, bytes or capital letters, without damage. The modules are read
off, so that what is tested is what is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from segno import consts

Modules = list[list[bool]]
_HALVES = {" ": (1, 1), "▀": (0, 1), "▄": (1, 0), "█": (0, 0)}  # light is drawn, as on paper
_MASKS = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
_LEVELS = {1: "L", 0: "M", 3: "Q", 2: "H"}
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def codes(printed: str) -> list[str]:
    """The text of each code on a terminal."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed)
    found, rows = [], list[str]()
    for line in [*plain.splitlines(), ""]:
        if line and not set(line) - set(_HALVES):
            rows.append(line)
        elif rows:
            found.append(_text(_modules(rows)))
            rows = []
    return found


def _modules(rows: Sequence[str]) -> Modules:
    """Which modules are dark, without the border."""
    wide = max(map(len, rows))
    both = [[_HALVES[one] for one in row.ljust(wide)] for row in rows]
    lines = [[bool(one[half]) for one in row] for row in both for half in (0, 1)]
    dark = [y for y, line in enumerate(lines) if sum(line[2:9]) == 7 and y > 1]
    size = wide - 4
    return [line[2 : 2 + size] for line in lines[dark[0] : dark[0] + size]]


def _text(grid: Modules) -> str:
    size = len(grid)
    version = (size - 17) // 4
    bits = [grid[8][x] for x in range(6)]
    form = int("".join(str(int(bit)) for bit in bits[:5]), 2) ^ 0b10101
    level, mask = _LEVELS[form >> 3], _MASKS[form & 7]
    raw = [grid[y][x] != mask(y, x) for y, x in _path(size, version)]
    words = [
        int("".join(str(int(b)) for b in raw[i : i + 8]), 2) for i in range(0, len(raw) - 7, 8)
    ]
    blocks = [
        info.num_data for info in consts.ECC[version][consts.ERROR_MAPPING[level]]
        for _ in range(info.num_blocks)
    ]  # fmt: skip
    parts: list[list[int]] = [[] for _ in blocks]
    taken = iter(words)
    for nth in range(max(blocks)):
        for part, most in zip(parts, blocks, strict=True):
            if nth < most:
                part.append(next(taken))
    return _read("".join(f"{word:08b}" for part in parts for word in part), version)


def _path(size: int, version: int) -> Iterator[tuple[int, int]]:
    """Where the data lie, in order: up and down in columns of two, from the right."""
    marks = consts.ALIGNMENT_POS[version - 2] if version > 1 else ()
    last = size - 7

    def taken(y: int, x: int) -> bool:
        corner = (y < 9 and x < 9) or (y < 9 and x >= size - 8) or (y >= size - 8 and x < 9)
        sized = version > 6 and ((y < 6 and x >= size - 11) or (x < 6 and y >= size - 11))
        aligned = any(
            abs(y - a) < 3 and abs(x - b) < 3 and (a, b) not in ((6, 6), (6, last), (last, 6))
            for a in marks for b in marks
        )  # fmt: skip
        return corner or sized or aligned or y == 6 or x == 6

    columns = [x for x in range(size - 1, 0, -1) if x > 6 and (size - 1 - x) % 2 == 0]
    columns += [5, 3, 1]
    for nth, right in enumerate(columns):
        for y in range(size - 1, -1, -1) if nth % 2 == 0 else range(size):
            yield from ((y, x) for x in (right, right - 1) if not taken(y, x))


def _read(bits: str, version: int) -> str:
    """The text of the segments."""
    at, found = 0, ""

    def take(n: int) -> int:
        nonlocal at
        at += n
        return int(bits[at - n : at] or "0", 2)

    while at + 4 <= len(bits) and (mode := take(4)):
        if mode == 4:
            found += bytes(take(8) for _ in range(take(8 if version < 10 else 16))).decode()
        elif mode == 2:
            left = take(9 if version < 10 else 11)
            while left > 1:
                pair = take(11)
                found, left = found + _LETTERS[pair // 45] + _LETTERS[pair % 45], left - 2
            found += _LETTERS[take(6)] if left else ""
        else:
            raise ValueError(f"mode {mode}")
    return found
