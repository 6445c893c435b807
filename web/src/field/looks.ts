import type { Ground } from "../wire/types";

/** How a kind of ground is drawn. A kind that is not here is drawn by its form. */
export interface Look {
  look: string;
  pattern?: string;
  /** Drawn later than others of its form. */
  over?: number;
}

const KINDS: Record<string, Look> = {
  wood: { look: "wood", over: 3 },
  woods: { look: "wood", over: 3 },
  forest: { look: "wood", over: 3 },
  jungle: { look: "wood", over: 3 },
  orchard: { look: "wood", over: 3 },
  river: { look: "water", pattern: "waves", over: 1 },
  lake: { look: "water", pattern: "waves", over: 1 },
  sea: { look: "water", pattern: "waves", over: 1 },
  pond: { look: "water", pattern: "waves", over: 1 },
  marsh: { look: "marsh", pattern: "reeds", over: 2 },
  swamp: { look: "marsh", pattern: "reeds", over: 2 },
  ford: { look: "marsh", pattern: "reeds", over: 2 },
  field_crops: { look: "field", pattern: "furrows" },
  crops: { look: "field", pattern: "furrows" },
  field: { look: "field", pattern: "furrows" },
  rough: { look: "rough", pattern: "stones" },
  broken: { look: "rough", pattern: "stones" },
  rubble: { look: "rough", pattern: "stones" },
  sand: { look: "sand", pattern: "grains" },
  desert: { look: "sand", pattern: "grains" },
  town: { look: "town", pattern: "cobbles" },
  village: { look: "town", pattern: "cobbles" },
  urban: { look: "town", pattern: "cobbles" },
  rough_1: { look: "rough", pattern: "stones" },
  rough_2: { look: "rough", pattern: "stones" },
  rough_3: { look: "rough", pattern: "stones" },
  grove: { look: "grove", over: 3 },
  open: { look: "open" },
  light_fortification: { look: "fort", pattern: "hatch", over: 4 },
  medium_fortification: { look: "fort", pattern: "hatch", over: 4 },
  heavy_fortification: { look: "fort", pattern: "hatch", over: 4 },
  wire: { look: "wire", pattern: "barbs", over: 4 },
  minefield: { look: "mines", pattern: "mines", over: 4 },
  crest: { look: "crest" },
  hedge: { look: "hedge" },
  tall_hedge: { look: "hedge" },
  bocage: { look: "hedge" },
  wall: { look: "wall" },
  fence: { look: "wall" },
  stream: { look: "stream" },
  wreck: { look: "wreck", over: 9 },
};

const FORMS: Record<string, Look> = {
  road: { look: "road" },
  line: { look: "wall" },
  hill: { look: "hill" },
  building: { look: "building" },
  area: { look: "rough", pattern: "stones" },
};

export function lookOf(piece: Pick<Ground, "kind" | "form">): Look {
  const known = KINDS[piece.kind];
  if (piece.form === "road" || piece.form === "hill" || piece.form === "building") return FORMS[piece.form]!;
  if (piece.form === "line" && known?.look === "water") return { look: "stream" };
  return known ?? FORMS[piece.form] ?? FORMS["area"]!;
}
