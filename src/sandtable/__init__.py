"""sandtable plays tabletop miniature wargames in full, by the book."""

__version__ = "0.1.0"
