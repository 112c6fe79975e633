"""The commands that WEB.md shows for programs do what it says."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import service.web
from domain.record.decisions import Act
from service.client.client import Client, Opened
from tests.support.serving import Running

PAGE = Path(service.web.__file__).with_name("WEB.md")
#: A command, and what it says.
SHOWN = re.compile(r"^\$ (.+)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)


def test_commands_for_programs(server: Running, organiser: Client, toy: Opened) -> None:
    organiser.with_token(toy.seats[0]).interject(toy.id, Act("concede"))
    known = {"KIFU": server.web, "TOKEN": toy.public, "MATCH": toy.id}
    _, _, text = PAGE.read_text("utf-8").partition("## The API for programs")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    shown = [found for block in blocks for found in SHOWN.findall(block)]
    assert len(shown) == 4
    for command, says in shown:
        found = subprocess.run(
            command, shell=True, env=os.environ | known, capture_output=True, text=True, timeout=60
        )
        assert found.returncode == 0, found.stderr
        pattern = ".*".join(re.escape(part) for part in says.strip().split("…"))
        assert re.match(pattern, found.stdout, re.DOTALL), found.stdout[:300]
