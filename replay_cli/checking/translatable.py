"""The texts to translate: sentences of the code, and words of the games.

Sentences are found by reading the code: the first argument of `phrase` and of `refuse`, followed
through names, conditions and the parameters of functions that hand it on. A sentence that is put
together on the way (an f-string) can't be in any table: it is a fault (`Found.faults`). Those of
pages stand in `templates`, those of help in the commands (`helps`). What games declare as data
(manifests, rows of acts) is taken from there. `kifu words` writes all of it down as a table
(`domain.words.tables`).
"""

from __future__ import annotations

import ast
import gc
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

import click

from domain.games import names, rulebook
from domain.record.schema import manifest
from domain.record.schema.manifest import KINDS
from domain.record.schema.policy import STANDARD
from domain.words.phrases import JOINED
from domain.words.tables import SENTENCES, Table
from replay_cli.checking import helps, templates

#: What makes a phrase, and the section of a table for the first of its arguments.
MAKERS = {
    "domain.words.phrases.phrase": SENTENCES,
    "domain.words.phrases.joined": JOINED,
    "domain.engine.rulebook.refuse": SENTENCES,
    "replay_cli.output.table": "columns",
}
PACKAGES = ("domain", "service", "replay_cli")
#: Those of whose arguments each is a text.
SEVERAL = ("replay_cli.output.table",)
#: Whose table has what no game has.
CORE = "core"
#: Where a game says again what all games share, so that it may be said by its terms.
PHRASEBOOK = "/lists/phrasebook.py:"

#: Section to sentence to its place in the code; in the order of the code.
Sections = dict[str, dict[str, str]]


class Found(NamedTuple):
    """The texts to translate, by table (`core` or a game); and those that can't be translated."""

    tables: Mapping[str, Sections]
    faults: list[str]


@cache
def found(program: click.Command) -> Found:
    """All there is, read off the code, the program's commands and the games at hand."""
    code = _read_code()
    sentences = code.sentences.setdefault((CORE, SENTENCES), {})
    faults = _read_templates(sentences)
    for text, command in (*helps.of_click(), *helps.sentences(program)):
        sentences.setdefault(text, command)
    tables: dict[str, Sections] = {CORE: _core_words(), **{game: {} for game in names()}}
    for game in names():
        for section, sentence in _declared(game):
            shared = tables[CORE].get(section, {}) | code.sentences.get((CORE, section), {})
            if sentence and sentence not in shared:
                tables[game].setdefault(section, {}).setdefault(sentence, "")
    for (whose, section), sections in code.sentences.items():
        shared = {} if whose == CORE else code.sentences.get((CORE, section), {})
        own = {
            sentence: where
            for sentence, where in sections.items()
            if sentence not in shared or PHRASEBOOK in where
        }
        tables[whose].setdefault(section, {}).update(own)
    return Found(tables, code.faults + faults)


def _read_code() -> Code:
    """The code at hand, read.

    Meanwhile nothing looks for garbage: of millions of nodes there is none, which takes as long.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        code = Code(dict(_sources()))
        code.read()
    finally:
        if collects:
            gc.enable()
    return code


def _read_templates(sentences: dict[str, str]) -> list[str]:
    """The faults of templates; their sentences are added to those of the code."""
    faults = []
    for path, source in templates.templates():
        for text, place, fault in templates.sentences(path, source):
            if fault:
                faults.append(f"{place}: {text!r} is in no table")
            else:
                sentences.setdefault(text, place)
    return faults


def _core_words() -> Sections:
    """The words that the recorder itself has in every manifest."""
    lists = {kind: getattr(manifest, kind.upper(), ()) for kind in KINDS}
    found = {kind: {one.label: "" for one in words} for kind, words in lists.items() if words}
    return found | {"penalties": {one.label: "" for one in STANDARD}}


def _declared(game: str) -> Iterator[tuple[str, str]]:
    """The words of a game's manifest, and what its rows of acts say, each with its section."""
    rules = rulebook(game)
    yield "title", rules.manifest.title
    for kind in ("zones", *KINDS):
        yield from ((kind, one.label) for one in getattr(rules.manifest, kind))
    yield from (("tallies", one.label) for one in rules.tallies)
    yield from (("orients", one) for zone in rules.manifest.zones for one in zone.orients)
    yield from (("barred", act.replace("-", " ")) for act in sorted(rules.barrable))
    picks = [*rules.acts.picks, *(pick for row in rules.acts.rows.values() for pick in row.picks)]
    sentences = [sentence for pick in picks for sentence in pick.faults.values()]
    sentences += [row.unasked for row in rules.acts.rows.values() if row.unasked]
    yield from ((SENTENCES, sentence[0]) for sentence in sentences)


