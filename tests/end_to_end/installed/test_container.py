"""The Dockerfile, carried out without a container: what it builds serves, and its check says so.

The scripts of the build are run as they stand, but for where they put things; what the image is
started with is started. Only what makes users is left out: it would make them here.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.installed.conftest import ROOT, run
from tests.support.dockerfile import Instruction, stages

pytestmark = pytest.mark.long
BUILD, RUNTIME = stages(ROOT / "service/deploy/Dockerfile")


def carried_out(stage: list[Instruction], root: Path) -> None:
    """The files that a stage copies and the commands it runs, with `root` in place of the root."""
    folder = root
    python = Path(sys.executable).parent
    for one in stage:
        if one.name == "WORKDIR":
            folder = root / one.rest.lstrip("/")
            folder.mkdir(parents=True)
        elif one.name == "COPY":
            *sources, goal = one.words
            for source in sources:
                if (ROOT / source).is_dir():
                    unwanted = shutil.ignore_patterns("__pycache__", "*_pb2*.py*")
                    shutil.copytree(ROOT / source, folder / goal, ignore=unwanted)
                else:
                    shutil.copy(ROOT / source, folder / goal)
        elif one.name == "RUN":
            script = one.rest.replace("/opt/", f"{root}/opt/").replace(" /src", f" {root}/src")
            env = {**os.environ, "PATH": f"{python}:{os.environ['PATH']}"}
            subprocess.run(["sh", "-ec", script], cwd=folder, env=env, check=True, timeout=900)


def test_what_it_builds_serves(tmp_path: Path) -> None:
    carried_out(BUILD, tmp_path)
    found = {one.name: one for one in RUNTIME}
    folder = tmp_path / "data"
    folder.mkdir()
    values = dict(pair.split("=", 1) for pair in found["ENV"].words)
    env = {name: value.replace("/opt/", f"{tmp_path}/opt/") for name, value in values.items()}
    env = {**env, "KIFU_DATA": str(folder / "matches.kifu"), "PATH": env["PATH"].partition(":")[0]}
    (program,) = found["ENTRYPOINT"].words
    port = found["CMD"].words[-1]
    words = [word if word != port else "0" for word in found["CMD"].words]
    server = subprocess.Popen(
        [f"{env['PATH']}/{program}", *words, "--json"], cwd=folder, env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        output = ""
        while not output.rstrip().endswith("}"):
            line = server.stdout.readline()
            assert line, f"the server ended: {output}"
            output += line
        bound = output.partition('"address": "0.0.0.0:')[2].partition('"')[0]
        python, *check = found["HEALTHCHECK"].words
        command = [f"{env['PATH']}/{python}", *(w.replace(port, bound) for w in check)]
        assert run(["env", *(f"{k}={v}" for k, v in env.items()), *command], folder) == ""
        assert (folder / "matches.kifu-token").stat().st_mode & 0o077 == 0
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0
    assert subprocess.run(command, cwd=folder, env=env, stderr=-3, check=False).returncode == 1
