"""Opening a database: migrated once by whoever comes first, and refused in a sentence."""

from __future__ import annotations

import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from urllib.parse import urlsplit

import psycopg
import pytest

from service.store.errors import Gone
from service.store.postgres import migrating
from service.store.postgres.connections import Address
from service.store.records import Records, StoreError, Unwritable, Work
from tests.support import postgres
from tests.unit.store.records import toy_log

ID, LOG = "k7f3q", toy_log()
SECRET = "hush4711"


def test_servers_that_find_it_empty_at_once_migrate_it_once(
    postgres_server: postgres.Server,
) -> None:
    url = postgres_server.database(empty=True)
    barrier = Barrier(4)

    def start(n: int) -> None:
        barrier.wait()
        with closing(Records(url)) as records:
            records.write(Work(f"m{n}", LOG[:3]))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(start, range(4)))
    with closing(Records(url, reading=True)) as records:
        assert records.ids() == ["m0", "m1", "m2", "m3"]
        kept = records.row("SELECT count(*) FROM migrations")[0]
        assert kept == len(migrating.known())


def test_a_server_goes_on_while_it_is_migrated_and_after(postgres_url: str) -> None:
    number = migrating.known()[-1].number + 1
    newer = migrating.Migration(number, "more", "CREATE TABLE more (id BIGINT PRIMARY KEY);")
    with closing(Records(postgres_url)) as old:
        old.write(Work(ID, LOG[:3]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrating, "known", lambda known=migrating.known: [*known(), newer])
            with psycopg.connect(
                postgres_url, autocommit=True, row_factory=psycopg.rows.dict_row
            ) as connection:
                assert migrating.missing(connection) == [newer]
                with pytest.raises(StoreError, match=f"lacks migration {number}"):
                    Records(postgres_url)  # of the version that needs it
                assert migrating.migrate(connection) == [newer]
            Records(postgres_url).close()
        old.write(Work(ID, LOG[3:5]))
    with closing(Records(postgres_url)) as repeated:  # of the version before
        repeated.write(Work(ID, LOG[5:7]))
        assert repeated.entries(ID) == LOG[:7]


def test_a_migration_of_the_same_number_is_another(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE migrations SET digest='x' WHERE number=1")
    with pytest.raises(StoreError, match="had another migration 1"):
        Records(postgres_url)


def test_a_user_without_rights_gets_the_missing_right(postgres_url: str) -> None:
    with closing(Records(postgres_url)) as records:
        records.write(Work(ID, LOG[:3]))
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS looker")
        connection.execute("CREATE ROLE looker LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker")
        looker = postgres_url.replace("postgres@", "looker@")
        with closing(Records(looker)) as records:
            assert records.entries(ID) == LOG[:3]
            with pytest.raises(Unwritable, match="permission denied"):
                records.write(Work(ID, LOG[3:5]))
            assert records.last(ID) == 3
        connection.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM looker")
        with pytest.raises(Unwritable, match="permission denied"):
            Records(looker)
        connection.execute("DROP ROLE looker")


def test_an_empty_database_of_somebody_else_is_not_migrated(
    postgres_server: postgres.Server,
) -> None:
    url = postgres_server.database(empty=True)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN")
        with pytest.raises(Unwritable, match="can't be migrated"):
            Records(url.replace("postgres@", "guest@"))
        connection.execute("DROP ROLE guest")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_can_not_hold_every_name_is_not_served(
    postgres_server: postgres.Server, encoding: str
) -> None:
    """It would refuse some of its matches, and only when it is too late."""
    url = postgres_server.database(empty=True)
    with postgres_server.connection("postgres") as connection:
        name = f"{url.rpartition('/')[2]}_{encoding.lower()}"
        connection.execute(
            f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0".encode()
        )
    other = postgres_server.url(name)
    for opening in (Records, migrating.migrated):
        with pytest.raises(StoreError, match=f"encoding is {encoding}"):
            opening(other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrating, "check_encoding", lambda connection: None)
        migrating.migrated(other)
    with closing(Records(other, reading=True)) as records:  # to be copied from there
        assert records.ids() == []


def test_the_environment_does_not_say_how_text_is_written(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with closing(Records(postgres_url)) as records:
        assert records.row("SELECT 'ゆき ★' AS name")[0] == "ゆき ★"


def test_who_reads_a_whole_store_is_not_held_to_the_limits_of_its_user(postgres_url: str) -> None:
    hurried = f"{postgres_url}?options=-c%20statement_timeout%3D50"
    with closing(Records(hurried, reading=True)) as records:
        assert records.row("SELECT pg_sleep(0.2), 1 AS one")["one"] == 1


def test_a_read_only_store_is_read_with_a_notice(postgres_url: str) -> None:
    with closing(Records(postgres_url)) as records:
        records.write(Work(ID, LOG[:3]))
    standby = f"{postgres_url}?options=-c%20default_transaction_read_only%3Don"
    with closing(Records(standby)) as records:
        assert records.entries(ID) == LOG[:3]
        with pytest.raises(Unwritable, match="read-only"):
            records.write(Work(ID, LOG[3:5]))


WRONG = {
    "nobody there": (f"postgresql://u:{SECRET}@127.0.0.1:1/kifu", Gone),
    "no such host": (f"postgresql://u:{SECRET}@nowhere.invalid/kifu", Gone),
    "no such database": (f"postgresql://postgres:{SECRET}@HERE/nothing", Gone),
    "no such user": (f"postgresql://nobody:{SECRET}@HERE/postgres", Gone),
    "a bad escape": (f"postgresql://u:%zz{SECRET}@HERE/kifu", StoreError),
    "a slash": (f"postgresql://u:pass/{SECRET}@HERE/kifu", StoreError),
    "a slash after digits": (f"postgresql://u:12/{SECRET}@HERE/kifu", StoreError),
    "an at": (f"postgresql://u:a@{SECRET}@HERE/kifu", StoreError),
    "an option that is none": (f"postgresql://u:{SECRET}@HERE/kifu?{SECRET}=1", StoreError),
    "spaces": (f"postgresql://u:{SECRET} x@HERE/kifu?connect_timeout=a", StoreError),
}


@pytest.mark.parametrize("how", WRONG)
def test_no_message_has_a_password(
    postgres_server: postgres.Server, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    text, error = WRONG[how]
    netloc = urlsplit(postgres_server.url("x")).netloc.rpartition("@")[2]
    with caplog.at_level("DEBUG"), pytest.raises(error) as found:
        Records(text.replace("HERE", netloc))
    seen = "".join(traceback.format_exception(found.value)) + repr(found.value) + caplog.text
    assert SECRET not in seen
    assert len(str(found.value)) > 20


def test_no_name_has_a_password(postgres_url: str) -> None:
    address = Address(postgres_url.replace("postgres@", f"postgres:{SECRET}@"))
    assert SECRET not in address.name
    assert SECRET not in repr(address)
    with closing(Records(postgres_url.replace("postgres@", f"postgres:{SECRET}@"))) as records:
        assert SECRET not in f"{records.where}{records.driver.name}{records.read_only_reason}"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("postgresql://u:x@db/kifu", "postgresql://db/kifu"),
        ("postgresql://u:x@db:5433/kifu", "postgresql://db:5433/kifu"),
        (
            "postgresql://u@a:1,b:2/kifu?target_session_attrs=read-write",
            "postgresql://a:1,b:2/kifu",
        ),
        ("postgresql://u@a,b/kifu", "postgresql://a,b/kifu"),
        ("host=a,b port=5433 dbname=kifu", "postgresql://a:5433,b:5433/kifu"),
    ],
)
def test_an_address_is_called_by_its_hosts(text: str, name: str) -> None:
    assert Address(text).name == name
