"""JPEG files from strangers: only what draws the picture is kept of one.

Everything else in the file is left out: where and when it was taken, by which device, previews,
comments, and whatever follows the picture. Nothing is decoded: browsers do that.
"""

from __future__ import annotations

from struct import error as too_short
from struct import unpack_from

START, END, SCAN = b"\xff\xd8", b"\xff\xd9", 0xDA
#: Baseline, extended and progressive: what browsers draw.
_FRAMES = (0xC0, 0xC1, 0xC2)
#: The segments without which nothing is drawn: tables, the frame, the scans.
_DRAWN = (*_FRAMES, 0xC4, 0xDB, 0xDD, SCAN)
#: The markers within a scan: an escaped byte, and restarts.
_WITHIN = (0x00, *range(0xD0, 0xD8))
#: Grey, or colours; four would be those of print.
_COMPONENTS = (1, 3)


class NoPicture(ValueError):
    """The bytes are no JPEG that is drawn."""


def bare(file: bytes) -> tuple[bytes, int, int]:
    """A file without what draws nothing, and the picture's width and height.

    Raises `NoPicture`. O(bytes).
    """
    try:
        return _bare(file)
    except (IndexError, too_short) as error:
        raise NoPicture("it ends too early") from error


def _bare(file: bytes) -> tuple[bytes, int, int]:
    if file[:2] != START:
        raise NoPicture("it does not begin as one")
    found, at, size, scans = [START], 2, (0, 0), 0
    while file[at : at + 2] != END:
        if file[at] != 0xFF:
            raise NoPicture("it has no marker where one must be")
        kind, (length,) = file[at + 1], unpack_from(">H", file, at + 2)
        end = at + 2 + length
        if length < 2 or end > len(file):
            raise NoPicture("a segment is longer than the file")
        if kind in _FRAMES:
            if any(size):
                raise NoPicture("it has two frames")
            size = _size(file, at)
        if kind == SCAN:
            scans, end = scans + 1, _scan_end(file, end)
        if kind in _DRAWN:
            found.append(file[at:end])
        elif not (0xE0 <= kind <= 0xEF or kind == 0xFE):
            raise NoPicture(f"it has a segment of kind {kind:#x}")
        at = end
    if not (scans and all(size)):
        raise NoPicture("there is no picture in it")
    return b"".join((*found, END)), *size


def _size(file: bytes, at: int) -> tuple[int, int]:
    """The width and height in a frame's head."""
    precision, height, width, components = unpack_from(">BHHB", file, at + 4)
    if precision != 8 or components not in _COMPONENTS:
        raise NoPicture("its colours are none of a photo")
    return width, height


def _scan_end(file: bytes, at: int) -> int:
    """Where the data of a scan end: at the next marker that is none of its own."""
    while (at := file.find(b"\xff", at)) >= 0 and file[at + 1] in _WITHIN:
        at += 2
    return at if at >= 0 else len(file)
