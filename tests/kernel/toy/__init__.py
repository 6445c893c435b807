"""A toy game, for the tests of everything that knows no game: two squads, two turns, a bridge."""
