// SPDX-License-Identifier: MIT
// bench.mjs: one pair of trucks and two crowds, in node; the same pair by three-mesh-bvh. Microseconds as JSON.
import { Nearmiss, Verdict } from "nearmiss";
import * as THREE from "three";
import { MeshBVH } from "three-mesh-bvh";

import { crowds, drift, frameCount, meshOf, pairCount, pairPoses, shapesOf } from "./scenes.mjs";

const summary = (times) => {
  const sorted = Float64Array.from(times).sort();
  const round = (value) => Math.round(value * 10) / 10;
  return {
    mean: round(times.reduce((sum, each) => sum + each, 0) / times.length),
    p99: round(sorted[Math.floor(0.99 * (sorted.length - 1))]),
  };
};
/** The least time of several rounds of each piece of work, microseconds. Each is done `repeats` times in a row, because a clock is
 * read in about the time of the shortest. */
function measure(count, rounds, repeats, work) {
  const times = new Array(count).fill(Infinity);
  for (let round = 0; round < rounds; ++round)
    for (let i = 0; i < count; ++i) {
      const begin = performance.now();
      for (let k = 0; k < repeats; ++k) work(i);
      times[i] = Math.min(times[i], (1000 * (performance.now() - begin)) / repeats);
    }
  return summary(times);
}

const nearmiss = await Nearmiss.load();
const shapes = shapesOf(nearmiss), { truck } = shapes, here = [0, 0, 0, 0, 0, 0, 1];
const poses = pairPoses(truck.radius, pairCount), results = {};
const poseOf = (i) => poses.subarray(7 * i, 7 * i + 7);

const pair = nearmiss.Pair.create(), verdicts = new Uint8Array(pairCount);
const known = truck.collide(here, truck, here);
results["truck pair"] = measure(pairCount, 5, 10, (i) => {
  pair.begin(truck, here, truck, poseOf(i));
  verdicts[i] = pair.collide(undefined, known).verdict;
});
const touching = verdicts.filter((each) => each === Verdict.Contact).length;

for (const { name, model, bodies, room } of crowds) {
  const frames = drift(shapes[model].radius, bodies, frameCount, room), world = nearmiss.World.create();
  const handles = Uint32Array.from({ length: bodies }, () => world.add(shapes[model], here));
  let pairs = 0;
  results[name] = measure(frameCount, 3, 1, (frame) => {
    world.setPoses(handles, frames.subarray(7 * bodies * frame, 7 * bodies * (frame + 1)));
    pairs = world.collisions().count;
  });
  results[name].pairs = pairs;
  world.free();
}

if (!process.argv.includes("--alone")) {
  const { vertices, triangles } = meshOf("truck"), geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  const bvh = (geometry.boundsTree = new MeshBVH(geometry));
  const matrix = new THREE.Matrix4(), at = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
  let other = 0;
  results["truck pair, three-mesh-bvh"] = measure(pairCount, 2, 5, (i) => {
    const pose = poseOf(i);
    matrix.compose(at.fromArray(pose), turn.set(pose[3], pose[4], pose[5], pose[6]), one);
    other += bvh.intersectsGeometry(geometry, matrix) ? 1 : 0;
  });
  results["truck pair, three-mesh-bvh"].contacts = other / 10;
}
results["truck pair"].contacts = touching;
console.log(JSON.stringify(results, null, 1));
