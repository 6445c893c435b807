// Two players at one screen, one of them with real dice: a whole game, left and resumed in the middle, and replayed.
import { begin, BASE, check, done, open, playOn, replay, untilAsked } from "./browser.mjs";

const browser = await open();
const { page } = browser;
await begin(page, { mode: "hot", typed: [0] });
const seen = {};
check(!(await playOn(page, seen, 30)), "it is not over so soon");

// left and resumed: the same question is there
await untilAsked(page);
const before = await page.locator(".decision h2").textContent();
await page.goto(BASE);
await page.locator(".tables .primary").first().click();
await untilAsked(page);
check((await page.locator(".decision h2").textContent()) === before, "the same question after coming back");

check(await playOn(page, seen, 900), "the game comes to its end");
console.log(JSON.stringify(seen), [...seen.sides].join(""));
check(seen.sides.size === 2, "both sides decided at this screen");
check((seen.dice ?? 0) > 0, "real dice were typed in");
await replay(page);
await done(browser);
