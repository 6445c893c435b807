import { describe, expect, it } from "vitest";
import { along, apart, bearing, corners, gap, hull, inside, middle, pathLength, share, strewn, upTo } from "../src/field/geometry";
import type { Point } from "../src/wire/types";

const square: Point[] = [[0, 0], [1000, 0], [1000, 1000], [0, 1000]];

describe("lengths and directions", () => {
  it("measures a way of 3-4-5 legs", () => expect(pathLength([[0, 0], [3000, 4000], [3000, 5000]])).toBe(6000));
  it("counts bearings clockwise from north", () => {
    expect(bearing([0, 0], [0, 5])).toBe(0);
    expect(bearing([0, 0], [5, 0])).toBe(90);
    expect(bearing([0, 0], [-5, 0])).toBe(270);
  });
  it("cuts a way where its length is used up", () => {
    expect(upTo([[0, 0], [4000, 0], [4000, 4000]], 6000)).toEqual([[4000, 0], [4000, 2000]]);
    expect(upTo([[0, 0], [4000, 0]], 9000)).toEqual([[4000, 0]]);
  });
  it("finds how far along a way a point is", () => expect(along([[0, 0], [4000, 0], [4000, 4000]], [4000, 2000])).toBe(6000));
});

describe("bases", () => {
  it("turns corners with the facing: east, the front edge is to the east", () => {
    const [left, right] = corners({ x: 0, y: 0, facing: 90, width: 2000, depth: 1000 }) as [Point, Point];
    expect(left[0]).toBeCloseTo(500);
    expect(left[1]).toBeCloseTo(1000);
    expect(right[1]).toBeCloseTo(-1000);
  });
  it("measures from edge to edge, and nothing when they overlap", () => {
    const one = corners({ x: 0, y: 0, facing: 0, width: 2000, depth: 2000 });
    expect(gap(one, corners({ x: 5000, y: 0, facing: 0, width: 2000, depth: 2000 }))).toBeCloseTo(3000);
    expect(gap(one, corners({ x: 500, y: 0, facing: 45, width: 2000, depth: 2000 }))).toBe(0);
  });
});

describe("shapes", () => {
  it("knows inside from outside", () => {
    expect(inside([500, 500], square)).toBe(true);
    expect(inside([1500, 500], square)).toBe(false);
  });
  it("finds the middle and the hull", () => {
    expect(middle(square)).toEqual([500, 500]);
    expect(hull([...square, [500, 500]])).toHaveLength(4);
  });
  it("strews trees inside, apart, and always the same", () => {
    const big = square.map(([x, y]): Point => [x * 10, y * 10]);
    const trees = strewn(big, 1000, 300, "copse");
    expect(trees.length).toBeGreaterThan(20);
    expect(trees).toEqual(strewn(big, 1000, 300, "copse"));
    for (const tree of trees) expect(inside(tree, big)).toBe(true);
    trees.forEach((a, i) => trees.slice(i + 1).forEach((b) => expect(apart(a, b)).toBeGreaterThanOrEqual(1000)));
  });
  it("reads fractions", () => expect(share("5/36")).toBeCloseTo(0.1389, 4));
});
