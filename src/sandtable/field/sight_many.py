"""Many lines of sight at once, with the answers of `sees`.

All pairs go through the same three questions as one pair does, in arrays: is the line between the centres clear, is an edge of the corridor
clear, does one blocker close the whole corridor? The few pairs left, and those with a blocker at a base, are asked one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sandtable.field.blockers import Base, Blocker, Body, body
from sandtable.field.lines import HAIR
from sandtable.field.shapes import Shape, boxes_apart
from sandtable.field.sight_one import sees, strictly_apart

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


def _padded(rings: Sequence[Shape]) -> tuple[Floats, Floats]:
    """All rings as two arrays of x and y; short ones repeat their last corner, which changes no answer."""
    most = max(len(ring) for ring in rings)
    full = np.array([[*ring, *[ring[-1]] * (most - len(ring))] for ring in rings], dtype=np.float64)
    return np.ascontiguousarray(full[:, :, 0]), np.ascontiguousarray(full[:, :, 1])


def sight_matrix(sources: Sequence[Base], targets: Sequence[Base], blockers: Sequence[Blocker]) -> NDArray[np.bool_]:
    """Who sees whom: a row for each source, a column for each target. The same answers as `sees`, pair by pair."""
    clear = np.ones((len(sources), len(targets)), dtype=np.bool_)
    if not clear.size or not blockers:
        return clear
    ones, twos = [body(base) for base in sources], [body(base) for base in targets]
    i, j, k = _corridors(ones, twos, blockers)
    # Pairs are numbered row by row; each row of these three arrays is a pair with a blocker that may matter to it.
    pair = i * len(twos) + j
    at_base = _at_bases(ones, blockers)[i, k] | _at_bases(twos, blockers)[j, k]
    single = np.zeros(clear.size, dtype=np.bool_)
    single[pair[at_base]] = True
    single |= _bases_meet(ones, twos).ravel()
    flat = clear.ravel()
    hull_x, hull_y = _padded([blocker.hull for blocker in blockers])

    middles_a, middles_b = np.array([(b.x, b.y) for b in ones]), np.array([(b.x, b.y) for b in twos])
    rest = ~single[pair]
    pair, i, j, k = pair[rest], i[rest], j[rest], k[rest]
    stopped = _cut(middles_a[i], middles_b[j], hull_x[k], hull_y[k])
    flat[pair[stopped]] = False

    # The pairs whose centre line is stopped: both edges of their corridors.
    pairs = np.flatnonzero(~flat)
    rest = ~flat[pair]
    pair, k = pair[rest], k[rest]
    place = np.searchsorted(pairs, pair)
    rows, columns = np.divmod(pairs, len(twos))
    base_a, base_b = _padded([b.corners for b in ones]), _padded([b.corners for b in twos])
    cut = []
    for side in (1.0, -1.0):
        p, q = _outer_tangents(base_a[0][rows], base_a[1][rows], base_b[0][columns], base_b[1][columns], side)
        hit = _cut(p[place], q[place], hull_x[k], hull_y[k])
        free = np.ones(len(pairs), dtype=np.bool_)
        free[place[hit]] = False
        flat[pairs[free]] = True
        cut.append(hit)
    closed = np.zeros(len(pairs), dtype=np.bool_)
    closed[place[cut[0] & cut[1]]] = True
    single[pairs[~closed & ~flat[pairs]]] = True
    for number in np.flatnonzero(single).tolist():
        row, column = divmod(number, len(twos))
        flat[number] = sees(sources[row], targets[column], blockers).clear
    return flat.reshape(clear.shape)


def _corridors(ones: Sequence[Body], twos: Sequence[Body], blockers: Sequence[Blocker]) -> tuple[Ints, Ints, Ints]:
    """All (source, target, blocker) whose blocker's circle reaches the corridor between the bases' circles."""
    ax, ay, ar = (np.array(v)[:, None, None] for v in zip(*((b.x, b.y, b.reach) for b in ones), strict=True))
    bx, by, br = (np.array(v)[None, :, None] for v in zip(*((b.x, b.y, b.reach) for b in twos), strict=True))
    cx, cy, cr = (np.array(v)[None, None, :] for v in zip(*((*b.middle, b.reach) for b in blockers), strict=True))
    dx, dy = bx - ax, by - ay
    size = np.sqrt(dx * dx + dy * dy)
    reach = (cr + np.maximum(ar, br)) * size
    # Written out as products of small arrays and one large: cross and dot of (c - a) with (b - a).
    across = dx * cy - dy * cx + (dy * ax - dx * ay)
    along = dx * cx + dy * cy - (dx * ax + dy * ay)
    found = (np.abs(across) <= reach) & (along >= -reach) & (along <= size * size + reach)
    i, j, k = np.nonzero(found)
    return i, j, k


def _at_bases(bodies: Sequence[Body], blockers: Sequence[Blocker]) -> Bools:
    """Which blockers may touch which base."""
    boxes, others = np.array([b.box for b in bodies])[:, None], np.array([b.box for b in blockers])[None, :]
    out: Bools = (boxes[..., 0] <= others[..., 2]) & (boxes[..., 2] >= others[..., 0])
    out &= (boxes[..., 1] <= others[..., 3]) & (boxes[..., 3] >= others[..., 1])
    for i, k in np.argwhere(out).tolist():
        out[i, k] = not strictly_apart(blockers[k].hull, bodies[i].corners)
    return out


def _bases_meet(ones: Sequence[Body], twos: Sequence[Body]) -> Bools:
    """Which bases may touch each other."""
    return np.array([[not boxes_apart(a.box, b.box) for b in twos] for a in ones], dtype=np.bool_)


def _cut(p: Floats, q: Floats, x: Floats, y: Floats) -> Bools:
    """Does the segment p-q pass through the convex shape, row by row? (`lines.cuts_convex`, for shapes that hold neither end)"""
    dx, dy = q[:, 0] - p[:, 0], q[:, 1] - p[:, 1]
    px, py = p[:, 0], p[:, 1]
    sides = dx[:, None] * (y - py[:, None]) - dy[:, None] * (x - px[:, None])
    hair = HAIR * (np.abs(dx) + np.abs(dy))
    left, right = sides.argmax(axis=1), sides.argmin(axis=1)
    row = np.arange(len(sides))
    both = (sides[row, left] > hair) & (sides[row, right] < -hair)
    lx, ly = x[row, left], y[row, left]
    ex, ey = x[row, right] - lx, y[row, right] - ly
    down = dx * ey - dy * ex
    t = ((lx - px) * ey - (ly - py) * ex) / np.where(both, down, 1.0)
    out: Bools = both & (t > 0) & (t < 1)
    return out


def _outer_tangents(ax: Floats, ay: Floats, bx: Floats, by: Floats, side: float) -> tuple[Floats, Floats]:
    """The edge of each common hull with everything on its right (side 1) or left (side -1), as in `sight_one.outer_tangent`."""
    row = np.arange(len(ax))
    a, b = np.zeros(len(ax), dtype=np.intp), np.zeros(len(ax), dtype=np.intp)
    while True:
        px, py, qx, qy = ax[row, a], ay[row, a], bx[row, b], by[row, b]
        dx, dy = (qx - px)[:, None], (qy - py)[:, None]
        # The corner farthest off the line need not be the last one round, but each step turns the line on: repeat until none does.
        off = side * (dx * (by - py[:, None]) - dy * (bx - px[:, None]))
        best = off.argmax(axis=1)
        moved_b = off[row, best] > 0
        b = np.where(moved_b, best, b)
        qx, qy = bx[row, b], by[row, b]
        dx, dy = (qx - px)[:, None], (qy - py)[:, None]
        off = side * (dx * (ay - py[:, None]) - dy * (ax - px[:, None]))
        best = off.argmax(axis=1)
        moved_a = off[row, best] > 0
        a = np.where(moved_a, best, a)
        if not (moved_a.any() or moved_b.any()):
            return np.stack([px, py], axis=1), np.stack([qx, qy], axis=1)
