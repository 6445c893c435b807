// A phone: the table is moved with one finger, stretched with two, and a move is tapped.
import { acknowledged, BASE, check, decide, done, open, PHONE, untilAsked, untilChecked } from "./browser.mjs";

const browser = await open({ size: PHONE, touch: true });
const { page } = browser;
const fingers = await browser.context.newCDPSession(page);
const touch = (type, ...points) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
/** The table as it is drawn: where its corner is, and how large an inch is. */
const view = () => page.evaluate(() => {
  const box = document.querySelector(".felt").getBoundingClientRect();
  return { x: box.left, y: box.top, wide: box.width };
});

await page.goto(BASE);
await page.locator('a.card[href$="/first_steps"]').tap();
await page.locator("button[type=submit]").tap();
await page.waitForSelector(".decision h2");
const wide = await page.evaluate(() => document.documentElement.scrollWidth);
check(wide <= PHONE.width, `nothing is wider than the screen: ${wide}`);

const board = await page.locator(".board").boundingBox();
const [x, y] = [board.x + board.width / 2, board.y + board.height / 2];
const first = await view();
await touch("touchStart", [x - 30, y], [x + 30, y]);
for (let i = 1; i <= 10; i++) await touch("touchMove", [x - 30 - 6 * i, y], [x + 30 + 6 * i, y]);
await touch("touchEnd");
await page.waitForFunction((before) => document.querySelector(".felt").getBoundingClientRect().width > before * 1.5, first.wide);
const large = await view();
await touch("touchStart", [x, y]);
for (let i = 1; i <= 8; i++) await touch("touchMove", [x + 8 * i, y + 5 * i]);
await touch("touchEnd");
await page.waitForFunction((before) => document.querySelector(".felt").getBoundingClientRect().left > before + 30, large.x);
const moved = await view();
check(Math.abs(moved.wide - large.wide) < 1 && moved.y > large.y + 15, "one finger moves the table and does not stretch it");
await page.locator(".zoom button").nth(2).tap();

// play until a route is asked for, then tap it
for (let i = 0; i < 40; i++) {
  const now = await untilAsked(page);
  check(now.state === "asked", "a question");
  if (now.ask === "pick_route") break;
  await decide(page, { decisions: 0 });
}
const mover = page.locator(".piece.selected");
const id = await mover.getAttribute("data-figure");
const base = await mover.locator(".base").boundingBox();
// on the table, not on the screen: that moves to whoever is asked next
const south = await mover.evaluate((piece) => parseFloat(piece.style.transform.split(",")[1]));
const north = (await page.evaluate(() => document.querySelector(".felt").getBoundingClientRect())).top;
await page.touchscreen.tap(base.x + base.width / 2 + 4, Math.max(north + 10, base.y - 14));
await page.locator(".plan .way").waitFor();
await untilChecked(page);
const furthest = page.locator("[data-do=furthest]");
if (await furthest.count()) {
  await furthest.tap();
  await untilChecked(page);
}
await acknowledged(page, () => page.locator("[data-do=go]").tap());
await page.waitForFunction(([piece, before]) => parseFloat(document.querySelector(`[data-figure="${piece}"]`).style.transform.split(",")[1]) < before, [id, south]);
console.log("stretched, moved, and walked by touch");
await done(browser);
