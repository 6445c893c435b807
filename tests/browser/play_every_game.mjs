// A whole game of a system against the bot: the client knows none of them. node play_every_game.mjs GAME SCENARIO
import { begin, check, done, open, playOn, replay } from "./browser.mjs";

const [, , game, scenario] = process.argv;
const browser = await open();
const { page } = browser;
await begin(page, { game, scenario });
const seen = {};
check(await playOn(page, seen, 1500), "the game comes to its end");
console.log(game, scenario, JSON.stringify(seen));
check(await page.locator(".decision.result h2").textContent(), "somebody won, or nobody");
check((seen.places ?? 0) > 0 && seen.decisions > 20, "pieces were placed, decisions taken");
check((seen.routes ?? 0) + (seen.bold ?? 0) > 3, "something was done, not only the default taken");
await replay(page);
await done(browser);