# -- reading code ----------------------------------------------------------------------------------

Function = ast.FunctionDef | ast.AsyncFunctionDef
#: A call whose argument is a sentence: its name, the section, where the argument stands, its name.
Target = tuple[str, str, int, str]


class Code:
    """`sentences` in modules, by whose table and section; `faults` that cannot be translated."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """`sources` are modules by their path."""
        self.sentences: dict[tuple[str, str], dict[str, str]] = {}
        self.faults: list[str] = []
        self._followed: set[tuple[str, int]] = set()
        self._calls: dict[str, list[tuple[str, ast.Call, tuple[ast.AST, ...]]]] = {}
        trees = {path: ast.parse(source) for path, source in sources.items()}
        self._imported = {_module(path): dict(_imports(tree)) for path, tree in trees.items()}
        for path, tree in trees.items():
            self._collect(path, tree, ())

    def _collect(self, path: str, node: ast.AST, scopes: tuple[ast.AST, ...]) -> None:
        if isinstance(node, ast.Call):
            self._calls.setdefault(self._meant(path, node.func), []).append((path, node, scopes))
        inner = isinstance(node, ast.Module | ast.ClassDef | Function | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            self._collect(path, child, (*scopes, node) if inner else scopes)

    def _meant(self, path: str, called: ast.expr) -> str:
        """The full name of what is called, where it is defined; empty for methods."""
        match called:
            case ast.Name(id=name):
                found = f"{_module(path)}.{name}"
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                found = f"{self._imported[_module(path)].get(module, '')}.{name}"
            case _:
                return ""
        while (split := found.rpartition("."))[0] in self._imported:
            further = self._imported[split[0]].get(split[2], "")
            if not further:
                break
            found = further
        return found

    def read(self) -> None:
        """Follow every sentence to where it is written."""
        waiting: list[Target] = [(name, section, 0, "") for name, section in MAKERS.items()]
        seen: set[Target] = set()
        while waiting:
            target = waiting.pop()
            if target in seen:
                continue
            seen.add(target)
            name, section, at, called = target
            for path, call, scopes in self._calls.get(name, ()):
                given = [one.value for one in call.keywords if called and one.arg == called]
                given += call.args if name in SEVERAL else call.args[at : at + 1]
                for node in given:
                    waiting += self._follow(path, section, node, scopes)

    def _follow(
        self, path: str, section: str, node: ast.expr, scopes: tuple[ast.AST, ...]
    ) -> Iterator[Target]:
        if (section, id(node)) in self._followed:
            return
        self._followed.add((section, id(node)))
        match node:
            case ast.Constant(value=str(text)) if text:
                found = self.sentences.setdefault((_owner(path), section), {})
                place = f"{path}:{node.lineno}"
                if text not in found or PHRASEBOOK in place:
                    found[text] = place
            case ast.JoinedStr() | ast.BinOp():
                self.faults.append(f"{path}:{node.lineno}: a sentence is put together")
            case ast.IfExp(body=one, orelse=other):
                yield from self._follow(path, section, one, scopes)
                yield from self._follow(path, section, other, scopes)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self._follow(path, section, value, scopes)
            case ast.Name(id=name):
                yield from self._named(path, section, name, scopes)

    def _named(
        self, path: str, section: str, name: str, scopes: tuple[ast.AST, ...]
    ) -> Iterator[Target]:
        """The values of a name: what it is set to, or what functions get for it."""
        for depth in range(len(scopes), 0, -1):
            scope = scopes[depth - 1]
            values = [] if isinstance(scope, ast.ClassDef | ast.Lambda) else [*_set(scope, name)]
            if isinstance(scope, Function) and name in (listed := _parameters(scope)):
                owner = scopes[depth - 2]
                method = isinstance(owner, ast.ClassDef)
                made = method and scope.name == "__init__"
                called = owner.name if made and isinstance(owner, ast.ClassDef) else scope.name
                yield f"{_module(path)}.{called}", section, listed.index(name) - method, name
                values += _defaults(scope, name)
                for value in values:
                    yield from self._follow(path, section, value, scopes[:depth])
                return
            for value in values:
                yield from self._follow(path, section, value, scopes[:depth])
            if values:
                return


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The values of imported names."""
    nodes: list[ast.AST] = [tree]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)
        inner = ast.iter_child_nodes(node)
        nodes += (one for one in inner if not isinstance(one, ast.expr))  # which imports nothing


