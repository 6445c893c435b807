import drawn from "virtual:nato-symbols";
import { CODES } from "./symbol-codes";

export interface Drawn {
  box: string;
  svg: string;
  width: number;
  height: number;
}

const side = (name: string): string => (name === "a" || name === "b" ? name : "");

/** The key of a piece's NATO symbol: one symbol for each side and word. */
export function symbolKey(of: { side: string; symbol: string }): string {
  return `${side(of.side)}:${of.symbol in CODES ? of.symbol : "unknown"}`;
}

export const symbol = (key: string): Drawn => (drawn as Record<string, Drawn>)[key]!;

/** The element id under which a symbol is defined in a drawing. */
export const symbolId = (key: string): string => `nato-${key.replace(":", "-")}`;

/* Top views: drawn in a box of one by one, the front up. The body is filled with the side's colour, the line drawn over it. */
interface TopView {
  body: string;
  line?: string;
  fill?: string;
}

const TANK: TopView = {
  body: "M-.42 -.44h.2v.88h-.2zM.22 -.44h.2v.88h-.2zM-.22 -.38h.44v.8h-.44z",
  fill: "M-.17 -.14q.17 -.1 .34 0v.28q-.17 .1 -.34 0z",
  line: "M0 -.14V-.62M-.03 -.62h.06M-.42 -.3h.2M-.42 -.15h.2M-.42 0h.2M-.42 .15h.2M-.42 .3h.2M.22 -.3h.2M.22 -.15h.2M.22 0h.2M.22 .15h.2M.22 .3h.2",
};
const CAR: TopView = {
  body: "M-.3 -.34q.3 -.14 .6 0v.72q-.3 .1 -.6 0z",
  fill: "M-.14 -.06a.14 .14 0 1 0 .28 0a.14 .14 0 1 0 -.28 0",
  line: "M0 -.1V-.4M-.36 -.3v.16M.36 -.3v.16M-.36 .14v.16M.36 .14v.16",
};
const MEN = (count: number): TopView => {
  const spots = [[-0.28, -0.2], [0.05, -0.26], [0.32, -0.08], [-0.1, 0.16], [0.22, 0.28], [-0.34, 0.24]].slice(0, count);
  return {
    body: spots.map(([x, y]) => `M${x! - 0.1} ${y}a.1 .1 0 1 0 .2 0a.1 .1 0 1 0 -.2 0`).join(""),
    line: spots.map(([x, y]) => `M${x! + 0.09} ${y}l.02 -.2`).join(""),
  };
};
const GUN: TopView = {
  body: "M-.3 -.14h.6v.08h-.6zM-.36 -.16h.1v.26h-.1zM.26 -.16h.1v.26h-.1z",
  line: "M0 -.02V-.56M0 0L-.2 .42M0 0L.2 .42",
};
const TRUCK: TopView = {
  body: "M-.24 -.42h.48v.22h-.48zM-.3 -.16h.6v.6h-.6z",
  line: "M-.3 .04h.6M-.3 .24h.6M-.2 -.3h.4",
};
const HORSES: TopView = {
  body: "M-.3 -.3q.08 -.14 .16 0v.5q-.08 .1 -.16 0zM.14 -.2q.08 -.14 .16 0v.5q-.08 .1 -.16 0zM-.08 0q.08 -.14 .16 0v.4q-.08 .1 -.16 0z",
  line: "M-.22 -.38v-.1M.22 -.28v-.1",
};
const PLANE: TopView = { body: "M-.06 -.46h.12v.26l.42 .12v.1l-.42 -.02v.3l.14 .1v.06h-.4v-.06l.14 -.1v-.3l-.42 .02v-.1l.42 -.12z" };

const TOPS: Record<string, TopView> = {
  tank: TANK,
  light_tank: TANK,
  tank_destroyer: TANK,
  artillery: TANK,
  headquarters: TANK,
  recon: CAR,
  scout: CAR,
  mechanized: CAR,
  carrier: CAR,
  vehicle: TRUCK,
  air_defence: GUN,
  infantry: MEN(6),
  engineer: MEN(5),
  militia: MEN(6),
  machine_gun: MEN(3),
  mortar: MEN(3),
  observer: MEN(2),
  gun: GUN,
  anti_tank: GUN,
  anti_aircraft: GUN,
  transport: TRUCK,
  truck: TRUCK,
  supply: TRUCK,
  motorized: TRUCK,
  cavalry: HORSES,
  aircraft: PLANE,
  helicopter: PLANE,
};

export const topView = (word: string): TopView => TOPS[word] ?? { body: "M0 -.3L.3 .3H-.3Z" };
