import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { natoSymbols } from "./nato-symbols";

const server = process.env.SANDTABLE_SERVER ?? "http://127.0.0.1:8650";

export default defineConfig({
  plugins: [svelte(), natoSymbols()],
  base: "./",
  build: {
    outDir: "../src/sandtable/server/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
