import { describe, expect, it } from "vitest";
import { Catalogue } from "../src/words/catalogue";
import { UI_WORDS } from "../src/words/ui";
import { STEPS } from "../src/guide/steps";

const texts = { "event.moved": "{team} moves ({why}).", "word.move": "a move", "word.yes": "yes", "word.no": "no", "odd": "{{braces}} {x:.1f}", "inner": "[{n}]" };
const words = new Catalogue(texts, { a_1: "Tank 1" });

describe("messages become sentences", () => {
  it("names pieces and translates words", () => {
    expect(words.text({ id: "event.moved", arguments: { team: "a_1", why: "move" } })).toBe("Tank 1 moves (a move).");
  });
  it("shows an unknown message by its id and arguments, so that nothing is lost", () => {
    expect(words.text({ id: "event.new", arguments: { team: "a_1", n: 2 } })).toBe("event.new (team Tank 1, n 2)");
  });
  it("keeps doubled braces, formats, lists, messages inside messages, truth and nothing", () => {
    expect(words.text({ id: "odd", arguments: { x: 2.25 } })).toBe("{braces} 2.3");
    expect(words.word(["a_1", "move"])).toBe("Tank 1, a move");
    expect(words.word({ id: "inner", arguments: { n: 3 } })).toBe("[3]");
    expect(words.word(true)).toBe("yes");
    expect(words.word(null)).toBe("-");
  });
  it("says the parts of a name in the reader's language", () => {
    const polish = new Catalogue({ "Rifle platoon": "Pluton strzelców", "Rifle team": "Drużyna strzelecka", HQ: "Dowództwo" });
    expect(polish.local({ x: "Rifle platoon 2 (Rifle team)", y: "HQ", z: "HQ (T-34)" })).toEqual({ x: "Pluton strzelców 2 (Drużyna strzelecka)", y: "Dowództwo", z: "Dowództwo (T-34)" });
  });
  it("writes fractions as the language does", () => {
    expect(new Catalogue({}, {}, "pl").number(14.97)).toBe("15");
    expect(new Catalogue({}, {}, "pl").number(14.6)).toBe("14,6");
  });
});

describe("the client's own words", () => {
  it("has every word in three languages with the same names to fill in", () => {
    const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();
    for (const [id, three] of Object.entries(UI_WORDS)) {
      expect(three.length, id).toBe(3);
      for (const text of three) expect(holes(text), id).toEqual(holes(three[0]));
    }
  });
  it("tells every idea of the guide in three languages, each once", () => {
    expect(new Set(STEPS.map((step) => step.id)).size).toBe(STEPS.length);
    for (const step of STEPS) for (const language of ["en", "pl", "it"] as const) expect(step[language].every((text) => text.length > 3), step.id).toBe(true);
  });
});
