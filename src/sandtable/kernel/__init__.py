"""What every game shares: dice, charts, traces, events, decisions, the match loop. It knows no game."""
