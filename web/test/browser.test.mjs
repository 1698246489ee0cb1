// SPDX-License-Identifier: MIT
// The package in Chromium, where that is installed: loading, a worker, and clocks with and without isolation.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);
const skip = chromium ? false : "Chromium is not installed";
const dist = fileURLToPath(new URL(".", import.meta.resolve("nearmiss")));
const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

const page = `<!doctype html><script type="module">
  const told = {};
  try {
    const { Nearmiss } = await import("/index.js");
    const { load } = await import("/inline.js");
    const { ShapeBuilder } = await import("/worker.js");
    const nearmiss = await Nearmiss.load(), here = [0, 0, 0, 0, 0, 0, 1], there = [1.5, 0, 0, 0, 0, 0, 1];
    const box = nearmiss.Shape.box([1, 1, 1]);
    told.verdict = box.collide(here, box, there, { budget: 1 }).verdict;
    const other = (await load()).Shape.box([1, 1, 1]);
    told.inline = other.collide(here, other, there).verdict;
    const builder = new ShapeBuilder(), indices = Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3);
    const bytes = await builder.build(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), indices);
    told.solid = nearmiss.Shape.fromBytes(bytes).isSolid;
    builder.end();
    told.isolated = crossOriginIsolated;
    try {
      told.time = box.collide(here, box, there, { budget: 5, clock: "time" }).verdict;
    } catch (fault) {
      told.time = fault.message;
    }
    try {
      await Nearmiss.load("missing.wasm");
    } catch (fault) {
      told.missing = fault.message;
    }
  } catch (fault) {
    told.fault = String(fault && fault.stack);
  }
  await fetch("/told", { method: "POST", body: JSON.stringify(told) });
</script>`;

async function visit(headers) {
  let hear;
  const heard = new Promise((resolve) => (hear = resolve));
  const server = createServer(async (request, answer) => {
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
    if (request.method === "POST") {
      let body = "";
      for await (const part of request) body += part;
      answer.end();
      return hear(JSON.parse(body));
    }
    const name = request.url === "/" ? "page.html" : request.url.slice(1);
    answer.setHeader("Content-Type", types[extname(name)] ?? "text/plain");
    try {
      answer.end(name === "page.html" ? page : await readFile(join(dist, name)));
    } catch {
      answer.statusCode = 404;
      answer.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = await mkdtemp(join(tmpdir(), "nearmiss-browser-"));
  const browser = spawn(chromium, [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`,
    "--remote-debugging-port=0", `http://127.0.0.1:${server.address().port}/`,
  ], { stdio: "ignore" });
  const ended = new Promise((resolve) => browser.on("exit", resolve));
  try {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("the page tells nothing")), 90_000).unref());
    return await Promise.race([heard, late]);
  } finally {
    browser.kill();
    await ended;
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

test("a page that is not isolated counts work", { skip }, async () => {
  const told = await visit({});
  assert.equal(told.fault, undefined);
  assert.deepEqual([told.verdict, told.inline, told.solid, told.isolated], [2, 2, true, false]);
  assert.match(told.time, /options\.clock cannot be "time" on this page.*Cross-Origin-Opener-Policy/);
  assert.match(told.missing, /Cannot load the module: .*missing\.wasm answered 404/);
});

test("an isolated page may measure time", { skip }, async () => {
  const told = await visit({
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
  });
  assert.equal(told.fault, undefined);
  assert.deepEqual([told.verdict, told.solid, told.isolated, told.time], [2, true, true, 2]);
});
