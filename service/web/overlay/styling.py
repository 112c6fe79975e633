"""Themes of overlays: files of CSS, ours among the static files, the organiser's in a folder.

One of the organiser's with the name of one of ours is taken in its place.
"""

from __future__ import annotations

import re
from pathlib import Path

from service.web.assets import assets
from service.web.overlay.asking import NAME

_OURS = "overlay/themes/"
#: A theme is no larger, in bytes: fonts and pictures in it (`data:`) included.
LARGEST = 8 * 2**20


def names(folder: Path | None) -> list[str]:
    """The themes that there are: ours first."""
    ours = [path[len(_OURS) : -4] for path in assets() if path.startswith(_OURS)]
    found = sorted(folder.glob("*.css")) if folder is not None else []
    theirs = [path.stem for path in found if theme(path.stem, folder) is not None]
    return [*ours, *(name for name in theirs if name not in ours)]


def theme(name: str, folder: Path | None) -> bytes | None:
    """A theme by its name; None if unknown. Nothing outside the folder is one."""
    if not re.fullmatch(NAME, name):
        return None
    theirs = _within(folder, name) if folder is not None else None
    if theirs is not None:
        return theirs
    ours = assets().get(f"{_OURS}{name}.css")
    return ours.body if ours is not None else None


def _within(folder: Path, name: str) -> bytes | None:
    path = folder / f"{name}.css"
    try:
        real = path.resolve(strict=True)
        inside = real.parent == folder.resolve(strict=True) and real.is_file()
        return real.read_bytes() if inside and real.stat().st_size <= LARGEST else None
    except OSError:
        return None
