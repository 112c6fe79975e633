"""A position as HTML, drawn from the manifest alone.

`drawn` makes the fragment of a whole board, `card` that of one card; pages that show it bring
`static/board.css`, and `static/board.js` to put the next one in its place. `routes` serves the
pictures of cards that an organiser has. Every card has its number (`data-card`), every zone its
place (`data-place`), everything that waits its id (`data-act`).
"""

from service.web.board.drawing import card, drawn

__all__ = ["card", "drawn"]
