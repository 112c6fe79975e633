"""`kifu store migrate`: bring a database up to the tables of this version."""

from __future__ import annotations

import click

from domain.words.phrases import phrase
from replay_cli.output import BadValue, as_json, console, json_option
from replay_cli.reaching.places import named
from service.store.errors import StoreError
from service.store.opening import is_address


@click.command("migrate")
@click.argument("url", metavar="postgresql://…")
@click.option(
    "--parts",
    type=click.IntRange(0, 1024),
    default=16,
    show_default=True,
    help="The number of partitions of new tables; 0: the database divides them itself.",
)
@json_option
def migrate_command(url: str, parts: int, as_data: bool) -> None:
    """Migrate a database to the tables of this version.

    Servers may run meanwhile, those of the previous version as well. A server creates the tables of
    an empty database by itself, and refuses to start on an older one. @FILE: a file with the
    address.
    """
    if not is_address(url := named(url)):
        raise BadValue("must be postgresql://…", param_hint="URL")
    try:
        from service.store.postgres import migrating
    except ImportError:
        text = phrase("PostgreSQL needs further packages: pip install 'kifu[postgres]'")
        raise StoreError(text) from None
    done, name = migrating.migrated(url, parts)
    if as_data:
        as_json({"store": name, "migrations": [one.number for one in done]})
        return
    for one in done:
        console().print(phrase("Migration {n} ({name}) is done.", n=one.number, name=one.name))
    if not done:
        console().print(phrase("{name} is up to date.", name=name))
