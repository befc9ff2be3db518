"""An index that lists of answers are made of, and one of the answers that wait that is used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make two indexes, each in one pass over the answers: some 80 bytes for each of them, and for those that wait."""
    op.create_index("ix_answers_listed", "answers", ["seq", "slice", "evaluation_seq"])
    # Its condition was `pending` where queries say `pending = 1`, so that SQLite never took it.
    waits = sa.column("pending", sa.Boolean) == sa.true()
    op.drop_index("ix_answers_pending", "answers")
    op.create_index("ix_answers_pending", "answers", ["arrived", "seq"], sqlite_where=waits)
