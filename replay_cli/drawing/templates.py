"""Templates of HTML pages, in the folder of the module that fills them in.

A page needs nothing else: no script, no font, no network. All values are escaped, a missing name is
an error, and the same data give the same bytes.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


@cache
def environment(package: str) -> Environment:
    """The environment of a package's templates."""
    return Environment(
        loader=FunctionLoader(lambda name: _text(package, name)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def style(package: str, name: str = "page.css") -> Markup:
    """A style sheet of a package: ours, without anything of the data."""
    return Markup(_text(package, name))


def _text(package: str, name: str) -> str:
    return (files(package) / name).read_text("utf-8")
