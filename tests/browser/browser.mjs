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
  page.setDefaultTimeout(40_000);
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

/** How the table stands: over, curtain (the screen has to be passed), asked, waiting, sending (an answer is on its way) or loading; and how
    many answers of this browser the server has stored. */
export const stands = (page) =>
  page.evaluate(() => {
    const table = document.querySelector(".table-page");
    const shown = document.querySelector(".decision");
    const state = table?.dataset.state ?? "loading";
    return { state, given: Number(table?.dataset.given ?? 0), number: Number(shown?.dataset.number ?? -1), ask: shown?.dataset.ask ?? "", side: shown?.dataset.player ?? "" };
  });

/** Until something is asked and no answer is on its way, or the screen has to be passed, or the battle is over. */
export async function untilAsked(page, timeout = 30_000) {
  await page.waitForFunction(() => ["asked", "curtain", "over"].includes(document.querySelector(".table-page")?.dataset.state), null, { timeout });
  return stands(page);
}

/** Until the server has stored an answer (or has taken some back), or has refused it. */
async function untilTaken(page, before, what) {
  try {
    await page.waitForFunction(
      (given) => Number(document.querySelector(".table-page")?.dataset.given) !== given || document.querySelector(".decision [role=alert]"),
      before.given,
      { timeout: 30_000 },
    );
  } catch {
    throw new Error(`nothing came of ${what}: ${(await page.locator(".decision").innerText()).slice(0, 600)}`);
  }
}

/** Answer, take back or consent by what `act` does, and wait for the server's acknowledgement. */
export async function acknowledged(page, act, what = "an answer") {
  const before = await stands(page);
  await act();
  await untilTaken(page, before, what);
}

const BOLD = 14;

/** One decision, in the way that a person would take it: by turns with the mouse and with keys. `seen` counts what was done. */
export async function decide(page, seen) {
  const before = await stands(page);
  const count = (what) => (seen[what] = (seen[what] ?? 0) + 1);
  const keyboard = (seen.decisions ?? 0) % 2 === 1;
  count("decisions");
  if (before.ask === "pick_one") {
    const moves = page.locator('.choice[data-option$=":move"]:not([aria-disabled])');
    const other = page.locator(".choice:not(.preferred):not([aria-disabled])");
    const idle = /^(pass|done|wait|let|no|none|end)/.test((await page.locator(".choice.preferred").first().getAttribute("data-option").catch(() => "")) ?? "");
    if ((await moves.count()) && (seen.moves ?? 0) < 6) {
      count("moves");
      await moves.first().click();
    } else if (idle && (seen.bold ?? 0) < BOLD && seen.decisions % 3 === 0 && (await other.count())) {
      // where the default is to do nothing, something is done now and then
      count("bold");
      const way = (seen.bold ?? 0) % 2 ? "click" : "key";
      const number = await other.first().locator("kbd").textContent();
      if (way === "click" || Number(number) > 9) await other.first().click();
      else await page.keyboard.press(number);
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
    const empty = before.ask === "pick_several" && !(await page.locator(".choice[aria-pressed=true]").count());
    if (empty) await page.locator(".choice:not([aria-disabled])").first().click();
    if (keyboard) await page.keyboard.press("Enter");
    else await page.locator(".decision .actions .primary").click();
  }
  await untilTaken(page, before, `an answer to ${before.ask}`);
  const refused = page.locator(".decision [role=alert]");
  if (await refused.count()) {
    // what the rules did not take is shown with its reason; the default is always there
    count("refused");
    const stay = page.locator("[data-do=stay]");
    if (await stay.count()) await stay.click();
    else if (before.ask === "pick_several") {
      for (const on of await page.locator(".choice[aria-pressed=true]").all()) await on.click();
      await page.keyboard.press("Enter");
    } else await page.keyboard.press("Enter");
    await untilTaken(page, before, `an answer to ${before.ask}`);
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
      await page.locator("[data-do=reset]").click();
      await untilChecked(page);
    }
  }
  await confirm.click();
}

/** A game from this page's seat (or seats), to its end or for some decisions. Whether it is over. */
export async function playOn(page, seen = {}, most = 400) {
  for (let i = 0; i < most; i++) {
    const now = await untilAsked(page);
    if (now.state === "over") return true;
    if (now.state === "curtain") await page.locator(".curtain button").click();
    else {
      (seen.sides ??= new Set()).add(now.side);
      await decide(page, seen);
    }
  }
  return false;
}

/** Whichever page is asked something first. One look at a time: waits left over on the other page would go on burning time. */
async function oneAsked(pages, timeout = 60_000) {
  for (const until = Date.now() + timeout; Date.now() < until; await new Promise((done) => setTimeout(done, 20)))
    for (const [n, page] of pages.entries()) {
      const now = await stands(page);
      if (now.state === "asked" || now.state === "over") return { n, now };
    }
  throw new Error("nobody is asked anything");
}

/** Two players in two browsers, whoever is asked, to the end or for some decisions. Whether it is over. */
export async function playBoth(pages, seen, most = 600, until = () => false) {
  for (let i = 0; i < most; i++) {
    const turns = await oneAsked(pages);
    if (turns.now.state === "over") return true;
    if (await until(pages[turns.n], turns.n)) return false;
    await decide(pages[turns.n], seen[turns.n]);
  }
  return false;
}

export async function begin(page, { game = "", scenario = "first_steps", mode = "bot", side = "a", typed = [] } = {}) {
  await page.goto(game ? `${BASE}#/play/${game}` : BASE);
  await page.locator(`a.card[href$="/${scenario}"]`).click();
  await page.locator(`input[name=mode][value=${mode}]`).check();
  if (mode !== "hot") await page.locator(`input[name=side][value=${side}]`).check();
  for (const place of typed) await page.locator(".dice-of").nth(place).locator("button").nth(1).click();
  await page.locator("button[type=submit]").click();
  await page.waitForSelector(".decision h2");
}

/** The links that a host sends: to the other side, and to those who watch. */
export async function invitations(page) {
  await page.locator(".tools button").last().click();
  const link = (side) => page.locator(`.invite input[data-side=${side}]`).first().inputValue();
  const found = { b: await link("b"), watch: await link("public") };
  await page.keyboard.press("Escape");
  return found;
}

/** From the end of a game to its replay: the first moment, the last, everything revealed, and playing by itself. */
export async function replay(page) {
  await page.locator(".decision.result .primary").click();
  const range = page.locator(".player input[type=range]");
  await range.waitFor();
  const at = (place) => page.waitForFunction((wanted) => { const range = document.querySelector(".player input[type=range]"); return wanted === "end" ? range.value === range.max : Number(range.value) >= wanted; }, place);
  await page.waitForFunction(() => Number(document.querySelector(".player input[type=range]").max) > 20);
  await page.locator(".player .actions button").nth(4).click();
  await at("end");
  const last = await page.locator(".player .sentence").textContent();
  check(last && last !== "…", "the last moment is said in words");
  await page.locator(".player select").nth(1).selectOption("all");
  await page.waitForFunction(() => document.querySelectorAll(".pieces .piece").length > 0);
  await page.locator(".player .actions button").nth(0).click();
  await page.keyboard.press("k");
  await at(1);
  await page.locator(".player select").first().selectOption("8");
  await page.locator("[data-do=play]").click();
  await at(4);
}
