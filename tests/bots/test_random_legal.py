"""The player who picks at random: always legal, never the same, and not by the default that a good player would take."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from sandtable.bots.random_legal import RandomLegal, legal
from sandtable.kernel.decisions import Option, PickPlaces, PickSeveral, Placing
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.messages import say


class Plain:
    """A game that is a table of 20 by 10 and nothing else."""

    def scene(self, battle: Any) -> Any:
        return SimpleNamespace(width=20_000, height=10_000, figures=())


def test_pieces_are_put_all_over_their_zone() -> None:
    """The default stands in a row at the front of the zone, the left half of the table."""
    row = {f"p{n}": {"x": 10_000, "y": 2_000 * n, "facing": 90} for n in range(1, 5)}
    request = PickPlaces(player="a", decision="d", prompt=say("p"), pieces=tuple(row), default=row)

    def in_the_zone(places: dict[str, Placing]) -> None:
        if any(place.x > 10_000 for place in places.values()):
            raise RefusedError("d", "outside")

    found = [RandomLegal(Plain(), "a", seed).answer(None, request, in_the_zone) for seed in range(20)]
    assert all(legal(request, in_the_zone, places) for places in found)
    moved = [place["x"] for places in found for place in places.values() if place["x"] != 10_000]
    assert len(moved) > 70, "24 tries for half of the table: hardly a piece of 80 stays in the row"
    assert min(moved) < 1_000 and max(moved) > 9_000
    assert found[3] == RandomLegal(Plain(), "a", 3).answer(None, request, in_the_zone)


def test_options_that_exclude_each_other_are_put_together_one_by_one() -> None:
    """Six units with two weapons each, of which only one may fire: a blind draw of six or more is nearly never legal."""
    ids = [f"u{n}:{weapon}" for n in range(6) for weapon in ("gun", "missile")]
    guns = [id for id in ids if id.endswith("gun")]
    options = tuple(Option(id, say(id)) for id in ids)
    request = PickSeveral(player="a", decision="d", prompt=say("p"), options=options, least=3, default=guns)

    def one_weapon_each(chosen: tuple[str, ...]) -> None:
        if len({id[:2] for id in chosen}) != len(chosen):
            raise RefusedError("d", "twice")

    found = [RandomLegal(Plain(), "a", seed).answer(None, request, one_weapon_each) for seed in range(60)]
    assert all(legal(request, one_weapon_each, chosen) for chosen in found)
    assert sum(chosen == guns for chosen in found) == 0
    assert {len(chosen) for chosen in found} >= {3, 4, 5, 6}
