// A whole game of the teaching scenario against the bot, by clicks and keys; then its replay, and the list of tables.
import { BASE, begin, check, decide, done, open, playOn, untilAsked } from "./browser.mjs";

const browser = await open();
const { page } = browser;
await begin(page);

// nothing rolled, nothing revealed: the first decision is taken back, and asked again
const question = await page.locator(".decision h2").textContent();
await decide(page, {});
await untilAsked(page);
check((await page.locator(".decision h2").textContent()) !== question, "another question follows");
await page.keyboard.press("u");
await page.waitForFunction((text) => document.querySelector(".decision h2")?.textContent === text, question);

const seen = await playOn(page);
console.log(JSON.stringify(seen));
check(seen.decisions > 10, "more than ten decisions were taken");
check((seen.routes ?? 0) > 1 && (seen.places ?? 0) > 1, "routes were drawn and pieces placed");
await page.locator(".decision.result").waitFor();
check(await page.locator(".log li").count(), "the log has entries");

// each number explains itself
await page.locator(".log .why").last().click();
check(await page.locator(".trace li").count(), "a trace opens");

// the replay goes from the first moment to the last
await page.locator(".decision.result .primary").click();
const range = page.locator(".player input[type=range]");
await range.waitFor();
await page.waitForFunction(() => Number(document.querySelector(".player input[type=range]").max) > 20);
await page.locator(".player .actions button").nth(4).click();
await page.locator(".player select").nth(1).selectOption("all");
await page.locator(".player .actions button").nth(0).click();
await page.locator("[data-do=play]").click();
await page.waitForFunction(() => Number(document.querySelector(".player input[type=range]").value) > 2);

// the save goes out and comes in again
await page.goto(page.url().replace("#/replay", "#/match"));
await page.locator(".decision.result").waitFor();
const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".decision.result .actions button").nth(1).click()]);
await page.goto(BASE);
await page.locator(".tables li").first().waitFor();
await page.locator("input[type=file]").setInputFiles(await download.path());
await page.locator(".player").waitFor();
await done(browser);
