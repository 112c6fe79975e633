"""Kifu as people install it: the wheel, and an environment that has it and nothing of the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
#: What a wheel is not built from.
ASIDE = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "*_pb2*.py*", "tests")


def run(command: Sequence[object], folder: Path) -> str:
    """The output of a command, which must not fail."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from these sources."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # what is compiled lies beside its sources, where others import it
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*ASIDE))
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, source], folder)
    (found,) = folder.glob("kifu-*.whl")
    return found


@pytest.fixture(scope="session")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment in which nothing but the wheel was asked for."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    run([folder / "bin/pip", "install", "-q", wheel], folder)
    return folder / "bin"
