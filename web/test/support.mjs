// SPDX-License-Identifier: MIT
// Meshes, poses and seeds of the tests.

export const here = [0, 0, 0, 0, 0, 0, 1];
export const at = (x, y, z) => [x, y, z, 0, 0, 0, 1];

/** A unit cube about the origin. */
export function cube(half = 0.5) {
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; ++i) for (let k = 0; k < 3; ++k) vertices[3 * i + k] = (i >> k) & 1 ? half : -half;
  const triangles = Uint32Array.of(
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  );
  return { vertices, triangles };
}

/** A torus about z, concave. */
export function torus(around = 48, across = 24, radius = 0.7, thickness = 0.25) {
  const vertices = new Float64Array(3 * around * across), triangles = new Uint32Array(6 * around * across);
  for (let i = 0; i < around; ++i)
    for (let j = 0; j < across; ++j) {
      const u = (2 * Math.PI * i) / around, v = (2 * Math.PI * j) / across, reach = radius + thickness * Math.cos(v);
      vertices.set([reach * Math.cos(u), reach * Math.sin(u), thickness * Math.sin(v)], 3 * (i * across + j));
      const index = (a, b) => (a % around) * across + (b % across);
      triangles.set(
        [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j), index(i + 1, j + 1), index(i, j + 1)],
        6 * (i * across + j),
      );
    }
  return { vertices, triangles };
}

/** Numbers from 0 to 1, the same in every run. */
export function randomNumbers(seed) {
  let state = BigInt(seed);
  const mask = (1n << 64n) - 1n;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((z ^ (z >> 31n)) >> 11n) * 2 ** -53;
  };
}

export function randomPose(random, reach) {
  const turn = [0, 0, 0, 0].map(() => random() * 2 - 1), length = Math.hypot(...turn);
  return Float64Array.of(
    ...[0, 0, 0].map(() => reach * (random() * 2 - 1)), ...turn.map((each) => each / length),
  );
}
