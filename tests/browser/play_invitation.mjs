// Two browsers by invitation: a whole game, one connection cut and restored in the middle, something taken back with consent, a spectator.
import { acknowledged, begin, check, decide, done, invitations, open, playBoth, replay, untilAsked } from "./browser.mjs";

const home = await open();
const away = await open();
const pages = [home.page, away.page];
await begin(home.page, { mode: "invite", side: "a" });
const links = await invitations(home.page);
await away.page.goto(links.b);
await away.page.waitForSelector(".decision h2");
const seen = [{}, {}];
check(!(await playBoth(pages, seen, 8)), "it is not over so soon");

// the line is cut: the table says so, and comes back to the present
await away.context.setOffline(true);
await away.page.locator(".banner.lost").waitFor();
await away.context.setOffline(false);
await away.page.locator(".banner.lost").waitFor({ state: "detached" });

// a spectator sees the table, and is asked nothing
const watcher = await open();
await watcher.page.goto(links.watch);
await watcher.page.waitForSelector(".piece");
check(!(await watcher.page.locator(".decision[data-ask]").count()), "a spectator decides nothing");
await done(watcher);

// what has been seen by the other is taken back only with his consent
const canAsk = (page) => page.locator(".undo-bar button:not([disabled])").filter({ hasText: "Ask" }).count();
let asker = -1;
const over = await playBoth(pages, seen, 60, async () => {
  for (const [n, page] of pages.entries()) if (await canAsk(page)) asker = n;
  return asker >= 0;
});
check(!over && asker >= 0, "something can be taken back with consent");
const [wants, grants] = [pages[asker], pages[1 - asker]];
await wants.locator(".undo-bar button").click();
await grants.locator(".banner.ask button").nth(1).click(); // no
await grants.locator(".banner.ask").waitFor({ state: "detached" });
await wants.locator(".undo-bar .reason").waitFor(); // he is told so, and may ask again
await wants.locator(".undo-bar button:not([disabled])").waitFor();
const given = await wants.evaluate(() => document.querySelectorAll(".log li").length);
await acknowledged(wants, async () => {
  await wants.locator(".undo-bar button").click();
  await grants.locator(".banner.ask .primary").click(); // yes
}, "taking back");
const again = await untilAsked(wants);
check(again.state === "asked", "the one who asked is asked again");
check((await wants.locator(".log li").count()) <= given, "what was taken back is no longer in the log");
await decide(wants, seen[asker]);

check(await playBoth(pages, seen), "the game comes to its end");
for (const page of pages) await page.locator(".decision.result").waitFor();
const said = await Promise.all(pages.map((page) => page.locator(".decision.result h2").textContent()));
check(said[0] === said[1], `both have the same result: ${said}`);
const rows = await Promise.all(pages.map((page) => page.locator(".log li").count()));
check(rows[0] === rows[1], `both have the same log: ${rows} rows`);
console.log(JSON.stringify(seen), said[0]);
await replay(away.page);
await done(home);
await done(away);
