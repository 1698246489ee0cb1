// SPDX-License-Identifier: MIT
// Keyboard, mouse, touch and gamepad as the sticks of a ship.

const clamp = (x) => Math.min(Math.max(x, -1), 1);

/** Keys by their place on a US keyboard, as in the window. */
const axes = {
  KeyW: ['thrust', 1], KeyS: ['thrust', -1],
  KeyA: ['yaw', 1], ArrowLeft: ['yaw', 1], KeyD: ['yaw', -1], ArrowRight: ['yaw', -1],
  ArrowUp: ['pitch', 1], ArrowDown: ['pitch', -1],
  KeyQ: ['roll', -1], KeyE: ['roll', 1],
};

const isField = (element) =>
  element instanceof HTMLElement && element.matches('input, select, textarea, button, dialog *') && element.id !== 'thrust';

export class Input {
  #keys = new Set();
  #drag = null;
  #thrusts = false;
  #stopping = false;

  /** `orbits()` tells whether drags turn the camera; `commands` are functions by code of key. */
  constructor({ canvas, stick, thrust, commands, orbit, orbits, orbitEnds, zoom }) {
    this.touched = false;
    this.stick = stick;
    addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      // Arrow keys move through choices and sliders; letters still work there
      const field = isField(event.target);
      if (event.code in axes && !(field && event.code.startsWith('Arrow'))) {
        this.#keys.add(event.code);
        this.touched = true;
        event.preventDefault();
      } else if (event.code === 'KeyX') {
        this.#stopping = true;
        this.touched = true;
      } else if (!(field && ['Space', 'Enter'].includes(event.code))) {
        const name = event.key === '?' ? 'Help' : event.code;
        if (commands[name] && !event.repeat) {
          commands[name](event);
          event.preventDefault();
        } else if (commands[name]) event.preventDefault();
      }
    });
    addEventListener('keyup', (event) => this.#keys.delete(event.code));
    addEventListener('blur', () => this.#release());
    canvas.addEventListener('pointerdown', (event) => {
      if (this.#drag) return;
      canvas.setPointerCapture(event.pointerId);
      this.#drag = { id: event.pointerId, x: event.clientX, y: event.clientY, nowX: event.clientX, nowY: event.clientY,
        reach: event.pointerType === 'touch' ? 52 : 110, orbits: orbits() };
      this.touched = true;
      if (event.pointerType === 'touch' && !this.#drag.orbits) this.#showStick();
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.#drag?.id !== event.pointerId) return;
      if (this.#drag.orbits) {
        const box = canvas.getBoundingClientRect();
        orbit(event.clientX - this.#drag.nowX, event.clientY - this.#drag.nowY,
          { x: event.clientX - box.left, y: event.clientY - box.top, shiftKey: event.shiftKey });
      }
      this.#drag.nowX = event.clientX;
      this.#drag.nowY = event.clientY;
      if (!stick.hidden) this.#showStick();
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
      canvas.addEventListener(end, (event) => {
        if (this.#drag?.id !== event.pointerId) return;
        this.#drag = null;
        stick.hidden = true;
        orbitEnds();
      });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      zoom(-Math.sign(event.deltaY));
    }, { passive: false });
    if (matchMedia('(pointer: coarse)').matches) thrust.hidden = false;
    const press = (on) => (event) => {
      event.preventDefault();
      this.#thrusts = on;
      this.touched ||= on;
      thrust.classList.toggle('on', on);
    };
    thrust.addEventListener('pointerdown', (event) => {
      thrust.setPointerCapture(event.pointerId);
      press(true)(event);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) thrust.addEventListener(end, press(false));
    addEventListener('gamepadconnected', () => (this.touched = true));
  }

  #release() {
    this.#keys.clear();
    this.#thrusts = false;
  }

  #showStick() {
    const { stick } = this;
    const box = stick.parentElement.getBoundingClientRect();
    const dx = this.#drag.nowX - this.#drag.x, dy = this.#drag.nowY - this.#drag.y;
    const length = Math.max(1, Math.hypot(dx, dy) / this.#drag.reach);
    stick.hidden = false;
    stick.style.left = `${this.#drag.x - box.left}px`;
    stick.style.top = `${this.#drag.y - box.top}px`;
    stick.firstElementChild.style.translate = `${dx / length}px ${dy / length}px`;
  }

  /** Returns the sticks, each from -1 to 1. */
  read() {
    const sticks = { thrust: 0, pitch: 0, yaw: 0, roll: 0, stop: this.#stopping ? 1 : 0 };
    this.#stopping = false;
    for (const key of this.#keys) sticks[axes[key][0]] += axes[key][1];
    if (this.#drag && !this.#drag.orbits) {
      sticks.yaw -= (this.#drag.nowX - this.#drag.x) / this.#drag.reach;
      sticks.pitch -= (this.#drag.nowY - this.#drag.y) / this.#drag.reach;
    }
    if (this.#thrusts) sticks.thrust += 1;
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (!pad?.connected || pad.mapping !== 'standard') continue;
      const [x, y, turn] = [0, 1, 2].map((i) => (Math.abs(pad.axes[i] ?? 0) > 0.12 ? pad.axes[i] : 0));
      sticks.yaw -= x;
      sticks.pitch -= y;
      sticks.roll += turn;
      sticks.thrust += (pad.buttons[7]?.value ?? 0) - (pad.buttons[6]?.value ?? 0) + (pad.buttons[0]?.pressed ? 1 : 0);
    }
    for (const name of ['thrust', 'pitch', 'yaw', 'roll']) sticks[name] = clamp(sticks[name]);
    return sticks;
  }
}

/** Flies a ship that nobody steers: towards the nearest of the others, at a gentle pace. */
export function autopilot(bodies, columns, user, time) {
  const { width, x, y, z, qx, qy, qz, qw, body } = columns;
  let own = -1;
  for (let at = 0; at < bodies.length && own < 0; at += width) if (bodies[at + body] === user) own = at;
  if (own < 0) return { thrust: 0, pitch: 0, yaw: 0, roll: 0 };
  let nearest = Infinity, way = [0, 0, -1];
  for (let at = 0; at < bodies.length; at += width) {
    if (bodies[at + body] === user) continue;
    const d = [bodies[at + x] - bodies[own + x], bodies[at + y] - bodies[own + y], bodies[at + z] - bodies[own + z]];
    const length = Math.hypot(...d);
    if (length < nearest && length > 2.2) {
      nearest = length;
      way = d.map((c) => c / length);
    }
  }
  // In the ship's frame: by the conjugate of its rotation
  const u = [-bodies[own + qx], -bodies[own + qy], -bodies[own + qz]], s = bodies[own + qw];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const t = cross(u, way).map((c) => 2 * c);
  const w = cross(u, t);
  const d = way.map((c, k) => c + s * t[k] + w[k]);
  const behind = d[2] > 0;
  return {
    thrust: behind ? 0.25 : 0.55 * Math.max(-d[2], 0.3),
    yaw: clamp(behind ? Math.sign(-d[0] || 1) : -1.6 * d[0]),
    pitch: clamp(behind ? 0.4 : 1.6 * d[1]),
    roll: 0.25 * Math.sin(0.5 * time),
  };
}
