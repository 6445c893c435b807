"""Every procedure against its brute-force twin: the exact odds must be those of all faces counted one by one."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.odds import Distribution, distribution, every_face


def keys(procedure: str, outcome: Any) -> Any:
    """An outcome without the fields that only repeat dice."""
    kept = [name for name in outcome.__struct_fields__ if name not in outcome.dice_fields]
    return tuple((name, getattr(outcome, name)) for name in kept)


def foot(name, **given):
    return {"id": name, "kind": "infantry", "save": "infantry", **given}


def tank(name, **given):
    return {"id": name, "kind": "tank", "save": "armoured", "armour": 6, **given}


def roof(name, **given):
    return {"id": name, "save": "armoured", "armour_top": 1, "armour_side": 3, **given}


def side(teams, kind="infantry", **given):
    return {"teams": teams, "kind": kind, "skill": "regular", "motivation": "confident", **given}


TANK_SIDE = {"armour_top": 1, "armour_side": 4, "assault_at": 4}
GUN = {"rof": 1, "anti_tank": 11, "firepower": 3, "distance_in": 10}
MG = {"rof": 1, "anti_tank": 2, "firepower": 6, "distance_in": 20}
SHERMAN = {"skill": "regular", "save": "armoured", "armour": 6, "motivation": "confident"}
SHELLS = {"skill": "regular", "guns": 4, "anti_tank": 4, "firepower": 4, "target_skill": "conscript", "target_motivation": "confident"}
BOMBS = {"weapon_class": "bomb", "to_hit": 4, "anti_tank": 5, "firepower": 3, "target_skill": "conscript", "target_motivation": "confident"}

CASES: dict[str, list[dict[str, Any]]] = {
    "score_test": [{"needed": n, "reroll": r} for n in (0, 2, 4, 6, 7) for r in ("none", "failed", "passed")],
    "skill_test": [{"skill": "veteran"}, {"skill": "conscript", "modifier": 1, "reroll": "failed"}, {"skill": "conscript", "modifier": 2}],
    "motivation_test": [{"motivation": "reluctant"}, {"motivation": "confident", "commander_joined": True}],
    "firepower_test": [{"firepower": 1}, {"firepower": 5, "reroll_passed": True}, {"firepower": 6}],
    "movement_allowance": [{"mobility": "jeep", "terrain": ["road"], "towing_gun": True}],
    "move_along": [{"mobility": "wheeled", "segments": [{"terrain": "road", "inches": 3}, {"terrain": "difficult", "inches": 3}]}],
    "bogging_check": [
        {"mobility": "wheeled", "terrain": "difficult"},
        {"mobility": "tracked", "terrain": "very_difficult", "skill": "conscript"},
        {"mobility": "infantry", "terrain": "difficult"},
    ],
    "free_bogged": [{"skill": "regular"}],
    "recovery_tow": [
        {"recovery_vehicle": True, "terrain": "difficult"},
        {"recovery_vehicle": False, "terrain": "difficult", "skill": "veteran"},
        {"recovery_vehicle": False, "terrain": "road", "skill": "veteran"},
    ],
    "in_command": [{"skill": "regular", "leader": "a", "teams": [{"id": "a", "x": 0, "y": 0}, {"id": "b", "x": 3, "y": 0}]}],
    "dig_in": [{"skill": "conscript"}],
    "concealment": [{"kind": "infantry"}],
    "bulletproof_cover": [{"dug_in": True}],
    "shot_dice": [{"rof": 3}],
    "to_hit_score": [{"target_skill": "veteran", "distance_in": 20}],
    "roll_to_hit": [{"dice": 4, "needed": 3}, {"dice": 3, "needed": 7}, {"dice": 3, "needed": 1}, {"dice": 0, "needed": 3}],
    "tank_type_choice": [{"hits": 3}],
    "allocate_hits": [{"hits": [{"anti_tank": 3, "firepower": 4}], "targets": [{"id": "a", "kind": "tank", "armour": 3}]}],
    "armour_save": [
        {"armour": 6, "anti_tank": 10, "firepower": 3},
        {"armour": 6, "anti_tank": 10, "firepower": 1, "long_range": True},
        {"armour": 4, "anti_tank": 7, "firepower": 4, "bailed_out": True, "motivation": "confident", "commander_joined": True},
        {"armour": 4, "anti_tank": 7, "firepower": 4, "bogged": True, "motivation": "reluctant"},
        {"armour": 9, "anti_tank": 7, "firepower": 4},
        {"armour": 0, "anti_tank": 7, "firepower": 4},
    ],
    "team_save": [
        {"target": "infantry", "bulletproof": True, "firepower": 4},
        {"target": "gun"},
        {"target": "cavalry", "bulletproof": True},
    ],
    "passenger_save": [{"passengers": 2, "destroyed_results": 2}, {"passengers": 3}, {"passengers": 2, "can_dismount": False}],
    "tank_rider_save": [{"riders": 2, "hits": 2}, {"riders": 3}],
    "warrior_save": [{"form": "tank"}, {"form": "transported", "replacement_in_command": False}, {"form": "infantry"}],
    "pinning_check": [{"attack": "direct", "hits": 5}],
    "direct_shot": [
        {"shooter": {"rof": 2, "anti_tank": 11, "firepower": 3}, "target": SHERMAN | {"skill": "veteran"}, "distance_in": 10},
        {"shooter": {"rof": 2, "anti_tank": 9, "firepower": 1}, "target": SHERMAN | {"bailed_out": True}, "distance_in": 20},
        {
            "shooter": {"rof": 2, "anti_tank": 2, "firepower": 5},
            "target": {"skill": "regular", "save": "gun", "bulletproof": True},
            "distance_in": 1,
        },
        {"shooter": {"rof": 3, "anti_tank": 2, "firepower": 5}, "target": {"skill": "regular", "save": "infantry"}, "distance_in": 1},
    ],
    "platoon_fire": [
        {"shooters": [GUN, GUN], "targets": [tank("a"), tank("b")], "target_skill": "regular"},
        {"shooters": [MG, GUN], "targets": [foot("a"), tank("b")], "target_skill": "regular"},
        {"shooters": [GUN, MG], "targets": [foot("a", bulletproof=True), foot("b")], "target_skill": "veteran"},
        {"shooters": [GUN], "targets": [tank("a", bailed_out=True)], "target_skill": "conscript", "target_motivation": "fearless"},
        # the same two weapons alternating, one of them saved against by nobody: their hits may be counted together
        {"shooters": [MG | {"distance_in": 5}, GUN, MG | {"distance_in": 5}], "targets": [foot("a"), foot("b")], "target_skill": "veteran"},
        {"shooters": [GUN | {"firepower": 1}, MG, GUN | {"firepower": 1}], "targets": [foot("a"), foot("b")], "target_skill": "veteran"},
    ],
    "rally_platoon": [{"motivation": "confident", "commander_joined": True}],
    "recover_crew": [{"motivation": "reluctant"}],
    "platoon_morale": [
        {"motivation": "confident", "destroyed_teams": 3, "able_teams": 2, "commander_joined": True},
        {"destroyed_teams": 1, "able_teams": 2},
    ],
    "company_morale": [{"motivation": "fearless", "platoons_destroyed": 3, "platoons_ready": 2}],
    "range_in": [
        {"target_skill": "regular", "concealed": True},
        {"target_skill": "veteran", "repeat_salvo": True},
        {"target_skill": "veteran", "concealed": True, "gone_to_ground": True, "company_commander_spotting": True},
    ],
    "template_hits": [
        {"skill": "regular", "guns": 6, "failed_attempts": 1, "targets": 2},
        {"skill": "veteran", "guns": 1, "failed_attempts": 0, "targets": 2},
        {"skill": "conscript", "guns": 1, "failed_attempts": 2, "targets": 2},
        {"skill": "regular", "guns": 4, "failed_attempts": 0, "targets": 4},
    ],
    "template_allocation": [{"hits": 1, "teams": [{"id": "a", "dug_in": True}, {"id": "b"}]}],
    "bombardment": [
        SHELLS | {"teams": [{"id": "a", "save": "infantry", "dug_in": True}]},
        SHELLS | {"repeat_salvo": True, "teams": [{"id": "a", "save": "armoured", "armour_top": 1, "bailed_out": True}]},
        SHELLS | {"repeat_salvo": True, "guns": 2, "teams": [{"id": "a", "save": "gun"}, {"id": "b", "save": "infantry"}]},
        SHELLS
        | {"repeat_salvo": True, "teams": [{"id": "a", "save": "armoured", "armour_top": 1}, {"id": "b", "save": "gun", "towed": True}]},
    ],
    "smoke_bombardment": [
        {"guns": 3, "target_skill": "regular"},
        {"guns": 2, "target_skill": "veteran"},
        {"guns": 1, "target_skill": "regular"},
    ],
    "air_call": [{"pool": 4}, {"pool": 0}],
    "interception": [{"pool": 2}, {"pool": 0}],
    "aircraft_count": [{}],
    "air_sortie": [{"pool": 2, "enemy_pool": 1}, {"pool": 1, "enemy_pool": 1, "intercept": False}],
    "aa_fire": [
        {"skill": "regular", "rof": 3, "firepower": 5, "aircraft": 2},
        {"skill": "veteran", "rof": 2, "firepower": 3, "aircraft": 1, "flying_tank": True},
        {"skill": "veteran", "rof": 2, "firepower": 1, "aircraft": 2, "flying_tank": True},
    ],
    "air_hits": [
        {"to_hit": 3, "aircraft": 1, "failed_attempts": 1, "targets": 2},
        {"to_hit": 3, "aircraft": 3, "failed_attempts": 0, "targets": 2},
        {"to_hit": 3, "aircraft": 2, "failed_attempts": 0, "targets": 4},
    ],
    "air_attack": [
        BOMBS | {"aircraft": 2, "teams": [{"id": "a", "save": "infantry", "dug_in": True}]},
        BOMBS | {"aircraft": 2, "weapon_class": "cannon", "teams": [roof("a")]},
        BOMBS | {"aircraft": 0, "teams": [roof("a")]},
    ],
    "eyes_and_ears": [{"distance_in": 10}],
    "disengage": [{"skill": "veteran", "attack": "shooting"}, {"attack": "air"}],
    "forced_disengage": [{"motivation": "confident", "failed_saves": 1, "commander_joined": True}],
    "assault_declare": [
        {"kind": "infantry", "distance_in": 3, "target_is_tanks": True, "motivation": "confident"},
        {"kind": "gun", "distance_in": 3},
    ],
    "assault_strike": [
        {"teams": 4, "skill": "regular", "target_teams": 2},
        {"teams": 3, "skill": "regular", "target_teams": 2, "target_armoured": True, "armour_top": 1, "assault_at": 4},
        {"teams": 3, "skill": "veteran", "target_teams": 1, "target_armoured": True, "armour_top": 0, "assault_at": 3},
        {"teams": 3, "skill": "veteran", "target_teams": 0, "target_armoured": True, "armour_top": 0, "assault_at": 3},
    ],
    "assault_reaction": [
        {"hits_taken": 1, "motivation": "confident", "commander_joined": True},
        {"hits_taken": 0, "motivation": "confident"},
    ],
    "break_off": [{"distances_after": [3, 4, 5]}],
    "assault": [
        {"attacker": side(2), "defender": side(1), "max_strikes": 2},
        {
            "attacker": side(1),
            "defender": side(1),
            "defensive_fire": {"shots": 2, "needed": 4, "anti_tank": 2, "firepower": 6},
            "max_strikes": 1,
        },
        {"attacker": side(1, assault_at=3), "defender": side(2, "tank", **TANK_SIDE), "max_strikes": 1},
        {
            "attacker": side(1, "tank", **TANK_SIDE),
            "defender": side(1),
            "defensive_fire": {"shots": 1, "needed": 3, "anti_tank": 7, "firepower": 4},
            "max_strikes": 1,
        },
        {"attacker": side(2, "tank", **TANK_SIDE), "defender": side(1, "gun"), "max_strikes": 3},
        {"attacker": side(1), "defender": side(1, "tank", **TANK_SIDE), "max_strikes": 2, "attacker_reply": "break_off"},
    ],
}


@cache
def brute_force(name: str, number: int) -> Distribution:
    """Every face, one by one; kept, since it is what takes the time."""
    known = PROCEDURES[name]
    return every_face(
        known.run, known.read(CASES[name][number]), project=lambda outcome: msgspec.structs.replace(outcome, **without_dice(outcome))
    )


def without_dice(outcome: Any) -> dict[str, Any]:
    return {field: None for field in outcome.dice_fields if hasattr(outcome, field)}


def test_no_procedure_is_left_out():
    assert set(CASES) == set(PROCEDURES) and len(PROCEDURES) == 50


@pytest.mark.parametrize(("name", "number"), [(name, n) for name, cases in CASES.items() for n in range(len(cases))])
def test_exact_odds_are_those_of_all_faces(name, number):
    known = PROCEDURES[name]
    facts = known.read(CASES[name][number])
    exact = distribution(known.run, facts, project=lambda outcome: keys(name, outcome))
    brute = brute_force(name, number).map(lambda outcome: keys(name, outcome))
    assert dict(exact.items()) == dict(brute.items())
    assert sum(exact.ways.values()) == exact.total


FIELDS = {
    "platoon_fire": [("destroyed", "bailed_out", "pinned"), ("states",), ("hits",), ("allocation",), ("destroyed",)],
    "direct_shot": [("final_state",), ("hits", "final_state"), ("hit_results",)],
    "bombardment": [("destroyed", "bailed_out"), ("states",), ("pinned",), ("attempt", "hits")],
    "air_attack": [("destroyed", "bailed_out"), ("states",), ("pinned",)],
    "template_hits": [("hits",), ("target_hits",)],
    "air_hits": [("hits",), ("target_hits",)],
    "assault": [
        ("outcome",),
        ("outcome", "attacker_destroyed"),
        ("attacker_bailed_out", "defender_bailed_out"),
        ("attacker_hits_taken",),
        ("defender_hits_taken", "strikes"),
        ("attacker_pinned", "defender_pinned"),
        ("defender_destroyed", "outcome"),
    ],
    "aa_fire": [("aircraft_left",)],
}


@pytest.mark.parametrize(("name", "number"), [(name, n) for name in FIELDS for n in range(len(CASES[name]))])
def test_odds_of_some_fields_are_the_same_merged(name, number):
    known = PROCEDURES[name]
    facts = known.read(CASES[name][number])
    whole = brute_force(name, number)
    for fields in FIELDS[name]:
        some = distribution(known.run, facts, fields=fields)
        merged = whole.map(lambda outcome, fields=fields: tuple(getattr(outcome, field) for field in fields))
        assert dict(some.items()) == dict(merged.items()), fields


SHOOTERS = [{"rof": 2, "anti_tank": 10 + n % 2, "firepower": 3 + n % 3 // 2, "distance_in": 12 + 3 * n} for n in range(5)]


def test_counting_hits_of_the_same_weapon_together_changes_no_odds():
    """Too many dice for the twin: the odds of all fields, where every hit keeps its number, are the judge."""
    known = PROCEDURES["platoon_fire"]
    targets = [tank("a", armour=4), tank("b", bailed_out=True), foot("c", bulletproof=True), foot("d")]
    facts = known.read({"shooters": SHOOTERS, "targets": targets, "target_skill": "regular", "target_motivation": "confident"})
    fields = ("hits", "states", "destroyed", "bailed_out", "pinned")
    numbered = distribution(known.run, facts, fields=(*fields, "allocation")).map(lambda value: value[: len(fields)])
    merged = distribution(known.run, facts, fields=fields)
    assert dict(merged.items()) == dict(numbered.items())
