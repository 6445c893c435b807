"""How alembic reaches our tables. `sandtable.server.migrating` hands over the connection."""

from alembic import context

from sandtable.server.storage import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("migrations are run by the server when it starts (sandtable.server.migrating)")
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
