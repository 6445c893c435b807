// Micro Armour, two browsers: a mission that one side writes down is in no byte that reaches the other, or those who watch, before it is fired.
import { acknowledged, begin, check, decide, done, invitations, open, playBoth, untilAsked, untilChecked } from "./browser.mjs";

const listen = (browser) => {
  const frames = { in: [], out: [] };
  browser.page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => frames.in.push(String(payload)));
    socket.on("framesent", ({ payload }) => frames.out.push(String(payload)));
  });
  browser.page.on("response", async (answer) => {
    if (answer.url().includes("/api/match")) frames.in.push(await answer.text().catch(() => ""));
  });
  return frames;
};
const [home, away, watcher] = [await open(), await open(), await open()];
const [ours, theirs, watched] = [home, away, watcher].map(listen);
const pages = [home.page, away.page];
await begin(home.page, { game: "micro_armour", scenario: "crossroads", mode: "invite", side: "a" });
const links = await invitations(home.page);
await away.page.goto(links.b);
await watcher.page.goto(links.watch);
await watcher.page.waitForSelector(".board");

// until our side may write a mission
const mission = home.page.locator('.choice[data-option^="mission"]:not([aria-disabled])');
const seen = [{ bold: 99 }, { bold: 99 }];
const over = await playBoth(pages, seen, 200, async (page, n) => n === 0 && (await mission.count()) > 0);
check(!over && (await mission.count()), "a mission can be written");
await acknowledged(home.page, () => mission.first().click());
let places = null;
for (let i = 0; i < 8 && !places; i++) {
  await untilChecked(home.page);
  const now = await untilAsked(home.page);
  if (now.ask === "pick_places") {
    // an aiming point that nobody would take by chance
    await home.page.locator(".placings button").first().click();
    await home.page.locator(".board svg").focus();
    for (const key of ["ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowUp", "Shift+ArrowUp"]) await home.page.keyboard.press(key);
    await untilChecked(home.page);
    await acknowledged(home.page, () => home.page.locator("[data-do=place]").click());
    places = JSON.parse(ours.out.findLast((frame) => frame.includes('"answer"'))).answer;
  } else await decide(home.page, { decisions: 2, bold: 99 });
}
check(places, "the aiming points were given");
const points = Object.values(places);
const since = { theirs: theirs.in.length, watched: watched.in.length };
console.log("aiming points", JSON.stringify(places));

// the planning goes on to its end, and the other side moves: still nothing is known
const phase = () => home.page.locator(".phase-bar [aria-current]").textContent();
const before = await phase();
await playBoth(pages, seen, 40, async () => (await phase()) !== before);
check((await phase()) !== before, "the planning is over");
// what to look for: the aiming points as they were sent, and every corner of the circles that our own table draws around them
const drawn = ours.in.flatMap((frame) => {
  const found = JSON.parse(frame)?.scene?.marks;
  return (found?.put ?? found ?? []).filter((mark) => mark.kind === "mission").flatMap((mark) => mark.shape);
});
check(drawn.length > 8, "our own table draws the mission");
const near = ([x, y]) => points.some((point) => Math.hypot(point.x - x, point.y - y) < 600);
check(drawn.some(near), "it is drawn where it was aimed");
const pairs = [...drawn, ...points.map(({ x, y }) => [x, y])].map(([x, y]) => new RegExp(`\\b${x}\\b[^0-9]{1,12}\\b${y}\\b`));
const numbers = (frames) => frames.in.filter((frame) => pairs.some((pair) => pair.test(frame)));
check(numbers(ours).length > 0, "what is looked for can be found in our own frames");
check(theirs.in.length > since.theirs && watched.in.length > since.watched, "the others have been told something since");
for (const [who, frames] of [["the other side", theirs], ["a spectator", watched]]) {
  check(!numbers(frames).length, `${who} is told nothing of the mission: ${numbers(frames)[0]?.slice(0, 300)}`);
  check(!frames.in.some((frame) => /"kind":"mission"|mission_planned|MissionPlanned/.test(frame)), `${who} does not even learn that there is one`);
}
for (const browser of [home, away, watcher]) await done(browser);
