// Pictures of every screen, in both sizes, for docs/screenshots: node tests/browser/screenshots.mjs [part of a name]
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BASE, begin, decide, LARGE, open, PHONE, untilAsked } from "./browser.mjs";

const folder = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
mkdirSync(folder, { recursive: true });
const SETS = [
  { name: "large-light-en", size: LARGE, theme: "light", language: "en", pieces: "nato", scenario: "river_line" },
  { name: "large-dark-pl", size: LARGE, theme: "dark", language: "pl", pieces: "nato", scenario: "crossroads", only: ["home", "deciding", "route"] },
  { name: "large-contrast-it", size: LARGE, theme: "contrast", language: "it", pieces: "top", scenario: "first_steps", only: ["home", "deciding", "route"] },
  { name: "phone-light-pl", size: PHONE, theme: "light", language: "pl", pieces: "nato", scenario: "first_steps" },
  { name: "phone-dark-en", size: PHONE, theme: "dark", language: "en", pieces: "top", scenario: "first_steps", only: ["home", "deciding", "route"] },
];

for (const set of SETS.filter((one) => one.name.includes(process.argv[2] ?? ""))) {
  const browser = await open({ size: set.size, touch: set.size === PHONE });
  const { page } = browser;
  await page.addInitScript((kept) => {
    for (const name of ["theme", "language", "pieces"]) localStorage.getItem(`sandtable.${name}`) ?? localStorage.setItem(`sandtable.${name}`, kept[name]);
  }, set);
  const taken = new Set();
  const shot = async (what, wait = 400) => {
    if (taken.has(what) || (set.only && !set.only.includes(what))) return;
    taken.add(what);
    await page.waitForTimeout(wait);
    await page.screenshot({ path: `${folder}${set.name}-${what}.jpg`, type: "jpeg", quality: 78 });
  };
  await page.goto(BASE);
  await page.waitForSelector("a.card svg");
  await shot("home", 800);
  await page.locator(`a.card[href$="/${set.scenario}"]`).click();
  await page.waitForSelector(".begin-map svg");
  await shot("begin");
  if (!set.only) {
    await page.goto(BASE);
    await page.locator(".welcome").click();
    await page.waitForSelector(".guide");
    await shot("guide", 700);
    // real dice, typed in
    await begin(page, { mode: "hot", typed: [0, 1] });
    await untilAsked(page);
    await shot("die");
    await begin(page, { mode: "invite" });
    await page.locator(".tools button").last().click();
    await shot("menu");
  }
  await begin(page, { scenario: set.scenario });
  const seen = {};
  for (let i = 0; i < 70; i++) {
    const now = await untilAsked(page);
    if (now.state !== "asked") break;
    const turn = (await page.locator(".phase-bar .turn strong").textContent()).replace(/\D/g, "");
    if (now.ask === "pick_places") await shot("deploying");
    if (now.ask === "pick_several" && turn !== "0") await shot("several");
    if (now.ask === "pick_route" && !taken.has("route")) {
      const piece = await page.locator(".piece.selected .base").first().boundingBox();
      await page.mouse.click(piece.x + piece.width / 2 + 24, piece.y - (set.size === PHONE ? 26 : 70));
      await shot("route", 700);
    }
    if (now.ask === "pick_one" && turn !== "0") {
      const advice = page.locator(".advice");
      if (await advice.count()) {
        await advice.first().click();
        await shot("odds", 900);
      } else if ((await page.locator(".choice").count()) > 3) await shot("deciding", 700);
    }
    if (taken.has("odds") || (set.only && set.only.every((what) => taken.has(what)))) break;
    await decide(page, seen);
  }
  if (!set.only) {
    const board = await page.locator(".board").boundingBox();
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.mouse.click(board.x + board.width * 0.35, board.y + board.height * 0.7);
    await page.mouse.click(board.x + board.width * 0.62, board.y + board.height * 0.42);
    await shot("ruler");
    await page.keyboard.press("Escape");
    await page.locator("#tab-forces").click();
    await page.locator(".group").first().click();
    await shot("forces");
    await page.locator("#tab-card").click();
    await shot("piece");
    await page.goto(page.url().replace("#/match", "#/replay"));
    await page.locator(".player input").waitFor();
    await page.waitForTimeout(1200);
    await page.locator(".player .actions button").nth(4).click();
    await shot("replay", 700);
  }
  await browser.context.close();
}
