// SPDX-License-Identifier: MIT
// Invalid arguments: each throws an error that names the argument, and the instance goes on.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Nearmiss, Verdict } from "nearmiss";

import { at, cube, here, randomNumbers, torus } from "./support.mjs";

const nearmiss = await Nearmiss.load();
const { Shape, World, Pair } = nearmiss;
const { vertices, triangles } = cube();
const shape = Shape.fromArrays(vertices, triangles);
const world = World.create();
const body = world.add(shape, here);

const cases = [
  ["NaN in pose a", () => shape.collide([NaN, 0, 0, 0, 0, 0, 1], shape, here), /^poseA: position\.x is nan/],
  ["NaN in pose b", () => shape.collide(here, shape, [0, 0, NaN, 0, 0, 0, 1]), /^poseB: position\.z is nan/],
  ["infinite pose", () => shape.distance(here, shape, at(Infinity, 0, 0)), /^poseB: position\.x is inf/],
  ["no unit quaternion", () => shape.collide(here, shape, [0, 0, 0, 0, 0, 0, 2]), /^poseB: .*length/],
  ["short pose", () => shape.collide([1, 2, 3], shape, here), /^poseA must hold 7 numbers .*, not 3/],
  ["no pose", () => shape.collide(undefined, shape, here), /^poseA must be an array/],
  ["words for numbers", () => shape.collide(["a", 0, 0, 0, 0, 0, 1], shape, here), /^poseA: position\.x is nan/],
  ["no shape", () => shape.collide(here, {}, here), /^other must be a Shape/],
  ["budget of NaN", () => shape.collide(here, shape, here, { budget: NaN }), /^options\.budget must be/],
  ["negative budget", () => shape.collide(here, shape, here, { budget: -1 }), /^options\.budget must be/],
  ["unknown clock", () => shape.collide(here, shape, here, { budget: 1, clock: "sun" }), /^options\.clock must be/],
  ["plain array of vertices", () => Shape.fromArrays([...vertices], triangles), /^vertices must be a Float64Array/],
  ["signed triangles", () => Shape.fromArrays(vertices, Int32Array.from(triangles)), /^triangles must be a Uint32Array/],
  ["wrong number of coordinates", () => Shape.fromArrays(vertices.subarray(1), triangles), /^vertices must hold three/],
  ["wrong number of indices", () => Shape.fromArrays(vertices, triangles.subarray(1)), /^triangles must hold three/],
  ["index out of range", () => Shape.fromArrays(vertices, Uint32Array.of(0, 1, 8)), /^triangles\[2\] is 8, but there are 8/],
  ["NaN among the vertices", () => Shape.fromArrays(Float64Array.of(0, 0, NaN, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2)), /nan/],
  ["no triangle", () => Shape.fromArrays(vertices, new Uint32Array(0)), /no triangle/],
  ["ten million triangles", () => Shape.fromArrays(vertices, new Uint32Array(30_000_003)), /^triangles holds 10000001 triangles/],
  ["unknown tree", () => Shape.fromArrays(vertices, triangles, { tree: "oak" }), /oak/],
  ["tree of levels", () => Shape.fromArrays(vertices, triangles, { levels: 0.5 }), /^settings\.levels must be/],
  ["weld of NaN", () => Shape.fromArrays(vertices, triangles, { weld: NaN }), /weld/i],
  ["bytes of no shape", () => Shape.fromBytes(new Uint8Array(100)), /NEARMISS/],
  ["no bytes", () => Shape.fromBytes("shape"), /^bytes must be a Uint8Array/],
  ["size of a box", () => Shape.box([1, -1, 1]), /halfExtents|half/i],
  ["radius of NaN", () => Shape.sphere(NaN), /radius/],
  ["subdivisions", () => Shape.sphere(1, 9), /^subdivisions must be/],
  ["flat hull", () => Shape.convexHull(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0)), /plane/],
  ["level of spheres", () => shape.spheres(99), /no such level/],
  ["scale of 0", () => shape.scaled(0), /factor/],
  ["refit of another count", () => shape.refit(new Float64Array(6)), /2 positions for the 8/],
  ["ray without direction", () => shape.raycast(here, [0, 0, 0], [0, 0, 0]), /direction/],
  ["short direction", () => shape.raycast(here, [0, 0, 0], [0, 1]), /^direction must hold 3 numbers/],
  ["negative end", () => shape.raycast(here, [0, 0, 0], [0, 0, 1], { end: -1 }), /end/],
  ["NaN in a point", () => shape.nearestPoint(here, [NaN, 0, 0]), /point/],
  ["points of a manifold", () => shape.contacts(here, shape, here, { maxPoints: 0 }), /^options\.maxPoints must be/],
  ["margin of NaN", () => shape.contacts(here, shape, here, { margin: NaN }), /margin/],
  ["pair without shapes", () => Pair.create().collide(), /no shapes/],
  ["unknown body", () => world.setPose(77, here), /77|body/],
  ["body of another type", () => world.remove("1"), /^body must be a handle/],
  ["number of poses", () => world.setPoses(Uint32Array.of(body), new Float64Array(6)), /^poses must hold 7 .* 7, not 6/],
  ["NaN among poses", () => world.setPoses(Uint32Array.of(body), Float64Array.of(0, NaN, 0, 0, 0, 0, 1)), /^poses\[0\]: position\.y is nan/],
  ["unknown body among poses", () => world.setPoses(Uint32Array.of(9), Float64Array.from(here)), /^bodies\[0\] is 9/],
  ["poses of plain numbers", () => world.setPoses(Uint32Array.of(body), here), /^poses must be a Float64Array/],
  ["traits", () => world.add(shape, here, { group: -1 }), /^traits\.group must be/],
];

for (const [name, call, message] of cases)
  test(name, () => {
    assert.throws(call, (fault) => fault instanceof Error && message.test(fault.message) || assert.fail(`${fault}`));
    assert.equal(nearmiss.death, null);
    assert.equal(shape.collide(here, shape, at(0.5, 0, 0)).verdict, Verdict.Contact);
  });

test("an invalid pose among many leaves all as they were", () => {
  const own = World.create();
  const bodies = Uint32Array.of(own.add(shape, here), own.add(shape, at(5, 0, 0)));
  assert.equal(own.collisions().count, 0);
  const poses = Float64Array.of(...at(5, 0, 0), ...at(NaN, 0, 0));
  assert.throws(() => own.setPoses(bodies, poses), /^NearmissError: poses\[1\]/);
  assert.equal(own.collisions().count, 0);
});

test("what was freed or is of another instance is refused", async () => {
  const other = await Nearmiss.load(nearmiss.module);
  const gone = other.Shape.box([1, 1, 1]);
  assert.throws(() => shape.collide(here, gone, here), /^NearmissError: other is a Shape of another instance/);
  gone.free();
  gone.free();
  assert.throws(() => gone.radius, /freed/);
  const own = other.World.create();
  assert.throws(() => own.add(gone, here), /shape is a Shape that was freed/);
  own.free();
  assert.throws(() => own.size, /freed/);
});

test("damaged bytes are refused, wherever they are damaged", () => {
  const mesh = torus(16, 8), sound = Shape.fromArrays(mesh.vertices, mesh.triangles, { tree: "octree" }).toBytes();
  const random = randomNumbers(11);
  for (let i = 0; i < 300; ++i) {
    const bytes = sound.slice(0, i % 3 ? sound.length : Math.floor(random() * sound.length));
    if (i % 3) bytes[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(8 * random());
    assert.throws(() => Shape.fromBytes(bytes), { name: "NearmissError" });
  }
  Shape.fromBytes(sound).free();
});
