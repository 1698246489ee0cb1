// SPDX-License-Identifier: MIT
// The eye behind a ship. Smoothing depends on time only, so that it looks the same at every rate.

import * as THREE from 'three';

const approach = (rate, seconds) => 1 - Math.exp(-rate * seconds);
const chasePlace = new THREE.Vector3(0, 0.32, 1).normalize();

export class Camera {
  constructor() {
    this.eye = new THREE.Vector3(0, 0, 20);
    this.turn = new THREE.Quaternion();
    this.followed = new THREE.Quaternion();
    this.velocity = new THREE.Vector3();
    this.distance = 5.4;
    this.orbit = { yaw: 0.6, pitch: 0.35 };
    this.mode = 'chase';
    this.started = false;
    this.kick = new THREE.Vector3();
    this.view = new THREE.PerspectiveCamera(52, 1, 0.05, 400);
    this.view.matrixAutoUpdate = false;
  }

  next() {
    this.mode = { chase: 'cockpit', cockpit: 'orbit', orbit: 'chase' }[this.mode];
    return this.mode;
  }

  zoom(notches) {
    this.distance = Math.min(Math.max(this.distance * 0.88 ** notches, 2), 60);
  }

  shake(direction, amount) {
    this.kick.addScaledVector(direction, amount).clampLength(0, 0.35);
  }

  /** Follows a ship: pose as place and quaternion, velocity in metres per second. */
  follow(place, rotation, velocity, radius, seconds) {
    if (!this.started) {
      this.followed.copy(rotation);
      this.velocity.copy(velocity);
      this.started = true;
    }
    this.followed.slerp(rotation, approach(4.5, seconds));
    this.velocity.lerp(velocity, approach(5, seconds));
    this.kick.multiplyScalar(Math.exp(-7 * seconds));
    if (this.mode === 'cockpit') {
      this.turn.copy(rotation);
      this.eye.set(0, 0.25 * radius, -0.55 * radius).applyQuaternion(rotation).add(place);
      return;
    }
    if (this.mode === 'orbit') {
      this.around(place, this.distance * radius);
      return;
    }
    const lag = this.velocity.clone().multiplyScalar(-0.08).clampLength(0, 1.2 * radius);
    this.eye.copy(chasePlace).multiplyScalar(this.distance * radius).applyQuaternion(this.followed);
    this.eye.add(place).add(lag).addScaledVector(this.kick, radius);
    const target = new THREE.Vector3(0, -0.06 * this.distance, -3).multiplyScalar(radius);
    target.applyQuaternion(this.followed).add(place);
    const up = new THREE.Vector3(0, 1, 0).applyQuaternion(this.followed);
    this.turn.setFromRotationMatrix(new THREE.Matrix4().lookAt(this.eye, target, up));
  }

  /** Looks at a place from the orbit angles. */
  around(place, distance) {
    const euler = new THREE.Euler(-this.orbit.pitch, this.orbit.yaw, 0, 'YXZ');
    this.turn.setFromEuler(euler);
    this.eye.set(0, 0, distance).applyQuaternion(this.turn).add(place);
  }

  /** The lens for an aspect; a narrow picture gets a wider angle. The eye is its origin. */
  lens(aspect) {
    this.view.aspect = aspect;
    const narrow = Math.min(1, aspect / 1.15);
    this.view.fov = 2 * THREE.MathUtils.radToDeg(Math.atan(Math.tan(THREE.MathUtils.degToRad(26)) / Math.max(narrow, 0.62)));
    this.view.updateProjectionMatrix();
    this.view.matrix.makeRotationFromQuaternion(this.turn);
    this.view.matrixWorld.copy(this.view.matrix);
    this.view.matrixWorldInverse.copy(this.view.matrix).invert();
    return this.view;
  }

  /** Projects a place in the world to pixels of a rectangle; null behind the eye. */
  project(x, y, z, { width, height }) {
    const point = new THREE.Vector4(x - this.eye.x, y - this.eye.y, z - this.eye.z, 1);
    point.applyMatrix4(this.view.matrixWorldInverse).applyMatrix4(this.view.projectionMatrix);
    if (point.w <= 0.05) return null;
    return { x: (0.5 + (0.5 * point.x) / point.w) * width, y: (0.5 - (0.5 * point.y) / point.w) * height };
  }
}
