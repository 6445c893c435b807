"""Line of sight, the front door: one pair (`sees`), many (`sight_matrix`), what hides how much (`hidden_fraction`), narrow gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandtable.field.blockers import Base, Blocker, Limit
from sandtable.field.bridges import gap_bridges
from sandtable.field.shadows import hidden_fraction
from sandtable.field.shapes import crossings
from sandtable.field.sight_one import Line, Sight, run_inside, sees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Base", "Blocker", "Limit", "Line", "Sight", "crossings", "gap_bridges", "hidden_fraction", "run_inside", "sees", "sight_matrix"]


def sight_matrix(sources: Sequence[Base], targets: Sequence[Base], blockers: Sequence[Blocker]) -> NDArray[np.bool_]:
    """Who sees whom: a row for each source, a column for each target. The same answers as `sees`, pair by pair."""
    # Arrays take longer to load than all the rest of a game, so they are loaded for those who ask for many lines.
    from sandtable.field.sight_many import sight_matrix

    return sight_matrix(sources, targets, blockers)
