// SPDX-License-Identifier: MIT
// Clouds, stars, planet and sun, as in the window: the same noise, computed here once.

import * as THREE from 'three';
import cloudsVertex from '../../../../shaders/clouds.vert.glsl';
import cloudsFragment from '../../../../shaders/clouds.frag.glsl';
import starVertex from '../../../../shaders/star.vert.glsl';
import starFragment from '../../../../shaders/star.frag.glsl';
import discVertex from '../../../../shaders/disc.vert.glsl';
import sunFragment from '../../../../shaders/sun.frag.glsl';
import planetFragment from '../../../../shaders/planet.frag.glsl';
import paintFragment from './planet_paint.frag.glsl';
import { additive, drawn, material, planetDirection, sunDirection } from './shaders.js';

const subdivisions = 16;
const starsInAll = 5200;
const planetPixels = 512;

const smooth = (low, high, x) => {
  const t = Math.min(Math.max((x - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
};
const clamp = (x) => Math.min(Math.max(x, 0), 1);
const mix = (a, b, t) => a + (b - a) * t;
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const normalize = (v) => {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
};

/** Value noise, 0 to 1, features of size 1. */
function noiseAt(seed, x, y, z) {
  const fx = Math.floor(x), fy = Math.floor(y), fz = Math.floor(z);
  const lattice = (i, j, k) => {
    let h = seed ^ Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    h ^= h >>> 15;
    return (h >>> 8) / 16777216;
  };
  const fade = (t) => t * t * (3 - 2 * t);
  const u = fade(x - fx), v = fade(y - fy), w = fade(z - fz);
  const layer = (k) =>
    mix(mix(lattice(fx, fy, k), lattice(fx + 1, fy, k), u), mix(lattice(fx, fy + 1, k), lattice(fx + 1, fy + 1, k), u), v);
  return mix(layer(fz), layer(fz + 1), w);
}

function fractal(seed, d, scale, shift, octaves) {
  let [x, y, z] = d.map((c) => c * scale + shift);
  let sum = 0, weight = 0.5, total = 0;
  for (let i = 0; i < octaves; ++i) {
    sum += weight * noiseAt(seed, x, y, z);
    total += weight;
    weight *= 0.5;
    x = 2.03 * x + 17.1;
    y = 2.03 * y + 9.2;
    z = 2.03 * z + 31.7;
  }
  return sum / total;
}

const bandNormal = normalize([0.35, 0.86, -0.38]);
const bandCore = (() => {
  const [a, b] = [bandNormal, [0.9, 0.1, 0.55]];
  return normalize([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]);
})();

/** Almost black, with a band of clouds. */
function cloudColour(d) {
  const seed = 0x5eed1;
  const height = dot(d, bandNormal);
  const warp = fractal(seed, d, 2.2, 0, 3) - 0.5;
  const across = (height + 0.22 * warp) / 0.26;
  const band = 1 / (1 + across ** 4);
  const core = 0.5 + 0.5 * dot(d, bandCore);
  const cloud = fractal(seed, d, 4, 3, 5);
  const dust = smooth(0.42, 0.68, fractal(seed, d, 5.5, 11, 5));
  const lane = 1 - (0.75 * dust) / (1 + 12 * height * height);
  const light = band * (0.35 + 0.9 * core * core) * (0.25 + 1.2 * cloud * cloud) * lane;
  const veil = smooth(0.5, 0.85, fractal(seed, d, 1.6, 7, 4));
  const warm = core * core * clamp(2 * cloud - 0.5);
  const tint = [mix(0.16, 0.36, warm), mix(0.21, 0.3, warm), mix(0.36, 0.27, warm)];
  const night = [0.02, 0.026, 0.047], purple = [0.045, 0.012, 0.06];
  return night.map((n, k) => n + light * tint[k] + veil * purple[k] * (0.3 + band));
}

/** The same stars at every visit. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let h = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  };
}

function cloudMesh(frame) {
  const sphere = new THREE.IcosahedronGeometry(1, subdivisions - 1);
  const places = sphere.getAttribute('position');
  const lights = new Uint8Array(4 * places.count);
  const known = new Map();
  for (let i = 0; i < places.count; ++i) {
    const d = [places.getX(i), places.getY(i), places.getZ(i)];
    const key = d.map((c) => Math.round(4096 * c)).join();
    let colour = known.get(key);
    if (!colour) known.set(key, (colour = cloudColour(d)));
    colour.forEach((c, k) => (lights[4 * i + k] = 255 * clamp(c)));
    lights[4 * i + 3] = 255;
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('direction', new THREE.BufferAttribute(places.array, 3));
  geometry.setAttribute('light', new THREE.BufferAttribute(lights, 4, true));
  geometry.setAttribute('position', geometry.getAttribute('direction'));
  const look = material(frame, cloudsVertex, cloudsFragment, {
    depthTest: false,
    depthWrite: false,
    side: THREE.DoubleSide,
  });
  return drawn(geometry, look, -10);
}

/** A few bright and many faint stars, denser along the band. */
function starMesh(frame) {
  const random = randomFrom(0x57a25);
  const directions = new Float32Array(3 * starsInAll);
  const lights = new Float32Array(3 * starsInAll);
  const sizes = new Float32Array(starsInAll);
  for (let i = 0; i < starsInAll; ++i) {
    const up = 2 * random() - 1, turn = 2 * Math.PI * random();
    const flat = Math.sqrt(1 - up * up);
    let d = [flat * Math.cos(turn), up, flat * Math.sin(turn)];
    if (random() < 0.45) {
      const squeeze = mix(0.72, 0.97, random()) * dot(d, bandNormal);
      d = normalize(d.map((c, k) => c - squeeze * bandNormal[k]));
    }
    const u = random();
    const light = 0.16 + 0.3 * u * u + 1.3 * u ** 8;
    const warmth = random();
    const colour =
      warmth < 0.5
        ? [mix(0.65, 1, 2 * warmth), mix(0.76, 1, 2 * warmth), 1]
        : [1, mix(1, 0.76, 2 * warmth - 1), mix(1, 0.52, 2 * warmth - 1)];
    directions.set(d, 3 * i);
    lights.set(colour.map((c) => c * Math.min(light, 1)), 3 * i);
    sizes[i] = light > 1.1 ? 5 : light > 0.55 ? 3.6 : 2.6;
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('direction', new THREE.BufferAttribute(directions, 3));
  geometry.setAttribute('position', geometry.getAttribute('direction'));
  geometry.setAttribute('light', new THREE.BufferAttribute(lights, 3));
  geometry.setAttribute('size', new THREE.BufferAttribute(sizes, 1));
  return drawn(geometry, material(frame, starVertex, starFragment, additive), -9, THREE.Points);
}

function discGeometry() {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(12), 3));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  return geometry;
}

function disc(frame, fragment, direction, tangent, options, uniforms = {}) {
  const look = material(frame, discVertex, fragment, {
    uniforms: { place: { value: new THREE.Vector4(...direction, tangent) }, ...uniforms },
    side: THREE.DoubleSide,
    depthWrite: false,
    transparent: true,
    ...options,
  });
  return drawn(discGeometry(), look, -8);
}

/** Paints the planet once; it neither rotates nor approaches. */
function paintPlanet(renderer) {
  const target = new THREE.WebGLRenderTarget(planetPixels, planetPixels, { depthBuffer: false });
  const scene = new THREE.Scene();
  const paint = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: 'precision highp float; in vec3 position; out vec2 on;\n' +
      'void main() { on = position.xy; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader: paintFragment,
    uniforms: {
      sun: { value: new THREE.Vector3(...sunDirection) },
      towards: { value: new THREE.Vector3(...planetDirection) },
    },
    depthTest: false,
  });
  scene.add(drawn(new THREE.PlaneGeometry(2, 2), paint));
  const before = renderer.getRenderTarget();
  renderer.setRenderTarget(target);
  renderer.render(scene, new THREE.Camera());
  renderer.setRenderTarget(before);
  paint.dispose();
  return target.texture;
}

export class Sky {
  constructor(frame, renderer) {
    const picture = { value: paintPlanet(renderer) };
    this.parts = [
      cloudMesh(frame),
      starMesh(frame),
      disc(frame, planetFragment, planetDirection, 0.26, {
        blending: THREE.CustomBlending,
        blendSrc: THREE.OneFactor,
        blendDst: THREE.OneMinusSrcAlphaFactor,
      }, { picture }),
      disc(frame, sunFragment, sunDirection, 0.3, additive),
    ];
  }
}
