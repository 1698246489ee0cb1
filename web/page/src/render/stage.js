// SPDX-License-Identifier: MIT
// The picture: one canvas, one or two views of a flight in it.

import * as THREE from 'three';
import { Camera } from './camera.js';
import { Cage, Dust, Halos, Lines, Rings, Shells } from './marks.js';
import { FrameUniforms } from './shaders.js';
import { hullTexture, readModel, Ships } from './ships.js';
import { Sky } from './sky.js';

/** Everything that one view draws. Places are given in the world; the eye is subtracted here. */
export class View {
  constructor(stage) {
    this.stage = stage;
    this.scene = new THREE.Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.camera = new Camera();
    this.ships = new Ships(stage.frame, stage.hull);
    this.shells = new Shells(stage.frame);
    this.rings = new Rings(stage.frame);
    this.halos = new Halos(stage.frame);
    this.lines = new Lines(stage.frame);
    this.dust = new Dust(stage.frame);
    this.cage = new Cage(stage.frame);
    this.scene.add(this.ships.group, this.dust.mesh, this.cage.mesh, this.shells.mesh);
    this.scene.add(this.rings.mesh, this.halos.mesh, this.lines.mesh);
    this.arena = 0;
    this.seconds = 0;
  }

  dispose() {
    // The sky goes on to the next view
    for (const part of this.stage.sky?.parts ?? []) part.removeFromParent();
    this.scene.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose();
    });
  }
}

export class Stage {
  #models = new Map();

  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance', alpha: false });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = true;
    this.frame = new FrameUniforms();
    this.hull = hullTexture(new Uint8Array([204]), { width: 1, height: 1 });
    this.quality = 1;
  }

  /** Prepares the sky, at the start and after the graphics were lost. */
  prepare() {
    for (const part of this.sky?.parts ?? []) {
      part.removeFromParent();
      part.geometry.dispose();
      part.material.dispose();
    }
    this.sky = new Sky(this.frame, this.renderer);
  }

  setHull(bytes, size) {
    const picture = hullTexture(bytes, size);
    this.hull.image = picture.image;
    this.hull.dispose();
    this.hull.needsUpdate = true;
    picture.dispose();
  }

  /** Returns the models of shapes by their names, loaded once. */
  models(names) {
    return Promise.all(
      names.map(async (name) => {
        if (!this.#models.has(name)) this.#models.set(name, readModel(await this.data.draw(name)));
        return this.#models.get(name);
      }),
    );
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.quality;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.width === width && this.height === height && this.ratio === ratio) return;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  /** Draws views side by side, or one above the other on a tall screen. */
  draw(views) {
    this.resize();
    const { renderer } = this;
    renderer.setScissorTest(views.length > 1);
    const tall = this.height > this.width;
    views.forEach((view, i) => {
      const share = 1 / views.length;
      const width = tall ? this.width : this.width * share, height = tall ? this.height * share : this.height;
      const x = tall ? 0 : width * i, y = tall ? this.height - height * (i + 1) : 0;
      view.place = { x, y: tall ? height * i : 0, width, height };
      renderer.setViewport(x, y, width, height);
      renderer.setScissor(x, y, width, height);
      const camera = view.camera.lens(width / height);
      this.frame.update(camera, width * this.ratio, height * this.ratio, view.seconds, this.ratio);
      if (this.sky) for (const part of this.sky.parts) if (part.parent !== view.scene) view.scene.add(part);
      renderer.clear();
      renderer.render(view.scene, camera);
    });
  }

  dispose() {
    this.renderer.dispose();
  }
}
