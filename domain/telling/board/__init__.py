"""A board: what lies on the table and where, in phrases, for any screen.

`boards` makes one of a position (`board_of`), by the words of the game's manifest: `state` says
where the match stands and what is open, `tiles` describes cards, `zones` what lies in zones, and
`model` is what comes out. Terminals (`replay_cli.drawing.board`) and pages (`service.web.board`)
only lay it out.
"""

from domain.telling.board.boards import board_of

__all__ = ["board_of"]
