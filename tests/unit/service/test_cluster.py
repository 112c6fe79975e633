"""What several servers are deployed with, as far as that can be tried without what carries it out.

Kubernetes by the schemas of its API, Envoy by its own messages; Compose by what its files have to
agree in, and by the program itself where it is installed. nginx is run: tests/end_to_end/deployed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import kubernetes_validate
import pytest
import yaml

from replay_cli.commands.keeping.store import store_command
from replay_cli.commands.running.serve import serve_command
from service.anchors import keys as log_keys
from service.client.connection import ABOUT
from service.deploy import keys
from service.identity import Keys
from service.settings import Settings

ROOT = Path(__file__).parents[3]
CLUSTER = ROOT / "service/deploy/cluster"
KUBERNETES = CLUSTER / "kubernetes"
KUSTOMIZATION = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
COMPOSE = yaml.safe_load((CLUSTER / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
#: The versions of Kubernetes for which the example is meant.
VERSIONS = ("1.31", "1.34")


def documents() -> list[dict[str, Any]]:
    """All objects of the example for Kubernetes."""
    texts = [(KUBERNETES / name).read_text() for name in KUSTOMIZATION["resources"]]
    return [one for text in texts for one in yaml.safe_load_all(text)]


DOCUMENTS = documents()


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    return [one for one in DOCUMENTS if one["kind"] in kinds]


def pods() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The name, the labels and the description of the pods of each workload."""
    for one in of_kind("Deployment", "Job"):
        template = one["spec"]["template"]
        yield one["metadata"]["name"], template["metadata"]["labels"], template["spec"]


def variables(command: click.Command) -> dict[str, click.Parameter]:
    """The options of a command by the variables that set them."""
    found = [(one.envvar, one) for one in command.params if isinstance(one.envvar, str)]
    return dict(found)


def check_settings(settings: dict[str, str]) -> None:
    """Every variable is one of `kifu serve`, and has a value that it takes."""
    known = variables(serve_command)
    context = click.Context(serve_command)
    for name, value in settings.items():
        if not value.startswith("${"):
            known[name].type_cast_value(context, value)


def check_command(words: list[str]) -> None:
    """The words are a command of ours, with options that it has."""
    name, *rest = words
    command: click.Command = serve_command if name == "serve" else store_command
    if isinstance(command, click.Group):
        command = command.commands[rest.pop(0)]
    parser = command.make_parser(click.Context(command))
    parser.parse_args([*rest])


def check_image(image: str) -> None:
    """An image of no host: whoever deploys it says where images come from."""
    first, *more = image.split("/")
    assert not more or not re.search(r"[.:]", first), image


