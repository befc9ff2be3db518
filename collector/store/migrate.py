"""Brings a database to this version of the tables.

The steps from older versions need a library that takes 10 MB: it is loaded for a store that needs them, and for no
other.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
import structlog

from collector.errors import ConfigError
from collector.store.tables import books, metadata

NEWEST = "0010"
"""The step that leads to the tables as they are declared."""
log = structlog.get_logger(__name__)
_version = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), nullable=False))
_version.append_constraint(sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"))


def upgrade(connection: sa.Connection, where: str) -> None:
    """Make the tables, or apply the steps that are missing, in the transaction of ``connection``.

    ``where`` names the store in errors. Raises `ConfigError` for a store that a later version wrote: there is no way
    back, and nothing is touched.
    """
    current = None
    if sa.inspect(connection).has_table(_version.name):
        current = connection.execute(sa.select(_version.c.version_num)).scalar()
    if current is None:
        metadata.create_all(connection, checkfirst=False)
        connection.execute(sa.insert(books).values(id=1))
        _version.create(connection, checkfirst=True)
        connection.execute(sa.insert(_version).values(version_num=NEWEST))
    elif current != NEWEST:
        step_up(connection, where, current=current)


def step_up(connection: sa.Connection, where: str, *, current: str | None, to: str = NEWEST) -> None:
    """Apply the steps between two versions, from none where ``current`` is ``None``."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise ConfigError(
            f"data: {where}: written by a newer version of groundwire (schema {current}; this version knows up to "
            f"{NEWEST}); run that version or use another data directory"
        )
    config.attributes["connection"] = connection
    log.warning(
        "upgrading the store; this may take minutes, and is rolled back if interrupted",
        store=where,
        step=current,
        to=to,
    )
    command.upgrade(config, to)
    log.info("store upgraded", store=where)
