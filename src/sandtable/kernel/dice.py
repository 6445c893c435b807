"""One rules code, many dice.

A procedure asks a `Dice` for chances in the words of the rulebook ("a test on 4 or more", "the sum of two dice on a
chart", "eight dice, how many hit?") and never for more than it needs. The same code then runs with seeded dice
(play), typed dice (companion), scripted dice (tests, replays) and enumerated dice (exact odds, `sandtable.odds`):
a test against 9 on a d20 is twenty faces to a person, and two weighted branches to the odds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, Protocol, TypeVar

from sandtable.kernel.errors import DiceError
from sandtable.kernel.traces import LookUp, Note, Roll, Score, TraceEntry

Reroll = Literal["none", "failed", "passed"]
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


class Pool(Protocol):
    """Dice that passed a test together. `count` is how many; `then` rolls those on against the next test."""

    @property
    def count(self) -> int: ...

    def then(
        self, label: str, sides: int = 6, *, at_least: int | Score | None = None, at_most: int | Score | None = None, rule: str = ""
    ) -> Pool: ...


class Dice:
    """What a procedure may ask. `exact` dice branch over every result; all others roll one."""

    trace: list[TraceEntry]
    tracing: bool = True
    last: int | None = None
    """The face (or sum) of the latest roll. None with exact dice: nothing that a player acts on may depend on it."""

    # -- chances --------------------------------------------------------------------------------------------------

    def roll(self, sides: int, label: str, *, rule: str = "") -> int:
        """One die, its face."""
        raise NotImplementedError

    def total(self, number: int, sides: int, label: str, *, modifier: int | Score = 0, rule: str = "") -> int:
        """The sum of several dice plus a modifier."""
        raise NotImplementedError

    def test(
        self,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> bool:
        """One die against a score. A re-rolled die is read right after the one it replaces; the second result stands."""
        raise NotImplementedError

    def tests(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> tuple[bool, ...]:
        """The same test several times, each result in its place. Use `count` where only the number matters."""
        raise NotImplementedError

    def count(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> int:
        """How many of several dice pass: a single chance node however many dice there are."""
        raise NotImplementedError

    def pool(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        rule: str = "",
    ) -> Pool:
        """Several dice whose successes roll on (`pool.then`), stage by stage, as the rules say it."""
        raise NotImplementedError

    def band(self, label: str, sides: int, uppers: Sequence[int], *, number: int = 1, modifier: int | Score = 0, rule: str = "") -> int:
        """In which band the (modified) roll falls: 0 if it is at most `uppers[0]`, 1 if at most `uppers[1]`, and so on."""
        raise NotImplementedError

    def read(self, label: str, sides: int, chart: Callable[[int], H], *, number: int = 1, modifier: int | Score = 0, rule: str = "") -> H:
        """The (modified) sum read on a chart: equal entries are one branch."""
        raise NotImplementedError

    # -- structure ------------------------------------------------------------------------------------------------

    def stage(self, step: Callable[..., H], *facts: Hashable) -> H:
        """`step(dice, *facts)` as one chance: exact dice merge its equal results before going on."""
        raise NotImplementedError

    def fold(self, step: Callable[[Dice, H, Any], H], state: H, items: Iterable[Hashable]) -> H:
        """`state = step(dice, state, item)` for every item; exact dice merge equal states between the items."""
        raise NotImplementedError

    def until(self, attempt: Callable[[Dice], H | None]) -> H:
        """Roll again while `attempt` gives None. Exact dice close the loop: the tries that give None drop out."""
        raise NotImplementedError

    # -- record ---------------------------------------------------------------------------------------------------

    def mark(self) -> int:
        """A place in the list of dice, for `since`."""
        return 0

    def since(self, mark: int) -> tuple[int, ...]:
        """The faces rolled since the mark; empty with exact dice."""
        return ()

    def wants(self, field: str) -> bool:
        """Whether anybody asked for that output. Exact odds of other fields may skip keeping it apart."""
        return True

    def note(self, message: str, rule: str = "", **arguments: Any) -> None:
        """A ruling applied without dice."""

    def looked_up(self, chart: str, keys: dict[str, Any], value: Any, rule: str = "") -> None:
        """A chart read without dice."""


def bounds(sides: int, at_least: int | Score | None, at_most: int | Score | None) -> tuple[int, int]:
    """The lowest and highest face that passes."""
    low = 1 if at_least is None else at_least if isinstance(at_least, int) else at_least.needed
    high = sides if at_most is None else at_most if isinstance(at_most, int) else at_most.needed
    return low, high


def amount(modifier: int | Score) -> int:
    return modifier if isinstance(modifier, int) else modifier.needed


class FaceDice(Dice):
    """Dice that show faces, one at a time, and keep the record of them. Subclasses say where a face comes from."""

    def __init__(self, *, tracing: bool = True) -> None:
        self.trace = []
        self.tracing = tracing
        self.faces: list[int] = []

    def face(self, sides: int, label: str) -> int:
        raise NotImplementedError

    def _throw(self, number: int, sides: int, label: str) -> list[int]:
        """Several dice, one after the other, onto the record."""
        mark = len(self.faces)
        for _ in range(number):
            self.faces.append(self.face(sides, label))
        return self.faces[mark:]

    def roll(self, sides: int, label: str, *, rule: str = "") -> int:
        face = self.face(sides, label)
        self.faces.append(face)
        self.last = face
        if self.tracing:
            self.trace.append(Roll(label, sides, (face,), "", face, (), rule))
        return face

    def total(self, number: int, sides: int, label: str, *, modifier: int | Score = 0, rule: str = "") -> int:
        faces = self._throw(number, sides, label)
        self.last = plain = sum(faces)
        result = plain + amount(modifier)
        if self.tracing:
            self.trace.append(Roll(label, sides, tuple(faces), "", result, _parts(modifier), rule))
        return result

    def test(
        self,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> bool:
        low, high = bounds(sides, at_least, at_most)
        face = self.face(sides, label)
        faces = self.faces
        faces.append(face)
        passed = low <= face <= high
        again = reroll != "none" and passed == (reroll == "passed")
        if again:
            face = self.face(sides, label)
            faces.append(face)
            passed = low <= face <= high
        self.last = face
        if self.tracing:
            self.trace.append(
                Roll(
                    label,
                    sides,
                    (faces[-2], face) if again else (face,),
                    _needed(at_least, at_most),
                    passed,
                    _parts_of(at_least, at_most),
                    rule,
                )
            )
        return passed

    def tests(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> tuple[bool, ...]:
        low, high = bounds(sides, at_least, at_most)
        if reroll == "none":
            faces = self._throw(number, sides, label)
            results = tuple([low <= face <= high for face in faces])
        else:
            faces, results = self._throw_twice(number, sides, label, low, high, reroll == "passed")
        if faces and self.tracing:
            self.trace.append(
                Roll(label, sides, tuple(faces), _needed(at_least, at_most), results.count(True), _parts_of(at_least, at_most), rule)
            )
        return results

    def _throw_twice(self, number: int, sides: int, label: str, low: int, high: int, again: bool) -> tuple[list[int], tuple[bool, ...]]:
        """Several dice, each thrown once more, before the next, if its first result is `again`."""
        mark, results = len(self.faces), []
        for _ in range(number):
            for _turn in (1, 2):
                face = self.face(sides, label)
                self.faces.append(face)
                passed = low <= face <= high
                if passed != again:
                    break
            results.append(passed)
        return self.faces[mark:], tuple(results)

    def count(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> int:
        return self.tests(number, label, sides, at_least=at_least, at_most=at_most, reroll=reroll, rule=rule).count(True)

    def pool(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        rule: str = "",
    ) -> Pool:
        return _RolledPool(self, self.count(number, label, sides, at_least=at_least, at_most=at_most, rule=rule))

    def band(self, label: str, sides: int, uppers: Sequence[int], *, number: int = 1, modifier: int | Score = 0, rule: str = "") -> int:
        value = self.total(number, sides, label, modifier=modifier, rule=rule)
        for index, upper in enumerate(uppers):
            if value <= upper:
                return index
        return len(uppers)

    def read(self, label: str, sides: int, chart: Callable[[int], H], *, number: int = 1, modifier: int | Score = 0, rule: str = "") -> H:
        return chart(self.total(number, sides, label, modifier=modifier, rule=rule))

    def stage(self, step: Callable[..., H], *facts: Hashable) -> H:
        return step(self, *facts)

    def fold(self, step: Callable[[Dice, H, Any], H], state: H, items: Iterable[Hashable]) -> H:
        for item in items:
            state = step(self, state, item)
        return state

    def until(self, attempt: Callable[[Dice], H | None]) -> H:
        while (result := attempt(self)) is None:
            pass
        return result

    def mark(self) -> int:
        return len(self.faces)

    def since(self, mark: int) -> tuple[int, ...]:
        return tuple(self.faces[mark:])

    def note(self, message: str, rule: str = "", **arguments: Any) -> None:
        if self.tracing:
            self.trace.append(Note(message, rule, arguments))

    def looked_up(self, chart: str, keys: dict[str, Any], value: Any, rule: str = "") -> None:
        if self.tracing:
            self.trace.append(LookUp(chart, keys, value, rule))


class _RolledPool:
    __slots__ = ("count", "dice")

    def __init__(self, dice: Dice, count: int) -> None:
        self.dice, self.count = dice, count

    def then(
        self, label: str, sides: int = 6, *, at_least: int | Score | None = None, at_most: int | Score | None = None, rule: str = ""
    ) -> Pool:
        return _RolledPool(self.dice, self.dice.count(self.count, label, sides, at_least=at_least, at_most=at_most, rule=rule))


def _parts(modifier: int | Score) -> tuple[Any, ...]:
    return () if isinstance(modifier, int) else modifier.parts


def _parts_of(at_least: int | Score | None, at_most: int | Score | None) -> tuple[Any, ...]:
    if at_least is not None and not isinstance(at_least, int):
        return at_least.parts
    return at_most.parts if at_most is not None and not isinstance(at_most, int) else ()


def _needed(at_least: int | Score | None, at_most: int | Score | None) -> str:
    """ "4+" or "14-": how players write a score."""
    if at_least is not None:
        return f"{at_least if isinstance(at_least, int) else at_least.needed}+"
    if at_most is not None:
        return f"{at_most if isinstance(at_most, int) else at_most.needed}-"
    return ""


class Seeded(FaceDice):
    """Fair dice from a secret seed: SHA-256 of the seed and a block number, read byte by byte.

    Nobody can foresee them without the seed, and its hash, published before the first roll, proves afterwards that it
    was never changed. `position` is the number of bytes used, so a battle can go on from any point of the stream.
    """

    def __init__(self, seed: str, position: int = 0, *, tracing: bool = True) -> None:
        super().__init__(tracing=tracing)
        self.seed = seed
        self.position = position

    def face(self, sides: int, label: str) -> int:
        return self._next(1, sides)[0]

    def _throw(self, number: int, sides: int, label: str) -> list[int]:
        faces = self._next(number, sides)
        self.faces += faces
        return faces

    def _next(self, number: int, sides: int) -> list[int]:
        """The next faces of the stream."""
        faces_of, unfair = _fair_bytes(sides)
        found = b""
        while (missing := number - len(found)) > 0:
            block, offset = divmod(self.position, 32)
            taken = _block(self.seed, block)[offset : offset + missing]
            self.position += len(taken)
            found += taken.translate(faces_of, unfair)
        return [byte + 1 for byte in found]


@lru_cache(2048)
def _block(seed: str, number: int) -> bytes:
    """32 bytes of a seed's stream. The steps of a match, each with dice of its own, take them one after the other."""
    return hashlib.sha256(seed.encode() + number.to_bytes(8, "big")).digest()


