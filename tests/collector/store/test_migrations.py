"""Migrations lead from nothing to the tables as they are declared, and never backwards."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from collector.errors import ConfigError
from collector.store.migrate import upgrade
from collector.store.sqlite import DATABASE, open_store
from collector.store.tables import metadata


def schema(connection: sa.Connection) -> dict[str, str]:
    """Every table and index as SQLite remembers it, regardless of white space."""
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name != 'alembic_version'"
    )
    return {name: re.sub(r"\s+", " ", sql.replace('"', "")) for name, sql in rows}


@pytest.fixture
def empty() -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def test_migrating_an_empty_database_gives_the_declared_tables(empty: sa.Connection) -> None:
    upgrade(empty, "here")
    assert compare_metadata(MigrationContext.configure(empty, opts={"compare_type": True}), metadata) == []
    declared = sa.create_engine("sqlite://")
    with declared.begin() as connection:
        metadata.create_all(connection)
        assert schema(empty) == schema(connection)
    declared.dispose()


def test_migrating_twice_changes_nothing(empty: sa.Connection) -> None:
    upgrade(empty, "here")
    before = schema(empty)
    upgrade(empty, "here")
    assert schema(empty) == before
    assert empty.exec_driver_sql("SELECT count(*) FROM books").scalar_one() == 1


def test_a_store_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        before = schema(connection)
    with pytest.raises(ConfigError, match=r"groundwire\.db: .*later version of groundwire \(step 9999"):
        open_store(tmp_path)
    with engine.begin() as connection:
        assert schema(connection) == before
    engine.dispose()
