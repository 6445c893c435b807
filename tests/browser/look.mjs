// axe-core on every screen, the weight of the first visit, and how soon it is ready.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BASE, begin, check, decide, done, LARGE, open, PHONE, untilAsked } from "./browser.mjs";

const axe = readFileSync(fileURLToPath(new URL("../../web/node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const bad = [];
async function look(page, where) {
  await page.waitForLoadState("networkidle");
  const found = await page.evaluate(`(() => { ${axe}; return axe.run(document, { resultTypes: ["violations"] }); })()`);
  for (const one of found.violations)
    if (one.impact === "serious" || one.impact === "critical") bad.push(`${where}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" / ")} ${one.nodes[0].failureSummary?.slice(0, 200)}`);
}

// the first visit
{
  const browser = await open();
  const session = await browser.context.newCDPSession(browser.page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  const from = Date.now();
  await browser.page.goto(BASE);
  await browser.page.waitForSelector("a.card svg");
  const ready = Date.now() - from;
  await browser.page.waitForLoadState("networkidle");
  console.log(`first visit: ${Math.round(bytes / 1000)} kB, ready after ${ready} ms`);
  check(bytes < 300_000, `the first visit loads less than 300 kB, not ${bytes}`);
  check(ready < Number(process.env.SANDTABLE_READY ?? 1000) , `ready within a second, not ${ready} ms`);
  await done(browser);
}
for (const [size, theme] of [[LARGE, "light"], [LARGE, "dark"], [LARGE, "contrast"], [PHONE, "light"]]) {
  const browser = await open({ size, touch: size === PHONE });
  const { page } = browser;
  await page.addInitScript((wanted) => localStorage.setItem("sandtable.theme", wanted), theme);
  const where = `${size.width} ${theme}`;
  await page.goto(BASE);
  await page.waitForSelector("a.card svg");
  await look(page, `${where} home`);
  await page.locator('a.card[href$="/first_steps"]').click();
  await page.waitForSelector(".begin-map svg");
  await look(page, `${where} begin`);
  await begin(page);
  await look(page, `${where} deploying`);
  for (let i = 0; i < 7; i++) {
    await untilAsked(page);
    if ((await page.getAttribute(".decision", "data-ask")) === "pick_route") break;
    await decide(page, {});
  }
  await look(page, `${where} playing`);
  await page.locator("#tab-forces").click();
  await look(page, `${where} forces`);
  await page.locator("#tab-card").click();
  await look(page, `${where} piece`);
  // a replay, and the keys
  await page.locator("#tab-log").click();
  await page.locator(".tools button").last().click();
  await look(page, `${where} menu`);
  await page.locator(".menu > button").nth(1).click();
  await page.waitForFunction(() => Number(document.querySelector(".player input[type=range]")?.max) > 1);
  await look(page, `${where} replay`);
  await done(browser);
}
check(!bad.length, `no serious finding of axe-core:\n${bad.join("\n")}`);
