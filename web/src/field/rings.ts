import type { Figure, Point, Ring } from "../wire/types";
import { ahead, inside, toEdge } from "./geometry";

/** From the ring's centre, in a direction, how far its edge is that lies `radius` from what it is measured from. */
function edge(ring: Ring, direction: number, radius: number): Point {
  const { centre, around = [] } = ring;
  if (around.length < 3) return ahead(centre, direction, radius);
  const angle = (direction * Math.PI) / 180;
  const at = (far: number): Point => [centre[0] + Math.sin(angle) * far, centre[1] + Math.cos(angle) * far];
  const away = (point: Point): number => (inside(point, around) ? 0 : toEdge(point, around));
  let [low, high] = [0, radius + 2 * Math.max(...around.map((corner) => Math.hypot(corner[0] - centre[0], corner[1] - centre[1])))];
  while (high - low > 2) {
    const middle = (low + high) / 2;
    if (away(at(middle)) <= radius) low = middle;
    else high = middle;
  }
  return at(low);
}

const STEP = 2;

/** Everything within a distance of a convex outline: its edges moved outward, its corners rounded. */
function grown(around: Point[], by: number): Point[] {
  const area = around.reduce((sum, [x, y], i) => sum + x * around[(i + 1) % around.length]![1] - around[(i + 1) % around.length]![0] * y, 0);
  const shape = area > 0 ? around : [...around].reverse();
  const outward = shape.map((a, i) => {
    const b = shape[(i + 1) % shape.length]!;
    return Math.atan2(a[0] - b[0], b[1] - a[1]);
  });
  return shape.flatMap((corner, i) => {
    const from = outward[(i - 1 + shape.length) % shape.length]!;
    const turn = (outward[i]! - from + 4 * Math.PI) % (2 * Math.PI);
    const steps = Math.max(1, Math.ceil((turn * 180) / Math.PI / 4));
    return Array.from({ length: steps + 1 }, (_, k): Point => {
      const angle = from + (turn * k) / steps;
      return [corner[0] + Math.cos(angle) * by, corner[1] + Math.sin(angle) * by];
    });
  });
}

/** The outer and the inner edge of a ring, or of the part of it within its arc; the inner one is empty where the ring has no hole. */
export function edges(ring: Ring): { outer: Point[]; inner: Point[]; whole: boolean } {
  const whole = ring.arc == null || ring.arc >= 360;
  const { around = [] } = ring;
  if (whole && around.length > 2) return { outer: grown(around, ring.radius), inner: ring.inner ? grown(around, ring.inner) : [], whole };
  const half = whole ? 180 : ring.arc! / 2;
  const front = ring.facing ?? 0;
  const steps = Math.max(2, Math.ceil((2 * half) / STEP));
  const directions = Array.from({ length: whole ? steps : steps + 1 }, (_, i) => front - half + (2 * half * i) / steps);
  return {
    outer: directions.map((direction) => edge(ring, direction, ring.radius)),
    inner: ring.inner ? directions.map((direction) => edge(ring, direction, ring.inner!)) : [],
    whole,
  };
}

/** Where the ring's name stands: on its outer edge, where that lies on the table; ahead for an arc, else to the north or another wind,
    and rather where no piece and no name of a piece is in the way. */
export function crest(ring: Ring, width: number, height: number, pieces: readonly Pick<Figure, "x" | "y">[] = []): Point {
  const front = ring.facing ?? 0;
  const half = ring.arc == null ? 180 : ring.arc / 2;
  const winds = ring.kind === "command" ? [180, 0, 90, 270] : ring.arc == null ? [0, 180, 90, 270] : [front, front - half * 0.7, front + half * 0.7];
  const places = winds.map((wind) => edge(ring, wind, ring.radius));
  const within = places.filter(([x, y]) => x > 3000 && x < width - 3000 && y > 1000 && y < height - 1000);
  const free = within.find(([x, y]) => !pieces.some((piece) => Math.abs(piece.x - x) < 4500 && Math.abs(piece.y - y) < 2000));
  return free ?? within[0] ?? places[0]!;
}

/** The ring as it would be around the piece at another place: nothing is measured anew, it only goes along. */
export function carried(ring: Ring, from: Figure, to: Figure): Ring {
  const turn = to.facing - from.facing;
  const angle = (turn * Math.PI) / 180;
  const move = ([x, y]: Point): Point => {
    const [dx, dy] = [x - from.x, y - from.y];
    return [to.x + dx * Math.cos(angle) + dy * Math.sin(angle), to.y - dx * Math.sin(angle) + dy * Math.cos(angle)];
  };
  return { ...ring, centre: move(ring.centre), around: (ring.around ?? []).map(move), facing: ring.facing == null ? null : ring.facing + turn };
}

