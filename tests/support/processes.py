"""Runs a script in processes with different hash seeds, to show that no set's order matters."""

from __future__ import annotations

import os
import subprocess
import sys


def outputs(script: str) -> set[str]:
    """The output of a script in processes with different hashes: one text, if all is well."""
    return {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": hashes},
            capture_output=True, text=True, check=True,
        ).stdout
        for hashes in ("1", "77")
    }  # fmt: skip
