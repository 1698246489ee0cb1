// SPDX-License-Identifier: MIT
// Answers, shapes and vectors are bit for bit the native ones: the modules in build-wasm/tests compare with what was
// recorded natively. NEARMISS_WASM_TESTS names their folder.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const folder = process.env.NEARMISS_WASM_TESTS;
const skip = folder ? false : "NEARMISS_WASM_TESTS is not set";

async function exportsOf(name) {
  const module = await WebAssembly.compile(await readFile(join(folder, `${name}.wasm`)));
  const imports = {};
  for (const each of WebAssembly.Module.imports(module)) (imports[each.module] ??= {})[each.name] = () => 8;
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize();
  return exports;
}

test("shapes and answers of a thousand poses", { skip }, async () => {
  const all = await exportsOf("portable_answers");
  assert.equal(all.portable_count(), 11);
  for (let i = 0; i < 11; ++i)
    assert.equal(BigInt.asUintN(64, all.portable_found(i)), BigInt.asUintN(64, all.portable_recorded(i)), `hash ${i}`);
  assert.ok(all.portable_touching() > 200);
});

for (const [name, wide] of [["vectors_wide", 1], ["vectors_plain", 0]])
  test(`every operation of ${name}`, { skip }, async () => {
    const all = await exportsOf(name);
    assert.equal(all.vectors_wide(), wide);
    assert.equal(all.vectors_found(), all.vectors_recorded());
  });
