"""What the service is deployed with, as far as that can be tried without a container or an init."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from service.deploy import health
from tests.support.dockerfile import stages

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "service/deploy"
BUILD, RUNTIME = stages(DEPLOY / "Dockerfile")


def test_all_that_is_copied_is_there_and_let_through() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    let = [line[1:] for line in ignored if line.startswith("!")]
    copied = [word for one in BUILD if one.name == "COPY" for word in one.words[:-1]]
    assert {*copied} == {*let}
    for name in copied:
        assert (ROOT / name).exists(), name
    hidden = [line for line in ignored if line.startswith("**/")]
    assert not any(fnmatch(f"x/{path.name}", one) for one in hidden
                   for path in [*DEPLOY.iterdir(), *(ROOT / "proto").glob("kifu/v1/*.proto")]
                   if path.is_file())  # fmt: skip


def test_it_runs_as_nobody_with_a_volume_and_a_check() -> None:
    names = [one.name for one in RUNTIME]
    found = {one.name: one for one in RUNTIME}
    assert found["USER"].rest == "10001"
    assert "--uid 10001" in found["RUN"].rest
    assert names.index("RUN") < names.index("USER") < names.index("VOLUME")
    assert found["VOLUME"].rest == found["WORKDIR"].rest == "/data"
    seen = found["CMD"].words
    ports = [seen[seen.index(option) + 1] for option in ("--port", "--http")]
    assert found["EXPOSE"].words == ports
    assert found["HEALTHCHECK"].words[-1].endswith(f":{ports[0]}")
    assert [one.words[1:] for one in RUNTIME if one.name == "COPY"] == [["/opt/kifu", "/opt/kifu"]]


@pytest.mark.parametrize("script", [one.rest for stage in (BUILD, RUNTIME) for one in stage
                                    if one.name == "RUN"])  # fmt: skip
def test_its_scripts_are_scripts(script: str) -> None:
    assert subprocess.run(["sh", "-n", "-c", script], check=False).returncode == 0


@pytest.mark.skipif(not shutil.which("hadolint"), reason="hadolint is not installed")
def test_a_linter_has_nothing_to_say() -> None:
    done = subprocess.run(["hadolint", DEPLOY / "Dockerfile"], check=False, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")


# -- the unit --------------------------------------------------------------------------------------


def unit() -> configparser.SectionProxy:
    """The service section; of several lines of one name the last."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "kifu.service")
    return parser["Service"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """And says that little is exposed; the program is the one that is here."""
    text = (DEPLOY / "kifu.service").read_text().replace("/opt/kifu/bin/kifu", sys.executable)
    (tmp_path / "kifu.service").write_text(text)
    for command in (["verify"], ["security", "--offline=true", "--threshold=20"]):
        done = subprocess.run(
            ["systemd-analyze", *command, tmp_path / "kifu.service"],
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert command != ["verify"] or done.stderr == ""


def test_the_unit_is_given_what_its_environment_has() -> None:
    """Every variable of its command has a value, also without the file, which has all of them."""
    seen = unit()
    used = {*re.findall(r"\$\{?(\w+)\}?", seen["ExecStart"]), "KIFU_DATA"}
    inherent = dict(pair.split("=") for pair in seen["Environment"].split())
    file = (DEPLOY / "kifu.env").read_text()
    named = dict(re.findall(r"^(\w+)=(.*)$", file, re.MULTILINE))
    assert {*inherent} == {*named} == used
    assert inherent == named
    assert inherent["KIFU_DATA"].startswith(f"/var/lib/{seen['StateDirectory']}/")
    assert seen["EnvironmentFile"].removeprefix("-") == "/etc/kifu/kifu.env"


def test_the_page_names_what_is_there() -> None:
    page = (DEPLOY / "DEPLOY.md").read_text()
    for target in re.findall(r"\]\(([^)]+)\)", page):
        assert (DEPLOY / target).exists(), target


# -- health ----------------------------------------------------------------------------------------


def test_nobody_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert health.main(["127.0.0.1:1"]) == 1
    assert "127.0.0.1:1: UNAVAILABLE" in capsys.readouterr().err
    assert health.main(["http://127.0.0.1:1"]) == 1
    assert "http://127.0.0.1:1: " in capsys.readouterr().err


def test_a_certificate_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KIFU_TLS_CA", "nowhere.pem")
    assert health.main(["127.0.0.1:1"]) == 1
    assert "nowhere.pem can't be read" in capsys.readouterr().err
