// SPDX-License-Identifier: MIT
// Spheres of trees, sparks, halos of hits, the arena's edge and dust.

import * as THREE from 'three';
import ringVertex from '../../../../shaders/ring.vert.glsl';
import ringFragment from '../../../../shaders/ring.frag.glsl';
import haloVertex from '../../../../shaders/halo.vert.glsl';
import haloFragment from '../../../../shaders/halo.frag.glsl';
import dustVertex from '../../../../shaders/dust.vert.glsl';
import dustFragment from '../../../../shaders/dust.frag.glsl';
import cageVertex from '../../../../shaders/cage.vert.glsl';
import cageFragment from '../../../../shaders/cage.frag.glsl';
import shellVertex from './shell.vert.glsl';
import shellFragment from './shell.frag.glsl';
import lineVertex from './line.vert.glsl';
import lineFragment from './line.frag.glsl';
import { additive, drawn, InstanceRows, material } from './shaders.js';

const mixed = { transparent: true, depthWrite: false };

function square() {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(12), 3));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  return geometry;
}

/** Spheres as translucent shells; the outlines stand out, so that levels show without colour. */
export class Shells {
  constructor(frame) {
    this.geometry = square();
    this.geometry.setAttribute(
      'corner', new THREE.BufferAttribute(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2));
    this.rows = new InstanceRows(this.geometry, { ball: 4, paint: 4 });
    this.mesh = drawn(
      this.geometry, material(frame, shellVertex, shellFragment, { ...mixed, side: THREE.DoubleSide }), 3);
    this.rows.begin(0);
    this.rows.end();
  }

  begin(most) {
    this.rows.begin(most);
  }

  add(x, y, z, radius, colour, alpha) {
    const at = this.rows.next(), { values } = this.rows;
    values[at] = x;
    values[at + 1] = y;
    values[at + 2] = z;
    values[at + 3] = radius;
    values.set(colour, at + 4);
    values[at + 7] = alpha;
  }

  end() {
    this.rows.end();
  }
}

/** Rings around colliding spheres, always in front. */
export class Rings {
  constructor(frame) {
    this.geometry = new THREE.InstancedBufferGeometry();
    const sides = 8, corners = [], indices = [];
    for (let i = 0; i < sides; ++i) {
      const turn = (2 * Math.PI * i) / sides;
      for (const outer of [0, 1]) corners.push(Math.cos(turn), Math.sin(turn), outer);
      const a = 2 * i, b = (2 * i + 2) % (2 * sides);
      indices.push(a, a + 1, b, b, a + 1, b + 1);
    }
    this.geometry.setAttribute('corner', new THREE.BufferAttribute(new Float32Array(corners), 3));
    this.geometry.setAttribute('position', this.geometry.getAttribute('corner'));
    this.geometry.setIndex(indices);
    this.rows = new InstanceRows(this.geometry, { ball: 4, light: 4 });
    this.mesh = drawn(
      this.geometry,
      material(frame, ringVertex, ringFragment, {
        ...mixed, uniforms: { strength: { value: 1 } }, side: THREE.DoubleSide, depthTest: false,
      }),
      4,
    );
    this.begin(0);
    this.end();
  }

  begin(most) {
    this.rows.begin(most);
  }

  add(x, y, z, radius, colour, alpha) {
    const at = this.rows.next();
    this.rows.values.set([x, y, z, radius, ...colour, alpha], at);
  }

  end() {
    this.rows.end();
  }
}

/** Soft lights where ships hit each other. */
export class Halos {
  constructor(frame) {
    this.geometry = square();
    this.rows = new InstanceRows(this.geometry, { ball: 4, light: 3 });
    this.mesh = drawn(this.geometry, material(frame, haloVertex, haloFragment, { ...additive, side: THREE.DoubleSide }), 6);
    this.begin(0);
    this.end();
  }

  begin(most) {
    this.rows.begin(most);
  }

  add(x, y, z, radius, light) {
    this.rows.values.set([x, y, z, radius, ...light], this.rows.next());
  }

  end() {
    this.rows.end();
  }
}

/** Lines of a pixel, with a colour at each end. */
export class Lines {
  constructor(frame, order = 6) {
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute('end', new THREE.BufferAttribute(new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]), 2));
    this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(12), 3));
    this.geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.rows = new InstanceRows(this.geometry, { from: 4, to: 4, light: 4 });
    this.mesh = drawn(
      this.geometry, material(frame, lineVertex, lineFragment, { ...mixed, side: THREE.DoubleSide, depthTest: false }), order);
    this.begin(0);
    this.end();
  }

  begin(most) {
    this.rows.begin(most);
  }

  /** `width` in pixels of the page. */
  add(from, to, colour, alpha, width = 1.5, alphaTo = alpha) {
    this.rows.values.set([...from, width, ...to, alphaTo, ...colour, alpha], this.rows.next());
  }

  end() {
    this.rows.end();
  }
}

/** Motes that show one's own speed. */
export class Dust {
  constructor(frame, motes = 500) {
    this.geometry = new THREE.BufferGeometry();
    const values = new Float32Array(4 * motes);
    for (let i = 0; i < values.length; ++i) values[i] = ((i * 0.7548776662466927) % 1) * 0.999;
    for (let i = 0; i < motes; ++i) values[4 * i + 1] = (i * 0.5698402909980532) % 1;
    this.geometry.setAttribute('mote', new THREE.BufferAttribute(values, 4));
    this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * motes), 3));
    this.box = new THREE.Vector4(0, 0, 0, 30);
    this.mesh = drawn(
      this.geometry,
      material(frame, dustVertex, dustFragment, {
        ...additive,
        uniforms: {
          box: { value: this.box },
          pastView: { value: new THREE.Matrix4() },
          moved: { value: new THREE.Vector3() },
          roundness: { value: 1 },
        },
      }),
      2,
      THREE.Points,
    );
  }

  update(eye) {
    const share = (x) => {
      const part = -x / this.box.w;
      return part - Math.floor(part);
    };
    this.box.set(share(eye.x), share(eye.y), share(eye.z), this.box.w);
  }
}

/** Circles at the edge of the arena. */
export class Cage {
  constructor(frame) {
    const points = [];
    const steps = 96;
    const addCircle = (at) => {
      for (let i = 0; i < steps; ++i)
        for (const k of [i, i + 1]) points.push(...at((2 * Math.PI * k) / steps));
    };
    for (const height of [-0.6, -0.2, 0.2, 0.6]) {
      const flat = Math.sqrt(1 - height * height);
      addCircle((t) => [flat * Math.cos(t), height, flat * Math.sin(t)]);
    }
    for (let i = 0; i < 4; ++i) {
      const [c, s] = [Math.cos((Math.PI * i) / 4), Math.sin((Math.PI * i) / 4)];
      addCircle((t) => [c * Math.cos(t), Math.sin(t), s * Math.cos(t)]);
    }
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute('direction', new THREE.BufferAttribute(new Float32Array(points), 3));
    this.geometry.setAttribute('position', this.geometry.getAttribute('direction'));
    this.place = new THREE.Vector4(0, 0, 0, 1);
    this.mesh = drawn(
      this.geometry, material(frame, cageVertex, cageFragment, { ...mixed, uniforms: { place: { value: this.place } } }),
      1, THREE.LineSegments);
  }

  update(eye, radius) {
    this.place.set(-eye.x, -eye.y, -eye.z, radius);
    this.mesh.visible = radius > 0;
  }
}
