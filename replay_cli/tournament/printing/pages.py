"""Sheets of an event as pages of HTML, by the templates in this folder.

Made for A4 and for Letter, black on white; lists go on over as many pages as they need, slips are
four a page. A QR code is drawn into the page, which loads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from domain.words.phrases import Phrase, phrase
from replay_cli.cells import width
from replay_cli.drawing.templates import environment, style
from replay_cli.output import language, say
from replay_cli.tournament.printing.sheets import (
    Heading,
    JoinSlip,
    Seats,
    Sitting,
    Slip,
    Standings,
    by_name,
    pages_of,
)

#: Sizes of paper, as CSS has them.
PAPERS = {"a4": "A4", "letter": "letter"}
#: How many slips are on a page.
SLIPS = 4
#: The same of slips with codes.
JOIN_SLIPS = 10
#: What the pages themselves say.
WORDS = {
    "by_table": phrase("Pairings by table"),
    "by_name": phrase("Pairings by name"),
    "standings": phrase("Standings"),
    "slips": phrase("Result slips"),
    "table": phrase("Table"),
    "player": phrase("Player"),
    "opponent": phrase("Opponent"),
    "bye": phrase("bye"),
    "rank": phrase("Rank"),
    "points": phrase("Points"),
    "record": phrase("Won-Lost-Drawn"),
    "dropped": phrase("dropped"),
    "won": phrase("Games won"),
    "drawn": phrase("Games drawn"),
    "drop": phrase("Drops"),
    "signature": phrase("Signature"),
    "more_time": phrase("More time"),
    "match": phrase("Match"),
    "head": phrase("Record"),
    "join": phrase("Join with"),
    "codes": phrase("Codes to join with"),
    "at": phrase("at"),
    "result": phrase("Result"),
    "pods": phrase("Pods"),
    "pod": phrase("Pod"),
    "seat": phrase("Seat"),
    "left": phrase("On the left"),
    "right": phrase("On the right"),
    "passed": phrase("In a draft the first pack goes left, the second right, the third left."),
}  # fmt: skip


def pairings(heading: Heading, tables: Sequence[Seats], paper: str = "a4") -> str:
    """The pairings, by the number of the table."""
    return _render("pairings.html", heading, paper, "by_table", tables=tables)


def pairings_by_name(heading: Heading, tables: Sequence[Seats], paper: str = "a4") -> str:
    """The pairings, by name, in two columns."""
    return _render("names.html", heading, paper, "by_name", players=by_name(tables))


def pods(heading: Heading, found: Sequence[Sitting], paper: str = "a4") -> str:
    """The pods, seat by seat."""
    return _render("pods.html", heading, paper, "pods", seats=found)


def standings(heading: Heading, found: Standings, paper: str = "a4") -> str:
    """The standings, with what their columns mean."""
    return _render("standings.html", heading, paper, "standings", standings=found)


def slips(heading: Heading, found: Sequence[Slip], paper: str = "a4") -> str:
    """Slips for results, to be cut apart; page upon page they are in order of their tables."""
    sheets = [*pages_of(found, SLIPS)]
    return _render(
        "slips.html", heading, paper, "slips", sheets=sheets, qr=_qr,
        games=lambda slip: [*map(say, games_of(slip))],
    )  # fmt: skip


def games_of(slip: Slip) -> list[Phrase]:
    """The headings of a slip's boxes for games, if several may be played."""
    return [phrase("Game {n}", n=n) for n in range(1, slip.games + 1)] if slip.games > 1 else []


def codes(heading: Heading, found: Sequence[JoinSlip], paper: str = "a4") -> str:
    """Slips with a code each, with its holder's name, to be cut apart."""
    sheets = [*pages_of(found, JOIN_SLIPS)]
    return _render("codes.html", heading, paper, "codes", sheets=sheets, qr=_qr)


def _render(name: str, heading: Heading, paper: str, title: str, **data: Any) -> str:
    words = {key: say(text) for key, text in WORDS.items()}
    return environment(__package__).get_template(name).render(
        heading=heading, w=words, title=words[title], style=style(__package__),
        paper=PAPERS[paper], lang=language().tag, columns=width, **data,
    )  # fmt: skip


def _qr(text: str) -> Markup:
    """A QR code as a drawing within the page."""
    import segno  # which few commands need

    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=2))
