import type { Option, Scene } from "../wire/types";

export interface Bundle {
  /** The group that all of its options speak of; empty for the rest. */
  group: string;
  options: { option: Option; number: number }[];
}

/** Options by the group of pieces that they speak of, numbered as in the question: long lists of orders become short ones. */
export function bundles(options: readonly Option[], scene: Scene): Bundle[] {
  const groupOf = new Map(scene.figures.map((figure) => [figure.id, figure.group]));
  const found: Bundle[] = [];
  options.forEach((option, index) => {
    const groups = new Set((option.units ?? []).map((unit) => groupOf.get(unit) ?? ""));
    const group = groups.size === 1 ? [...groups][0]! : "";
    const last = found.find((bundle) => bundle.group === group && (group || bundle === found.at(-1)));
    if (last) last.options.push({ option, number: index + 1 });
    else found.push({ group, options: [{ option, number: index + 1 }] });
  });
  const several = found.some((bundle) => bundle.group && bundle.options.length > 1);
  return several ? found : [{ group: "", options: options.map((option, index) => ({ option, number: index + 1 })) }];
}

/** "Tank platoon: move" under the heading "Tank platoon" is just "move". */
export function short(label: string, heading: string): string {
  return heading && label.startsWith(`${heading}: `) ? label.slice(heading.length + 2) : label;
}
