"""The server under load, beside boardgame.io and a bare Starlette echo, measured in one run on loopback.

Each match has two clients on WebSockets of their own. A move counts when BOTH clients have been told of it; then the
other player moves. Sandtable's moves are real ones of a small game (`benchmarks/games/skirmish`): asked for, checked by the rules,
a die rolled, traced, committed to the database, and only then told. boardgame.io marks one of nine cells, in memory;
the echo is the least that a Python server can do: JSON in, whose turn is it, JSON out to both.

  closed  no think time: moves a second of the server's processor time
  units   the same with 120 units in the state
  paced   200 matches at one move a second each: latency

The load comes from one Node process, the same for all. Needs node and npm (packages in the temp folder); only loopback is used.
Run it with: .venv/bin/pip install -e ".[bench]" && .venv/bin/python benchmarks/server.py [--rounds 3] [--seconds 6] [--only closed]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
NPM = ["boardgame.io@0.50.2", "socket.io-client@4.8.4", "ws@8.23.0"]
# koa-compose 4.2 copies the middleware list when composed, so the lobby of a fresh boardgame.io answers 404
PACKAGE = '{"name": "bench", "private": true, "overrides": {"koa-compose": "4.1.0"}}'

UNITS = """const units = +process.env.UNITS ? Array.from({length: +process.env.UNITS}, (_, i) => ({id: 'u' + i, x: i * 0.6, y: i * 0.4,
  facing: (i * 37) % 360, state: 'ready', morale: 7, strength: 10, orders: null, fired: false})) : undefined;
"""

BOARDGAME = (
    UNITS
    + """
