"""Bringing a database up to date when the server starts."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

FOLDER = Path(__file__).parent / "migrations"


def migrate(engine: Engine, to: str = "head") -> None:
    """Create or alter the tables, as far as this database has not got there yet."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, to)
