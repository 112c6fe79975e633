"""A client in TypeScript, generated from the contract by connect-es, plays a whole match."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from replay_cli.commands.proto import proto_command
from service.client.client import Client
from tests.support.serving import Running

SOURCES = Path(__file__).parent / "typescript"
TOOLS = ("node", "npm")


@pytest.mark.long
def test_a_generated_client_plays_a_match(
    server: Running, organiser: Client, tmp_path: Path
) -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"left out, since there is no {' and no '.join(missing)} here")
    folder = tmp_path / "client"
    shutil.copytree(SOURCES, folder)
    CliRunner().invoke(proto_command, [str(folder / "proto")], catch_exceptions=False)

    def run(*command: str) -> str:
        found = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=400)
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout

    run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock")
    run("npm", "run", "generate")
    run("npm", "run", "build")
    played = run("node", "out/play.js", server.web, server.token, "gundam", "ST01", "ST03")
    came = json.loads(played.splitlines()[-1])
    match = organiser.match(came["matchId"])
    assert came["state"] == "ENDED"
    assert came["seqs"] == [*range(1, match.entries + 1)]
    assert came["made"] == len([*organiser.decisions(match.id)]) > 20
    assert came["refusal"]["code"] == "FailedPrecondition"
    assert came["refusal"]["reason"] == "UNKNOWN_ACT"
    assert came["refusal"]["rules"]
    assert organiser.verify(match.id).verdict == 1
