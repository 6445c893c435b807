"""One whole game between two bots, and what is kept of it."""

from __future__ import annotations

import hashlib

import msgspec

from sandtable.kernel.errors import SandtableError
from sandtable.kernel.events import SIDES, Battle, Record
from sandtable.kernel.game import Game, Setup, Tally
from sandtable.kernel.match import Match
from sandtable.kernel.saves import FORMAT, Save, head_of, verify
from sandtable.lab.bots import make_bot

MOST_ANSWERS = 200_000
"""A game that goes on longer is broken."""


class GameResult(msgspec.Struct, frozen=True):
    """What is kept of a game."""

    index: int
    seed: str
    winner: str | None
    reason: str
    turns: int
    answers: int
    events: int
    pieces: dict[str, int]
    """How many pieces each side had in all."""
    losses: dict[str, list[int]]
    """Side -> the pieces it lost in turn 1, 2, ..."""
    digest: str
    """A hash of the whole log: equal games have equal ones."""
    problems: list[str] = []
    """Broken invariants and the like. Empty in a sound game."""

    def lost(self, side: str) -> int:
        return sum(self.losses[side])

    @property
    def margin(self) -> float:
        """By how much side a came off better: the share of its pieces that it kept, less that of side b. From -1 to 1."""
        kept = {side: 1 - self.lost(side) / self.pieces[side] if self.pieces[side] else 0.0 for side in SIDES}
        return kept["a"] - kept["b"]


class _Counter:
    """Counts losses turn by turn while the game goes on, and checks it if asked to."""

    def __init__(self, game: Game, check: bool) -> None:
        self.game, self.check = game, check
        self.turn = -1
        self.tallies: list[Tally] = []
        self.problems: list[str] = []

    def __call__(self, battle: Battle, records: list[Record]) -> None:
        if self.check:
            for problem in self.game.broken_invariants(battle):
                self.problems.append(f"turn {getattr(battle, 'turn', '?')}: {problem}")
        turn = getattr(battle, "turn", None)
        if turn is None or turn != self.turn:
            self.turn = -1 if turn is None else turn
            self.tallies.append(self.game.tally(battle))

    def losses(self) -> tuple[dict[str, int], dict[str, list[int]], int]:
        """All pieces of each side, its losses by turn, and the number of turns. A piece is lost when it is seen no more."""
        last = max((tally.turn for tally in self.tallies), default=0)
        pieces, losses = {}, {}
        for side in SIDES:
            seen: dict[str, int] = {}
            for place, tally in enumerate(self.tallies):
                for piece in tally.pieces.get(side, ()):
                    seen[piece] = place
            by_turn = [0] * last
            for place in seen.values():
                if place + 1 < len(self.tallies):
                    # A tally is taken when a turn begins, so a piece last seen in it was lost in that turn.
                    by_turn[max(1, self.tallies[place].turn) - 1] += 1
            pieces[side], losses[side] = len(seen), by_turn
        return pieces, losses, last


def play_one(
    game: Game, setup: Setup, seed: str, bots: tuple[str, str], *, index: int = 0, check: bool = False, tracing: bool = False
) -> GameResult:
    """Play one game to the end. With `check`, every invariant after every step, and at the end its save must verify."""
    sources = {side: make_bot(game, name, side, bot_seed(seed, side)) for side, name in zip(SIDES, bots, strict=True)}
    counter = _Counter(game, check)
    match = Match(game, setup, seed, sources=sources, tracing=tracing or check, watch=counter)
    counter(match.battle, [])
    try:
        while not match.over and len(match.answers) < MOST_ANSWERS:
            before = len(match.checkpoints)
            match.run(steps=1)
            if len(match.checkpoints) == before:
                break
    except SandtableError as problem:
        counter.problems.append(str(problem))
    counter.tallies.append(game.tally(match.battle))
    if not match.over:
        counter.problems.append(f"the game did not end ({len(match.answers)} answers, {len(match.checkpoints)} steps)")
    elif check and (difference := verify(_saved(match))) is not None:
        counter.problems.append(f"the game does not verify: {difference}")
    pieces, losses, turns = counter.losses()
    result = match.battle.result
    return GameResult(
        index=index,
        seed=seed,
        winner=None if result is None else result.winner,
        reason="" if result is None else result.reason.id,
        turns=turns,
        answers=len(match.answers),
        events=len(match.records),
        pieces=pieces,
        losses=losses,
        digest=log_digest(match.records),
        problems=counter.problems[:20],
    )


def bot_seed(seed: str, side: str) -> int:
    """The bots' own chances: fixed by the game's seed, apart from the dice."""
    return int.from_bytes(hashlib.sha256(f"bot {side} {seed}".encode()).digest()[:8], "big")


def log_digest(records: list[Record]) -> str:
    """A hash of the events, whether or not they were traced."""
    encode = msgspec.json.Encoder().encode
    sums = hashlib.sha256()
    for record in records:
        sums.update(encode(record.event))
        sums.update(b"\n")
    return sums.hexdigest()[:16]


def _saved(match: Match) -> Save:
    """The match as if it had been saved and read again."""
    save = Save(match.game, head_of(match))
    assert save.head.sandtable == FORMAT
    save.answers = list(match.answers)
    marks = match.checkpoints
    for mark, after in zip(marks, [*marks, None][1:], strict=True):
        records = match.records[mark.records : None if after is None else after.records]
        read = [match.game.read_record(msgspec.json.encode(record)) for record in records]
        position, answers = (match.position, match.done) if after is None else (after.position, after.answers)
        save.steps.append((mark.step, position, answers, read))
    return save
