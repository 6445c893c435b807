"""Messages: ids with arguments, in three languages, whatever they hold."""

from __future__ import annotations

from string import Formatter

import pytest

from sandtable.kernel.messages import LANGUAGES, Catalogue, load_catalogue, say

TEXTS = Catalogue(
    {
        "moved": {"en": "{piece} moves {far} in.", "pl": "{piece} rusza {far} cali."},
        "word.tank": {"en": "tank", "pl": "czołg", "it": "carro"},
        "list": {"en": "hit: {all}"},
        "why": {"en": "because {reason}"},
    }
)


def test_arguments_are_put_in_words_translated_and_numbers_shortened() -> None:
    assert TEXTS.text(say("moved", piece="tank", far=6.0), "pl") == "czołg rusza 6 cali."
    assert TEXTS.text(say("moved", piece="tank", far=6.25), "en") == "tank moves 6.2 in."
    assert TEXTS.text(say("list", all=["tank", "gun"])) == "hit: tank, gun"
    assert TEXTS.text(say("why", reason=say("moved", piece="x", far=1))) == "because x moves 1 in."
    assert TEXTS.text(say("why", reason={"id": "moved", "arguments": {"piece": "x", "far": 1}})) == "because x moves 1 in."


def test_ids_of_a_battle_are_shown_by_their_names_and_the_names_translated() -> None:
    named = TEXTS.naming({"a1": "tank", "a2": "Grandmother"})
    assert named.text(say("moved", piece="a1", far=1), "pl") == "czołg rusza 1 cali."
    assert named.text(say("moved", piece="a2", far=1), "pl") == "Grandmother rusza 1 cali."


def test_a_language_that_is_missing_falls_back_to_english_and_a_missing_text_to_its_id() -> None:
    assert TEXTS.text(say("moved", piece="tank", far=1), "it") == "carro moves 1 in."
    assert TEXTS.text(say("nowhere", n=3)) == "nowhere (n 3)"
    assert TEXTS.text("nowhere") == "nowhere"


def test_a_missing_argument_is_shown_not_stumbled_over() -> None:
    assert "{piece} moves" in TEXTS.text(say("moved"))


@pytest.mark.parametrize("package", ["sandtable.kernel", "sandtable.text_table"])
def test_every_text_is_there_in_three_languages_with_the_same_arguments(package: str) -> None:
    texts = load_catalogue(package).texts
    assert texts
    for id, entry in texts.items():
        assert set(entry) == set(LANGUAGES), id
        holes = {language: {name for _, name, _, _ in Formatter().parse(text) if name} for language, text in entry.items()}
        assert holes["en"] == holes["pl"] == holes["it"], id
