"""Boards: positions drawn for a terminal, and taken apart for pages.

`rows` draws a whole board, `fitted` one that keeps within so many lines, `cards` the line of a
card; `table` is the same as data, `pane` shows a board on a screen.
"""

from replay_cli.drawing.board.rows import Board, draw

__all__ = ["Board", "draw"]
