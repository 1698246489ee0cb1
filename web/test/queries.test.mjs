// SPDX-License-Identifier: MIT
// Shapes, pairs and worlds, against what is known of cubes, and against each other.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Nearmiss, Side, Verdict } from "nearmiss";

import { at, cube, here, randomNumbers, randomPose, torus } from "./support.mjs";

const nearmiss = await Nearmiss.load();
const { Shape, World, Pair } = nearmiss;
const near = (a, b, tolerance = 1e-9) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const made = ({ vertices, triangles }, settings) => Shape.fromArrays(vertices, triangles, settings);

test("cubes beside, in and inside each other", () => {
  const a = made(cube());
  const b = Shape.box([0.1, 0.1, 0.1]);
  assert.equal(a.collide(here, a, at(1.2, 0, 0)).verdict, Verdict.Separate);
  const contact = a.collide(here, a, at(0.9, 0.1, 0));
  assert.equal(contact.verdict, Verdict.Contact);
  assert.ok(contact.triangleA >= -1 && contact.triangleA < 12, "or -1 where spheres inside them prove it");
  const without = made(cube(), { tree: "none" }), byTriangles = without.collide(here, without, at(0.9, 0.1, 0));
  assert.ok(byTriangles.triangleA >= 0 && byTriangles.triangleA < 12);
  assert.equal(a.collide(here, b, here).verdict, Verdict.Contact, "containment counts");

  const gap = a.distance(here, a, at(1.25, 0, 0));
  near(gap.lower, 0.25, 1e-8);
  near(gap.upper, 0.25);
  near(gap.pointB[0] - gap.pointA[0], 0.25);
  const depth = a.penetration(here, a, at(0.75, 0, 0));
  near(depth.upper, 0.25, 1e-8);
  near(depth.direction[0], 1);

  const points = a.contacts(here, a, at(0, 0, 0.99));
  assert.equal(points.count, 4);
  for (let i = 0; i < 4; ++i) {
    near(points.values[10 * i + 9], 0.01);
    near(points.values[10 * i + 8], -1);
  }
  near(a.massProperties().volume, 1);
  near(a.radius, Math.sqrt(0.75), 1e-6);
});

test("rays, points and sides", () => {
  const a = made(cube());
  const hit = a.raycast(at(0, 0, 5), [0.1, 0.2, 0], [0, 0, 1]);
  near(hit.t, 4.5);
  near(hit.normal[2], -1);
  assert.equal(a.raycast(here, [0, 3, 0], [0, 0, 1]).t, Infinity);
  near(a.raycast(here, [0, 0, -3], [0, 0, 1], { radius: 0.5 }).t, 2);
  near(a.nearestPoint(here, [2, 0, 0]).upper, 1.5);
  assert.equal(a.sideOf(here, [0, 0, 0]), Side.Inside);
  assert.equal(a.sideOf(here, [2, 0, 0]), Side.Outside);
});

