"""The widget of the input line: which keys are typed, and which pressed; how keys are called."""

from __future__ import annotations

from dataclasses import replace

from textual.binding import BindingsMap
from textual.events import Key
from textual.message import Message
from textual.widgets import Input

from domain.scorekeeping.line import keys
from domain.words.phrases import phrase
from replay_cli.output import say


class Line(Input):
    """The input line. Its keys arrive in the order in which they were pressed, however quickly.

    Enter takes the text away at once, so that what follows it is not lost in between.
    """

    class Pressed(Message):
        """A key that does something, and the text that it was pressed after."""

        def __init__(self, key: str, text: str) -> None:
            super().__init__()
            self.key, self.text = key, text

    keyed = True  # whether digits are keys while nothing is typed
    asked = False  # whether the next key, of any kind, answers a question

    async def _on_key(self, event: Key) -> None:
        if self.asked:
            event.stop()
            event.prevent_default()
            self.post_message(self.Pressed(event.key, self.value))
            return
        digit = self.keyed and not self.value and event.character in tuple(keys.DIGITS)
        if not digit and event.key not in ("enter", "up", "down", "tab", "escape"):
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        self.post_message(self.Pressed(event.key, self.value))
        if event.key == "enter":
            self.put("")

    def put(self, text: str) -> None:
        """Replace the text without an event of a change."""
        if self.value != text:
            with self.prevent(Input.Changed):
                self.value = text
            self.cursor_position = len(text)


def in_own_language(bindings: BindingsMap) -> None:
    """Have the keys of a screen called as its user's language calls them."""
    for key, shown in list(bindings.key_to_bindings.items()):
        bindings.key_to_bindings[key] = [
            replace(one, description=say(phrase(one.description))) for one in shown
        ]
