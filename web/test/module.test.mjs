// SPDX-License-Identifier: MIT
// Loading, the imports of the module, and what happens to an instance that runs out of memory.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import * as inline from "nearmiss/inline";
import { Nearmiss, Verdict } from "nearmiss";

import { at, cube, here } from "./support.mjs";

const wasm = fileURLToPath(import.meta.resolve("nearmiss/nearmiss.wasm"));

test("the module imports four functions and nothing else", async () => {
  const module = await WebAssembly.compile(await readFile(wasm));
  assert.deepEqual(
    WebAssembly.Module.imports(module).map((each) => `${each.module} ${each.name} ${each.kind}`).sort(),
    ["clock_time_get", "fd_close", "fd_seek", "fd_write"].map((name) => `wasi_snapshot_preview1 ${name} function`),
  );
});

test("loads from the package, bytes, a module, a response and an address", async () => {
  const bytes = await readFile(wasm);
  const server = createServer((request, answer) => {
    answer.statusCode = request.url === "/nearmiss.wasm" ? 200 : 404;
    answer.end(request.url === "/nearmiss.wasm" ? bytes : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = `http://127.0.0.1:${server.address().port}/nearmiss.wasm`;
    for (const source of [undefined, bytes, await WebAssembly.compile(bytes), await fetch(address), address]) {
      const { Shape, version } = await Nearmiss.load(source);
      assert.match(version, /^\d+\.\d+\.\d+$/);
      Shape.box([1, 1, 1]).free();
    }
    await assert.rejects(Nearmiss.load(`${address}x`), /answered 404/);
  } finally {
    server.close();
  }
});

test("the module inside a source file is the same", async () => {
  const { Shape } = await inline.load();
  const { vertices, triangles } = cube();
  const shape = Shape.fromArrays(vertices, triangles);
  assert.equal(shape.collide(here, shape, at(0.9, 0, 0)).verdict, Verdict.Contact);
});

test("refuses what is no module of this version", async () => {
  await assert.rejects(Nearmiss.load(new Uint8Array([1, 2, 3])), { name: "NearmissError", code: "BAD_FORMAT" });
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  await assert.rejects(Nearmiss.load(empty), /not nearmiss\.wasm/);
  await assert.rejects(Nearmiss.load(7), { name: "TypeError", message: /^source must be/ });
  await assert.rejects(Nearmiss.load(undefined, { clock: "sundial" }), /options\.clock must be "work" or "time"/);
});

test("an instance that runs out of memory is dead, and a fresh one can be loaded", async () => {
  const nearmiss = await Nearmiss.load(undefined, { development: false });
  const kept = nearmiss.Shape.box([1, 1, 1]);
  const world = nearmiss.World.create();
  world.add(kept, at(-5, 0, 0));
  // Fill the 4 GiB of the address space, without touching them
  const owner = kept.owner;
  for (let size = 2 ** 30; size >= 16; size /= 2)
    try {
      for (;;) owner.allocate(size);
    } catch (fault) {
      assert.equal(fault.code, "OUT_OF_MEMORY");
    }
  assert.equal(nearmiss.death, null, "lack of memory for arguments kills nothing");
  assert.throws(() => {
    for (let i = 0; i < 10_000; ++i) world.add(kept, at(3 * i, 0, 0));
  }, { name: "NearmissError", code: "OUT_OF_MEMORY", message: /ran out of memory.*fresh instance/ });
  assert.equal(nearmiss.death.code, "OUT_OF_MEMORY");
  assert.throws(() => nearmiss.Shape.box([1, 1, 1]), { code: "OUT_OF_MEMORY" });
  assert.throws(() => kept.radius, { code: "OUT_OF_MEMORY" });
  assert.throws(() => world.collisions(), { code: "OUT_OF_MEMORY" });
  kept.free();
  world.free();
  const fresh = await Nearmiss.load(nearmiss.module);
  assert.equal(fresh.death, null);
  const shape = fresh.Shape.box([1, 1, 1]);
  assert.ok(shape.isSolid);
});

test("a trap kills the instance with a sentence", async () => {
  const nearmiss = await Nearmiss.load();
  const shape = nearmiss.Shape.box([1, 1, 1]);
  assert.throws(() => shape.owner.call("nearmiss_shape_radius", 0xfffffff0), { code: "DEAD", message: /fresh instance/ });
  assert.equal(nearmiss.death.code, "DEAD");
  assert.throws(() => shape.radius, { code: "DEAD" });
});
