// SPDX-License-Identifier: MIT
// The settings that a link contains.

/** Budgets of the slider, microseconds of counted work. The first is what a machine of 1996 had: 2 ms in a frame that was
    mostly drawing, on a processor a thousand times slower. */
export const budgets = [2, 3, 4, 5, 7, 10, 15, 20, 50, 500, Infinity];

export const modes = ['fly', 'split', 'tour', 'bench', 'replay'];
export const methods = ['sphere-tree', 'bsp'];
export const shellKinds = ['none', 'contact', 'all'];

const defaults = Object.freeze({
  mode: 'fly', scene: 'lamps', method: 'sphere-tree', level: 5, budget: budgets.length - 1, shells: 'contact', seed: 0,
});

const whole = (text, low, high, otherwise) => {
  const value = Number(text);
  return Number.isInteger(value) && value >= low && value <= high ? value : otherwise;
};
const oneOf = (text, all, otherwise) => (all.includes(text) ? text : otherwise);

/** Reads settings from the part of an address after #; what is unknown keeps its default. */
export function fromHash(hash, scenes) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  return {
    mode: oneOf(given.get('mode'), modes, defaults.mode),
    scene: oneOf(given.get('scene'), scenes, defaults.scene),
    method: oneOf(given.get('method'), methods, defaults.method),
    level: whole(given.get('level') ?? defaults.level, 1, 5, defaults.level),
    budget: whole(given.get('budget') ?? defaults.budget, 0, budgets.length - 1, defaults.budget),
    shells: oneOf(given.get('spheres'), shellKinds, defaults.shells),
    seed: whole(given.get('seed') ?? 0, 0, 2 ** 31, 0),
  };
}

export function toHash(settings) {
  const text = new URLSearchParams();
  const put = (name, value, usual) => value !== usual && text.set(name, value);
  put('mode', settings.mode, defaults.mode);
  put('scene', settings.scene, defaults.scene);
  put('method', settings.method, defaults.method);
  put('level', settings.level, defaults.level);
  put('budget', settings.budget, defaults.budget);
  put('spheres', settings.shells, defaults.shells);
  put('seed', settings.seed, defaults.seed);
  return text.toString();
}
