import { describe, expect, test } from "vitest";
import { STEPS, stepFor, type Moment } from "../src/guide/steps";

const moment: Moment = { ask: "pick_one", phase: "phase.movement", turn: 1, number: 5, rolled: false, interrupt: false };
const told = (...ids: string[]): Set<string> => new Set(ids);

describe("the guided first game", () => {
  test("one idea at a time, the first whose moment has come", () => {
    expect(stepFor({ ...moment, number: 0 }, told())?.id).toBe("welcome");
    expect(stepFor(moment, told())?.id).toBe("orders");
    expect(stepFor(moment, told("orders"))).toBeUndefined();
  });

  test("a question in the enemy's turn is told as one, not as our own movement, shooting or assault", () => {
    for (const phase of ["phase.movement", "phase.shooting", "phase.assault"]) {
      const asked = { ...moment, phase, interrupt: true };
      expect(stepFor(asked, told())?.id).toBe("interrupt");
      expect(stepFor(asked, told("interrupt"))).toBeUndefined();
    }
  });

  test("each idea is there in every language", () => {
    for (const step of STEPS) for (const text of [step.en, step.pl, step.it]) expect(text.every((part) => part.length > 2)).toBe(true);
  });
});
