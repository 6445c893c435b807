"""Many lines of sight at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sandtable.field.blockers import Blocker
from sandtable.field.sight_one import Base, sees


def sight_matrix(sources: Sequence[Base], targets: Sequence[Base], blockers: Sequence[Blocker]) -> NDArray[np.bool_]:
    """Who sees whom: row for source, column for target. The same answers as `sees`, pair by pair."""
    return np.array([[sees(s, t, blockers).clear for t in targets] for s in sources], dtype=np.bool_)
