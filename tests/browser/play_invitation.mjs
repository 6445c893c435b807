// Two browsers by invitation: a part of a game, one connection cut and restored in the middle; a spectator.
import { begin, check, decide, done, open } from "./browser.mjs";

const home = await open();
const away = await open();
await begin(home.page, { mode: "invite", side: "a" });
await home.page.locator(".tools button").last().click();
const link = await home.page.locator(".invite input[data-side=b]").first().inputValue();
const watch = await home.page.locator(".invite input[data-side=public]").first().inputValue();
await home.page.keyboard.press("Escape");
await away.page.goto(link);
await away.page.waitForSelector(".decision h2");

const seen = [{}, {}];
const asked = (page) => page.evaluate(() => ({ ask: document.querySelector(".decision")?.dataset.ask ?? "", over: !!document.querySelector(".decision.result") }));
async function someone(decisions) {
  for (let i = 0; i < decisions; ) {
    for (const [n, browser] of [home, away].entries()) {
      const now = await asked(browser.page);
      if (now.over) return true;
      if (now.ask) {
        await decide(browser.page, seen[n]);
        i++;
      }
    }
    await home.page.waitForTimeout(30);
  }
  return false;
}
await someone(8);

// the line is cut: the table says so, and comes back to the present
await away.context.setOffline(true);
await away.page.locator(".banner.lost").waitFor();
await away.context.setOffline(false);
await away.page.locator(".banner.lost").waitFor({ state: "detached" });
const over = await someone(14);

if (!over) {
  // a spectator sees the table, and is asked nothing
  const watcher = await open();
  await watcher.page.goto(watch);
  await watcher.page.waitForSelector(".piece");
  check(!(await asked(watcher.page)).ask, "a spectator decides nothing");
  await done(watcher);
}
const lengths = async () => Promise.all([home, away].map((one) => one.page.locator(".log li").count()));
await home.page.waitForTimeout(400);
const [a, b] = await lengths();
check(Math.abs(a - b) <= 2, `both browsers have the same log: ${a} and ${b} rows`);
console.log(JSON.stringify(seen));
await done(home);
await done(away);
