// SPDX-License-Identifier: MIT
// The life of objects, and building in a worker.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { Nearmiss, Verdict } from "nearmiss";
import { ShapeBuilder } from "nearmiss/worker";

import { at, here, torus } from "./support.mjs";

test("free() gives memory back, and worlds keep what they need", async () => {
  const { vertices, triangles } = torus();
  const nearmiss = await Nearmiss.load();
  nearmiss.Shape.fromArrays(vertices, triangles).free();
  const before = nearmiss.memoryBytes;
  for (let i = 0; i < 50; ++i) {
    const world = nearmiss.World.create();
    const shape = nearmiss.Shape.fromArrays(vertices, triangles);
    world.add(shape, here);
    world.add(shape, at(0.1, 0, 0));
    shape.free();
    assert.equal(world.collisions().count, 1);
    world[Symbol.dispose]();
  }
  assert.ok(nearmiss.memoryBytes < before + 2 ** 23, `${before} to ${nearmiss.memoryBytes}`);
});

test("dropped objects are told of in development, and freed", () => {
  const program = `
    import { Nearmiss } from "nearmiss";
    const { Shape } = await Nearmiss.load(undefined, { development: process.argv[1] === "development" });
    for (let i = 0; i < 20; ++i) Shape.box([1, 1, 1]);
    for (let i = 0; i < 10; ++i) { gc(); await new Promise((resolve) => setTimeout(resolve, 10)); }
  `;
  const run = (mode) =>
    spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", program, mode], {
      cwd: import.meta.dirname, encoding: "utf8",
    });
  const told = run("development");
  assert.equal(told.status, 0, told.stderr);
  assert.match(told.stderr, /a Shape was dropped without free\(\)/);
  const silent = run("production");
  assert.equal(silent.status, 0, silent.stderr);
  assert.equal(silent.stderr, "");
});

test("a worker builds, tells how far it is, and can be cancelled", async () => {
  const builder = new ShapeBuilder();
  const { vertices, triangles } = torus();
  const nearmiss = await Nearmiss.load();
  let told = 0;
  const bytes = await builder.build(vertices, triangles, { tree: "octree", onProgress: () => void ++told });
  assert.ok(told > 2);
  assert.equal(vertices.length, 48 * 24 * 3, "the arrays are still there");
  const shape = nearmiss.Shape.fromBytes(bytes);
  assert.equal(shape.collide(here, shape, at(0.1, 0, 0)).verdict, Verdict.Contact);
  const own = nearmiss.Shape.fromArrays(vertices, triangles, { tree: "octree" });
  assert.deepEqual(own.toBytes(), bytes, "the same bytes as without a worker");

  const control = new AbortController(), large = torus(200, 100);
  const begun = builder.build(large.vertices, large.triangles, {
    tree: "variational", onProgress: () => control.abort(), signal: control.signal,
  });
  await assert.rejects(begun, { name: "AbortError" });
  await assert.rejects(builder.build(vertices, triangles, { signal: control.signal }), { name: "AbortError" });
  await assert.rejects(builder.build(vertices, Uint32Array.of(0, 1, 1e6)), /triangles\[2\] is 1000000/);
  assert.ok((await builder.build(vertices, triangles)).length > 1000, "the next build goes on");
  builder.end();
  await assert.rejects(builder.build(vertices, triangles), /was ended/);
});
