// SPDX-License-Identifier: MIT
// three.js: shapes of geometries, poses, scales, a world that follows a scene, and what is drawn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Nearmiss, Verdict } from "nearmiss";
import { boundsOf, ContactView, NearmissWorld, poseOf, scaleOf, shapeOf, spheresOf } from "nearmiss/three";
import * as THREE from "three";

const nearmiss = await Nearmiss.load();
const box = () => new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1));

test("shapes of indexed, plain, interleaved and normalised geometries are the same solids", () => {
  const indexed = new THREE.TorusGeometry(1, 0.3, 16, 48);
  const plain = indexed.toNonIndexed();
  const buffer = new THREE.InterleavedBuffer(new Float32Array(plain.getAttribute("position").array), 3);
  const interleaved = new THREE.BufferGeometry();
  interleaved.setAttribute("position", new THREE.InterleavedBufferAttribute(buffer, 3, 0));
  for (const geometry of [indexed, plain, interleaved]) {
    const shape = shapeOf(nearmiss, geometry);
    assert.ok(shape.isSolid);
    assert.ok(Math.abs(shape.radius - 1.3) < 1e-6);
    shape.free();
  }
  assert.throws(() => shapeOf(nearmiss, new THREE.BufferGeometry()), /^TypeError: geometry must be a BufferGeometry/);
  assert.throws(() => shapeOf(nearmiss, {}), /^TypeError: geometry/);
});

test("poses are those of the world, and scales are refused unless uniform", () => {
  const parent = new THREE.Group(), child = box();
  child.name = "hull";
  parent.add(child);
  parent.position.set(1, 2, 3);
  parent.rotation.set(0.1, 0.2, 0.3);
  child.position.set(4, 5, 6);
  parent.updateMatrixWorld();
  const pose = poseOf(child), point = new THREE.Vector3(0.1, 0.2, 0.3);
  const moved = point.clone().applyQuaternion(new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]))
    .add(new THREE.Vector3(pose[0], pose[1], pose[2]));
  assert.ok(moved.distanceTo(child.localToWorld(point.clone())) < 1e-12);

  child.scale.setScalar(2);
  parent.updateMatrixWorld();
  assert.ok(Math.abs(scaleOf(child) - 2) < 1e-12);
  assert.throws(() => poseOf(child), /The scale of "hull" is 2, but that of its shape is 1/);
  assert.equal(poseOf(child, pose, 2), pose);
  child.scale.set(1, 2, 1);
  parent.updateMatrixWorld();
  assert.throws(() => poseOf(child), /The scale of "hull" is 1, 2, 1.*geometry\.scale\(\)/);
  child.scale.setScalar(-1);
  parent.updateMatrixWorld();
  assert.throws(() => poseOf(child), /mirrors/);
});

test("a world follows a scene", () => {
  const scene = new THREE.Scene(), geometry = new THREE.TorusKnotGeometry(1, 0.3, 64, 12);
  const meshes = [0, 1, 2, 3].map((i) => {
    const mesh = new THREE.Mesh(geometry);
    mesh.position.x = 10 * i;
    scene.add(mesh);
    return mesh;
  });
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(100, 100));
  ground.userData.nearmiss = false;
  scene.add(ground);
  const world = new NearmissWorld(nearmiss);
  world.sync(scene);
  assert.equal(world.world.size, 4);
  assert.equal(world.collisions().count, 0);

  meshes[1].position.x = 0.3;
  world.sync(scene);
  const found = world.collisions();
  assert.equal(found.count, 1);
  assert.equal(found.verdicts[0], Verdict.Contact);
  assert.deepEqual([...found.bodies.subarray(0, 2)].map((body) => world.meshOf(body)), [meshes[0], meshes[1]]);
  const view = new ContactView();
  view.showContacts(world.contacts());
  view.showBounds(found);
  assert.equal(view.children[1].geometry.drawRange.count, 2);
  assert.ok(view.children[0].geometry.drawRange.count >= 2);

  // Rounding of matrices must not add a body anew
  meshes[2].scale.setScalar(1.1);
  world.sync(scene);
  const kept = world.bodyOf(meshes[2]);
  for (let i = 0; i < 100; ++i) {
    meshes[2].rotation.set(i, 2 * i, 3 * i);
    world.sync(scene);
    assert.equal(world.bodyOf(meshes[2]), kept);
  }
  // Grown to reach the next one
  meshes[2].scale.setScalar(12);
  world.sync(scene);
  assert.ok(world.shapeOf(meshes[2]).radius > 12);
  assert.ok(world.collisions().count >= 1);
  meshes[1].removeFromParent();
  meshes[2].removeFromParent();
  world.sync(scene);
  assert.equal(world.world.size, 2);
  assert.equal(world.bodyOf(meshes[1]), undefined);
  meshes[3].userData.nearmiss = { group: 2, mask: 0 };
  meshes[3].geometry = new THREE.BoxGeometry(1, 1, 1);
  meshes[3].position.x = 1;
  world.sync(scene);
  assert.equal(world.collisions().count, 0, "its traits let it touch nothing");
  world.free();
});

test("spheres and bounds contain the mesh", () => {
  const mesh = new THREE.Mesh(new THREE.TorusGeometry(1, 0.3, 16, 48));
  mesh.position.set(1, 2, 3);
  mesh.rotation.set(1, 0, 0.5);
  mesh.updateMatrixWorld();
  const shape = shapeOf(nearmiss, mesh.geometry);
  const spheres = spheresOf(shape, 2), matrix = new THREE.Matrix4();
  assert.equal(spheres.count, shape.spheres(2).length / 4);
  const positions = mesh.geometry.getAttribute("position"), bounds = boundsOf(shape, mesh);
  for (let i = 0; i < positions.count; ++i) {
    const point = new THREE.Vector3().fromBufferAttribute(positions, i);
    let inside = false;
    for (let k = 0; k < spheres.count && !inside; ++k) {
      spheres.getMatrixAt(k, matrix);
      inside = point.distanceTo(new THREE.Vector3().setFromMatrixPosition(matrix)) <= matrix.elements[0] * (1 + 1e-5);
    }
    assert.ok(inside, `vertex ${i} is in a sphere of the level`);
    assert.ok(bounds.containsPoint(mesh.localToWorld(point)));
  }
});
