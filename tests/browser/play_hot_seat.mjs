// Two players at one screen, one of them with real dice: a good part of a game, left and resumed.
import { begin, BASE, check, decide, done, open, untilAsked } from "./browser.mjs";

const browser = await open();
const { page } = browser;
await begin(page, { mode: "hot", typed: [0] });
const seen = {};
const sides = new Set();
for (let i = 0; i < 40; i++) {
  const now = await untilAsked(page);
  if (now.state === "over") break;
  if (now.state === "curtain") await page.locator(".curtain button").click();
  else {
    sides.add(now.side);
    await decide(page, seen);
  }
}
console.log(JSON.stringify(seen), [...sides].join(""));
check(sides.size === 2, "both sides decided at this screen");
check((seen.dice ?? 0) > 0, "real dice were typed in");

// left and resumed: the same question is there
await untilAsked(page);
const before = await page.locator(".decision h2").textContent();
await page.goto(BASE);
await page.locator(".tables .primary").first().click();
await untilAsked(page);
check((await page.locator(".decision h2").textContent()) === before, "the same question after coming back");
await done(browser);
