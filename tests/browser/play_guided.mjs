// The guided first game, to its end: one idea at a time, each told once, when its moment comes.
import { BASE, check, decide, done, open, untilAsked } from "./browser.mjs";

const browser = await open();
const { page } = browser;
await page.goto(BASE);
await page.locator(".welcome").click();
await page.waitForSelector(".guide");
const told = [];
const seen = {};
for (let i = 0; ; i++) {
  check(i < 400, "the game comes to its end");
  const now = await untilAsked(page);
  while (await page.locator(".guide").count()) {
    check((await page.locator(".guide").count()) === 1, "one idea at a time");
    const id = await page.locator(".guide").getAttribute("data-step");
    check(!told.includes(id), `${id} is told once`);
    told.push(id);
    await page.locator(".guide .primary").click();
    await page.waitForFunction((before) => document.querySelector(".guide")?.dataset.step !== before, id);
  }
  if (now.state === "over") break;
  await decide(page, seen);
}
console.log(told.join(" "), JSON.stringify(seen));
for (const id of ["welcome", "places", "orders", "route", "shooting", "why", "after"]) check(told.includes(id), `${id} is told`);
check(told[0] === "welcome" && told.at(-1) === "after", "it begins with a welcome and ends after the game");
check(told.indexOf("orders") < told.indexOf("shooting"), "movement comes before shooting");
await done(browser);
