"""The narrator: entries as sentences for people, with who acted, the results and the rules.

A line is what somebody did or what the game did, with what followed at once: payment, figures that
changed, cards that moved. Sentences come from the manifest's labels and the types of events, so one
narrator serves every game. It reads any viewer's entries, and uses only what he saw. How a line
looks on a terminal is in `replay_cli.drawing.lines`; matches as text that programs read, too, are
in `domain.text.transcript`.
"""

from domain.telling.narration import acts, cards, match, officials
from domain.telling.narration.narrator import Line, Narrator, is_choice, narrate

__all__ = ["Line", "Narrator", "acts", "cards", "is_choice", "match", "narrate", "officials"]
