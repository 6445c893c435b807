import type { Entry } from "../wire/types";

export interface Row {
  place: number;
  entry: Entry;
  /** Where a turn or a phase begins: "turn", "phase", else empty. */
  heading: "" | "turn" | "phase";
}

interface Wanted {
  search: string;
  kind: "all" | "dice" | "piece";
  piece: string;
  text: (entry: Entry) => string;
}

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l");

/** The entries that a reader looks for, with their places in the log. */
export function shownIn(log: readonly Entry[], wanted: Wanted): { place: number; entry: Entry }[] {
  const search = folded(wanted.search.trim());
  const found: { place: number; entry: Entry }[] = [];
  log.forEach((entry, place) => {
    if (wanted.kind === "dice" && !entry.trace?.some((one) => one.type === "roll")) return;
    if (wanted.kind === "piece" && !entry.units?.includes(wanted.piece)) return;
    const text = wanted.text(entry);
    if (!text || (search && !folded(text).includes(search))) return;
    found.push({ place, entry });
  });
  return found;
}

const HEADINGS: Record<string, Row["heading"]> = { turn_began: "turn", phase_began: "phase" };

export const heading = (entry: Entry): Row["heading"] => HEADINGS[entry.says.id.replace(/^event\./, "")] ?? "";

/** Rows with headings; of phases in which nothing happened only the last one stays. */
export function chapters(found: { place: number; entry: Entry }[]): Row[] {
  const rows: Row[] = [];
  for (const { place, entry } of found) {
    const begins = heading(entry);
    if (begins === "phase" && !entry.trace?.length && rows.at(-1)?.heading === "phase" && !rows.at(-1)?.entry.trace?.length) rows.pop();
    rows.push({ place, entry, heading: begins });
  }
  return rows;
}