@cache
def _fair_bytes(sides: int) -> tuple[bytes, bytes]:
    """For every byte the face it stands for, counted from 0; and the bytes passed over, which would favour low faces."""
    if not 1 <= sides <= 256:
        raise DiceError(f"no die has {sides} sides")
    return bytes(byte % sides for byte in range(256)), bytes(range(256 - 256 % sides, 256))


class Scripted(FaceDice):
    """Dice given beforehand, read in order. Impossible, missing or left-over dice are clear errors."""

    def __init__(self, faces: Iterable[int], *, tracing: bool = True) -> None:
        super().__init__(tracing=tracing)
        self.given = list(faces)

    def face(self, sides: int, label: str) -> int:
        place = len(self.faces)
        if place >= len(self.given):
            raise DiceError(f"a die is missing: die {place + 1}, a d{sides} for {label}; {len(self.given)} given")
        return _possible(self.given[place], place + 1, sides, label)

    def finish(self) -> None:
        """Every die given must have been read."""
        left = self.given[len(self.faces) :]
        if left:
            raise DiceError(f"{len(left)} dice left over: {', '.join(map(str, left))}; {len(self.faces)} were needed")


class Asked(FaceDice):
    """Dice that a person rolls: `ask(sides, label)` gives each face."""

    def __init__(self, ask: Callable[[int, str], int], *, tracing: bool = True) -> None:
        super().__init__(tracing=tracing)
        self.ask = ask

    def face(self, sides: int, label: str) -> int:
        return _possible(self.ask(sides, label), len(self.faces) + 1, sides, label)


def _possible(face: Any, place: int, sides: int, label: str) -> int:
    """A face that somebody typed, if the die has it."""
    if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= sides:
        raise DiceError(f"die {place} cannot be {face!r}: it is a d{sides} for {label}, from 1 to {sides}")
    return face
