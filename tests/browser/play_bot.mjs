// A whole game of the teaching scenario against the bot, by clicks and keys; taken back, replayed, saved and opened again.
import { BASE, begin, check, decide, done, open, playOn, replay, untilAsked } from "./browser.mjs";

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

// left in the middle and resumed: the same question is there
const seen = {};
check(!(await playOn(page, seen, 12)), "it is not over so soon");
await untilAsked(page);
const before = await page.locator(".decision h2").textContent();
await page.goto(BASE);
await page.locator(".tables .primary").first().click();
await untilAsked(page);
check((await page.locator(".decision h2").textContent()) === before, "the same question after coming back");

check(await playOn(page, seen), "the game comes to its end");
console.log(JSON.stringify(seen));
check(seen.decisions > 10, "more than ten decisions were taken");
check((seen.routes ?? 0) > 1 && (seen.places ?? 0) > 1, "routes were drawn and pieces placed");
await page.locator(".decision.result").waitFor();
check(await page.locator(".log li").count(), "the log has entries");

// each number explains itself
await page.locator(".log .why").last().click();
check(await page.locator(".trace li").count(), "a trace opens");
// the log is searched and filtered
const rows = await page.locator(".log li").count();
await page.locator(".log .segments button").nth(1).click();
const rolled = await page.locator(".log li").count();
check(rolled > 0 && rolled < rows, "fewer rows with dice than all");
await page.locator(".log .segments button").first().click();
await page.locator(".log input[type=search]").fill("zzz nothing");
await page.locator(".log li.quiet").waitFor();
await page.locator(".log input[type=search]").fill("");

await replay(page);

// the save goes out and comes in again
await page.goto(page.url().replace("#/replay", "#/match"));
await page.locator(".decision.result").waitFor();
await Promise.all([page.waitForEvent("download"), page.locator(".decision.result .actions button").nth(1).click()]);
await page.goto(BASE);
const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".tables [data-do=save]").first().click()]);
await page.locator("input[type=file]").setInputFiles(await download.path());
await page.locator(".player").waitFor();
await done(browser);
