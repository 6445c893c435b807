// Looking before deciding: what a piece may do and why not, a route as it grows, rings, odds before a shot, a ruler and a line of sight.
import { acknowledged, begin, check, decide, done, open, untilAsked, untilChecked } from "./browser.mjs";

const browser = await open();
const { page } = browser;
await begin(page, { game: "flames_of_war", scenario: "crossroads" });
const text = (where) => page.locator(where).first().innerText();
const RULE = /FOW-[A-Z]+-\d+/;

/** Play on until a question of a kind comes in a phase. */
async function until(what, most = 120) {
  const seen = {};
  for (let i = 0; i < most; i++) {
    const now = await untilAsked(page);
    check(now.state === "asked", "the battle goes on");
    if (await what(now)) return;
    await decide(page, seen);
  }
  throw new Error("the question did not come");
}
const answer = (act) => acknowledged(page, act);
const phase = () => text(".phase-bar [aria-current]");

// what a piece may do now, and why not
const option = "a_panzer:move"; // the tanks have room before them
await until(async (now) => now.ask === "pick_one" && /Movement/.test(await phase()) && (await page.locator(`.choice[data-option="${option}"]`).count()));
await page.locator(`.choice[data-option="${option}"]`).hover();
const lit = await page.locator(".piece.lit").first().getAttribute("data-figure");
await page.locator(`[data-figure="${lit}"] .base`).click();
await page.locator("#tab-card").click();
await page.locator(".unit-card .may").first().waitFor();
check((await page.locator(".unit-card .may li:not(.refused)").count()) > 0, "it may do something");
const refused = await text(".unit-card .may li.refused");
check(RULE.test(refused), `what it may not do has a rule: ${refused}`);
await page.locator(".unit-card .near .amount").filter({ hasText: /\d/ }).first().waitFor();

// rings: ranges and command distance
await page.locator(".rings .kind-command").first().waitFor({ state: "attached" });
check((await page.locator(".rings .band-of").count()) > 1, "rings are drawn around it");
check(/\d+ in/.test((await page.locator(".rings .ring-name").allTextContents()).join(" ")), "with their lengths");
await page.keyboard.press("e");
check((await page.locator(".rings").count()) === 0, "a key puts them away");
await page.keyboard.press("e");

// a route is measured as it grows
await answer(() => page.locator(`.choice[data-option="${option}"]`).click());
await until((now) => now.ask === "pick_route");
const base = await page.locator(".piece.selected .base").boundingBox();
const felt = await page.locator(".felt").boundingBox();
const inch = felt.width / 72;
const north = base.y > felt.y + felt.height / 2 ? -1 : 1;
const [x, y] = [base.x + base.width / 2, base.y + base.height / 2];
await page.mouse.move(x, y + north * 3 * inch);
await page.waitForFunction(() => /^\d/.test(document.querySelector(".plan .preview + g text, .plan .tag text")?.textContent ?? ""));
await page.mouse.click(x, y + north * 3 * inch);
await untilChecked(page);
const measured = await text(".measure .big");
check(/^(2\.[6-9]|3\.[0-4]|3) of \d+ in$/.test(measured), `three inches are measured: ${measured}`);
check(/\d/.test(await text(".measure .leg")), "with the ground that it goes over");
check(await page.locator(".plan .ghost").count(), "a ghost shows where it will stand");
await page.mouse.move(x, y + north * 25 * inch);
await page.mouse.click(x, y + north * 25 * inch);
await untilChecked(page);
check(RULE.test(await text(".decision .reason")), "too far is refused with its rule");
await page.locator(".plan .furthest").first().waitFor({ state: "attached" });
await page.locator("[data-do=furthest]").click();
await untilChecked(page);
check(!(await page.locator("[data-do=go]").isDisabled()), "as far as allowed is allowed");
await answer(() => page.keyboard.press("Enter"));

// odds before a shot, and why others are not possible
await until(async (now) => {
  if (now.ask !== "pick_one" || !(await text(".decision")).includes("FOW-DEC-10")) return false;
  return page.locator(".advice").first().waitFor({ timeout: 5_000 }).then(() => true, () => false); // it comes after the question
});
const targets = page.locator(".choice:not([aria-disabled])");
await targets.first().hover();
const card = page.locator(".preview .odds-card");
await card.waitFor();
const chances = (await card.locator(".chance .amount").allTextContents()).map((share) => Number.parseFloat(share));
check(chances.length > 1 && chances.every((share) => share >= 0 && share <= 100), `exact odds: ${chances}`);
check(RULE.test(await card.innerText()), "each part of the score with its rule");
const impossible = page.locator(".option.refused");
if (await impossible.count()) check(RULE.test(await impossible.first().textContent()), "a target that is not possible has its rule");

// the ruler, and a line of sight
await page.keyboard.press("Escape");
const [ours, theirs] = ["a", "b"].map((side) => page.locator(`.pieces .piece.side-${side} .base`).first());
for (const [key, wanted] of [["r", /\d+(\.\d)? in/], ["l", /(Clear line of sight|Blocked).*\d+(\.\d)? in/]]) {
  await page.keyboard.press(key);
  await ours.click({ force: true });
  await theirs.click({ force: true });
  await page.locator(".tool-hint").filter({ hasText: wanted }).waitFor();
  await page.keyboard.press("Escape");
}
console.log("planned:", measured, "|", chances.join(" "));
await done(browser);