# -- Kubernetes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda d: f"{d['kind']}-{d['metadata']['name']}"
)
def test_kubernetes_takes_each_object(document: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(document, version, strict=True)


def test_the_schema_refuses_what_it_should() -> None:
    broken = json.loads(json.dumps(of_kind("Deployment")[0]))
    broken["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, VERSIONS[0], strict=True)


def test_all_files_are_named_and_there() -> None:
    named = {*KUSTOMIZATION["resources"], "kustomization.yaml"}
    for one in KUSTOMIZATION["configMapGenerator"]:
        named |= {*one.get("envs", ()), *one.get("files", ())}
    assert {path.name for path in KUBERNETES.iterdir() if path.is_file()} == named


def test_selectors_find_pods_and_targets_are_there() -> None:
    labels = [one for _, one, _ in pods()]

    def found(wanted: dict[str, str]) -> bool:
        return any(wanted.items() <= one.items() for one in labels)

    for one in of_kind("Deployment", "PodDisruptionBudget"):
        assert found(one["spec"]["selector"]["matchLabels"])
    for one in of_kind("Service"):
        assert found(one["spec"]["selector"])
    for one in of_kind("NetworkPolicy"):
        chosen = one["spec"]["podSelector"]
        for wanted in chosen.get("matchExpressions", ()):
            assert all(found({wanted["key"]: value}) for value in wanted["values"])
        assert found(chosen.get("matchLabels", {}))
    names = {(one["kind"], one["metadata"]["name"]) for one in DOCUMENTS}
    for one in of_kind("HorizontalPodAutoscaler"):
        target = one["spec"]["scaleTargetRef"]
        assert (target["kind"], target["name"]) in names
        assert one["spec"]["minReplicas"] >= 3
        deployment = next(
            d for d in of_kind("Deployment") if d["metadata"]["name"] == target["name"]
        )
        assert "replicas" not in deployment["spec"], "who scales says how many there are"


def test_what_pods_mount_is_made() -> None:
    made: dict[str, set[str]] = {}
    for one in (*KUSTOMIZATION["configMapGenerator"], *KUSTOMIZATION["secretGenerator"]):
        made[one["name"]] = {Path(file).name for file in one.get("files", ())}
    for _, _, pod in pods():
        volumes = {one["name"]: one for one in pod.get("volumes", ())}
        for container in pod["containers"]:
            for source in container.get("envFrom", ()):
                assert source["configMapRef"]["name"] in made
            for mount in container.get("volumeMounts", ()):
                volume = volumes[mount["name"]]
                source = volume.get("secret", {}).get("secretName") or volume.get(
                    "configMap", {}
                ).get("name")
                if source is not None:
                    assert mount["readOnly"]
                    assert mount.get("subPath") is None or mount["subPath"] in made[source]


def test_pods_are_nobody_and_may_nothing() -> None:
    for _, _, pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            check_image(container["image"])
            confined = container["securityContext"]
            assert confined["readOnlyRootFilesystem"]
            assert confined["capabilities"]["drop"] == ["ALL"]
            assert not confined["allowPrivilegeEscalation"]
            assert container["resources"]["limits"]["memory"]


def test_servers_are_replaced_one_by_one_and_leave_in_time() -> None:
    lines = (KUBERNETES / "settings.env").read_text().split()
    settings = dict(line.split("=", 1) for line in lines)
    check_settings(settings)
    deployment = next(one for one in of_kind("Deployment") if one["metadata"]["name"] == "kifu")
    assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    pod = deployment["spec"]["template"]["spec"]
    container = pod["containers"][0]
    ports = {one["name"]: str(one["containerPort"]) for one in container["ports"]}
    assert ports == {"grpc": settings["KIFU_PORT"], "http": settings["KIFU_HTTP"],
                     "metrics": settings["KIFU_METRICS_PORT"]}  # fmt: skip
    ready, alive = container["readinessProbe"], container["livenessProbe"]
    assert ready["httpGet"]["path"] == "/readyz"
    assert alive["httpGet"]["path"] == container["startupProbe"]["httpGet"]["path"] == "/healthz"
    noticed = ready["periodSeconds"] * ready["failureThreshold"] + ready["timeoutSeconds"]
    drain = float(settings["KIFU_DRAIN"])
    assert drain > noticed, "nobody sends it anything by then"
    assert pod["terminationGracePeriodSeconds"] > drain + Settings(data=Path("x")).grace
    for _, _, one in pods():
        for words in (c["args"] for c in one["containers"] if c["image"] == "kifu"):
            check_command(words)


def test_keys_lie_where_servers_look_for_them() -> None:
    deployment = next(one for one in of_kind("Deployment") if one["metadata"]["name"] == "kifu")
    mounts = deployment["spec"]["template"]["spec"]["containers"][0]["volumeMounts"]
    paths = {one.get("subPath"): Path(one["mountPath"]) for one in mounts}
    data = Settings(data=Path("/data/matches.kifu"))  # as the Dockerfile has it
    assert paths["key"] == data.key_file
    assert paths["log-key"] == log_keys.key_file(data.data)


# -- Envoy -----------------------------------------------------------------------------------------


def messages(name: str) -> Any:
    """Envoy's messages of a package: as code that checkers need not read, which is very long."""
    return import_module(f"envoy_data_plane.envoy.{name}")


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the code of its messages
def test_envoy_takes_its_file_and_chooses_by_the_match() -> None:
    for name in (
        "extensions.filters.http.router.v3",
        "extensions.retry.host.previous_hosts.v3",
        "extensions.upstreams.http.v3",
    ):
        messages(name)  # what its file refers to by name only
    listening = messages("extensions.filters.network.http_connection_manager.v3")
    given = yaml.safe_load((KUBERNETES / "envoy.yaml").read_text())
    bootstrap = messages("config.bootstrap.v3").Bootstrap
    found = bootstrap.from_dict(given).static_resources
    clusters = {one.name: one for one in found.clusters}
    assert {*clusters} == {"calls", "pages"}
    for one in clusters.values():
        assert one.lb_policy.name == "RING_HASH"
        assert one.health_checks
    for listener in found.listeners:
        packed = listener.filter_chains[0].filters[0].typed_config
        assert packed.type_url.endswith("HttpConnectionManager")
        manager = listening.HttpConnectionManager.parse(packed.value)
        for route in manager.route_config.virtual_hosts[0].routes:
            assert route.route.cluster in clusters
            (policy,) = route.route.hash_policy
            assert policy.header.header_name in (ABOUT, ":path")
    given["static_resources"]["clusters"][0]["lb_polizy"] = "RING_HASH"
    with pytest.raises(KeyError, match="lb_polizy"):
        bootstrap.from_dict(given)


def test_envoy_knows_the_same_addresses_of_pages_as_nginx() -> None:
    """And both find the match in them."""
    nginx = (CLUSTER / "nginx.conf").read_text()
    (named,) = re.findall(r'"~\^/\(\?:([^)]+)\)/', nginx)
    text = (KUBERNETES / "envoy.yaml").read_text()
    assert {*re.findall(r"/\(\?:([^)]+)\)/", text)} == {named}
    (pattern,) = re.findall(r'pattern: \{regex: "([^"]+)"\}', text)
    for path in ("/m/q63ag", "/m/q63ag/at/3?lang=de", "/seat/q63ag", "/api/feeds/q63ag/entries"):
        assert re.sub(pattern, r"\1", path) == "q63ag"


def test_streams_of_the_api_last_behind_each_proxy() -> None:
    """They say nothing while nothing happens, as long as somebody thinks."""
    path, hour = "/api/kifu.v1.MatchService/WatchEvents", 3600
    for file in (CLUSTER / "nginx.conf", CLUSTER.parent / "nginx.conf"):
        (body,) = re.findall(r"location /api/ \{([^}]+)\}", file.read_text())
        assert "proxy_read_timeout 1h;" in body
    given = yaml.safe_load((KUBERNETES / "envoy.yaml").read_text())["static_resources"]
    (pages,) = (one for one in given["listeners"] if one["name"] == "pages")
    manager = pages["filter_chains"][0]["filters"][0]["typed_config"]
    for one in manager["route_config"]["virtual_hosts"][0]["routes"]:
        prefix, pattern = one["match"].get("prefix"), one["match"].get("safe_regex")
        if path.startswith(prefix) if prefix else re.fullmatch(pattern["regex"], path):
            assert one["route"]["timeout"] == "0s"
            assert int(one["route"]["idle_timeout"].removesuffix("s")) >= hour
            break


# -- Compose ---------------------------------------------------------------------------------------


def test_what_compose_names_is_declared() -> None:
    for one in SERVICES.values():
        check_image(one["image"])
        for secret in one.get("secrets", ()):
            assert (secret if isinstance(secret, str) else secret["source"]) in COMPOSE["secrets"]
        assert {*one["networks"]} <= {*COMPOSE["networks"]}
        for other, how in one.get("depends_on", {}).items():
            healthy = how["condition"] == "service_healthy"
            assert (
                not healthy
                or SERVICES[other].get("healthcheck")
                or SERVICES[other]["image"] == "kifu"
            )
        for volume in one.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (CLUSTER / source).exists()
        for port in one.get("ports", ()):
            assert port.startswith("127.0.0.1:"), "open to others is what somebody opened"
    build = SERVICES["kifu-1"]["build"]
    assert (CLUSTER / build["context"] / build["dockerfile"]).exists()


def test_compose_starts_three_servers_that_share_all() -> None:
    servers = [one for name, one in SERVICES.items() if re.fullmatch(r"kifu-\d", name)]
    assert len(servers) == 3
    assert servers[0] == servers[1] == servers[2]
    check_settings(servers[0]["environment"])
    targets = {
        one["source"]: Path(one["target"]) for one in servers[0]["secrets"] if isinstance(one, dict)
    }
    data = Settings(data=Path("/data/matches.kifu"))
    assert targets == {"key": data.key_file, "log-key": log_keys.key_file(data.data)}
    for one in (*servers, SERVICES["migrate"]):
        check_command([*one["command"]])
    subnet = COMPOSE["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert servers[0]["environment"]["KIFU_PROXIES"] == subnet


def test_who_would_give_up_being_root_is_nobody_from_the_start() -> None:
    """Envoy's image begins as root and becomes another, for which it needs a right."""
    proxy = SERVICES["proxy"]
    deployed = next(spec for name, _, spec in pods() if name == "kifu-proxy")
    assert proxy["cap_drop"] == ["ALL"]
    assert int(proxy["user"]) == deployed["securityContext"]["runAsUser"] > 0


@pytest.mark.skipif(
    not shutil.which("docker") or subprocess.run(
        ["docker", "compose", "version"], capture_output=True, check=False
    ).returncode != 0,
    reason="docker has no compose",
)  # fmt: skip
def test_compose_itself_takes_the_file(tmp_path: Path) -> None:
    shutil.copytree(CLUSTER, tmp_path / "cluster")
    keys.main([str(tmp_path / "cluster/secrets"), "--log", "example.org/cup"])
    done = subprocess.run(
        ["docker", "compose", "config", "--quiet"], cwd=tmp_path / "cluster", check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_the_collector_has_what_its_pipelines_name() -> None:
    found = yaml.safe_load((CLUSTER / "collector.yaml").read_text())
    for pipeline in found["service"]["pipelines"].values():
        for kind, names in pipeline.items():
            assert {*names} <= {*found[kind]}


def test_no_secret_gets_into_an_image_or_the_repository() -> None:
    """Where the page says that they are made, and what the examples take from there."""
    ignored = (CLUSTER.parent / "Dockerfile.dockerignore").read_text().split()
    assert {"**/cluster/secrets", "**/cluster/**/secrets"} <= {*ignored}
    for folder in (CLUSTER, KUBERNETES):
        place = (folder / "secrets" / "key").relative_to(ROOT)
        done = subprocess.run(["git", "check-ignore", "-q", place], cwd=ROOT, check=False)
        assert done.returncode in (0, 128), "128: it is no repository"
    for secret in COMPOSE["secrets"].values():
        assert secret["file"].startswith("./secrets/")


# -- keys ------------------------------------------------------------------------------------------


def test_keys_are_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "secrets"
    arguments = [str(folder), "--log", "example.org/cup", "--database", "db.example.org"]
    assert keys.main(arguments) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {*before} == {"key", "log-key", "database", "store"}
    assert {*before} == {path.rpartition("/")[2] for path in capsys.readouterr().out.split()}
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
    assert keys.main(arguments) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    password = before["database"].decode().strip()
    assert before["store"].decode().strip() == f"postgresql://kifu:{password}@db.example.org/kifu"
    assert log_keys.read(folder / "log-key").name == "example.org/cup"
    assert Keys.at(folder / "key").fingerprint == Keys.at(folder / "key").fingerprint
    assert keys.main([str(tmp_path / "other"), "--log", "no\nname"]) == 1
