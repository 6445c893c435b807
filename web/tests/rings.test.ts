import { describe, expect, it } from "vitest";
import { apart, bearing, corners, inside, toEdge } from "../src/field/geometry";
import { carried, crest, edges } from "../src/field/rings";
import type { Figure, Point, Ring } from "../src/wire/types";

const figure = { id: "a", x: 20000, y: 12000, facing: 30, width: 1500, depth: 2600 } as Figure;
const ring: Ring = { kind: "command", piece: "a", centre: [20000, 12000], radius: 6000, label: { id: "x" }, around: corners(figure) };

describe("rings", () => {
  it("lie everywhere as far from the base as they say", () => {
    for (const point of edges(ring).outer) {
      expect(inside(point, ring.around!)).toBe(false);
      expect(Math.abs(toEdge(point, ring.around!) - 6000)).toBeLessThan(5);
    }
  });

  it("are circles where they have no outline", () => {
    const { outer, inner, whole } = edges({ ...ring, around: [], inner: 2000 });
    expect(whole).toBe(true);
    for (const point of outer) expect(Math.abs(apart(point, [20000, 12000]) - 6000)).toBeLessThan(2);
    for (const point of inner) expect(Math.abs(apart(point, [20000, 12000]) - 2000)).toBeLessThan(2);
  });

  it("keep to their arc", () => {
    const { outer, whole } = edges({ ...ring, facing: 30, arc: 90 });
    expect(whole).toBe(false);
    for (const point of outer) {
      const off = Math.abs(((bearing(ring.centre, point) - 30 + 540) % 360) - 180);
      expect(off).toBeLessThanOrEqual(45.6);
    }
  });

  it("go along with their piece, and turn with it", () => {
    const there = { ...figure, x: 30000, y: 15000, facing: 120 };
    const moved = carried({ ...ring, facing: 30, arc: 90 }, figure, there);
    expect(moved.centre).toEqual([30000, 15000]);
    expect(moved.facing).toBe(120);
    const expected = corners(there);
    moved.around!.forEach((corner, i) => expect(apart(corner, expected[i]!)).toBeLessThan(2));
  });

  it("have their names on the table", () => {
    const [x, y] = crest({ ...ring, kind: "range", centre: [20000, 45000], around: [] }, 72000, 48000);
    expect(x).toBeGreaterThan(0);
    expect(y).toBeLessThan(48000);
  });

  it("have their names where no piece stands", () => {
    const round = { ...ring, kind: "range", centre: [36000, 24000] as Point, around: [], radius: 10000 };
    expect(crest(round, 72000, 48000)).toEqual([36000, 34000]);
    expect(crest(round, 72000, 48000, [{ x: 37000, y: 34500 }])).toEqual([36000, 14000]);
  });
});
