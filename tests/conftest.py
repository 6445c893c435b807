"""What all tests share: the toy game is found like any other game, and fuzz tests come in two doses."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

os.environ["SANDTABLE_GAMES"] = str(Path(__file__).parent / "kernel")

# `make test` takes a small dose; SANDTABLE_FUZZ=big (`make fuzz`) one for the night: at least 100,000 examples in all.
slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("small", max_examples=60, deadline=None, derandomize=True, suppress_health_check=slow_is_fine)
settings.register_profile("big", max_examples=10_000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile("big" if os.environ.get("SANDTABLE_FUZZ") == "big" else "small")
if os.environ.get("SANDTABLE_FUZZ", "").isdecimal():  # so many examples of each
    settings.register_profile("some", settings.get_profile("big"), max_examples=int(os.environ["SANDTABLE_FUZZ"]))
    settings.load_profile("some")
