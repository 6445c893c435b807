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

const STEP = 4;

/** The outer and the inner edge of a ring, or of the part of it within its arc; the inner one is empty where the ring has no hole. */
export function edges(ring: Ring): { outer: Point[]; inner: Point[]; whole: boolean } {
  const whole = ring.arc == null || ring.arc >= 360;
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

/** Where the ring's name stands: on its outer edge, straight ahead. */
export const crest = (ring: Ring): Point => edge(ring, ring.facing ?? 0, ring.radius);

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

