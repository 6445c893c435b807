"""A small real game for the benchmark of the server: pieces that move over ground, one after another."""
