import { apart, hull, middle, seeded } from "./geometry";
import type { Point } from "../wire/types";

/* Points on the table (grid units, y to the north) as SVG (units of the table, y down). */

const digits = (value: number): string => String(Math.round(value * 1000) / 1000);

export class Sheet {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  u = (x: number): number => x / 1000;
  v = (y: number): number => (this.height - y) / 1000;

  at(point: Point): string {
    return `${digits(this.u(point[0]))} ${digits(this.v(point[1]))}`;
  }

  line(points: Point[]): string {
    return points.map((point, i) => `${i ? "L" : "M"}${this.at(point)}`).join("");
  }

  area(points: Point[]): string {
    return points.length ? `${this.line(points)}Z` : "";
  }

  /** A closed curve through the points. */
  curve(points: Point[], pull = 0.16): string {
    const n = points.length;
    if (n < 3) return this.area(points);
    let path = `M${this.at(points[0]!)}`;
    for (let i = 0; i < n; i++) {
      const [a, b, c, d] = [points[(i - 1 + n) % n]!, points[i]!, points[(i + 1) % n]!, points[(i + 2) % n]!];
      const one: Point = [b[0] + (c[0] - a[0]) * pull, b[1] + (c[1] - a[1]) * pull];
      const two: Point = [c[0] - (d[0] - b[0]) * pull, c[1] - (d[1] - b[1]) * pull];
      path += `C${this.at(one)} ${this.at(two)} ${this.at(c)}`;
    }
    return `${path}Z`;
  }

  /** Short strokes across a line, as a map draws a crest. */
  ticks(points: Point[], step: number, half: number): string {
    let path = "";
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1]!, points[i]!];
      const long = apart(a, b) || 1;
      const [x, y] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
      for (let at = step / 2; at < long; at += step) {
        const middle: Point = [a[0] + x * at, a[1] + y * at];
        path += this.line([[middle[0] - y * half, middle[1] + x * half], [middle[0] + y * half, middle[1] - x * half]]);
      }
    }
    return path;
  }

  /** Many circles in one path. */
  dots(points: Point[], radius: number | ((i: number) => number)): string {
    return points
      .map((point, i) => {
        const r = typeof radius === "number" ? radius : radius(i);
        const [x, y] = [this.u(point[0]), this.v(point[1])];
        return `M${digits(x - r)} ${digits(y)}a${digits(r)} ${digits(r)} 0 1 0 ${digits(2 * r)} 0a${digits(r)} ${digits(r)} 0 1 0 ${digits(-2 * r)} 0`;
      })
      .join("");
  }
}

/** A shape drawn nearer to its middle, as the contours of a hill are. */
export function shrunk(shape: Point[], by: number, word = ""): Point[] {
  const centre = middle(shape);
  const random = seeded(word);
  return shape.map((point) => {
    const share = by * (0.94 + random() * 0.12);
    return [centre[0] + (point[0] - centre[0]) * share, centre[1] + (point[1] - centre[1]) * share];
  });
}

/** More points along the edges, so that curves keep to the shape. */
export function finer(shape: Point[], step: number): Point[] {
  const out: Point[] = [];
  shape.forEach((a, i) => {
    const b = shape[(i + 1) % shape.length]!;
    const pieces = Math.max(1, Math.round(apart(a, b) / step));
    for (let k = 0; k < pieces; k++) out.push([a[0] + ((b[0] - a[0]) * k) / pieces, a[1] + ((b[1] - a[1]) * k) / pieces]);
  });
  return out;
}

export { hull };
