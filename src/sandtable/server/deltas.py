"""The difference between two scenes: what a client needs to draw the second, when it has the first."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from sandtable.kernel.scene import Scene
from sandtable.server.protocol import SceneChange, Things

_LISTS = ("ground", "figures", "marks", "groups")
_REST = ("turn", "phase", "active", "lines", "phases")
_TABLE = ("unit", "width", "height")


def difference(old: Scene, new: Scene) -> SceneChange | None:
    """What has changed, or None."""
    if old is new:
        return None
    if any(getattr(old, field) != getattr(new, field) for field in _TABLE):
        return SceneChange(whole=new)
    changed: dict[str, Any] = {}
    for field in _REST:
        was, now = getattr(old, field), getattr(new, field)
        if was is not now and was != now:
            changed[field] = now
    for field in _LISTS:
        was, now = getattr(old, field), getattr(new, field)
        if was is not now and (things := _things(was, now)) is not None:
            changed[field] = things
    return SceneChange(**changed) if changed else None


def _things(old: tuple[Any, ...], new: tuple[Any, ...]) -> Things | None:
    if len(old) == len(new):
        pairs = [(one, two) for one, two in zip(old, new, strict=True) if one is not two and one != two]
        if not pairs:
            return None
        if all(one.id == two.id for one, two in pairs):
            return Things(tuple(_patch(one, two) for one, two in pairs))
    before = {thing.id: thing for thing in old}
    after = {thing.id: thing for thing in new}
    if len(before) != len(old) or len(after) != len(new):
        raise ValueError("two things of a scene have the same id")
    put = [thing if id not in before else _patch(before[id], thing) for id, thing in after.items() if before.get(id) != thing]
    gone = tuple(id for id in before if id not in after)
    expected = [id for id in before if id in after] + [id for id in after if id not in before]
    order = () if expected == list(after) else tuple(after)
    return Things(tuple(put), gone, order)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field for field in kind.__struct_fields__ if field != "id")


def _patch(old: Any, new: Any) -> dict[str, Any]:
    """A thing's id and the fields that changed, defaults included."""
    patch: dict[str, Any] = {"id": new.id}
    for field in _fields(new.__class__):
        now = getattr(new, field)
        if getattr(old, field) != now:
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
