// SPDX-License-Identifier: MIT
// Drives a headless Chromium by the DevTools protocol over its pipe; no other package is needed.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

export const chromium = process.env.CHROMIUM ?? 'chromium';

const keyCodes = { Tab: 9, Enter: 13, Escape: 27, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

export class Browser {
  #next = 1;
  #waiting = new Map();
  #rest = '';

  static async open({ width = 1280, height = 720, args = [] } = {}) {
    const browser = new Browser();
    browser.folder = await mkdtemp(join(tmpdir(), 'nearmiss-page-'));
    browser.process = spawn(
      chromium,
      ['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--enable-unsafe-swiftshader', '--mute-audio', '--no-first-run',
        '--disable-extensions', '--js-flags=--expose-gc', `--user-data-dir=${browser.folder}`, `--window-size=${width},${height}`,
        '--remote-debugging-pipe', ...args, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    browser.process.stdio[4].on('data', (data) => browser.#take(data.toString()));
    browser.process.on('exit', () => {
      for (const { fail } of browser.#waiting.values()) fail(new Error('the browser has ended'));
    });
    const { targetInfos } = await browser.send('Target.getTargets');
    const target = targetInfos.find(({ type }) => type === 'page');
    ({ sessionId: browser.session } = await browser.send('Target.attachToTarget', { targetId: target.targetId, flatten: true }));
    browser.errors = [];
    browser.requests = [];
    browser.on = {
      'Runtime.exceptionThrown': ({ exceptionDetails: fault }) =>
        browser.errors.push(fault.exception?.description ?? fault.text),
      'Runtime.consoleAPICalled': ({ type, args: said }) =>
        ['error', 'warning', 'assert'].includes(type) && browser.errors.push(said.map((each) => each.value ?? each.description).join(' ')),
      'Log.entryAdded': ({ entry }) => entry.level === 'error' && browser.errors.push(`${entry.text} ${entry.url ?? ''}`),
      'Network.requestWillBeSent': ({ request }) => browser.requests.push(request.url),
    };
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'HeapProfiler']) await browser.send(`${domain}.enable`, {}, browser.session);
    await browser.resize(width, height);
    return browser;
  }

  #take(text) {
    this.#rest += text;
    for (let end; (end = this.#rest.indexOf('\0')) >= 0; this.#rest = this.#rest.slice(end + 1)) {
      const message = JSON.parse(this.#rest.slice(0, end));
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (waiting) message.error ? waiting.fail(new Error(message.error.message)) : waiting.done(message.result);
      else this.on?.[message.method]?.(message.params);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((done, fail) => this.#waiting.set(id, { done, fail }));
  }

  page(method, params) {
    return this.send(method, params, this.session);
  }

  resize(width, height, { touch = false, scale = 1 } = {}) {
    this.size = { width, height };
    return Promise.all([
      this.page('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: touch }),
      this.page('Emulation.setTouchEmulationEnabled', { enabled: touch }),
    ]);
  }

  go(url) {
    return this.page('Page.navigate', { url });
  }

  /** Evaluates an expression in the page; a promise is awaited. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.page('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression, seconds = 60) {
    const end = Date.now() + 1000 * seconds;
    for (;;) {
      const value = await this.evaluate(`(() => { try { return ${expression} } catch { return false } })()`);
      if (value) return value;
      if (Date.now() > end) throw new Error(`not within ${seconds} s: ${expression}; errors: ${this.errors.join('; ')}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async key(code, key = code, { hold = 0 } = {}) {
    const what = { code, key, windowsVirtualKeyCode: keyCodes[code] ?? key.toUpperCase().charCodeAt(0) };
    await this.page('Input.dispatchKeyEvent', { type: 'keyDown', ...what, ...(key.length === 1 ? { text: key } : {}) });
    if (hold) await new Promise((done) => setTimeout(done, hold));
    await this.page('Input.dispatchKeyEvent', { type: 'keyUp', ...what });
  }

  mouse(type, x, y, more = {}) {
    return this.page('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1, ...more });
  }

  async click(selector) {
    const at = await this.evaluate(`(() => { const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
    await this.mouse('mousePressed', ...at);
    await this.mouse('mouseReleased', ...at);
  }

  /** Drops a file, made in the page from text, bytes or an expression. */
  drop(name, expression) {
    return this.evaluate(`(() => { const transfer = new DataTransfer();
      transfer.items.add(new File([${expression}], ${JSON.stringify(name)}));
      dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })); })()`);
  }

  /** A picture of the page as PNG bytes. */
  async picture() {
    const { data } = await this.page('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  async close() {
    this.process.removeAllListeners('exit');
    const ended = new Promise((done) => this.process.once('exit', done));
    this.send('Browser.close').catch(() => {});
    const late = setTimeout(() => this.process.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(late);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Decodes a PNG of eight bits a channel, as browsers write it. Returns { width, height, at(x, y) }. */
export function decodePng(bytes) {
  let at = 8, header;
  const parts = [];
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at), kind = bytes.toString('latin1', at + 4, at + 8), data = bytes.subarray(at + 8, at + 8 + size);
    if (kind === 'IHDR') header = data;
    if (kind === 'IDAT') parts.push(data);
    at += 12 + size;
  }
  const width = header.readUInt32BE(0), height = header.readUInt32BE(4), channels = header[9] === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(parts)), stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0, up = y ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y ? pixels[(y - 1) * stride + x - channels] : 0;
      const p = left + up - corner;
      const nearest = Math.abs(p - left) <= Math.abs(p - up) && Math.abs(p - left) <= Math.abs(p - corner) ? left
        : Math.abs(p - up) <= Math.abs(p - corner) ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, nearest][filter];
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, at: (x, y) => [...pixels.subarray((y * width + x) * channels, (y * width + x) * channels + 3)] };
}
