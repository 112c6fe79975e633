"""The form of a card that no catalogue has, over the scorekeeper's screen.

Its fields and what they are understood as are `scorekeeping.bringing`, as on the table's page. It
ends with the card as JSON once that is confirmed, and with nothing where it is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Footer, Input, Label, Static, TextArea

from domain.scorekeeping import bringing
from domain.scorekeeping.bringing import Understood, Wrong
from domain.scorekeeping.session import Session
from domain.text import printing
from domain.text.printing import Column
from domain.words.phrases import phrase
from replay_cli.output import language, say
from replay_cli.scorekeeper.widget import in_own_language

DECLARED = phrase("What it does is declared as it comes up.")
READ = phrase("What its text does is read, and shown before.")
SEEN = phrase("Everybody who sees the match sees that it was brought.")


class Form(ModalScreen[str]):
    """The form, and then the card that was understood: `y` brings it, Escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f4", "read", phrase("go on"), priority=True),
        Binding("escape", "leave", phrase("leave"), priority=True),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._columns = printing.columns(session.pos.heading.game)
        self._understood: Understood | None = None
        in_own_language(self._bindings)

    def compose(self) -> ComposeResult:
        """The fields, each with its label; what is said of them; the keys."""
        reads = bringing.compiles(self._session.pos.heading.game)
        with Vertical(id="bringing"):
            yield Static(Text(say(phrase("A card that no catalogue has")), "bold"))
            yield Static(f"{say(SEEN)} {say(READ if reads else DECLARED)}", markup=False, id="seen")
            with VerticalScroll(id="fields", can_focus=False):
                for one in self._columns:
                    with Horizontal(classes=one.kind):
                        yield Label(f"{say(one.label)}{' *' if one.needed else ''}", markup=False)
                        yield _field(one)
            yield Static(id="wrong", markup=False)
            yield Static(id="card")
            yield Footer()

    @property
    def typed(self) -> Mapping[str, str]:
        """What is typed, by column."""
        return {one.name: _text(self._field(one)) for one in self._columns}

    def _field(self, column: Column) -> Widget:
        return self.query_one(f"#{_id(column)}", Widget)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter leads to the next field, and after the last one on."""
        if event.input is self._field(self._columns[-1]):
            self.action_read()
        else:
            self.focus_next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Once a card is shown there is nothing to go on to but `y`."""
        return action != "read" or self._understood is None

    def action_read(self) -> None:
        """Show what is typed as a card, to be confirmed; or what is wrong with it."""
        wrong, session = self.query_one("#wrong", Static), self._session
        try:
            found = bringing.understood(session.pos, session.book, language(), self.typed)
        except Wrong as error:
            column = next((one for one in self._columns if one.name == error.column), None)
            label = f"{say(column.label)}: " if column is not None else ""
            wrong.update(f"{label}{say(error.text)}")
            if column is not None:
                self._field(column).focus()
            return
        wrong.update("")
        self._understood = found
        self.query_one("#card", Static).update(_shown(found))
        self.add_class("reading")
        self.set_focus(None)
        self.refresh_bindings()

    def key_y(self) -> None:
        """Bring the card that is shown."""
        if self._understood is not None:
            self.dismiss(self._understood.text)

    def action_leave(self) -> None:
        """Go back to the fields, or leave them."""
        if self._understood is None:
            self.dismiss("")
            return
        self._understood = None
        self.remove_class("reading")
        self.refresh_bindings()
        self._field(self._columns[0]).focus()


def _id(column: Column) -> str:
    return f"field-{column.name}"


def _field(column: Column) -> Widget:
    """Where a column is typed; of a choice what there is, completed by the right arrow."""
    if column.kind == "lines":
        return TextArea(id=_id(column))
    suggested = SuggestFromList(column.choices, case_sensitive=False) if column.choices else None
    return Input(
        id=_id(column),
        placeholder=", ".join(column.choices),
        suggester=suggested,
        max_length=200,
        select_on_focus=False,
    )


def _text(field: Widget) -> str:
    return field.text if isinstance(field, TextArea) else getattr(field, "value", "")


def _shown(found: Understood) -> Text:
    """A card as it is understood, and what is asked about it."""
    card = found.shown
    text = Text.assemble((card.name, "bold"), f"  {card.id} · {card.type}\n")
    text.append("   ".join(f"{label} {value}" for label, value in card.figures))
    for name, sentence in card.texts:
        text.append(f"\n{name} ", "bold").append(sentence)
    if found.card.declined is not None:
        words = found.card.declined.words
        unread = "Not understood from “{words}” on: what it does is declared as it comes up."
        text.append(f"\n{say(phrase(unread, words=words))}", "dim")
    asked = phrase("Bring {name} to this match?  y: yes; Esc: change", name=card.name)
    return text.append(f"\n\n{say(asked)}", "bold yellow")
