// Pictures of every screen, in both sizes, for docs/screenshots: node tests/browser/screenshots.mjs [part of a set's name]
// SANDTABLE_PICTURES=folder puts them elsewhere, as PNG.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BASE, begin, decide, LARGE, open, PHONE, untilAsked, untilChecked } from "./browser.mjs";

const elsewhere = process.env.SANDTABLE_PICTURES;
const folder = elsewhere ? `${elsewhere}/` : fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
mkdirSync(folder, { recursive: true });
const FEW = ["home", "deploying", "moving", "shooting"];
const SETS = [
  { name: "large", size: LARGE, theme: "light", language: "en", pieces: "nato" },
  { name: "large-dark-pl", size: LARGE, theme: "dark", language: "pl", pieces: "nato", only: FEW },
  { name: "large-contrast-it", size: LARGE, theme: "contrast", language: "it", pieces: "top", only: FEW },
  { name: "phone", size: PHONE, theme: "light", language: "en", pieces: "nato" },
  { name: "phone-dark-pl", size: PHONE, theme: "dark", language: "pl", pieces: "top", only: FEW },
  { name: "phone-contrast-it", size: PHONE, theme: "contrast", language: "it", pieces: "nato", only: FEW },
];

for (const set of SETS.filter((one) => !process.argv[2] || one.name === process.argv[2])) {
  const browser = await open({ size: set.size, touch: set.size === PHONE });
  const { page } = browser;
  const devtools = await browser.context.newCDPSession(page);
  await page.addInitScript((kept) => {
    for (const name of ["theme", "language", "pieces"]) localStorage.setItem(`sandtable.${name}`, kept[name]);
  }, set);
  const wants = (what) => !set.only || set.only.includes(what);
  const taken = new Set();
  const shot = async (what, wait = 500) => {
    if (taken.has(what) || !wants(what)) return;
    taken.add(what);
    await page.waitForTimeout(wait); // what glides has come to rest
    const { data } = await devtools.send("Page.captureScreenshot", elsewhere ? { format: "png" } : { format: "webp", quality: 68 });
    writeFileSync(`${folder}${set.name}-${what}.${elsewhere ? "png" : "webp"}`, Buffer.from(data, "base64"));
  };
  const phone = set.size === PHONE;
  const turn = async () => Number((await page.locator(".phase-bar .turn strong").textContent()).replace(/\D/g, ""));
  /** Play on until something is so. */
  async function until(what, most = 150, seen = {}) {
    for (let i = 0; i < most; i++) {
      const now = await untilAsked(page);
      if (now.state !== "asked") return false;
      if (await what(now)) return true;
      await decide(page, seen);
    }
    return false;
  }
  const inch = async (wide) => (await page.locator(".felt").boundingBox()).width / wide;

  await page.goto(BASE);
  await page.waitForSelector("a.card svg");
  await shot("home", 900);
  if (wants("new-game")) {
    await page.locator('a.card[href$="/crossroads"]').click();
    await page.waitForSelector(".begin-map svg");
    await shot("new-game");
    await page.goto(BASE);
    await page.locator(".welcome").click();
    await page.waitForSelector(".guide");
    await shot("guide", 700);
    // real dice, typed in; and an invitation
    await begin(page, { mode: "hot", typed: [0, 1] });
    await untilAsked(page);
    await shot("real-dice");
    await begin(page, { mode: "invite" });
    await page.locator(".tools button").last().click();
    await shot("invitation");
  }

  // Flames of War: deploying, moving, sight, shooting, the log, a card
  await begin(page, { game: "flames_of_war", scenario: "crossroads" });
  await until((now) => now.ask === "pick_places");
  await shot("deploying");
  await until(async (now) => now.ask === "pick_one" && (await page.locator('.choice[data-option="a_panzer:move"]').count()) > 0);
  await page.locator('.choice[data-option="a_panzer:move"]').click();
  await until((now) => now.ask === "pick_route");
  const base = await page.locator(".piece.selected .base").boundingBox();
  const unit = await inch(72);
  const [x, y] = [base.x + base.width / 2, base.y + base.height / 2];
  await page.mouse.click(x + 1.5 * unit, y - 5 * unit);
  await untilChecked(page);
  if (!phone) await page.mouse.move(x + 6 * unit, y - 11 * unit);
  await shot("moving", 800);
  await page.keyboard.press("Enter");
  if (wants("sight")) {
    await untilAsked(page);
    await page.keyboard.press("Escape");
    await page.locator(".tools button").nth(1).click();
    await page.locator(".zoom button").nth(2).click();
    const pieces = async (side) => page.locator(`.pieces .piece.side-${side} .base`).first();
    await (await pieces("a")).click({ force: true });
    await (await pieces("b")).click({ force: true });
    await page.locator(".tool-hint").filter({ hasText: /\d/ }).waitFor();
    await shot("sight");
    await page.keyboard.press("Escape");
  }
  // a target that it is worth to fire at: the first number of the advice is not nought
  let target = -1;
  const targets = async (now) => {
    const said = now.ask === "pick_one" ? await page.locator(".option").evaluateAll((all) => all.map((one) => one.querySelector(".advice")?.textContent ?? "")) : [];
    target = said.findIndex((advice) => Number.parseFloat((/\d+([.,]\d+)?/.exec(advice)?.[0] ?? "0").replace(",", ".")) > 0.3);
    return target >= 0;
  };
  if (await until(targets)) {
    // the shooter with its rings, and the odds of that target
    const preferred = page.locator(".option").nth(target).locator(".choice");
    if (phone) await preferred.focus();
    else await preferred.hover();
    await page.locator(".preview .odds-card").waitFor();
    await shot("shooting", 900);
  }
  if (!set.only) {
    await until(async () => (await page.locator(".log .why").count()) > 2 && (await turn()) > 0, 40);
    await page.keyboard.press("Escape");
    await page.locator("#tab-log").click();
    await page.locator(".log .segments button").nth(1).click();
    await page.locator(".log .why").last().click();
    if (phone) await page.locator(".log .trace").last().scrollIntoViewIfNeeded();
    await shot("log");
    await page.locator(".log .segments button").first().click();
    await page.locator("#tab-forces").click();
    await page.locator(".group").first().click();
    await shot("forces");
    await page.locator("#tab-card").click();
    await page.locator(".unit-card .near .amount").filter({ hasText: /\d/ }).first().waitFor().catch(() => null);
    if (phone) await page.locator(".unit-card").scrollIntoViewIfNeeded();
    await shot("card", 700);
    await page.goto(page.url().replace("#/match", "#/replay"));
    await page.locator(".player input").waitFor();
    await page.waitForFunction(() => Number(document.querySelector(".player input[type=range]").max) > 20);
    await page.locator(".player .actions button").nth(4).click();
    await shot("replay", 900);

    // Micro Armour: a mission with its templates, and an interrupt
    await begin(page, { game: "micro_armour", scenario: "crossroads" });
    const mission = page.locator('.choice[data-option^="mission"]:not([aria-disabled])');
    if (await until(async () => (await mission.count()) > 0, 60, { bold: 99 })) {
      await mission.first().click();
      await until((now) => now.ask === "pick_places", 4, { decisions: 2, bold: 99 });
      await page.locator(".placings button").first().click();
      const target = await page.locator(".pieces .piece.side-b .base").nth(1).boundingBox();
      const marker = await page.locator("[data-place] .base").first().boundingBox();
      await page.mouse.move(marker.x + marker.width / 2, marker.y + marker.height / 2);
      await page.mouse.down();
      await page.mouse.move(target.x + target.width / 2 + 4, target.y + target.height / 2 + 4, { steps: 3 });
      await page.mouse.up();
      await untilChecked(page);
      await shot("template");
      await page.locator("[data-do=reset]").click();
      await untilChecked(page);
      if (await until(async () => (await page.locator(".kicker.interrupt").count()) > 0, 80, { bold: 99 })) {
        const first = page.locator(".choice:not([aria-disabled])").first();
        if (!phone) await first.hover();
        await shot("interrupt", 900);
      }
    }
  }
  console.log(set.name, [...taken].join(" "));
  await browser.context.close();
}
