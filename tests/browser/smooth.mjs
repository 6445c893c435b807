// Panning and zooming with 150 pieces on the table: how long the frames are. The pieces of the greeting are doubled until there are so many.
import { begin, check, done, open } from "./browser.mjs";

const PIECES = 150;
const browser = await open();
const { page } = browser;
await page.routeWebSocket(/api\/table/, (socket) => {
  const server = socket.connectToServer();
  socket.onMessage((message) => server.send(message));
  server.onMessage((message) => {
    const told = JSON.parse(message);
    if (told.type === "hello") {
      const { figures, width, height } = told.scene;
      const models = figures.length ? figures : [{ side: "a", name: { id: "x" }, group: "g", facing: 20, width: 1500, depth: 2000, symbol: "tank", letter: "T", states: ["moved", "pinned"] }];
      for (let i = figures.length; i < PIECES; i++) {
        const model = models[i % models.length];
        figures.push({ ...model, id: `more${i}`, group: `more${i % 20}`, side: i % 2 ? "a" : "b", x: ((i % 15) + 0.6) * (width / 15.5), y: (Math.floor(i / 15) + 0.6) * (height / 10.5), facing: (i * 37) % 360 });
      }
    }
    socket.send(JSON.stringify(told));
  });
});
await begin(page, { scenario: process.argv[2] ?? "river_line" });
await page.waitForFunction((many) => document.querySelectorAll(".pieces .piece").length >= many, PIECES);

const board = await page.locator(".board").boundingBox();
const [x, y] = [board.x + board.width * 0.8, board.y + board.height * 0.5];
async function frames(what) {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.ticking_ = requestAnimationFrame(tick);
    };
    window.ticking_ = requestAnimationFrame(tick);
  });
  await what();
  const found = await page.evaluate(() => (cancelAnimationFrame(window.ticking_), window.frames_.slice(2)));
  found.sort((a, b) => a - b);
  return { median: found[Math.floor(found.length / 2)], p95: found[Math.floor(found.length * 0.95)], frames: found.length };
}

await page.mouse.move(x, y);
for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -240);
const panning = await frames(async () => {
  await page.mouse.down();
  for (let i = 0; i < 120; i++) await page.mouse.move(x - 3 * (i < 60 ? i : 120 - i), y - 2 * (i < 60 ? i : 120 - i));
  await page.mouse.up();
});
const zooming = await frames(async () => {
  for (let i = 0; i < 60; i++) await page.mouse.wheel(0, i < 30 ? 30 : -30);
});
const said = (of) => `median ${of.median.toFixed(1)} ms, p95 ${of.p95.toFixed(1)} ms of ${of.frames} frames`;
console.log(`panning with ${PIECES} pieces: ${said(panning)}; zooming: ${said(zooming)}`);
const most = Number(process.env.SANDTABLE_FRAME ?? 34);
check(panning.median < most, `half of the frames take less than ${most} ms: ${said(panning)}`);
await done(browser);
