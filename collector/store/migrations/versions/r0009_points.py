"""An index by which the newest values of one slice are found without looking at those of all others."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make it in one pass over what gates fold: some 12 bytes for each evaluation."""
    op.create_index("ix_scored_context", "scored", ["context"])
