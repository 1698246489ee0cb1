// SPDX-License-Identifier: MIT
// Ships and their flames: one draw call for each model.

import * as THREE from 'three';
import shipVertex from '../../../../shaders/ship.vert.glsl';
import shipFragment from '../../../../shaders/ship.frag.glsl';
import plumeVertex from '../../../../shaders/plume.vert.glsl';
import plumeFragment from '../../../../shaders/plume.frag.glsl';
import { additive, drawn, InstanceRows, material } from './shaders.js';

/** Reads the file of a model for drawing, see app/tools/page/page_data.cpp. */
export function readModel(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [vertexCount, indexCount, nozzleCount, closed] = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  const radius = view.getFloat32(16, true);
  let at = 20;
  const nozzles = [];
  for (let i = 0; i < nozzleCount; ++i, at += 16)
    nozzles.push([0, 4, 8, 12].map((k) => view.getFloat32(at + k, true)));
  const stride = 32;
  if (bytes.byteLength < at + stride * vertexCount + 4 * indexCount) throw new Error('A model is damaged.');
  const position = new Float32Array(3 * vertexCount);
  const normal = new Int16Array(4 * vertexCount);
  const paint = new Uint8Array(4 * vertexCount);
  const surface = new Uint8Array(4 * vertexCount);
  const hull = new Uint16Array(2 * vertexCount);
  for (let i = 0; i < vertexCount; ++i, at += stride) {
    for (let k = 0; k < 3; ++k) position[3 * i + k] = view.getFloat32(at + 4 * k, true);
    const packed = view.getUint32(at + 12, true);
    // Ten bits per component, signed
    for (let k = 0; k < 3; ++k) normal[4 * i + k] = ((packed << (22 - 10 * k)) >> 22) * 64;
    for (let k = 0; k < 4; ++k) {
      paint[4 * i + k] = bytes[at + 16 + k];
      surface[4 * i + k] = bytes[at + 20 + k];
    }
    for (let k = 0; k < 2; ++k) hull[2 * i + k] = view.getUint16(at + 28 + 2 * k, true);
  }
  const indices = vertexCount < 65536 ? new Uint16Array(indexCount) : new Uint32Array(indexCount);
  for (let i = 0; i < indexCount; ++i) indices[i] = view.getUint32(at + 4 * i, true);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 4, true));
  geometry.setAttribute('paint', new THREE.BufferAttribute(paint, 4, true));
  geometry.setAttribute('surface', new THREE.BufferAttribute(surface, 4, true));
  geometry.setAttribute('hullPlace', new THREE.BufferAttribute(hull, 2, true));
  geometry.setIndex(new THREE.BufferAttribute(indices, 1));
  return { geometry, nozzles, radius, closed: closed !== 0 };
}

/** The brightness of the paint on panels, seams and letters. */
export function hullTexture(bytes, { width, height }) {
  const texture = new THREE.DataTexture(bytes, width, height, THREE.RedFormat);
  texture.generateMipmaps = true;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}

/** Inverts the tone curve, so that a livery appears as the colour that it is. */
export function liveryOf(hex) {
  return [16, 8, 0].map((shift) => {
    const shown = Math.min(((hex >> shift) & 255) / 255, 0.95);
    return (0.155 * shown) / (1.019 - shown);
  });
}

const columns = { row0: 4, row1: 4, row2: 4, livery: 4, outline: 4, hit: 4, glow: 1 };

/** All ships of one model. */
class ShipKind {
  constructor(frame, model, hull) {
    this.model = model;
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.index = model.geometry.index;
    for (const [name, attribute] of Object.entries(model.geometry.attributes)) this.geometry.setAttribute(name, attribute);
    this.rows = new InstanceRows(this.geometry, columns);
    const look = material(frame, shipVertex, shipFragment, {
      uniforms: { hull: { value: hull } },
      side: model.closed ? THREE.FrontSide : THREE.DoubleSide,
    });
    this.mesh = drawn(this.geometry, look, 0);
  }
}