const net = require('net'), listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, done) { return listen.call(this, port, '127.0.0.1', done); };
const { Server } = require('boardgame.io/server');
const game = {
  name: 'cells',
  setup: () => ({ cells: Array(9).fill(null), ...(units ? { units } : {}) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { mark: ({ G, playerID }, i) => { if (!(i >= 0 && i < 9)) return 'INVALID_MOVE'; G.cells[i] = playerID; } },
};
Server({ games: [game], origins: [/127\\.0\\.0\\.1/] }).run({ port: +process.env.PORT });
"""
)

ECHO = """
import json, os, sys, uuid
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute

number = int(os.environ.get("UNITS", "0"))
units = [{"id": f"u{i}", "x": i * 0.6, "y": i * 0.4, "facing": (i * 37) % 360, "state": "ready", "morale": 7, "strength": 10,
          "orders": None, "fired": False} for i in range(number)]
matches = {}


async def create(request):
    id = uuid.uuid4().hex[:11]
    matches[id] = {"n": 0, "turn": 0, "cells": [None] * 9, "socks": [], **({"units": units} if number else {})}
    return JSONResponse({"matchID": id})


async def join(request):
    return JSONResponse({"playerCredentials": uuid.uuid4().hex})


def state(match):
    return json.dumps({key: value for key, value in match.items() if key != "socks"}, separators=(",", ":"))


async def play(socket):
    match, player = matches[socket.path_params["id"]], int(socket.path_params["player"])
    await socket.accept()
    match["socks"].append(socket)
    await socket.send_text(state(match))
    try:
        while True:
            move = json.loads(await socket.receive_text())
            if move["n"] != match["n"] or player != match["turn"] or not 0 <= move["cell"] < 9:
                continue
            match["cells"][move["cell"]] = str(player)
            match["n"] += 1
            match["turn"] ^= 1
            out = state(match)
            for one in match["socks"]:
                await one.send_text(out)
    except Exception:
        pass


routes = [Route("/games/cells/create", create, methods=["POST"]), Route("/games/cells/{id}/join", join, methods=["POST"]),
          WebSocketRoute("/ws/{id}/{player}", play)]
uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=int(os.environ["PORT"]), log_level="error", loop=sys.argv[1],
            ws=sys.argv[2], ws_per_message_deflate=False)
"""

OURS = """
import os
from sandtable.server.running import serve
from sandtable.server.settings import Settings
serve(Settings(port=int(os.environ["PORT"]), database=os.environ["DATABASE"], messages_a_second=1e6, requests_a_second=10**6))
"""

LOAD = r"""
const [kind, port, matches, seconds, pace] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const io = require('socket.io-client'), WebSocket = require('ws'), fs = require('fs');
const base = `http://127.0.0.1:${port}`, pid = +process.env.SERVER_PID;
const post = async (path, body) => (await fetch(base + path, { method: 'POST', body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' } })).json();
const cpu = () => { const f = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '); return (+f[11] + +f[12]) / 100; };
const rss = () => +/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
let running = true, measuring = false, times = [], bytes = 0, messages = 0;

class Match {
  constructor() { this.seen = [-1, -1]; this.turn = 0; this.n = 0; this.s = []; this.given = [0, 0]; this.figures = {}; this.homes = {}; }
  got(p, n, size) {
    this.seen[p] = n;
    if (measuring) { bytes += size; messages++; }
    if (this.want !== undefined && this.seen[0] >= this.want && this.seen[1] >= this.want) {
      this.want = undefined; const wake = this.wake; this.wake = null; wake && wake(); }
  }
  async open() {
    if (kind === 'ours') {
      const made = await post('/api/matches', { game: 'skirmish', scenario: +process.env.UNITS ? 'battalions' : 'duel' });
      this.tokens = [made.tokens.a, made.tokens.b];
      return;
    }
    this.id = (await post('/games/cells/create', { numPlayers: 2 })).matchID;
    this.tokens = [];
    for (const p of [0, 1]) this.tokens.push(
      (await post(`/games/cells/${this.id}/join`, { playerID: String(p), playerName: 'p' + p })).playerCredentials);
  }
  connect() { return Promise.all([0, 1].map((p) => new Promise((ok, bad) => this['connect_' + kind](p, ok, bad)))); }
  connect_ours(p, ok, bad) {
    const s = this.s[p] = new WebSocket(`ws://127.0.0.1:${port}/api/table`, { perMessageDeflate: false });
    s.on('error', bad);
    s.on('open', () => s.send(JSON.stringify({ type: 'join', token: this.tokens[p] })));
    s.on('message', (d) => {
      const m = JSON.parse(d);
      if (m.type === 'present') return;
      if (m.type === 'refused') throw new Error(d.toString());
      if (m.decision) { this.asked = m.decision; }
      if (m.type === 'hello') {
        for (const f of m.scene.figures) { this.figures[f.id] = f; this.homes[f.id] = { ...f }; }
        this.seen[p] = 0; ok(); return;
      }
      for (const f of m.scene?.figures?.put || []) Object.assign(this.figures[f.id], f);
      this.got(p, m.at + (m.log?.length || 0), d.length);
    });
  }
  connect_bgio(p, ok, bad) {
    const s = this.s[p] = io(base + '/cells', { transports: ['websocket'], forceNew: true });
    s.on('connect_error', bad);
    s.on('connect', () => { s.io.engine.on('packet', (k) => { s.size = (k.data || '').length; });
      s.emit('sync', this.id, String(p), this.tokens[p], 2); });
    s.on('sync', (id, info) => { this.n = info.state._stateID; this.seen[p] = this.n; ok(); });
    s.on('update', (id, state) => this.got(p, state._stateID, s.size));
  }
  connect_echo(p, ok, bad) {
    const s = this.s[p] = new WebSocket(`ws://127.0.0.1:${port}/ws/${this.id}/${p}`, { perMessageDeflate: false });
    s.on('error', bad);
    s.on('message', (d) => { const m = JSON.parse(d); this.got(p, m.n, d.length); if (m.n === 0) ok(); });
  }
  async move() {
    const p = this.turn, cell = (Math.random() * 9) | 0, done = new Promise((wake) => { this.wake = wake; });
    this.want = this.n + 1;
    const begun = performance.now();
    if (kind === 'ours') {
      const home = this.homes[this.asked.request.unit], about = () => Math.round((Math.random() - 0.5) * 1200);
      const [x, y] = [home.x + about(), home.y + about()];
      this.s[p].send(JSON.stringify({ type: 'answer', number: this.asked.number, answer: { path: [[x, y]], facing: cell * 40 } }));
    } else if (kind === 'bgio') {
      this.s[p].emit('update', { type: 'MAKE_MOVE',
        payload: { type: 'mark', args: [cell], playerID: String(p), credentials: this.tokens[p] } },
        this.n, this.id, String(p));
    } else this.s[p].send(JSON.stringify({ n: this.n, cell }));
    await done;
    if (measuring) times.push(performance.now() - begun);
    this.n = Math.max(...this.seen);
    this.turn ^= 1;
  }
  async loop() {
    if (pace) await sleep(Math.random() * pace);
    while (running) {
      const begun = performance.now();
      await this.move();
      if (pace) await sleep(Math.max(0, pace - (performance.now() - begun)));
    }
  }
}

(async () => {
  const all = Array.from({ length: matches }, () => new Match());
  for (let i = 0; i < matches; i += 10) await Promise.all(all.slice(i, i + 10).map((m) => m.open()));
  for (let i = 0; i < matches; i += 10) await Promise.all(all.slice(i, i + 10).map((m) => m.connect()));
  all.forEach((m) => m.loop());
  await sleep(pace ? 1500 : 3000);
  measuring = true;
  const [c0, m0, t0] = [cpu(), rss(), performance.now()];
  await sleep(seconds * 1000);
  measuring = false;
  const [c1, m1, elapsed] = [cpu(), rss(), (performance.now() - t0) / 1000];
  running = false;
  await sleep(100);
  times.sort((a, b) => a - b);
  const q = (x) => times[Math.min(times.length - 1, Math.floor(times.length * x))];
  console.log(JSON.stringify({ moves: times.length, moves_a_second: times.length / elapsed, p50_ms: q(.5), p99_ms: q(.99),
    cpu_share: (c1 - c0) / elapsed,
    moves_a_cpu_second: times.length / Math.max(c1 - c0, .01), bytes_a_message: bytes / Math.max(1, messages),
    kb_a_move: (m1 - m0) / Math.max(1, times.length) }));
  process.exit(0);
})();
"""


class Load(NamedTuple):
    name: str
    matches: int
    pace: int
    units: int


LOADS = [Load("closed 50", 50, 0, 0), Load("closed 200", 200, 0, 0), Load("closed 50 units", 50, 0, 120), Load("paced 200", 200, 1000, 0)]
ECHOES = {"echo asyncio": ("asyncio", "websockets"), "echo uvloop": ("uvloop", "websockets")}
NAMES = ["sandtable", "boardgame.io", *ECHOES]


def packages() -> Path:
    """The Node packages, installed once into the temp folder."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise SystemExit("this benchmark needs node and npm")
    folder = Path(tempfile.gettempdir()) / f"sandtable-bench-npm-{hashlib.sha1(' '.join([*NPM, PACKAGE]).encode()).hexdigest()[:10]}"
    folder.mkdir(exist_ok=True)
    if not (folder / "ready").exists():
        (folder / "package.json").write_text(PACKAGE)
        command = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *NPM]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (folder / "ready").touch()
    for name, text in (("boardgame.js", BOARDGAME), ("echo.py", ECHO), ("ours.py", OURS), ("load.js", LOAD)):
        (folder / name).write_text(text)
    return folder


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def measure(folder: Path, name: str, load: Load, seconds: float) -> dict[str, float]:
    """One contender under one load."""
    port = free_port()
    with tempfile.TemporaryDirectory() as scratch:
        environment = dict(os.environ, PORT=str(port), NODE_ENV="production", UNITS=str(load.units))
        environment |= {"SANDTABLE_GAMES": str(HERE / "games"), "DATABASE": f"sqlite:///{scratch}/bench.sqlite3"}
        if name == "boardgame.io":
            command, kind = ["node", "boardgame.js"], "bgio"
        elif name == "sandtable":
            command, kind = [sys.executable, "ours.py"], "ours"
        else:
            command, kind = [sys.executable, "echo.py", *ECHOES[name]], "echo"
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_for(port)
            arguments = [kind, str(port), str(load.matches), str(seconds), str(load.pace)]
            client = subprocess.run(
                ["node", "load.js", *arguments],
                cwd=folder,
                env=dict(environment, SERVER_PID=str(server.pid)),
                capture_output=True,
                text=True,
                timeout=90 + seconds,
            )
            if client.returncode:
                raise SystemExit(f"{name}, {load.name}: {client.stderr[-2000:]}")
            return dict(json.loads(client.stdout))
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(8)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def wait_for(port: int) -> None:
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("a server did not start")


def compare(rows: dict[str, list[dict[str, float]]], field: str, other: str) -> float:
    """Ours to theirs, as the median over the rounds: each round has both, one after the other."""
    return statistics.median(mine[field] / max(theirs[field], 1e-9) for mine, theirs in zip(rows["sandtable"], rows[other], strict=True))


def goals(load: Load, rows: dict[str, list[dict[str, float]]]) -> list[tuple[str, float, str, float]]:
    """What was asked for: a name, what was measured, and the limit."""
    cpu = "moves_a_cpu_second"
    growth = statistics.median(row["kb_a_move"] for row in rows["sandtable"])
    if load.pace:
        return [("p99 latency / boardgame.io", compare(rows, "p99_ms", "boardgame.io"), "<=", 1.0)]
    if load.units:
        return [
            ("moves a CPU second / boardgame.io", compare(rows, cpu, "boardgame.io"), ">=", 4.0),
            ("bytes a message / boardgame.io", compare(rows, "bytes_a_message", "boardgame.io"), "<=", 1 / 20),
            ("memory a move, kB", growth, "<=", 1.0),
        ]
    return [
        ("moves a CPU second / boardgame.io", compare(rows, cpu, "boardgame.io"), ">=", 1.5),
        *[(f"moves a CPU second / {echo}", compare(rows, cpu, echo), ">=", 0.5) for echo in ECHOES],
        ("memory a move, kB", growth, "<=", 1.0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="turns of each contender (default 3)")
    parser.add_argument("--seconds", type=float, default=6, help="seconds measured a turn (default 6)")
    parser.add_argument("--only", default="", help="only loads whose name has this in it")
    options = parser.parse_args()
    folder = packages()
    report: dict[str, Any] = {"benchmark": "server", "python": platform.python_version(), "rounds": options.rounds, "loads": {}}
    for load in LOADS:
        if options.only not in load.name:
            continue
        rows: dict[str, list[dict[str, float]]] = {name: [] for name in NAMES}
        for turn in range(options.rounds):
            for name in NAMES if turn % 2 == 0 else reversed(NAMES):
                rows[name].append(measure(folder, name, load, options.seconds))
        for name, found in rows.items():
            middle = {field: statistics.median(row[field] for row in found) for field in found[0]}
            print(
                f"{load.name:16} {name:14} {middle['moves_a_cpu_second']:8.0f} moves a CPU s {middle['moves_a_second']:8.0f} a s"
                f"  p50 {middle['p50_ms']:7.2f}  p99 {middle['p99_ms']:7.2f} ms"
                f"  {middle['bytes_a_message']:7.0f} B  {middle['kb_a_move']:6.3f} kB a move"
            )
        told = goals(load, rows)
        for what, value, sign, limit in told:
            met = value >= limit if sign == ">=" else value <= limit
            print(f"{load.name:16} {what}: {value:.3f} (goal {sign} {limit:g}) {'met' if met else 'MISSED'}", flush=True)
        report["loads"][load.name] = {"rows": rows, "goals": {what: value for what, value, _, _ in told}}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
