"""The table drawn in characters."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.messages import Catalogue, say
from sandtable.kernel.scene import Ground, Scene
from sandtable.text_table.places import GRID, inside, to_segment

MARKS = {"road": "=", "line": "-", "hill": ".", "building": "#", "area": ":"}
"""How a piece of terrain is drawn that brings no letter of its own."""


def draw(scene: Scene, texts: Catalogue, language: str, columns: int = 76) -> Iterator[str]:
    """The map, north at the top, with its scale along two edges, and a legend."""
    across = max(GRID // 2, -(-scene.width // columns // (GRID // 2)) * (GRID // 2))  # half units, so that scales are round
    down = 2 * across  # letters are about twice as high as wide
    wide, high = -(-scene.width // across), -(-scene.height // down)
    letters = [[" "] * wide for _ in range(high)]
    for ground in sorted(scene.ground, key=lambda ground: _order(ground)):
        letter = ground.letter or MARKS.get(ground.form, ":")
        for row in range(high):
            for column in range(wide):
                if _covers(ground, ((column + 0.5) * across, (row + 0.5) * down), across):
                    letters[row][column] = letter
    for mark in scene.marks:
        x, y = sum(x for x, _ in mark.shape) / len(mark.shape), sum(y for _, y in mark.shape) / len(mark.shape)
        _put(letters, int(x // across), int(y // down), mark.letter or "*")
    filled: dict[tuple[int, int], int] = {}
    for figure in scene.figures:
        if figure.carried_by:
            continue
        place = (int(figure.x // across), int(figure.y // down))
        filled[place] = filled.get(place, 0) + 1
        letter = figure.letter.upper() if figure.side == "a" else figure.letter.lower()
        _put(letters, *place, letter if filled[place] == 1 else "+")
    step = 10
    scale = "".join(f"{column * across // GRID:<{step}}" for column in range(0, wide, step))
    yield f"      {scale}".rstrip()
    for row in range(high - 1, -1, -1):
        yield f"{row * down // GRID:>4} |{''.join(letters[row])}|"
    yield texts.text(say("table.legend", across=across / GRID, down=down / GRID, unit=scene.unit), language)
    named: dict[str, str] = {}
    for ground in scene.ground:
        named.setdefault(f"{ground.letter or MARKS.get(ground.form, ':')} {texts.text(ground.name, language)}", "")
    for mark in scene.marks:
        named.setdefault(f"{mark.letter or '*'} {texts.text(mark.name, language)}", "")
    for figure in scene.figures:
        named.setdefault(f"{figure.letter} {texts.word(figure.symbol, language)}", "")
    yield ", ".join(named)


def _order(ground: Ground) -> int:
    return {"hill": 0, "area": 1, "road": 2, "line": 3, "building": 4}.get(ground.form, 1)


def _covers(ground: Ground, at: tuple[float, float], across: int) -> bool:
    if ground.form in ("line", "road"):
        near = max(ground.width / 2, across * 0.75)
        return any(to_segment(at, start, end) <= near for start, end in zip(ground.shape, ground.shape[1:], strict=False))
    return inside(at, ground.shape)


def _put(letters: list[list[str]], column: int, row: int, letter: str) -> None:
    if letters and 0 <= row <= len(letters) and 0 <= column <= len(letters[0]):
        letters[min(row, len(letters) - 1)][min(column, len(letters[0]) - 1)] = (letter or "?")[0]
