"""The comments of the contract: on each service, method, message and field.

Compiled modules have no comments, so they are read from the files of proto/kifu/v1, which are
installed with them. Those keep to one form: what a declaration is for stands in the lines above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

_PACKAGE = re.compile(r"package ([\w.]+);")
_SCOPE = re.compile(r"(?:message|enum|service|oneof) (\w+) \{")
_METHOD = re.compile(r"rpc (\w+)\(")
_FIELD = re.compile(r"(?:[\w.<>, ]+ )?(\w+) = \d+")


@cache
def comments() -> Mapping[str, str]:
    """The comment of each declaration, by its full name; none for a oneof."""
    found = dict[str, str]()
    for one in files("kifu").joinpath("v1").iterdir():
        if one.name.endswith(".proto"):
            found.update(_declared(one.read_text("utf-8").splitlines()))
    return found


def _declared(lines: list[str]) -> Iterator[tuple[str, str]]:
    scopes, lines_ = list[str](), list[str]()
    for line in map(str.strip, lines):
        if line.startswith("//"):
            lines_.append(line[2:].strip())
            continue
        if package := _PACKAGE.match(line):
            scopes = [package[1]]
        elif scope := _SCOPE.match(line):
            scopes.append("" if line.startswith("oneof") else scope[1])
            if scopes[-1]:
                yield _named(scopes), _paragraphs(lines_)
        elif declared := _METHOD.match(line) or _FIELD.match(line):
            yield _named([*scopes, declared[1]]), _paragraphs(lines_)
        if line.endswith("}"):
            scopes.pop()
        lines_ = []


def _named(scopes: list[str]) -> str:
    return ".".join(filter(None, scopes))


def _paragraphs(lines: list[str]) -> str:
    """Lines as paragraphs, which empty ones part."""
    return "\n\n".join(
        " ".join(block.split("\n")) for block in "\n".join(lines).split("\n\n") if block
    )
