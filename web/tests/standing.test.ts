import { describe, expect, it } from "vitest";
import { after, withOlder, type Standing } from "../src/wire/state";
import { changed } from "../src/wire/scene-change";
import type { Entry, Figure, Hello, Scene } from "../src/wire/types";
import { byDigits } from "../src/deciding/keys";
import { bundles, short } from "../src/deciding/grouping";
import { chapters, shownIn } from "../src/log/reading";

const figure = (id: string, group = "g"): Figure => ({ id, side: "a", name: { id }, group, x: 0, y: 0, facing: 0, width: 1, depth: 1, symbol: "tank", letter: "t" });
const scene: Scene = { unit: "in", width: 1000, height: 1000, turn: 1, phase: { id: "p" }, active: "a", ground: [], figures: [figure("one"), figure("two", "h")] };
const entry = (id: string, more: Partial<Entry> = {}): Entry => ({ event: "E", says: { id }, ...more });
const hello: Hello = { type: "hello", at: 0, log: [entry("1"), entry("2")], match: "m", game: "g", title: "t", view: "a", seats: [], present: [], scene, names: {}, era: "e", seed_hash: "h", waiting: "a" };
const ids = (standing: Standing | null): string[] => (standing?.log ?? []).map((one) => one.says.id);

describe("a scene after changes", () => {
  it("patches, adds, removes and orders, and keeps the rest as the very same object", () => {
    const next = changed(scene, { turn: 2, figures: { put: [{ id: "two", x: 5 }, { ...figure("three") }], gone: ["one"], order: ["three", "two"] } });
    expect(next.turn).toBe(2);
    expect(next.figures.map((one) => [one.id, one.x])).toEqual([["three", 0], ["two", 5]]);
    expect(next.ground).toBe(scene.ground);
    expect(changed(scene, null)).toBe(scene);
  });
});

describe("where a match stands", () => {
  it("appends, and after an undo forgets what is no longer so", () => {
    let standing = after(null, hello);
    standing = after(standing, { type: "changes", at: 2, log: [entry("3")], waiting: "b", given: 1 });
    expect(ids(standing)).toEqual(["1", "2", "3"]);
    expect(standing?.decision).toBeNull();
    standing = after(standing, { type: "changes", at: 1, log: [entry("2b")] });
    expect(ids(standing)).toEqual(["1", "2b"]);
  });
  it("comes back to the present after a lost line without losing or doubling an entry", () => {
    const standing = after(after(null, hello), { ...hello, at: 2, log: [entry("3")] });
    expect(ids(standing)).toEqual(["1", "2", "3"]);
  });
  it("takes a log that begins later, and puts the older part before it", () => {
    let standing = after(null, { ...hello, at: 10, log: [entry("11")] });
    expect(standing?.begin).toBe(10);
    standing = withOlder(standing!, 9, [entry("10")]);
    expect(ids(standing)).toEqual(["10", "11"]);
    expect(standing.begin).toBe(9);
  });
  it("changes nothing by a refusal", () => {
    const standing = after(null, hello);
    expect(after(standing, { type: "refused", code: "stale", says: { id: "x" } })).toBe(standing);
  });
});

describe("deciding by keys", () => {
  it("is sure at once when no longer number fits", () => {
    expect(byDigits("3", 9)).toEqual({ index: 2, sure: true });
    expect(byDigits("1", 12)).toEqual({ index: 0, sure: false });
    expect(byDigits("12", 12)).toEqual({ index: 11, sure: true });
    expect(byDigits("7", 5)).toEqual({ index: null, sure: true });
  });
});

describe("options by groups", () => {
  const option = (id: string, units: string[] = []) => ({ id, label: { id }, units });
  it("bundles the orders of one group, numbered as asked", () => {
    const found = bundles([option("one:stay", ["one"]), option("one:move", ["one"]), option("two:move", ["two"]), option("done")], scene);
    expect(found.map((bundle) => [bundle.group, bundle.options.map((one) => one.number)])).toEqual([["g", [1, 2]], ["h", [3]], ["", [4]]]);
  });
  it("leaves a plain list alone", () => expect(bundles([option("yes"), option("no")], scene)).toHaveLength(1));
  it("says a heading once", () => {
    expect(short("Tank platoon: move", "Tank platoon")).toBe("move");
    expect(short("Tank platoon", "Tank platoon")).toBe("Tank platoon");
  });
});

describe("reading the log", () => {
  const log = [entry("event.turn_began"), entry("event.phase_began"), entry("event.phase_began"), entry("event.moved", { units: ["one"] }), entry("Łódź", { trace: [{ type: "roll", label: "r", sides: 6, faces: [3] }] })];
  const text = (one: Entry) => one.says.id;
  it("finds words without their accents, dice, and a piece", () => {
    expect(shownIn(log, { search: "lodz", kind: "all", piece: "", text }).map((row) => row.place)).toEqual([4]);
    expect(shownIn(log, { search: "", kind: "dice", piece: "", text }).map((row) => row.place)).toEqual([4]);
    expect(shownIn(log, { search: "", kind: "piece", piece: "one", text }).map((row) => row.place)).toEqual([3]);
  });
  it("leaves out phases in which nothing happened", () => {
    const rows = chapters(shownIn(log, { search: "", kind: "all", piece: "", text }));
    expect(rows.map((row) => row.place)).toEqual([0, 2, 3, 4]);
  });
});
