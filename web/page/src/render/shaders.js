// SPDX-License-Identifier: MIT
// The window's own shaders, in the dialect of WebGL 2.

import * as THREE from 'three';
import frameText from '../../../../shaders/frame.glsl';
import displayText from '../../../../shaders/display.glsl';

/** The block of frame.glsl as single uniforms: WebGL gains nothing from a block of this size. */
const frameUniforms = frameText
  .replace(/layout\(std140\) uniform Frame \{([^]*?)\};/, (_, members) =>
    members.replace(/^\s*((?:mat4|vec4) \w+;)/gm, 'uniform $1\n'),
  );

function inWebGL(text) {
  return (
    'precision highp float;\nprecision highp int;\n' +
    text
      .replace('#version 330 core', '')
      .replace('#include "frame.glsl"', frameUniforms)
      .replace('#include "display.glsl"', displayText)
  );
}

/** The numbers of frame.glsl, shared by all materials. */
export class FrameUniforms {
  constructor() {
    this.all = {
      viewProjection: { value: new THREE.Matrix4() },
      right: { value: new THREE.Vector4() },
      up: { value: new THREE.Vector4() },
      forward: { value: new THREE.Vector4() },
      viewport: { value: new THREE.Vector4() },
      misc: { value: new THREE.Vector4() },
      sun: { value: new THREE.Vector4(...sunDirection, 0) },
      planet: { value: new THREE.Vector4(...planetDirection, 0) },
    };
  }

  /** `camera` looks from the origin of relative places; `pixels` are those of its viewport. */
  update(camera, width, height, seconds, pixelRatio) {
    const { all } = this;
    all.viewProjection.value.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const axes = camera.matrixWorld.elements;
    all.right.value.set(axes[0], axes[1], axes[2], 0);
    all.up.value.set(axes[4], axes[5], axes[6], 0);
    all.forward.value.set(-axes[8], -axes[9], -axes[10], 0);
    all.viewport.value.set(width, height, 1 / width, 1 / height);
    const pixel = (2 * Math.tan(0.5 * THREE.MathUtils.degToRad(camera.fov))) / height;
    all.misc.value.set(pixel, seconds, pixelRatio, 0);
  }
}

function normalized(x, y, z) {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Directions towards the lights, as in the window. */
export const sunDirection = normalized(0.62, 0.52, 0.42);
export const planetDirection = normalized(-0.72, -0.24, -0.8);

/** A material of a vertex and a fragment shader. */
export function material(frame, vertex, fragment, { uniforms = {}, ...rest } = {}) {
  return new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: inWebGL(vertex),
    fragmentShader: inWebGL(fragment),
    uniforms: { ...frame.all, ...uniforms },
    ...rest,
  });
}

/** Light added to what is there. */
export const additive = {
  blending: THREE.CustomBlending,
  blendEquation: THREE.AddEquation,
  blendSrc: THREE.OneFactor,
  blendDst: THREE.OneFactor,
  transparent: true,
  depthWrite: false,
};

/** A mesh that is always drawn: places are relative to the eye, which three.js does not know. */
export function drawn(geometry, ofMaterial, order = 0, Kind = THREE.Mesh) {
  const mesh = new Kind(geometry, ofMaterial);
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** An attribute per instance that grows with its number. */
export class InstanceRows {
  constructor(geometry, columns) {
    this.geometry = geometry;
    this.columns = columns;
    this.width = Object.values(columns).reduce((sum, size) => sum + size, 0);
    this.#reserve(16);
    this.count = 0;
  }

  #reserve(rows) {
    this.room = rows;
    this.values = new Float32Array(rows * this.width);
    this.buffer = new THREE.InstancedInterleavedBuffer(this.values, this.width, 1);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    // three.js keeps the room of the first buffer
    this.geometry._maxInstanceCount = undefined;
    let offset = 0;
    for (const [name, size] of Object.entries(this.columns)) {
      this.geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(this.buffer, size, offset));
      offset += size;
    }
  }

  /** Returns the offset in `values` of a row to write; call begin() before the first. */
  begin(most) {
    this.count = 0;
    if (most > this.room) {
      this.buffer.dispose?.();
      this.#reserve(Math.max(most, 2 * this.room));
    }
  }

  next() {
    return this.count++ * this.width;
  }

  end() {
    this.geometry.instanceCount = this.count;
    this.buffer.needsUpdate = true;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * this.width);
  }
}
