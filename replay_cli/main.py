"""`kifu COMMAND`: which module has which command. The program itself is `__main__`.

Commands are loaded when they are called, so that `kifu --help` is quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from replay_cli import output, process
from replay_cli.commands.groups import Entry, LazyGroup
from replay_cli.pages import Pages, translate_click

click.Context.formatter_class = Pages  # of all commands, however they are loaded
translate_click()

EPILOG = """\b
Where the matches are: --server HOST:PORT with --token, or --data FILE.
Environment variables set it for all commands:

\b
KIFU_SERVER     HOST:PORT of the server (--server)
KIFU_DATA       the file of matches (--data)
KIFU_HOST       the address `kifu serve` listens on, and clients connect to (--host)
KIFU_PORT       … and on which port (--port)
KIFU_TOKEN      your token, or @FILE that contains one (--token)
KIFU_TLS        1: speak TLS (--tls)
KIFU_TLS_CA     the certificate to trust (--tls-ca)
KIFU_TLS_CERT   the certificate of `kifu serve` (--tls-cert) …
KIFU_TLS_KEY    … and its key (--tls-key)
KIFU_EVENT      the event that commands are about (--event)
KIFU_LANG       the language (--lang)
COLUMNS         how wide output is

Exit codes: 0 done, 1 refused or a failed check, 2 wrong usage,
3 not found or no server, 4 not allowed.
"""


COMMANDS = {
    "demo": Entry("demo", "Begin here", "Record a match of two bots, and look back into it."),
    "play": Entry("running.play", "Begin here", "Play with a friend, in your browsers."),
    "serve": Entry("running.serve", "Run it", "Run the service."),
    "open": Entry("running.open", "Run it", "Open a match."),
    "tokens": Entry("credentials.tokens", "Run it", "Issue tokens, list them, revoke them."),
    "codes": Entry("credentials.codes", "Run it", "Issue short codes to join a match, on slips."),
    "join": Entry("credentials.join", "Run it", "Take a seat by its code or token."),
    "event": Entry("event.group", "Run it", "Run an event: players, rounds, results, standings."),
    "call": Entry("running.call", "Run it", "Call a judge to your table."),
    "desk": Entry("running.desk", "Run it", "Rule, penalise, correct, rewind, fork."),
    "time": Entry("running.desk", "Run it", "Call time, decide by it, set clocks."),
    "auto-pass": Entry("running.auto_pass", "Run it", "Set, show or withdraw an auto-pass."),
    "record": Entry(".scorekeeper.start", "Run it", "Enter a match played with real cards."),
    "list": Entry("viewing.list_", "Look at matches", "List matches."),
    "show": Entry(
        "viewing.show",
        "Look at matches",
        "Show the board at any point, as a player or the public sees it.",
    ),
    "decisions": Entry(
        "viewing.decisions", "Look at matches", "List decisions, or one with its options."
    ),
    "watch": Entry(
        "viewing.watch", "Look at matches", "Follow a match live, or read its transcript."
    ),
    "replay": Entry("viewing.replay", "Look at matches", "Step through a match with the keyboard."),
    "why": Entry("viewing.why", "Look at matches", "Explain an entry: its causes and their rules."),
    "why-not": Entry(
        "viewing.why_not", "Look at matches", "Explain why an act was not legal at a decision."
    ),
    "dispute": Entry(
        "viewing.dispute", "Look at matches", "Write a page about a decision, for judges."
    ),
    "analyse": Entry(
        "viewing.analyse", "Look at matches", "Estimate what each decision of a match was worth."
    ),
    "stats": Entry(
        "viewing.stats", "Look at matches", "Add up matches: win rates of decks and cards."
    ),
    "diff": Entry("viewing.diff", "Look at matches", "Compare two positions of a match."),
    "export": Entry(
        "keeping.export", "Keep and check", "Write a match to a file, as text or as its record."
    ),
    "import": Entry("keeping.import_", "Keep and check", "Record a match again from a text."),
    "doctor": Entry(
        "keeping.doctor", "Keep and check", "Check servers, proxies and stores, and report faults."
    ),
    "verify": Entry("keeping.verify", "Keep and check", "Replay a record and compare."),
    "audit": Entry("audit.group", "Keep and check", "Report what of a record is proven."),
    "store": Entry(
        "keeping.store", "Keep and check", "Check, copy, back up and compact stores of matches."
    ),
    "scenario": Entry("keeping.scenario", "Keep and check", "Run scenario files."),
    "simulate": Entry(
        "keeping.simulate", "Keep and check", "Play many bot matches, and report statistics."
    ),
    "rules": Entry("rules", "Look up", "Look up rules, or report which are tested."),
    "cards": Entry("cards.group", "Look up", "Look up cards."),
    "completion": Entry("completion", "Look up", "Print the completion script of your shell."),
    "words": Entry("words", "Look up", "Write the texts to translate as a table."),
    "proto": Entry("proto", "Look up", "Write the protocol's files, for other languages."),
}


class Program(LazyGroup):
    """All commands, and the handling of their errors."""

    entries = COMMANDS
    package = "replay_cli.commands"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        process.put_in_order()
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The language comes first: help is written in it."""
        given, _, _ = self.make_parser(ctx).parse_args([*args])
        lang = next(one for one in self.get_params(ctx) if one.name == "lang")
        lang.handle_parse_result(ctx, given, [])
        output.speak(ctx.params["lang"])
        return super().parse_args(ctx, args)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _concealing():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong outside of it becomes a sentence and an exit code."""
        with _concealing():
            return self._invoked(ctx)

    def _invoked(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo(err=True)
            raise click.exceptions.Exit(process.INTERRUPTED) from None
        except BrokenPipeError:
            process.unplug()
            raise click.exceptions.Exit(process.UNREAD) from None
        except Exception as error:
            from replay_cli.reaching.failures import failure_of  # which loads all that may fail

            failure = failure_of(error)
            if failure is None:
                raise
            raise failure from error


@contextmanager
def _concealing() -> Iterator[None]:
    """Errors repeat the input without its passwords."""
    try:
        yield
    except click.ClickException as error:
        if "@" in error.message or "pass" in error.message.lower():
            from service.telemetry.passwords import concealed  # which loads the service

            error.message = concealed(error.message)  # type: ignore[misc]
        raise


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Say which version this is, and stop."""
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # which loads a parser of mail

    try:
        found = version("kifu")
    except PackageNotFoundError:
        found = "not installed"
    click.echo(f"kifu, version {found}")
    ctx.exit()


@click.group(
    cls=Program,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--lang",
    default="",
    envvar=["KIFU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"],
    metavar="LANGUAGE",
    help="The language of all texts (ja, zh-Hant, …), where they are translated.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version and exit.",
)  # fmt: skip
def kifu(lang: str) -> None:
    """Record card-game matches, and replay them to any decision.

    A match is an append-only log of events, each citing the rule behind it. Users with the right to
    see it can replay it to any decision, as any player saw it.
    """