test("a quaternion is x, y, z, w as in three.js", () => {
  const long = Shape.box([2, 0.1, 0.1]);
  const small = Shape.box([0.1, 0.1, 0.1]);
  const quarterAboutZ = [0, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
  assert.equal(long.collide(quarterAboutZ, small, at(0, 1.5, 0)).verdict, Verdict.Contact);
  assert.equal(long.collide(quarterAboutZ, small, at(1.5, 0, 0)).verdict, Verdict.Separate);
});

test("bytes, scales and refits keep answers", () => {
  const a = made(torus(), { tree: "octree" });
  const b = Shape.fromBytes(a.toBytes());
  assert.deepEqual(b.toBytes(), a.toBytes());
  assert.equal(b.levelCount, a.levelCount);
  assert.ok(a.levelCount > 1);
  assert.ok(a.spheres(a.levelCount - 1).length > a.spheres(0).length);
  const twice = a.scaled(2);
  near(twice.radius, 2 * a.radius);
  const moved = a.vertices().map((each) => 1.5 * each);
  const { shape, growth } = a.refit(moved);
  near(shape.radius, 1.5 * a.radius);
  assert.ok(growth > 0.9 && growth < 1.1);
  shape.free();
});

test("a pair refines under budgets of work, equally every time, and bounds only shrink", () => {
  const a = made(torus(), { tree: "octree" });
  const random = randomNumbers(3);
  const pair = Pair.create();
  let refined = 0;
  for (let i = 0; i < 200; ++i) {
    const pose = randomPose(random, 0.9);
    const last = a.collide(here, a, pose);
    pair.begin(a, here, a, pose);
    let bound = Infinity, steps = 0, known;
    do {
      known = pair.collide({ budget: 0.002 });
      assert.ok(known.separationBound <= bound + 1e-12);
      bound = known.separationBound;
      ++steps;
    } while (known.canRefine && steps < 10_000);
    refined += steps > 1;
    assert.equal(known.verdict, last.verdict);
    const once = a.collide(here, a, pose, { budget: 0.004 });
    assert.deepEqual(a.collide(here, a, pose, { budget: 0.004 }), once, "work is the same every time");
    if (!once.canRefine) assert.equal(once.verdict, last.verdict);
  }
  assert.ok(refined > 20, `${refined} pairs took several budgets`);
});

test("a world agrees with its pairs, and time budgets end", () => {
  const a = made(torus());
  const world = World.create();
  const random = randomNumbers(5), count = 60, poses = new Float64Array(7 * count), bodies = new Uint32Array(count);
  for (let i = 0; i < count; ++i) {
    bodies[i] = world.add(a, here);
    poses.set(randomPose(random, 3), 7 * i);
  }
  world.setPoses(bodies, poses);
  assert.equal(world.size, count);
  const found = world.collisions();
  assert.ok(found.complete);
  const touching = new Set();
  for (let i = 0; i < found.count; ++i) {
    assert.equal(found.verdicts[i], Verdict.Contact);
    touching.add(`${found.bodies[2 * i]} ${found.bodies[2 * i + 1]}`);
  }
  for (let i = 0; i < count; ++i)
    for (let j = i + 1; j < count; ++j) {
      const { verdict } = a.collide(poses.subarray(7 * i, 7 * i + 7), a, poses.subarray(7 * j, 7 * j + 7));
      assert.equal(touching.has(`${bodies[i]} ${bodies[j]}`), verdict === Verdict.Contact);
    }
  assert.ok(touching.size > 10);

  const contacts = world.contacts({ maxPoints: 4 });
  assert.equal(contacts.pairCount, found.count);
  assert.ok(contacts.points.count >= found.count);
  assert.equal(world.collisions({ budget: 0, clock: "time" }).complete, false);
  assert.equal(world.waiting().length, 2 * world.collisions({ budget: 0 }).waitingCount);

  const random2 = randomNumbers(6);
  let hits = 0;
  for (let i = 0; i < 50; ++i) {
    const origin = [0, 0, 0].map(() => 8 * random2() - 4), direction = [0, 0, 0].map(() => random2() - 0.5);
    const hit = world.raycast(origin, direction);
    let first = Infinity;
    for (let k = 0; k < count; ++k)
      first = Math.min(first, a.raycast(poses.subarray(7 * k, 7 * k + 7), origin, direction).t);
    near(Math.min(hit.t, 1e9), Math.min(first, 1e9), 1e-9);
    hits += hit.body > 0;
  }
  assert.ok(hits > 10);
  const inside = world.containing([poses[0] + 0.7, poses[1], poses[2]]);
  assert.equal(inside.complete, true);
  world.remove(bodies[0]);
  assert.equal(world.size, count - 1);
  assert.ok(world.minDistance().bounds.upper === 0);
});

test("traits and sensors decide which pairs count", () => {
  const a = Shape.box([1, 1, 1]);
  const world = World.create();
  const first = world.add(a, here, { group: 1, mask: 2 }), second = world.add(a, here, { group: 2, mask: 1 });
  assert.equal(world.collisions().count, 1);
  world.setTraits(second, { group: 4 });
  assert.equal(world.collisions().count, 0);
  world.setTraits(second, { group: 2, mask: 1 });
  world.setSensor(first, true);
  assert.ok(world.isSensor(first));
  assert.equal(world.contacts().sensed[0], 1);
});

test("growing the memory detaches nothing that callers hold", () => {
  const a = made(cube());
  const before = nearmiss.memoryBytes, spheres = a.spheres(0), { values } = a.contacts(here, a, at(0, 0, 0.99));
  const many = [];
  while (nearmiss.memoryBytes === before) many.push(made(torus(96, 48)));
  assert.ok(spheres.length > 0 && spheres[3] > 0);
  assert.ok(values.length > 0);
  assert.equal(a.collide(here, a, at(0.9, 0, 0)).verdict, Verdict.Contact);
  for (const shape of many) shape.free();
});

test("progress and cancellation", () => {
  const stages = [];
  made(torus(), { tree: "octree", onProgress: (stage, fraction) => void stages.push([stage, fraction]) }).free();
  assert.ok(stages.length > 2);
  assert.ok(stages.every(([, fraction]) => fraction >= 0 && fraction <= 1));
  assert.throws(() => made(torus(), { tree: "octree", onProgress: () => false }), { code: "CANCELLED" });
  assert.throws(
    () => made(torus(), { tree: "octree", onProgress: () => { throw new Error("mine"); } }),
    /^Error: mine$/,
  );
  made(cube()).free();
});
