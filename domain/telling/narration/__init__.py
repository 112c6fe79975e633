"""The narrator: entries as sentences, for people: who did what, what came of it, by which rules.

A line is what somebody did or what the game did, with what came of it at once: payment, figures
that changed, cards that went. Sentences come from the manifest's labels and the types of events,
so one narrator tells every game. It reads any viewer's entries: of the
others it uses only what he saw. How a line looks on a terminal is in `replay_cli.drawing.lines`;
matches as text that programs read, too, are in `domain.text.transcript`.
"""

from domain.telling.narration import acts, cards, match, officials

__all__ = ["acts", "cards", "match", "officials"]
