// SPDX-License-Identifier: MIT
// What the page fetches of itself: models, scenes, the hull's picture. Files are compressed when the page is built, so
// that any static server will do.

/** Fetches a file of the page; `.gz` files are decompressed. */
export async function fetchBytes(name) {
  const response = await fetch(new URL(name, document.baseURI));
  if (!response.ok) throw new Error(`The page could not load ${name}: the server answered ${response.status}.`);
  let bytes = new Uint8Array(await response.arrayBuffer());
  // A server that knows gzip may have decompressed it
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  return bytes;
}

export class PageData {
  #draw = new Map();
  #shapes = new Map();

  static async load() {
    const data = new PageData();
    data.page = JSON.parse(new TextDecoder().decode(await fetchBytes('data/page.json.gz')));
    return data;
  }

  scene(name) {
    return this.page.scenes.find((scene) => scene.name === name) ?? this.page.scenes[0];
  }

  #once(kept, file) {
    if (!kept.has(file)) {
      const fetched = fetchBytes(`data/${file}.gz`);
      fetched.catch(() => kept.delete(file));
      kept.set(file, fetched);
    }
    return kept.get(file);
  }

  /** The bytes of a model for drawing, by the name of its shape. */
  draw(name) {
    return this.#once(this.#draw, this.page.models[name]);
  }

  /** Adds to the engine what the scenes need; models that it has are not fetched again. */
  async provide(engine, ...scenes) {
    for (const [file, text] of Object.entries(this.page.joints))
      if (!engine.hasModel(file)) engine.addModel(file, text);
    const missing = new Map();
    for (const scene of scenes)
      for (const { model, shape } of scene.shapes) if (!engine.hasModel(shape)) missing.set(shape, model);
    await Promise.all(
      [...missing].map(async ([shape, model]) => {
        const bytes = await this.#once(this.#shapes, shape);
        if (!engine.hasModel(shape)) engine.addModel(model, bytes, shape);
        this.#shapes.delete(shape);
      }),
    );
  }
}
