"""The registry that every module of this package adds its procedures to."""

from __future__ import annotations

from sandtable.kernel.procedures import Procedures

PROCEDURES = Procedures()
procedure = PROCEDURES.add
