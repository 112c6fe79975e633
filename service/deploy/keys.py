"""Makes the secret files that the servers of one store share, in a folder.

    python -P -m service.deploy.keys FOLDER --log example.org/cup --database HOST [--owner 10001]

`key` signs tokens, `log-key` checkpoints of the log of that name; `database` is a password for the
user kifu of PostgreSQL, `store` the address of the database kifu with it. What is there stays as it
is. With `--owner` they are given to the user with that number, as servers in containers run.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from service.anchors import keys
from service.identity import BadKey, Keys, write_private

#: Bytes of a password.
PASSWORD = 24


def made(folder: Path, log: str, database: str) -> list[Path]:
    """Make the files that are missing; all of them. Raises `OSError` and `BadKey`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = {name: folder / name for name in ("key", "log-key", "database", "store")}

    def store() -> None:
        password = files["database"].read_text().strip()
        write_private(files["store"], f"postgresql://kifu:{password}@{database}/kifu")

    makers: Mapping[str, Callable[[], object]] = {
        "key": lambda: Keys.at(files["key"]),
        "log-key": lambda: keys.key_at(files["log-key"], log),
        "database": lambda: write_private(files["database"], secrets.token_urlsafe(PASSWORD)),
        "store": store,
    }
    for name, make in makers.items():
        if not files[name].exists():
            make()
    return [*files.values()]


def main(arguments: Sequence[str]) -> int:
    """Make them; the exit code."""
    parser = argparse.ArgumentParser(prog="service.deploy.keys")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--log", required=True, help="the name of the log, as example.org/cup")
    parser.add_argument("--database", default="postgres", help="the host of PostgreSQL")
    parser.add_argument("--owner", type=int, help="the number of the user who may read them")
    given = parser.parse_args(arguments)
    try:
        for file in made(given.folder, given.log, given.database):
            if given.owner is not None:
                os.chown(file, given.owner, given.owner)
            print(file)
    except (OSError, BadKey) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
