"""Prints the figures of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table


def show(title: str, figures: Mapping[str, str]) -> None:
    """Print a small table: what was measured, and what it came to."""
    table = Table(title=title, show_header=False, title_justify="left")
    for what, value in figures.items():
        table.add_row(what, value)
    Console().print(table)
