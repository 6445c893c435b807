import type { Figure, Point } from "../wire/types";

/** Grid units in one unit of the table. */
export const GRID = 1000;

export const apart = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export function pathLength(path: Point[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += apart(path[i - 1]!, path[i]!);
  return sum;
}

/** Degrees clockwise from north. */
export function bearing(from: Point, to: Point): number {
  const degrees = (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;
  return (Math.round(degrees) + 360) % 360;
}

export function ahead(from: Point, facing: number, distance: number): Point {
  const angle = (facing * Math.PI) / 180;
  return [Math.round(from[0] + Math.sin(angle) * distance), Math.round(from[1] + Math.cos(angle) * distance)];
}

/** How far along a way a point lies (the point of the way that is nearest to it). */
export function along(way: Point[], point: Point): number {
  let [best, at, sum] = [Infinity, 0, 0];
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const off = toSegment(point, a, b);
    if (off < best) [best, at] = [off, sum + Math.min(apart(a, point), apart(a, b))];
    sum += apart(a, b);
  }
  return at;
}

/** The points of a way after its first, up to some length. */
export function upTo(way: Point[], length: number): Point[] {
  const out: Point[] = [];
  let left = length;
  for (let i = 1; i < way.length && left > 0; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const leg = apart(a, b);
    const share = leg <= left || leg === 0 ? 1 : left / leg;
    out.push([Math.round(a[0] + (b[0] - a[0]) * share), Math.round(a[1] + (b[1] - a[1]) * share)]);
    left -= leg;
  }
  return out;
}

type Base = Pick<Figure, "x" | "y" | "facing" | "width" | "depth">;

export function corners(base: Base): Point[] {
  const angle = (base.facing * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [w, d] = [base.width / 2, base.depth / 2];
  return ([[-w, d], [w, d], [w, -d], [-w, -d]] as Point[]).map(([x, y]) => [base.x + x * cos + y * sin, base.y - x * sin + y * cos]);
}

export function inside(point: Point, shape: Point[]): boolean {
  let odd = false;
  for (let i = 0, j = shape.length - 1; i < shape.length; j = i++) {
    const [xi, yi] = shape[i]!;
    const [xj, yj] = shape[j]!;
    if (yi > point[1] !== yj > point[1] && point[0] < ((xj - xi) * (point[1] - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

export function toSegment(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square));
  return Math.hypot(point[0] - a[0] - t * dx, point[1] - a[1] - t * dy);
}

export function toEdge(point: Point, shape: Point[]): number {
  let least = Infinity;
  for (let i = 0; i < shape.length; i++) least = Math.min(least, toSegment(point, shape[i]!, shape[(i + 1) % shape.length]!));
  return least;
}

/** How far two bases are from each other, edge to edge. */
export function gap(one: Point[], two: Point[]): number {
  if (one.some((point) => inside(point, two)) || two.some((point) => inside(point, one))) return 0;
  return Math.min(...one.map((point) => toEdge(point, two)), ...two.map((point) => toEdge(point, one)));
}

export function middle(shape: Point[]): Point {
  let [x, y, area] = [0, 0, 0];
  for (let i = 0; i < shape.length; i++) {
    const [a, b] = [shape[i]!, shape[(i + 1) % shape.length]!];
    const cross = a[0] * b[1] - b[0] * a[1];
    area += cross;
    x += (a[0] + b[0]) * cross;
    y += (a[1] + b[1]) * cross;
  }
  if (Math.abs(area) < 1) {
    const n = shape.length || 1;
    return [shape.reduce((sum, p) => sum + p[0], 0) / n, shape.reduce((sum, p) => sum + p[1], 0) / n];
  }
  return [x / (3 * area), y / (3 * area)];
}

/** The convex hull, counter-clockwise. */
export function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list: Point[]): Point[] => {
    const out: Point[] = [];
    for (const point of list) {
      while (out.length > 1) {
        const [a, b] = [out[out.length - 2]!, out[out.length - 1]!];
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(point);
    }
    out.pop();
    return out;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** A small random source that gives the same numbers for the same word: trees stay where they stand. */
export function seeded(word: string): () => number {
  let state = 2166136261;
  for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Points strewn over a shape, none too near another or the edge. */
export function strewn(shape: Point[], distance: number, margin: number, word: string): Point[] {
  const random = seeded(word);
  const xs = shape.map((p) => p[0]);
  const ys = shape.map((p) => p[1]);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const found: Point[] = [];
  const tries = Math.min(4000, Math.round((((right - left) * (high - low)) / (distance * distance)) * 8));
  for (let i = 0; i < tries; i++) {
    const point: Point = [left + random() * (right - left), low + random() * (high - low)];
    if (!inside(point, shape) || toEdge(point, shape) < margin) continue;
    if (found.every((other) => apart(point, other) >= distance)) found.push(point);
  }
  return found;
}

/** A fraction such as 5/36 as a number. */
export function share(p: string): number {
  const [over, under] = p.split("/");
  return Number(over) / Number(under ?? 1);
}
