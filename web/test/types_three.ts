// SPDX-License-Identifier: MIT
// As types.ts, with three.js.
import type { Nearmiss } from "nearmiss";
import { boundsOf, ContactView, NearmissWorld, poseOf, shapeOf, spheresOf } from "nearmiss/three";
import { BoxGeometry, Mesh, Scene } from "three";

export function example(nearmiss: Nearmiss): number {
  const scene = new Scene(), mesh = new Mesh(new BoxGeometry()), view = new ContactView(0.1);
  const shape = shapeOf(nearmiss, mesh.geometry, { levels: 3 });
  mesh.add(spheresOf(shape, 2));
  scene.add(mesh, view);
  const pose: Float64Array = poseOf(mesh);
  // @ts-expect-error an object is needed
  boundsOf(shape, pose);
  const world = new NearmissWorld(nearmiss, { tree: "fast" });
  world.sync(scene);
  view.showContacts(world.contacts({ maxPoints: 4 }));
  return world.collisions({ budget: 1 }).count;
}
