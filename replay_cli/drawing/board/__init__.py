"""Boards for a terminal (`domain.telling.board`).

`rows` draws a whole board, `fitted` one that keeps within so many lines, `cards` the line of a
card; `pane` shows a board on a screen.
"""

from replay_cli.drawing.board.rows import draw

__all__ = ["draw"]
