// Micro Armour on paper: an indirect mission, smoke and an air course are written by real clicks (or taps), shown to their own side alone, and flown.
// node plans.mjs [phone] [folder for pictures]
import { acknowledged, begin, check, decide, done, LARGE, open, PHONE, untilAsked, untilChecked } from "./browser.mjs";

const phone = process.argv[2] === "phone";
const folder = process.argv[3];
const browser = await open({ size: phone ? PHONE : LARGE, touch: phone });
const { page } = browser;
const shot = async (name) => folder && (await page.waitForTimeout(400), await page.screenshot({ path: `${folder}/${phone ? "phone" : "large"}-${name}.png` }));
const press = (where) => (phone ? where.tap() : where.click());
const option = (id) => page.locator(`.choice[data-option^="${id}"]:not([aria-disabled])`).first();
const marks = (kind) => page.locator(`.mark.kind-${kind}`).count();
const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];

/** Play on until the planning asks. */
async function untilPlanning() {
  for (let i = 0; i < 80; i++) {
    const now = await untilAsked(page);
    check(now.state === "asked", "the battle goes on");
    if (await option("strike").or(option("mission")).count()) return;
    await decide(page, { bold: 99, decisions: 1, routes: 99 });
  }
  throw new Error("the planning did not come");
}
/** Put a marker on the table: choose it in the list, then click where it should be. */
async function put(name, x, y) {
  await press(page.locator(".placings button").filter({ hasText: name }).first());
  if (phone) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
  await untilChecked(page);
}

await begin(page, { game: "micro_armour", scenario: "crossroads" });
await untilPlanning();
await shot("planning");

// there is one battery: with the mouse it shells, by touch it lays smoke
for (const kind of phone ? ["smoke"] : ["mission"]) {
  await acknowledged(page, () => press(option(kind)));
  let now = await untilAsked(page);
  if (now.ask === "pick_several") {
    await acknowledged(page, () => press(page.locator(".decision .actions .primary")));
    now = await untilAsked(page);
  }
  check(now.ask === "pick_places", "where it should fall is asked");
  await untilChecked(page);
  check((await page.locator(".plan .template").count()) > 0, "the template is drawn");
  await shot(kind);
  const before = await marks("mission");
  await acknowledged(page, () => press(page.locator("[data-do=place]")));
  await untilAsked(page);
  check((await marks("mission")) > before, "the mission stands on our own table");
}

await acknowledged(page, () => press(option("strike")));
check((await untilAsked(page)).ask === "pick_places", "the course is asked for");
await untilChecked(page);
const felt = await page.locator(".felt").boundingBox();
const target = middle(await page.locator(".pieces .piece.side-b .base").first().boundingBox());
await shot("course-proposed");
// in over the west edge, at the enemy, out over the east edge: near an edge is on it
await put("entry", felt.x + 4, felt.y + felt.height * 0.4);
await put("attack", ...target);
await put("exit", felt.x + felt.width - 4, felt.y + felt.height * 0.3);
await shot("course");
check(!(await page.locator(".decision .reason").count()), `the course may be flown: ${await page.locator(".decision").innerText()}`);
await acknowledged(page, () => press(page.locator("[data-do=place]")));
await untilAsked(page);
check((await marks("course")) === 1, "the course stands on our own table");
await shot("written");
if (await option("done").count()) await acknowledged(page, () => press(option("done")));
for (let i = 0; i < 60 && (await marks("course")); i++) {
  const now = await untilAsked(page);
  if (now.state !== "asked") break;
  if (i % 8 === 7) await shot(`after-${i}`);
  await decide(page, { bold: 99, decisions: 1, routes: 99 });
}
check((await marks("course")) === 0, "the course has been flown");
await shot("flown");
console.log("written and flown");
await done(browser);