def _parameters(function: Function) -> list[str]:
    return [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]


def _defaults(function: Function, name: str) -> Iterator[ast.expr]:
    plain = function.args.args[len(function.args.args) - len(function.args.defaults) :]
    pairs = [*zip(plain, function.args.defaults, strict=True)]
    pairs += [
        (one, value)
        for one, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if value is not None
    ]
    yield from (value for one, value in pairs if one.arg == name)


def _set(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """The value of a name in a module or a function, its inner functions aside."""
    for child in ast.iter_child_nodes(scope):
        match child:
            case ast.Assign(targets=[*targets], value=value):
                for target in targets:
                    yield from _paired(target, value, name)
            case ast.AnnAssign(target=ast.Name(id=one), value=value) if one == name and value:
                yield value
            case ast.NamedExpr(target=ast.Name(id=one), value=value) if one == name:
                yield value
        if not isinstance(child, Function | ast.ClassDef | ast.Lambda):
            yield from _set(child, name)


def _paired(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    match target, value:
        case ast.Name(id=one), _ if one == name:
            yield value
        case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
            for left, right in zip(names, values, strict=True):
                yield from _paired(left, right, name)


def _owner(path: str) -> str:
    """Whose table has what a module says."""
    folder, _, rest = path.removeprefix("domain/games/").partition("/")
    return folder if rest and folder in names() and path.startswith("domain/games/") else CORE


def _sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        yield from _modules(files(package), package)


def _modules(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        inner = f"{path}/{file.name}"
        if file.is_dir():
            yield from _modules(file, inner)
        elif file.name.endswith(".py"):
            yield inner, file.read_text("utf-8")


# -- writing tables --------------------------------------------------------------------------------


def written(sections: Sections, done: Table, prefix: str = "") -> Iterator[str]:
    """A table line by line, with what has been translated already; `prefix` is the game's."""
    for section, sentences in sections.items():
        own = done.get(section if section in (SENTENCES, JOINED) else f"{prefix}{section}", {})
        yield f"[{section}]"
        for sentence, where in sentences.items():
            if where:
                yield f"# {where}"
            yield f"{_quoted(sentence)} = {_quoted(own.get(sentence, ''))}"
        yield ""


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def missing(sections: Sections, done: Table, prefix: str = "") -> Iterable[str]:
    """The texts missing in a table."""
    for section, sentences in sections.items():
        own = done.get(section if section in (SENTENCES, JOINED) else f"{prefix}{section}", {})
        yield from (f"[{section}] {sentence}" for sentence in sentences if not own.get(sentence))
