"""The gridless table: shapes, terrain, line of sight, movement paths. It knows no game."""
