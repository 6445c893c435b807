import type { Scene, SceneChange, Things } from "./types";

const LISTS = ["ground", "figures", "marks", "groups"] as const;
const REST = ["turn", "phase", "active", "lines", "phases"] as const;

type Thing = { id: string };

/** The scene after a change. What has not changed is the very same object, so that nothing is drawn twice. */
export function changed(scene: Scene, change: SceneChange | null | undefined): Scene {
  if (!change) return scene;
  if (change.whole) return change.whole;
  const after: Record<string, unknown> = { ...scene };
  for (const field of REST) if (change[field] != null) after[field] = change[field];
  for (const field of LISTS) {
    const things = change[field];
    if (things) after[field] = changedList((scene[field] ?? []) as Thing[], things);
  }
  return after as unknown as Scene;
}

function changedList(before: Thing[], change: Things): Thing[] {
  const gone = new Set(change.gone ?? []);
  const things = new Map(before.filter((thing) => !gone.has(thing.id)).map((thing) => [thing.id, thing]));
  for (const patch of (change.put ?? []) as unknown as Thing[]) things.set(patch.id, { ...things.get(patch.id), ...patch });
  return change.order?.length ? change.order.map((id) => things.get(id)!).filter(Boolean) : [...things.values()];
}
