// SPDX-License-Identifier: MIT
// What a program in strict TypeScript writes. Compiled, not run; what must not compile is marked.
import { Nearmiss, NearmissError, type Pose, type Shape, Verdict, type World } from "nearmiss";
import { load } from "nearmiss/inline";
import { ShapeBuilder } from "nearmiss/worker";

export async function example(): Promise<number> {
  const nearmiss: Nearmiss = await Nearmiss.load("nearmiss.wasm", { clock: "work" });
  const inline: Nearmiss = await load();
  using shape: Shape = nearmiss.Shape.fromArrays(new Float32Array(9), new Uint16Array(3), { tree: "tight" });
  const pose: Pose = [0, 0, 0, 0, 0, 0, 1];
  const known = shape.collide(pose, shape, Float64Array.from(pose), { budget: 0.1 });
  if (known.verdict === Verdict.Contact) return known.separationBound;
  const world: World = inline.World.create();
  const body: number = world.add(shape, pose, { group: 1 });
  world.setPoses(Uint32Array.of(body), new Float64Array(7));
  // @ts-expect-error poses are a typed array
  world.setPoses(Uint32Array.of(body), [0, 0, 0, 0, 0, 0, 1]);
  // @ts-expect-error no such clock
  shape.collide(pose, shape, pose, { budget: 1, clock: "sundial" });
  // @ts-expect-error results are read only
  known.sphereA = new Float64Array(4);
  const bytes: Uint8Array = await new ShapeBuilder().build(new Float64Array(9), new Uint32Array(3), {
    onProgress: (stage: number, fraction: number) => console.log(stage, fraction),
  });
  try {
    nearmiss.Shape.fromBytes(bytes);
  } catch (fault) {
    if (fault instanceof NearmissError && fault.code === "BAD_FORMAT") return -1;
  }
  return world.collisions().count;
}
