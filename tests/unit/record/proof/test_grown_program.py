"""A program whose types have all grown reads, verifies and goes on with what this one wrote."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support import grown


def test_older_stores_and_copies_are_as_they_were_when_every_type_has_grown(tmp_path: Path) -> None:
    file = tmp_path / "expected.json"
    file.write_text(json.dumps(grown.expected()), "utf-8")
    ended = subprocess.run(
        [sys.executable, grown.__file__, file], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