/** Writes the rotation and place of a pose relative to the eye as rows of a matrix. */
export function writePose(values, at, x, y, z, qx, qy, qz, qw) {
  const xx = qx * qx, yy = qy * qy, zz = qz * qz;
  values[at] = 1 - 2 * (yy + zz);
  values[at + 1] = 2 * (qx * qy - qz * qw);
  values[at + 2] = 2 * (qx * qz + qy * qw);
  values[at + 3] = x;
  values[at + 4] = 2 * (qx * qy + qz * qw);
  values[at + 5] = 1 - 2 * (xx + zz);
  values[at + 6] = 2 * (qy * qz - qx * qw);
  values[at + 7] = y;
  values[at + 8] = 2 * (qx * qz - qy * qw);
  values[at + 9] = 2 * (qy * qz + qx * qw);
  values[at + 10] = 1 - 2 * (xx + yy);
  values[at + 11] = z;
}

export class Ships {
  constructor(frame, hull) {
    this.frame = frame;
    this.hull = hull;
    this.kinds = [];
    this.group = new THREE.Group();
    this.group.matrixAutoUpdate = false;
    this.plumes = new THREE.InstancedBufferGeometry();
    this.plumes.setAttribute('position', new THREE.BufferAttribute(new Float32Array(12), 3));
    this.plumes.setIndex([0, 1, 2, 2, 1, 3]);
    this.plumeRows = new InstanceRows(this.plumes, { from: 3, along: 3, shape: 2 });
    this.group.add(
      drawn(this.plumes, material(frame, plumeVertex, plumeFragment, { ...additive, side: THREE.DoubleSide }), 5),
    );
  }

  /** Sets the models by index of shape. */
  setModels(models) {
    for (const kind of this.kinds) {
      this.group.remove(kind.mesh);
      kind.mesh.material.dispose();
      kind.geometry.dispose();
    }
    this.kinds = models.map((model) => new ShipKind(this.frame, model, this.hull));
    for (const kind of this.kinds) this.group.add(kind.mesh);
  }

  /**
   * Shows bodies. `look(body)` returns { livery, glow, hit, rim } of one, where `hit` is a place in the world and all
   * but `livery` may be missing.
   */
  show(bodies, columns, eye, look, seconds) {
    const { width } = columns;
    const count = bodies.length / width;
    for (const kind of this.kinds) kind.rows.begin(count);
    this.plumeRows.begin(4 * count);
    for (let i = 0; i < count; ++i) {
      const at = i * width;
      const kind = this.kinds[bodies[at + columns.shape]];
      if (!kind) continue;
      const x = bodies[at + columns.x] - eye.x, y = bodies[at + columns.y] - eye.y, z = bodies[at + columns.z] - eye.z;
      const row = kind.rows.next(), { values } = kind.rows;
      const q = columns.qx + at;
      writePose(values, row, x, y, z, bodies[q], bodies[q + 1], bodies[q + 2], bodies[q + 3]);
      const { livery, glow = 0, hit, rim } = look(bodies[at]);
      values.set(livery, row + 12);
      values[row + 15] = 1;
      values.fill(0, row + 16, row + 25);
      if (rim) values.set(rim, row + 16);
      if (hit) {
        const reach = 0.7 * kind.model.radius;
        values[row + 20] = hit[0] - eye.x;
        values[row + 21] = hit[1] - eye.y;
        values[row + 22] = hit[2] - eye.z;
        values[row + 23] = 1 / (reach * reach);
      }
      values[row + 24] = glow;
      this.#addFlames(kind, values, row, bodies[at + columns.thrust], bodies[at] * 1.7, seconds);
    }
    for (const kind of this.kinds) kind.rows.end();
    this.plumeRows.end();
  }

  #addFlames(kind, ship, row, thrust, phase, seconds) {
    if (!(thrust > 0.02)) return;
    const flicker = 1 + 0.08 * Math.sin(47 * seconds + phase) + 0.05 * Math.sin(113 * seconds + 2 * phase);
    for (const [x, y, z, radius] of kind.model.nozzles) {
      const at = this.plumeRows.next(), { values } = this.plumeRows;
      const length = (1.1 * kind.model.radius + 6 * radius) * (0.35 + 0.65 * thrust) * flicker;
      for (let k = 0; k < 3; ++k) {
        const r = row + 4 * k;
        values[at + k] = ship[r] * x + ship[r + 1] * y + ship[r + 2] * z + ship[r + 3];
        values[at + 3 + k] = ship[r + 2] * length;
      }
      values[at + 6] = 1.6 * radius;
      values[at + 7] = 0.4 + 0.6 * thrust;
    }
  }
}
