"""Types made ready for reading, before threads meet at them."""

from __future__ import annotations

import threading
from typing import Any

import msgspec

_lock = threading.Lock()


def reader(type: Any, **options: Any) -> msgspec.json.Decoder[Any]:
    """A decoder for a type.

    msgspec learns a record type when it first reads one; two threads of a server that come to the same type at once would end the
    whole process. Modules that read records make themselves ready while they are imported: one at a time.
    """
    with _lock:
        return msgspec.json.Decoder(type, **options)


def prepare(*types: Any) -> None:
    """Types that `msgspec.convert` is to read."""
    for type in types:
        reader(type)
