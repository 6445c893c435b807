// A whole game of another system against the bot: the client knows none of them. node play_every_game.mjs GAME SCENARIO
import { BASE, check, done, open, playOn } from "./browser.mjs";

const [, , game, scenario] = process.argv;
const browser = await open();
const { page } = browser;
await page.goto(`${BASE}#/play/${game}/${scenario}`);
await page.locator("button[type=submit]").click();
await page.waitForSelector(".decision h2");
const seen = await playOn(page, {}, 1500);
console.log(game, scenario, JSON.stringify(seen));
check(await page.locator(".decision.result h2").textContent(), "somebody won, or nobody");
await done(browser);
