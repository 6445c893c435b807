"""How a match stands is kept apart from its journal, whose rows follow each other through `before` instead of an index."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.rename_table("journal", "old_journal")
    op.create_table(
        "standings",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("waiting", sa.String(8), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
    )
    op.create_table(
        "journal",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("before", sa.BigInteger, nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
    )
    op.execute(
        """
        INSERT INTO journal (id, match, before, lines)
        SELECT id, match, COALESCE(LAG(id) OVER (PARTITION BY match ORDER BY id), 0), lines
        FROM (SELECT ROW_NUMBER() OVER (ORDER BY match, number) AS id, match, lines FROM old_journal) AS numbered
        """
    )
    op.execute(
        """
        INSERT INTO standings (match, last, changed, waiting, turn)
        SELECT matches.id, COALESCE(newest.id, 0), COALESCE(old_journal.stored, matches.created), COALESCE(waiting, ''), COALESCE(turn, 0)
        FROM matches
        LEFT JOIN (SELECT match, MAX(id) AS id FROM journal GROUP BY match) AS newest ON newest.match = matches.id
        LEFT JOIN old_journal ON old_journal.match = matches.id
            AND old_journal.number = (SELECT MAX(number) FROM old_journal AS other WHERE other.match = matches.id)
        """
    )
    op.drop_table("old_journal")


def downgrade() -> None:
    raise NotImplementedError("journals are not led back")
