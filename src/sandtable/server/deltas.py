"""The difference between two scenes: what a client needs to draw the second, when it has the first."""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import Any

import msgspec
from msgspec.structs import astuple

from sandtable.kernel.scene import Scene
from sandtable.server.protocol import SceneChange, Things

_LISTS = ("ground", "figures", "marks", "groups")
_REST = ("turn", "phase", "active", "lines", "phases")


def difference(old: Scene, new: Scene) -> SceneChange | None:
    """What has changed, or None."""
    if old is new:
        return None
    if (old.unit, old.width, old.height) != (new.unit, new.width, new.height):
        return SceneChange(whole=new)
    changed: dict[str, Any] = {}
    if old.turn != new.turn:
        changed["turn"] = new.turn
    if old.active != new.active:
        changed["active"] = new.active
    if old.phase is not new.phase and old.phase != new.phase:
        changed["phase"] = new.phase
    if old.lines is not new.lines and old.lines != new.lines:
        changed["lines"] = new.lines
    if old.phases is not new.phases and old.phases != new.phases:
        changed["phases"] = new.phases
    if old.figures is not new.figures and (figures := _things(old.figures, new.figures)) is not None:
        changed["figures"] = figures
    if old.marks is not new.marks and (marks := _things(old.marks, new.marks)) is not None:
        changed["marks"] = marks
    if old.groups is not new.groups and (groups := _things(old.groups, new.groups)) is not None:
        changed["groups"] = groups
    if old.ground is not new.ground and (ground := _things(old.ground, new.ground)) is not None:
        changed["ground"] = ground
    return SceneChange(**changed) if changed else None


def _things(old: tuple[Any, ...], new: tuple[Any, ...]) -> Things | None:
    if len(old) == len(new):
        places = compress(range(len(new)), map(is_not, old, new))
        pairs = [(old[place], new[place]) for place in places if old[place] != new[place]]
        if not pairs:
            return None
        if all(one.id == two.id for one, two in pairs):
            return Things(tuple([_patch(one, two) for one, two in pairs]))
    before = {thing.id: thing for thing in old}
    after = {thing.id: thing for thing in new}
    if len(before) != len(old) or len(after) != len(new):
        raise ValueError("two things of a scene have the same id")
    put = [thing if id not in before else _patch(before[id], thing) for id, thing in after.items() if before.get(id) != thing]
    gone = tuple(id for id in before if id not in after)
    expected = [id for id in before if id in after] + [id for id in after if id not in before]
    order = () if expected == list(after) else tuple(after)
    return Things(tuple(put), gone, order)


def _patch(old: Any, new: Any) -> dict[str, Any]:
    """A thing's id and the fields that changed, defaults included."""
    patch: dict[str, Any] = {"id": new.id}
    before, after = astuple(old), astuple(new)
    for field, was, now in compress(zip(new.__struct_fields__, before, after, strict=True), map(is_not, before, after)):
        if was != now:
            patch[field] = now
    return patch


def apply(scene: Any, change: Any) -> Any:
    """The scene after a change, both as plain data: what every client does. Here for tests and as the description of it."""
    if change is None:
        return scene
    if change.get("whole") is not None:
        return change["whole"]
    after = dict(scene)
    for field in _REST:
        if change.get(field) is not None:
            after[field] = change[field]
    for field in _LISTS:
        if change.get(field) is None:
            continue
        gone = set(change[field].get("gone", ()))
        things = {thing["id"]: thing for thing in scene.get(field, ()) if thing["id"] not in gone}
        for patch in change[field].get("put", ()):
            things[patch["id"]] = {**things.get(patch["id"], {}), **patch}
        order = change[field].get("order") or list(things)
        after[field] = [things[id] for id in order]
    return after


def plain(scene: Scene) -> Any:
    """A scene as plain data with nothing left out, to compare scenes by."""

    def whole(value: Any) -> Any:
        if isinstance(value, msgspec.Struct):
            return {field: whole(getattr(value, field)) for field in value.__struct_fields__}
        if isinstance(value, list | tuple):
            return [whole(item) for item in value]
        return {name: whole(item) for name, item in value.items()} if isinstance(value, dict) else value

    return whole(scene)
