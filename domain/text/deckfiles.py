"""Deck lists as files of other programs, in the forms that a game declares (`schema.listing`).

    #main
    89631139
    89631139
    !side
    5318639

Such a file may come from any system: with a byte order mark, with any line ends, without parts that
are empty. What stands before the first heading belongs to the first part. Our own notation is in
`decklists`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from domain.record.schema.listing import ListForm
from domain.words.phrases import joined, phrase

#: How many faults of a file are named; how long a line is shown.
NAMED, SHOWN = 20, 40


class BadFile(ValueError):
    """A file that is no list; the text names its faults, each with its line."""


def form_of(name: str, forms: Iterable[ListForm]) -> ListForm | None:
    """The form that a file of this name is in; None: in none of these."""
    return next((form for form in forms if name.lower().endswith(form.suffix)), None)


def read(text: str, form: ListForm, known: Container[str] | None = None) -> dict[str, list[str]]:
    """The list in a file, part by part; raises `BadFile`.

    `known`: only these cards may be in it.
    """
    headings = {heading.line: heading.part for heading in form.headings}
    part = form.headings[0].part
    parts: dict[str, list[str]] = {part: []}
    wrong: list[str] = []
    for n, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.strip()
        if line.lower() in headings:
            part = headings[line.lower()]
            parts.setdefault(part, [])
        elif not line or line.startswith(form.remark):
            continue
        elif not (line.isascii() and line.isdecimal()):
            wrong.append(phrase("line {n}: {text!r} is no card", n=n, text=line[:SHOWN]))
        elif known is not None and line.zfill(form.digits) not in known:
            wrong.append(phrase("line {n}: no card is numbered {card}", n=n, card=line[:SHOWN]))
        else:
            parts[part].append(line.zfill(form.digits))
    if not wrong and not any(parts.values()):
        wrong.append(phrase("it lists no cards"))
    if wrong:
        more = len(wrong) - NAMED
        last = [phrase("and {n} more", n=more)] if more > 0 else []
        raise BadFile(joined("; ", [*wrong[:NAMED], *last]))
    return parts


def write(parts: Mapping[str, Sequence[str]], form: ListForm, title: str = "") -> str:
    """A list as such a file; `ValueError` if it has a card or a part that none can have."""
    lines = [f"{form.remark} {' '.join(title.split())}"] if title else []
    named = {heading.part: heading.line for heading in form.headings}
    if other := [part for part in parts if part not in named and parts[part]]:
        raise ValueError(phrase("such files have no part {name}", name=other[0]))
    for part, heading in named.items():
        lines.append(heading)
        for card in parts.get(part, ()):
            if not (card.isascii() and card.isdecimal() and len(card) == form.digits):
                raise ValueError(
                    phrase("{card} is no number of {n} digits", card=card, n=form.digits)
                )
            lines.append(str(int(card)))
    return "\n".join(lines) + "\n"
