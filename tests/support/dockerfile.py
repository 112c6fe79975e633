"""A Dockerfile as its instructions, stage by stage; no more of its language than ours has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple


class Instruction(NamedTuple):
    """An instruction (`RUN`), and the rest of its line, with continuation lines joined."""

    name: str
    rest: str

    @property
    def words(self) -> list[str]:
        """A command that is given as a list, or else the rest word by word."""
        found = self.rest.partition("CMD ")[2] if self.name == "HEALTHCHECK" else self.rest
        if found.startswith("["):
            words: list[str] = json.loads(found)
            return words
        return found.split()


def stages(path: Path) -> list[list[Instruction]]:
    """The instructions of each stage, which begins with `FROM`."""
    text = "".join(
        line for line in path.read_text("utf-8").splitlines(True) if not line.startswith("#")
    )
    found: list[list[Instruction]] = []
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if not line.strip():
            continue
        one = Instruction(*line.split(maxsplit=1))
        if one.name == "FROM":
            found.append([])
        found[-1].append(one)
    return found
