"""The API's description of itself is complete, and a valid OpenAPI document."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor
from jsonschema import Draft202012Validator

import service.web
from domain.record.decisions import Act
from service.client.client import Client, Opened
from service.web.connect.describing.comments import comments
from tests.support.serving import Running


@pytest.fixture(scope="module")
def document(server: Running) -> Any:
    return httpx.get(f"{server.web}/api/openapi.json").json()


@pytest.mark.long
def test_the_document_is_valid(document: dict[str, Any]) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator  # which takes a while

    assert [*OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_the_document_has_every_method(document: dict[str, Any]) -> None:
    found = {path for path in document["paths"] if not path.startswith("/api/feeds/")}
    pool = descriptor_pool.Default()
    services = {path.split("/")[2] for path in found}
    assert services >= {"kifu.v1.MatchService", "kifu.v1.DeskService", "kifu.v1.CodeService"}
    assert found == {
        f"/api/{name}/{method.name}"
        for name in services
        for method in pool.FindServiceByName(name).methods
    }
    for path in document["paths"].values():
        for operation in path.values():
            assert operation["summary"]


def test_answers_are_what_the_document_says(
    document: dict[str, Any], server: Running, organiser: Client, toy: Opened
) -> None:
    """Nothing that is answered has a field or a type that the document has not."""
    _close(document["components"]["schemas"])
    headers = {"authorization": f"Bearer {server.token}"}
    for path, request, status in (
        ("MatchService/GetMatch", {"matchId": toy.id}, 200),
        ("MatchService/GetPosition", {"matchId": toy.id}, 200),
        ("MatchService/ListEvents", {"matchId": toy.id}, 200),
        ("MatchService/GetDecision", {"matchId": toy.id, "decision": 1}, 200),
        ("CatalogService/GetManifest", {"game": "gundam"}, 200),
        ("CatalogService/ListGames", {}, 200),
        ("CatalogService/ListCards", {"game": "toy"}, 200),
        ("MatchService/GetMatch", {"matchId": "nosuch"}, 404),
        (
            "MatchService/OpenMatch",
            {"game": "toy", "seats": ["A", "B"], "decks": [{"name": "x"}] * 2},
            400,
        ),
    ):
        name = f"/api/kifu.v1.{path}"
        answered = httpx.post(server.web + name, json=request, headers=headers)
        assert answered.status_code == status, answered.text
        operation = document["paths"][name]["post"]
        content = operation["responses"]["200"]["content"]["application/json"]["schema"]
        if status != 200:
            content = {"$ref": "#/components/schemas/Error"}
        whole = {**content, "components": document["components"]}
        errors = Draft202012Validator(whole).iter_errors(answered.json())
        assert [(error.json_path, error.message) for error in errors] == []


def _close(schemas: dict[str, Any]) -> None:
    for one in schemas.values():
        if "properties" in one and "@type" not in one["properties"]:
            one["additionalProperties"] = False


def test_every_declaration_has_its_comment(document: dict[str, Any]) -> None:
    """Every comment in the files of the contract is found."""
    pool, found = descriptor_pool.Default(), comments()
    for name, one in document["components"]["schemas"].items():
        if name.startswith("kifu."):
            assert one["description"], name
            if "properties" in one:
                message: Descriptor = pool.FindMessageTypeByName(name)
                assert all(found[field.full_name] for field in message.fields), name
                assert set(one["properties"]) == {field.json_name for field in message.fields}


def test_the_pages_say_all_of_it(server: Running, document: dict[str, Any]) -> None:
    with httpx.Client(base_url=server.web) as web:
        overview = web.get("/api").text
        for path in document["paths"]:
            if path.startswith("/api/kifu."):
                _, _, service, method = path.split("/")
                assert f'href="/api/{service}#{method}"' in overview
        page = web.get("/api/kifu.v1.MatchService").text
        anchors = {part.split('"')[0] for part in page.split('href="#')[1:]}
        assert all(f'id="{anchor}"' in page for anchor in anchors)
        assert comments()["kifu.v1.Entry.seq"] in page
        assert web.get("/api/kifu.v1.NoService").status_code == 404
        assert web.get("/api/").status_code == 404


# -- the commands that WEB.md shows for programs do what it says -----------------------------------


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
