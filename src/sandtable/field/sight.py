"""Line of sight, the front door: one pair (`sees`), many (`sight_matrix`), what hides how much (`hidden_fraction`), narrow gaps."""

from sandtable.field.blockers import Base, Blocker, Limit
from sandtable.field.bridges import gap_bridges
from sandtable.field.shadows import hidden_fraction
from sandtable.field.shapes import crossings
from sandtable.field.sight_many import sight_matrix
from sandtable.field.sight_one import Line, Sight, run_inside, sees

__all__ = ["Base", "Blocker", "Limit", "Line", "Sight", "crossings", "gap_bridges", "hidden_fraction", "run_inside", "sees", "sight_matrix"]
