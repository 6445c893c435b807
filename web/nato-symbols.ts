/* The NATO symbols, drawn by milsymbol when the client is built, so that a browser loads a few kilobytes instead of the whole library.
   `virtual:nato-symbols` is a map from "a:tank" to the symbol's view box and its SVG; colours are left to the style sheet. */
import type { Plugin } from "vite";
import { CODES } from "./src/field/symbol-codes";

const ID = "virtual:nato-symbols";
const SIDES = { a: "F", b: "H", "": "U" } as const;

async function draw(): Promise<Record<string, { box: string; svg: string; width: number; height: number }>> {
  const info = console.info;
  console.info = () => undefined; // milsymbol greets everybody
  const { default: ms } = (await import("milsymbol")) as unknown as { default: any };
  console.info = info;
  const mode = (value: string) => ({ Hostile: value, Friend: value, Neutral: value, Unknown: value, Civilian: value, Suspect: value });
  const options = {
    size: 40,
    fillOpacity: 1,
    strokeWidth: 7,
    colorMode: mode("var(--nato-fill)"),
    frameColor: mode("var(--nato-line)"),
    iconColor: mode("var(--nato-line)"),
  };
  const found: Record<string, { box: string; svg: string; width: number; height: number }> = {};
  for (const [side, letter] of Object.entries(SIDES)) {
    for (const [word, code] of Object.entries(CODES)) {
      const whole: string = new ms.Symbol(code.replace("*", letter), options).asSVG();
      const [, a, b, w, h] = /viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"/.exec(whole) ?? [];
      const svg = whole.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "").replaceAll('stroke-width="3"', 'stroke-width="5"');
      found[`${side}:${word}`] = { box: `${a} ${b} ${w} ${h}`, svg, width: Number(w), height: Number(h) };
    }
  }
  return found;
}

export function natoSymbols(): Plugin {
  return {
    name: "nato-symbols",
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: async (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(await draw())}` : undefined),
  };
}
