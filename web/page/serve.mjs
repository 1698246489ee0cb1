// SPDX-License-Identifier: MIT
// Serves a folder of static files on this machine: node serve.mjs [--port N] [FOLDER]
// With the headers that isolate the page, so that browsers measure time to five microseconds.

import { createServer } from 'node:http';
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm', '.gz': 'application/octet-stream', '.json': 'application/json',
};

/** Serves `folder`; resolves to the server once it listens. Port 0 takes a free one. */
export function serve(folder, port, { isolated = true } = {}) {
  const root = resolve(folder);
  const zipped = new Map();
  const server = createServer(async (request, response) => {
    const answer = (status, text) => response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'This server only reads.');
    try {
      let name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
      if (name.endsWith('/')) name += 'index.html';
      const file = normalize(join(root, name));
      if (file !== root && !file.startsWith(root + sep)) return answer(403, 'This is outside of the page.');
      const { mtimeMs } = await stat(file);
      const headers = { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' };
      if (isolated) {
        headers['cross-origin-opener-policy'] = 'same-origin';
        headers['cross-origin-embedder-policy'] = 'require-corp';
      }
      let body = await readFile(file);
      if (extname(file) !== '.gz' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
        const known = zipped.get(file);
        if (known?.mtimeMs !== mtimeMs) zipped.set(file, { mtimeMs, body: gzipSync(body) });
        body = zipped.get(file).body;
        headers['content-encoding'] = 'gzip';
      }
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
    } catch {
      answer(404, 'There is no such file.');
    }
  });
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => done(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { port: { type: 'string', default: '8080' } }, allowPositionals: true });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`--port: expected a number from 0 to 65535, not "${values.port}"`);
    process.exit(2);
  }
  try {
    const server = await serve(positionals[0] ?? join(dirname(fileURLToPath(import.meta.url)), 'dist'), port);
    console.log(`The page is at http://localhost:${server.address().port}/ (Ctrl+C ends it)`);
  } catch (fault) {
    const taken = fault.code === 'EADDRINUSE';
    console.error(taken ? `Port ${port} is taken by another program. Choose another one: --port ${port + 1}` : fault.message);
    process.exit(1);
  }
}
