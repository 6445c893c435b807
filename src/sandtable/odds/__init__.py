"""Exact distributions: every branch of a procedure with its exact probability."""

from sandtable.odds.distribution import Distribution
from sandtable.odds.exact import distribution, every_face, sample

__all__ = ["Distribution", "distribution", "every_face", "sample"]
