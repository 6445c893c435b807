"""Values derived from a record that never changes: worked out once, and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class derived(Generic[T]):
    """A property of a frozen record (made with `dict=True`), worked out when it is first asked for.

    As `functools.cached_property`, but without its lock, which costs more than most of what is worked out here.
    """

    __slots__ = ("_function", "_name")

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function, self._name = function, function.__name__

    @overload
    def __get__(self, record: None, owner: type | None = None) -> derived[T]: ...

    @overload
    def __get__(self, record: object, owner: type | None = None) -> T: ...

    def __get__(self, record: object | None, owner: type | None = None) -> T | derived[T]:
        if record is None:
            return self
        found = record.__dict__[self._name] = self._function(record)
        return found
