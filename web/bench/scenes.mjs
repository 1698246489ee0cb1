// SPDX-License-Identifier: MIT
// What is measured: meshes of the project's models, and seeded poses. scenes.mjs FOLDER writes them for native.cpp.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Nearmiss } from "nearmiss";

import { randomNumbers, randomPose } from "../test/support.mjs";

const models = fileURLToPath(new URL("../../assets/models/", import.meta.url));

/** The triangles of a binary glTF file whose nodes do not move anything. */
export function meshOf(name) {
  const file = readFileSync(join(models, `${name}.glb`)), size = file.readUInt32LE(12);
  const gltf = JSON.parse(file.subarray(20, 20 + size).toString()), binary = file.subarray(28 + size);
  const numbers = (index, width, type) => {
    const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView];
    const begin = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const bytes = binary.subarray(begin, begin + width * accessor.count * type.BYTES_PER_ELEMENT);
    return new type(Uint8Array.from(bytes).buffer);
  };
  const vertices = [], triangles = [];
  for (const { primitives } of gltf.meshes)
    for (const { attributes, indices } of primitives) {
      const first = vertices.length / 3;
      for (const each of numbers(attributes.POSITION, 3, Float32Array)) vertices.push(each);
      const type = gltf.accessors[indices].componentType === 5125 ? Uint32Array : Uint16Array;
      for (const each of numbers(indices, 1, type)) triangles.push(first + each);
    }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Poses of a second body about a first one at the origin: 7 numbers each, from deep inside to just apart. */
export function pairPoses(radius, count, seed = 1) {
  const random = randomNumbers(seed), poses = new Float64Array(7 * count);
  for (let i = 0; i < count; ++i) poses.set(randomPose(random, 1.1 * radius), 7 * i);
  return poses;
}

/** Frames of bodies that drift in a box of `room` radii: frames x bodies x 7 numbers. */
export function drift(radius, bodies, frames, room, seed = 2) {
  const random = randomNumbers(seed), start = [], poses = new Float64Array(7 * bodies * frames);
  for (let i = 0; i < bodies; ++i) {
    const velocity = [0, 0, 0].map(() => (random() - 0.5) * 0.05 * radius);
    start.push({ pose: randomPose(random, room * radius), velocity });
  }
  for (let frame = 0; frame < frames; ++frame)
    start.forEach(({ pose, velocity }, i) => {
      const to = 7 * (frame * bodies + i);
      poses.set(pose, to);
      for (let k = 0; k < 3; ++k) poses[to + k] += frame * velocity[k];
    });
  return poses;
}

export const pairCount = 1000, frameCount = 40;
export const crowds = [
  { name: "100 trucks", model: "truck", bodies: 100, room: 4 },
  { name: "1000 lamps", model: "lamp", bodies: 1000, room: 10 },
];

export function shapesOf(nearmiss) {
  return Object.fromEntries(
    ["truck", "lamp"].map((name) => {
      const { vertices, triangles } = meshOf(name);
      return [name, nearmiss.Shape.fromArrays(vertices, triangles, { tree: "octree" })];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  mkdirSync(folder, { recursive: true });
  const shapes = shapesOf(await Nearmiss.load());
  for (const [name, shape] of Object.entries(shapes)) writeFileSync(join(folder, `${name}.shape`), shape.toBytes());
  writeFileSync(join(folder, "pair.poses"), pairPoses(shapes.truck.radius, pairCount));
  for (const { name, model, bodies, room } of crowds)
    writeFileSync(join(folder, `${name}.poses`), drift(shapes[model].radius, bodies, frameCount, room));
}
