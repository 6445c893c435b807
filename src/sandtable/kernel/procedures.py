"""A procedure is a function from facts and dice to an outcome.

Facts and outcomes are typed records; their field names are a contract with other programs. The registry of a game is
what `resolve` and `odds`, the companion, the bots and the tests all run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import InputError


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a procedure needs to know. Hashable, so lists are tuples and maps are `FrozenMap`s."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a procedure gives. Fields named in `dice_fields` only repeat dice: odds leave them out."""

    dice_fields: ClassVar[tuple[str, ...]] = ("roll", "rolls")


def without_dice(value: Any) -> Any:
    """An outcome as plain data, without the fields that only repeat dice, in the outcomes within it too."""
    if isinstance(value, Outcome):
        kept = [field for field in value.__struct_fields__ if field not in value.dice_fields]
        return {field: without_dice(getattr(value, field)) for field in kept}
    if isinstance(value, list | tuple):
        return [without_dice(item) for item in value]
    if isinstance(value, dict):
        return {key: without_dice(item) for key, item in value.items()}
    return msgspec.to_builtins(value)


class FrozenMap(dict[str, Any]):
    """A map from ids that never changes, so that it can be part of an outcome."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> Any:
        return FrozenMap, (dict(self),)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a FrozenMap does not change")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = _refuse


FactsT = TypeVar("FactsT", bound=Facts)
OutcomeT = TypeVar("OutcomeT", bound=Outcome)


class Procedure(Generic[FactsT, OutcomeT]):
    """A named procedure: its function, the type of its facts and the rules it carries out."""

    def __init__(
        self, name: str, run: Callable[[FactsT, Dice], OutcomeT], facts: type[FactsT], outcome: type[OutcomeT], rules: tuple[str, ...]
    ) -> None:
        self.name, self.run, self.facts, self.outcome, self.rules = name, run, facts, outcome, rules

    def __call__(self, facts: FactsT, dice: Dice) -> OutcomeT:
        return self.run(facts, dice)

    def read(self, given: Any) -> FactsT:
        """Facts from plain data (JSON), or a message that names the field and what would be right."""
        if not isinstance(given, Mapping):
            raise InputError(f"the input of {self.name} is an object with the fields {', '.join(self.facts.__struct_fields__)}")
        try:
            return msgspec.convert(given, self.facts)
        except msgspec.ValidationError as problem:
            raise InputError(_explain(str(problem), self.facts), f"{self.name}") from None


def _explain(problem: str, facts: type[Facts]) -> str:
    text = problem.replace("Object contains unknown field", "unknown field").replace("Object missing required field", "missing field")
    if "unknown field" in text and " - at" not in text:
        text += f"; known: {', '.join(facts.__struct_fields__)}"
    return text


class Procedures(Mapping[str, Procedure[Any, Any]]):
    """The procedures of a game, by name. `@procedures.add(...)` registers one."""

    def __init__(self) -> None:
        self._known: dict[str, Procedure[Any, Any]] = {}

    def add(self, name: str, *rules: str) -> Callable[[Callable[[FactsT, Dice], OutcomeT]], Callable[[FactsT, Dice], OutcomeT]]:
        """Register a function under a name, with the ids of the rules it carries out. The types come from its annotations."""

        def register(run: Callable[[FactsT, Dice], OutcomeT]) -> Callable[[FactsT, Dice], OutcomeT]:
            from typing import get_type_hints

            hints = get_type_hints(run)
            names = list(hints)
            if name in self._known:
                raise ValueError(f"two procedures are called {name}")
            self._known[name] = Procedure(name, run, hints[names[0]], hints["return"], rules)
            return run

        return register

    def __getitem__(self, name: str) -> Procedure[Any, Any]:
        try:
            return self._known[name]
        except KeyError:
            raise InputError(f"there is no procedure {name!r}; there are: {', '.join(self._known)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def required(value: Any, field: str) -> Any:
    """A fact that only some branches need, at the point where it is needed."""
    if value is None:
        raise InputError(f"the field `{field}` is needed here")
    return value
