// SPDX-License-Identifier: MIT
// Two parts that approach each other: verdict, distance and contact points. node two_parts.mjs
import { Nearmiss, Verdict } from "nearmiss";

const { Shape } = await Nearmiss.load();
const plate = Shape.box([1, 1, 0.1]);
const pin = Shape.cylinder(0.2, 0.5);
const here = [0, 0, 0, 0, 0, 0, 1];

for (const height of [1.1, 0.7, 0.58]) {
  const there = [0, 0, height, 0, 0, 0, 1];
  const { verdict } = plate.collide(here, pin, there);
  if (verdict === Verdict.Contact) {
    const contacts = plate.contacts(here, pin, there);
    console.log(`at ${height} m: ${contacts.count} points, ${contacts.values[9].toFixed(3)} m deep`);
  } else {
    console.log(`at ${height} m: ${plate.distance(here, pin, there).upper.toFixed(3)} m apart`);
  }
}
plate.free();
pin.free();
