"""What can go wrong, as distinct types, so that every border can answer with one clear message."""

from __future__ import annotations


class SandtableError(Exception):
    """Anything that a user can cause. Its text is one clear message; it is never shown as a traceback."""

    code = "error"


class InputError(SandtableError):
    """An input that does not fit: a missing field, a wrong word, a value out of range."""

    code = "bad_input"

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place


class DiceError(SandtableError):
    """Typed or scripted dice that are impossible, missing or left over."""

    code = "bad_dice"


class ChartError(SandtableError):
    """A chart file with a gap, an overlap, an unknown word, or a look-up outside the chart."""

    code = "bad_chart"


class DataError(SandtableError):
    """A force, scenario or save file that cannot be used. Holds every problem found, not just the first."""

    code = "bad_data"

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class RefusedError(SandtableError):
    """An answer that the rules do not allow. Nothing has changed."""

    code = "refused"

    def __init__(self, rule: str, message: str, **arguments: object) -> None:
        super().__init__(f"{message} ({rule})" if rule else message)
        self.rule, self.message, self.arguments = rule, message, arguments
