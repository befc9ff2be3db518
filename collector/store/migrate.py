"""Brings a database to this version of the tables."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from collector.errors import ConfigError

log = structlog.get_logger(__name__)


def upgrade(connection: sa.Connection, where: str, *, to: str = "head") -> None:
    """Apply the steps that are missing, in the transaction of ``connection``; ``where`` names the store in errors.

    Raises `ConfigError` for a store that a later version wrote: there is no way back, and nothing is touched.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    known = {step.revision for step in script.walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise ConfigError(
            f"data: {where}: written by a newer version of groundwire (schema {current}; this version knows up to "
            f"{script.get_current_head()}); run that version or use another data directory"
        )
    config.attributes["connection"] = connection
    if current in (None, script.get_current_head()):
        # A new store, or one of this version: there is nothing to wait for.
        command.upgrade(config, to)
        return
    log.warning(
        "upgrading the store; this may take minutes, and is rolled back if interrupted",
        store=where,
        step=current,
        to=script.get_current_head(),
    )
    command.upgrade(config, to)
    log.info("store upgraded", store=where)
