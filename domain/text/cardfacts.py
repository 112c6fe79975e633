"""What card data may call the texts of a card, and which facts are not worth a line.

It is apart from what puts texts into words (`domain.telling.card_text`), which loads a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

EMPTY: Sequence[Any] = (None, False, 0, "", [], {}, ())
EFFECTS = ("effect", "effects")
