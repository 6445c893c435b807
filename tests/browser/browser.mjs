// Debian's Chromium, and a player who decides by real clicks and keys. He knows no game: only what stands on the screen.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "../../web/node_modules/playwright-core/index.mjs";

export const BASE = process.env.SANDTABLE_TABLE ?? "http://127.0.0.1:8650/";
export const LARGE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export function check(truth, what) {
  if (!truth) throw new Error(`not so: ${what}`);
}

/** A browser of its own, with nothing kept from before. Whatever goes wrong in a page ends the test. */
export async function open({ size = LARGE, touch = false, scheme = "light", locale = "en-GB" } = {}) {
  const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "sandtable-browser-")), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport: size,
    hasTouch: touch,
    colorScheme: scheme,
    locale,
    args: FLAGS,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on("pageerror", (problem) => problems.push(problem.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_|Failed to load resource/.test(message.text())) problems.push(message.text());
  });
  return { context, page, problems };
}

export async function done({ context, problems }) {
  await context.close();
  check(problems.length === 0, `no errors in the page, but: ${problems.slice(0, 5).join(" | ")}`);
}

const asked = (page) =>
  page.evaluate(() => {
    const shown = document.querySelector(".decision");
    if (!shown) return { state: "none", number: -1, ask: "" };
    if (shown.classList.contains("result")) return { state: "over", number: -1, ask: "" };
    if (document.querySelector(".curtain")) return { state: "curtain", number: -1, ask: "" };
    if (!shown.dataset.ask) return { state: "waiting", number: -1, ask: "" };
    const side = document.querySelector(".decision")?.getAttribute("data-player") ?? "";
    return { state: "asked", number: Number(shown.dataset.number), ask: shown.dataset.ask, side };
  });

/** Until something is asked, or the battle is over. */
export async function untilAsked(page, timeout = 30_000) {
  await page.waitForFunction(() => {
    const shown = document.querySelector(".decision");
    return shown && (shown.classList.contains("result") || (shown.dataset.ask && !document.querySelector(".decision button.primary[disabled][data-do='none']")));
  }, null, { timeout });
  return asked(page);
}

async function untilChanged(page, before) {
  await page.waitForFunction(
    ([number, side]) => {
      const shown = document.querySelector(".decision");
      return shown && (shown.dataset.number !== String(number) || shown.dataset.player !== side || document.querySelector(".decision [role=alert]"));
    },
    [before.number, before.side],
    { timeout: 30_000 },
  );
}

/** One decision, in the way that a person would take it. `seen` counts the kinds of things that were done. */
export async function decide(page, seen) {
  const before = await asked(page);
  const count = (what) => (seen[what] = (seen[what] ?? 0) + 1);
  const keyboard = (seen.decisions ?? 0) % 2 === 1;
  count("decisions");
  if (before.ask === "pick_one") {
    const moves = page.locator('.choice[data-option$=":move"]:not([aria-disabled])');
    if ((await moves.count()) && (seen.moves ?? 0) < 6) {
      count("moves");
      await moves.first().click();
    } else if (keyboard) {
      count("enter");
      await page.keyboard.press("Enter");
    } else {
      const preferred = page.locator(".choice.preferred");
      await ((await preferred.count()) ? preferred.first() : page.locator(".choice:not([aria-disabled])").last()).click();
      count("clicks");
    }
  } else if (before.ask === "pick_route") {
    if ((seen.routes ?? 0) < 8 && !keyboard) await route(page, count);
    else if ((seen.routes ?? 0) < 8) await routeByKeys(page, count);
    else {
      count("stays");
      await page.keyboard.press("s");
    }
  } else if (before.ask === "pick_places") {
    await place(page, count);
  } else if (before.ask === "type_die") {
    count("dice");
    await page.keyboard.press(String(1 + ((seen.dice ?? 0) % 6)));
  } else {
    count(before.ask);
    await page.keyboard.press("Enter");
  }
  await untilChanged(page, before);
  const refused = page.locator(".decision [role=alert]");
  if (await refused.count()) {
    // what the rules did not take is shown with its reason; the default is always there
    count("refused");
    const stay = page.locator("[data-do=stay]");
    if (await stay.count()) await stay.click();
    else await page.keyboard.press("Enter");
    await untilChanged(page, before);
  }
}

/** Click on the table where the piece should go; go as far as the rules allow, or stay. */
async function route(page, count) {
  count("routes");
  const piece = await page.locator(".piece.selected .base").first().boundingBox();
  const board = await page.locator(".board").boundingBox();
  const middle = { x: board.x + board.width / 2, y: board.y + board.height / 2 };
  const from = { x: piece.x + piece.width / 2, y: piece.y + piece.height / 2 };
  const far = Math.hypot(middle.x - from.x, middle.y - from.y) || 1;
  const step = Math.min(far, 90);
  await page.mouse.click(from.x + ((middle.x - from.x) / far) * step, from.y + ((middle.y - from.y) / far) * step);
  await settle(page, count);
}

async function routeByKeys(page, count) {
  count("routes");
  await page.locator(".board svg").focus();
  for (const key of ["ArrowUp", "ArrowUp", "Space", "ArrowRight", "]"]) await page.keyboard.press(key);
  await settle(page, count);
}

/** Until the rules have said what they think of the answer in the making. */
export async function untilChecked(page) {
  await page.waitForFunction(() => document.querySelector(".decision")?.getAttribute("aria-busy") !== "true");
}

async function settle(page, count) {
  await untilChecked(page);
  const go = page.locator("[data-do=go]");
  const furthest = page.locator("[data-do=furthest]");
  if ((await furthest.count()) && (await go.isDisabled())) {
    await furthest.click();
    count("cut short");
    await untilChecked(page);
  }
  if ((await go.count()) && (await go.isEnabled())) await go.click();
  else {
    count("stays");
    await page.locator("[data-do=stay]").click();
  }
}

async function drag(page, piece, dx, dy) {
  const box = await piece.locator(".base").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 2 });
  await page.mouse.up();
  await untilChecked(page);
}

/** Drag a piece a little, see that it may stand there, and confirm; else take it as it was. */
async function place(page, count) {
  count("places");
  const piece = page.locator("[data-place]").first();
  const confirm = page.locator("[data-do=place]");
  await untilChecked(page);
  if (await piece.count()) {
    await drag(page, piece, 6, 4);
    if (await confirm.isDisabled()) {
      count("refused places");
      await drag(page, piece, -6, -4);
    }
  }
  await confirm.click();
}

/** A whole game from this page's seat (or seats). */
export async function playOn(page, seen = {}, most = 400) {
  for (let i = 0; i < most; i++) {
    const now = await untilAsked(page);
    if (now.state === "over") return seen;
    if (now.state === "curtain") await page.locator(".curtain button").click();
    else await decide(page, seen);
  }
  throw new Error(`the game is not over after ${most} decisions`);
}

export async function begin(page, { scenario = "first_steps", mode = "bot", side = "a", typed = [] } = {}) {
  await page.goto(BASE);
  await page.locator(`a.card[href$="/${scenario}"]`).click();
  await page.locator(`input[name=mode][value=${mode}]`).check();
  if (mode !== "hot") await page.locator(`input[name=side][value=${side}]`).check();
  for (const place of typed) await page.locator(".dice-of").nth(place).locator("button").nth(1).click();
  await page.locator("button[type=submit]").click();
  await page.waitForSelector(".decision h2");
}
