"""Process-wide handling of interrupts, closed pipes, and encodings that lack letters.

An interrupt ends the program at once and without a word, as long as there is nothing to put in
order; once a command runs it is a `KeyboardInterrupt`, and a second one ends it at once again. What
a terminal's encoding does not have is written with letters that it has.
"""

from __future__ import annotations

import codecs
import os
import signal
import sys
import traceback
import unicodedata
from io import TextIOWrapper
from types import FrameType, TracebackType
from typing import Any

#: Exit codes of a program that was interrupted, and of one whose reader has left.
INTERRUPTED, UNREAD = 130, 0
_PLAIN = str.maketrans(
    "─━│┃┌┐└┘├┤┬┴┼═║·•…–—→←↑↓×’‘“”", "--||+++++++++=|..~--><^vx''\"\"", ""
)  # fmt: skip


def fit_encoding() -> None:
    """Let standard output and errors write something for letters that their encoding lacks."""
    codecs.register_error("kifu", _instead)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="kifu")


def conceal_passwords() -> None:
    """Remove typed passwords from the reports of bugs."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        from service.telemetry.passwords import concealed

        sys.stderr.write(concealed("".join(traceback.format_exception(kind, error, trace))))

    sys.excepthook = hook


def put_in_order() -> None:
    """From now on an interrupt is raised, once: there is something to put in order.

    Only where it would end the program at once (`__main__`).
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, _interrupted)
        sys.unraisablehook = _unraisable


def _interrupted(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise KeyboardInterrupt


def _unraisable(found: Any) -> None:
    """Raise an interrupt again that came where nothing can be raised; report the rest."""
    if isinstance(found.exc_value, KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    else:
        sys.__unraisablehook__(found)


def unplug() -> None:
    """Nobody reads any more: what is still written goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _instead(error: UnicodeError) -> tuple[str, int]:
    """Letters that an encoding has, for some that it lacks; `?` for the rest."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_letter(one, error.encoding) for one in lacking), error.end


def _letter(one: str, encoding: str) -> str:
    for found in (one.translate(_PLAIN), unicodedata.normalize("NFKD", one)):
        kept = found.encode(encoding, "ignore").decode(encoding)
        if kept.strip():
            return kept
    return "?"
