"""Plain data against a record: the kernel's way, under the name this game has always used."""

from sandtable.kernel.checking import FARTHEST, MOST_CHARACTERS, MOST_ITEMS, Findings, describe, is_number, printable, show, suggestion

__all__ = ["FARTHEST", "MOST_CHARACTERS", "MOST_ITEMS", "Findings", "describe", "is_number", "printable", "show", "suggestion"]
