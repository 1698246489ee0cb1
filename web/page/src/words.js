// SPDX-License-Identifier: MIT
// Numbers as people read them.

const threeDigits = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

export function lengthText(metres) {
  if (!Number.isFinite(metres)) return 'unknown';
  if (metres < 0.001) return `${(1000 * metres).toFixed(2)} mm`;
  if (metres < 0.01) return `${(1000 * metres).toFixed(1)} mm`;
  if (metres < 1) return `${(100 * metres).toFixed(1)} cm`;
  return `${metres.toFixed(2)} m`;
}

/** A time in microseconds. */
export function timeText(us) {
  if (us === Infinity) return 'no limit';
  if (!Number.isFinite(us)) return '–';
  if (us < 1000) return `${us % 1 === 0 || us >= 100 ? us.toFixed(0) : us < 1 ? us.toFixed(2) : us.toFixed(1)} µs`;
  return `${threeDigits(us / 1000)} ms`;
}

export const msText = (us) => `${threeDigits(us / 1000)} ms`;

/** Names of the depth that detection reached. */
export const depthNames = ['sphere', 'level 1', 'level 2', 'level 3', 'level 4', 'triangles'];
export const levelColours = [0xbcbcbc, 0x0072b2, 0x56b4e9, 0x009e73, 0xf0e442, 0xffffff];
export const pairColours = [0x56b4e9, 0xf0e442, 0xcc79a7, 0x009e73, 0xd55e00, 0xe69f00];
export const pairLetters = 'ABCDEFGHIJKL';

export const cssColour = (hex) => '#' + hex.toString(16).padStart(6, '0');
export const rgbOf = (hex) => [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
