"""Whatever comes in: valid facts never crash, garbage is refused with a clear message, and every word has its text."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sandtable.games.micro_armour
from sandtable.games.micro_armour.procedures import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures import words as vocabulary
from sandtable.kernel.dice import Seeded
from sandtable.kernel.errors import InputError
from sandtable.kernel.procedures import Facts
from sandtable.kernel.traces import LookUp, Note, Roll

# -- what the inventory promises ----------------------------------------------------------------------------------

TARGET = (
    "target_class! defence! target_moving=False target_terrain=() target_fired=False target_road_rate=False "
    "target_suppressed=False target_disorganised=False "
)
FIRER = (
    "command_level! attacker_tl! attacker_suppressed=False attacker_disorganised=False attacker_support=False ap=None he=None atgm=False "
    "atgm_test_modifier=0 atgm_min_range=0.0 max_range=None distance! aspect=front firer_in_smoke=False over_crest=False "
)
STATE = " suppressed disorganised eliminated"
UNIT = "command_level! tl! support=False suppressed=False disorganised=False "
FIGHTER = "ap=None he=None defence! class! terrain_roll_modifier=0 "

PROMISED: dict[str, tuple[str, str]] = {
    "range_effect": ("tl! distance! atgm=False", "range_inches modifier"),
    "terrain_effect": (
        "target_class! target_terrain=() target_moving=False target_fired=False target_road_rate=False "
        "firer_in_smoke=False over_crest=False",
        "test_modifier roll_modifier",
    ),
    "combat_advantage": (
        "attack_kind=standard target_class! ap=None he=None defence! target_moving=False aspect=front",
        "factor firepower modified_defence advantage",
    ),
    "aa_column_shift": ("aa_tl! air_tl! advantage!", "shift advantage"),
    "movement_allowance": ("movement! tl! artillery=False attempted_fire=False posture=none", "allowance"),
    "movement_cost": ("mobility! legs!", "allowed cost"),
    "fire_eligibility": (
        "phase! tl! artillery=False posture=none moved=False attempted_this_phase=False attempted_second=False",
        "eligible reason",
    ),
    "command_test": ("command_level! suppressed=False disorganised=False other_modifier=0", "die modifier total passed natural"),
    "initiative": ("level_a! level_b!", "total_a total_b winner"),
    "command_effectiveness": ("ghq_alive=True command_value=0 generation=2", "dice_sum modified_roll orders"),
    "movement_test": (
        "command_level! ordered=False recon=False attached_hqs=0 suppressed=False disorganised=False in_wire=False in_minefield=False",
        "die modifier total passed",
    ),
    "random_pick": ("count!", "index"),
    "deviation": (
        "kind! command_level! suppressed=False disorganised=False other_modifier=0",
        "die modifier passed deviated direction bearing distance",
    ),
    "combat_roll": (
        "advantage! roll_modifier=0 attack_kind=standard attacker_tl! attacker_support=False target_class! "
        "target_suppressed=False target_disorganised=False",
        "allowed advantage dice_sum modified_roll result effect" + STATE,
    ),
    "standard_fire": (
        FIRER + TARGET,
        "allowed reason test_die test_modifier test_total passed advantage roll_modifier dice_sum modified_roll result effect" + STATE,
    ),
    "standard_attack": ("target! firers=()", "events events_resolved" + STATE),
    "strike_impact": (
        "attack_kind! attacker_tl! ap=None he=None firer_in_smoke=False over_crest=False " + TARGET,
        "allowed factor modified_defence roll_modifier advantage dice_sum modified_roll result effect" + STATE,
    ),
    "artillery_fire": (
        "mode! mortar=False tl_modifier=0 command_level! attacker_tl! attacker_suppressed=False attacker_disorganised=False ap=None "
        "he=None firer_in_smoke=False over_crest=False " + TARGET,
        "stage test_die test_modifier passed deviation_die deviated direction distance advantage dice_sum modified_roll result effect"
        + STATE,
    ),
    "aa_fire": (
        "command_level! aa_tl! attacker_suppressed=False attacker_disorganised=False he=None max_range=None distance! air_tl! air_defence! "
        "target_class! target_suppressed=False target_disorganised=False",
        "allowed reason test_die test_modifier passed shift advantage dice_sum modified_roll result effect" + STATE,
    ),
    "air_strike": (
        "command_level! attacker_tl! air_suppressed=False air_disorganised=False ap=None he=None " + TARGET,
        "stage mission_die mission_passed deviation_die deviated direction distance advantage dice_sum modified_roll result effect" + STATE,
    ),
    "overrun": ("defender! attackers=()", "defender_tests defender_effects defender attacker_tests attackers"),
    "close_assault": ("defender! attackers=() defender_target=0", "defender_test_passed defender_effect attackers defender"),
    "marker_removal": (
        "command_level! suppressed=False disorganised=False",
        "die modifier recovered regrouped panicked" + STATE,
    ),
    "marker_removal_optional": (
        "command_level! suppressed=False disorganised=False",
        "die modifier recovered regrouped panicked" + STATE,
    ),
}


def described(facts: type[Facts]) -> set[str]:
    found = set()
    for field in msgspec.structs.fields(facts):
        found.add(f"{field.encode_name}!" if field.required else f"{field.encode_name}={field.default}")
    return found


@pytest.mark.parametrize("name", PROMISED)
def test_fields_and_defaults_are_as_promised(name: str) -> None:
    procedure = PROCEDURES[name]
    inputs, outputs = PROMISED[name]
    assert described(procedure.facts) == set(inputs.split())
    assert list(procedure.outcome.__struct_fields__) == outputs.split()


def test_no_procedure_is_missing() -> None:
    assert set(PROCEDURES) == set(PROMISED)
    assert len(PROCEDURES) == 24


def test_fields_inside_lists_are_as_promised() -> None:
    from sandtable.games.micro_armour.procedures import close_assault, movement, overrun, standard_fire, terrain

    assert described(standard_fire.Firer) == set(FIRER.split())
    assert described(terrain.Target) == set(TARGET.split())
    assert described(overrun.OverrunDefender) == set(UNIT.split())
    assert described(overrun.OverrunAttacker) == set((UNIT + "tracked=False apc_with_troops=False").split())
    assert described(close_assault.AssaultDefender) == set((UNIT + FIGHTER + "moving=False").split())
    more = "moving=True defender_aspect=front engineer_or_type_s=False mounted_cavalry=False closed=False declines=False"
    assert described(close_assault.AssaultAttacker) == set((UNIT + FIGHTER + more).split())
    assert described(movement.Leg) == {"terrain!", "inches!", "features=()", "leaves_minefield=False"}


# -- any valid facts ----------------------------------------------------------------------------------------------


def valid(kind: Any) -> st.SearchStrategy[Any]:
    """Plain data for a field, from its type."""
    info = kind if isinstance(kind, msgspec.inspect.Type) else msgspec.inspect.type_info(kind)
    if isinstance(info, msgspec.inspect.Metadata):
        return valid(info.type)
    if isinstance(info, msgspec.inspect.StructType):
        needed = {f.encode_name: valid(f.type) for f in info.fields if f.required}
        optional = {f.encode_name: valid(f.type) for f in info.fields if not f.required}
        return st.fixed_dictionaries(needed, optional=optional)
    if isinstance(info, msgspec.inspect.LiteralType):
        return st.sampled_from(sorted(info.values, key=str))
    if isinstance(info, msgspec.inspect.UnionType):
        return st.one_of([valid(part) for part in info.types])
    if isinstance(info, msgspec.inspect.VarTupleType):
        return st.lists(valid(info.item_type), max_size=4)
    if isinstance(info, msgspec.inspect.IntType):
        least, most = info.ge if info.ge is not None else -1000, info.le if info.le is not None else 1000
        return st.one_of(st.integers(max(least, -6), min(most, 16)), st.integers(least, most))
    if isinstance(info, msgspec.inspect.FloatType):
        return st.one_of(st.integers(0, 60), st.floats(0, 10_000))
    if isinstance(info, msgspec.inspect.BoolType):
        return st.booleans()
    assert isinstance(info, msgspec.inspect.NoneType), info
    return st.none()


TEXT: dict[str, dict[str, str]] = tomllib.loads((files(sandtable.games.micro_armour) / "text" / "procedures.toml").read_text("utf-8"))
RULE = re.compile(r"MA-([A-Z]+|RULING)-\d\d")


@pytest.mark.parametrize("name", sorted(PROMISED))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_valid_facts_never_crash_and_every_trace_entry_has_words_and_a_rule(name: str, data: st.DataObject) -> None:
    procedure = PROCEDURES[name]
    plain = data.draw(valid(procedure.facts))
    dice = Seeded(str(data.draw(st.integers(0, 10**6))))
    try:
        outcome = procedure.run(procedure.read(plain), dice)
    except InputError as refused:
        assert "defender_target" in str(refused)  # the one thing that types alone cannot say
        return
    hash(outcome)
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=procedure.outcome) == outcome
    for entry in dice.trace:
        assert RULE.fullmatch(entry.rule), entry
        if isinstance(entry, Roll):
            assert entry.label in TEXT
            assert all(modifier.label in TEXT and RULE.fullmatch(modifier.rule) for modifier in entry.modifiers)
        elif isinstance(entry, LookUp):
            assert f"chart.{entry.chart}" in TEXT
        else:
            assert isinstance(entry, Note)
            assert entry.message in TEXT
            for language in ("en", "pl", "it"):
                TEXT[entry.message][language].format(**entry.arguments)
    assert [face for entry in dice.trace if isinstance(entry, Roll) for face in entry.faces] == dice.faces


# -- garbage ------------------------------------------------------------------------------------------------------

GARBAGE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["armoured", "standard", "front", "forest"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("name", sorted(PROMISED))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_garbage_is_refused_or_understood_but_never_a_crash(name: str, data: st.DataObject) -> None:
    procedure = PROCEDURES[name]
    fields = [field.encode_name for field in msgspec.structs.fields(procedure.facts)]
    plain = data.draw(st.one_of(GARBAGE, st.dictionaries(st.sampled_from(fields), GARBAGE), valid(procedure.facts)))
    if isinstance(plain, dict) and plain and data.draw(st.booleans()):
        plain[data.draw(st.sampled_from(sorted(plain)))] = data.draw(GARBAGE)
    try:
        procedure.run(procedure.read(plain), Seeded("garbage"))
    except InputError as refused:
        assert str(refused)


@pytest.mark.parametrize(
    ("name", "facts", "message"),
    [
        ("command_test", {}, "missing field `command_level`"),
        ("command_test", {"command_level": 21}, "20"),
        ("command_test", {"command_level": "13"}, "int"),
        ("command_test", {"command_level": 13.5}, "int"),
        ("command_test", {"command_level": True}, "int"),
        ("command_test", {"command_level": 13, "level": 3}, "unknown field `level`"),
        ("range_effect", {"tl": 6, "distance": 3}, "5"),
        ("range_effect", {"tl": 3, "distance": -1}, "0"),
        ("range_effect", {"tl": 3, "distance": float("nan")}, "float"),
        ("range_effect", {"tl": 3, "distance": float("inf")}, "float"),
        ("combat_advantage", {"attack_kind": "overrun", "target_class": "soft", "defence": 3}, "overrun"),
        ("combat_roll", {"advantage": 1, "attacker_tl": 3, "target_class": "tank"}, "tank"),
        ("strike_impact", {"attacker_tl": 3, "target_class": "soft", "defence": 3}, "missing field `attack_kind`"),
        ("movement_cost", {"mobility": "foot"}, "missing field `legs`"),
        ("movement_cost", {"mobility": "foot", "legs": [{"terrain": "wire", "inches": 1}]}, "wire"),
        ("movement_cost", {"mobility": "foot", "legs": [{"terrain": "clear", "inches": 1, "features": ["forest"]}]}, "forest"),
        ("random_pick", {"count": 0}, "1"),
        ("random_pick", {"count": 10**12}, "256"),
        ("overrun", {"defender": {"command_level": 13, "tl": 3}, "attackers": [{"command_level": 13, "tl": 3}] * 13}, "12"),
        ("standard_attack", {"target": {"target_class": "soft", "defence": 1}, "firers": [{}] * 10_000}, "40"),
        ("close_assault", [], "object"),
    ],
)
def test_bad_input_says_what_is_wrong(name: str, facts: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PROCEDURES[name].read(facts)


# -- words --------------------------------------------------------------------------------------------------------


def literals() -> set[str]:
    found: set[str] = set()
    for kind in vars(vocabulary).values():
        if get_origin(kind) is not None or hasattr(kind, "__args__"):
            found |= {word for word in get_args(kind) if isinstance(word, str)}
    return found


def test_every_text_is_there_in_three_languages() -> None:
    for message, texts in TEXT.items():
        assert set(texts) == {"en", "pl", "it"}, message
        assert all(text.strip() for text in texts.values()), message
        braces = [sorted(re.findall(r"\{(\w+)\}", text)) for text in texts.values()]
        assert braces[0] == braces[1] == braces[2], message


def test_every_message_of_the_code_has_its_text() -> None:
    folder = Path(str(files(sandtable.games.micro_armour)))
    used = set()
    for source in folder.glob("procedures/*.py"):
        used |= set(re.findall(r'"((?:note|roll|modifier|reason|terrain)\.[a-z0-9_]+)"', source.read_text("utf-8")))
    assert used
    assert used <= set(TEXT)
    assert {chart.title for chart in CHARTS.values()} <= set(TEXT)
    assert {f"procedure.{name}" for name in PROCEDURES} <= set(TEXT)


def test_every_field_and_word_has_its_text() -> None:
    parts = [part for both in PROMISED.values() for part in both] + [FIRER, TARGET, UNIT, FIGHTER]
    promised = {re.split("[!=]", word)[0] for part in parts for word in part.split()}
    assert {f"field.{field}" for field in promised} <= set(TEXT)
    terrains = set(CHARTS["terrain_fire"].column("modifier"))
    assert {f"terrain.{terrain}" for terrain, _ in terrains} <= set(TEXT)
    assert {f"word.{word}" for word in literals() if f"terrain.{word}" not in TEXT} <= set(TEXT)
    for chart in CHARTS.values():
        assert {f"field.{field}" for field in chart.fields} <= set(TEXT)
        for record in chart:
            for word in record.values():
                assert not isinstance(word, str) or f"word.{word}" in TEXT or f"terrain.{word}" in TEXT, word


def test_every_rule_named_by_a_procedure_is_an_id() -> None:
    for procedure in PROCEDURES.values():
        assert procedure.rules
        assert all(RULE.fullmatch(rule) for rule in procedure.rules)
